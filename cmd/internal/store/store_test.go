package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func open(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestOneProcessHasTheFolder(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	_, err := Open(dir)
	if !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), fmt.Sprint(os.Getpid())) || !strings.Contains(err.Error(), "--corpus") {
		t.Errorf("got %v, want one that names the process and the way out", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	open(t, dir)
}

// small is a file on a disk that has room for so many bytes.
type small struct {
	file
	room *int
}

func (s small) Write(p []byte) (int, error) {
	n := min(len(p), *s.room)
	*s.room -= n
	if _, err := s.file.Write(p[:n]); err != nil {
		return 0, err
	}
	if n < len(p) {
		return n, fmt.Errorf("write: %w", syscall.ENOSPC)
	}
	return n, nil
}

// onSmallDisk makes every further file of the store one on a full disk, with
// what the reserve gives back once it is gone.
func onSmallDisk(s *Store, room int) {
	create, used := s.create, false
	s.create = func(name string) (file, error) {
		if _, err := os.Stat(s.Path(reserveName)); err != nil && !used {
			used = true
			room += reserveSize
		}
		f, err := create(name)
		return small{f, &room}, err
	}
}

func TestFullDisk(t *testing.T) {
	s := open(t, t.TempDir())
	onSmallDisk(s, 5)
	plain, vital := s.Path("inputs", "a"), s.Path("crashers", "b")
	if err := s.Write(plain, []byte("many bytes"), false); !errors.Is(err, ErrFull) {
		t.Errorf("got %v, want ErrFull", err)
	}
	if entries, _ := os.ReadDir(s.Path("inputs")); len(entries) != 0 {
		t.Errorf("got %v, want nothing half written", entries)
	}
	if err := s.Write(vital, []byte("many bytes"), true); err != nil {
		t.Errorf("got %v, want the room that was set aside", err)
	}
	if got, err := os.ReadFile(vital); string(got) != "many bytes" {
		t.Errorf("got %q, %v", got, err)
	}
	// What was set aside is gone now.
	if err := s.Write(s.Path("crashers", "c"), make([]byte, reserveSize), true); !errors.Is(err, ErrFull) {
		t.Errorf("got %v, want ErrFull", err)
	}
	if got, err := os.ReadFile(vital); string(got) != "many bytes" {
		t.Errorf("after a full disk: got %q, %v", got, err)
	}
}

func TestOpenProvidesAgain(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	if err := os.Remove(s.Path(reserveName)); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir)
	if info, err := os.Stat(s.Path(reserveName)); err != nil || info.Size() != reserveSize {
		t.Errorf("got %v, %v, want room of %d bytes", info, err, reserveSize)
	}
}

// A seed's temporary name is not in the folder in which go test looks for inputs.
func TestSeedsAreNeverSeenHalf(t *testing.T) {
	s := open(t, t.TempDir())
	dir := t.TempDir()
	var in string
	create := s.create
	s.create = func(name string) (file, error) { in = filepath.Dir(name); return create(name) }
	if err := s.WriteSeed(filepath.Join(dir, "testdata", "fuzz", "FuzzX", "1"), []byte("x")); err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(dir, "testdata", "fuzz"); in != want {
		t.Errorf("got the temporary file in %s, want it in %s", in, want)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "testdata", "fuzz", "FuzzX", "1")); string(got) != "x" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestJournalPassesOverWhatWasCutShort(t *testing.T) {
	s := open(t, t.TempDir())
	j := s.Journal("nights", "a.jsonl")
	for _, n := range []int{1, 2} {
		if err := j.Append(n); err != nil {
			t.Fatal(err)
		}
	}
	// The process dies in the midst of a line.
	f, err := os.OpenFile(s.Path("nights", "a.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"half":`); err != nil || f.Close() != nil {
		t.Fatal(err)
	}
	again := s.Journal("nights", "a.jsonl")
	if err := again.Append(3); err != nil {
		t.Fatal(err)
	}
	var got []string
	if err := again.Lines(func(line []byte) error { got = append(got, string(line)); return nil }); err != nil {
		t.Fatal(err)
	}
	if want := []string{"1", "2", "3"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := s.Journal("none").Lines(func([]byte) error { return errors.New("a line of nothing") }); err != nil {
		t.Error(err)
	}
}

func TestSweepTakesTemporaryFilesAlone(t *testing.T) {
	s := open(t, t.TempDir())
	for _, name := range []string{".a.part", "b", ".c"} {
		if err := s.Write(s.Path("inputs", name), []byte("x"), false); err != nil {
			t.Fatal(err)
		}
	}
	s.Sweep("inputs")
	entries, err := os.ReadDir(s.Path("inputs"))
	if err != nil || len(entries) != 2 || entries[0].Name() != ".c" || entries[1].Name() != "b" {
		t.Errorf("got %v, %v, want .c and b", entries, err)
	}
}

func TestDefaultIsOfOneCheckout(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", filepath.Join(t.TempDir(), "cache"))
	one, err := Default("/a/module")
	if err != nil {
		t.Fatal(err)
	}
	two, err := Default("/b/module")
	if err != nil || one == two || !strings.Contains(one, "module-") {
		t.Errorf("got %s and %s, %v, want one each", one, two, err)
	}
}
