package scan

import (
	"fmt"
	"strings"
	"testing"
)

// members writes down what a caller sees that enters everything.
func members(s *Scanner) string {
	var b strings.Builder
	switch s.Kind() {
	case Object:
		b.WriteByte('{')
		for more := s.Object(); more; more = s.NextMember() {
			fmt.Fprintf(&b, "%s@%d=%s;", s.Name(), s.NameStart(), members(s))
		}
		b.WriteByte('}')
	case Array:
		b.WriteByte('[')
		for more := s.Array(); more; more = s.NextElement() {
			b.WriteString(members(s) + ";")
		}
		b.WriteByte(']')
	default:
		v := s.Value()
		fmt.Fprintf(&b, "%d", v.Kind)
		if s.Good() {
			b.WriteString(string(s.buf[v.Start:v.End]))
		}
	}
	return b.String()
}

func TestCursor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{`{}`, `{}`},
		{` { } `, `{}`},
		{`{"a":1}`, `{a@1=41;}`},
		{"{ \"a\" :\t1 , \"bc\" : [ ] }", `{a@2=41;bc@12=[];}`},
		{`{"a":{"b":null,"c":true},"d":[1,"x",{}]}`, `{a@1={b@6=1null;c@15=3true;};d@25=[41;5"x";{};];}`},
		{`{":x":1,"a name that is long enough":2,":":3}`, `{:x@1=41;a name that is long enough@8=42;:@39=43;}`},
		{`[ ]`, `[]`},
		{`[ 1 , 2 ]`, `[41;42;]`},
		{`"x"`, `5"x"`},
		{`{"\u0080":1,"\u007f":2}`, "{\\u0080@1=41;\x7f@12=42;}"},
		{`{"res\u0075lt":1,"\ud83d":2,"caf\u00e9":3}`, `{result@1=41;\ud83d@17=42;caf\u00e9@28=43;}`},
	} {
		var s Scanner
		s.Reset([]byte(c.text), 0)
		s.More()
		if got := members(&s); got != c.want {
			t.Errorf("%s: got %s, want %s", c.text, got, c.want)
		}
		if offset, failed := s.Err(); failed || s.More() {
			t.Errorf("%s: got failed %t at %d, want the end of the text", c.text, failed, offset)
		}
	}
}

// TestCursorErrors has the cursor refuse what Skip refuses, at the same place.
func TestCursorErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text   string
		offset int
	}{
		{`{`, 1}, {`{ `, 2}, {`{,`, 1}, {`{"a"`, 4}, {`{"a" 1`, 5}, {`{"a":`, 5}, {`{"a":x`, 5}, {`{"a":1`, 6}, {`{"a":1,`, 7}, {`{"a":1,}`, 7},
		{`{"a":1]`, 6}, {`{"a":1 2`, 7}, {`{"a\x":1}`, 4}, {`{"a`, 3}, {`{1:1}`, 1}, {`{"a":{"b":[}}`, 11},
		{`[`, 1}, {`[ `, 2}, {`[,`, 1}, {`[1`, 2}, {`[1,`, 3}, {`[1,]`, 3}, {`[1}`, 2}, {`[1 2`, 3}, {`[[1,2],[`, 8}, {`[{"a":1},{"b"]`, 13},
		{`{"a\:1,"a name that is long enough":1}`, 4}, {`{"a` + "\x01" + `:1,"a name that is long enough":1}`, 3}, {`{"a_name_\:1,"a name that is long enough":1}`, 10},
		{`{"a` + "\xC3" + `:1,"a name that is long enough`, 8}, {`{"a_long_name_of_":1,"b` + "\xC3" + `:1,"a name that is long enough`, 28},
	} {
		var s Scanner
		s.Reset([]byte(c.text), 0)
		members(&s)
		if offset, failed := s.Err(); !failed || offset != c.offset {
			t.Errorf("%s: got failed %t at %d, want an error at %d", c.text, failed, offset, c.offset)
		}
	}
}

func TestCursorDepthCounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		inside int
		deep   int
	}{{98, -1}, {99, 104}} {
		text := `{"a":[` + strings.Repeat("[", c.inside) + strings.Repeat("]", c.inside) + `]}`
		var s Scanner
		s.Reset([]byte(text), 0)
		s.Object()
		s.Array()
		s.Skip()
		s.NextElement()
		s.NextMember()
		if offset, failed := s.Err(); failed || s.More() || s.Deep() != c.deep {
			t.Errorf("%d arrays inside two containers: got failed %t at %d, deep at %d; want deep at %d", c.inside, failed, offset, s.Deep(), c.deep)
		}
	}
}

// TestCursorDepthIsLeft enters many containers one after the other, which is
// not deep.
func TestCursorDepthIsLeft(t *testing.T) {
	t.Parallel()
	for _, element := range []string{`[]`, `[1]`, `[1,2]`, `{}`, `{"a":1}`, `{"a":1,"b":2}`} {
		text := "[" + strings.Repeat(element+",", 200) + "[[[]]]]"
		var s Scanner
		s.Reset([]byte(text), 0)
		for more := s.Array(); more; more = s.NextElement() {
			if s.Pos() < len(text)-len("[[[]]]]") {
				members(&s)
				continue
			}
			s.Skip()
		}
		if !s.Good() || s.Deep() != -1 {
			t.Errorf("%s many times: got good %t, deep at %d, want good, nowhere deep", element, s.Good(), s.Deep())
		}
	}
}

// TestCursorDeep enters a number of arrays and passes over the rest.
func TestCursorDeep(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ arrays, entered, deep int }{
		{100, 99, -1}, {100, 100, -1}, {101, 0, 100}, {101, 36, 100}, {101, 99, 100}, {101, 100, 100}, {101, 101, 100}, {102, 100, 100}, {102, 101, 100}, {102, 102, 100}, {300, 120, 100},
	} {
		text := strings.Repeat("[", c.arrays) + strings.Repeat("]", c.arrays)
		var s Scanner
		s.Reset([]byte(text), 0)
		more := true
		for range c.entered {
			more = s.Array()
		}
		if more {
			s.Skip()
		}
		for s.Good() && s.More() {
			s.NextElement()
		}
		if !s.Good() || s.Pos() != len(text) || s.Deep() != c.deep {
			t.Errorf("%d arrays, %d of them entered: got good %t, end %d, deep at %d, want good, %d, %d", c.arrays, c.entered, s.Good(), s.Pos(), s.Deep(), len(text), c.deep)
		}
	}
}
