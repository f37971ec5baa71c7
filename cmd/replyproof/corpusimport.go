package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/cmd/internal/terminal"
	"github.com/replyproof/replyproof/corpus"
)

const importLong = `Make cases of what others have: a folder of raw inputs or of Go fuzz seeds (each
file is the body of a 200), or a file of JSON lines as classify reads them. The
corpus file goes to standard output, or to the file of --output; what was
skipped is told on standard error.

--expect fills in what the classifier says now. Read it before you keep it: a
case that repeats a fault protects the fault.`

func newCorpusImport() *cobra.Command {
	var o corpus.ImportOptions
	var id, group, output string
	var expect bool
	cmd := &cobra.Command{
		Use:   "import FOLDER|FILE",
		Short: "Make a corpus file of raw inputs, fuzz seeds or JSON lines",
		Long:  importLong,
		Example: `  replyproof corpus import testdata/fuzz/FuzzEnvelope --group envelope --rule 6 --expect -o envelope.json
  replyproof corpus import answers.jsonl --source https://example.com/bug/7 -o field.json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if o.RequestID, err = capture.ParseID(id); err != nil {
				return fmt.Errorf("--id: %w", err)
			}
			if o.Prefix == "" {
				o.Prefix = group
			}
			return corpusImport(cmd, args[0], output, group, expect, o)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&output, "output", "o", "", "corpus file to write")
	f.StringVar(&group, "group", "import", "name of the group")
	f.StringVar(&o.Prefix, "prefix", "", "of the ids before the slash; the group if it is not given")
	f.StringVar(&o.Rule, "rule", "", "rule that the cases show")
	f.StringVar(&o.Why, "why", "", "why of each case; a sentence that names the input if it is not given")
	f.StringVar(&o.Source, "source", "", "where the answers were met")
	f.StringSliceVar(&o.Tags, "tag", nil, "tag of each case; may be repeated")
	f.IntVar(&o.MaxSize, "max-size", 1<<20, "largest input in bytes")
	f.StringVar(&id, "id", "1", "id of the request, where the input does not tell it")
	f.BoolVar(&expect, "expect", false, "fill in what the classifier says now")
	return cmd
}

func corpusImport(cmd *cobra.Command, path, output, group string, expect bool, o corpus.ImportOptions) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	var imported []corpus.Case
	var told corpus.ImportReport
	if info.IsDir() {
		imported, told, err = corpus.ImportFolder(os.DirFS(path), ".", o)
	} else {
		var f *os.File
		if f, err = os.Open(path); err != nil {
			return err
		}
		defer f.Close()
		imported, told, err = corpus.ImportLines(f, corpus.LineOptions{Name: filepath.Base(path), DefaultID: o.RequestID}, o)
	}
	if err != nil {
		return err
	}
	if len(imported) == 0 {
		return nothing(path, told)
	}
	s := screen(cmd)
	for line := range strings.Lines(told.String()) {
		s.Notef("%s", strings.TrimSpace(line))
	}
	if expect {
		for i, c := range imported {
			imported[i] = c.Expecting(c.Classify())
		}
	}
	return writeCorpus(s, output, group, imported)
}

// writeCorpus writes cases as a corpus file, to standard output if it has no name.
func writeCorpus(s *terminal.Screen, output, group string, all []corpus.Case) error {
	if output != "" {
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
