package proxy

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/replyproof/replyproof/classifier"
	_ "github.com/replyproof/replyproof/classifier/codings" // br and zstd
	"github.com/replyproof/replyproof/cmd/internal/capture"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// running is a proxy before an upstream, and a client of it.
type running struct {
	t       *testing.T
	url     string
	client  *http.Client
	stop    context.CancelFunc
	over    chan error
	journal *Journal
	out     bytes.Buffer
	once    sync.Once
	records []capture.Exchange
	judged  []capture.Judged
}

// run puts a proxy before an upstream. Its records are there once it is ended.
func run(t *testing.T, o Options, lines capture.LineOptions) *running {
	t.Helper()
	r := &running{t: t, over: make(chan error, 1)}
	r.journal = NewJournal(&r.out, lines, func(j *capture.Judged) { r.judged = append(r.judged, *j) })
	o.Journal = r.journal
	p, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r.url = p.URL(l)
	ctx, stop := context.WithCancel(t.Context())
	r.stop = stop
	transport := &http.Transport{DisableCompression: true}
	r.client = &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	go func() { r.over <- p.Serve(ctx, l) }()
	t.Cleanup(func() { r.end(); transport.CloseIdleConnections() })
	return r
}

// end stops the proxy and reads what it recorded.
func (r *running) end() []capture.Exchange {
	r.once.Do(func() {
		r.stop()
		if err := <-r.over; err != nil {
			r.t.Errorf("serve: %v", err)
		}
		if _, err := r.journal.Close(); err != nil {
			r.t.Errorf("journal: %v", err)
		}
		in := capture.Input{Name: "records", Form: capture.Record}
		if r.out.Len() == 0 {
			return
		}
		for x, err := range in.Exchanges(bytes.NewReader(r.out.Bytes())) {
			if err != nil {
				r.t.Errorf("read the records: %v", err)
				continue
			}
			r.records = append(r.records, x)
		}
	})
	return r.records
}

// call is the body of a tools/call.
func call(id int, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"t","arguments":%s}}`, id, arguments)
}

const okResult = `"result":{"resultType":"complete","content":[]}`

func (r *running) post(body string) (*http.Response, error) {
	return r.client.Post(r.url, "application/json", strings.NewReader(body))
}

// ask sends a body and reads the answer whole.
func (r *running) ask(body string) (status int, text string, err error) {
	resp, err := r.post(body)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(all), err
}

// upstream is a server that answers by f, at the path /mcp.
func upstream(t *testing.T, f http.HandlerFunc) string {
	s := httptest.NewServer(f)
	t.Cleanup(s.Close)
	return s.URL + "/mcp"
}

// answersOK answers each call with a success under its id.
func answersOK(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	m := capture.ReadMessage(&capture.Request{Method: r.Method, Body: body})
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, m.ID, okResult)
}

// TestEventsPassOneByOne: the server sends the next event only once the client
// has told it that the one before has arrived.
func TestEventsPassOneByOne(t *testing.T) {
	arrived := make(chan bool)
	r := run(t, Options{Upstream: upstream(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(http.StatusOK)
		http.NewResponseController(w).Flush()
		<-arrived // the head alone
		for i := range 20 {
			fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"n\":%d}}\n\n", i)
			http.NewResponseController(w).Flush()
			<-arrived
		}
		fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":1,%s}\n\n", okResult)
	})}, capture.LineOptions{})
	resp, err := r.post(call(1, "{}"))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	arrived <- true
	lines := bufio.NewReader(resp.Body)
	for i := range 20 {
		line, err := lines.ReadString('\n')
		if err != nil || !strings.Contains(line, fmt.Sprintf(`"n":%d}`, i)) {
			t.Fatalf("got %q, %v, want event %d", line, err, i)
		}
		if blank, err := lines.ReadString('\n'); blank != "\n" {
			t.Fatalf("got %q, %v, want a blank line", blank, err)
		}
		arrived <- true
	}
	if rest, err := io.ReadAll(lines); err != nil || !strings.Contains(string(rest), okResult) {
		t.Errorf("got %q, %v, want the response", rest, err)
	}
	records := r.end()
	if len(records) != 1 || len(r.judged) != 1 || r.judged[0].Verdict.Outcome != classifier.ToolSuccess || r.judged[0].Verdict.EventCount != 21 {
		t.Errorf("got %+v, want one success with 21 events", r.judged)
	}
}

// TestNothingIsChanged: what a client sends and gets through the proxy is what it
// would send and get without, but for what HTTP has from hop to hop.
func TestNothingIsChanged(t *testing.T) {
	var got *http.Request
	var body []byte
	r := run(t, Options{Upstream: upstream(t, func(w http.ResponseWriter, r *http.Request) {
		got = r
		body, _ = io.ReadAll(r.Body)
		w.Header()["X-Twice"] = []string{"a", "b"}
		w.Header().Set("Content-Encoding", "br") // as it came, whatever it is
		w.Header().Set("Trailer", "X-Late")
		w.WriteHeader(http.StatusTeapot)
		io.WriteString(w, "\x00\xff raw")
		w.Header().Set("X-Late", "yes")
	}) + "?upstream=1"}, capture.LineOptions{Raw: true})
	request, _ := http.NewRequest("POST", r.url+"?a=1;2&b=%zz", strings.NewReader("x"))
	request.Header.Set("X-Forwarded-For", "10.0.0.1")
	request.Header.Set("Accept-Encoding", "br;q=0.5")
	request.Header["User-Agent"] = nil
	resp, err := r.client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if got.URL.Path != "/mcp" || got.URL.RawQuery != "upstream=1&a=1;2&b=%zz" || string(body) != "x" || got.Header.Get("X-Forwarded-For") != "10.0.0.1" ||
		got.Header.Get("Accept-Encoding") != "br;q=0.5" || got.Header.Get("User-Agent") != "" || !strings.HasPrefix(got.Host, "127.0.0.1:") || len(got.Header) != 3 {
		t.Errorf("the server got %s %s, %q, %v", got.Host, got.URL, body, got.Header)
	}
	if resp.StatusCode != http.StatusTeapot || string(text) != "\x00\xff raw" || fmt.Sprint(resp.Header["X-Twice"]) != "[a b]" || resp.Trailer.Get("X-Late") != "yes" {
		t.Errorf("the client got %d, %q, %v, trailer %v", resp.StatusCode, text, resp.Header, resp.Trailer)
	}
	x := r.end()[0]
	if string(x.Answer.Body) != "\x00\xff raw" || string(x.Request.Body) != "x" || x.RPC.Kind != capture.Foreign {
		t.Errorf("got %+v, %+v", x.Request, x.Answer)
	}
}

// TestStrangersAreRefused: a page of the web whose name was made to point here
// cannot use the proxy, and neither can another machine.
func TestStrangersAreRefused(t *testing.T) {
	r := run(t, Options{Upstream: upstream(t, answersOK)}, capture.LineOptions{})
	post := func(host, origin string, want int) {
		t.Helper()
		request, _ := http.NewRequest("POST", r.url, strings.NewReader(call(1, "{}")))
		request.Host = host
		if origin != "" {
			request.Header.Set("Origin", origin)
		}
		resp, err := r.client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("host %q, origin %q: got %d, want %d", host, origin, resp.StatusCode, want)
		}
	}
	for host, want := range map[string]int{"": 200, "localhost:1": 200, "[::1]": 200, "app.localhost": 200, "evil.example": 403, "127.0.0.1.evil.example": 403, "10.0.0.1": 403} {
		post(host, "", want)
	}
	for origin, want := range map[string]int{"http://localhost:6274": 200, "http://evil.example": 403, "null": 403} {
		post("", origin, want)
	}
	for _, address := range []string{"0.0.0.0:0", ":0", "[::]:0", "[::1]:0", "127.0.0.2:0", "192.0.2.1:0", "nonsense", "127.0.0.1"} {
		if l, err := Listen(address); err == nil || !strings.Contains(err.Error(), "127.0.0.1:0") {
			t.Errorf("%s: got %v, %v, want an error that tells an address", address, l, err)
		}
	}
}

func TestUpstreamsThatAreNone(t *testing.T) {
	for url, want := range map[string]string{
		"":                             "must be an http or https URL",
		"127.0.0.1:80":                 "no URL",
		"ftp://h/":                     "ftp://h/ must be an http or https URL",
		"http:///mcp":                  "with a host",
		"http://h/#x":                  "no fragment",
		"http://u:hunter2@h:x/?key=kk": "no URL",
		"ws://u:hunter2@h/?key=kk":     "ws://[redacted]@h/?key=[redacted] must be",
	} {
		_, err := New(Options{Upstream: url})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "kk") {
			t.Errorf("%s: got %v, want %q", url, err, want)
		}
	}
}

// TestUpgrade: what is no longer HTTP passes both ways, and is recorded by its head.
func TestUpgrade(t *testing.T) {
	r := run(t, Options{Upstream: upstream(t, func(w http.ResponseWriter, _ *http.Request) {
		conn, buffered, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
		line, _ := buffered.ReadString('\n')
		io.WriteString(conn, "echo "+line)
	})}, capture.LineOptions{})
	conn, err := net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(r.url, "http://"), "/mcp"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
	in := bufio.NewReader(conn)
	resp, err := http.ReadResponse(in, nil)
	if err != nil || resp.StatusCode != 101 {
		t.Fatalf("got %v, %v", resp, err)
	}
	io.WriteString(conn, "hello\n")
	if all, err := io.ReadAll(in); err != nil || string(all) != "echo hello\n" {
		t.Errorf("got %q, %v", all, err)
	}
	records := r.end()
	if len(records) != 1 || records[0].Answer == nil || records[0].Answer.Status != 101 || records[0].RPC.Kind != capture.Foreign {
		t.Errorf("got %+v, want a GET with 101", records)
	}
}
