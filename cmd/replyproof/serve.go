package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	_ "github.com/replyproof/replyproof/classifier/codings" // br and zstd
	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/cmd/internal/console"
	"github.com/replyproof/replyproof/cmd/internal/count"
	"github.com/replyproof/replyproof/cmd/internal/proxy"
	"github.com/replyproof/replyproof/cmd/internal/scenario"
	"github.com/replyproof/replyproof/cmd/internal/terminal"
)

const serveLong = `Serve MCP on 127.0.0.1 and misbehave as a scenario says, to see what a client
makes of it. The first line on standard output is "listening URL"; a line for each
exchange follows, with --json its record. The page at the root of the same address
shows them as they come, and lets another scenario be chosen. Most scenarios offer
one tool, run_configured_test_scenario, with an optional argument message.

A line begins with the time at which the exchange began, and with its session: s1,
s2 for those that initialize began, n1 for all POSTs without one.

--list names the scenarios with their settings. --scenario also takes case:ID for
a case of the corpus and recipe:TEXT for a recipe; --faults a,b is the recipe of a
success with these faults; --sequence reads answers in turn from a YAML file, with
loops and "fail the first n, then pass one":

  count: calls            # or posts: every POST takes a step
  steps:
    - status: 503
      times: 2
    - fail_first: 2
      with: {scenario: errors.rate_limit, settings: {seconds: 1}}
    - repeat: 3
      steps:
        - case: article/tool-is-error
        - recipe: success +status=503
        - pass
  then: pass              # or last, or again

A choice is for each session that begins after it, or, in revision 2026-07-28,
which has none, for each POST after it.

--transcript writes each exchange as a record, one JSON object a line, as soon as
it is over, to a file that only you can read, in place of the records of another
time; classify reads them. Secrets and
personal data are taken out first, as record --help tells, unless --keep-secrets
asks for them. --expect reads from a YAML file what the client should do, and the
exit status is 1 if it did not, or if no call came where none of calls, posts and
outcomes is given:

  calls: 1                  # however often each was sent; or 1..3
  posts: 2                  # POSTs of tools/call in all
  posts_per_call: 1..2
  fresh_ids: true
  echo_request_state: true  # requests for input came, and are answered with their state
  no_repetition: true
  outcomes: [HTTP_ERROR, TOOL_SUCCESS]

Two POSTs with the same tool and arguments are one call, sent again, unless the first
went well or is still under way: give calls that are to count as two another message.

Ctrl-C ends it, or --for. The exit status is 2 if something could not be read,
listened on or written.`

const serveExample = `  replyproof serve --list
  replyproof serve --scenario errors.http_status_sequence --settings '{"statusCodes":[503,200]}' --for 1s
  replyproof serve --scenario case:article/tool-is-error --transcript seen.jsonl --for 1s
  replyproof serve --faults id-absent --for 1s
  replyproof serve --sequence testdata/flaky.yaml --expect testdata/once.yaml`

// serving is what serve was asked for.
type serving struct {
	name, settings, faults, sequence string
	listen, transcript, expect       string
	stateless, list, keep            bool
	for_                             time.Duration
}

func newServe() *cobra.Command {
	var o serving
	cmd := &cobra.Command{
		Use:     "serve",
		Short:   "Serve MCP and misbehave on demand",
		Long:    serveLong,
		Example: serveExample,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOfFlags(cmd, "scenario", "faults", "sequence"); err != nil {
				return err
			}
			if o.list {
				return listScenarios(cmd)
			}
			return o.serve(cmd)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.name, "scenario", "baseline", "scenario, case:ID or recipe:TEXT")
	f.StringVar(&o.settings, "settings", "", "settings of the scenario, a JSON object")
	f.StringVar(&o.faults, "faults", "", "faults of a success, with commas between, in place of a scenario")
	f.StringVar(&o.sequence, "sequence", "", "YAML file with answers in turn, in place of a scenario")
	f.StringVar(&o.listen, "listen", "127.0.0.1:0", "host and port; only this machine is served")
	f.StringVar(&o.transcript, "transcript", "", "write each exchange to this file, one JSON object a line")
	f.BoolVar(&o.keep, "keep-secrets", false, "keep secrets and personal data in the records")
	f.StringVar(&o.expect, "expect", "", "YAML file with what the client should do")
	f.BoolVar(&o.stateless, "stateless", false, "give no sessions, not even to clients of older revisions")
	f.DurationVar(&o.for_, "for", 0, "end after this long; 0 is never")
	f.BoolVar(&o.list, "list", false, "list the scenarios with their settings, and end")
	return cmd
}

// choice is the scenario that the flags describe.
func (o *serving) choice() (*scenario.Choice, error) {
	switch {
	case o.sequence != "":
		if o.settings != "" {
			return nil, errors.New("--settings: a sequence has none; each of its steps has its own")
		}
		text, err := os.ReadFile(o.sequence)
		if err != nil {
			return nil, fmt.Errorf("--sequence: %w", err)
		}
		return scenario.Sequence(o.sequence, text)
	case o.faults != "":
		choice, err := scenario.Choose("recipe:"+scenario.Faults(o.faults), []byte(o.settings))
		if err != nil {
			return nil, fmt.Errorf("--faults: %w", helpful(err))
		}
		return choice, nil
	}
	choice, err := scenario.Choose(o.name, []byte(o.settings))
	if err != nil {
		return nil, fmt.Errorf("--scenario: %w", helpful(err))
	}
	return choice, nil
}

func (o *serving) serve(cmd *cobra.Command) (err error) {
	choice, err := o.choice()
	if err != nil {
		return err
	}
	if o.for_ < 0 {
		return fmt.Errorf("--for %s: must not be negative", o.for_)
	}
	out := screen(cmd)
	w := watcher{screen: out, json: wantsJSON(cmd), options: capture.LineOptions{BodyLimit: 1 << 20, Raw: o.keep}}
	if o.expect != "" {
		text, err := os.ReadFile(o.expect)
		if err != nil {
			return fmt.Errorf("--expect: %w", err)
		}
		if w.expect, err = scenario.ReadExpectation(o.expect, text); err != nil {
			return err
		}
	}
	if o.transcript != "" {
		file, _, err := proxy.OpenFile(o.transcript)
		if err != nil {
			return fmt.Errorf("--transcript: %w", err)
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		w.transcript = file
	}
	ctx, stop := interruptible(cmd)
	defer stop()
	if o.for_ > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.for_)
		defer cancel()
	}
	if o.keep {
		w.note("secrets and personal data are kept in the records")
	}
	w.lines = newLines(out)
	shown := console.New()
	server, err := scenario.Serve(choice, scenario.Options{
		Listen: o.listen, Stateless: o.stateless, Listening: w.listening(choice), Pages: shown, Began: shown.Began,
		Done: func(x *scenario.Exchange) {
			w.done(x)
			shown.Done(x)
		},
		Refused: func(status int, why string) { w.note("a request was refused with %d: %s", status, why) },
	})
	if err != nil {
		return errors.Join(fmt.Errorf("--listen %s: %w", o.listen, err), w.lines.close())
	}
	shown.Attach(server)
	<-ctx.Done()
	err = server.Close() // after it nothing is added any more
	w.fail(w.lines.close())
	w.note("%s", count.Of(w.count, "exchange"))
	if w.failed != nil {
		return errors.Join(err, w.failed)
	}
	if w.expect != nil {
		if wrong := w.expect.Err(); wrong != nil {
			return errors.Join(err, &statusError{status: statusFindings, err: wrong})
		}
		w.note("all was as %s expects", o.expect)
	}
	return err
}

// watcher tells exchanges as they come; its methods are called one at a time.
type watcher struct {
	screen     *terminal.Screen
	lines      *lines
	json       bool
	transcript *proxy.File // nil for none
	options    capture.LineOptions
	expect     *scenario.Expectation // nil for none
	count      int
	line       []byte
	failed     error // the first failure to write
}

func (w *watcher) note(format string, args ...any) { w.screen.Notef(format, args...) }

func (w *watcher) fail(err error) {
	if err != nil && w.failed == nil {
		w.failed = err
		w.note("%v; what comes now is lost", err)
	}
}

// listening is told before anything else. Only now are the records of a transcript
// before this one taken away: a server that cannot listen has nothing in their place.
func (w *watcher) listening(choice *scenario.Choice) func(url string) {
	return func(url string) {
		if w.transcript != nil {
			if err := w.transcript.Restart(); err != nil {
				w.fail(fmt.Errorf("begin the transcript: %w", err))
			}
		}
		w.say("listening " + url)
		w.note("scenario %s %s: %s", choice.Name, cmp.Or(string(choice.Settings), "{}"), choice.Doc)
	}
}

// say writes one line at once, or as soon as somebody reads.
func (w *watcher) say(text string) { w.fail(w.lines.say(text)) }

func (w *watcher) done(x *scenario.Exchange) {
	w.count++
	if w.expect != nil {
		w.expect.Add(x)
	}
	var err error
	if w.transcript != nil || w.json {
		if w.line, err = capture.AppendLine(w.line[:0], x.Judged, w.options); err != nil {
			w.fail(err)
			return
		}
	}
	if w.transcript != nil {
		if _, err := w.transcript.Write(w.line); err != nil {
			w.fail(fmt.Errorf("write the transcript: %w", err))
		}
	}
	if w.json {
		w.say(string(w.line[:len(w.line)-1]))
		return
	}
	w.say(x.Line())
}

// listScenarios tells every scenario with its settings.
func listScenarios(cmd *cobra.Command) error {
	s := screen(cmd)
	for _, one := range scenario.Table() {
		if wantsJSON(cmd) {
			settings := []map[string]any{}
			for _, set := range one.Settings() {
				settings = append(settings, map[string]any{"name": set.Name, "default": set.Default, "doc": set.Doc})
			}
			if err := s.Line(map[string]any{"name": one.Name, "doc": one.Doc, "settings": settings}); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(s.Out(), "%s\n", s.Bold(one.Name))
		for _, line := range s.Wrap(2, one.Doc) {
			fmt.Fprintf(s.Out(), "  %s\n", line)
		}
		for _, set := range one.Settings() {
			for i, line := range s.Wrap(6, fmt.Sprintf("%s = %s: %s", set.Name, set.Default, set.Doc)) {
				fmt.Fprintf(s.Out(), "    %s%s\n", map[bool]string{true: "  "}[i > 0], line)
			}
		}
	}
	return s.Flush()
}
