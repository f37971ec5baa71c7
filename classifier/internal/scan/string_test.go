package scan

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestStringsByBlocks compares random strings, many blocks long, with what
// encoding/json and unicode/utf8 say of them, and with the same strings read
// where no block fits any more.
func TestStringsByBlocks(t *testing.T) {
	t.Parallel()
	pieces := []string{
		"plain text ", "a", "]", "#", "!", `\n`, `\"`, `\\`, `\/`, `\u00e9`, `\u0022`, `\ud83d\ude00`, "é", "東京", "東京都千代田区", "🎉", "ࠀ", "ꯍ", "\x7F",
		"\xE2\x82", "\xFF", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF0\x9F", "\x80", `\ud83d`, `\ude00`, "\t", `\x`, `\u12`, `\u12g4`,
	}
	const sound = 19  // pieces that are well-formed JSON and UTF-8
	const strange = 9 // and then such as make findings
	var r random
	for range 20_000 {
		var b strings.Builder
		choices := sound
		switch r.below(4) {
		case 0:
			choices = len(pieces)
		case 1:
			choices = sound + strange
		}
		for range r.below(60) {
			b.WriteString(pieces[r.below(choices)])
		}
		text := `"` + b.String() + `"`
		padded := text + strings.Repeat(" ", blockLen)
		var s, last Scanner
		s.Reset([]byte(padded), 0)
		last.Reset([]byte(text), 0)
		s.Skip()
		if i := last.lastStr(1); i >= 0 {
			last.pos = i
		}
		offset, failed := s.Err()
		lastOffset, lastFailed := last.Err()
		if failed != lastFailed || offset != lastOffset && lastOffset < len(text) || s.BadUTF8() != last.BadUTF8() || s.LoneSurrogate() != last.LoneSurrogate() || !failed && s.Pos() != last.Pos() {
			t.Fatalf("%q: got failed %t at %d, bad UTF-8 at %d, half a pair at %d, end %d by blocks; %t at %d, %d, %d, %d without", text,
				failed, offset, s.BadUTF8(), s.LoneSurrogate(), s.Pos(), lastFailed, lastOffset, last.BadUTF8(), last.LoneSurrogate(), last.Pos())
		}
		if valid := json.Valid([]byte(text)); valid == failed {
			t.Fatalf("%q: got failed %t, want %t", text, failed, !valid)
		}
		if !failed && (s.BadUTF8() < 0) != utf8.ValidString(text) {
			t.Fatalf("%q: got bad UTF-8 at %d, want any %t", text, s.BadUTF8(), !utf8.ValidString(text))
		}
		if at := s.BadUTF8(); !failed && at >= 0 && !utf8.ValidString(text[:at]) {
			t.Fatalf("%q: got bad UTF-8 at %d, want it earlier", text, at)
		}
	}
}
