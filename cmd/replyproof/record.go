package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/cmd/internal/count"
	"github.com/replyproof/replyproof/cmd/internal/proxy"
	"github.com/replyproof/replyproof/cmd/internal/terminal"
	"github.com/replyproof/replyproof/cmd/internal/visible"
	"github.com/replyproof/replyproof/cmd/internal/words"
)

const recordLong = `Stand between a client and an MCP server, pass everything on, and write a record
of each exchange: request, answer, verdict, how often the call was sent, and who
sent it again. Point the client at the URL that is printed first, in place of the
server's. The records are JSON lines, the form record of classify and corpus add;
a replay of them gives the same verdicts. Ctrl-C ends it.

Nothing is held up: each event of a stream goes on when it comes. No request is
sent a second time. Where the server gives no answer the client gets a 502 of the
proxy's own, with the header Replyproof-Record, and the record says that there was
none, and why. At the end what is under way is cut: a call that has no answer by
then gets none, not even a 502. The proxy listens on 127.0.0.1 only, and refuses
with a 403 what a page of another host asks (header Origin).

With --out the records are added to a file that only you can read, each with one
write once its exchange is over; without, they go to standard output after the
first line. A process that is killed (kill -9) tells nothing more: the exchanges
under way and those just over are lost, the records before them stay, and the last
line may be half a record. classify judges the whole ones, names the half, and
ends with status 2; the next record with that --out takes the half away, says so,
and goes on with the file.

Header fields that may hold secrets, keys, tokens, cookies, the values of queries,
user names in URLs, members with the names of secrets, addresses of e-mail and
numbers of cards and accounts are taken out before anything is written, unless
--keep-secrets asks for them. Names of people and the like cannot be known: treat
a file of records as you treat a log.

--inject and --inject-rate make answers to tools/call fail on the way: the server
answers the call, and the client is given another answer in place of that, which
the record tells. --inject gives the answer of a recipe (see generate --help), of
several in turn; --inject-rate chooses that share of the calls, with random
recipes if none is named. Which calls are chosen follows from --seed.`

const recordExample = `  replyproof record --upstream https://example.com/mcp --out session.jsonl
  replyproof classify session.jsonl
  replyproof record --upstream http://127.0.0.1:3000/mcp --inject 'success +status=503'
  replyproof record --upstream http://127.0.0.1:3000/mcp --inject-rate 0.1 --seed 7`

// recordFlags are the flags of record.
type recordFlags struct {
	upstream, listen, out string
	recipes               []string
	rate                  float64
	limit                 int
	keep                  bool
}

func newRecord() *cobra.Command {
	var r recordFlags
	cmd := &cobra.Command{
		Use: "record", Short: "Record what passes between a client and a server",
		Long: recordLong, Example: recordExample, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return r.run(cmd) },
	}
	f := cmd.Flags()
	f.StringVar(&r.upstream, "upstream", "", "URL of the MCP server")
	f.StringVar(&r.listen, "listen", "127.0.0.1:0", "host and port; only 127.0.0.1 is listened on, port 0 is any that is free")
	f.StringVar(&r.out, "out", "", "add the records to this file (default standard output)")
	f.StringArrayVar(&r.recipes, "inject", nil, "give calls the answer of this recipe")
	f.Float64Var(&r.rate, "inject-rate", 1, "the share of calls whose answers fail, above 0 to 1")
	f.IntVar(&r.limit, "body-limit", 1<<20, "longest body in bytes that is kept whole; of a longer one digest and beginning are")
	f.BoolVar(&r.keep, "keep-secrets", false, "keep secrets and personal data in the records")
	seedFlag(cmd)
	_ = cmd.MarkFlagRequired("upstream")
	return cmd
}

func (r *recordFlags) run(cmd *cobra.Command) (err error) {
	if r.limit < 1 {
		return fmt.Errorf("--body-limit %d: must be at least 1 byte", r.limit)
	}
	s := screen(cmd)
	injector, err := r.injector(cmd, s)
	if err != nil {
		return err
	}
	out, closeOut, err := r.open(cmd, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeOut()) }()
	view := &recordView{screen: s, live: s.Live()}
	journal := proxy.NewJournal(out, capture.LineOptions{BodyLimit: r.limit, Raw: r.keep}, view.add)
	defer journal.Close() // what it tells is asked for below, once there is something
	p, err := proxy.New(proxy.Options{Upstream: r.upstream, Journal: journal, Injector: injector, Note: s.Notef})
	if err != nil {
		return fmt.Errorf("--upstream: %w", err)
	}
	listener, err := proxy.Listen(r.listen)
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	ctx, stop := interruptible(cmd)
	defer stop()
	fmt.Fprintf(s.Out(), "listening %s\n", p.URL(listener))
	if err := s.Flush(); err != nil {
		return errors.Join(err, listener.Close())
	}
	if r.keep {
		s.Notef("secrets and personal data are kept in the records")
	}
	err = p.Serve(ctx, listener)
	_, lost := journal.Close()
	return errors.Join(err, lost, view.end(r.out, wantsJSON(cmd)))
}

// injector is what makes answers fail; nil if none are to.
func (r *recordFlags) injector(cmd *cobra.Command, s *terminal.Screen) (*proxy.Injector, error) {
	recipes, err := parseRecipes(r.recipes)
	if err != nil {
		return nil, fmt.Errorf("--inject: %w", errors.Unwrap(err))
	}
	if len(recipes) == 0 && !cmd.Flags().Changed("inject-rate") {
		if cmd.Flags().Changed("seed") {
			return nil, errors.New("--seed: is of use with --inject-rate only")
		}
		return nil, nil
	}
	seed, err := chosenSeed(cmd, s, freshSeed())
	if err != nil {
		return nil, err
	}
	injector, err := proxy.NewInjector(recipes, r.rate, seed)
	if err != nil {
		return nil, fmt.Errorf("--inject, --inject-rate: %w", err)
	}
	return injector, nil
}

// open is where the records go.
func (r *recordFlags) open(cmd *cobra.Command, s *terminal.Screen) (io.Writer, func() error, error) {
	if r.out == "" {
		return cmd.OutOrStdout(), func() error { return nil }, nil
	}
	file, torn, err := proxy.OpenFile(r.out)
	if err != nil {
		return nil, nil, fmt.Errorf("--out: %w", err)
	}
	if torn > 0 {
		s.Notef("%s ended in half a record (%d bytes), which was taken away", r.out, torn)
	}
	return file, file.Close, nil
}

// recordView tells what is recorded: each exchange where somebody looks on, and
// what it all came to.
type recordView struct {
	screen   *terminal.Screen
	live     bool
	tally    tally
	repeats  repeats
	injected int
}

func (v *recordView) add(j *capture.Judged) {
	v.tally.add(j)
	v.repeats.add(j)
	injected := j.Proxied != nil && j.Proxied.Injected != ""
	if injected {
		v.injected++
	}
	if !v.live {
		return
	}
	status, outcome := "no answer", "not judged"
	if j.Answer != nil {
		status = fmt.Sprint(j.Answer.Status)
	}
	if j.Why == "" {
		outcome = j.Verdict.Outcome.String()
	}
	more := ""
	if injected {
		more += "; injected"
	}
	if j.Step.Evidence != "" {
		more += "; " + j.Step.Evidence
	}
	fmt.Fprintf(v.screen.Err(), "%5s  %-9s  %-23s  %8s  %s%s\n", j.ID, status, outcome, j.Duration.Round(100*time.Microsecond), visible.Text(capture.CleanText(j.RPC.Describe())), visible.Text(more))
}

// recordSummary is what a recording came to, for machines.
type recordSummary struct {
	Records  int            `json:"records"`
	File     string         `json:"file"`
	Calls    map[string]int `json:"calls"` // POSTs of tools/call by outcome
	Repeated int            `json:"repeated"`
	Injected int            `json:"injected"`
}

// end tells it: on standard output, or beside the records that went there.
func (v *recordView) end(file string, asJSON bool) error {
	text := v.tally.String()
	switch {
	case v.tally.exchanges == 0:
		text += ": nothing was sent to the proxy's URL"
	case v.injected > 0:
		text += "; " + count.Of(v.injected, "answer") + " injected"
	}
	switch {
	case file == "":
		v.screen.Notef("%s", text)
		return nil
	case asJSON:
		line := recordSummary{Records: v.tally.exchanges, File: file, Calls: map[string]int{}, Injected: v.injected}
		for outcome, n := range v.tally.calls {
			line.Calls[outcome.String()] = n
		}
		for _, posts := range v.repeats.calls {
			line.Repeated += len(posts) - 1
		}
		return errors.Join(v.screen.Line(line), v.screen.Flush())
	case v.tally.exchanges > 0:
		v.repeats.show(v.screen)
		text += "\nreplyproof classify " + words.Quote(file) + " tells more"
	}
	fmt.Fprintln(v.screen.Out(), text)
	return v.screen.Flush()
}
