package capture

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"iter"
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
	text := func(body []byte) (string, string) {
		if utf8.Valid(body) {
			return string(body), ""
		}
		return base64.StdEncoding.EncodeToString(body), "base64"
	}
	sent, coding := text(x.Request.Body)
	request := map[string]any{
		"method": x.Request.Method, "url": x.Request.URL, "httpVersion": "HTTP/1.1", "cookies": []any{}, "queryString": []any{},
		"headers": harFields(x.Request.Headers), "headersSize": -1, "bodySize": len(x.Request.Body),
	}
	if sent != "" {
		request["postData"] = harPostData{MimeType: x.Request.Headers.Get("content-type"), Text: &sent, Encoding: coding}
	}
	own := harOwned{ID: x.ID, Raw: true, Ended: x.NoAnswer}
	content := map[string]any{"size": 0, "mimeType": ""}
	response := map[string]any{
		"status": 0, "statusText": "", "httpVersion": "HTTP/1.1", "cookies": []any{}, "headers": []any{}, "redirectURL": "",
		"headersSize": -1, "bodySize": -1, "content": content,
	}
	if a := x.Answer; a != nil {
		own.Ended, own.Answered = a.Ended, true
		response["status"], response["headers"], response["bodySize"] = a.Status, harFields(a.Headers), len(a.Body)
		content["size"], content["mimeType"] = len(a.Body), a.Headers.Get("content-type")
		came, coding := text(a.Body)
		content["text"] = came
		if coding != "" {
			content["encoding"] = coding
		}
	}
	took := float64(x.Duration.Microseconds()) / 1000
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(map[string]any{"log": map[string]any{
		"version": "1.2", "creator": map[string]any{"name": "replyproof", "version": "1"},
		"entries": []any{map[string]any{
			"startedDateTime": x.Started.UTC().Format("2006-01-02T15:04:05.000Z"), "time": took, "cache": map[string]any{},
			"timings": map[string]any{"send": 0, "wait": took, "receive": 0}, "request": request, "response": response, "_replyproof": own,
		}},
	}})
}

// harOf is an exchange of a case as an entry.
func harOf(c, whole corpus.Case, n int) ([]byte, error) {
	own := harOwned{ID: whole.ID, Raw: true, Then: n, Ended: c.NoAnswer()}
	response := map[string]any{
		"status": 0, "statusText": "", "httpVersion": "", "cookies": []any{}, "headers": []any{}, "redirectURL": "", "headersSize": -1, "bodySize": -1,
		"content": map[string]any{"size": 0, "mimeType": ""},
	}
	if n > 0 {
		own.ID = fmt.Sprintf("%s#%d", whole.ID, n+1)
	} else {
		line, err := whole.AppendJSON(nil)
		if err != nil {
			return nil, err
		}
		own.Case = line
	}
	if c.Status != nil {
		wire := c.Answer()
		own.Ended, own.Answered = wire.Ended, true
		content := map[string]any{"size": len(wire.Body), "mimeType": c.Headers.Get("content-type")}
		if utf8.Valid(wire.Body) {
			content["text"] = string(wire.Body)
		} else {
			content["text"], content["encoding"] = base64.StdEncoding.EncodeToString(wire.Body), "base64"
		}
		response["status"], response["httpVersion"], response["content"] = *c.Status, "HTTP/1.1", content
		response["headers"], response["bodySize"] = harFields(c.Headers), len(wire.Body)
	}
	body := requestBody(c)
	entry := map[string]any{
		"startedDateTime": "1970-01-01T00:00:00.000Z", "time": 0, "cache": map[string]any{}, "timings": map[string]any{"send": 0, "wait": 0, "receive": 0},
		"request": map[string]any{
			"method": "POST", "url": "http://server.invalid/mcp", "httpVersion": "HTTP/1.1", "cookies": []any{}, "queryString": []any{}, "headersSize": -1, "bodySize": len(body),
			"headers":  []harField{{"Content-Type", "application/json"}},
			"postData": map[string]any{"mimeType": "application/json", "text": string(body)},
		},
		"response": response, "_replyproof": own,
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(entry); err != nil {
		return nil, fmt.Errorf("write case %s: %w", whole.ID, err)
	}
	return bytes.TrimSpace(out.Bytes()), nil
}

func harFields(headers corpus.Headers) []harField {
	fields := make([]harField, 0, len(headers))
	for _, h := range headers {
		fields = append(fields, harField{h.Name, h.Value})
	}
	return fields
}
