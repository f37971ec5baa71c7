//go:build unix

package subject

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// guard starts a shell that waits for this process to end, however that comes
// about, and then kills the program's process group: its children would outlive a
// process that was killed. Without a shell there is no guard. release ends it.
func guard(cmd *exec.Cmd) (release func()) {
	nothing := func() {}
	r, w, err := os.Pipe()
	if err != nil {
		return nothing
	}
	defer r.Close()
	g := exec.Command("/bin/sh", "-c", `read -r end; kill -9 "-$0"`, strconv.Itoa(cmd.Process.Pid))
	g.Stdin = r
	g.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // out of reach of a terminal's signals
	if err := g.Start(); err != nil {
		w.Close()
		return nothing
	}
	return func() {
		g.Process.Kill()
		g.Wait()
		w.Close()
	}
}
