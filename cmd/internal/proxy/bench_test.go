package proxy

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/replyproof/replyproof/cmd/internal/capture"
)

// benchmarked is a server, asked alone and through a proxy that records.
func benchmarked(b *testing.B, answer http.HandlerFunc, ask func(client *http.Client, url string) error) {
	s := httptest.NewServer(answer)
	defer s.Close()
	through := NewJournal(io.Discard, capture.LineOptions{BodyLimit: 1 << 20}, nil)
	p, err := New(Options{Upstream: s.URL + "/mcp", Journal: through})
	if err != nil {
		b.Fatal(err)
	}
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	over := make(chan error, 1)
	go func() { over <- p.Serve(b.Context(), l) }()
	b.Cleanup(func() {
		<-over
		if _, err := through.Close(); err != nil {
			b.Error(err)
		}
	})
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	// One of each in turn, so that what else the machine does weighs on both.
	var direct, proxied []time.Duration
	for b.Loop() {
		for _, way := range []struct {
			url   string
			times *[]time.Duration
		}{{s.URL + "/mcp", &direct}, {p.URL(l), &proxied}} {
			began := time.Now()
			if err := ask(client, way.url); err != nil {
				b.Fatal(err)
			}
			*way.times = append(*way.times, time.Since(began))
		}
	}
	median := func(all []time.Duration) float64 {
		slices.Sort(all)
		return float64(all[len(all)/2].Nanoseconds()) / 1000
	}
	b.ReportMetric(0, "ns/op") // of both ways, which is of no use
	b.ReportMetric(median(direct), "direct-µs")
	b.ReportMetric(median(proxied), "through-µs")
	b.ReportMetric(median(proxied)-median(direct), "overhead-µs")
}

// BenchmarkCall is what the proxy costs a call, at the median: of two in turn,
// one goes to the server and one through the proxy, which records it.
func BenchmarkCall(b *testing.B) {
	for _, size := range []int{100, 64 << 10} {
		b.Run(fmt.Sprintf("%d bytes", size), func(b *testing.B) {
			body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":%q}]}}`, strings.Repeat("word ", size/5))
			benchmarked(b, func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				w.Header().Set("Content-Type", "application/json")
				io.WriteString(w, body)
			}, func(client *http.Client, url string) error {
				resp, err := client.Post(url, "application/json", strings.NewReader(call(1, "{}")))
				if err == nil {
					_, err = io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
				}
				return err
			})
		})
	}
}

// BenchmarkEvent is how long an event of a stream takes from the server to the
// client, and the word of the client that it has come back to the server.
func BenchmarkEvent(b *testing.B) {
	const events = 100
	arrived := make(chan bool)
	benchmarked(b, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		out := http.NewResponseController(w)
		for range events {
			io.WriteString(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n")
			out.Flush()
			<-arrived
		}
	}, func(client *http.Client, url string) error {
		resp, err := client.Post(url, "application/json", strings.NewReader(call(1, "{}")))
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		lines := bufio.NewReader(resp.Body)
		for range events {
			for range 2 {
				if _, err := lines.ReadString('\n'); err != nil {
					return err
				}
			}
			arrived <- true
		}
		_, err = io.Copy(io.Discard, lines)
		return err
	})
}

// BenchmarkRecord is what a record costs, which no client waits for.
func BenchmarkRecord(b *testing.B) {
	for _, size := range []int{100, 64 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("%d bytes", size), func(b *testing.B) {
			x := capture.Exchange{ID: "1", Started: time.Unix(1, 0)}
			x.Request = &capture.Request{Method: "POST", URL: "http://127.0.0.1/mcp", Body: []byte(call(1, "{}"))}
			x.RPC = capture.ReadMessage(x.Request)
			x.Answer = &capture.Answer{Status: 200, Headers: nil, Body: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":%q}]}}`, strings.Repeat("a word, ", size/8))}
			var line []byte
			b.SetBytes(int64(size))
			for b.Loop() {
				j := capture.Judge(x)
				j.Settle(capture.Step{Attempt: 1})
				var err error
				if line, err = capture.AppendLine(line[:0], j, capture.LineOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
