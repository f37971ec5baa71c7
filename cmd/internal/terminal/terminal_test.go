package terminal

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestColour(t *testing.T) {
	tests := []struct {
		name, force, no string
		want            bool
	}{
		{"no terminal", "", "", false},
		{"forced", "1", "", true},
		{"forced and refused", "1", "1", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("CLICOLOR_FORCE", test.force)
			t.Setenv("NO_COLOR", test.no)
			s := New(&bytes.Buffer{}, &bytes.Buffer{})
			if got := s.Bad("x") != "x"; got != test.want {
				t.Errorf("got colour %t, want %t", got, test.want)
			}
			if s.Live() {
				t.Error("a buffer is taken for a terminal")
			}
		})
	}
}

func TestTableElsewhereHasOneLineARow(t *testing.T) {
	var out bytes.Buffer
	s := New(&out, &bytes.Buffer{})
	long := strings.Repeat("long ", 100) + "end"
	s.Table([]string{"a", "b"}, [][]string{{long, "x"}, {"y", long}})
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
	if len(lines) != 4 || !strings.Contains(lines[2], long) || !strings.HasSuffix(lines[3], long) {
		t.Errorf("got %d lines, want a head, a rule and two rows in full:\n%s", len(lines), out.String())
	}
}

func TestTableOnATerminalFits(t *testing.T) {
	var out bytes.Buffer
	s := New(&out, &bytes.Buffer{})
	s.tty, s.width = true, 80
	s.Table([]string{"a", "b"}, [][]string{{strings.Repeat("x", 100), strings.Repeat("word ", 30)}})
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > 80 {
			t.Errorf("got a line of %d columns, want at most 80: %s", n, line)
		}
	}
}

func TestWrap(t *testing.T) {
	s := New(&bytes.Buffer{}, &bytes.Buffer{})
	s.width = 40
	got := s.Wrap(8, "one two three four five six seven eight nine")
	want := []string{"one two three four five six", "seven eight nine"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no room") }

func TestAWriteThatFailsIsTold(t *testing.T) {
	s := New(full{}, &bytes.Buffer{})
	if err := errors.Join(s.Line("x"), s.Flush()); err == nil || !strings.Contains(err.Error(), "write results: no room") {
		t.Errorf("got %v, want that there is no room", err)
	}
}
