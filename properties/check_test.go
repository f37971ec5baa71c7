package properties_test

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/replyproof/replyproof/classifier"
	_ "github.com/replyproof/replyproof/classifier/codings"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties"
	"github.com/replyproof/replyproof/properties/broken"
	"github.com/replyproof/replyproof/properties/runner"
)

// fed is the reference fed in pieces, where the body is a plain event stream.
func fed(call classifier.Call, a classifier.Answer, splits []int) classifier.Verdict {
	if a.Header.Get("Content-Type") != "text/event-stream" || a.Header.Get("Content-Encoding") != "" {
		return classifier.Classify(call, a)
	}
	s := classifier.NewStream(call)
	from := 0
	for _, to := range append(splits, len(a.Body)) {
		if _, err := s.Write(a.Body[from:to]); err != nil {
			break
		}
		from = to
	}
	return s.Close(a.Ended)
}

// The reference breaks nothing, by the law itself, and no property passes for
// want of cases.
func TestReference(t *testing.T) {
	tally := properties.Tally{}
	properties.TestClassifier(t, classifier.Classify, properties.Strict(), properties.Tallied(tally), properties.Stream(fed),
		properties.Notifications(classifier.ClassifyNotification), properties.NoAnswers(classifier.ClassifyNoAnswer))
	for _, p := range properties.All() {
		if n := tally[p.Name]; n.Times-n.Skipped < 300 {
			t.Errorf("%s had something to say of %d cases of %d, want 300", p.Name, n.Times-n.Skipped, n.Times)
		}
	}
}

// Every broken judge that is in the table dies; those that say nothing but what
// a third party may say die by the law itself.
func TestBrokenJudgesDie(t *testing.T) {
	t.Parallel()
	for _, judge := range broken.All() {
		options := []properties.Option{properties.First(), properties.Notifications(judge.Notification),
			properties.NoAnswers(judge.NoAnswer), properties.Only(properties.ByConstruction), properties.Cases(100000)}
		if judge.Tolerated {
			options = append(options, properties.Strict())
		}
		if err := properties.CheckClassifier(judge.Classify, options...); !failed(err) {
			t.Errorf("%s survives: %s (%v)", judge.Name, judge.Doc, err)
		}
	}
}

func failed(err error) bool {
	var f *properties.Failures
	return errors.As(err, &f)
}

// odd are judges with faults that the table of broken judges has no place for:
// of the function and not of its rules.
var odd = map[string]properties.Judge{
	"foreign-headers": func(call classifier.Call, a classifier.Answer) classifier.Verdict {
		if a.Header.Get("Retry-After") != "" {
			a.Status = http.StatusServiceUnavailable
		}
		return classifier.Classify(call, a)
	},
	"layer": func(call classifier.Call, a classifier.Answer) classifier.Verdict {
		v := classifier.Classify(call, a)
		if v.Outcome == classifier.InvalidToolResult {
			v.Layer = classifier.Application
		}
		return v
	},
	"input-kept": func(call classifier.Call, a classifier.Answer) classifier.Verdict {
		v := classifier.Classify(call, a)
		copy(a.Body, bytes.TrimSpace(a.Body))
		return v
	},
	"member-order": func(call classifier.Call, a classifier.Answer) classifier.Verdict {
		v := classifier.Classify(call, a)
		if id := bytes.Index(a.Body, []byte(`"id"`)); v.Outcome == classifier.ToolSuccess && id > bytes.Index(a.Body, []byte(`"content"`)) {
			v.Outcome = classifier.InvalidEnvelope
		}
		return v
	},
	"is-error-absent": func(call classifier.Call, a classifier.Answer) classifier.Verdict {
		v := classifier.Classify(call, a)
		if v.Outcome == classifier.ToolSuccess && !bytes.Contains(a.Body, []byte("isError")) {
			v.Outcome = classifier.InvalidToolResult
		}
		return v
	},
}

// Each relation alone, with by-construction switched off, finds the broken
// judges that it names.
func TestRelationsKill(t *testing.T) {
	t.Parallel()
	for _, p := range properties.All() {
		if p.Name == properties.ByConstruction {
			continue
		}
		for _, name := range p.Kills {
			judge, ok := broken.ByName(name)
			if !ok {
				t.Errorf("%s kills %s, which is no broken judge", p.Name, name)
				continue
			}
			err := properties.CheckClassifier(judge.Classify, properties.Only(p.Name), properties.First())
			if !failed(err) {
				t.Errorf("%s does not kill %s (%s): %v", p.Name, name, judge.Doc, err)
			}
		}
		if fn := odd[p.Name]; fn != nil {
			if err := properties.CheckClassifier(fn, properties.Only(p.Name), properties.First()); !failed(err) {
				t.Errorf("%s does not kill its odd judge: %v", p.Name, err)
			}
		}
		if len(p.Kills) == 0 && odd[p.Name] == nil && !special[p.Name] {
			t.Errorf("%s kills no judge that this test knows", p.Name)
		}
	}
}

// special are the properties with a test of their own below.
var special = map[string]bool{"repeatable": true, "chunking": true, "advice-not-automatic": true}

func TestRepeatableKills(t *testing.T) {
	calls := 0
	fn := func(call classifier.Call, a classifier.Answer) classifier.Verdict {
		if calls++; calls%5 == 0 {
			a.Body = nil
		}
		return classifier.Classify(call, a)
	}
	if err := properties.CheckClassifier(fn, properties.Only("repeatable"), properties.First()); !failed(err) {
		t.Errorf("got %v", err)
	}
}

func TestChunkingKills(t *testing.T) {
	for name, fn := range map[string]properties.StreamJudge{
		"a CR and an LF in two reads end two lines": func(call classifier.Call, a classifier.Answer, splits []int) classifier.Verdict {
			body := a.Body
			for _, at := range splits {
				if body[at-1] == '\r' && body[at] == '\n' {
					a.Body = append(append(append([]byte(nil), body[:at]...), '\r'), body[at:]...)
				}
			}
			return classifier.Classify(call, a)
		},
		"every read is text of its own": func(call classifier.Call, a classifier.Answer, splits []int) classifier.Verdict {
			var text []byte
			from := 0
			for _, to := range append(splits, len(a.Body)) {
				text = append(text, strings.ToValidUTF8(string(a.Body[from:to]), "\"")...)
				from = to
			}
			a.Body = text
			return classifier.Classify(call, a)
		},
		"the first read is all": func(call classifier.Call, a classifier.Answer, splits []int) classifier.Verdict {
			if len(splits) > 0 {
				a.Body = a.Body[:splits[0]]
			}
			return classifier.Classify(call, a)
		},
	} {
		err := properties.CheckClassifier(classifier.Classify, properties.Only("chunking"), properties.Stream(fn), properties.Corpus(), properties.First())
		if !failed(err) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestAdviceKills(t *testing.T) {
	advise := func(v classifier.Verdict, f classifier.Facts) classifier.Advice {
		if v.Outcome == classifier.HTTPError && v.Status == 503 {
			return classifier.Advice{Action: classifier.WaitAndRetry}
		}
		return classifier.Advise(v, f)
	}
	err := properties.CheckClassifier(classifier.Classify, properties.Only("advice-not-automatic"), properties.Advice(advise), properties.First())
	var f *properties.Failures
	if !errors.As(err, &f) || f.List[0].Deviation != runner.RepeatedCall {
		t.Errorf("got %v", err)
	}
}

func TestFailureText(t *testing.T) {
	judge, ok := broken.ByName("status-ignored")
	if !ok {
		t.Fatal("no such judge")
	}
	err := properties.CheckClassifier(judge.Classify, properties.Only("status-dominance"), properties.Recipe("success +space=lines"), properties.Seed(7))
	var f *properties.Failures
	if !errors.As(err, &f) || len(f.List) != 1 {
		t.Fatalf("got %v", err)
	}
	const want = `FALSE_SUCCESS (critical) by status-dominance (rule 1)
  rule: A status outside 200 to 299 is HTTP_ERROR whatever headers and body say.
  case: success
  want: HTTP_ERROR: the status is STATUS
  got:  TOOL_SUCCESS (tool-success)
  answer, to the call with id 1:
    HTTP STATUS
    content-type: application/json
    ` + "`" + `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"ok"}]}}` + "`" + `
    (99 bytes, ended with eof)
  reproduce: properties.CheckClassifier(fn, properties.Only("status-dominance"), properties.Recipe("success"), properties.Seed(7))`
	status := fmt.Sprint(f.List[0].Shown[0].Answer.Status)
	if got := f.List[0].Error(); got != strings.ReplaceAll(want, "STATUS", status) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What a failure prints does the same again.
func TestFailureRepeats(t *testing.T) {
	judge, ok := broken.ByName("lf-only")
	if !ok {
		t.Fatal("no such judge")
	}
	for _, name := range []string{"line-ends", properties.ByConstruction} {
		err := properties.CheckClassifier(judge.Classify, properties.Only(name), properties.MaxFailures(3))
		var first *properties.Failures
		if !errors.As(err, &first) {
			t.Fatalf("%s: got %v", name, err)
		}
		for _, f := range first.List {
			at := properties.Recipe(f.Recipe)
			if f.CaseID != "" {
				at = properties.Case(f.CaseID)
			}
			err := properties.CheckClassifier(judge.Classify, properties.Only(name), at, properties.Seed(f.Seed))
			var again *properties.Failures
			if !errors.As(err, &again) || again.List[0].Deviation != f.Deviation || again.List[0].Got != f.Got || again.List[0].Recipe != f.Recipe {
				t.Errorf("%s: got %v\nwant %v", name, err, f)
			}
		}
	}
}

func TestCheckDeterministic(t *testing.T) {
	judge, ok := broken.ByName("id-ignored")
	if !ok {
		t.Fatal("no such judge")
	}
	check := func(seed uint64) string {
		return properties.CheckClassifier(judge.Classify, properties.Cases(3000), properties.Sampled(), properties.Seed(seed), properties.MaxFailures(4)).Error()
	}
	if one, two := check(5), check(5); one != two {
		t.Errorf("the same seed gave\n%s\nand\n%s", one, two)
	}
}

// recorder is a TB.
type recorder []string

func (*recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) { *r = append(*r, fmt.Sprintf(format, args...)) }

// statusOnly is a judge that looks at nothing but the status.
func statusOnly(_ classifier.Call, a classifier.Answer) classifier.Verdict {
	v := classifier.Verdict{Outcome: classifier.HTTPError, Answered: true, Status: a.Status}
	if a.Status == 200 {
		v.Outcome = classifier.ToolSuccess
	}
	v.Layer = v.Outcome.Layer()
	return v
}

func TestEveryFailureIsReported(t *testing.T) {
	var r recorder
	properties.TestClassifier(&r, statusOnly, properties.MaxFailures(5), properties.Cases(1000), properties.Sampled())
	if len(r) != 6 || !strings.HasPrefix(r[0], "FALSE_SUCCESS (critical)") || !strings.Contains(r[5], "5 kinds of failure with seed 1; ") {
		t.Errorf("got %d reports: %s", len(r), strings.Join(r, "\n"))
	}
	r = nil
	properties.TestClassifier(&r, classifier.Classify, properties.Only("layers"))
	if len(r) != 1 || r[0] != `properties: no property is named "layers"` {
		t.Errorf("got %q", []string(r))
	}
}

func TestPanicIsACrash(t *testing.T) {
	fn := func(call classifier.Call, a classifier.Answer) classifier.Verdict {
		if a.Status == 418 || a.Status == 204 {
			panic("teapot")
		}
		return classifier.Classify(call, a)
	}
	err := properties.CheckClassifier(fn, properties.Only(properties.ByConstruction), properties.Corpus(), properties.First())
	var f *properties.Failures
	if !errors.As(err, &f) || len(f.List) == 0 {
		t.Fatalf("got %v", err)
	}
	if got := f.List[0]; got.Deviation != runner.Crash || !strings.HasPrefix(got.Got, "panic: teapot\n") || !strings.Contains(got.Got, "check_test.go") {
		t.Errorf("got %v", got)
	}
}

func TestHang(t *testing.T) {
	hold := make(chan struct{})
	defer close(hold)
	fn := func(call classifier.Call, a classifier.Answer) classifier.Verdict {
		if a.Status == 500 {
			<-hold
		}
		return classifier.Classify(call, a)
	}
	start := time.Now()
	err := properties.CheckClassifier(fn, properties.Deadline(200*time.Millisecond), properties.Only(properties.ByConstruction), properties.Corpus())
	var f *properties.Failures
	if !errors.As(err, &f) || f.List[0].Deviation != runner.Hang || !strings.Contains(f.List[0].Recipe, "status=500") || f.List[0].Shown[0].Answer.Status != 500 {
		t.Errorf("got %v", err)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestOptions(t *testing.T) {
	named := func(name string) properties.Property {
		return properties.Property{Name: name, Check: func(t *properties.Trial) *properties.Breach { return t.Skip() }}
	}
	for _, test := range []struct {
		name    string
		options []properties.Option
		want    string
	}{
		{"unknown name", []properties.Option{properties.Without("x")}, `no property is named "x"`},
		{"nothing left", []properties.Option{properties.Only("layer"), properties.Without("layer")}, "no property is left"},
		{"bad recipe", []properties.Option{properties.Recipe("success +nonsense")}, "nonsense"},
		{"no such case", []properties.Option{properties.Case("no/such")}, `no case has the id "no/such"`},
		{"name taken", []properties.Option{properties.Add(named("layer"))}, `property "layer" has no name of its own`},
		{"nothing to say", []properties.Option{properties.Add(named("mute")), properties.Only("mute"), properties.Cases(10)}, "mute had nothing to say"},
		{"no stream", []properties.Option{properties.Only("chunking"), properties.Cases(10)}, "chunking had nothing to say"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := properties.CheckClassifier(classifier.Classify, test.options...)
			if err == nil || failed(err) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
	if err := properties.CheckClassifier(nil); err == nil {
		t.Error("a nil judge was checked")
	}
}

func TestForEnds(t *testing.T) {
	start := time.Now()
	err := properties.CheckClassifier(classifier.Classify, properties.For(50*time.Millisecond), properties.Cases(1<<40))
	if took := time.Since(start); err != nil || took > 5*time.Second {
		t.Errorf("got %v after %v", err, took)
	}
}

func TestAddedProperty(t *testing.T) {
	bodies := 0
	added := properties.Property{Name: "no-teapots", Rule: "1", Doc: "No answer is a teapot.", Check: func(t *properties.Trial) *properties.Breach {
		if !t.IsCall() {
			return t.Skip()
		}
		bodies++
		return t.OneOf(t.Judge(t.Call(), classifier.Answer{Status: 418}), "it is a teapot", classifier.HTTPError)
	}}
	if err := properties.CheckClassifier(classifier.Classify, properties.Add(added), properties.Only("no-teapots"), properties.Cases(10), properties.Corpus()); err != nil || bodies == 0 {
		t.Errorf("got %v after %d trials", err, bodies)
	}
	fine := func(classifier.Call, classifier.Answer) classifier.Verdict {
		return classifier.Verdict{Outcome: classifier.ToolSuccess}
	}
	if err := properties.CheckClassifier(fine, properties.Add(added), properties.Only("no-teapots"), properties.Cases(10), properties.Corpus()); !failed(err) {
		t.Errorf("got %v", err)
	}
}

// A judge that writes to the body must not spoil the corpus for what follows.
func TestCorpusIsKept(t *testing.T) {
	status := 200
	c := corpus.Case{ID: "a/b", Status: &status, Body: []byte("{}"), Expect: &corpus.Expect{Outcome: classifier.InvalidEnvelope, Layer: classifier.Protocol}}
	fn := func(call classifier.Call, a classifier.Answer) classifier.Verdict {
		v := classifier.Classify(call, a)
		copy(a.Body, "xx")
		return v
	}
	_ = properties.CheckClassifier(fn, properties.Corpus(c), properties.Only("input-kept"), properties.Case("a/b"))
	if string(c.Body) != "{}" {
		t.Errorf("the body is %q", c.Body)
	}
}
