package capture

import (
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// TestBrokenStaysBroken: what is taken out of a text that is no JSON neither mends
// it nor makes a text that was cut one that goes wrong, or the other way round.
func TestBrokenStaysBroken(t *testing.T) {
	secret := planted[1]
	for _, test := range []struct{ name, text, want string }{
		{"a string without its end", `{"password":"{s}`, `{"password":"[redacted]`},
		{"a whole one in a text that is cut", `{"password":"{s}"`, `{"password":"[redacted]"`},
		{"then a comma too many", `{"password":"{s}",,"a":1}`, `{"password":"[redacted]",,"a":1}`},
		{"an escape that is none", `{"password":"{s}\q{s}","a":1}`, `{"password":"[redacted]\q","a":1}`},
		{"a control character", "{\"password\":\"{s}\x01{s}\",\"a\":1}", "{\"password\":\"[redacted]\x01\",\"a\":1}"},
		{"cut in an escape", `{"password":"{s}\u00`, `{"password":"[redacted]\u`},
		{"a number with a zero before it", `{"pin":0492.5,"a":1}`, `{"pin":0111.1,"a":1}`},
		{"a number that is cut", `{"pin":4921`, `{"pin":1111`},
		{"a number that goes wrong", `{"pin":49x21}`, `{"pin":11x11}`},
		{"a card's number", `{"n":` + strings.ReplaceAll(planted[8], " ", "") + `,}`, `{"n":1111111111111111,}`},
		{"an array that is cut", `{"credentials":["{s}","{s}`, `{"credentials":["[redacted]","[redacted]`},
		{"an object with no comma", `{"credentials":{"a":"{s}" "b":"{s}"},"c":1}`, `{"credentials":{"[redacted]":"[redacted]" "[redacted]":"[redacted]"},"c":1}`},
		{"a quote that is missing before it", `{"a":"x` + "\n" + `,"password":"{s}"}`, `{"a":"x` + "\n" + `,"password":"[redacted]"}`},
		{"no quotes", `{"password":{s}}`, `{"password":xxxxxx1-xxxxxx}`},
		{"a mail address beside a fault", `{"to":"` + planted[7] + `\q"}`, `{"to":"[redacted]\\q\q"}`},
		{"a state", `{"requestState":"{s}`, `{"requestState":"[redacted]`},
		{"what is no secret", "{\"a\":\"b\\q\",\"n\":1.50e+9,tru", "{\"a\":\"b\\q\",\"n\":1.50e+9,tru"},
	} {
		text := strings.ReplaceAll(test.text, "{s}", secret)
		x := Exchange{RPC: Message{Kind: Call, ID: classifier.IntID(7)}}
		x.Answer = &Answer{Status: 200, Headers: corpus.Headers{{Name: "content-type", Value: "application/json"}}, Body: []byte(text)}
		clean := Sanitized(x)
		before, after := Judge(x).Verdict, Judge(clean).Verdict
		if before.Outcome != classifier.MalformedJSON || VerdictKey(after) != VerdictKey(before) || BreaksOff(after, clean.Answer.Body) != BreaksOff(before, []byte(text)) {
			t.Errorf("%s: %s became %s", test.name, VerdictKey(before), VerdictKey(after))
		}
		if got := string(clean.Answer.Body); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
