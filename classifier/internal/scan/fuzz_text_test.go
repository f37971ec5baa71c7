package scan

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzText compares the text of strings with what encoding/json makes of it,
// where that keeps it: half pairs and bad UTF-8 it replaces in its own way.
func FuzzText(f *testing.F) {
	for _, seed := range []string{"", "a", `\n\"\\`, `\u00e9`, `\ud83c\udf89`, `\ud83c`, "\xE2\x82", "re\u017Fult", "__proto__", `\u0000`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		raw := append(append([]byte{'"'}, data...), '"')
		var s Scanner
		s.Reset(raw, 0)
		if !s.Skip() || s.More() {
			return
		}
		got := string(AppendText(nil, data))
		if !Equal(raw, got) {
			t.Fatalf("%q: does not equal its own text %q", raw, got)
		}
		if Equal(raw, got+"x") || got != "" && got[len(got)-1] < 0x80 && Equal(raw, got[:len(got)-1]) {
			t.Fatalf("%q: equals a longer or a shorter text", raw)
		}
		if s.BadUTF8() >= 0 || s.LoneSurrogate() >= 0 {
			return
		}
		var want string
		if err := json.Unmarshal(raw, &want); err != nil || got != want {
			t.Fatalf("%q: got %q, want %q (%v)", raw, got, want, err)
		}
		s.Reset(append(append([]byte("{"), raw...), ":1}"...), 0)
		if s.Object(); bytes.IndexByte(s.Name(), '\\') < 0 && string(s.Name()) != want {
			t.Fatalf("%q: got the name %q, want %q", raw, s.Name(), want)
		}
	})
}
