package scan

import (
	"fmt"
	"strings"
	"testing"
)

// The scanner looks at 8 and at 64 bytes together, and does otherwise near the
// end of the text. Where something stands must not matter.

// TestStringsAtEveryPlace has one odd thing after every number of plain bytes.
func TestStringsAtEveryPlace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		piece     string
		bad, half bool // whether it is bad UTF-8, or an escaped half of a pair
		fails     int  // how far into it the string stops being one; -1 if it does not
	}{
		{"x", false, false, -1}, {" ", false, false, -1}, {"!", false, false, -1}, {"#", false, false, -1}, {"[", false, false, -1},
		{"]", false, false, -1}, {"\x7F", false, false, -1}, {`\n`, false, false, -1}, {`\"`, false, false, -1}, {`\\`, false, false, -1},
		{`\/`, false, false, -1}, {`\n\n`, false, false, -1}, {`\\\"`, false, false, -1}, {`\u00e9`, false, false, -1},
		{`\u0022`, false, false, -1}, {`\ud83d\ude00`, false, false, -1}, {`\uD800\uDC00`, false, false, -1}, {`\uDBFF\uDFFF`, false, false, -1},
		{`\uE000`, false, false, -1}, {`\uD7FF`, false, false, -1}, {"é", false, false, -1}, {"߿", false, false, -1}, {"ࠀ", false, false, -1},
		{"東", false, false, -1}, {"\uD7FF", false, false, -1}, {"\uE000", false, false, -1}, {"\U00010000", false, false, -1}, {"\U0010FFFF", false, false, -1},
		{"東京都千代田区", false, false, -1}, {"éééééééé", false, false, -1}, {"🎉🎉🎉🎉", false, false, -1},
		{"\x80", true, false, -1}, {"\xBF", true, false, -1}, {"\xC0\x80", true, false, -1}, {"\xC1\xBF", true, false, -1}, {"\xC2x", true, false, -1},
		{"\xE0\x9F\xBF", true, false, -1}, {"\xE2\x82x", true, false, -1}, {"\xED\xA0\x80", true, false, -1}, {"\xF0\x8F\xBF\xBF", true, false, -1},
		{"\xF0\x9F\x92x", true, false, -1}, {"\xF4\x90\x80\x80", true, false, -1}, {"\xF5\x80\x80\x80", true, false, -1}, {"\xFF", true, false, -1}, {"\xFFu0041", true, false, -1},
		{`\ud800`, false, true, -1}, {`\uDFFF`, false, true, -1}, {`\udbffx`, false, true, -1}, {`\ud800\n`, false, true, -1}, {`\ud800\u0041`, false, true, -1},
		{`\ude00\ud83d`, false, true, -1}, {`\ud800\ue000`, false, true, -1},
		{"\t", false, false, 0}, {"\x00", false, false, 0}, {"\x1F", false, false, 0}, {`\x`, false, false, 1}, {`\U0041`, false, false, 1},
		{`\ux000`, false, false, 2}, {`\u0x00`, false, false, 3}, {`\u00x0`, false, false, 4}, {`\u000x`, false, false, 5}, {`\ud800\ug000`, false, true, 8},
		{`\u000G`, false, false, 5}, {`\u000/`, false, false, 5}, {`\u000:`, false, false, 5}, {`\u000@`, false, false, 5}, {"\\u000`", false, false, 5},
	} {
		for _, tail := range []int{0, 1, 5, 9, 90} {
			for lead := range 140 {
				at := 1 + lead
				text := `"` + strings.Repeat("x", lead) + c.piece + strings.Repeat("y", tail) + `"`
				var s Scanner
				s.Reset([]byte(text), 0)
				s.Skip()
				offset, failed := s.Err()
				want, end := 0, len(text)
				if c.fails >= 0 {
					want = at + c.fails
				}
				if failed != (c.fails >= 0) || offset != want || s.Pos() != end {
					t.Fatalf("%q after %d bytes, before %d: got failed %t at %d, end %d, want %t at %d, %d", c.piece, lead, tail, failed, offset, s.Pos(), c.fails >= 0, want, end)
				}
				if wantBad := placeIf(c.bad, at); s.BadUTF8() != wantBad {
					t.Fatalf("%q after %d bytes, before %d: got bad UTF-8 at %d, want %d", c.piece, lead, tail, s.BadUTF8(), wantBad)
				}
				if half := s.LoneSurrogate(); c.fails < 0 && c.piece != `\ude00\ud83d` && half != placeIf(c.half, at) {
					t.Fatalf("%q after %d bytes, before %d: got half a pair at %d, want %d", c.piece, lead, tail, half, placeIf(c.half, at))
				}
			}
		}
	}
}

func placeIf(is bool, at int) int {
	if is {
		return at
	}
	return -1
}

// TestUnterminatedStrings cuts a string after every number of bytes.
func TestUnterminatedStrings(t *testing.T) {
	t.Parallel()
	for _, inner := range []string{"", "x", `\n`, `\u00e9`, "é", `\\`, `\"`} {
		for lead := range 140 {
			text := `"` + strings.Repeat("x", lead) + inner
			var s Scanner
			s.Reset([]byte(text), 0)
			s.Skip()
			if offset, failed := s.Err(); !failed || offset != len(text) {
				t.Fatalf("%q: got failed %t at %d, want at %d", text, failed, offset, len(text))
			}
		}
	}
}

// TestNamesAtEveryLength has names of every length, with and without escapes,
// entered and passed over, far from the end of the text and near it.
func TestNamesAtEveryLength(t *testing.T) {
	t.Parallel()
	for n := range 40 {
		for _, odd := range []string{"", "é", `\n`, `\u0061`} {
			for _, gap := range []string{"", " "} {
				for _, tail := range []int{0, 4, 30} {
					name := strings.Repeat("n", n) + odd
					text := fmt.Sprintf(`{"%s"%s:%s1%s,"z":[2]%s}`, name, gap, gap, gap, strings.Repeat(" ", tail))
					want := name
					if n+1 <= 24 { // what is longer stays as written
						want = strings.NewReplacer(`\u0061`, "a", `\n`, "\n").Replace(name)
					}
					var s Scanner
					s.Reset([]byte(text), 0)
					if !s.Object() || string(s.Name()) != want || string(s.RawName()) != name || s.NameStart() != 1 {
						t.Fatalf("%s: got the name %q at %d, want %q at 1", text, s.Name(), s.NameStart(), want)
					}
					if v := s.Value(); v.Kind != Number || text[v.Start:v.End] != "1" {
						t.Fatalf("%s: got kind %d from %d to %d, want the 1", text, v.Kind, v.Start, v.End)
					}
					if !s.NextMember() || string(s.Name()) != "z" || !s.Skip() || s.NextMember() || !s.Good() || s.More() {
						t.Fatalf("%s: got no second member z, or no end after it", text)
					}
					var whole Scanner
					whole.Reset([]byte("["+text+"]"), 0)
					if !whole.Skip() || whole.Pos() != len(text)+2 {
						at, _ := whole.Err()
						t.Fatalf("[%s]: passing over it failed at %d", text, at)
					}
				}
			}
		}
	}
}

// TestNumbersAtEveryLength has numbers of every length before everything that
// may follow one, and what spoils them.
func TestNumbersAtEveryLength(t *testing.T) {
	t.Parallel()
	for n := 1; n < 28; n++ {
		for m := range 28 {
			for _, sign := range []string{"", "-"} {
				number := sign + strings.Repeat("7", n)
				if m > 0 {
					number += "." + strings.Repeat("0", m)
				}
				for _, exponent := range []string{"", "e5", "E-05", "e+123456789"} {
					for _, tail := range []string{"]", " ]", ",0]", ",0,1,2,3,4,5,6,7,8,9]"} {
						text := "[" + number + exponent + tail
						var s Scanner
						s.Reset([]byte(text), 0)
						if !s.Skip() || s.Pos() != len(text) {
							at, _ := s.Err()
							t.Fatalf("%s: got an error at %d", text, at)
						}
					}
				}
			}
		}
	}
	for _, c := range []struct {
		number string
		fails  int
	}{
		{"00", 1}, {"01", 1}, {"-", 1}, {"--1", 1}, {"-x", 1}, {"-00", 2}, {"-01", 2}, {"00000000", 1}, {"012345678", 1}, {"1x", 1}, {"12345678x", 8},
		{"1.", 2}, {"1.x", 2}, {"1..", 2}, {"1.e5", 2}, {"1.-", 2}, {"1234567.x", 8}, {"12345678.x", 9}, {"123456789.x", 10}, {"0.x", 2}, {"-0.x", 3},
		{"1.2.3", 3}, {"1.1234567.8", 9}, {"1.12345678.9", 10}, {"1e", 2}, {"1ex", 2}, {"1e+", 3}, {"1e+x", 3}, {"1e5.5", 3}, {"1e5e5", 3}, {"12345678e", 9},
		{"1.5e", 4}, {"+1", 0}, {".5", 0}, {"0x1", 1}, {"1/", 1}, {"1:", 1}, {"-:", 1}, {"1e5:", 3}, {"1.5e-5:", 6}, {"1.25e5:", 6}, {"-/", 1}, {"1.:", 2}, {"1./", 2}, {"1e:", 2}, {"1e/", 2}, {"1e+:", 3}, {"1e-/", 3}, {"-\xD0", 1}, {"-\xD9", 1}, {"1.\xD0", 2}, {"1e\xD9", 2}, {"1.5/", 3}, {"1.5:", 3},
	} {
		for _, tail := range []string{"]", "]" + strings.Repeat(" ", 20)} {
			for _, lead := range []string{"[", "[1,", `{"a":`} {
				text := lead + c.number + tail
				var s Scanner
				s.Reset([]byte(text), 0)
				s.Skip()
				if at, failed := s.Err(); !failed || at != len(lead)+c.fails {
					t.Errorf("%s: got failed %t at %d, want at %d", text, failed, at, len(lead)+c.fails)
				}
			}
		}
	}
}

// TestLiterals has each of the three, and each spoilt at each of its letters.
func TestLiterals(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"true", "false", "null"} {
		for _, tail := range []string{"", ",1", strings.Repeat(",1", 9)} {
			text := "[" + word + tail + "]"
			var s Scanner
			s.Reset([]byte(text), 0)
			if !s.Skip() || s.Pos() != len(text) {
				t.Errorf("%s: got an error", text)
			}
			for k := 1; k < len(word); k++ {
				for _, c := range []byte{'x', word[k] ^ 0x20, word[k] + 1, '"', ']', 0} {
					spoilt := []byte(text)
					spoilt[1+k] = c
					s.Reset(spoilt, 0)
					s.Skip()
					if at, failed := s.Err(); !failed || at != 1+k {
						t.Errorf("%q: got failed %t at %d, want at %d", spoilt, failed, at, 1+k)
					}
				}
			}
		}
		for k := range len(word) {
			var s Scanner
			s.Reset([]byte("["+word[:k]), 0)
			s.Skip()
			if at, failed := s.Err(); !failed || at != 1+k {
				t.Errorf("[%s: got failed %t at %d, want at %d", word[:k], failed, at, 1+k)
			}
		}
	}
}

// TestNothingBehindTheText cuts texts everywhere, with the rest of them still
// in memory before and behind what is read. None of it must be looked at: the
// error is at the end.
func TestNothingBehindTheText(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`["plain", "a longer string of bytes", "` + strings.Repeat("x", 150) + `", ""]`,
		`["\n\u00e9\ud83d\ude00", "naïve 東京 🎉 ` + strings.Repeat("é東", 40) + `"]`,
		`{"a":1,"name":true,"a longer name":null,"the longest name of all of them":false,"\u0061":"x"}`,
		`[1234567890.1234567890e+1234567890,-0.5,12345678,1.12345678,1e12345678,123456789012345678901234567890]`,
		`[true,false,null,true,false,null,true]`,
		"[          \n\t\r          1\n\n\n\n\n\n\n\n\n\n\n\n,2          ]",
		`[[[[[[[[[[{"a":[{"a":[{"a":[]}]}]}]]]]]]]]]]`,
	} {
		for _, before := range []string{"", "1", `"`, `\\\\\\\\"`, "        "} {
			for n := 1; n < len(text); n++ {
				memory := []byte(before + text + text)
				cut := memory[len(before) : len(before)+n]
				for _, read := range []func(*Scanner){func(s *Scanner) { s.Skip() }, func(s *Scanner) { members(s) }} {
					var s Scanner
					s.Reset(cut, 0)
					read(&s)
					if at, failed := s.Err(); !failed || at != n {
						t.Fatalf("%q behind %q: got failed %t at %d, want at %d", cut, before, failed, at, n)
					}
				}
			}
		}
	}
}
