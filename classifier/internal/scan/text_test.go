package scan

import (
	"strings"
	"testing"
)

func TestEqual(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		raw, text string
		want      bool
	}{
		{`""`, "", true}, {`"a"`, "a", true}, {`"a"`, "b", false}, {`"a"`, "", false}, {`""`, "a", false}, {`"a"`, "ab", false}, {`"ab"`, "a", false}, {`"a"`, "A", false},
		{`"\u0061"`, "a", true}, {`"\n\t\r\b\f\/\\\""`, "\n\t\r\b\f/\\\"", true}, {`"\\n"`, "\n", false}, {`"\\n"`, `\n`, true}, {`"\u005cn"`, `\n`, true}, {`"\n"`, `\n`, false},
		{`"\u0000"`, "\x00", true}, {`"\u0000"`, "", false}, {`"é"`, "é", true}, {`"\u00e9"`, "é", true}, {`"\u00E9"`, "é", true}, {`"e` + "\u0301" + `"`, "é", false},
		{`"🎉"`, "🎉", true}, {`"\ud83c\udf89"`, "🎉", true}, {`"\uD83C\uDF89"`, "🎉", true}, {`"\ud83c"`, "🎉", false}, {`"🎉"`, "\xED\xA0\xBC\xED\xBE\x89", true},
		{`"\ud83c"`, "\xED\xA0\xBC", true}, {`"\udf89"`, "\xED\xBE\x89", true}, {`"\ud83c"`, "\uFFFD", false}, {`"\udf89\ud83c"`, "\xED\xBE\x89\xED\xA0\xBC", true},
		{"\"\xED\xA0\xBC\"", "\xED\xA0\xBC", false}, {"\"\xED\xA0\xBC\"", "\uFFFD\uFFFD\uFFFD", true},
		{"\"\xFF\"", "\uFFFD", true}, {"\"\xFF\"", "\xFF", true}, {"\"\xFF\"", "\xFE", true}, {"\"\xE2\x82\"", "\uFFFD", true}, {"\"\xE2\x82\"", "\uFFFD\uFFFD", false}, {"\"\xE2\x82a\"", "\uFFFDa", true},
		{"\"\xC0\x80\"", "\uFFFD\uFFFD", true}, {"\"\xF0\x9F\x8E\"", "\uFFFD", true}, {"\"\xF0\x80\x80\"", "\uFFFD\uFFFD\uFFFD", true}, {"\"\xF4\x90\x80\x80\"", "\uFFFD\uFFFD\uFFFD\uFFFD", true}, {"\"\xE0\x80\x80\"", "\uFFFD\uFFFD\uFFFD", true},
		{"\"\xE2\x80\"", "\uFFFD", true}, {"\"\xE2\xBF\"", "\uFFFD", true}, {"\"\xE0\xA0\"", "\uFFFD", true}, {"\"\xE0\x9F\"", "\uFFFD\uFFFD", true}, {"\"\xED\x9F\"", "\uFFFD", true}, {"\"\xED\xA0\"", "\uFFFD\uFFFD", true},
		{"\"\xF0\x90\"", "\uFFFD", true}, {"\"\xF0\x8F\"", "\uFFFD\uFFFD", true}, {"\"\xF4\x8F\"", "\uFFFD", true}, {"\"\xF4\x90\"", "\uFFFD\uFFFD", true}, {"\"\xF4\x8F\x80\"", "\uFFFD", true}, {"\"\xF5\x80\"", "\uFFFD\uFFFD", true},
		{"\"\xF0\x90\x80\"", "\uFFFD", true}, {"\"\xF0\x90\xBF\"", "\uFFFD", true}, {"\"\xF0\x90\xC0\"", "\uFFFD\uFFFD", true}, {"\"\xEF\xBF\"", "\uFFFD", true}, {"\"\xC1\xBF\"", "\uFFFD\uFFFD", true}, {"\"\xF1\x80\x80\"", "\uFFFD", true},
		{`"\ud800\udc00"`, "\U00010000", true}, {"\"\U00010000\"", "\x00", false}, {`"\u0000"`, "\U00010000", false}, {`"\uffff"`, "\uFFFF", true},
		{`"\uFFFD"`, "\xFF", true}, {"\"\uFEFFa\"", "a", false}, {"\"\uFEFFa\"", "\uFEFFa", true}, {`"` + "\u017F" + `"`, "s", false}, {`"K"`, "\u212A", false},
	} {
		if got := Equal([]byte(c.raw), c.text); got != c.want {
			t.Errorf("%q and %q: got %t, want %t", c.raw, c.text, got, c.want)
		}
	}
}

func TestAppendText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ inner, want string }{
		{``, ""}, {`plain`, "plain"}, {`\"\\\/\b\f\n\r\t`, "\"\\/\b\f\n\r\t"}, {`\u0041\u00e9\u6771`, "Aé東"}, {`\ud83c\udf89`, "🎉"}, {`é東🎉`, "é東🎉"},
		{`\ud83c`, "\xED\xA0\xBC"}, {`\ud83cx`, "\xED\xA0\xBCx"}, {`\ud83c\ud83c\udf89`, "\xED\xA0\xBC🎉"}, {`\udf89\ud83c`, "\xED\xBE\x89\xED\xA0\xBC"},
		{"a\xFFb\xE2\x82c", "a\uFFFDb\uFFFDc"}, {"\\ud83c\xED\xBE\x89", "\xED\xA0\xBC\uFFFD\uFFFD\uFFFD"},
	} {
		if got := string(AppendText(nil, []byte(c.inner))); got != c.want {
			t.Errorf("%q: got %q, want %q", c.inner, got, c.want)
		}
	}
}

func TestName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ written, want string }{
		{`result`, "result"}, {`\u0072esult`, "result"}, {`r\u0065s\u0075lt`, "result"}, {`\u005f_proto__`, "__proto__"}, {``, ""},
		{`Result`, "Result"}, {`re` + "\u017F" + `ult`, "re\u017Fult"}, {`re\u017Fult`, `re\u017Fult`}, {`result\u0000`, "result\x00"}, {`a\\b`, `a\\b`}, {`a\/b`, "a/b"},
		{strings.Repeat(`\u0061`, 24), strings.Repeat("a", 24)}, {strings.Repeat(`\u0061`, 25), strings.Repeat(`\u0061`, 25)}, {"\xFF\\n", "\xFF\\n"},
	} {
		var s Scanner
		s.Reset([]byte(`{"`+c.written+`":1}`), 0)
		if !s.Object() {
			t.Errorf("%s: not entered", c.written)
			continue
		}
		if got := string(s.Name()); got != c.want {
			t.Errorf("%s: got %q, want %q", c.written, got, c.want)
		}
		if got := string(s.RawName()); got != c.written {
			t.Errorf("%s: got raw %q", c.written, got)
		}
	}
}
