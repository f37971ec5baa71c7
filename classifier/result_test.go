package classifier

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestResult is rule 9.
func TestResult(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		result   string
		outcome  Outcome
		reason   Reason
		findings string
	}{
		{`null`, InvalidToolResult, ReasonResultNotObject, ""}, {`[]`, InvalidToolResult, ReasonResultNotObject, ""}, {`"complete"`, InvalidToolResult, ReasonResultNotObject, ""}, {`true`, InvalidToolResult, ReasonResultNotObject, ""},
		{`{}`, InvalidToolResult, ReasonContentMissing, "result-type-missing"},
		{`{"resultType":"complete"}`, InvalidToolResult, ReasonContentMissing, ""},
		{`{"resultType":"complete","structuredContent":{}}`, InvalidToolResult, ReasonContentMissing, ""},
		{`{"resultType":"complete","content":null}`, InvalidToolResult, ReasonContentNotArray, ""},
		{`{"resultType":"complete","content":{}}`, InvalidToolResult, ReasonContentNotArray, ""},
		{`{"resultType":"complete","content":"[]"}`, InvalidToolResult, ReasonContentNotArray, ""},
		{`{"resultType":"complete","content":[]}`, ToolSuccess, ReasonToolSuccess, ""},
		{`{"content":[]}`, ToolSuccess, ReasonToolSuccess, "result-type-missing"},
		{`{"content":[],"isError":true}`, ToolError, ReasonToolError, "result-type-missing"},
		{`{"resultType":"comp\u006Cete","content":[],"isError":false}`, ToolSuccess, ReasonToolSuccess, ""},
		{`{"resultType":"complete","content":[],"isError":true}`, ToolError, ReasonToolError, ""},
		{`{"isError":true,"content":[],"resultType":"complete"}`, ToolError, ReasonToolError, ""},
		{`{"resultType":"complete","content":[],"isError":null}`, InvalidToolResult, ReasonIsErrorNotBoolean, ""},
		{`{"resultType":"complete","content":[],"isError":"true"}`, InvalidToolResult, ReasonIsErrorNotBoolean, ""},
		{`{"resultType":"complete","content":[],"isError":0}`, InvalidToolResult, ReasonIsErrorNotBoolean, ""},
		{`{"resultType":"complete","content":7,"isError":0}`, InvalidToolResult, ReasonContentNotArray, ""},
		{`{"resultType":null,"content":[]}`, InvalidToolResult, ReasonResultType, ""},
		{`{"resultType":"Complete","content":[]}`, InvalidToolResult, ReasonResultType, ""},
		{`{"resultType":"","content":[]}`, InvalidToolResult, ReasonResultType, ""},
		{`{"resultType":"task","content":[]}`, InvalidToolResult, ReasonResultType, ""},
		{`{"resultType":["complete"],"content":[]}`, InvalidToolResult, ReasonResultType, ""},
		{`{"resultType":"complete\u0000","content":[]}`, InvalidToolResult, ReasonResultType, ""},
		{`{"resultType":"x","resultType":"complete","content":7,"content":[]}`, ToolSuccess, ReasonToolSuccess, "duplicate-member"},
		{`{"resultType":"complete","content":[],"isError":true,"isError":false}`, ToolSuccess, ReasonToolSuccess, "duplicate-member"},
		{`{"resultType":"complete","content":[7],"content":[]}`, ToolSuccess, ReasonToolSuccess, "duplicate-member"},
		{`{"resultType":"complete","content":[],"structuredContent":1,"structuredContent":1}`, ToolSuccess, ReasonToolSuccess, "duplicate-member"},
		{`{"resultType":"complete","content":[],"ttlMs":1,"ttlMs":1}`, ToolSuccess, ReasonToolSuccess, ""},
		{`{"resultType":"complete","content":[],"structuredContent":null}`, ToolSuccess, ReasonToolSuccess, ""},
		{`{"resultType":"complete","content":[],"_meta":null}`, ToolSuccess, ReasonToolSuccess, "null-optional"},
		{`{"resultType":"complete","content":[],"_meta":null,"_meta":{}}`, ToolSuccess, ReasonToolSuccess, "duplicate-member"},
		{`{"resultType":"complete","content":7,"_meta":null}`, InvalidToolResult, ReasonContentNotArray, ""},
		{`{"resultType":"complete","content":[7],"isError":7}`, InvalidToolResult, ReasonIsErrorNotBoolean, ""},

		{`{"resultType":"input_required"}`, InputRequired, ReasonInputRequired, "input-required-empty"},
		{`{"resultType":"input_\u0072equired","requestState":"s"}`, InputRequired, ReasonInputRequired, ""},
		{`{"resultType":"input_required","inputRequests":{}}`, InputRequired, ReasonInputRequired, ""},
		{`{"resultType":"input_required","inputRequests":{"a":{"method":"m"}},"content":7,"isError":7,"_meta":null}`, InputRequired, ReasonInputRequired, ""},
		{`{"resultType":"input_required","inputRequests":null}`, InputRequired, ReasonInputRequired, "input-requests-type"},
		{`{"resultType":"input_required","inputRequests":[]}`, InputRequired, ReasonInputRequired, "input-requests-type"},
		{`{"resultType":"input_required","inputRequests":{"a":{}}}`, InputRequired, ReasonInputRequired, "input-requests-type"},
		{`{"resultType":"input_required","inputRequests":{"a":{"method":1}}}`, InputRequired, ReasonInputRequired, "input-requests-type"},
		{`{"resultType":"input_required","inputRequests":{"a":{"method":"m"},"b":null}}`, InputRequired, ReasonInputRequired, "input-requests-type"},
		{`{"resultType":"input_required","inputRequests":{"a":{"method":1,"m\u0065thod":"m"}}}`, InputRequired, ReasonInputRequired, ""},
		{`{"resultType":"input_required","inputRequests":{"a":7,"a":{"method":"m"}}}`, InputRequired, ReasonInputRequired, "duplicate-member"},
		{`{"resultType":"input_required","inputRequests":{"a":{"method":"m"},"\u0061":7}}`, InputRequired, ReasonInputRequired, "duplicate-member input-requests-type"},
		{`{"resultType":"input_required","inputRequests":7,"inputRequests":{}}`, InputRequired, ReasonInputRequired, "duplicate-member"},
		{`{"resultType":"input_required","requestState":null}`, InputRequired, ReasonInputRequired, "request-state-type"},
		{`{"resultType":"input_required","requestState":{},"inputRequests":0}`, InputRequired, ReasonInputRequired, "input-requests-type request-state-type"},
		{`{"resultType":"complete","inputRequests":{"a":1,"a":2},"content":[]}`, ToolSuccess, ReasonToolSuccess, ""},
	} {
		v := classifyJSON(`{"jsonrpc":"2.0","id":1,"result":` + c.result + `}`)
		if v.Outcome != c.outcome || v.Reason != c.reason || kinds(&v) != c.findings {
			t.Errorf("%s: got %v, %v, findings %q; want %v, %v, %q", c.result, v.Outcome, v.Reason, kinds(&v), c.outcome, c.reason, c.findings)
		}
	}
}

func TestContentItems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ items, findings, pointer string }{
		{`{"type":"text","text":"x"}`, "", ""}, {`{"text":"","type":"te\u0078t"}`, "", ""},
		{`{"type":"image","data":"","mimeType":""},{"type":"audio","data":"","mimeType":""}`, "", ""},
		{`{"type":"resource_link","name":"","uri":""},{"type":"resource","resource":{}}`, "", ""},
		{`{"type":"text","text":"x","annotations":{},"_meta":{},"mimeType":null,"title":null,"more":null}`, "", ""},
		{`{"type":"x","type":"text","text":1,"text":"x"}`, "", ""},
		{`{"type":"text","text":"x"},7`, "content-item", "/result/content/1"}, {`null`, "content-item", "/result/content/0"}, {`[]`, "content-item", "/result/content/0"},
		{`{}`, "content-item", "/result/content/0"}, {`{"type":"Text","text":"x"}`, "content-item", "/result/content/0"}, {`{"type":null,"text":"x"}`, "content-item", "/result/content/0"}, {`{"type":["text"],"text":"x"}`, "content-item", "/result/content/0"},
		{`{"type":"text","text":"x","type":"y"}`, "content-item", "/result/content/0"}, {`{"type":"text","text":"x","text":null}`, "content-item", "/result/content/0"},
		{`{"type":"text","text":"x"},{"type":"text","text":"x","_meta":null},{"type":"text","text":"x","annotations":null},{"type":"text","text":"x"}`, "null-optional", "/result/content/1/_meta"},
		{`{"type":7,"text":"x"}`, "content-item", "/result/content/0"}, {`{"type":{},"text":"x"}`, "content-item", "/result/content/0"},
		{`{"type":"text"}`, "content-item", "/result/content/0"}, {`{"type":"text","text":7}`, "content-item", "/result/content/0"},
		{`{"type":"image","data":""}`, "content-item", "/result/content/0"}, {`{"type":"audio","mimeType":""}`, "content-item", "/result/content/0"}, {`{"type":"image","data":"","mimeType":null}`, "content-item", "/result/content/0"},
		{`{"type":"resource_link","name":""}`, "content-item", "/result/content/0"}, {`{"type":"resource_link","uri":""}`, "content-item", "/result/content/0"}, {`{"type":"resource"}`, "content-item", "/result/content/0"}, {`{"type":"resource","resource":null}`, "content-item", "/result/content/0"},
		{`{"type":"text","text":"x","_meta":null}`, "null-optional", "/result/content/0/_meta"}, {`{"type":"text","text":"x"},{"type":"text","text":"x","annotations":null}`, "null-optional", "/result/content/1/annotations"},
		{`{"type":"resource_link","name":"","uri":"","title":null}`, "null-optional", "/result/content/0/title"}, {`{"type":"resource_link","name":"","uri":"","description":null}`, "null-optional", "/result/content/0/description"},
		{`{"type":"resource_link","name":"","uri":"","mimeType":null}`, "null-optional", "/result/content/0/mimeType"}, {`{"type":"resource_link","name":"","uri":"","size":null}`, "null-optional", "/result/content/0/size"}, {`{"icons":null,"type":"resource_link","name":"","uri":""}`, "null-optional", "/result/content/0/icons"},
		{`{"type":"text","text":"x","_meta":null,"_meta":1}`, "", ""},
		{`{"_meta":null}`, "content-item null-optional", "/result/content/0"},
	} {
		for _, isError := range []string{"false", "true"} {
			v := classifyJSON(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[` + c.items + `],"isError":` + isError + `}}`)
			if (v.Outcome == ToolError) != (isError == "true") || v.Layer != Application || kinds(&v) != c.findings {
				t.Errorf("%s: got %v, findings %q; want %q", c.items, v.Outcome, kinds(&v), c.findings)
			}
			if len(v.Findings) > 0 && v.Findings[0].Pointer != c.pointer {
				t.Errorf("%s: got the pointer %q, want %q", c.items, v.Findings[0].Pointer, c.pointer)
			}
		}
	}
}

func TestInputRequestValues(t *testing.T) {
	t.Parallel()
	v := classifyJSON(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"b":{"method":"x"},"\u0061\n":{"method":"el\u0069citation/create","params":{}},"b":{"method":"y"},"\ud800":{"method":""}},"requestState": "\u0041" }}`)
	want := []InputRequest{{"b", "y"}, {"a\n", "elicitation/create"}, {"\xED\xA0\x80", ""}}
	if !slices.Equal(v.InputRequests, want) || !v.HasInputRequests || string(v.RequestState) != `"\u0041"` || string(v.ResultType) != `"input_required"` {
		t.Errorf("got %q, %t, state %s, type %s; want %q", v.InputRequests, v.HasInputRequests, v.RequestState, v.ResultType, want)
	}
	v = classifyJSON(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"x"},"~/":0}}}`)
	if v.InputRequests != nil || v.HasInputRequests || v.RequestState != nil || len(v.Findings) != 1 || v.Findings[0].Pointer != "/result/inputRequests/~0~1" {
		t.Errorf("got %q, %t, state %s, findings %v", v.InputRequests, v.HasInputRequests, v.RequestState, v.Findings)
	}
	v = classifyJSON(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{}}}`)
	if !v.HasInputRequests || len(v.InputRequests) != 0 {
		t.Errorf("got %q, %t, want none, true", v.InputRequests, v.HasInputRequests)
	}
}

func TestManyInputRequests(t *testing.T) {
	t.Parallel()
	const n = 200_000
	var b strings.Builder
	b.WriteString(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{`)
	for round := range 2 {
		for i := range n {
			if round+i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `"k%d":{"method":"m%d"}`, i, round)
		}
	}
	b.WriteString(`}}}`)
	v := classifyJSON(b.String())
	if len(v.InputRequests) != n || v.InputRequests[n-1] != (InputRequest{"k199999", "m1"}) || kinds(&v) != "duplicate-member" {
		t.Errorf("got %d requests, findings %q", len(v.InputRequests), kinds(&v))
	}
}
