package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"time"

	"github.com/gofrs/flock"
	"github.com/spf13/cobra"

	"github.com/replyproof/replyproof/cmd/internal/count"
	"github.com/replyproof/replyproof/cmd/internal/progress"
	"github.com/replyproof/replyproof/cmd/internal/report"
	"github.com/replyproof/replyproof/cmd/internal/terminal"
	"github.com/replyproof/replyproof/cmd/internal/words"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/runner"
	"github.com/replyproof/replyproof/properties/subject"
)

const checkLong = `Give a subject many answers whose verdict is known, and tell every deviation in
its plainest form. A subject is a program that speaks JSON lines on standard
input and output (--adapter), started once and asked case by case:

  → {"replyproof":1,"cmd":"start","deadline_ms":500}
  ← {"ready":true,"name":"mine","kind":"classifier","tells":["SUCCESS","RPC_ERROR","ERROR"]}
  → {"seq":1,"case":{"request_id":1,"status":200,"headers":{…},"body":"…"}}
  ← {"seq":1,"saw":"RPC_ERROR","code":-32602,"status":200}

Of kind "client" it makes a call itself, which a server on 127.0.0.1 answers with
the case, and tells what came of it:

  → {"seq":1,"url":"http://127.0.0.1:40123/mcp","tool":"synthetic","arguments":{"case":"c1"}}
  ← {"seq":1,"saw":"RPC_ERROR","code":-32602,"status":200,"alive":true}

A client that follows the convention of the official conformance suite needs no
adapter (--client): it is started for each case with the server's URL as its last
argument, and MCP_CONFORMANCE_SCENARIO and MCP_CONFORMANCE_PROTOCOL_VERSION in its
environment. Its exit status, its time and its POSTs are what can be seen of it.

Without either it is the built-in classifier that is judged: by construction,
by the relations that need no expected value, and by the model, a second judge
that shares no code with it.

The cases: corpus (shipped), singles (every fault alone), pairs (every two
faults that go together), cuts (short answers cut and split at every byte),
triples (every three faults that go together, several in one answer), random (-n
of them, or until --for is over), and your own: any other word is a file or a
folder, of corpus files or JSON lines, as corpus add and corpus import write them.
Its cases have ids that no shipped case has. What is right of a case is what it
expects and what it names also_acceptable; where it expects nothing, what the
classifier says of it. With --case or --recipe your files and folders say only
where --case finds its cases.

A client of --client starts anew for each case, and again for each deviation.
Reckon with about a second a case for a program in Node, --jobs of them at once:
the corpus takes many minutes. For a first look take a few --case, a file of your
own, or --for 2m. An adapter is started once, and takes milliseconds a case.

A client can be searched for a whole night: --for 8h --report-dir DIR plays the
corpus, the singles and the pairs, and then rounds of random recipes, each drawn
by what those before found, until the time is over. --evolved DIR plays besides
what the fuzz targets came to: the folder of a night's --corpus, or a
testdata/fuzz of theirs. Of such an answer it is judged whether a failure is told
as one, and a plain result as what it is. Deviations of one cause are counted,
not kept. The folder has a journal, journal.json: whatever ends the run, a kill
-9 included, the same line with --resume goes on where it was, with all that was
found, until the time of --for is used up in all. One run at a time has the folder.

--update-baseline writes what deviates into the file of --baseline: cases of the
corpus by their ids, generated ones by the plainest recipe that was seen. It tells
their numbers; each is in the report of --report-dir, if there is one. From then on a run with --baseline fails for what is new alone, and for an entry that
no longer deviates. The recipes of a baseline are run in every run, and each
excuses what has everything unusual of it and deviates in the same way. With
--baseline the seed is 1 if --seed gives no other, so that two runs do the same;
name the same --cases for both. * in an entry's case stands for any text, and
"until" gives it a last day.`

const checkExample = `  replyproof check
  replyproof check --adapter "python3 my_client.py" --report-dir report
  replyproof check --client "npx tsx client.ts" --cases corpus --for 2m
  replyproof check --adapter ./mine --cases my-cases/,corpus
  replyproof check --adapter ./mine --cases my-cases/ --case met/id-mismatch
  replyproof check --adapter ./mine --recipe 'success +status=503'
  replyproof check --adapter ./mine --baseline known.json --update-baseline
  replyproof check --adapter ./mine --baseline known.json
  replyproof check --adapter ./mine --for 8h --evolved ~/night --report-dir report
  replyproof check --adapter ./mine --for 8h --evolved ~/night --report-dir report --resume`

// checkFlags are the flags of check.
type checkFlags struct {
	adapter   string
	client    string
	scenario  string
	protocol  string
	sets      []string
	ids       []string
	recipes   []string
	number    int
	length    time.Duration
	deadline  time.Duration
	starting  time.Duration
	severity  string
	maxCauses int
	jobs      int
	baseline  string
	update    bool
	reportDir string
	evolved   []string
	resume    bool

	paths []string            // of --cases: files and folders of the user's own
	own   []corpus.Case       // what is in them, and the evolved ones
	made  []generators.Recipe // that evolved
	known *runner.Baseline    // as it was before the run; nil if there is none
	seeds map[string]uint64   // of the built-in classifier's causes, by what was seen
	lock  *flock.Flock        // of the report folder, while the run is at work there
	kept  bool                // a journal of this run is in it

	reported bool // the report is in its folder
}

func newCheck() *cobra.Command {
	var c checkFlags
	cmd := &cobra.Command{
		Use: "check", Short: "Judge a subject, or the built-in classifier", Long: checkLong, Example: checkExample,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.run(cmd) },
	}
	f := cmd.Flags()
	f.StringVar(&c.adapter, "adapter", "", "command that starts the adapter; words may be quoted")
	f.StringVar(&c.client, "client", "", "command of a client that is started for each case, with the server's URL as its last argument")
	f.StringVar(&c.scenario, "scenario", "tools_call", "MCP_CONFORMANCE_SCENARIO of a --client")
	f.StringVar(&c.protocol, "protocol-version", "2026-07-28", "MCP_CONFORMANCE_PROTOCOL_VERSION of a --client")
	f.StringSliceVar(&c.sets, "cases", nil, "sets of cases: corpus, singles, pairs, cuts, triples, random, and files and folders of your own (default all sets but triples, for an adapter also without cuts, and without pairs but with --for)")
	f.StringArrayVar(&c.ids, "case", nil, "run only this case, a shipped one or one of your own in --cases; may be repeated")
	f.StringArrayVar(&c.recipes, "recipe", nil, "run only this recipe; may be repeated")
	f.IntVarP(&c.number, "number", "n", 0, "how many random cases (default 1000 for an adapter, 100000 without; with --for as many as the time allows)")
	f.DurationVar(&c.length, "for", 0, "run for this time, such as 90s; without -n random cases fill what the other sets leave of it")
	f.DurationVar(&c.starting, "start-timeout", usualStart, "time in which an adapter must be ready")
	f.DurationVar(&c.deadline, "deadline", usualDeadline, "time that a case may take; the adapter is told")
	f.StringVar(&c.severity, "severity", "minor", "least severity that counts: minor, major, critical")
	f.IntVar(&c.maxCauses, "max-deviations", 50, "how many causes are told; more are only counted; with --for 500")
	f.IntVar(&c.jobs, "jobs", min(runtime.GOMAXPROCS(0), 4), "how many are asked at once")
	f.StringVar(&c.baseline, "baseline", "", "file of known deviations; a new one fails, and so does an entry that no longer deviates")
	f.BoolVar(&c.update, "update-baseline", false, "rewrite the baseline after the run and keep its reasons")
	f.StringVar(&c.reportDir, "report-dir", "", "write report.json, report.html, junit.xml and summary.md into this folder")
	f.StringArrayVar(&c.evolved, "evolved", nil, "play the inputs of the fuzz targets in this folder too, such as that of nightly --corpus; may be repeated")
	f.BoolVar(&c.resume, "resume", false, "go on with the run that was stopped in --report-dir; begin where there is none")
	seedFlag(cmd)
	_ = cmd.RegisterFlagCompletionFunc("cases", completeSets)
	_ = cmd.RegisterFlagCompletionFunc("case", c.completeIDs)
	return cmd
}

// usualDeadline is enough for a quick client or classifier; many cases are of a
// server that falls silent, and take all of it.
const usualDeadline = 500 * time.Millisecond

// usualStart is what an adapter has to be ready.
const usualStart = 10 * time.Second

// usualRun is the time of a client that starts, connects and calls.
const usualRun = 10 * time.Second

// maxJobs is more than any machine gains by; each job is a process.
const maxJobs = 256

// check refuses values that make no sense.
func (c *checkFlags) check() error {
	switch {
	case c.number < 0:
		return fmt.Errorf("-n %d: must not be negative", c.number)
	case c.length < 0:
		return fmt.Errorf("--for %s: must not be negative", c.length)
	case c.starting <= 0:
		return fmt.Errorf("--start-timeout %s: must be above zero", c.starting)
	case c.deadline <= 0:
		return fmt.Errorf("--deadline %s: must be above zero", c.deadline)
	case c.maxCauses < 1:
		return fmt.Errorf("--max-deviations %d: must be at least 1", c.maxCauses)
	case c.jobs < 1 || c.jobs > maxJobs:
		return fmt.Errorf("--jobs %d: must be 1 to %d", c.jobs, maxJobs)
	case c.update && c.baseline == "":
		return errors.New("--update-baseline: needs --baseline FILE")
	case c.resume && c.reportDir == "":
		return errors.New("--resume: needs --report-dir DIR, where the run keeps its journal")
	case c.resume && !c.external():
		return errors.New("--resume: needs --adapter or --client; nightly --resume is for the built-in classifier")
	case len(c.evolved) > 0 && !c.external():
		return errors.New("--evolved: needs --adapter or --client; nightly replays them to the built-in classifier")
	case c.adapter != "" && c.client != "":
		return errors.New("--adapter and --client: give one of them")
	case c.baseline != "" && !c.external():
		return errors.New("--baseline: needs --adapter or --client; the built-in classifier has no known deviations")
	}
	return nil
}

func (c *checkFlags) run(cmd *cobra.Command) error {
	if err := c.check(); err != nil {
		return err
	}
	open, err := c.subject()
	if err != nil {
		return err
	}
	if c.client != "" && !cmd.Flags().Changed("deadline") {
		c.deadline = usualRun
	}
	if c.known, err = c.loadBaseline(); err != nil {
		return err
	}
	s := screen(cmd)
	defer c.release()
	j, err := c.loadJournal(s)
	if err != nil {
		return err
	}
	o, err := c.options(cmd, s, j)
	if err != nil {
		return err
	}
	if err := c.probe(); err != nil {
		return err
	}
	if err := c.hold(s); err != nil {
		return err
	}
	if err := c.continued(s, &o, j); err != nil {
		return err
	}
	if !c.external() {
		return c.builtIn(cmd, s, o)
	}
	o.Baseline = c.known
	ctx, stop := interruptible(cmd)
	defer stop()
	display := progress.New(s.Err(), s.Live())
	step := display.Start("check", o.For)
	step.Update(count.Of(0, "case")) // a slow adapter takes its time to be ready
	o.Progress = func(n runner.Counts) {
		step.Update(fmt.Sprintf("%s, %s, %d skipped", count.Of(n.Cases, "case"), count.Of(n.Deviations(), "deviation"), n.Skipped))
	}
	o.Progress(runner.Counts{}) // the first batch of a slow client takes long
	r, err := runner.Run(ctx, open, o)
	step.Done(count.Of(r.Cases, "case"))
	display.Close()
	return c.tell(cmd, s, r, err)
}

// external tells whether the subject is a program of the user's.
func (c *checkFlags) external() bool { return c.adapter != "" || c.client != "" }

// subject gives what makes the subjects that the flags name.
func (c *checkFlags) subject() (func() subject.Subject, error) {
	switch {
	case c.adapter != "":
		command, err := words.Split(c.adapter)
		if err != nil {
			return nil, fmt.Errorf("--adapter: %w", err)
		}
		return func() subject.Subject { return &subject.Process{Command: command, StartTimeout: c.starting} }, nil
	case c.client != "":
		command, err := words.Split(c.client)
		if err != nil {
			return nil, fmt.Errorf("--client: %w", err)
		}
		return func() subject.Subject {
			return &subject.Command{Command: command, Scenario: c.scenario, ProtocolVersion: c.protocol}
		}, nil
	}
	return nil, nil
}

// tell writes what a run found, and how it ended. A run that was stopped and one
// whose adapter broke tell what they found until then, and change no baseline.
func (c *checkFlags) tell(cmd *cobra.Command, s *terminal.Screen, r runner.Result, err error) error {
	broke, stopped := errors.Is(err, subject.ErrBroken), errors.Is(err, context.Canceled)
	switch {
	case broke && r.Cases == 0:
		return broken(err)
	case broke:
		err = broken(err)
	case stopped && r.Cases == 0: // what an earlier run reported stays
		return errors.New("stopped before any case had its turn")
	case stopped:
		err = errors.New("stopped before all cases had their turn")
		if c.kept {
			s.Notef("the same line with --resume goes on with it")
		}
	case err != nil:
		return err
	case r.Cases == r.Skipped:
		for _, line := range report.Skips(r) {
			s.Notef("%s", line)
		}
		return errors.New("no case was judged: what is not observed is not passed")
	}
	if stopped {
		r.Interrupted, r.Complete = true, false
	}
	r.Command = c.command() + c.places()
	update := c.update && !r.Interrupted
	written, unwritten := c.write(&r, update)
	if wantsJSON(cmd) {
		if written != "" {
			s.Notef("%s", written)
		}
		unwritten = errors.Join(unwritten, s.Line(r))
	} else {
		for _, line := range report.Skips(r) {
			s.Notef("%s", line)
		}
		if written != "" {
			report.Accepted(s, r, written)
			if r.Deviations() > 0 && !c.reported {
				s.Notef("with --report-dir DIR a report tells each deviation")
			}
		} else {
			report.Text(s, r, c.reproduce)
		}
	}
	if c.reported {
		s.Notef("written %s", filepath.Join(c.reportDir, "report.html"))
	}
	if r.Unkept > 0 && (written == "" || wantsJSON(cmd) || c.reported) {
		s.Notef("%s; more of them are told with --max-deviations above %d", count.Of(r.Unkept, "deviation", "whose cause is not told"), len(r.Causes))
	}
	unwritten = errors.Join(unwritten, s.Flush())
	switch {
	case broke:
		return &statusError{status: statusBroken, err: errors.Join(unwritten, err)}
	case unwritten != nil:
		return unwritten
	case update:
		return nil
	case r.Failed():
		return errFindings
	}
	return err
}

// write writes the files that are asked for, each even if another cannot be
// written, and tells of a baseline that was.
func (c *checkFlags) write(r *runner.Result, update bool) (baseline string, unwritten error) {
	if update {
		baseline, unwritten = c.writeBaseline(r)
	}
	if c.reportDir != "" {
		err := report.Folder(c.reportDir, *r, c.reproduce)
		c.reported = err == nil
		unwritten = errors.Join(unwritten, err)
	}
	if unwritten == nil {
		unwritten = c.finished(*r)
	}
	return baseline, unwritten
}

// probe tells before the run what could not be written after it.
func (c *checkFlags) probe() error {
	if c.reportDir != "" {
		if err := report.Probe(c.reportDir); err != nil {
			return err
		}
	}
	if c.update {
		return report.ProbeFile(c.baseline)
	}
	return nil
}

// command is the command line of a run without its cases: the subject, and the
// times it has.
func (c *checkFlags) command() string {
	line := "replyproof check"
	usual := usualDeadline
	if c.adapter != "" {
		line += " --adapter " + words.Quote(words.Line(c.adapter))
	}
	if c.client != "" {
		line += " --client " + words.Quote(words.Line(c.client)) + " --scenario " + words.Quote(c.scenario) + " --protocol-version " + words.Quote(c.protocol)
		usual = usualRun
	}
	if c.starting != usualStart {
		line += " --start-timeout " + c.starting.String()
	}
	if c.deadline != usual {
		line += " --deadline " + c.deadline.String()
	}
	return line
}

// reproduce is the command line that shows a cause again.
func (c *checkFlags) reproduce(cause runner.Cause) string {
	line := c.command()
	if seed, ok := c.seeds[cause.Saw.Text]; ok {
		line += fmt.Sprintf(" --seed %d", seed)
	}
	if cause.Recipe != "" {
		return line + " --recipe " + words.Quote(cause.Recipe)
	}
	if c.isOwn(cause.Case.ID) {
		line += c.places()
	}
	return line + " --case " + words.Quote(cause.Case.ID)
}
