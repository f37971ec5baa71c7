package scan

import (
	"strings"
	"testing"
)

// parse reads text as one value with white space around it. offset is that of
// the error; trailing tells that it is behind a whole value.
func parse(text string) (offset int, failed, trailing bool) {
	var s Scanner
	s.Reset([]byte(text), 0)
	s.More()
	s.Skip()
	if offset, failed = s.Err(); failed {
		return offset, true, false
	}
	if s.More() {
		return s.Pos(), true, true
	}
	return 0, false, false
}

func TestSkipAccepts(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`null`, `true`, `false`, `0`, `-0`, `1`, `-1`, `10`, `1.5`, `0.25`, `1e5`, `1E+02`, `1e-400`, `1.0e00`, `-0.0E-0`, `123456789012345678901234567890`,
		`""`, `"a"`, `"seven77"`, `"eight888"`, `"nine 9999"`, `"\""`, `"\\"`, `"\/\b\f\n\r\t"`, `"\u0000\uFFFF\uabCD"`,
		`"\uD834\uDD1E"`, `"\uD800"`, `"\uDC00\uD800"`, `"\uD800\n"`, "\"\x7F\"", "\"\u2028\u2029\"", "\"\xFF\xFE\"", "\"\xE2\x82\"",
		`[]`, `[ ]`, `[1]`, `[1,2]`, `[ 1 , 2 ]`, `[[]]`, `[[],[]]`, `[{}]`, `[null,true,false]`, `[0]`, `[-1]`, `[1.5,2e1]`,
		`{}`, `{ }`, `{"a":1}`, `{"a":1,"b":2}`, `{ "a" : 1 , "b" : [ ] }`, `{"":""}`, `{"a":{"b":{"c":[]}}}`, `{"a":1,"a":2}`,
		"[1,\r2,\n3,\t4, 5]", "{\"a\":\r1,\r\"b\":\t2,\n\"c\":\n3}", "[   [[1],   [2]],   {\"a\":   [3],   \"b\":\n\n[[4]]}   ]       ",
		" \t\r\n1 \t\r\n", "\n\n\n\n\n\n\n\n\n\n1", "[1,\n          2,\n          3]", "{\n  \"a\" :\t1\r\n}",
		`["a longer string that spans more than one block of bytes, and a bit", "and\nanother \"one\" with escapes \\ in it; and é, 東京, 🎉 too"]`,
		`{"a name of more than eight bytes":"x","a name with \u0065scapes":1}`,
		strings.Repeat("[", 64) + strings.Repeat("]", 64),
		strings.Repeat("[", 65) + strings.Repeat("]", 65),
		strings.Repeat("[", 400) + strings.Repeat("]", 150) + "," + strings.Repeat(`{"":`, 150) + "1" + strings.Repeat("}", 150) + strings.Repeat("]", 250),
		strings.Repeat("[", 700) + strings.Repeat("]", 450) + "," + strings.Repeat(`{"":`, 450) + "1" + strings.Repeat("}", 450) + strings.Repeat("]", 250),
		strings.Repeat(`{"a":[`, 32) + "[1,2]" + strings.Repeat("]}", 32),
		strings.Repeat(`{"a":[`, 200) + strings.Repeat("]}", 200),
		strings.Repeat("[", 64) + strings.Repeat("[],[[]],", 70) + "1" + strings.Repeat("]", 64),
	} {
		if offset, failed, _ := parse(text); failed {
			t.Errorf("%.60q: got an error at %d, want none", text, offset)
		}
	}
}

func TestSkipRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text     string
		offset   int
		trailing bool
	}{
		{"", 0, false}, {" \n", 2, false},
		{"tru", 3, false}, {"trux", 3, false}, {"t", 1, false}, {"nul", 3, false}, {"nil", 1, false}, {"fals", 4, false}, {"falsy", 4, false},
		{"[tru]", 4, false}, {"[falsch,1]", 5, false}, {"[nulls]", 5, false},
		{"True", 0, false}, {"NaN", 0, false}, {"Infinity", 0, false}, {"'a'", 0, false}, {"+1", 0, false}, {".5", 0, false},
		{"nulll", 4, true}, {"true false", 5, true}, {"1 2", 2, true}, {"{}x", 2, true}, {`{"a":1}}`, 7, true}, {"[] ,", 3, true}, {`""""`, 2, true},
		{"01", 1, true}, {"-01", 2, true}, {"1a", 1, true}, {"0x10", 1, true}, {"1.5.", 3, true}, {"1e5e", 3, true}, {"1+", 1, true},
		{"-", 1, false}, {"-a", 1, false}, {"1.", 2, false}, {"1.x", 2, false}, {"1e", 2, false}, {"1ex", 2, false}, {"1e+", 3, false}, {"1.5e-x", 5, false}, {"-.5", 1, false},
		{"-\xD0 and some more", 1, false}, {"-: and some more", 1, false}, {"1.: and some more", 2, false}, {"1e: and some more", 2, false},
		{"\xCF and some more", 0, false}, {"\xD0 and some more", 0, false}, {"\xD7 and some more", 0, false}, {"1: and some more", 1, true}, {"1:", 1, true}, {"12:3", 2, true},
		{":", 0, false}, {":1 and some more", 0, false}, {"[:1 and some more", 1, false}, {"[ \x01 and some more", 2, false}, {"[1  \x0B and some more", 4, false}, {"[ \x0C", 2, false},
		{"[01]", 2, false}, {"[1.]", 3, false}, {"[1.e1]", 3, false}, {"[-]", 2, false}, {"[1e]", 3, false}, {"[1", 2, false}, {"[1.5", 4, false}, {"[1.5e", 5, false},
		{`"`, 1, false}, {`"abc`, 4, false}, {`"a longer string without an end, of many bytes`, 46, false}, {`"\`, 2, false}, {`"\x"`, 2, false}, {`"\u12`, 5, false}, {`"\u12G4"`, 5, false}, {`"\uD800\u12"`, 11, false}, {`"\uD800\x"`, 8, false},
		{`"a longer string, 40 bytes and then some \q"`, 42, false},
		{"\"\x00\"", 1, false}, {"\"a\nb\"", 2, false}, {"\"a longer string with a tab behind 32 bytes\t\"", 43, false}, {"\"\x1F\"", 1, false},
		{"[", 1, false}, {"[,", 1, false}, {"[1,", 3, false}, {"[1,]", 3, false}, {"[1 2]", 3, false}, {"[1}", 2, false}, {"[}", 1, false}, {"]", 0, false}, {"[1,,2]", 3, false},
		{"{", 1, false}, {"{,", 1, false}, {`{"a"`, 4, false}, {`{"a":`, 5, false}, {`{"a":}`, 5, false}, {`{"a" 1}`, 5, false}, {`{"a":1,}`, 7, false}, {`{"a":1]`, 6, false}, {`{]`, 1, false}, {`{a:1}`, 1, false}, {`{"a":1 "b":2}`, 7, false}, {`{1:2}`, 1, false}, {`{"a",1}`, 4, false}, {`{"a":1;}`, 6, false},
		{"[\x0B1]", 1, false}, {"[1\x0C]", 2, false}, {"\xA0", 0, false}, {"[1\x00]", 2, false}, {"[\xEF\xBB\xBF1]", 1, false}, {"\xE2\x82", 0, false}, {"1\xFF", 1, true},
		{"// c\n1", 0, false}, {"[1/**/]", 2, false},
		{strings.Repeat("[", 100), 100, false}, {strings.Repeat("[", 65) + strings.Repeat("]", 64) + "}", 129, false},
		{strings.Repeat(`{"a":`, 65) + "1" + strings.Repeat("}", 64) + "]", 390, false},
	} {
		offset, failed, trailing := parse(c.text)
		if !failed || offset != c.offset || trailing != c.trailing {
			t.Errorf("%.60q: got failed %t at %d, trailing %t; want an error at %d, trailing %t", c.text, failed, offset, trailing, c.offset, c.trailing)
		}
	}
}

// TestSkipEveryCut cuts texts everywhere. All of a cut text is a prefix of a
// JSON text, so that the error is at its end.
func TestSkipEveryCut(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"a name, rather long":[1.5e+10,-0,true,false,null,"x\u00e9\ud83d\ude00\n"],"b":{"c":{}},"d":"` + "naïve 東京 🎉, and more text to fill a block" + `"}`,
		"[ [ { \"a\" : \"b\" } ] ,\n      [ ] ]",
	} {
		for n := 1; n < len(text); n++ {
			if offset, failed, trailing := parse(text[:n]); !failed || offset != n || trailing {
				t.Errorf("%q: got failed %t at %d, want an error at %d", text[:n], failed, offset, n)
			}
		}
	}
}

func TestSkipFinds(t *testing.T) {
	t.Parallel()
	pad := strings.Repeat("p", 40)
	for _, c := range []struct {
		name, text         string
		bad, half, deepest int
	}{
		{"plain", `["a"]`, -1, -1, -1},
		{"good UTF-8", `"é 東京 🎉 ` + pad + ` é 東京 🎉 ࠀ ퟿  𐀀 ` + "\U0010FFFF" + `"`, -1, -1, -1},
		{"a single byte", "\"a\xFF\"", 2, -1, -1},
		{"a single byte in a block", "\"" + pad + "\x80" + pad + "\"", 41, -1, -1},
		{"the second of two", "\"" + pad + "\xC3\xA9\xC3" + pad + "\"", 43, -1, -1},
		{"too long for its character", "\"" + pad + "\xC0\x80" + pad + "\"", 41, -1, -1},
		{"too long, three bytes", "\"" + pad + "\xE0\x9F\xBF" + pad + "\"", 41, -1, -1},
		{"half a pair", "\"" + pad + "\xED\xA0\x80" + pad + "\"", 41, -1, -1},
		{"too long, four bytes", "\"" + pad + "\xF0\x8F\xBF\xBF" + pad + "\"", 41, -1, -1},
		{"above the last character", "\"" + pad + "\xF4\x90\x80\x80" + pad + "\"", 41, -1, -1},
		{"no such first byte", "\"" + pad + "\xF5\x80\x80\x80" + pad + "\"", 41, -1, -1},
		{"third byte missing", "\"" + pad + "\xE2\x82" + pad + "\"", 41, -1, -1},
		{"fourth byte missing", "\"" + pad + "\xF0\x9F\x98" + pad + "\"", 41, -1, -1},
		{"in a run", "\"" + strings.Repeat("東", 20) + "\xE6\x9D" + strings.Repeat("東", 20) + "\"", 61, -1, -1},
		{"cut off by the quote", "\"" + pad + "\xE2\x82\"", 41, -1, -1},
		{"in a name", "{\"\xFF\":1}", 2, -1, -1},
		{"the first of several", "[\"\xFF\",\"\xFF\"]", 2, -1, -1},
		{"high half", `"\uD800"`, -1, 1, -1},
		{"low half", `"a\udfff"`, -1, 2, -1},
		{"halves in the wrong order", `"\uDC00\uD800"`, -1, 1, -1},
		{"two low halves", `"\uDC00\uDC00"`, -1, 1, -1},
		{"two low halves in a long string", `"` + pad + `\uDC00\uDC00` + pad + `"`, -1, 41, -1},
		{"pair", `"\uD800\uDC00\udbff\udfff"`, -1, -1, -1},
		{"a half before a pair", `"\uD800\uD800\uDC00"`, -1, 1, -1},
		{"a half after a pair", `"\uD800\uDC00\uDC00"`, -1, 13, -1},
		{"halves apart", `"\uD800 \uDC00"`, -1, 1, -1},
		{"halves in two strings", `["\uD800","\uDC00"]`, -1, 2, -1},
		{"escaped backslash before u", `"\\uD800"`, -1, -1, -1},
		{"in a long string", `"` + pad + `\uD800` + pad + `"`, -1, 41, -1},
		{"a hundred deep", strings.Repeat("[", 100) + strings.Repeat("]", 100), -1, -1, -1},
		{"a hundred and one", strings.Repeat("[", 101) + strings.Repeat("]", 101), -1, -1, 100},
		{"deep twice", "[" + strings.Repeat("[", 100) + strings.Repeat("]", 100) + "," + strings.Repeat("[", 100) + strings.Repeat("]", 100) + "]", -1, -1, 100},
		{"deep the second time", "[" + strings.Repeat("[", 99) + strings.Repeat("]", 99) + "," + strings.Repeat("{\"\":", 100) + "1" + strings.Repeat("}", 100) + "]", -1, -1, 596},
	} {
		var s Scanner
		s.Reset([]byte(c.text), 0)
		if !s.Skip() || s.More() {
			offset, _ := s.Err()
			t.Errorf("%s: got an error at %d, want none", c.name, offset)
		}
		if s.BadUTF8() != c.bad || s.LoneSurrogate() != c.half || s.Deep() != c.deepest {
			t.Errorf("%s: got bad UTF-8 at %d, half a pair at %d, deep at %d; want %d, %d, %d", c.name, s.BadUTF8(), s.LoneSurrogate(), s.Deep(), c.bad, c.half, c.deepest)
		}
		if odd := c.bad >= 0 || c.half >= 0 || c.deepest >= 0; s.Odd() != odd {
			t.Errorf("%s: got odd %t, want %t", c.name, s.Odd(), odd)
		}
	}
}

// TestSkipEnormous is about texts that overflow a stack, or take a minute, elsewhere.
func TestSkipEnormous(t *testing.T) {
	t.Parallel()
	const million = 1_000_000
	for _, c := range []struct {
		name, text string
		offset     int // of the error, -1 if there is none
	}{
		{"a million arrays", strings.Repeat("[", million) + strings.Repeat("]", million), -1},
		{"a million objects", strings.Repeat(`{"a":`, million) + "1" + strings.Repeat("}", million), -1},
		{"a million arrays, one closed wrongly", strings.Repeat("[", million) + strings.Repeat("]", million-1) + "}", 2*million - 1},
		{"20 MB of brackets", strings.Repeat("[", 20<<20), 20 << 20},
		{"20 MB of brackets and braces", strings.Repeat(`[{"":`, 4<<20), 20 << 20},
		{"a string of quotes", `"` + strings.Repeat(`\"`, million) + `"`, -1},
		{"a number of a million digits", strings.Repeat("7", million), -1},
	} {
		var s Scanner
		s.Reset([]byte(c.text), 0)
		s.Skip()
		offset, failed := s.Err()
		if failed != (c.offset >= 0) || failed && offset != c.offset {
			t.Errorf("%s: got failed %t at %d, want %d", c.name, failed, offset, c.offset)
		}
	}
}

func TestSkipAllocatesNothing(t *testing.T) {
	text := []byte(`{"a":[1,2.5e3,{"b":"c\u00e9\n","d":null}],"e":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `}`)
	var s Scanner
	if n := testing.AllocsPerRun(100, func() {
		s.Reset(text, 0)
		if !s.Skip() {
			t.Error("got an error, want none")
		}
	}); n != 0 {
		t.Errorf("got %v allocations, want 0", n)
	}
}

// TestSkipFindsPairAtTheEnd is about a pair that is whole though its string is not.
func TestSkipFindsPairAtTheEnd(t *testing.T) {
	t.Parallel()
	var s Scanner
	s.Reset([]byte(`"\uD834\uDD1E`), 0)
	if s.Skip() || s.LoneSurrogate() != -1 {
		t.Errorf("got good %t, half a pair at %d, want an error and no half", s.Good(), s.LoneSurrogate())
	}
}
