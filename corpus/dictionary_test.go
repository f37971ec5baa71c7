package corpus

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

func TestDictionary(t *testing.T) {
	t.Parallel()
	body := func(text string) Case { return Case{Status: new(200), Body: []byte(text)} }
	tests := []struct {
		name   string
		bodies []string
		want   string // lines beyond the grammar, in order
	}{
		{"texts, names and numbers", []string{`{"result":"x\\ é","n":-32602,"a":[1,20]}`, ` {"n":-32602,"result":"x\\ é","other":1}`}, `"\"n\":" "\"result\":" "\"x\\\\ \xC3\xA9\"" "-32602"`},
		{"once in one body", []string{`{"result":"x","result":"x"}`}, ``},
		{"the same body twice", []string{`{"result":"x"}`, `{"result":"x"}`}, ``},
		{"a stream", []string{"data: {\"result\":\r\ndata: \"done\"}\n\n", "event: message\ndata: \"done\"\n\n"}, `"\"done\""`},
		{"damaged JSON", []string{"{\"result\":\"never ended\n\"id\":123}", "\"id\":123\xff\"never ended"}, `"\"id\":" "123"`},
		{"no number, no text", []string{"1-2-3 \"\xc3\\x\"", "1-2-3 \"\xc3\\x\" \\\""}, ``},
		{"40 bytes, and 41", []string{`"` + strings.Repeat("x", 38) + `" "` + strings.Repeat("y", 39) + `" `, `"` + strings.Repeat("x", 38) + `" "` + strings.Repeat("y", 39) + `"`}, `"\"` + strings.Repeat("x", 38) + `\""`},
		{"one that the grammar has", []string{`1e400 500`, `[1e400,500]`}, `"500"`},
	}
	plain := string(Dictionary(nil))
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var cases []Case
			for _, text := range test.bodies {
				cases = append(cases, body(text))
			}
			rest, ok := strings.CutPrefix(string(Dictionary(cases)), plain)
			if !ok || strings.TrimSpace(strings.ReplaceAll(rest, "\"\n\"", "\" \"")) != test.want {
				t.Errorf("got %q after the grammar (%t), want %s", rest, ok, test.want)
			}
		})
	}
}

// The shipped cases' dictionary is one that libFuzzer reads, has each token once,
// and has what every answer is made of.
func TestDictionaryOfTheShippedCases(t *testing.T) {
	t.Parallel()
	got := Dictionary(All(), "of my own", "null")
	seen := make(map[string]bool)
	for i, line := range bytes.Split(bytes.TrimSuffix(got, []byte("\n")), []byte("\n")) {
		if i > 0 && !regexp.MustCompile(`^"([ !#-\[\]-~]|\\\\|\\"|\\x[0-9A-F]{2})+"$`).Match(line) {
			t.Errorf("line %d: got %q, want a token in quotes", i+1, line)
		}
		if seen[string(line)] {
			t.Errorf("got %s twice", line)
		}
		seen[string(line)] = true
	}
	for _, want := range []string{
		`"of my own"`, `"null"`, `"data: "`, `"\x0A\x0A"`, `"\xEF\xBB\xBF"`, `"\"jsonrpc\":"`, `"\"isError\":"`, `"\"resultType\":"`, `"\"input_required\""`, `"-32602"`,
	} {
		if !seen[want] {
			t.Errorf("the dictionary lacks %s", want)
		}
	}
	if n := len(seen); n < 100 || n > 400 {
		t.Errorf("got %d lines, want some hundred: libFuzzer chooses among them blindly", n)
	}
}
