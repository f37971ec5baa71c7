package rapidprop_test

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/properties"
	"github.com/replyproof/replyproof/properties/callers"
	"github.com/replyproof/replyproof/properties/rapidprop"
)

// mine looks at nothing but the body.
func mine(_ classifier.Call, a classifier.Answer) classifier.Verdict {
	v := classifier.Verdict{Outcome: classifier.HTTPError}
	if strings.Contains(string(a.Body), `"result"`) {
		v.Outcome = classifier.ToolSuccess
	}
	v.Layer = v.Outcome.Layer()
	return v
}

// newCaller makes a caller that tries three times, whatever comes.
func newCaller(line *callers.Line) callers.Caller {
	client := &http.Client{Transport: line}
	id := 0
	return func(ctx context.Context, call callers.ToolCall) callers.Told {
		for range 3 {
			id++
			body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, call.Name, call.Arguments)
			response, err := client.Post(line.URL(), "application/json", strings.NewReader(body))
			if err != nil {
				continue
			}
			v := classifier.Read(ctx, classifier.Call{ID: classifier.IntID(int64(id))}, response)
			if v.Outcome == classifier.ToolSuccess {
				return callers.Told{Saw: "SUCCESS"}
			}
		}
		return callers.Told{Saw: "ERROR"}
	}
}

// console is a test of rapid's that prints the first line of what failed; in a
// test of one's own it is the *testing.T.
type console struct{ recorder }

func show(check func(t rapid.TB)) {
	var c console
	if err := flag.Set("rapid.nofailfile", "true"); err != nil {
		panic(err)
	}
	defer func() {
		if p := recover(); p != nil && p != any(stopped{}) {
			panic(p)
		}
		for _, line := range strings.Split(strings.Join(c.logs, "\n"), "\n") {
			if _, failure, ok := strings.Cut(line, " tests: "); ok {
				fmt.Println(failure)
			}
		}
	}()
	check(&c)
}

// In a test: func TestMine(t *testing.T) { rapid.Check(t, rapidprop.Property(p, mine)) },
// or rapidprop.Check(t, mine) for all of them.
func ExampleProperty() {
	p, _ := properties.ByName("status-dominance")
	show(func(t rapid.TB) { rapid.Check(t, rapidprop.Property(p, mine)) })
	// Output:
	// FALSE_SUCCESS (critical) by status-dominance (rule 1)
}

// A fuzz target of Go from the same property.
func ExampleProperty_fuzz() {
	_ = func(f *testing.F) {
		p, _ := properties.ByName("status-dominance")
		f.Fuzz(rapid.MakeFuzz(rapidprop.Property(p, mine)))
	}
}

// In a test: func TestCaller(t *testing.T) { rapidprop.CheckCaller(t, newCaller) }.
func ExampleCallerMachine() {
	show(func(t rapid.TB) {
		rapid.Check(t, rapidprop.CallerMachine(newCaller, callers.Only("over-is-over")))
	})
	// Output:
	// REPEATED_CALL (critical) by over-is-over (rule: Leave)
}
