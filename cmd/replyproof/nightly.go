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
	"github.com/replyproof/replyproof/cmd/internal/fuzzing"
	"github.com/replyproof/replyproof/cmd/internal/nightly"
	"github.com/replyproof/replyproof/cmd/internal/progress"
	"github.com/replyproof/replyproof/cmd/internal/report"
	"github.com/replyproof/replyproof/cmd/internal/store"
	"github.com/replyproof/replyproof/corpus"
)

const nightlyLong = `Search for answers that are judged wrongly, for a given time, in the module of
the current directory: verify the corpus, run the properties (every single
fault, then random cases for a share of the time), and give what is left of the
time to the native fuzz targets of the packages.

They get it in rounds. The next round goes to the target that has had the least
time for its weight: 4 for a target that is new, as long as it finds something,
2 for one whose last round found something, 1 for any other. A target that gets
less than 15 seconds starts from its seeds alone, not from the inputs that
earlier nights have kept, and is not seen to hang.

The corpus and the properties judge replyproof's own classifier. Of your module
it is the fuzz targets that run, each function named Fuzz…; what judges answers
in it is judged by check --adapter, or in a test by properties.TestClassifier.

A failure does not end the night. Its input is run again, made as small and plain
as can be, shown to classifier and model, and put into testdata/fuzz of its
package, so that go test fails until it is mended. A further input that fails for
the same reason is counted.

All that is found is kept in the folder --corpus the moment it appears: evolved
inputs, less those that cover nothing of their own, failing inputs, the nights
and their history. Whatever ends a night, --resume goes on with it. Ctrl-C stops
what runs and tells what was found until then.`

const nightlyExample = `  replyproof nightly --for 30m --report-dir report
  replyproof nightly ./fuzz ./parser --for 5m --targets 'FuzzEnvelope|FuzzStream'
  replyproof nightly --for 8h --corpus ~/night
  replyproof nightly --resume --corpus ~/night
  replyproof nightly --list --json`

// nightlyFlags are the flags of nightly.
type nightlyFlags struct {
	length    time.Duration
	corpus    string
	cases     string
	reportDir string
	jobs      int
	targets   string
	resume    bool
	list      bool
}

func newNightly() *cobra.Command {
	var n nightlyFlags
	cmd := &cobra.Command{
		Use: "nightly [PACKAGES]", Short: "Run corpus, properties and fuzz targets for a given time",
		Long: nightlyLong, Example: nightlyExample, Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, other := range []string{"list", "for", "targets", "seed", "cases"} {
				if err := oneOfFlags(cmd, "resume", other); err != nil {
					return err
				}
			}
			return n.run(cmd, args)
		},
	}
	f := cmd.Flags()
	f.DurationVar(&n.length, "for", 30*time.Minute, "time to search, builds not counted")
	f.StringVar(&n.corpus, "corpus", "", "folder for what is found (default one for the module, in the user's cache folder)")
	f.StringVar(&n.cases, "cases", "", "file or folder of cases to verify besides the shipped ones")
	f.StringVar(&n.reportDir, "report-dir", "", "write report.html, summary.md, nightly.json and the failing inputs into this folder")
	f.IntVar(&n.jobs, "jobs", 0, "fuzz workers at once (default one per core)")
	f.StringVar(&n.targets, "targets", "", "only fuzz targets whose name matches this expression")
	f.BoolVar(&n.resume, "resume", false, "go on with the last night, which was cut short")
	f.BoolVar(&n.list, "list", false, "list the fuzz targets and run none")
	seedFlag(cmd)
	return cmd
}

// check refuses what cannot be run.
func (n *nightlyFlags) check(packages []string) error {
	switch {
	case n.length <= 0:
		return fmt.Errorf("--for %s: must be above zero", n.length)
	case n.jobs < 0 || n.jobs > maxJobs:
		return fmt.Errorf("--jobs %d: must be 0, for one per core, to %d", n.jobs, maxJobs)
	case n.resume && len(packages) > 0:
		return errors.New("--resume goes on with the packages of the night that was cut short; name none")
	}
	for _, p := range packages {
		if p == "" || strings.HasPrefix(p, "-") {
			return fmt.Errorf("package %q: must not be empty or begin with a dash", p)
		}
	}
	if _, err := regexp.Compile(n.targets); err != nil {
		return fmt.Errorf("--targets: %w", err)
	}
	return nil
}

func (n *nightlyFlags) run(cmd *cobra.Command, packages []string) error {
	if err := n.check(packages); err != nil {
		return err
	}
	if n.list {
		return n.listTargets(cmd, packages)
	}
	if n.reportDir != "" {
		if err := report.Probe(n.reportDir); err != nil {
			return err
		}
	}
	module, err := fuzzing.Module(cmd.Context(), ".")
	if err != nil {
		return err
	}
	if n.corpus == "" {
		if n.corpus, err = store.Default(module); err != nil {
			return err
		}
	}
	s := screen(cmd)
	kept, err := store.Open(n.corpus)
	if err != nil {
		return err
	}
	defer kept.Close()
	o := nightly.Options{Dir: ".", Store: kept, Resume: n.resume, Jobs: n.jobs, Judge: judgeInChild}
	if n.resume {
		if o.Plan, err = nightly.Pending(kept); err != nil {
			return err
		}
		s.Notef("seed %d, as the night began", o.Plan.Seed)
	} else {
		seed, err := chosenSeed(cmd, s, freshSeed())
		if err != nil {
			return err
		}
		o.Plan = nightly.Plan{Seed: seed, For: n.length, Packages: packages, Targets: n.targets, Cases: n.cases}
	}
	if o.Checks, err = nightChecks(o.Plan); err != nil {
		return err
	}
	if wantsJSON(cmd) {
		o.Event = func(e nightly.Event) { _ = errors.Join(s.Line(e), s.Flush()) }
	}
	ctx, stop := interruptible(cmd)
	defer stop()
	s.Notef("what is found is kept in %s", kept.Path())
	o.Display = progress.New(s.Err(), s.Live())
	r, err := nightly.Run(ctx, o)
	o.Display.Close()
	if r == nil {
		return err
	}
	return n.tell(cmd, r, err)
}

// tell tells what a night came to.
func (n *nightlyFlags) tell(cmd *cobra.Command, r *nightly.Report, err error) error {
	s := screen(cmd)
	if n.reportDir != "" {
		err = errors.Join(err, nightlyFolder(n.reportDir, r))
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
		return errors.New("stopped before its time was over; --resume goes on")
	}
	return nil
}

// nightChecks are the parts of a night besides the fuzz targets.
func nightChecks(plan nightly.Plan) ([]nightly.Check, error) {
	all := corpus.All()
	if plan.Cases != "" {
		own, err := cases.Load([]string{plan.Cases})
		if err != nil {
			return nil, err
		}
		all = append(all, own...)
	}
	return []nightly.Check{
		{Name: "corpus", Run: func(context.Context, time.Duration, func(string)) (string, []string, error) {
			return verify(all)
		}},
		{Name: "properties", Share: 0.2, Run: func(ctx context.Context, d time.Duration, tell func(string)) (string, []string, error) {
			return searchBuiltIn(ctx, d, plan.Seed, tell)
		}},
	}, nil
}

// listTargets lists the fuzz targets, for those who share them out over machines.
func (n *nightlyFlags) listTargets(cmd *cobra.Command, packages []string) error {
	if len(packages) == 0 {
		packages = []string{"./..."}
	}
	found, err := fuzzing.List(cmd.Context(), ".", packages, regexp.MustCompile(n.targets))
	if err != nil {
		return err
	}
	s := screen(cmd)
	for _, t := range found {
		if !wantsJSON(cmd) {
			fmt.Fprintln(s.Out(), t)
		} else if err := s.Line(map[string]string{"package": t.Package, "target": t.Name}); err != nil {
			return err
		}
	}
	return s.Flush()
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
	page, err := nightly.Page(r)
	if err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	files := map[string][]byte{"nightly.json": append(text, '\n'), "summary.md": nightly.Markdown(r), "report.html": page}
	var faults []error
	for _, t := range r.Targets {
		for _, f := range t.Failures {
			if f.InputFile == "" {
				continue
			}
			input, err := os.ReadFile(f.InputFile)
			if err != nil {
				faults = append(faults, fmt.Errorf("save a failing input: %w", err))
				continue
			}
			name := filepath.Join("inputs", filepath.FromSlash(t.Package), t.Target, filepath.Base(f.InputFile))
			files[name] = input
			if f.Verdicts != nil && len(f.Verdicts.Case) > 0 {
				if files[name+".case.json"], err = f.Verdicts.CaseFile(); err != nil {
					delete(files, name+".case.json")
					faults = append(faults, err)
				}
			}
		}
	}
	return errors.Join(append(faults, report.Files(dir, files))...)
}
