package corpus

import (
	"fmt"
	"sort"
	"strings"
)

// Error is one fault of a case or a corpus file, and where it stands. Several
// are joined with errors.Join.
type Error struct {
	File string // as it was named to the loader, or ""
	Line int    // from 1; 0 if it is not known
	Case string // id of the case, or ""
	Key  string // path of the key, such as expect.reason or then[0].status, or ""
	Err  error  // what is wrong and how to mend it
}

// Error shows the fault in one line, such as
//
//	corpus: my.json:12: envelope/both: key "why": is empty; …
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("corpus: ")
	switch {
	case e.File != "" && e.Line > 0:
		fmt.Fprintf(&b, "%s:%d: ", e.File, e.Line)
	case e.File != "":
		fmt.Fprintf(&b, "%s: ", e.File)
	case e.Line > 0:
		fmt.Fprintf(&b, "line %d: ", e.Line)
	}
	if e.Case != "" {
		fmt.Fprintf(&b, "%s: ", excerpt(e.Case))
	}
	if e.Key != "" {
		fmt.Fprintf(&b, "key %q: ", excerpt(e.Key))
	}
	b.WriteString(e.Err.Error())
	return b.String()
}

// excerpt is a name as far as a message shows it: of an id or a key that is none
// it may be a whole body.
func excerpt(text string) string {
	const most = 120
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// Unwrap is what is wrong, without the place.
func (e *Error) Unwrap() error { return e.Err }

// lineTable turns offsets of a text into line numbers.
type lineTable struct {
	first  int   // number of the first line
	starts []int // offsets after each line feed
}

func newLineTable(data []byte, first int) lineTable {
	t := lineTable{first: first}
	for i, b := range data {
		if b == '\n' {
			t.starts = append(t.starts, i+1)
		}
	}
	return t
}

func (t lineTable) line(offset int) int {
	return t.first + sort.SearchInts(t.starts, offset+1)
}
