//go:build unix

package subject

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the program into a process group of its own.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	tether(cmd.SysProcAttr)
}

// killGroup kills the program and its children.
func killGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
