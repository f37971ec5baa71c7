//go:build !unix

package clients

import "os/exec"

// kill leaves a command as it is: here it is ended alone.
func kill(*exec.Cmd) {}
