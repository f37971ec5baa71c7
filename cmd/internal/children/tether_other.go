//go:build unix && !linux

package children

import "syscall"

// tether does nothing: here a child outlives a process that is killed.
func tether(*syscall.SysProcAttr) {}
