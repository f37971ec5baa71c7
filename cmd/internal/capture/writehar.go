package capture

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"time"
	"unicode/utf8"

	"github.com/replyproof/replyproof/corpus"
)

// WriteHAR writes cases as an HTTP Archive 1.2, an entry for each exchange. What
// the format has no place for (how an answer ended, and all that a case says of
// itself) stands in a member _replyproof of the entry, as the format allows.
func WriteHAR(w io.Writer, cases iter.Seq[corpus.Case]) error {
	if _, err := io.WriteString(w, `{"log":{"version":"1.2","creator":{"name":"replyproof","version":"1"},"entries":[`); err != nil {
		return err
	}
	first := true
	for c := range cases {
		for i, exchange := range c.Exchanges() {
			if i > 0 && !exchange.Notification {
				exchange.RequestID = c.RequestID
			}
			entry, err := harOf(exchange, c, i)
			if err != nil {
				return err
			}
			if !first {
				entry = append([]byte(","), entry...)
			}
			first = false
			if _, err := w.Write(append([]byte("\n"), entry...)); err != nil {
				return err
			}
		}
	}
	_, err := io.WriteString(w, "\n]}}\n")
	return err
}

// WriteHARExchange writes one exchange, sanitised, as an HTTP Archive 1.2. It is an
// error if the request is not known.
func WriteHARExchange(w io.Writer, x Exchange) error {
	x = Sanitized(x)
	if x.Request == nil {
		return fmt.Errorf("write %s as HAR: the request is not known", x.From)
	}
	own := harOwned{ID: x.ID, Raw: true, Ended: x.NoAnswer}
	if a := x.Answer; a != nil {
		own.Ended, own.Answered = a.Ended, true
	}
	took := float64(x.Duration.Microseconds()) / 1000
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(map[string]any{"log": map[string]any{
		"version": "1.2", "creator": map[string]any{"name": "replyproof", "version": "1"},
		"entries": []any{harEntryOf(x.Started, took, x.Request, x.Answer, own)},
	}})
}

// harOf is an exchange of a case as an entry.
func harOf(c, whole corpus.Case, n int) ([]byte, error) {
	own := harOwned{ID: whole.ID, Raw: true, Then: n, Ended: c.NoAnswer()}
	if n > 0 {
		own.ID = fmt.Sprintf("%s#%d", whole.ID, n+1)
	} else {
		line, err := whole.AppendJSON(nil)
		if err != nil {
			return nil, err
		}
		own.Case = line
	}
	asked := &Request{
		Method: "POST", URL: "http://server.invalid/mcp", Body: requestBody(c),
		Headers: corpus.Headers{{Name: "Content-Type", Value: "application/json"}},
	}
	var answer *Answer
	if c.Status != nil {
		wire := c.Answer()
		own.Ended, own.Answered = wire.Ended, true
		answer = &Answer{Status: *c.Status, Headers: c.Headers, Body: wire.Body}
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(harEntryOf(time.Unix(0, 0), 0, asked, answer, own)); err != nil {
		return nil, fmt.Errorf("write case %s: %w", whole.ID, err)
	}
	return bytes.TrimSpace(out.Bytes()), nil
}

// harEntryOf is one entry: what was asked, the answer, nil if none came, and what
// the format has no place for. took is in milliseconds.
func harEntryOf(started time.Time, took float64, asked *Request, a *Answer, own harOwned) map[string]any {
	request := map[string]any{
		"method": asked.Method, "url": asked.URL, "httpVersion": "HTTP/1.1", "cookies": []any{}, "queryString": []any{},
		"headers": harFields(asked.Headers), "headersSize": -1, "bodySize": len(asked.Body),
	}
	if len(asked.Body) > 0 {
		text, encoding := harTextOf(asked.Body)
		request["postData"] = harPostData{MimeType: asked.Headers.Get("content-type"), Text: &text, Encoding: encoding}
	}
	content := map[string]any{"size": 0, "mimeType": ""}
	response := map[string]any{
		"status": 0, "statusText": "", "httpVersion": "", "cookies": []any{}, "headers": []any{}, "redirectURL": "",
		"headersSize": -1, "bodySize": -1, "content": content,
	}
	if a != nil {
		response["status"], response["httpVersion"] = a.Status, "HTTP/1.1"
		response["headers"], response["bodySize"] = harFields(a.Headers), len(a.Body)
		text, encoding := harTextOf(a.Body)
		content["size"], content["mimeType"], content["text"] = len(a.Body), a.Headers.Get("content-type"), text
		if encoding != "" {
			content["encoding"] = encoding
		}
	}
	return map[string]any{
		"startedDateTime": started.UTC().Format("2006-01-02T15:04:05.000Z"), "time": took, "cache": map[string]any{},
		"timings": map[string]any{"send": 0, "wait": took, "receive": 0}, "request": request, "response": response, "_replyproof": own,
	}
}

// harTextOf is a body as a text, and the encoding of one that is none.
func harTextOf(body []byte) (text, encoding string) {
	if utf8.Valid(body) {
		return string(body), ""
	}
	return base64.StdEncoding.EncodeToString(body), "base64"
}

func harFields(headers corpus.Headers) []harField {
	fields := make([]harField, 0, len(headers))
	for _, h := range headers {
		fields = append(fields, harField{h.Name, h.Value})
	}
	return fields
}
