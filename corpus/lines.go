package corpus

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"

	"github.com/replyproof/replyproof/classifier"
)

// MaxLine is the default limit of a line of JSON lines, in bytes.
const MaxLine = 256 << 20

// LineOptions say how [ReadLines] reads. The zero value is useful.
type LineOptions struct {
	Name      string        // of the input, for errors; may be empty
	DefaultID classifier.ID // of calls that give no request_id; the zero value is the integer 0
	MaxLine   int           // longest line in bytes; 0 stands for [MaxLine]
}

// ReadLines reads answers from JSON lines, one at a time, as logs and other
// programs write them: each line needs a status (null for no answer) and nothing
// else, keys that are none of the format are passed over, and a case with no id
// is numbered by its line, as line-17. Blank lines are skipped.
//
// A line that cannot be read yields an [*Error] with its number, and the next
// line follows; a line longer than the limit is one of these and is not held in
// memory. An error of the reader, which is no [*Error], is the last thing that
// is yielded.
func ReadLines(r io.Reader, options LineOptions) iter.Seq2[Case, error] {
	limit := options.MaxLine
	if limit <= 0 {
		limit = MaxLine
	}
	return func(yield func(Case, error) bool) {
		in := bufio.NewReaderSize(r, 1<<16)
		for number := 1; ; number++ {
			line, err := readLine(in, limit)
			if number == 1 {
				line = bytes.TrimPrefix(line, byteOrderMark)
			}
			switch {
			case err == errLongLine:
				err = nil
				if !yield(Case{}, &Error{File: options.Name, Line: number, Err: fmt.Errorf("the line is longer than %d bytes", limit)}) {
					return
				}
			case err != nil && err != io.EOF:
				yield(Case{}, fmt.Errorf("corpus: read %s: line %d: %w", orName(options.Name), number, err))
				return
			case len(bytes.TrimSpace(line)) > 0:
				if !yield(parseLine(line, number, options)) {
					return
				}
			}
			if err == io.EOF {
				return
			}
		}
	}
}

func orName(name string) string {
	if name == "" {
		return "JSON lines"
	}
	return name
}

var errLongLine = errors.New("line too long")

// readLine reads up to and without the next line feed. After errLongLine the
// reader stands at the next line; io.EOF comes with the last line, which may be
// empty. The line is the caller's.
func readLine(in *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := in.ReadSlice('\n')
		part = bytes.TrimSuffix(part, []byte("\n"))
		if long = long || len(line)+len(part) > limit; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
		case long && (err == nil || err == io.EOF):
			return nil, errLongLine
		default:
			return line, err
		}
	}
}

func parseLine(line []byte, number int, options LineOptions) (Case, error) {
	lines := lineTable{first: number}
	whole, at, err := document(line)
	if err != nil {
		return Case{}, &Error{File: options.Name, Line: number, Err: fmt.Errorf("column %d: %w", at+1, err)}
	}
	d := decoder{file: options.Name, lines: lines, lenient: true}
	c := d.decodeCase(whole)
	if len(d.faults) == 0 {
		if _, ok := d.places["status"]; !ok {
			d.fault(whole.at, "status", "is absent; a line needs it, if only null for no answer")
		}
	}
	if len(d.faults) > 0 {
		return Case{}, errors.Join(d.faults...)
	}
	if _, ok := d.places["request_id"]; !ok && !c.Notification {
		c.RequestID = options.DefaultID
	}
	if c.ID == "" {
		c.ID = "line-" + strconv.Itoa(number)
	}
	return c, nil
}

// WriteLines writes cases as JSON lines.
func WriteLines(w io.Writer, cases iter.Seq[Case]) error {
	var line []byte
	for c := range cases {
		var err error
		if line, err = c.AppendJSON(line[:0]); err != nil {
			return err
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return fmt.Errorf("corpus: write case %s: %w", c.ID, err)
		}
	}
	return nil
}

// WriteLinesFile writes cases as a file of JSON lines, under a temporary name
// that is renamed when it is whole.
func WriteLinesFile(name string, cases []Case) error {
	return writeFile(name, func(w io.Writer) error { return WriteLines(w, slices.Values(cases)) })
}
