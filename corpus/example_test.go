package corpus_test

import (
	"fmt"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

func ExampleByID() {
	c, _ := corpus.ByID("article/jsonrpc-error")
	v := c.Classify()
	fmt.Println(c.Why)
	fmt.Println(v.Outcome, v.Reason, "expected", c.Expect.Outcome)
	// Output:
	// A 200 can carry a JSON-RPC error: the exchange worked, there is no tool result.
	// JSONRPC_ERROR rpc-error expected JSONRPC_ERROR
}

func ExampleVerifyWith() {
	c, _ := corpus.ByID("status/202-with-result")
	// A judge that takes 200 alone for success.
	strict := func(c corpus.Case) classifier.Verdict {
		if *c.Status != 200 {
			return classifier.Verdict{Outcome: classifier.HTTPError, Layer: classifier.Transport, Reason: classifier.ReasonHTTPStatus}
		}
		return c.Classify()
	}
	fmt.Println(corpus.VerifyWith([]corpus.Case{c}, strict)[0].Error())
	// Output:
	// corpus: status/202-with-result (rule 1): outcome: got HTTP_ERROR, want TOOL_SUCCESS; the verdict was HTTP_ERROR, http-status
}

func ExampleParse() {
	_, err := corpus.Parse("mine.jsonl", []byte(`{"id":"mine/first","why":"","request_id":1,"status":200,"bdy":"{}"}`))
	fmt.Println(strings.SplitAfter(err.Error(), "unknown key")[0])
	// Output:
	// corpus: mine.jsonl:1: mine/first: key "bdy": unknown key
}

func ExampleReadLines() {
	log := `{"status":503}
{"status":200,"body":"{","time":"12:00"}
{"body":"no status"}`
	for c, err := range corpus.ReadLines(strings.NewReader(log), corpus.LineOptions{Name: "log.jsonl", DefaultID: classifier.IntID(1)}) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(c.ID, c.Classify().Outcome)
	}
	// Output:
	// line-1 HTTP_ERROR
	// line-2 MALFORMED_JSON
	// corpus: log.jsonl:3: key "status": is absent; a line needs it, if only null for no answer
}
