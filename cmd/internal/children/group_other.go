//go:build !unix

package children

import "os/exec"

// ownGroup leaves the process as it is: there are no process groups here.
func ownGroup(*exec.Cmd) {}

// killGroup ends the child alone.
func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
