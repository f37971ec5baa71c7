//go:build !unix

package subject

import "os/exec"

// ownGroup does nothing: there are no process groups here.
func ownGroup(*exec.Cmd) {}

// killGroup kills the program; its children see their input end.
func killGroup(cmd *exec.Cmd) { cmd.Process.Kill() }
