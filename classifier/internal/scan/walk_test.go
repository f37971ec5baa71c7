package scan

import (
	"strings"
	"testing"
)

// TestWalkStops is about what walk passes by itself, and what it leaves to its
// caller, who would come to the same by a slower way.
func TestWalkStops(t *testing.T) {
	t.Parallel()
	const pad = "                "
	for _, c := range []struct {
		name, text string
		i          int
		why        stop
	}{
		{"a string of no bytes", `""` + pad, 2, stopDone},
		{"a short string", `"abc"` + pad, 5, stopDone},
		{"seven bytes at the end", `"abcdefg"`, 9, stopDone},
		{"eight bytes at the end", `"abcdefgh"`, 10, stopDone},
		{"fourteen bytes at the end", `"abcdefghabcdef"`, 16, stopDone},
		{"23 bytes", `"` + strings.Repeat("x", 23) + `"` + pad, 25, stopDone},
		{"24 bytes", `"` + strings.Repeat("x", 24) + `"` + pad, 25, stopString},
		{"24 bytes at the end", `"` + strings.Repeat("x", 24) + `"`, 26, stopDone},
		{"31 bytes", `"` + strings.Repeat("x", 31) + `"` + pad, 25, stopString},
		{"a string in a text too short for a look at eight bytes", `"abc"`, 1, stopString},
		{"an escape", `"abc\n"` + pad, 4, stopString},
		{"an escape behind eight bytes", `"abcdefgh\n"` + pad, 9, stopString},
		{"an escape near the end", `"abcdefgh\n"`, 9, stopString},
		{"é", `"abcé"` + pad, 4, stopString},

		{"zero", `0` + pad, 1, stopDone},
		{"zero, eight bytes to the end", `0       `, 1, stopDone},
		{"minus zero", `-0` + pad, 2, stopDone},
		{"a zero before a digit", `01` + pad, 0, stopNumber},
		{"seven digits, eight bytes to the end", `1234567 `, 7, stopDone},
		{"six digits, seven bytes to the end", `123456 `, 0, stopNumber},
		{"fifteen digits, sixteen bytes to the end", `123456781234567 `, 15, stopDone},
		{"fifteen digits and no more", `123456781234567`, 0, stopNumber},
		{"eight digits", `12345678` + pad, 8, stopDone},
		{"a minus", `-12` + pad, 3, stopDone},
		{"a minus alone", `-` + pad, 0, stopNumber},
		{"a fraction, ten bytes to the end", `1.234567  `, 8, stopDone},
		{"a fraction, nine bytes to the end", `1.234567 `, 0, stopNumber},
		{"a fraction of seven digits", `1.2345678` + pad, 9, stopDone},
		{"a fraction of eight digits", `1.23456789` + pad, 0, stopNumber},
		{"a fraction of none", `1.` + pad, 0, stopNumber},
		{"an exponent", `1e5` + pad, 0, stopNumber},
		{"an exponent behind a fraction", `1.5E5` + pad, 0, stopNumber},
		{"a second point", `1.5.` + pad, 0, stopNumber},
		{"a colon", `:` + pad, 0, stopError},
		{"a slash", `/` + pad, 0, stopError},

		{"true, eight bytes to the end", `true    `, 4, stopDone},
		{"null, eight bytes to the end", `null    `, 4, stopDone},
		{"false, eight bytes to the end", `false   `, 5, stopDone},
		{"true, seven bytes to the end", `true   `, 0, stopLiteral},
		{"no literal", `trueish or nullish`[:3] + pad, 0, stopLiteral},
		{"half of one and half of another", `trll` + pad, 0, stopLiteral},
		{"nothing like false", `falsy` + pad, 0, stopLiteral},

		{"a name of seven bytes at the end", `{"abcdefg"`, 10, stopError},
		{"a name of six bytes at the end", `{"abcdef"`, 2, stopString},
		{"a name of fifteen bytes at the end", `{"abcdefghabcdefg"`, 18, stopError},
		{"a name of fourteen bytes at the end", `{"abcdefghabcdef"`, 10, stopString},
		{"a name of sixteen bytes", `{"abcdefghabcdefgh"` + pad, 18, stopString},
		{"a name with an escape", `{"abc\n"` + pad, 5, stopString},
		{"a name with an escape behind eight bytes", `{"abcdefghabc\n"` + pad, 13, stopString},
		{"an object", `{"a":1}` + pad, 7, stopDone},
		{"white space everywhere", "{ \"a\"  :\t1\r\n,\n          \"b\" : [ ] } " + pad, 35, stopDone},
		{"the end in white space", "[          ", 11, stopError},
	} {
		i, _, _, _, why := walk([]byte(c.text), 0, 0, 0, 64, atValue)
		if i != c.i || why != c.why {
			t.Errorf("%s: got stop %d at %d, want %d at %d", c.name, why, i, c.why, c.i)
		}
	}
}

func TestPlainEnd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want int
	}{
		{`"1234567`, 1}, {`1234567"`, 8}, {`123456"`, 0}, {`12345678"2345678`, 9}, {`12345678"234567`, 0},
		{`1234567812345678123"5678`, 20}, {`12345678123456781234567"`, 24}, {`123456781234567812345678"2345678`, 0},
		{`123\"678`, 0}, {`12345678123\"678`, 0}, {"é234567\"", 0}, {`1234567812345678`, 0}, {``, 0},
	} {
		if got := plainEnd([]byte(c.text), 0); got != c.want {
			t.Errorf("%s: got %d, want %d", c.text, got, c.want)
		}
	}
}

func TestQuoteNearEnd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text    string
		i, want int
	}{
		{`1234567"`, 7, 8}, {`123456"8`, 6, 7}, {`1"345678`, 1, 2}, {`1"3456"8`, 2, 7}, {`1"3456"`, 1, 0}, {`123"5678`, 0, 0},
		{`0123456789ab"`, 6, 13}, {`0123456789ab"`, 5, 0}, {`0123456789ab"`, 13, 0}, {`0123456789ab`, 6, 0}, {`0123456789\"`, 6, 0},
	} {
		if got := quoteNearEnd([]byte(c.text), c.i); got != c.want {
			t.Errorf("%s from %d: got %d, want %d", c.text, c.i, got, c.want)
		}
	}
}

// TestPlainMember is about the names that need no general reading.
func TestPlainMember(t *testing.T) {
	t.Parallel()
	const pad = "                "
	for _, c := range []struct {
		name, text string
		pos        int // of the value, 0 if the name is not plain
	}{
		{"a name", `"id":1` + pad, 5},
		{"no bytes", `"":1` + pad, 3},
		{"seven bytes", `"content":1` + pad, 10},
		{"eight bytes", `"contents":1` + pad, 11},
		{"fifteen bytes", `"abcdefghabcdefg":1` + pad, 18},
		{"sixteen bytes", `"abcdefghabcdefgh":1` + pad, 0},
		{"nineteen bytes to the end", `"id":1,"b":1,"c":1}`, 5},
		{"eighteen bytes to the end", `"id":1,"b":1,"c":1`, 0},
		{"an escape", `"i\u0064":1` + pad, 0},
		{"an escape behind eight bytes", `"contents\n":1` + pad, 0},
		{"a space before the colon", `"id" :1` + pad, 0},
		{"a space before the value", `"id": 1` + pad, 0},
		{"no quote", `'id":1` + pad, 0},
	} {
		var s Scanner
		s.Reset([]byte(c.text), 0)
		if plain := s.plainMember(0); plain != (c.pos > 0) || s.Pos() != c.pos {
			t.Errorf("%s: got plain %t, then at %d, want %d", c.name, plain, s.Pos(), c.pos)
		}
	}
}

func TestCharacters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want int
	}{
		{"", 0}, {"abcd", 0}, {"東京都a", 9}, {"東京都", 6}, {"éé", 2}, {"ééabcd", 4}, {"éé東京", 7}, {"東a東abcd", 3}, {"é🎉abcd", 2},
		{"ࠀabcd", 3}, {"\xE0\x9F\xBFabcd", 0}, {"\uD7FFabcd", 3}, {"\xED\xA0\x80abcd", 0}, {"\uE000abcd", 3},
		{"\xC2\x80ab", 2}, {"\xC1\xBFab", 0}, {"\xC3ab\x80", 0}, {"\xE6\x9Dab", 0}, {"\xE6a\x9Db", 0},
	} {
		if got := characters([]byte(c.text), 0); got != c.want {
			t.Errorf("%q: got %d, want %d", c.text, got, c.want)
		}
	}
}
