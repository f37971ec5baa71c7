package corpus_test

import (
	"reflect"
	"testing"

	"github.com/replyproof/replyproof/corpus"
)

// FuzzParse gives the loader any bytes: it must not panic, and what it takes
// must come back unchanged from writing and reading.
func FuzzParse(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte(everyFieldJSON))
	f.Add([]byte(`{"format":"replyproof-cases/1","group":"a","cases":[` + good + `]}`))
	f.Add([]byte("{\"id\":\"a\",\"why\":\"\\ud800\\\"\",\"status\":null}\n[]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		cases, err := corpus.Parse("fuzz", data)
		if err != nil {
			return
		}
		written, err := corpus.AppendFile(nil, "fuzz", cases)
		if err != nil {
			t.Fatalf("write what was read: %v", err)
		}
		again, err := corpus.Parse("written", written)
		if err != nil || len(cases) != len(again) || len(cases) > 0 && !reflect.DeepEqual(cases, again) {
			t.Fatalf("got %+v, %v after writing and reading, want %+v\n%s", again, err, cases, written)
		}
		for _, c := range cases {
			for _, e := range c.Exchanges() {
				w := e.Wire(e.RequestID)
				if len(w.Delivered()) > len(w.Body) {
					t.Fatalf("%s delivers more than its body", c.ID)
				}
			}
		}
	})
}
