package loopback_test

import (
	"testing"

	"github.com/replyproof/replyproof/properties/loopback"
)

// Strings are the same by their code units, however they are spelt.
func TestSameText(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{`"a"`, `"\u0061"`, true},
		{`"\ud83d\ude00"`, `"😀"`, true},
		{`"\ud800"`, `"\ufffd"`, false},
		{`"\ud800"`, `"\uD800"`, true},
		{`"\/"`, `"/"`, true},
		{`"\n\t\r\b\f\"\\"`, `"\u000a\u0009\u000d\u0008\u000c\u0022\u005c"`, true},
		{`" a"`, `"a"`, false},
		{`"<"`, `"\u003c"`, true},
		{`"é"`, `"e\u0301"`, false},
		{`1`, `1`, false},
		{`""`, `""`, true},
	} {
		if got := loopback.SameText([]byte(test.a), []byte(test.b)); got != test.want {
			t.Errorf("%s and %s: got %v, want %v", test.a, test.b, got, test.want)
		}
	}
}

func TestSameJSON(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{``, ``, true},
		{``, `{}`, false},
		{`null`, ``, false},
		{`{"a":1,"b":2}`, ` { "b" : 2 , "a":1 } `, true},
		{`{"a":1,"A":2}`, `{"A":1,"a":2}`, false},
		{`{"a":1,"a":2}`, `{"a":2}`, true},
		{`{"a":{}}`, `{"a":[]}`, false},
		{`{"\u0061":[true,false,null]}`, `{"a":[ true , false , null ]}`, true},
		{`{"\ud800":1}`, `{"\udc00":1}`, false},
		{`["\ud800"]`, `["\ufffd"]`, false},
		{`["}]",1]`, `[ "}]" , 1.0 ]`, true},
		{`[1,2]`, `[2,1]`, false},
		{`[1,2]`, `[12]`, false},
		{`[[1],2]`, `[[1,2]]`, false},
		{`["a,b"]`, `["a","b"]`, false},
		{`"1"`, `1`, false},
		{`1`, `1.0`, true},
		{`100`, `1E+2`, true},
		{`-0.5`, `-5e-1`, true},
		{`-0`, `0e7`, true},
		{`1`, `-1`, false},
		{`9007199254740993`, `9007199254740992`, false},
		{`9223372036854775808`, `9223372036854775809`, false},
		{`0.1`, `0.10000000000000001`, false},
		{`1e99999999999999999999`, `1e99999999999999999999`, true},
		{`1e99999999999999999999`, `1e99999999999999999998`, false},
		{`{`, `{`, true},
		{`{`, `[`, false},
	} {
		if got := loopback.SameJSON([]byte(test.a), []byte(test.b)); got != test.want {
			t.Errorf("%s and %s: got %v, want %v", test.a, test.b, got, test.want)
		}
	}
}

// Text is told against the strings of which encoding/json knows all, and halves
// of pairs against their bytes.
func TestText(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`"\ud83d\ude00 \u00e9\n"`: "😀 é\n",
		`"\ud800"`:                "\xed\xa0\x80",
		`"\udc00x"`:               "\xed\xb0\x80x",
		`"\ud800\ud83d\ude00"`:    "\xed\xa0\x80😀",
		`"\ufffd"`:                "\ufffd",
	} {
		if got, ok := loopback.Text([]byte(raw)); got != want || !ok {
			t.Errorf("%s: got %q, %t, want %q", raw, got, ok, want)
		}
	}
	for _, raw := range []string{``, `1`, `null`, `{"a":"b"}`} {
		if got, ok := loopback.Text([]byte(raw)); ok {
			t.Errorf("%s: got %q, want no string", raw, got)
		}
	}
}
