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
	defer other.Wait()
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
	if err := syscall.Kill(other.Process.Pid, 0); err != nil {
		t.Fatalf("the other process: %v", err)
	}
	// A process that was killed is there until it is waited for.
	var status syscall.WaitStatus
	if pid, err := syscall.Wait4(other.Process.Pid, &status, syscall.WNOHANG, nil); pid != 0 || err != nil {
		t.Errorf("the other process ended: %v %v (%v)", pid, status, err)
	}
}
