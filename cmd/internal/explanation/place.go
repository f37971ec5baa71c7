package explanation

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/cmd/internal/count"
)

// pointers are the members that a reason looked at, as JSON Pointers.
var pointers = map[classifier.Reason]string{
	classifier.ReasonNotObject:             "the whole text",
	classifier.ReasonJSONRPCVersion:        "/jsonrpc",
	classifier.ReasonIDMissing:             "/id",
	classifier.ReasonIDMismatch:            "/id",
	classifier.ReasonResultAndError:        "/result and /error",
	classifier.ReasonNeitherResultNorError: "/result and /error",
	classifier.ReasonErrorNotObject:        "/error",
	classifier.ReasonErrorCode:             "/error/code",
	classifier.ReasonErrorMessage:          "/error/message",
	classifier.ReasonRPCError:              "/error",
	classifier.ReasonResultNotObject:       "/result",
	classifier.ReasonInputRequired:         "/result/resultType",
	classifier.ReasonResultType:            "/result/resultType",
	classifier.ReasonContentMissing:        "/result/content",
	classifier.ReasonContentNotArray:       "/result/content",
	classifier.ReasonIsErrorNotBoolean:     "/result/isError",
	classifier.ReasonToolError:             "/result/isError",
	classifier.ReasonToolSuccess:           "/result",
}

// cleaning takes out of a text what must not be shown.
type cleaning func(string) string

// plain is for texts of which no more is known.
var plain = cleaning(capture.CleanText)

// place tells where in the answer the deciding thing stands: a header, a member,
// an offset with the text around it.
func (clean cleaning) place(v classifier.Verdict, call classifier.Call, a classifier.Answer) []string {
	switch v.Reason {
	case classifier.ReasonHTTPStatus:
		lines := []string{fmt.Sprintf("the status line: %d", v.Status)}
		if v.Error.Present() {
			lines = append(lines, fmt.Sprintf("the body tells a JSON-RPC error as a detail: code %s, message %s", v.Error.Code, clean.shorten(string(v.Error.Message))))
		}
		if v.RetryAfter != "" {
			lines = append(lines, "Retry-After: "+clean.shorten(v.RetryAfter))
		}
		if v.Challenged {
			lines = append(lines, "WWW-Authenticate is there: the server asks for authorisation")
		}
		return lines
	case classifier.ReasonContentTypeConflict, classifier.ReasonContentTypeEmpty, classifier.ReasonContentTypeList, classifier.ReasonContentTypeForeign:
		return []string{"Content-Type: " + clean.shorten(strings.Join(a.Header["Content-Type"], " and "))}
	case classifier.ReasonContentEncoding:
		return []string{"Content-Encoding: " + clean.shorten(strings.Join(a.Header["Content-Encoding"], ", "))}
	case classifier.ReasonNoBody:
		return []string{fmt.Sprintf("the status line: %d, and no body", v.Status)}
	case classifier.ReasonJSONEmpty, classifier.ReasonJSONSyntax, classifier.ReasonJSONTrailing:
		return clean.excerpt(v, a)
	}
	if !v.Answered {
		return nil
	}
	var lines []string
	if p := pointers[v.Reason]; p != "" {
		lines = append(lines, p)
	}
	switch {
	case v.Reason == classifier.ReasonIDMismatch:
		lines = append(lines, fmt.Sprintf("is %s, the request's is %s", clean.shorten(string(v.ID)), clean(call.ID.String())))
	case v.Reason == classifier.ReasonRPCError || v.Error.Present():
		lines = append(lines, fmt.Sprintf("code %s, message %s", v.Error.Code, clean.shorten(string(v.Error.Message))))
	case v.Reason == classifier.ReasonResultType:
		lines = append(lines, "is "+clean.shorten(string(v.ResultType)))
	}
	if v.EventCount > 0 {
		lines = append(lines, fmt.Sprintf("in a stream, after %s in all", count.Of(v.EventCount, "event")))
	}
	return lines
}

// excerpt shows the text at the offset where it stops being JSON, with a mark
// beneath. In a stream and under a content coding the offset is told alone: it
// counts the bytes of what was made of the body, not those of the body.
func (clean cleaning) excerpt(v classifier.Verdict, a classifier.Answer) []string {
	at := v.SyntaxOffset
	if v.EventCount > 0 {
		return []string{fmt.Sprintf("byte %d of the data of an event; %s in all", at, count.Of(v.EventCount, "event"))}
	}
	if len(a.Header["Content-Encoding"]) > 0 || at > int64(len(a.Body)) {
		return []string{fmt.Sprintf("byte %d of the decoded body", at)}
	}
	before, after := a.Body[:at], a.Body[at:]
	line := bytes.Count(before, []byte("\n")) + 1
	start := bytes.LastIndexByte(before, '\n') + 1
	column := utf8.RuneCount(before[start:]) + 1
	where := fmt.Sprintf("byte %d of %d, line %d, column %d", at, len(a.Body), line, column)
	if len(after) == 0 {
		where += ", the end"
	}
	return append([]string{where}, clean.caret(a.Body, int(at))...)
}

// caret shows the text around an offset of a body, with a mark beneath. Where a
// secret stands near, letters and digits are shown as dots.
func (clean cleaning) caret(body []byte, at int) []string {
	start := bytes.LastIndexByte(body[:at], '\n') + 1
	left := body[max(start, at-40):at]
	for len(left) > 0 && !utf8.RuneStart(left[0]) {
		left = left[1:]
	}
	right, _, _ := bytes.Cut(body[at:], []byte("\n"))
	right = right[:min(len(right), 30)]
	show := escape
	// A secret may begin before what is shown and end after it.
	const around = 2048
	if near := string(body[max(0, at-around):min(len(body), at+around)]); clean(near) != near {
		show = func(b []byte) string { return strings.Map(veil, escape(b)) }
	}
	shown := show(left)
	return []string{shown + show(right), strings.Repeat(" ", utf8.RuneCountInString(shown)) + "^"}
}

func veil(r rune) rune {
	if unicode.IsLetter(r) || unicode.IsDigit(r) {
		return '·'
	}
	return r
}

// escape makes bytes visible: what is no printable character is escaped.
func escape(b []byte) string {
	quoted := strconv.Quote(string(b))
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// shorten makes a text from outside visible, free of secrets and not too long.
func (clean cleaning) shorten(text string) string {
	text = clean(text[:min(len(text), 4096)])
	if len(text) > 200 {
		return escape([]byte(text[:200])) + "…"
	}
	return escape([]byte(text))
}
