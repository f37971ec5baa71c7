package subject

import "syscall"

// tether makes the program die with the thread that starts it.
func tether(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
