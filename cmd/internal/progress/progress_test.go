package progress

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestPlainLinesEveryTenSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		d := New(&out, false)
		s := d.Start("search", time.Minute)
		for range 25 {
			time.Sleep(time.Second)
			s.Update("busy")
		}
		s.Done("finished")
		d.Close()
		const want = "replyproof: search 10s: busy\nreplyproof: search 20s: busy\nreplyproof: search 25s: finished\n"
		if out.String() != want {
			t.Errorf("got %q, want %q", out.String(), want)
		}
	})
}

// A step that has nothing new to say is heard all the same.
func TestPlainLinesOfASilentStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		s := New(&out, false).Start("build", 0)
		s.Update("example.com/one")
		time.Sleep(25 * time.Second)
		s.Done("1 fuzz target")
		time.Sleep(time.Minute)
		const want = "replyproof: build 10s: example.com/one\nreplyproof: build 20s: example.com/one\nreplyproof: build 25s: 1 fuzz target\n"
		if out.String() != want {
			t.Errorf("got %q, want %q", out.String(), want)
		}
	})
}

func TestLiveStepsEndWithALineThatStays(t *testing.T) {
	var out bytes.Buffer
	d := New(&out, true)
	for _, limit := range []time.Duration{0, time.Second} {
		s := d.Start("search", limit)
		s.Update("busy")
		s.Done("finished")
	}
	d.Close()
	if got := strings.Count(out.String(), ": finished\n"); got != 2 {
		t.Errorf("got %d lines in %q, want 2", got, out.String())
	}
}
