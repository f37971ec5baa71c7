package explanation

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
)

func TestPointed(t *testing.T) {
	call := classifier.Call{ID: classifier.IntID(7)}
	answer := func(typ, body string) classifier.Answer {
		return classifier.Answer{Status: 200, Header: http.Header{"Content-Type": {typ}}, Body: []byte(body)}
	}
	const json, stream = "application/json", "text/event-stream"
	for _, test := range []struct {
		name   string
		answer classifier.Answer
		want   []string
	}{
		{"a member", answer(json, `{"jsonrpc":"2.0","id":8}`), []string{"byte 17 of 24, line 1", `{"jsonrpc":"2.0","id":8}`, "                 ^"}},
		{"the last of two", answer(json, "{\"jsonrpc\":\"2.0\",\"id\":7,\n\"id\":8}"), []string{"byte 25 of 32, line 2", `"id":8}`, "^"}},
		{"in the result", answer(json, `{"jsonrpc":"2.0","id":7,"result":{"content":3}}`), []string{"byte 34 of 47, line 1", `{"jsonrpc":"2.0","id":7,"result":{"content":3}}`, strings.Repeat(" ", 34) + "^"}},
		{"a member that is absent", answer(json, `{"jsonrpc":"2.0","id":7,"result":{}}`), nil},
		{"in a stream", answer(stream, ": x\n\ndata: {\"method\":\"m\"}\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":1,\"message\":\"\"}}\n\n"),
			[]string{"event 2, byte 57 of 91, line 5", `data: {"jsonrpc":"2.0","id":7,"error":{"code":1,"message":""`, strings.Repeat(" ", 30) + "^"}},
		{"over lines of a stream", answer(stream, "data: {\"jsonrpc\":\"2.0\",\ndata: \"id\":7,\"result\":3}\n\n"), nil},
		{"beside a secret", answer(json, `{"jsonrpc":"2.0","id":8,"password":"hunter3"}`), []string{"byte 17 of 45, line 1", veiled(`{"jsonrpc":"2.0","id":8,"password":"hunter3"}`), "                 ^"}},
		{"nothing to point at", classifier.Answer{Status: 503}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := plain.pointed(classifier.Classify(call, test.answer), test.answer); !slices.Equal(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

// veiled is a text as it is shown beside a secret.
func veiled(text string) string {
	return strings.NewReplacer("jsonrpc", "·······", "2", "·", "0", "·", "id", "··", "8", "·", "password", "········", "hunter3", "·······").Replace(text)
}
