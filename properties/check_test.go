package properties_test

import (
	"errors"
	"fmt"
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

// The reference breaks nothing, by the law itself, and no property passes for
// want of cases.
func TestReference(t *testing.T) {
	tally := properties.Tally{}
	properties.TestClassifier(t, classifier.Classify, properties.Strict(), properties.Tallied(tally), properties.Stream(properties.InPieces),
		properties.Notifications(classifier.ClassifyNotification), properties.NoAnswers(classifier.ClassifyNoAnswer))
	for _, p := range properties.All() {
		if n := tally[p.Name]; n.Times-n.Skipped < 300 {
			t.Errorf("%s had something to say of %d cases of %d, want 300", p.Name, n.Times-n.Skipped, n.Times)
		}
	}
}

func failed(err error) bool {
	var f *properties.Failures
	return errors.As(err, &f)
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
  reproduce: properties.TestClassifier(t, fn, properties.Only("status-dominance"), properties.Recipe("success"), properties.Seed(7))`
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
