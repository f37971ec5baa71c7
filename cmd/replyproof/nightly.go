package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/replyproof/replyproof/cmd/internal/cases"
	"github.com/replyproof/replyproof/cmd/internal/count"
	"github.com/replyproof/replyproof/cmd/internal/nightly"
	"github.com/replyproof/replyproof/cmd/internal/progress"
	"github.com/replyproof/replyproof/cmd/internal/report"
	"github.com/replyproof/replyproof/corpus"
)

const nightlyLong = `Search for answers that are judged wrongly, for a given time, in the module of
the current directory: verify the corpus, run the properties (every single
fault, then random cases for a share of the time), and give what is left of the
time to the native fuzz targets of the packages in equal parts. A target that
gets less than ten seconds starts from its seeds alone, not from the inputs that
earlier runs have kept.

The corpus and the properties judge replyproof's own classifier. Of your module
it is the fuzz targets that run, each function named Fuzz…; what judges answers
in it is judged by check --adapter, or in a test by properties.TestClassifier.

A failure does not end the run. Each is told with the input and the line that
shows it again; Go keeps a failing input in testdata/fuzz of its package.
Ctrl-C stops what runs and tells what was found until then.`

const nightlyExample = `  replyproof nightly --for 30m --report-dir report
  replyproof nightly ./fuzz ./parser --for 5m --targets 'FuzzEnvelope|FuzzStream'
  replyproof nightly --for 2h --corpus my-cases/`

// nightlyFlags are the flags of nightly.
type nightlyFlags struct {
	length    time.Duration
	corpus    string
	reportDir string
	jobs      int
	targets   string
}

func newNightly() *cobra.Command {
	var n nightlyFlags
	cmd := &cobra.Command{
		Use: "nightly [PACKAGES]", Short: "Run corpus, properties and fuzz targets for a given time",
		Long: nightlyLong, Example: nightlyExample,
		RunE: func(cmd *cobra.Command, args []string) error { return n.run(cmd, args) },
	}
	f := cmd.Flags()
	f.DurationVar(&n.length, "for", 30*time.Minute, "time to search, builds not counted")
	f.StringVar(&n.corpus, "corpus", "", "file or folder of cases to verify besides the shipped ones")
	f.StringVar(&n.reportDir, "report-dir", "", "write nightly.json, summary.md and the failing inputs into this folder")
	f.IntVar(&n.jobs, "jobs", 0, "fuzz workers at once (default one per core)")
	f.StringVar(&n.targets, "targets", "", "only fuzz targets whose name matches this expression")
	seedFlag(cmd)
	return cmd
}

func (n *nightlyFlags) run(cmd *cobra.Command, packages []string) error {
	switch {
	case n.length <= 0:
		return fmt.Errorf("--for %s: must be above zero", n.length)
	case n.jobs < 0 || n.jobs > maxJobs:
		return fmt.Errorf("--jobs %d: must be 0, for one per core, to %d", n.jobs, maxJobs)
	}
	for _, p := range packages {
		if p == "" || strings.HasPrefix(p, "-") {
			return fmt.Errorf("package %q: must not be empty or begin with a dash", p)
		}
	}
	o := nightly.Options{Dir: ".", Packages: packages, For: n.length, Jobs: n.jobs}
	if n.targets != "" {
		var err error
		if o.Targets, err = regexp.Compile(n.targets); err != nil {
			return fmt.Errorf("--targets: %w", err)
		}
	}
	all := corpus.All()
	if n.corpus != "" {
		own, err := cases.Load([]string{n.corpus})
		if err != nil {
			return err
		}
		all = append(all, own...)
	}
	if n.reportDir != "" {
		if err := report.Probe(n.reportDir); err != nil {
			return err
		}
	}
	s := screen(cmd)
	seed, err := chosenSeed(cmd, s, freshSeed())
	if err != nil {
		return err
	}
	o.Checks = []nightly.Check{
		{Name: "corpus", Run: func(context.Context, time.Duration, func(string)) (string, []string, error) {
			return verify(all)
		}},
		{Name: "properties", Share: 0.2, Run: func(ctx context.Context, d time.Duration, tell func(string)) (string, []string, error) {
			return searchBuiltIn(ctx, d, seed, tell)
		}},
	}
	ctx, stop := interruptible(cmd)
	defer stop()
	o.Display = progress.New(s.Err(), s.Live())
	r, err := nightly.Run(ctx, o)
	o.Display.Close()
	if err != nil {
		return err
	}
	r.Seed = seed
	if n.reportDir != "" {
		err = nightlyFolder(n.reportDir, r)
	}
	if wantsJSON(cmd) {
		err = errors.Join(err, s.Line(r))
	} else {
		nightly.Text(s, r)
	}
	if err = errors.Join(err, s.Flush()); err != nil {
		return err
	}
	switch {
	case r.Failed():
		return errFindings
	case r.Interrupted:
		return errors.New("stopped before its time was over")
	}
	return nil
}

// verify judges frozen cases, the check of the night that needs no time.
func verify(all []corpus.Case) (string, []string, error) {
	var findings []string
	for _, d := range corpus.Verify(all) {
		findings = append(findings, d.Error())
	}
	return count.Of(len(all), "case") + ", " + count.Of(len(findings), "disagreement"), findings, nil
}

// nightlyFolder writes the report of a night, and each failing input whole below
// inputs: in a folder by the name of its package and one by that of its target,
// for names of targets are unique within a package only.
func nightlyFolder(dir string, r *nightly.Report) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	files := map[string][]byte{"nightly.json": append(text, '\n'), "summary.md": nightly.Markdown(r)}
	var faults []error
	for _, t := range r.Targets {
		if t.Failure == nil || t.Failure.InputFile == "" {
			continue
		}
		input, err := os.ReadFile(t.Failure.InputFile)
		if err != nil {
			faults = append(faults, fmt.Errorf("save a failing input: %w", err))
			continue
		}
		name := filepath.Join("inputs", filepath.FromSlash(t.Package), t.Target, filepath.Base(t.Failure.InputFile))
		files[name] = input
	}
	return errors.Join(append(faults, report.Files(dir, files))...)
}
