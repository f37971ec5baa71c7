//go:build unix

package subject

import (
	"os/exec"
	"syscall"
	"testing"
)

// The number of a program that has ended may be that of another process: nothing
// that comes later is sent to it.
func TestEndedProgramIsNotKilledAgain(t *testing.T) {
	other := exec.Command("sleep", "3600")
	ownGroup(other)
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer other.Process.Kill()
	a, err := launch([]string{"true"}, "", nil, false)
	if err != nil {
		t.Fatal(err)
	}
	<-a.done
	a.cmd.Process.Pid = other.Process.Pid // as if the system had used it again
	if how := a.kill(); how != "exit status 0" {
		t.Errorf("got %q, want exit status 0", how)
	}
	killRunning(a.cmd)
	// Of two signals the one that was sent first is what it dies of.
	if err := other.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatalf("the other process: %v", err)
	}
	other.Wait()
	if status := other.ProcessState.Sys().(syscall.WaitStatus); status.Signal() != syscall.SIGTERM {
		t.Errorf("the other process died of %v, want the signal of this test", status.Signal())
	}
}
