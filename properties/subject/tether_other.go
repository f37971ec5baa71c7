//go:build unix && !linux

package subject

import "syscall"

// tether does nothing: here a program outlives whoever started it.
func tether(*syscall.SysProcAttr) {}
