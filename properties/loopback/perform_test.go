package loopback_test

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/replyproof/replyproof/properties/loopback"
)

// play plays a script to one end of a pipe and reads from the other for a while.
func play(t *testing.T, s loopback.Script, reading time.Duration) (text string, took time.Duration, err error) {
	t.Helper()
	ours, theirs := net.Pipe()
	done := make(chan error, 1)
	began := time.Now()
	go func() {
		err := s.Play(t.Context(), ours)
		took = time.Since(began)
		done <- err
	}()
	theirs.SetReadDeadline(time.Now().Add(reading))
	got, _ := io.ReadAll(theirs)
	theirs.Close()
	err = <-done
	return string(got), took, err
}

func TestScriptPlaysInItsTime(t *testing.T) {
	words := [][]byte{[]byte("a"), []byte("b"), []byte("c")}
	tests := []struct {
		name    string
		script  loopback.Script
		reading time.Duration
		text    string
		took    time.Duration
		err     error
	}{
		{"a pace", loopback.Script{Delay: time.Second, Writes: words, Pace: 2 * time.Second, End: loopback.EndClose}, time.Minute, "abc", 5 * time.Second, nil},
		{"a client that leaves before the first byte", loopback.Script{Delay: time.Hour, Writes: words}, time.Second, "", time.Second, loopback.ErrLeft},
		{"a client that leaves between two bytes", loopback.Script{Writes: words, Pace: 2 * time.Second}, 3 * time.Second, "ab", 3 * time.Second, loopback.ErrLeft},
		{"a beat", loopback.Script{Writes: words[:1], End: loopback.EndSilent, Beat: []byte(":"), Every: time.Second}, 3500 * time.Millisecond, "a:::", 3500 * time.Millisecond, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				text, took, err := play(t, test.script, test.reading)
				if text != test.text || took != test.took || !errors.Is(err, test.err) {
					t.Errorf("got %q after %v and %v, want %q after %v and %v", text, took, err, test.text, test.took, test.err)
				}
			})
		})
	}
}

func TestServeOnlyHere(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"0.0.0.0:0", ":0", "192.0.2.1:0", "nonsense", "127.0.0.1:x"} {
		if h, err := loopback.Serve(loopback.Options{Address: address}, nil); err == nil {
			h.Close()
			t.Errorf("%s: got no error", address)
		}
	}
	h, err := loopback.Serve(loopback.Options{Address: "localhost:0"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if h.Port() == 0 {
		t.Error("got no port")
	}
}

// A host that is closed breaks off what it plays.
func TestScriptEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		ours, theirs := net.Pipe()
		defer theirs.Close()
		began := time.Now()
		err := loopback.Script{Delay: time.Hour}.Play(ctx, ours)
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Second {
			t.Errorf("got %v after %v, want an end after a second", err, time.Since(began))
		}
	})
	for name, s := range map[string]loopback.Script{
		"silence":         {End: loopback.EndSilent},
		"silence, beaten": {End: loopback.EndSilent, Beat: []byte("."), Every: time.Hour},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			ours, theirs := net.Pipe()
			defer theirs.Close()
			if err := s.Play(ctx, ours); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: got %v, want the end of the context", name, err)
			}
		})
	}
}
