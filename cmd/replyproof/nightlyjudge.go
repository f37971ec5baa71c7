package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/replyproof/replyproof/cmd/internal/children"
	"github.com/replyproof/replyproof/cmd/internal/nightly"
)

// judgeLimit is how long the judges may take for one failing input.
const judgeLimit = 30 * time.Second

// judgeInputName is a command that is not for people.
const judgeInputName = "judge-input"

// newJudgeInput is a process of its own for what has just been seen to fail:
// some failures, as that of a stack that is too deep, end any process.
func newJudgeInput() *cobra.Command {
	return &cobra.Command{
		Use: judgeInputName + " PACKAGE TARGET", Hidden: true, Args: cobra.ExactArgs(2),
		Short:   "Let classifier and model judge the failing input on standard input",
		Long:    "Let classifier and model judge the failing input on standard input. It is what nightly runs.",
		Example: "  printf '{}' | replyproof judge-input example.com/module FuzzMine",
		RunE: func(cmd *cobra.Command, args []string) error {
			data, err := io.ReadAll(cmd.InOrStdin())
			if err != nil {
				return fmt.Errorf("read the input: %w", err)
			}
			s := screen(cmd)
			return errors.Join(s.Line(nightly.Judge(args[0], args[1], data)), s.Flush())
		},
	}
}

// judgeInChild judges a failing input in a process of its own.
func judgeInChild(ctx context.Context, pkg, target string, data []byte) (v nightly.Verdicts, err error) {
	self, err := os.Executable()
	if err != nil {
		return v, fmt.Errorf("judge a failing input: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, judgeLimit)
	defer cancel()
	child := exec.CommandContext(ctx, self, judgeInputName, pkg, target)
	child.Args[0] = os.Args[0] // in tests the name says which command it is
	var out, said bytes.Buffer
	child.Stdin, child.Stdout, child.Stderr = bytes.NewReader(data), &out, &said
	child.WaitDelay = children.Hurry
	if err := children.Run(ctx, child); err != nil {
		line, _, _ := strings.Cut(said.String(), "\n")
		return v, fmt.Errorf("the process of the judges ended: %w, %s", err, line)
	}
	if err := json.Unmarshal(out.Bytes(), &v); err != nil {
		return v, fmt.Errorf("read what the judges say: %w", err)
	}
	return v, nil
}
