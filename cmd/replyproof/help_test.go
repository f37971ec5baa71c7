package main

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// outside matches examples that need what is not there: a network, a file or an
// adapter of the user's, or a program that need not be installed.
var outside = regexp.MustCompile(`curl|session\.har|--adapter|--client|body\.json|my-cases|testdata/|answers\.jsonl|nightly|\bjq\b|replyproof report|replyproof record|session\.jsonl`)

// TestHelpExamplesRun runs each example of a help text that needs nothing from
// outside, as a user would who copies it.
func TestHelpExamplesRun(t *testing.T) {
	ran := 0
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for example := range strings.SplitSeq(strings.NewReplacer("\\\n", " ", "|\n", "| ").Replace(c.Example), "\n") {
			example = strings.TrimSpace(example)
			if example == "" || outside.MatchString(example) {
				continue
			}
			ran++
			t.Run(c.CommandPath()+"/"+example, func(t *testing.T) {
				t.Parallel()
				// Without pipefail a first part that fails leaves no input, which
				// the second part refuses.
				cmd := exec.Command("sh", "-c", example) // TestMain puts the command into PATH
				cmd.Dir = t.TempDir()
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("%v\n%s", err, out)
				}
			})
		}
		for _, child := range c.Commands() {
			walk(child)
		}
	}
	walk(newRoot())
	if ran < 10 {
		t.Errorf("only %d examples were run", ran)
	}
}
