// Package terminal tells a terminal from a file or a pipe, and writes tables
// and colours accordingly. Results go to Out, everything else to Err.
package terminal

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"github.com/replyproof/replyproof/cmd/internal/visible"
)

// Screen is where a command writes. Out is buffered: Flush it before the end.
type Screen struct {
	out    *bufio.Writer
	err    io.Writer
	tty    bool // out is a terminal
	colour bool
	live   bool // err is a terminal
	width  int
}

// New is a screen on out and err. Colour is used if out is a terminal, or
// CLICOLOR_FORCE is set; never if NO_COLOR is.
func New(out, err io.Writer) *Screen {
	s := &Screen{out: bufio.NewWriterSize(out, 1<<16), err: err, width: 100}
	s.colour = os.Getenv("CLICOLOR_FORCE") != ""
	if fd, ok := descriptor(out); ok {
		s.tty = true
		s.colour = s.colour || os.Getenv("TERM") != "dumb"
		if w, _, err := term.GetSize(fd); err == nil && w > 0 {
			s.width = w
		}
	}
	s.colour = s.colour && os.Getenv("NO_COLOR") == ""
	_, s.live = descriptor(err)
	return s
}

func descriptor(w io.Writer) (int, bool) {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	return int(f.Fd()), true
}

// Live tells whether standard error is a terminal, where progress may be redrawn.
func (s *Screen) Live() bool { return s.live }

// Width is the width of the terminal in columns, 100 where there is none.
func (s *Screen) Width() int { return s.width }

// Out is standard output, buffered.
func (s *Screen) Out() io.Writer { return s.out }

// Err is standard error.
func (s *Screen) Err() io.Writer { return s.err }

// Flush writes out what is buffered.
func (s *Screen) Flush() error {
	if err := s.out.Flush(); err != nil {
		return fmt.Errorf("write results: %w", err)
	}
	return nil
}

// Line writes one JSON object as a line and passes it on at once, so that
// whoever reads a stream sees each verdict when it is there.
func (s *Screen) Line(v any) error {
	enc := json.NewEncoder(s.out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write results: %w", err)
	}
	return nil
}

// Notef writes a line about the run to standard error.
func (s *Screen) Notef(format string, args ...any) {
	fmt.Fprintf(s.err, "replyproof: %s\n", visible.Lines(fmt.Sprintf(format, args...)))
}
