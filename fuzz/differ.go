package fuzz

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/replyproof/replyproof/classifier"
)

// same tells whether two verdicts agree in all but the places of findings.
func same(a, b *classifier.Verdict) bool {
	return a.Outcome == b.Outcome && a.Layer == b.Layer && a.Reason == b.Reason &&
		a.Answered == b.Answered && a.Status == b.Status && a.ContentType == b.ContentType && a.Ended == b.Ended &&
		sameRaw(a.ID, b.ID) && sameError(&a.Error, &b.Error) &&
		sameRaw(a.ResultType, b.ResultType) && sameRaw(a.RequestState, b.RequestState) &&
		slices.Equal(a.InputRequests, b.InputRequests) && a.HasInputRequests == b.HasInputRequests &&
		a.RetryAfter == b.RetryAfter && a.Date == b.Date && a.Challenged == b.Challenged &&
		sameKinds(a.Findings, b.Findings) && a.EventCount == b.EventCount && a.SyntaxOffset == b.SyntaxOffset
}

// identical tells whether two verdicts agree in everything.
func identical(a, b *classifier.Verdict) bool {
	return same(a, b) && slices.Equal(a.Findings, b.Findings)
}

func sameRaw(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

func sameError(a, b *classifier.RPCError) bool {
	return sameRaw(a.Code, b.Code) && a.Number == b.Number && a.Fits == b.Fits && sameRaw(a.Message, b.Message) && sameRaw(a.Data, b.Data)
}

func sameKinds(a, b []classifier.Finding) bool {
	return slices.EqualFunc(a, b, func(x, y classifier.Finding) bool { return x.Kind == y.Kind })
}

// differences names what two verdicts differ in, want first. It is for
// messages: [same] and [identical] are the tests.
func differences(want, got *classifier.Verdict) string {
	var all []string
	differ := func(what string, w, g any) {
		if ws, gs := fmt.Sprint(w), fmt.Sprint(g); ws != gs {
			all = append(all, fmt.Sprintf("%s: want %s, got %s", what, ws, gs))
		}
	}
	differ("outcome", want.Outcome, got.Outcome)
	differ("layer", want.Layer, got.Layer)
	differ("reason", want.Reason, got.Reason)
	differ("answered", want.Answered, got.Answered)
	differ("status", want.Status, got.Status)
	differ("content type", shown(want.ContentType), shown(got.ContentType))
	differ("ended", want.Ended, got.Ended)
	differ("id", raw(want.ID), raw(got.ID))
	differ("error code", raw(want.Error.Code), raw(got.Error.Code))
	differ("error number", fmt.Sprint(want.Error.Number, want.Error.Fits), fmt.Sprint(got.Error.Number, got.Error.Fits))
	differ("error message", raw(want.Error.Message), raw(got.Error.Message))
	differ("error data", raw(want.Error.Data), raw(got.Error.Data))
	differ("result type", raw(want.ResultType), raw(got.ResultType))
	differ("request state", raw(want.RequestState), raw(got.RequestState))
	differ("input requests", fmt.Sprintf("%+q %t", want.InputRequests, want.HasInputRequests), fmt.Sprintf("%+q %t", got.InputRequests, got.HasInputRequests))
	differ("retry after", shown(want.RetryAfter), shown(got.RetryAfter))
	differ("date", shown(want.Date), shown(got.Date))
	differ("challenged", want.Challenged, got.Challenged)
	differ("event count", want.EventCount, got.EventCount)
	differ("syntax offset", want.SyntaxOffset, got.SyntaxOffset)
	if sameKinds(want.Findings, got.Findings) {
		differ("findings", places(want.Findings), places(got.Findings))
	} else {
		differ("findings", kinds(want.Findings), kinds(got.Findings))
	}
	return strings.Join(all, "; ")
}

func raw(b []byte) string {
	if b == nil {
		return "none"
	}
	return shown(string(b))
}

// shown quotes a text and leaves out the middle of a long one.
func shown(s string) string {
	const most = 400
	if len(s) > most {
		return fmt.Sprintf("%q…%d bytes…%q", s[:most/2], len(s)-most, s[len(s)-most/2:])
	}
	return fmt.Sprintf("%q", s)
}

func kinds(all []classifier.Finding) []string {
	names := make([]string, len(all))
	for i, f := range all {
		names[i] = f.Kind.String()
	}
	return names
}

func places(all []classifier.Finding) []string {
	names := make([]string, len(all))
	for i, f := range all {
		names[i] = fmt.Sprintf("%s at %d %q", f.Kind, f.Offset, f.Pointer)
	}
	return names
}
