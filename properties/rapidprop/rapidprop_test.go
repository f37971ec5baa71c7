package rapidprop_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/replyproof/replyproof/classifier"
	_ "github.com/replyproof/replyproof/classifier/codings"
	"github.com/replyproof/replyproof/properties"
	"github.com/replyproof/replyproof/properties/broken"
	"github.com/replyproof/replyproof/properties/rapidprop"
)

func TestReference(t *testing.T) {
	rapidprop.Check(t, classifier.Classify, properties.Strict(), properties.Notifications(classifier.ClassifyNotification),
		properties.NoAnswers(classifier.ClassifyNoAnswer), properties.Stream(properties.InPieces))
}

// caught runs a property of rapid on a judge and gives the message of its
// failure, "" if there is none.
func caught(t *testing.T, p string, fn properties.Judge, options ...properties.Option) (message string) {
	t.Helper()
	// rapid reads its environment before a test can set it.
	if err := flag.Set("rapid.nofailfile", "true"); err != nil {
		t.Fatal(err)
	}
	property, ok := properties.ByName(p)
	if !ok {
		t.Fatalf("no property is named %s", p)
	}
	body := rapidprop.Property(property, fn, options...)
	r := &recorder{}
	defer func() {
		if p := recover(); p != nil && p != any(stopped{}) {
			panic(p)
		}
		message = strings.Join(r.logs, "\n")
	}()
	rapid.Check(r, body)
	return ""
}

// recorder is a rapid.TB that takes down what fails.
type recorder struct {
	rapid.TB
	logs []string
}

type stopped struct{}

func (r *recorder) Helper()                    {}
func (r *recorder) Name() string               { return "recorder" }
func (r *recorder) Failed() bool               { return false }
func (r *recorder) Log(args ...any)            { r.logs = append(r.logs, fmt.Sprint(args...)) }
func (r *recorder) Logf(f string, args ...any) { r.logs = append(r.logs, fmt.Sprintf(f, args...)) }
func (r *recorder) Error(args ...any)          { r.Log(args...) }
func (r *recorder) Errorf(f string, a ...any)  { r.Logf(f, a...) }
func (r *recorder) FailNow()                   { panic(stopped{}) }
func (r *recorder) Fail()                      {}
func (r *recorder) Fatal(args ...any)          { r.Log(args...); r.FailNow() }
func (r *recorder) Fatalf(f string, a ...any)  { r.Logf(f, a...); r.FailNow() }

func TestKillsAndShrinks(t *testing.T) {
	for _, test := range []struct{ judge, property, want string }{
		{"status-ignored", "status-dominance", "FALSE_SUCCESS (critical) by status-dominance"},
		{"id-ignored", "id-mismatch", "by id-mismatch"},
		{"lf-only", "line-ends", "by line-ends"},
		{"status-ignored", properties.ByConstruction, "properties.Recipe("},
	} {
		judge, ok := broken.ByName(test.judge)
		if !ok {
			t.Fatalf("no judge is named %s", test.judge)
		}
		if got := caught(t, test.property, judge.Classify); !strings.Contains(got, test.want) {
			t.Errorf("%s by %s: got %q, want %q", test.judge, test.property, got, test.want)
		}
	}
}

func TestBadOptionsFail(t *testing.T) {
	got := caught(t, "layer", classifier.Classify, properties.Only("no-such"))
	if !strings.Contains(got, `no property is named "no-such"`) {
		t.Errorf("got %q", got)
	}
}

// tornAtPieces judges a stream rightly only where it comes in one piece.
func tornAtPieces(call classifier.Call, a classifier.Answer, splits []int) classifier.Verdict {
	if len(splits) > 0 {
		a.Body = a.Body[splits[0]:]
	}
	return properties.InPieces(call, a, nil)
}

func TestChunkingKills(t *testing.T) {
	if got := caught(t, "chunking", classifier.Classify, properties.Stream(tornAtPieces)); !strings.Contains(got, "by chunking") {
		t.Errorf("got %q", got)
	}
}
