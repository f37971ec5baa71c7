package model

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/replyproof/replyproof/classifier"
)

// Diff says in words where two verdicts differ, one line a field, or "" when
// they agree. Of findings the kinds are compared, not the places. A line reads
// "reason: id-missing, not id-mismatch": what a says, then what b says.
func Diff(a, b classifier.Verdict) string {
	var lines []string
	differ := func(field string, x, y any) {
		lines = append(lines, fmt.Sprintf("%s: %v, not %v", field, x, y))
	}
	raw := func(field string, x, y []byte) {
		if !bytes.Equal(x, y) || (x == nil) != (y == nil) {
			differ(field, rawText(x), rawText(y))
		}
	}
	if a.Outcome != b.Outcome {
		differ("outcome", a.Outcome, b.Outcome)
	}
	if a.Layer != b.Layer {
		differ("layer", a.Layer, b.Layer)
	}
	if a.Reason != b.Reason {
		differ("reason", a.Reason, b.Reason)
	}
	if a.Answered != b.Answered {
		differ("answered", a.Answered, b.Answered)
	}
	if a.Status != b.Status {
		differ("status", a.Status, b.Status)
	}
	if a.ContentType != b.ContentType {
		differ("content type", quoted(a.ContentType), quoted(b.ContentType))
	}
	if a.Ended != b.Ended {
		differ("ended", a.Ended, b.Ended)
	}
	raw("id", a.ID, b.ID)
	raw("error code", a.Error.Code, b.Error.Code)
	raw("error message", a.Error.Message, b.Error.Message)
	raw("error data", a.Error.Data, b.Error.Data)
	if a.Error.Number != b.Error.Number || a.Error.Fits != b.Error.Fits {
		differ("error number", fmt.Sprint(a.Error.Number, " fits ", a.Error.Fits), fmt.Sprint(b.Error.Number, " fits ", b.Error.Fits))
	}
	raw("result type", a.ResultType, b.ResultType)
	if !slices.Equal(a.InputRequests, b.InputRequests) {
		differ("input requests", fmt.Sprintf("%q", a.InputRequests), fmt.Sprintf("%q", b.InputRequests))
	}
	if a.HasInputRequests != b.HasInputRequests {
		differ("has input requests", a.HasInputRequests, b.HasInputRequests)
	}
	raw("request state", a.RequestState, b.RequestState)
	if a.RetryAfter != b.RetryAfter {
		differ("retry after", quoted(a.RetryAfter), quoted(b.RetryAfter))
	}
	if a.Date != b.Date {
		differ("date", quoted(a.Date), quoted(b.Date))
	}
	if a.Challenged != b.Challenged {
		differ("challenged", a.Challenged, b.Challenged)
	}
	if !sameKinds(a.Findings, b.Findings) {
		differ("findings", kindsText(a.Findings), kindsText(b.Findings))
	}
	if a.EventCount != b.EventCount {
		differ("event count", a.EventCount, b.EventCount)
	}
	if a.SyntaxOffset != b.SyntaxOffset {
		differ("syntax offset", a.SyntaxOffset, b.SyntaxOffset)
	}
	return strings.Join(lines, "\n")
}

func sameKinds(a, b []classifier.Finding) bool {
	return slices.EqualFunc(a, b, func(x, y classifier.Finding) bool { return x.Kind == y.Kind })
}

func kindsText(findings []classifier.Finding) string {
	if len(findings) == 0 {
		return "none"
	}
	var names []string
	for _, f := range findings {
		names = append(names, f.Kind.String())
	}
	return strings.Join(names, " ")
}

func quoted(s string) string { return fmt.Sprintf("%q", s) }

func rawText(b []byte) string {
	const most = 80
	switch {
	case b == nil:
		return "absent"
	case len(b) > most:
		return fmt.Sprintf("%q… (%d bytes)", b[:most], len(b))
	}
	return quoted(string(b))
}
