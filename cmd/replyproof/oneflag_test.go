package main

import (
	"errors"
	"os/exec"
	"testing"
)

// Flags that exclude each other are told in the words of this command.
func TestOneOfFlags(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"serve", "--faults", "id-absent", "--sequence", "s.yaml"}, "replyproof: --faults and --sequence: give one of them\n"},
		{[]string{"serve", "--scenario", "baseline", "--faults", "id-absent", "--sequence", "s.yaml"}, "replyproof: --scenario, --faults and --sequence: give one of them\n"},
		{[]string{"nightly", "--resume", "--list"}, "replyproof: --resume and --list: give one of them\n"},
		{[]string{"nightly", "--resume", "--for", "1m"}, "replyproof: --resume and --for: give one of them\n"},
	} {
		out, err := exec.CommandContext(t.Context(), "replyproof", test.args...).CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 2 || string(out) != test.want {
			t.Errorf("%q: got %v, %s; want status 2 and %s", test.args, err, out, test.want)
		}
	}
}
