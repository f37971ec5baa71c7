package visible

import (
	"slices"
	"strings"
	"testing"
	"testing/quick"
)

func TestText(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, text, want string }{
		{"plain", `{"a":1}`, `{"a":1}`},
		{"other scripts", "日本語 é 👍", "日本語 é 👍"},
		{"line ends", "a\r\nb\tc", `a\r\nb\tc`},
		{"controls", "\x00\x1b[31m\x7f\u0085", `\u0000\u001B[31m\u007F\u0085`},
		{"bidirectional", "\u202eabc\u2066\u200f\u061c", `\u202Eabc\u2066\u200F\u061C`},
		{"separators", "\u2028\u2029", `\u2028\u2029`},
		{"no room", "a\u200bb\u200dc\ufeffd\u00ade\u3164f\ufe0f", `a\u200Bb\u200Dc\uFEFFd\u00ADe\u3164f\uFE0F`},
		{"tags and the private", "\U000e0041\ue000\U000f0000", `\U000E0041\uE000\U000F0000`},
		{"not UTF-8", "\xff\xe2\x82x\xed\xa0\x80", `\xFF\xE2\x82x\xED\xA0\x80`},
		{"the replacement itself", "\ufffd", "\ufffd"},
	} {
		if got := Text(test.text); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	const text = "panic: \x1b[31mred\x07\r\n\n\tat é \u202e\xff:7\n"
	if got, want := Lines(text), "panic: \\u001B[31mred\\u0007\\r\n\n\tat é \\u202E\\xFF:7\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPieces(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"empty", "", []string{""}},
		{"plain", "abc", []string{"abc"}},
		{"control inside", "a\x00b", []string{"a", `\u0000`, "b"}},
		{"control first", "\x00\x01b", []string{"", `\u0000\u0001`, "b"}},
		{"lines", "data: 1\r\n\r\n", []string{"data: 1", `\r\n`, "\n", `\r\n`, "\n"}},
		{"not UTF-8", "\xff<b>", []string{"", `\xFF`, "<b>"}},
	} {
		if got := Pieces([]byte(test.text)); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// The pieces without the line feeds that begin lines are the text as Text shows it.
func TestPiecesAreTheText(t *testing.T) {
	t.Parallel()
	same := func(text []byte) bool {
		joined := strings.ReplaceAll(strings.Join(Pieces(text), ""), "\n", "")
		return joined == Text(string(text))
	}
	if err := quick.Check(same, nil); err != nil {
		t.Error(err)
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, text, want string }{
		{"plain", "{\n  \"a\": \"é 👍\"\n}", "{\n  \"a\": \"é 👍\"\n}"},
		{"bidirectional", "[\"\u202ea\"]", `["\u202Ea"]`},
		{"tags", "[\"\U000e0041\"]", `["\uDB40\uDC41"]`},
		{"delete", "[\"\x7f\"]", `["\u007F"]`},
		{"not UTF-8", "[\"\xff\"]", "[\"\xff\"]"},
	} {
		if got := string(JSON([]byte(test.text))); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}
