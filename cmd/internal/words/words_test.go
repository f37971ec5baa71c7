package words

import (
	"slices"
	"testing"
)

func TestSplit(t *testing.T) {
	tests := []struct {
		text string
		want []string // nil: an error
	}{
		{"node adapter.mjs", []string{"node", "adapter.mjs"}},
		{"  a\t b\n", []string{"a", "b"}},
		{`'two words' "and more"`, []string{"two words", "and more"}},
		{`a'b c'd`, []string{"ab cd"}},
		{`"a\"b\\c\n"`, []string{`a"b\c\n`}},
		{`'a\b'`, []string{`a\b`}},
		{`a\ b`, []string{"a b"}},
		{`'' x`, []string{"", "x"}},
		{`$HOME *`, []string{"$HOME", "*"}},
		{"", nil},
		{"  ", nil},
		{`'half`, nil},
		{`half\`, nil},
	}
	for _, test := range tests {
		got, err := Split(test.text)
		if (err != nil) != (test.want == nil) || !slices.Equal(got, test.want) {
			t.Errorf("%q: got %q, %v, want %q", test.text, got, err, test.want)
		}
	}
}

func TestLine(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"node adapter.mjs", "node adapter.mjs"},
		{`"plain  as" it   stands`, `"plain  as" it   stands`},
		{"node adapter.mjs\n", "node adapter.mjs"},
		{"node\n  --flag 'two words'\n\t\"and more\"\n", "node --flag 'two words' 'and more'"},
		{"a 'b\nc'", "a 'b\nc'"},
		{"a\n'half", "a\n'half"},
	} {
		if got := Line(test.text); got != test.want {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
	}
}

func TestQuote(t *testing.T) {
	tests := []struct{ word, want string }{
		{"success", "success"},
		{"success +status=503", `'success +status=503'`},
		{"it's", `'it'\''s'`},
		{"", "''"},
		{"$x", "'$x'"},
	}
	for _, test := range tests {
		if got := Quote(test.word); got != test.want {
			t.Errorf("%q: got %s, want %s", test.word, got, test.want)
		}
		if back, err := Split(test.want); err != nil || !slices.Equal(back, []string{test.word}) {
			t.Errorf("%s: got %q, %v, want %q back", test.want, back, err, test.word)
		}
	}
}
