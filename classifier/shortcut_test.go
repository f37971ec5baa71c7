package classifier

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// These tests are about work that is saved where it changes no verdict.

// TestWholeLinesKnowsMessage has the usual event line passed without a search
// for its end.
func TestWholeLinesKnowsMessage(t *testing.T) {
	t.Parallel()
	const line = "event: message\n"
	for _, c := range []struct {
		name, chunk string
		pos         int
		searched    bool
	}{
		{"the line alone", line, len(line), false},
		{"with a blank line", line + "\n", len(line) + 1, false},
		{"twice", line + line, 2 * len(line), false},
		{"another line", "event: messagE\n", len(line), true},
	} {
		var p eventParser
		p.feed([]byte(c.chunk))
		if _, step := p.wholeLines(); step != stepMore || p.pos != c.pos || (p.lf >= 0) != c.searched {
			t.Errorf("%s: got step %d, then at %d, LF searched for %t; want %d at %d, %t", c.name, step, p.pos, p.lf >= 0, stepMore, c.pos, c.searched)
		}
	}
}

func TestUseOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, contentType string
		status            int
		want              bodyUse
	}{
		{"a stream", "text/event-stream", 200, bodyInEvents},
		{"the last status that succeeds", "text/event-stream", 299, bodyInEvents},
		{"the first that does not", "text/event-stream", 300, bodyWhole},
		{"below the first", "text/event-stream", 199, bodyWhole},
		{"JSON", "application/json", 200, bodyWhole},
		{"foreign", "text/html", 299, bodyUnread},
		{"foreign, of an error", "text/html", 300, bodyWhole},
		{"foreign, perhaps empty", "text/html", 202, bodyWhole},
	} {
		if got := useOf(c.status, http.Header{"Content-Type": {c.contentType}}); got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, got, c.want)
		}
	}
}

// TestWholeKeepsNoMore counts the bytes that are kept of a body.
func TestWholeKeepsNoMore(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, coding, body string
		keep               bool
		kept               int
	}{
		{"all that is asked for", "", "abcde", true, 5},
		{"whether there is any", "", "abcde", false, 1},
		{"nothing of nothing", "", "", false, 0},
		{"whether there is any of what cannot be decoded", "frob", "abcde", true, 1},
	} {
		header := http.Header{"Content-Type": {"application/json"}}
		if c.coding != "" {
			header.Set("Content-Encoding", c.coding)
		}
		resp := &http.Response{StatusCode: 200, Header: header, Body: &cutBody{data: []byte(c.body), sizes: []int{2}, last: io.EOF}}
		r, cancel := newReader(context.Background(), resp, nil)
		_, _, body := r.whole(c.keep, false)
		cancel()
		if len(body.plain) != c.kept {
			t.Errorf("%s: got %d bytes, want %d", c.name, len(body.plain), c.kept)
		}
	}
}

func TestRoom(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name            string
		used, capacity  int
		n               int
		promised        int64
		atLeast, atMost int
	}{
		{"there is room to the byte", 6, 8, 2, 0, 8, 8},
		{"doubled", 8, 8, 1, 0, 16, 24},
		{"as promised", 1000, 1000, 1, 5000, 5000, 5900},
		{"no more than a megabyte of a promise", 0, 0, 1, 1 << 40, 1 << 20, 1<<20 + 1<<18},
		{"more than a promise", 0, 0, 700, 10, 700, 1000},
	} {
		b := room(make([]byte, c.used, c.capacity), c.n, c.promised)
		if len(b) != c.used || cap(b) < c.atLeast || cap(b) > c.atMost {
			t.Errorf("%s: got %d of %d bytes, want %d of %d to %d", c.name, len(b), cap(b), c.used, c.atLeast, c.atMost)
		}
	}
}

// TestReadNeedsNoGoroutine: where nothing can cut the waiting short, the body is
// read as it is.
func TestReadNeedsNoGoroutine(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for _, c := range []struct {
		name    string
		ctx     context.Context
		idle    time.Duration
		started bool
	}{
		{"nothing to wait for", context.Background(), 0, false},
		{"less than nothing", context.Background(), -1, false},
		{"an idle timeout", context.Background(), time.Hour, true},
		{"a context", ctx, 0, true},
	} {
		w := newWire(c.ctx, io.NopCloser(strings.NewReader("abc")), c.idle, 0)
		piece, err := w.next()
		if string(piece) != "abc" || err != nil || (w.demand != nil) != c.started {
			t.Errorf("%s: got %q, %v, goroutine %t; want abc, none, %t", c.name, piece, err, w.demand != nil, c.started)
		}
		w.close()
	}
}

// blocked is a body that gives nothing until it is closed.
type blocked struct{ closed chan struct{} }

func (b blocked) Read([]byte) (int, error) {
	<-b.closed
	return 0, errors.New("closed")
}

func (b blocked) Close() error {
	close(b.closed)
	return nil
}

func TestDrainWaitsNoLonger(t *testing.T) {
	for _, linger := range []time.Duration{-1, 0, time.Second} {
		synctest.Test(t, func(t *testing.T) {
			w := newWire(context.Background(), blocked{make(chan struct{})}, 0, 0)
			start := time.Now()
			w.drain(linger)
			if took := time.Since(start); took != max(linger, 0) {
				t.Errorf("linger %v: got %v, want %v", linger, took, max(linger, 0))
			}
			w.close()
		})
	}
}

// TestIdleTimeoutAlone has no context that could end.
func TestIdleTimeoutAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		v := Read(context.Background(), Call{ID: IntID(1)}, &http.Response{StatusCode: 200, Body: blocked{make(chan struct{})}}, ReadIdleTimeout(time.Second))
		if took := time.Since(start); v.Reason != ReasonDeadline || took != time.Second {
			t.Errorf("got %v after %v, want deadline after 1s", v.Reason, took)
		}
	})
}

// TestWriteOfNothing: rule 3 asks whether there is any byte, not any call.
func TestWriteOfNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text   string
		reason Reason
	}{{"", ReasonNoBody}, {"\n", ReasonNoResponseInStream}} {
		s := newHTTPStream(Call{ID: IntID(1)}, 202, http.Header{"Content-Type": {"text/event-stream"}})
		for _, text := range []string{"", c.text, ""} {
			if n, err := s.Write([]byte(text)); n != len(text) || err != nil {
				t.Fatalf("got %d, %v, want %d", n, err, len(text))
			}
		}
		if v := s.Close(EndedEOF); v.Reason != c.reason {
			t.Errorf("%q: got %v, want %v", c.text, v.Reason, c.reason)
		}
	}
}

// TestSoundBodyIsDecodedOnce: only damage has a registered decoder start again.
func TestSoundBodyIsDecodedOnce(t *testing.T) {
	for _, c := range []struct {
		body   string
		opened int
	}{{"abc.", 1}, {"abc", 1}, {"abc1.", 2}} {
		countedOpened = 0
		decodeBody([]string{"test-counted"}, []byte(c.body), 100)
		if countedOpened != c.opened {
			t.Errorf("%s: got %d decoders, want %d", c.body, countedOpened, c.opened)
		}
	}
}

// countedOpened is how often the coding test-counted was opened.
var countedOpened int

func init() {
	RegisterCoding("test-counted", func(r io.Reader) (io.Reader, error) {
		countedOpened++
		return &upper{r: r}, nil
	})
}

// TestDamagedInflaterIsReleased: a decoder that met damage serves the next body
// at once, one that met the end when its owner lets it go.
func TestDamagedInflaterIsReleased(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		data     []byte
		released bool
	}{
		{"whole", deflated(t, "text"), false},
		{"damaged", []byte{0xff, 0xff}, true},
		{"cut", deflated(t, "text")[:3], true},
	} {
		f := inflate{}
		f.reset(bufio.NewReader(bytes.NewReader(c.data)))
		var err error
		for err == nil {
			_, err = f.read(make([]byte, 10))
		}
		if (f.r == nil) != c.released {
			t.Errorf("%s: got released %t after %v, want %t", c.name, f.r == nil, err, c.released)
		}
	}
}

// TestSixteenCodingsWaitForNothing: up to so many codings need not see the end of
// the source.
func TestSixteenCodingsWaitForNothing(t *testing.T) {
	t.Parallel()
	data := []byte("text")
	for range chainLen {
		data = gzipped(t, string(data))
	}
	src := &cutBody{data: bytes.Clone(data), last: io.EOF}
	r := newDecoder(strings.Split(strings.Repeat("gzip,", chainLen)[:5*chainLen-1], ","), src, 10_000, false)
	b := make([]byte, 10)
	n, err := r.Read(b)
	if string(b[:n]) != "text" || err != nil || src.reads != 1 {
		t.Errorf("got %q, %v after %d reads, want text after 1", b[:n], err, src.reads)
	}
}
