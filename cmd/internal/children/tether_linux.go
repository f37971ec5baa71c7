package children

import "syscall"

// tether makes the child die with the thread that starts it.
func tether(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
