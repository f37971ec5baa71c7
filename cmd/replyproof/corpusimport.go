package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/cmd/internal/minimal"
	"github.com/replyproof/replyproof/cmd/internal/seeds"
	"github.com/replyproof/replyproof/cmd/internal/terminal"
	"github.com/replyproof/replyproof/corpus"
)

const importLong = `Make cases of what others have, and say what was kept and why.

A folder: seeds of Go's native fuzzing or raw inputs, as go-fuzz, libFuzzer, AFL
and the go-fuzz-corpus keep them. --target is the layout of the fuzz function,
as corpus export has it; without it each input is the body of a 200.

A file: whatever classify reads. Of captures the answers to calls and to
notifications become cases, secrets and personal data taken out; of what corpus
export wrote, all that the form holds comes back. corpus add makes one small case
of an answer; import takes over many as they are.

--keep new keeps an input only if it shows what no shipped case and no input
before it shows: another outcome, reason, code or finding.

The corpus file goes to standard output, or to the file of --output; what was
skipped is told on standard error, one line a kind, or each with --verbose.
--expect fills in what the classifier says now. Read it before you keep it: a case
that repeats a fault protects the fault.`

type importOptions struct {
	corpus.ImportOptions
	id, group, output, from, target, keep string
	expect                                bool
	left                                  leftOut
}

func newCorpusImport() *cobra.Command {
	var o importOptions
	cmd := &cobra.Command{
		Use:   "import FOLDER|FILE",
		Short: "Make a corpus file of fuzz seeds, raw inputs, captures or JSON lines",
		Long:  importLong,
		Example: `  replyproof corpus import testdata/fuzz/FuzzEnvelope --group envelope --rule 6 --expect -o envelope.json
  replyproof corpus import testdata/fuzz/FuzzDecode --target 'body []byte, status int' --keep new
  replyproof corpus import session.har --group session --expect -o session.json
  replyproof corpus import answers.jsonl --source https://example.com/bug/7 -o field.json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if o.RequestID, err = capture.ParseID(o.id); err != nil {
				return fmt.Errorf("--id: %w", err)
			}
			if o.Prefix == "" {
				o.Prefix = o.group
			}
			return corpusImport(cmd, args[0], o)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "", "corpus file to write")
	f.StringVar(&o.from, "from", string(capture.Auto), "form of a file: "+strings.Join(capture.Forms(), ", "))
	f.StringVar(&o.target, "target", "body []byte", "layout of the fuzz function whose seeds a folder holds")
	f.StringVar(&o.keep, "keep", "all", "which inputs to keep: all, or new, those that show what no other does")
	f.BoolVar(&o.Twins, "twins", false, "keep an answer that stood before too, if it has an id of its own")
	f.StringVar(&o.group, "group", "import", "name of the group")
	f.StringVar(&o.Prefix, "prefix", "", "of the ids before the slash; the group if it is not given")
	f.StringVar(&o.Rule, "rule", "", "rule that the cases show")
	f.StringVar(&o.Why, "why", "", "why of each case; a sentence that names the input if it is not given")
	f.StringVar(&o.Source, "source", "", "where the answers were met")
	f.StringSliceVar(&o.Tags, "tag", nil, "tag of each case; may be repeated")
	f.IntVar(&o.MaxSize, "max-size", 1<<20, "largest input in bytes")
	f.StringVar(&o.id, "id", "1", "id of the request, where the input does not tell it")
	eachFlag(cmd, &o.left)
	f.BoolVar(&o.expect, "expect", false, "fill in what the classifier says now")
	return cmd
}

func corpusImport(cmd *cobra.Command, path string, o importOptions) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	switch o.keep {
	case "all":
	case "new":
		o.Keep = keepNew()
	default:
		return fmt.Errorf("--keep %s: all or new", o.keep)
	}
	target, err := seeds.ParseTarget(o.target)
	if err != nil {
		return fmt.Errorf("--target: %w", err)
	}
	s := screen(cmd)
	var imported []corpus.Case
	var told corpus.ImportReport
	if info.IsDir() {
		o.Read = target.Reader(o.RequestID)
		imported, told, err = corpus.ImportFolder(os.DirFS(path), ".", o.ImportOptions)
	} else {
		imported, told, err = importFile(cmd, s, path, o)
	}
	if err != nil {
		return err
	}
	if len(imported) == 0 {
		return nothing(path, told)
	}
	tellImport(s, imported, told, &o.left)
	if o.expect {
		for i, c := range imported {
			if c.Expect == nil {
				imported[i] = c.Expecting(c.Classify())
			}
		}
	}
	return writeCorpus(s, o.output, o.group, imported)
}

// importFile takes cases over from a file of any form that classify reads.
func importFile(cmd *cobra.Command, s *terminal.Screen, path string, o importOptions) ([]corpus.Case, corpus.ImportReport, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, corpus.ImportReport{}, err
	}
	defer f.Close()
	in, err := inputOf(cmd, path, o.from, o.id, 256)
	if err != nil {
		return nil, corpus.ImportReport{}, err
	}
	buffered := bufio.NewReaderSize(f, 1<<16)
	if in.Form == capture.JSONL || in.Form == capture.Auto && capture.FormOf(buffered) == capture.JSONL {
		return corpus.ImportLines(buffered, corpus.LineOptions{Name: filepath.Base(path), DefaultID: o.RequestID}, o.ImportOptions)
	}
	in.Name, in.Note = filepath.Base(path), s.Notef
	var faults []corpus.Skipped
	all, told := corpus.ImportCases(func(yield func(string, corpus.Case) bool) {
		for x, err := range in.Exchanges(io.Reader(buffered)) {
			if err != nil {
				faults = append(faults, corpus.Skipped{Name: in.Name, Why: strings.TrimPrefix(err.Error(), in.Name+": ")})
				continue
			}
			if x.Later {
				continue
			}
			c, err := caseOf(x)
			if err != nil {
				faults = append(faults, corpus.Skipped{Name: x.From.Where, Why: err.Error()})
			} else if !yield(x.From.Where, c) {
				return
			}
		}
	}, o.ImportOptions)
	told.Skipped = append(told.Skipped, faults...)
	return all, told, nil
}

// caseOf is the case of an exchange: the one that was written, or what a capture
// holds, without its secrets.
func caseOf(x capture.Exchange) (corpus.Case, error) {
	if len(x.Frozen) > 0 {
		for c, err := range corpus.ReadLines(bytes.NewReader(x.Frozen), corpus.LineOptions{}) {
			return c, err
		}
	}
	if !x.Own {
		x = capture.Sanitized(x)
	}
	c, err := x.Case()
	c.Headers = capture.WithoutFraming(c.Headers)
	c.ID = x.ID
	return c, err
}

// keepNew keeps cases that show what none before them and no shipped one shows.
func keepNew() func(corpus.Case) (bool, string) {
	seen := make(map[string]string)
	for _, c := range corpus.All() {
		for _, exchange := range c.Exchanges() {
			if key := minimal.Key(exchange); seen[key] == "" {
				seen[key] = c.ID
			}
		}
	}
	return func(c corpus.Case) (bool, string) {
		key := minimal.Key(c)
		v := c.Classify()
		what := fmt.Sprintf("%s, %s", v.Outcome, v.Reason)
		for _, f := range v.Findings {
			what += ", " + f.Kind.String()
		}
		if first := seen[key]; first != "" {
			return false, fmt.Sprintf("shows what %s shows: %s", first, what)
		}
		seen[key] = c.ID
		return true, "the first that shows " + what
	}
}

// tellImport tells what was kept and why, and what was not.
func tellImport(s *terminal.Screen, kept []corpus.Case, told corpus.ImportReport, left *leftOut) {
	s.Notef("%d kept, %d skipped", told.Kept, len(told.Skipped))
	for _, one := range told.Skipped {
		left.add(one.Name, one.Why)
	}
	left.tell(s)
	for _, one := range told.Why {
		s.Notef("%s: kept as %s: %s", one.Name, one.ID, one.Why)
	}
	verdicts := make(map[string]int)
	for _, c := range kept {
		v := c.Classify()
		verdicts[v.Outcome.String()+" "+v.Reason.String()]++
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(verdicts)) {
		parts = append(parts, fmt.Sprintf("%d %s", verdicts[name], name))
	}
	s.Notef("kept: %s", strings.Join(parts, ", "))
}

// writeCorpus writes cases as a corpus file, to standard output if it has no name.
func writeCorpus(s *terminal.Screen, output, group string, all []corpus.Case) error {
	if output != "" {
		if err := os.MkdirAll(filepath.Dir(output), 0o755); err != nil {
			return fmt.Errorf("write %s: %w", output, err)
		}
		return corpus.WriteFile(output, group, all)
	}
	text, err := corpus.AppendFile(nil, group, all)
	if err != nil {
		return err
	}
	if _, err := s.Out().Write(text); err != nil {
		return fmt.Errorf("write results: %w", err)
	}
	return s.Flush()
}

// nothing is the error of an input of which no case was kept; the first fault
// stands for all.
func nothing(path string, told corpus.ImportReport) error {
	if len(told.Skipped) == 0 {
		return fmt.Errorf("%s: nothing to import", path)
	}
	first := told.Skipped[0]
	err := fmt.Errorf("%s: nothing to import: %s: %s", path, first.Name, strings.ReplaceAll(first.Why, "\n", "; "))
	if more := len(told.Skipped) - 1; more > 0 {
		err = fmt.Errorf("%w; and %d more", err, more)
	}
	return err
}
