package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/cmd/internal/cases"
	"github.com/replyproof/replyproof/cmd/internal/count"
	"github.com/replyproof/replyproof/cmd/internal/seeds"
	"github.com/replyproof/replyproof/cmd/internal/terminal"
	"github.com/replyproof/replyproof/corpus"
)

const exportLong = `Give cases out in a form that other tools take. The shipped ones are given out if
no path is named.

  native     seed files of Go's native fuzzing, for testdata/fuzz/FuzzX
  go-fuzz    raw files, as dvyukov/go-fuzz keeps them in corpus/
  libfuzzer  raw files, as libFuzzer and AFL take them; --dict writes a dictionary
  jsonl      cases, one JSON object a line: everything
  har        an HTTP Archive: everything; what HAR has no place for stands in
             the members _replyproof
  http       HTTP/1.1 messages, a request and its answer each: the answers, and
             not what a case says of itself

The first three go into the folder of --output, the others to standard output or
the file of --output. --target is the layout of the fuzz function: what each of
its arguments gets, with its type, such as 'body []byte, status int'. The parts:

%s
Seeds of a layout hold those parts and nothing else. What a form cannot hold is
left out, with the reason, one line a kind, or by name with --verbose; corpus
import reads every form back.`

func newCorpusExport() *cobra.Command {
	var format, target, output, dict string
	var left leftOut
	var parts strings.Builder
	for _, n := range seeds.Names() {
		fmt.Fprintf(&parts, "  %-13s %s\n", n[0], n[1])
	}
	cmd := &cobra.Command{
		Use:   "export [PATH…] --format FORMAT",
		Short: "Give cases out as seeds, JSON lines, HAR or HTTP messages",
		Long:  fmt.Sprintf(exportLong, parts.String()),
		Example: `  replyproof corpus export --format native --target 'body []byte, status int' -o testdata/fuzz/FuzzDecode
  replyproof corpus export --format libfuzzer --target answer -o seeds --dict answers.dict
  replyproof corpus export --format har -o answers.har
  replyproof corpus export --format jsonl | replyproof classify --from jsonl --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := seeds.ParseFormat(format)
			if err != nil {
				return fmt.Errorf("--format: %w", err)
			}
			if !f.Folder() && cmd.Flags().Changed("target") {
				return fmt.Errorf("--target: %s has no layout; native, go-fuzz and libfuzzer have", f)
			}
			t, err := seeds.ParseTarget(target)
			switch {
			case err != nil:
				return fmt.Errorf("--target: %w", err)
			case f.Folder() && output == "":
				return fmt.Errorf("--output: %s is a folder of files; name the folder", f)
			case f.Folder():
				if _, _, err := f.Blobs(nil, t); err != nil {
					return fmt.Errorf("--target: %w", err)
				}
			}
			return corpusExport(cmd, args, f, t, output, dict, &left)
		},
	}
	cmd.Flags().StringVar(&format, "format", "", strings.Join(seeds.Formats(), ", "))
	cmd.Flags().StringVar(&target, "target", "body []byte", "layout of the fuzz function")
	cmd.Flags().StringVarP(&output, "output", "o", "", "folder or file to write")
	cmd.Flags().StringVar(&dict, "dict", "", "dictionary for libFuzzer or AFL to write")
	eachFlag(cmd, &left)
	_ = cmd.MarkFlagRequired("format")
	return cmd
}

func corpusExport(cmd *cobra.Command, paths []string, f seeds.Format, target seeds.Target, output, dict string, left *leftOut) error {
	all, err := cases.Load(paths)
	if err != nil {
		return err
	}
	s := screen(cmd)
	if dict != "" {
		if err := writeWhole(dict, func(w io.Writer) error { _, err := w.Write(corpus.Dictionary(all)); return err }); err != nil {
			return err
		}
		s.Notef("%s: a dictionary, for -dict= of libFuzzer and -x of AFL", dict)
	}
	if f.Folder() {
		return exportFolder(s, all, f, target, output, left)
	}
	fill := func(w io.Writer) error { return exportFile(s, w, all, f, left) }
	if output != "" {
		return writeWhole(output, fill)
	}
	return errors.Join(fill(s.Out()), s.Flush())
}

func exportFolder(s *terminal.Screen, all []corpus.Case, f seeds.Format, t seeds.Target, output string, left *leftOut) error {
	blobs, skipped, err := f.Blobs(all, t)
	if err != nil {
		return fmt.Errorf("--target: %w", err)
	}
	if err := corpus.WriteBlobs(output, blobs); err != nil {
		return err
	}
	for _, one := range skipped {
		left.add(one.ID, "left out: "+one.Why)
	}
	left.tell(s)
	s.Notef("%s: %s of %s for a fuzz function of (%s), %d left out; a seed holds these parts of an answer and no more",
		output, count.Of(len(blobs), "seed"), count.Of(len(all), "case"), t, len(skipped))
	return nil
}

func exportFile(s *terminal.Screen, w io.Writer, all []corpus.Case, f seeds.Format, left *leftOut) error {
	switch f {
	case seeds.JSONL:
		return corpus.WriteLines(w, slices.Values(all))
	case seeds.HAR:
		return capture.WriteHAR(w, slices.Values(all))
	}
	written, lacking := 0, 0
	for _, c := range all {
		if err := seeds.HoldsHTTP(c); err != nil {
			lacking++
			left.add(c.ID, "left out: "+err.Error())
			continue
		}
		if lost := seeds.LostInHTTP(c); len(lost) > 0 {
			left.add(c.ID, "written without its "+strings.Join(lost, " and "))
		}
		if _, err := w.Write(capture.AppendHTTP(nil, c)); err != nil {
			return fmt.Errorf("write results: %w", err)
		}
		written++
	}
	left.tell(s)
	s.Notef("%s written, %d left out; messages have no place for rule, why, source, tags, expect and also_acceptable", count.Of(written, "case"), lacking)
	return nil
}

// writeWhole is corpus.WriteWhole with the name in its errors; the folder is made
// if it is not there.
func writeWhole(name string, fill func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := corpus.WriteWhole(name, fill); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}
