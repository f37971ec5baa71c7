package capture

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// An archive is read one entry at a time, so that its size does not matter. A
// browser or a proxy has undone the content codings of the bodies in it, and its
// texts are what was made of the bytes: what was no UTF-8 is base64.

// harEntry is an entry of an archive, with the members that matter. Members of
// a wrong type are faults of that entry alone.
type harEntry struct {
	Started  string       `json:"startedDateTime"`
	Time     float64      `json:"time"`
	Request  *harRequest  `json:"request"`
	Response *harResponse `json:"response"`
	Resource string       `json:"_resourceType"`
	// Error and Failure tell why there was no answer, or not all of it:
	// Chromium and mitmproxy write the first, Playwright the second.
	Error   harText   `json:"_error"`
	Failure harText   `json:"_failureText"`
	Own     *harOwned `json:"_replyproof"`
}

type harRequest struct {
	Method  string       `json:"method"`
	URL     string       `json:"url"`
	Headers []harField   `json:"headers"`
	Post    *harPostData `json:"postData"`
	Size    *float64     `json:"bodySize"`
}

type harPostData struct {
	MimeType string  `json:"mimeType"`
	Text     *string `json:"text"`
	Encoding string  `json:"encoding,omitempty"` // not in the standard: nothing unless the text is base64
}

type harResponse struct {
	Status  *int       `json:"status"`
	Headers []harField `json:"headers"`
	Content struct {
		Size     *float64 `json:"size"`
		MimeType string   `json:"mimeType"`
		Text     *string  `json:"text"`
		Encoding string   `json:"encoding"`
	} `json:"content"`
	Redirect string  `json:"redirectURL"`
	Error    harText `json:"_error"`
	Failure  harText `json:"_failureText"`
}

type harField struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// harText is a text, or nothing: tools write null and false for none.
type harText string

// UnmarshalJSON never fails.
func (t *harText) UnmarshalJSON(raw []byte) error {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		*t = harText(s)
	}
	return nil
}

// harOwned is what an archive of the command's own holds beside the standard.
type harOwned struct {
	ID       string           `json:"id,omitempty"`
	Answered bool             `json:"answered,omitempty"` // also where the status is 0 or negative
	Ended    classifier.Ended `json:"ended"`
	Raw      bool             `json:"raw,omitempty"`  // the body is as it came, codings not undone
	Case     json.RawMessage  `json:"case,omitempty"` // of the first of its exchanges
	Then     int              `json:"then,omitempty"` // number among its later ones
}

// har yields the entries of an archive.
func (in Input) har(r *bufio.Reader, yield yielder) error {
	w := in.walk(r)
	if err := w.enter("log", "entries"); err != nil {
		return w.fail(0, err)
	}
	var last redirect
	for n := 1; w.d.More(); n++ {
		w.budget.left = in.Limit
		at := w.next()
		var entry *harEntry
		err := w.d.Decode(&entry)
		var typ *json.UnmarshalTypeError
		if err != nil && !errors.As(err, &typ) {
			return w.fail(n, err)
		}
		x := Exchange{ID: strconv.Itoa(n), From: Place{in.Name, fmt.Sprintf("entry %d", n)}}
		switch {
		case err != nil:
			err = misplaced(typ)
		case entry == nil:
			err = errors.New("the entry is null, and must be an object")
		default:
			entry.follow(&last)
			err = in.entry(&x, entry)
		}
		if err != nil {
			if err := yield(Exchange{}, &Fault{w.place(n, at), err}); err != nil {
				return err
			}
			continue
		}
		if err := yield(x, nil); err != nil {
			return err
		}
	}
	if _, err := w.d.Token(); err != nil {
		return w.fail(0, err)
	}
	if err := w.leave("entries", "log"); err != nil {
		return w.fail(0, err)
	}
	end := w.offset()
	white, more, err := pastWhite(io.MultiReader(w.d.Buffered(), r))
	switch {
	case err != nil:
		return &Fault{Place{File: in.Name}, err}
	case more:
		return &Fault{w.place(0, end+white), errors.New("the archive ends before this, and what follows it is not read; put each archive into a file of its own")}
	}
	return nil
}

// redirect is where the last 307 or 308 led, and with what.
type redirect struct {
	url  string
	post *harPostData
}

// follow gives the request that follows a 307 or 308 the body that it repeats,
// which Chromium does not write again, and remembers where this one leads.
func (e *harEntry) follow(last *redirect) {
	if e.Request == nil {
		return
	}
	if post := e.Request.Post; (post == nil || post.Text == nil || *post.Text == "") && last.post != nil && e.Request.URL == last.url && e.Request.Method == "POST" {
		e.Request.Post = last.post
	}
	*last = redirect{}
	if r := e.Response; r != nil && r.Status != nil && (*r.Status == 307 || *r.Status == 308) {
		if base, err := url.Parse(e.Request.URL); err == nil {
			if to, err := base.Parse(r.Redirect); err == nil {
				*last = redirect{to.String(), e.Request.Post}
			}
		}
	}
}

// entry makes an exchange of an entry.
func (in Input) entry(x *Exchange, e *harEntry) error {
	if started, err := time.Parse(time.RFC3339Nano, e.Started); err == nil {
		x.Started = started
	}
	if e.Time > 0 && e.Time < 1e12 {
		x.Duration = time.Duration(e.Time * float64(time.Millisecond))
	}
	if e.Request == nil {
		return errors.New("there is no request in it, which HAR 1.2 has in each entry, so it cannot be told what was called")
	}
	if e.Request.Method == "" {
		return errors.New("the request has no method, which HAR 1.2 has in each, so it cannot be told what was called")
	}
	request, err := e.Request.read()
	if err != nil {
		return err
	}
	x.Request = request
	in.tell(x)
	if e.Resource == "websocket" {
		x.RPC.Kind, x.RPC.Why = Foreign, "which became a WebSocket"
	}
	if e.Response == nil {
		return errors.New("there is no response in it, not even one with the status 0, as where no answer came")
	}
	failure := string(e.Error + e.Failure + e.Response.Error + e.Response.Failure)
	if e.Own != nil && e.Own.ID != "" {
		x.ID = e.Own.ID
		x.Own, x.Frozen, x.Later = true, e.Own.Case, e.Own.Then > 0
	}
	status := e.Response.Status
	switch {
	case status == nil:
		return errors.New("the response has no status; HAR 1.2 has one in each, 0 where no answer came")
	case *status <= 0 && e.Own == nil:
		x.NoAnswer = endOfFailure(failure)
		return nil
	case *status <= 0 && !e.Own.Answered:
		x.NoAnswer = e.Own.Ended
		return nil
	}
	if x.Answer, err = e.Response.read(e.Own != nil && e.Own.Raw); err != nil {
		return err
	}
	switch {
	case e.Own != nil:
		x.Answer.Ended = e.Own.Ended
	case failure != "":
		x.Answer.Ended = endOfFailure(failure)
	}
	return nil
}

func (r *harRequest) read() (*Request, error) {
	out := &Request{Method: r.Method, URL: r.URL, Headers: harHeaders(r.Headers)}
	switch {
	case r.Post != nil && r.Post.Text != nil:
		body, err := harBody(*r.Post.Text, r.Post.Encoding)
		if err != nil {
			return nil, fmt.Errorf("request.postData: %w", err)
		}
		out.Body = body
		out.BodyUnknown = len(body) == 0 && (r.Size != nil && *r.Size > 0 || strings.Trim(out.Headers.Get("content-length"), "0") != "")
	case r.Post != nil, r.Size == nil, *r.Size != 0:
		out.BodyUnknown = r.Method == "POST"
	}
	return out, nil
}

func (r *harResponse) read(raw bool) (*Answer, error) {
	out := &Answer{Status: *r.Status, Headers: harHeaders(r.Headers)}
	c := r.Content
	switch {
	case c.Text != nil:
		body, err := harBody(*c.Text, c.Encoding)
		if err != nil {
			return nil, fmt.Errorf("response.content: %w", err)
		}
		out.Body = body
	case c.Size != nil && *c.Size == 0, out.Headers.Get("content-length") == "0", *r.Status == 204, *r.Status == 304:
	default:
		out.BodyUnknown = true
	}
	if !raw && !stillCoded(out.Body) {
		// The codings were undone before the body was written into the archive.
		out.Headers = withoutHeader(out.Headers, "content-encoding")
	}
	return out, nil
}

// stillCoded tells whether a body begins as gzip or zstd do.
func stillCoded(body []byte) bool {
	return bytes.HasPrefix(body, []byte{0x1F, 0x8B, 8}) || bytes.HasPrefix(body, []byte{0x28, 0xB5, 0x2F, 0xFD})
}

func withoutHeader(headers corpus.Headers, name string) corpus.Headers {
	var kept corpus.Headers
	for _, h := range headers {
		if !strings.EqualFold(h.Name, name) {
			kept = append(kept, h)
		}
	}
	return kept
}

// harHeaders are the fields without HTTP/2's pseudo fields.
func harHeaders(fields []harField) corpus.Headers {
	headers := corpus.Headers{}
	for _, f := range fields {
		if !token(f.Name) {
			continue
		}
		// Browsers join repeated fields with a line feed.
		for value := range strings.SplitSeq(f.Value, "\n") {
			headers = append(headers, corpus.Header{Name: f.Name, Value: strings.Trim(value, "\r \t\x00")})
		}
	}
	return headers
}

func harBody(text, encoding string) ([]byte, error) {
	switch strings.ToLower(encoding) {
	case "":
		return []byte(text), nil
	case "base64":
		clean := strings.NewReplacer("\r", "", "\n", "", " ", "").Replace(text)
		body, err := base64.StdEncoding.DecodeString(clean)
		if err != nil {
			if body, err = base64.RawStdEncoding.DecodeString(clean); err != nil {
				return nil, fmt.Errorf("the text is no base64, though its encoding says so: %w", err)
			}
		}
		return body, nil
	}
	return nil, fmt.Errorf("the encoding %q is not known; base64 is", encoding)
}

// endOfFailure tells how an exchange ended from what a browser or proxy says of
// it, such as net::ERR_CONNECTION_REFUSED.
func endOfFailure(text string) classifier.Ended {
	text = strings.ToLower(text)
	for _, sign := range failureSigns {
		for _, words := range sign.words {
			if strings.Contains(text, words) {
				return sign.ended
			}
		}
	}
	if text == "" {
		// A status of 0 or -1 and nothing said: blocked, or never made.
		return classifier.EndedConnect
	}
	return classifier.EndedReset
}

// failureSigns are words of failures, tried in order.
var failureSigns = []struct {
	ended classifier.Ended
	words []string
}{
	{classifier.EndedTLS, []string{"ssl", "tls", "cert"}},
	{classifier.EndedDeadline, []string{"timed_out", "timed out", "timeout"}},
	{classifier.EndedCancelled, []string{"aborted", "cancel", "ns_binding_aborted", "client disconnected"}},
	{classifier.EndedReset, []string{"reset", "empty_response", "server disconnected", "closed connection"}},
	{classifier.EndedConnect, []string{"refused", "name_not_resolved", "unreachable", "address_invalid", "blocked", "proxy_connection", "tunnel_connection",
		"internet_disconnected", "connection_failed", "could not connect", "unable to connect", "connect call failed", "name or service not known"}},
}
