package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/cmd/internal/cases"
	"github.com/replyproof/replyproof/cmd/internal/count"
	"github.com/replyproof/replyproof/cmd/internal/explanation"
	"github.com/replyproof/replyproof/cmd/internal/minimal"
	"github.com/replyproof/replyproof/cmd/internal/terminal"
	"github.com/replyproof/replyproof/corpus"
)

const addLong = `Make a case of an answer that was met, and add it to a corpus file. The input is
whatever classify reads. The answer is made as small as it can be judged the same
(--whole keeps it as it came), secrets and personal data are taken out, and it
gets a name. One that says nothing new is refused: its wire form, or what is left
of it when it is made small, is that of a case of the file, or of one that the
project ships.

What is left is judged as the answer was, by the classifier: whether a client that
the answer fooled is still fooled by it, nobody has looked. For a case of such a
deviation give --whole, and try it: replyproof check --adapter CMD --cases FILE.
What check prints as a case has been shrunk through the client, and needs neither.

The verdict of today stands in the case if you confirm it: at the question on a
terminal, or by --yes. --expect corrects it: OUTCOME, or OUTCOME/reason. Work it
out from the rules (replyproof explain), not from what the command says: a case
that repeats a fault protects the fault.

Exit status: 0 added, 1 nothing added since it is there already or was not
confirmed, 2 usage or an input that could not be read.`

type addOptions struct {
	from, id, to, name, why, source, expect string
	pick, tags                              []string
	all, yes, whole, shipped                bool
	limit                                   int64
}

func newCorpusAdd() *cobra.Command {
	var o addOptions
	cmd := &cobra.Command{
		Use:   "add [FILE|-] --to CORPUSFILE",
		Short: "Make a small, clean case of an answer that was met",
		Long:  addLong,
		Example: `  replyproof corpus add session.har --pick 12 --to my-cases/met.json
  curl -sSi https://example.com/mcp -d @call.json | replyproof corpus add --to my-cases/met.json --yes
  replyproof corpus add answer.http --to my-cases/met.json --expect INVALID_ENVELOPE/id-mismatch --name met/stale-id
  replyproof corpus add fooled.http --whole --to my-cases/met.json --yes`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := "-"
			if len(args) > 0 {
				name = args[0]
			}
			return corpusAdd(cmd, name, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.to, "to", "", "corpus file to add to, made with its folder if it is not there; .jsonl for JSON lines")
	f.StringVar(&o.from, "from", string(capture.Auto), "form of the input: "+strings.Join(capture.Forms(), ", "))
	f.StringVar(&o.id, "id", "1", `id of the request, where the input does not tell it; "1" in quotes is a string`)
	f.StringSliceVar(&o.pick, "pick", nil, "id of the exchange to take, as classify lists it; may be repeated")
	f.BoolVar(&o.all, "all", false, "take every exchange that is judged")
	f.StringVar(&o.name, "name", "", "id of the case; one is made from what decided if it is not given")
	f.StringVar(&o.why, "why", "", "why of the case; what decided if it is not given")
	f.StringVar(&o.source, "source", "", "where the answer was met")
	f.StringSliceVar(&o.tags, "tag", nil, "tag of the case; may be repeated")
	f.StringVar(&o.expect, "expect", "", "the right verdict: OUTCOME or OUTCOME/reason")
	f.BoolVar(&o.yes, "yes", false, "confirm the verdict of today")
	f.BoolVar(&o.whole, "whole", false, "keep the answer as it came, secrets taken out: for one that fooled a client")
	f.BoolVar(&o.shipped, "even-if-shipped", false, "add it though the project ships such a case")
	f.Int64Var(&o.limit, "limit", 256, "largest exchange or line in MiB")
	_ = cmd.MarkFlagRequired("to")
	return cmd
}

// adder adds cases to a file.
type adder struct {
	options addOptions
	screen  *terminal.Screen
	file    *cases.File
	json    bool
	ask     *bufio.Reader // nil if nobody can be asked
	expect  *corpus.Expect
	known   map[string][]corpus.Case // by verdict, of the file and those shipped
	wires   map[string]string        // wire key to the id of the case that has it
	added   []corpus.Case
	refused int
	faults  []error
}

func corpusAdd(cmd *cobra.Command, name string, o addOptions) error {
	in, err := inputOf(cmd, name, o.from, o.id, o.limit)
	if err != nil {
		return err
	}
	a := &adder{options: o, screen: screen(cmd), json: wantsJSON(cmd)}
	in.Note = a.screen.Notef
	if o.expect != "" {
		if a.expect, err = parseExpect(o.expect); err != nil {
			return fmt.Errorf("--expect: %w", err)
		}
	}
	if o.name != "" && !corpus.ValidID(o.name) {
		return fmt.Errorf("--name %q: is no id; write small letters, digits and hyphens, a group before the slash", o.name)
	}
	if a.file, err = cases.OpenFile(o.to); err != nil {
		return err
	}
	if o.expect == "" && !o.yes {
		in, ok := cmd.InOrStdin().(*os.File)
		if !ok || name == "-" || !term.IsTerminal(int(in.Fd())) {
			return errors.New("nobody can be asked whether the verdict is right; --yes confirms it, --expect tells the right one")
		}
		a.ask = bufio.NewReader(in)
	}
	file, err := capture.Open(name, cmd.InOrStdin())
	if err != nil {
		return err
	}
	defer file.Close()
	chosen, err := a.choose(in, file)
	if err != nil {
		return errors.Join(append(a.faults, err)...)
	}
	for _, j := range chosen {
		if err := a.take(j); err != nil {
			return errors.Join(append(a.faults, err)...)
		}
	}
	if len(a.added) > 0 {
		if err := a.file.Add(a.added...); err != nil {
			return err
		}
		a.screen.Notef("%s: %s added", o.to, count.Of(len(a.added), "case"))
	}
	if err := errors.Join(append(a.faults, a.screen.Flush())...); err != nil {
		return err
	}
	if len(a.added) == 0 {
		return errFindings
	}
	return nil
}

// choose reads the exchanges that are to become cases.
func (a *adder) choose(in capture.Input, r io.Reader) ([]capture.Judged, error) {
	var chosen []capture.Judged
	var ids []string
	missing := slices.Clone(a.options.pick)
	picked := make(map[string][]string) // by id, where the exchanges that have it are
	var unjudged error                  // of the first that was picked and cannot be a case
	for x, err := range in.Exchanges(r) {
		if err != nil {
			a.faults = append(a.faults, err)
			continue
		}
		wanted := slices.Contains(a.options.pick, x.ID)
		if len(a.options.pick) > 0 && !wanted {
			continue
		}
		missing = slices.DeleteFunc(missing, func(id string) bool { return id == x.ID })
		if wanted && !x.Later {
			if picked[x.ID] = append(picked[x.ID], x.From.String()); len(picked[x.ID]) > 1 {
				continue // refused below, once they are counted
			}
		}
		j := capture.Judge(x)
		j.Settle(capture.Step{Attempt: 1})
		if j.Why != "" {
			if wanted && unjudged == nil {
				unjudged = fmt.Errorf("%s: %s", x.From, j.Why)
			}
			continue
		}
		if ids = append(ids, x.ID); a.options.all || wanted || len(chosen) == 0 {
			chosen = append(chosen, j)
		}
	}
	for _, id := range a.options.pick {
		if from := picked[id]; len(from) > 1 {
			n := len(from)
			if n > 20 {
				from = append(from[:20], "…")
			}
			return nil, fmt.Errorf("--pick %s: %d exchanges have that id (%s); tell them apart by their file or session: give one that holds only the one that is meant", id, n, strings.Join(from, ", "))
		}
	}
	switch {
	case unjudged != nil:
		return nil, unjudged
	case len(missing) > 0:
		return nil, fmt.Errorf("--pick %s: no such exchange; replyproof classify lists them", strings.Join(missing, ","))
	case len(chosen) == 0:
		return nil, fmt.Errorf("%s: holds no answer to a call or a notification", in.Name)
	case len(a.options.pick) == 0 && !a.options.all && len(ids) > 1:
		if len(ids) > 20 {
			ids = append(ids[:20], "…")
		}
		return nil, fmt.Errorf("%s: holds several answers (%s); --pick names one, --all takes all", in.Name, strings.Join(ids, ", "))
	case a.options.name != "" && len(chosen) > 1:
		return nil, errors.New("--name names one case, and several are to be added")
	}
	return chosen, nil
}

// take makes a case of an exchange and keeps it, if it is new and confirmed.
func (a *adder) take(j capture.Judged) error {
	c, err := a.make(j)
	if err != nil && a.options.all {
		a.faults = append(a.faults, err) // the others are taken all the same
		return nil
	}
	if err != nil {
		return err
	}
	if twin := a.twin(c); twin != "" {
		a.refused++
		hint := ""
		if !a.options.shipped && !slices.ContainsFunc(a.file.Cases, func(c corpus.Case) bool { return c.ID == twin }) {
			hint = ", which is shipped; --even-if-shipped adds it all the same"
		}
		a.screen.Notef("%s: not added: it shows what the case %s shows%s", j.From, twin, hint)
		return nil
	}
	v := c.Classify()
	c.ID = a.options.name
	if c.ID == "" {
		c.ID = a.file.Suggest(v, a.taken)
	} else if a.taken(c.ID) {
		return fmt.Errorf("--name %s: there is such a case already; ids are unique", c.ID)
	}
	entry := v.Reason.Entry()
	c.Rule, c.Why, c.Source, c.Tags = entry.Rule, a.options.why, a.options.source, a.options.tags
	if p := j.Proxied; c.Source == "" && p != nil && p.Injected != "" {
		c.Source = "injected by replyproof record: " + p.Injected
	}
	if c.Why == "" {
		c.Why = sentence(entry.Meaning)
	}
	expect, err := a.confirm(c, v, j)
	if err != nil || expect == nil {
		return err
	}
	c.Expect = expect
	if expect.Outcome == v.Outcome && expect.Reason == v.Reason.String() {
		c.AlsoAcceptable = cases.Acceptable(c, v)
	}
	if err := c.Check(); err != nil {
		return err
	}
	a.remember(c)
	a.added = append(a.added, c)
	return a.tell(c, j)
}

// make is the case of an exchange: small, and without secrets.
func (a *adder) make(j capture.Judged) (corpus.Case, error) {
	c, err := j.Case()
	if err != nil {
		return c, err
	}
	before := minimal.Key(c)
	if !a.options.whole {
		small, report := minimal.Minimize(c)
		if c = small; report.GaveUp {
			a.screen.Notef("%s: %s", j.From, report)
		}
	}
	x := capture.FromCase(c)
	x.From, x.Request = j.From, j.Request // whose secrets the answer may repeat
	x = capture.Sanitized(x)
	if x.Answer != nil && x.Answer.BodyUnknown {
		return c, fmt.Errorf("%s: secrets or personal data cannot be taken out of the body without changing its verdict, so no case is made of it", j.From)
	}
	clean, err := x.Case()
	if err != nil {
		return c, err
	}
	clean.Headers = tidy(clean.Headers, c.Headers)
	if len(clean.Body) == 0 {
		clean.Body = nil
	}
	if after := minimal.Key(clean); after != before {
		return c, fmt.Errorf("%s: secrets or personal data cannot be taken out without changing the verdict (%s became %s), so no case is made of it", j.From, before, after)
	}
	if was, is := c.Classify().SyntaxOffset, clean.Classify().SyntaxOffset; was != is {
		a.screen.Notef("%s: with its secrets taken out the body goes wrong at byte %d; it did at byte %d, in the same way", j.From, is, was)
	}
	return clean, nil
}

// sentence makes a sentence of a meaning; a member's name at its beginning stays
// as it is.
func sentence(meaning string) string {
	word, _, _ := strings.Cut(meaning, " ")
	if strings.ToLower(word) == word {
		meaning = strings.ToUpper(meaning[:1]) + meaning[1:]
	}
	return meaning + "."
}

// tidy leaves the header fields nil where they were.
func tidy(clean, before corpus.Headers) corpus.Headers {
	if len(clean) == 0 {
		return before[:0:0]
	}
	return clean
}

// parseExpect reads OUTCOME or OUTCOME/reason.
func parseExpect(text string) (*corpus.Expect, error) {
	outcome, reason, _ := strings.Cut(text, "/")
	var e corpus.Expect
	if err := e.Outcome.UnmarshalText([]byte(strings.ToUpper(strings.TrimSpace(outcome)))); err != nil {
		var names []string
		for _, o := range classifier.Outcomes() {
			names = append(names, o.String())
		}
		if near := explanation.Closest(strings.TrimSpace(outcome), names); len(near) > 0 {
			return nil, fmt.Errorf("unknown outcome %.40q; did you mean %s?", outcome, strings.Join(near, " or "))
		}
		return nil, err
	}
	e.Layer = e.Outcome.Layer()
	e.Reason = strings.TrimSpace(reason)
	if e.Reason != "" && !slices.ContainsFunc(classifier.Reasons(), func(r classifier.Entry) bool { return r.Name == e.Reason }) {
		var names []string
		for _, r := range classifier.Reasons() {
			names = append(names, r.Name)
		}
		if near := explanation.Closest(e.Reason, names); len(near) > 0 {
			return nil, fmt.Errorf("%.40q is no reason; did you mean %s?", e.Reason, strings.Join(near, " or "))
		}
		return nil, fmt.Errorf("%.40q is no reason; the reasons are %s", e.Reason, strings.Join(names, ", "))
	}
	return &e, nil
}
