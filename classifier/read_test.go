package classifier

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const success = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"ok"}]}}`

// cutBody is a body that comes in pieces of the given sizes, over and over,
// and then ends with an error.
type cutBody struct {
	mu     sync.Mutex
	data   []byte
	sizes  []int
	last   error
	joined bool // the error comes with the last piece
	reads  int
	closed int
}

func (b *cutBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed > 0 {
		return 0, errors.New("read after close")
	}
	n := min(len(p), len(b.data))
	if len(b.sizes) > 0 {
		n = min(n, b.sizes[b.reads%len(b.sizes)])
	}
	b.reads++
	copy(p, b.data[:n])
	b.data = b.data[n:]
	if len(b.data) == 0 && (n == 0 || b.joined) {
		return n, b.last
	}
	return n, nil
}

func (b *cutBody) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed++
	return nil
}

func errorOf(ended Ended) error {
	switch ended {
	case EndedEOF:
		return io.EOF
	case EndedDeadline:
		return fmt.Errorf("read: %w", os.ErrDeadlineExceeded)
	case EndedCancelled:
		return context.Canceled
	case EndedSizeLimit:
		return &http.MaxBytesError{Limit: 1}
	}
	return syscall.ECONNRESET
}

// answers are heads and bodies of every kind, whole and broken.
func answers(t testing.TB) (headers []http.Header, bodies [][]byte) {
	for _, contentType := range []string{"", "application/json", "text/event-stream; charset", "text/html", "a, b"} {
		for _, coding := range []string{"", "gzip", "deflate", "gzip, gzip", "test-upper", "frob"} {
			h := http.Header{"Retry-After": {"soon"}, "Date": {"today"}}
			if contentType != "" {
				h.Set("Content-Type", contentType)
			}
			if coding != "" {
				h.Set("Content-Encoding", coding)
			}
			headers = append(headers, h)
		}
	}
	texts := []string{
		"", "{}", success, "\xef\xbb\xbf" + success, success + "}", `[1`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"\ud800"}}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}`, strings.Repeat(" ", 70000) + success,
		"data: " + success + "\n\n", "\xef\xbb\xbfevent: x\ndata: 1\n\ndata\n\ndata: {\"method\":\"m\",\"id\":1}\r\rdata: [\n\ndata: " + success + "\r\n\r\nrest",
		"data: {\"id\":2,\"result\":1}\n\ndata: {\"id\":null,\"error\":{\"code\":1,\"message\":\"m\"},\"jsonrpc\":\"2.0\"}\n\ndata: " + success,
		": " + strings.Repeat("c", 40000) + "\n\ndata: " + strings.ReplaceAll(success, ",", ",\ndata: ") + "\n\n", "abc.", "abc1",
	}
	for _, text := range texts {
		g := gzipped(t, text)
		bodies = append(bodies, []byte(text), g, zlibbed(t, text), deflated(t, text), gzipped(t, string(g)),
			g[:len(g)-5], flip(g, -6), join(g, []byte("x")), join(g, g[:7]), flip(g, len(g)/2), []byte(text[:len(text)/2]))
	}
	return headers, bodies
}

// TestReadIsClassify reads answers of every kind cut anywhere: the verdict must
// be that of Classify on the same bytes, in every field.
func TestReadIsClassify(t *testing.T) {
	headers, bodies := answers(t)
	rng := rand.New(rand.NewPCG(5, 6))
	endings := []Ended{EndedEOF, EndedReset, EndedDeadline, EndedCancelled, EndedSizeLimit}
	cancellable, cancel := context.WithCancel(context.Background())
	defer cancel()
	for _, h := range headers {
		for _, data := range bodies {
			a := Answer{Status: []int{200, 200, 202, 204, 206, 404, 500}[rng.IntN(7)], Header: h, Body: data, Ended: endings[rng.IntN(5)*rng.IntN(2)]}
			call := Call{ID: IntID(1)}
			ctx := context.Background()
			if rng.IntN(4) == 0 {
				ctx = cancellable
			}
			fresh := func() (*http.Response, *cutBody) {
				b := &cutBody{data: data, last: errorOf(a.Ended), joined: rng.IntN(2) == 0}
				for range rng.IntN(4) {
					b.sizes = append(b.sizes, 1+len(data)/1000+rng.IntN(1<<rng.IntN(15)))
				}
				if len(data) < 1000 && rng.IntN(3) == 0 {
					b.sizes = []int{1}
				}
				return &http.Response{StatusCode: a.Status, Header: h.Clone(), ContentLength: -1, Body: b}, b
			}
			for range 2 {
				resp, b := fresh()
				linger := ReadLinger(time.Duration(rng.IntN(8)/7) * DefaultLinger)
				if got, want := Read(ctx, call, resp, linger), Classify(call, a); !reflect.DeepEqual(got, want) {
					t.Errorf("status %d, %v, ended %v, body %.60q in pieces of %v:\ngot  %+v\nwant %+v", a.Status, h, a.Ended, data, b.sizes, got, want)
				}
				if b.closed == 0 {
					t.Errorf("status %d, %v: the body was not closed", a.Status, h)
				}
				resp, b = fresh()
				if got, want := ReadNotification(ctx, resp), ClassifyNotification(a); !reflect.DeepEqual(got, want) {
					t.Errorf("notification, status %d, %v, ended %v, body %.60q in pieces of %v:\ngot  %+v\nwant %+v", a.Status, h, a.Ended, data, b.sizes, got, want)
				}
			}
		}
	}
}

func TestReadLimits(t *testing.T) {
	stream := http.Header{"Content-Type": {"text/event-stream"}}
	coded := http.Header{"Content-Type": {"text/event-stream"}, "Content-Encoding": {"gzip"}}
	jsonType := http.Header{"Content-Type": {"application/json"}}
	codedJSON := http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"gzip"}}
	event := "data: " + success + "\n\n"
	long := ": " + strings.Repeat("x", 1000) + "\n"
	for _, tt := range []struct {
		name    string
		status  int
		header  http.Header
		body    string
		option  ReadOption
		outcome Outcome
		reason  Reason
		ended   BodyEnd
	}{
		{"JSON at the limit", 200, jsonType, success, ReadBodyLimit(int64(len(success))), ToolSuccess, ReasonToolSuccess, BodyComplete},
		{"JSON past the limit", 200, jsonType, success, ReadBodyLimit(int64(len(success)) - 1), NoFinalResponse, ReasonSizeLimit, BodySizeLimit},
		{"no limit", 200, jsonType, success, ReadBodyLimit(0), ToolSuccess, ReasonToolSuccess, BodyComplete},
		{"HTTP error past the limit", 500, jsonType, success, ReadBodyLimit(9), HTTPError, ReasonHTTPStatus, BodySizeLimit},
		{"coded JSON past the body limit", 200, codedJSON, string(gzipped(t, success)), ReadBodyLimit(9), NoFinalResponse, ReasonSizeLimit, BodySizeLimit},
		{"coded JSON past the decoded limit", 200, codedJSON, string(gzipped(t, success)), ReadDecodedLimit(9), NoFinalResponse, ReasonSizeLimit, BodySizeLimit},
		{"the decoded limit is not for plain JSON", 200, jsonType, success, ReadDecodedLimit(9), ToolSuccess, ReasonToolSuccess, BodyComplete},
		{"event past the limit", 200, stream, event, ReadEventLimit(int64(len(success)) - 1), NoFinalResponse, ReasonSizeLimit, BodySizeLimit},
		{"event at the limit", 200, stream, event, ReadEventLimit(int64(len(success))), ToolSuccess, ReasonToolSuccess, BodySettledEarly},
		{"the body limit is not for streams", 200, stream, long + event, ReadBodyLimit(9), ToolSuccess, ReasonToolSuccess, BodySettledEarly},
		{"response within the decoded limit", 200, coded, string(gzipped(t, event+long)), ReadDecodedLimit(int64(len(event))), ToolSuccess, ReasonToolSuccess, BodySettledEarly},
		{"no response, at the decoded limit", 200, coded, string(gzipped(t, long)), ReadDecodedLimit(int64(len(long))), NoFinalResponse, ReasonNoResponseInStream, BodyComplete},
		{"no response, past the decoded limit", 200, coded, string(gzipped(t, long)), ReadDecodedLimit(int64(len(long)) - 1), NoFinalResponse, ReasonSizeLimit, BodySizeLimit},
		{"response past the decoded limit", 200, coded, string(gzipped(t, long+event)), ReadDecodedLimit(1000), NoFinalResponse, ReasonSizeLimit, BodySizeLimit},
	} {
		t.Run(tt.name, func(t *testing.T) {
			resp := &http.Response{StatusCode: tt.status, Header: tt.header, Body: io.NopCloser(strings.NewReader(tt.body))}
			v := Read(context.Background(), Call{ID: IntID(1)}, resp, tt.option)
			if v.Outcome != tt.outcome || v.Reason != tt.reason || v.Ended != tt.ended {
				t.Errorf("got %v, %v, %v, want %v, %v, %v", v.Outcome, v.Reason, v.Ended, tt.outcome, tt.reason, tt.ended)
			}
		})
	}
}

// TestReadUncompressed is about bodies that the HTTP library has decompressed.
func TestReadUncompressed(t *testing.T) {
	header := http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"frob"}} // left behind by an odd transport
	for _, tt := range []struct {
		name    string
		last    error
		outcome Outcome
		reason  Reason
	}{
		{"whole", io.EOF, ToolSuccess, ReasonToolSuccess},
		{"cut", io.ErrUnexpectedEOF, NoFinalResponse, ReasonBodyCut},
		{"wrong checksum", gzip.ErrChecksum, UnexpectedContentType, ReasonContentEncoding},
		{"other bytes after", gzip.ErrHeader, UnexpectedContentType, ReasonContentEncoding},
	} {
		t.Run(tt.name, func(t *testing.T) {
			resp := &http.Response{StatusCode: 200, Header: header, Uncompressed: true, ContentLength: -1, Body: &cutBody{data: []byte(success), last: tt.last}}
			v := Read(context.Background(), Call{ID: IntID(1)}, resp)
			if v.Outcome != tt.outcome || v.Reason != tt.reason {
				t.Errorf("got %v, %v, want %v, %v", v.Outcome, v.Reason, tt.outcome, tt.reason)
			}
		})
	}
	t.Run("past the decoded limit", func(t *testing.T) {
		resp := &http.Response{StatusCode: 200, Header: header, Uncompressed: true, Body: io.NopCloser(strings.NewReader(success))}
		if v := Read(context.Background(), Call{ID: IntID(1)}, resp, ReadDecodedLimit(10)); v.Reason != ReasonSizeLimit {
			t.Errorf("got %v, want size-limit", v.Reason)
		}
	})
}

func TestReadOddResponses(t *testing.T) {
	call := Call{ID: IntID(1)}
	for _, tt := range []struct {
		name   string
		resp   *http.Response
		reason Reason
	}{
		{"no body at all", &http.Response{StatusCode: 200}, ReasonJSONEmpty},
		{"no body, 202", &http.Response{StatusCode: 202}, ReasonNoBody},
		{"shorter than promised", &http.Response{StatusCode: 200, ContentLength: 1000, Body: io.NopCloser(strings.NewReader(success))}, ReasonBodyCut},
		{"longer than promised", &http.Response{StatusCode: 200, ContentLength: 3, Body: io.NopCloser(strings.NewReader(success))}, ReasonToolSuccess},
		{"204 that promises", &http.Response{StatusCode: 204, ContentLength: 9, Body: http.NoBody}, ReasonNoBody},
		{"HEAD that promises", &http.Response{StatusCode: 202, ContentLength: 9, Body: http.NoBody, Request: &http.Request{Method: http.MethodHead}}, ReasonNoBody},
		{"POST that promises", &http.Response{StatusCode: 202, ContentLength: 9, Body: http.NoBody, Request: &http.Request{Method: http.MethodPost}}, ReasonBodyCut},
		{"no progress", &http.Response{StatusCode: 200, Body: io.NopCloser(stall{})}, ReasonBodyCut},
		{"no progress, coded", &http.Response{StatusCode: 200, Header: http.Header{"Content-Encoding": {"gzip"}}, Body: io.NopCloser(stall{})}, ReasonBodyCut},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if v := Read(context.Background(), call, tt.resp); v.Reason != tt.reason {
				t.Errorf("got %v, want %v", v.Reason, tt.reason)
			}
		})
	}
}

// TestReadHesitates is about a body that gives nothing for a while, read by
// hand and by a goroutine.
func TestReadHesitates(t *testing.T) {
	for _, tt := range []struct {
		times  int
		reason Reason
	}{{1, ReasonToolSuccess}, {100, ReasonToolSuccess}, {101, ReasonBodyCut}} {
		for _, idle := range []time.Duration{0, time.Hour} {
			resp := &http.Response{StatusCode: 200, Body: &hesitant{r: strings.NewReader(success), times: tt.times}}
			if v := Read(context.Background(), Call{ID: IntID(1)}, resp, ReadIdleTimeout(idle)); v.Reason != tt.reason {
				t.Errorf("nothing %d times, idle for at most %v: got %v, want %v", tt.times, idle, v.Reason, tt.reason)
			}
		}
	}
}

// patient is an error that says it is no timeout.
type patient struct{ error }

func (patient) Timeout() bool   { return false }
func (p patient) Unwrap() error { return p.error }

func TestReadErrors(t *testing.T) {
	for _, tt := range []struct {
		name   string
		err    error
		reason Reason
	}{
		{"deadline of a context", context.DeadlineExceeded, ReasonDeadline},
		{"inside an error that is no timeout", patient{context.DeadlineExceeded}, ReasonDeadline},
		{"deadline of a connection", os.ErrDeadlineExceeded, ReasonDeadline},
		{"inside an error that is no timeout", patient{os.ErrDeadlineExceeded}, ReasonDeadline},
		{"a timeout", &net.DNSError{IsTimeout: true}, ReasonDeadline},
		{"no timeout", patient{errors.New("x")}, ReasonBodyCut},
		{"cancelled", context.Canceled, ReasonCancelled},
		{"too large for who reads before", new(http.MaxBytesError), ReasonSizeLimit},
		{"any other", errors.New("x"), ReasonBodyCut},
	} {
		resp := &http.Response{StatusCode: 200, Body: &cutBody{data: []byte(success), last: tt.err}}
		if v := Read(context.Background(), Call{ID: IntID(1)}, resp); v.Reason != tt.reason {
			t.Errorf("%s: got %v, want %v", tt.name, v.Reason, tt.reason)
		}
	}
}

// TestReadDrops is about what follows a settled verdict: at most so much of it
// is dropped in the hope of an end.
func TestReadDrops(t *testing.T) {
	body := &endless{head: []byte("data: " + success + "\n\n"), rest: []byte(": x\n")}
	resp := &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: body}
	v := Read(context.Background(), Call{ID: IntID(1)}, resp, ReadLinger(time.Hour))
	if want := int64(32<<10 + 256<<10); v.Outcome != ToolSuccess || body.given != want {
		t.Errorf("got %v after %d bytes, want TOOL_SUCCESS after %d", v.Outcome, body.given, want)
	}
}

// TestReadPastDamage is about damage to a coding: an HTTP error is read to its
// end nevertheless, and nothing else is.
func TestReadPastDamage(t *testing.T) {
	for _, tt := range []struct {
		status, reads int
		ended         BodyEnd
	}{
		{199, 11, BodyCut}, {200, 1, BodySettledEarly}, {299, 1, BodySettledEarly}, {300, 11, BodyCut}, {500, 11, BodyCut},
	} {
		b := &cutBody{data: bytes.Repeat([]byte("no gzip"), 10), sizes: []int{7}, last: io.ErrUnexpectedEOF}
		h := http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"gzip"}}
		v := Read(context.Background(), Call{ID: IntID(1)}, &http.Response{StatusCode: tt.status, Header: h, Body: b}, ReadLinger(0))
		if b.reads != tt.reads || v.Ended != tt.ended {
			t.Errorf("%d: got %d reads, ended %v, want %d, %v", tt.status, b.reads, v.Ended, tt.reads, tt.ended)
		}
	}
}

// TestReadReadsNoMoreThanNeeded counts the reads of bodies that need none or few.
func TestReadReadsNoMoreThanNeeded(t *testing.T) {
	endless := bytes.Repeat([]byte("data: 1\n\n"), 1<<16)
	for _, tt := range []struct {
		name        string
		status      int
		contentType string
		coding      string
		body        []byte
		reads       int
	}{
		{"foreign type", 200, "text/html", "", endless, 0},
		{"unknown coding", 200, "application/json", "frob", endless, 0},
		{"foreign type that rule 3 may save", 202, "text/html", "", endless, 1},
		{"unknown coding that rule 3 may save", 204, "application/json", "frob", endless, 1},
		{"stream", 200, "text/event-stream", "", join([]byte("data: "+success+"\n\n"), endless), 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := &cutBody{data: tt.body, last: io.EOF, sizes: []int{200}}
			h := http.Header{"Content-Type": {tt.contentType}, "Content-Encoding": {tt.coding}}
			v := Read(context.Background(), Call{ID: IntID(1)}, &http.Response{StatusCode: tt.status, Header: h, Body: b}, ReadLinger(0))
			if b.reads != tt.reads || v.Ended != BodySettledEarly || b.closed == 0 {
				t.Errorf("got %d reads, %v, %v, closed %d times, want %d reads, settled-early, closed", b.reads, v.Outcome, v.Ended, b.closed, tt.reads)
			}
		})
	}
}

// TestReadMemory reads a stream that is far larger than its largest event.
func TestReadMemory(t *testing.T) {
	const events = 100_000
	body := io.MultiReader(io.LimitReader(&repeat{text: progress}, events*int64(len(progress))), strings.NewReader(final))
	resp := &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(body)}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	v := Read(context.Background(), Call{ID: IntID(1)}, resp)
	runtime.ReadMemStats(&after)
	if v.Outcome != ToolSuccess || v.EventCount != events+1 {
		t.Errorf("got %v, %d events, want TOOL_SUCCESS, %d", v.Outcome, v.EventCount, events+1)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
		t.Errorf("%d bytes were allocated for a stream of small events", used)
	}
}

// repeat is a text over and over.
type repeat struct {
	text string
	at   int
}

func (r *repeat) Read(p []byte) (int, error) {
	n := copy(p, r.text[r.at:])
	r.at = (r.at + n) % len(r.text)
	return n, nil
}
