package callers_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/properties/callers"
)

// A caller that tries three times, whatever comes, repeats calls that may have
// had effects.
func ExampleCheck() {
	maker := func(line *callers.Line) callers.Caller {
		client := &http.Client{Transport: line}
		id := 0
		return func(ctx context.Context, call callers.ToolCall) callers.Told {
			told := callers.Told{Saw: "ERROR"}
			for range 3 {
				id++
				body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, call.Name, call.Arguments)
				response, err := client.Post(line.URL(), "application/json", strings.NewReader(body))
				if err != nil {
					continue
				}
				v := classifier.Read(ctx, classifier.Call{ID: classifier.IntID(int64(id))}, response)
				if told.Saw = v.Outcome.String(); v.Outcome == classifier.ToolSuccess {
					break
				}
			}
			return told
		}
	}
	err := callers.Check(maker, callers.Only("retry-only-safe"))
	var failures *callers.Failures
	if errors.As(err, &failures) {
		for _, f := range failures.List {
			fmt.Println(f.Deviation, f.Deviation.Severity(), "after", f.Sequence)
			fmt.Println(f.Property.Doc)
		}
	}
	// Output:
	// REPEATED_CALL critical after unknown > 503
	// A call that failed on its way is sent again only if it is known to be safe.
	// REISSUED minor after unknown > cut-stream
	// A call that failed on its way is sent again only if it is known to be safe.
}

// Sequences are values with a text; a step is an answer.
func ExampleParse() {
	s, err := callers.Parse("safe left=1s > 429 after=2 > input keys=two state=none x3")
	fmt.Println(s.TimeLeft, len(s.Steps), err)
	for _, c := range s.Case().Exchanges() {
		fmt.Println(*c.Status, c.Expect.Outcome)
	}
	// Output:
	// 1s 2 <nil>
	// 429 HTTP_ERROR
	// 200 INPUT_REQUIRED
	// 200 INPUT_REQUIRED
	// 200 INPUT_REQUIRED
}

func ExampleAll() {
	for _, p := range callers.All()[3:6] {
		fmt.Printf("%s (%s): %s\n", p.Name, p.Rule, p.Doc)
	}
	// Output:
	// retry-only-safe (Leave): A call that failed on its way is sent again only if it is known to be safe.
	// over-is-over (Leave): An answer that ends the call, or leaves it to a person, is followed by no other POST of it.
	// change-first (Leave): After a refusal the call is sent again only once what was refused has changed.
}
