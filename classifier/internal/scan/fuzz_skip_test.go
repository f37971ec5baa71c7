package scan

import (
	"encoding/json"
	"testing"
)

// FuzzSkip compares Skip with encoding/json where that cannot err: it nests at
// most 10,000 deep. What Skip refuses it must refuse at a place up to which
// some JSON text goes.
func FuzzSkip(f *testing.F) {
	for _, c := range benchTexts() {
		f.Add([]byte(c.text[:200]))
	}
	for _, seed := range []string{`{"a":[1,-0.5e+3,true,false,null,"\u00e9\ud83d\ude00\n"]}`, "[[[{}]]]", " \n1\t", "01", "tru", `"\x"`, "\"\xE2\x82\"", "[1,]", `{"a" : "b" , "c":{}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 9000 {
			return
		}
		var s Scanner
		s.Reset(data, 0)
		s.More()
		s.Skip()
		offset, failed := s.Err()
		valid := !failed && !s.More()
		if want := json.Valid(data); valid != want {
			t.Fatalf("%q: got valid %t, want %t", data, valid, want)
		}
		if !failed {
			return
		}
		if offset > len(data) {
			t.Fatalf("%q: got an error at %d", data, offset)
		}
		if offset < len(data) {
			// What goes before the byte in question must be fine, and with it must not.
			var again Scanner
			again.Reset(data[:offset], 0)
			again.More()
			again.Skip()
			if at, cut := again.Err(); cut && at != offset {
				t.Fatalf("%q: got an error at %d, but its first %[2]d bytes fail at %d", data, offset, at)
			}
			again.Reset(data[:offset+1], 0)
			again.More()
			again.Skip()
			if at, cut := again.Err(); !cut || at != offset {
				t.Fatalf("%q: got an error at %d, but with that byte alone failed %t at %d", data, offset, cut, at)
			}
		}
		var inside Scanner
		inside.Reset(data, 0)
		inside.More()
		members(&inside)
		if at, _ := inside.Err(); at != offset {
			t.Fatalf("%q: got an error at %d from Skip and at %d from the cursor", data, offset, at)
		}
	})
}
