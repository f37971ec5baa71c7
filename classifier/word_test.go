package classifier

import (
	"encoding"
	"fmt"
	"slices"
	"testing"
)

// checkWords holds a type of words against all of them, in the order of its
// constants from first on: how each is written and read, and that everything
// beside them is refused.
func checkWords[T interface {
	~uint8
	fmt.Stringer
	encoding.TextMarshaler
}](t *testing.T, typ string, first T, words []string, read func(*T, []byte) error) {
	t.Helper()
	for i, word := range words {
		v := first + T(i)
		if got := v.String(); got != word {
			t.Errorf("%s %d: got the word %q, want %q", typ, uint8(v), got, word)
		}
		if got, err := v.MarshalText(); string(got) != word || err != nil {
			t.Errorf("%s %d: got marshalled %q, %v, want %q", typ, uint8(v), got, err, word)
		}
		if read == nil {
			continue
		}
		var got T
		if err := read(&got, []byte(word)); got != v || err != nil {
			t.Errorf("%s: got %d, %v from %q, want %d", typ, uint8(got), err, word, uint8(v))
		}
	}
	end := first + T(len(words))
	for _, v := range []T{first - 1, end, end + 1, 200} {
		if got, want := v.String(), fmt.Sprintf("%s(%d)", typ, uint8(v)); got != want {
			t.Errorf("got the word %q, want %q", got, want)
		}
		if got, err := v.MarshalText(); err == nil {
			t.Errorf("%s %d: got marshalled %q, want an error", typ, uint8(v), got)
		}
	}
	if read == nil {
		return
	}
	for _, text := range []string{"", "?", words[0] + " ", words[0][1:]} {
		v := end - 1
		if err := read(&v, []byte(text)); err == nil || v != end-1 {
			t.Errorf("%s: got %d, %v from %q, want an error and nothing changed", typ, uint8(v), err, text)
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	checkWords(t, "Outcome", ToolSuccess, []string{
		"TOOL_SUCCESS", "TOOL_ERROR", "INPUT_REQUIRED", "JSONRPC_ERROR", "MALFORMED_JSON", "INVALID_ENVELOPE", "INVALID_TOOL_RESULT",
		"HTTP_ERROR", "NO_FINAL_RESPONSE", "UNEXPECTED_CONTENT_TYPE", "ACCEPTED", "UNEXPECTED_REPLY",
	}, (*Outcome).UnmarshalText)
	checkWords(t, "Layer", Transport, []string{"transport", "protocol", "application", "interaction"}, (*Layer).UnmarshalText)
	checkWords(t, "Reason", ReasonHTTPStatus, []string{
		"http-status", "content-type-conflict", "content-type-empty", "content-type-list", "content-type-foreign", "content-encoding", "no-body",
		"body-cut", "deadline", "cancelled", "size-limit", "json-empty", "json-syntax", "json-trailing",
		"not-object", "jsonrpc-version", "id-missing", "id-mismatch", "result-and-error", "neither-result-nor-error",
		"error-not-object", "error-code", "error-message", "rpc-error",
		"result-not-object", "input-required", "result-type", "content-missing", "content-not-array", "is-error-not-boolean", "tool-error", "tool-success",
		"no-response-in-stream", "accepted", "unexpected-reply", "connect", "reset", "tls",
	}, (*Reason).UnmarshalText)
	checkWords(t, "FindingKind", FindingRetryAfter, []string{
		"retry-after", "content-type-missing", "content-type-parameter", "bom", "bad-utf8", "lone-surrogate", "deep-nesting", "duplicate-member",
		"result-type-missing", "input-required-empty", "input-requests-type", "request-state-type", "content-item", "null-optional",
		"unterminated-event", "event-type-ignored", "server-request", "stray-message",
	}, (*FindingKind).UnmarshalText)
	checkWords(t, "BodyEnd", BodyComplete, []string{
		"complete", "settled-early", "body-cut", "deadline", "size-limit", "cancelled", "connect", "reset", "tls",
	}, (*BodyEnd).UnmarshalText)
	checkWords(t, "Ended", EndedEOF, []string{"eof", "reset", "deadline", "cancelled", "size-limit", "connect", "tls"}, (*Ended).UnmarshalText)
	checkWords(t, "Action", Never, []string{"never", "ask", "after-change", "answer-inputs", "wait-and-retry"}, (*Action).UnmarshalText)
	checkWords[Change](t, "Change", 0, []string{"", "request", "method", "arguments", "headers", "capabilities", "version", "authorisation", "limit"}, nil)
	checkWords(t, "ToModel", ModelNo, []string{"no", "may", "should"}, (*ToModel).UnmarshalText)
	checkWords(t, "RetryOrigin", RetryNone, []string{"none", "sdk", "application", "manual"}, (*RetryOrigin).UnmarshalText)
}

func TestTables(t *testing.T) {
	t.Parallel()
	want := []Outcome{
		ToolSuccess, ToolError, InputRequired, JSONRPCError, MalformedJSON, InvalidEnvelope, InvalidToolResult,
		HTTPError, NoFinalResponse, UnexpectedContentType, Accepted, UnexpectedReply,
	}
	if got := Outcomes(); !slices.Equal(got, want) {
		t.Errorf("got the outcomes %v, want %v", got, want)
	}
	for o, want := range map[Outcome]Layer{
		0: 0, ToolSuccess: Application, ToolError: Application, InputRequired: Interaction, JSONRPCError: Protocol,
		MalformedJSON: Protocol, InvalidEnvelope: Protocol, InvalidToolResult: Protocol, HTTPError: Transport, NoFinalResponse: Transport,
		UnexpectedContentType: Transport, Accepted: Transport, UnexpectedReply: Transport, UnexpectedReply + 1: 0, 255: 0,
	} {
		if got := o.Layer(); got != want {
			t.Errorf("%v: got the layer %v, want %v", o, got, want)
		}
	}
	for _, c := range []struct {
		name      string
		got, want string
	}{
		{"the first reason", ReasonHTTPStatus.Entry().Name, "http-status"}, {"the last reason", ReasonTLS.Entry().Name, "tls"},
		{"no reason", Reason(0).Entry().Name, ""}, {"beyond the reasons", (ReasonTLS + 1).Entry().Name, ""}, {"far beyond them", Reason(255).Entry().Name, ""},
		{"the first finding", FindingRetryAfter.Entry().Name, "retry-after"}, {"the last finding", FindingStrayMessage.Entry().Name, "stray-message"},
		{"no finding", FindingKind(0).Entry().Name, ""}, {"beyond the findings", (FindingStrayMessage + 1).Entry().Name, ""}, {"far beyond them", FindingKind(255).Entry().Name, ""},
		{"the first of all reasons", Reasons()[0].Name, "http-status"}, {"the first of all findings", Findings()[0].Name, "retry-after"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, c.got, c.want)
		}
	}
}
