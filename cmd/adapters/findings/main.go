// Command findings runs replyproof check against every client that cmd/adapters
// has an adapter for, twice each, and writes down what deviated both times:
// every cause in its plainest form to deviations.jsonl, and tables to the README of
// cmd/adapters, of what each client did and of what it lets its user tell apart. It is run in the folder of the repository, after make
// build and make adapters:
//
//	go run ./cmd/adapters/findings -reports report/findings
//
// A report that is there already is not made again, and a run that was stopped goes
// on where it was; to begin anew, remove the folder.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/replyproof/replyproof/cmd/internal/words"
	"github.com/replyproof/replyproof/corpus"
)

// client is a client in one era of the protocol, and how it is asked.
type client struct {
	name     string
	protocol string
	command  string // of its adapter
	deadline string // of a case
	jobs     int    // adapters at once
	stages   []string
}

// The sets of cases that a client is run on, each stage for itself: what is done
// stays done.
var (
	quick = []string{"corpus,singles,random", "pairs"}
	slow  = []string{"corpus", "singles", "random", "pairs"} // of one that mostly waits, and starts fast
)

// clients are those whose findings are written down. One that mostly waits, until
// the time that it has for a call is over, gets more adapters at once.
var clients = []client{
	{"go-sdk", "2026-07-28", "cmd/adapters/bin/go-sdk 2026-07-28", "500ms", 4, quick},
	{"go-sdk", "2025-11-25", "cmd/adapters/bin/go-sdk 2025-11-25", "500ms", 4, quick},
	{"mcp-go", "2026-07-28", "cmd/adapters/bin/mcp-go 2026-07-28", "500ms", 4, quick},
	{"mcp-go", "2025-11-25", "cmd/adapters/bin/mcp-go 2025-11-25", "500ms", 4, quick},
	{"ts-sdk-v1", "2025-11-25", "node cmd/adapters/ts-sdk-v1/adapter.mjs", "1s", 16, slow},
	{"ts-client-v2", "2026-07-28", "node cmd/adapters/ts-client-v2/adapter.mjs 2026-07-28", "1s", 16, slow},
	{"ts-client-v2", "2025-11-25", "node cmd/adapters/ts-client-v2/adapter.mjs 2025-11-25", "1s", 16, slow},
	{"ai-sdk", "2026-07-28", "cmd/adapters/ai-sdk/node_modules/.bin/node cmd/adapters/ai-sdk/adapter.mjs 2026-07-28", "1s", 16, slow},
	{"ai-sdk", "2025-11-25", "cmd/adapters/ai-sdk/node_modules/.bin/node cmd/adapters/ai-sdk/adapter.mjs 2025-11-25", "1s", 16, slow},
	{"langchain-js", "2025-11-25", "node cmd/adapters/langchain-js/adapter.mjs", "1s", 16, quick},
	{"mcp-use-ts", "2025-11-25", "node cmd/adapters/mcp-use-ts/adapter.mjs", "1s", 16, quick},
	{"rmcp", "2026-07-28", "cmd/adapters/bin/rmcp 2026-07-28", "1s", 8, slow},
	{"rmcp", "2025-11-25", "cmd/adapters/bin/rmcp 2025-11-25", "1s", 8, slow},
	{"java-sdk", "2025-11-25", "java -jar cmd/adapters/java-sdk/target/java-sdk.jar 2025-11-25", "2s", 16, slow},
	{"py-sdk", "2026-07-28", inPython("py-sdk") + " 2026-07-28", "2s", 8, slow},
	{"py-sdk", "2025-11-25", inPython("py-sdk") + " 2025-11-25", "2s", 8, slow},
	{"pydantic-ai", "2026-07-28", inPython("pydantic-ai") + " 2026-07-28", "2s", 8, quick},
	{"pydantic-ai", "2025-11-25", inPython("pydantic-ai") + " 2025-11-25", "2s", 8, quick},
	{"openai-agents", "2026-07-28", inPython("openai-agents"), "2s", 8, quick},
	{"langchain-mcp-adapters", "2025-11-25", inPython("langchain-mcp-adapters"), "1s", 16, quick},
	{"mcp-use", "2025-11-25", inPython("mcp-use"), "1s", 16, quick},
}

// inPython is the command of an adapter in Python.
func inPython(name string) string {
	return "cmd/adapters/" + name + "/.venv/bin/python cmd/adapters/" + name + "/adapter.py"
}

// most is more causes than any client has: none is left out.
const most = 2000

func (c client) key() string { return c.name + "-" + c.protocol }

// arguments are those of replyproof.
func (c client) arguments(o options, cases string) []string {
	args := []string{"check", "--adapter", c.command, "--cases", cases, "--seed", strconv.FormatUint(o.seed, 10)}
	if strings.Contains(cases, "random") {
		args = append(args, "-n", strconv.Itoa(o.number))
	}
	return append(args, "--deadline", c.deadline, "--start-timeout", "3m", "--jobs", strconv.Itoa(c.jobs), "--max-deviations", strconv.Itoa(most), "--json")
}

type options struct {
	reports string
	program string
	number  int
	seed    uint64
	only    string
	stage   string
	dry     bool
}

func main() {
	var o options
	flag.StringVar(&o.reports, "reports", "report/findings", "folder of the reports")
	flag.StringVar(&o.program, "replyproof", "bin/replyproof", "the command")
	flag.IntVar(&o.number, "n", 5000, "how many random cases")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the random cases")
	flag.StringVar(&o.only, "only", "", "make the reports of this client alone, such as go-sdk-2025-11-25, and write nothing else")
	flag.StringVar(&o.stage, "stage", "", "with -only: make the reports of this stage alone, such as pairs")
	flag.BoolVar(&o.dry, "collect", false, "make no report, only write down what is there")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "findings:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	if !o.dry {
		if err := os.MkdirAll(o.reports, 0o755); err != nil {
			return err
		}
	}
	var all []found
	var lacking []string // clients of which there is no report
	for _, c := range clients {
		if o.only != "" && o.only != c.key() {
			continue
		}
		f := found{client: c}
		for _, cases := range c.stages {
			if o.only != "" && o.stage != "" && o.stage != cases {
				continue
			}
			if err := f.stage(ctx, o, cases); err != nil {
				return fmt.Errorf("%s: %w", c.key(), err)
			}
		}
		if len(f.ran) > 0 {
			all = append(all, f)
		} else {
			lacking = append(lacking, c.key())
		}
	}
	switch {
	case o.only != "":
		return nil
	case len(lacking) > 0: // what is written down of them would be lost
		return fmt.Errorf("nothing is written: %s has no report of %s", o.reports, strings.Join(lacking, ", "))
	}
	// Both are made before either is written.
	table, err := withTable("cmd/adapters/README.md", o, all)
	if err != nil {
		return err
	}
	lines, err := deviationLines(all)
	if err != nil {
		return err
	}
	return errors.Join(replaceFile("cmd/adapters/deviations.jsonl", lines), replaceFile("cmd/adapters/README.md", table))
}

// stage runs a stage twice, or reads what came of it. Of one that is only
// collected the second run may be missing, or both.
func (f *found) stage(ctx context.Context, o options, cases string) error {
	var made []record
	for i := range 2 {
		name := filepath.Join(o.reports, fmt.Sprintf("%s-%s-%d.json", f.client.key(), strings.ReplaceAll(cases, ",", "-"), i+1))
		err := f.client.run(ctx, o, cases, name)
		if o.dry && errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return err
		}
		r, err := readRecord(name)
		if err != nil {
			return err
		}
		made = append(made, r)
	}
	if len(made) == 0 {
		return nil
	}
	return f.add(cases, made)
}

// run makes one report, if it is not there yet. Until it is whole it has a folder
// beside it, from which a run that was stopped goes on.
func (c client) run(ctx context.Context, o options, cases, name string) error {
	if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) || o.dry {
		return err
	}
	args := c.arguments(o, cases)
	fmt.Fprintln(os.Stderr, o.program, line(args))
	folder := strings.TrimSuffix(name, ".json")
	command := exec.CommandContext(ctx, o.program, append(slices.Clone(args), "--report-dir", folder, "--resume")...)
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) } // it writes its journal, and stops its adapters
	command.WaitDelay = time.Minute
	command.Stderr = os.Stderr
	text, err := command.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 { // deviations
		err = nil
	}
	var report struct{ Complete bool }
	if err == nil {
		err = json.Unmarshal(text, &report)
	}
	switch {
	case ctx.Err() != nil || err == nil && !report.Complete:
		return errors.New("stopped; the same command goes on with it")
	case err != nil:
		return err
	}
	text, err = json.Marshal(map[string]any{"command": "replyproof " + line(args), "report": json.RawMessage(text)})
	if err != nil {
		return err
	}
	if err := replaceFile(name, text); err != nil {
		return err
	}
	return os.RemoveAll(folder)
}

// line is the command line of arguments.
func line(args []string) string {
	quoted := make([]string, len(args))
	for i, arg := range args {
		quoted[i] = words.Quote(arg)
	}
	return strings.Join(quoted, " ")
}

// replaceFile writes a file by another name and renames it.
func replaceFile(name string, text []byte) error {
	return corpus.WriteWhole(name, func(w io.Writer) error { _, err := w.Write(text); return err })
}
