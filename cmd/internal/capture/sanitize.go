package capture

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/jsonspan"
	"github.com/replyproof/replyproof/corpus"
)

// redacted stands for what was taken out.
const redacted = "[redacted]"

// plainHeaders are the header fields whose values are kept, secrets in them
// taken out. Of all others the name is kept alone: what a field that nobody
// knows holds may be a key or a person's name.
var plainHeaders = strings.Fields(`accept accept-encoding accept-ranges age allow cache-control connection content-encoding
	content-length content-type date expect host keep-alive mcp-method mcp-name mcp-protocol-version retry-after server
	transfer-encoding upgrade user-agent vary via www-authenticate x-content-type-options`)

// VerdictKey is all of a verdict that says what is right or odd about an answer,
// as text: two answers with the same key are judged alike.
func VerdictKey(v classifier.Verdict) string {
	var findings []string
	for _, f := range v.Findings {
		findings = append(findings, f.Kind.String())
	}
	code := string(v.Error.Code)
	if v.Error.Fits {
		code = fmt.Sprint(v.Error.Number)
	}
	return fmt.Sprintf("%s %s answered=%v status=%d code=%s retry-after=%v challenged=%v findings=%v ended=%s",
		v.Outcome, v.Reason, v.Answered, v.Status, code, v.RetryAfter != "", v.Challenged, findings, v.Ended)
}

// Sanitized is the exchange without secrets and personal data in the usual
// places: header fields, URLs, members and texts of bodies. What is judged is
// judged as before; where a body cannot be sanitised so that it is (a content
// coding that cannot be undone, for one), it is left out, its size and digest
// kept. Nothing in x is changed.
func Sanitized(x Exchange) Exchange {
	before, err := x.verdict()
	judged := err == nil && (x.RPC.Kind == Call || x.RPC.Kind == Notification)
	if r := x.Request; r != nil {
		x.Request = &Request{Method: r.Method, URL: CleanText(r.URL), Headers: cleanHeaders(r.Headers), BodyUnknown: r.BodyUnknown, Lost: r.Lost}
		if !r.BodyUnknown {
			x.Request.Body = CleanBody(r.Body)
		}
	}
	x.RPC.Tool, x.RPC.Client, x.RPC.Why = CleanText(x.RPC.Tool), CleanText(x.RPC.Client), CleanText(x.RPC.Why)
	x.RPC.Method, x.RPC.ProtocolVersion = CleanText(x.RPC.Method), CleanText(x.RPC.ProtocolVersion)
	x.RPC.Meta = CleanBody(x.RPC.Meta)
	if p := x.Proxied; p != nil {
		x.Proxied = &Proxied{Injected: p.Injected, Replaced: p.Replaced, Status: p.Status, Error: CleanText(p.Error)}
	}
	if text, ok := x.RPC.ID.Text(); ok {
		x.RPC.ID = classifier.StringID(CleanText(text))
	}
	a := x.Answer
	if a == nil {
		return x
	}
	clean := &Answer{Status: a.Status, Headers: cleanHeaders(a.Headers), Ended: a.Ended, BodyUnknown: a.BodyUnknown, Lost: a.Lost}
	x.Answer = clean
	if a.BodyUnknown {
		return x
	}
	body, decoded := Decoded(a)
	if decoded {
		clean.Headers = withoutHeader(clean.Headers, "content-encoding")
		clean.Headers = withoutHeader(clean.Headers, "content-length")
	}
	clean.Body = CleanBody(body)
	after, err := x.verdict()
	coded := len(a.Body) > 0 && a.Headers.Get("content-encoding") != ""
	if coded && !decoded || judged && (err != nil || VerdictKey(after) != VerdictKey(before)) {
		clean.Headers = cleanHeaders(a.Headers)
		clean.Body, clean.BodyUnknown, clean.Lost = nil, true, lost(a.Body)
	}
	return x
}

// lost is what is kept of a body that is not.
func lost(body []byte) Lost {
	sum := sha256.Sum256(body)
	return Lost{Size: int64(len(body)), SHA256: hex.EncodeToString(sum[:])}
}

func cleanHeaders(headers corpus.Headers) corpus.Headers {
	clean := make(corpus.Headers, 0, len(headers))
	for _, h := range headers {
		value := redacted
		if slices.Contains(plainHeaders, strings.ToLower(h.Name)) {
			value = CleanText(h.Value)
		}
		clean = append(clean, corpus.Header{Name: h.Name, Value: value})
	}
	return clean
}

// CleanBody is a body without secrets and personal data in the usual places:
// JSON and the events of a stream keep their shape, and every byte but those of
// the texts that held some.
func CleanBody(body []byte) []byte {
	if len(body) == 0 {
		return body
	}
	if v, ok := jsonspan.Parse(body); ok {
		return cleanJSON(body, v)
	}
	if clean, ok := cleanStream(body); ok {
		return clean
	}
	return []byte(CleanText(string(body)))
}

// cleanJSON replaces the strings of a JSON text that hold what must not be kept.
func cleanJSON(text []byte, v jsonspan.Value) []byte {
	c := cleaner{text: text}
	c.value(v)
	return jsonspan.Apply(text, c.edits)
}

type cleaner struct {
	text  []byte
	edits []jsonspan.Edit
}

func (c *cleaner) replace(v jsonspan.Value, with string) {
	quoted := new(bytes.Buffer)
	e := json.NewEncoder(quoted)
	e.SetEscapeHTML(false)
	_ = e.Encode(with)
	c.edits = append(c.edits, jsonspan.Edit{Start: v.Start, End: v.End, With: bytes.TrimSpace(quoted.Bytes())})
}

func (c *cleaner) value(v jsonspan.Value) {
	switch v.Kind {
	case '"':
		var s string
		if json.Unmarshal(c.text[v.Start:v.End], &s) == nil {
			if clean := CleanText(s); clean != s {
				c.replace(v, clean)
			}
		}
	case 0:
		if raw := string(c.text[v.Start:v.End]); withoutPersonal(raw) != raw {
			c.edits = append(c.edits, jsonspan.Edit{Start: v.Start, End: v.End, With: []byte("0")})
		}
	case '{', '[':
		for _, item := range v.Items {
			if item.NameEnd == 0 {
				c.value(item.Value)
				continue
			}
			name := item.Name(c.text)
			c.value(jsonspan.Value{Kind: '"', Start: item.NameStart, End: item.NameEnd})
			c.member(name, item.Value)
		}
	}
}

// member treats the value of a member by its name.
func (c *cleaner) member(name string, v jsonspan.Value) {
	word := v.Kind == 't' || v.Kind == 'f' || v.Kind == 'n'
	empty := v.Kind == '"' && v.End-v.Start == 2
	switch {
	case name == "requestState" && v.Kind == '"' && !empty:
		// Opaque, and a secret of the server's as likely as not; equal ones stay equal.
		c.replace(v, stand(c.text[v.Start:v.End]))
	case !word && !empty && classifier.IsSecretName(name, v.Kind == 0):
		c.replace(v, redacted)
	default:
		c.value(v)
	}
}

// stand is what stands for a value that must be told from others and not be known.
func stand(value []byte) string {
	sum := sha256.Sum256(value)
	return "[redacted " + hex.EncodeToString(sum[:4]) + "]"
}

// cleanStream treats the data of each event of a stream; ok is false if the body
// has no data line.
func cleanStream(body []byte) (clean []byte, ok bool) {
	lines := StreamLines(body)
	if !slices.ContainsFunc(lines, func(l StreamLine) bool { return l.Data }) {
		return nil, false
	}
	var out []byte
	for i := 0; i < len(lines); {
		n := 0 // lines of data that follow one another and so are one text
		for i+n < len(lines) && lines[i+n].Data {
			n++
		}
		if n == 0 {
			out = append(out, CleanText(string(body[lines[i].Start:lines[i].End]))...)
			out = append(out, body[lines[i].End:lines[i].Next]...)
			i++
			continue
		}
		out = append(out, cleanData(body, lines[i:i+n])...)
		i += n
	}
	return out, true
}

// cleanData treats lines of data as the one text that they are.
func cleanData(body []byte, lines []StreamLine) []byte {
	var joined []byte
	for i, l := range lines {
		if i > 0 {
			joined = append(joined, '\n')
		}
		joined = append(joined, body[l.Value:l.End]...)
	}
	clean := CleanText(string(joined))
	if v, ok := jsonspan.Parse(joined); ok {
		clean = string(cleanJSON(joined, v))
	}
	parts := strings.Split(clean, "\n")
	var out []byte
	for i, l := range lines {
		if len(parts) == len(lines) {
			out = append(append(append(out, body[l.Start:l.Value]...), parts[i]...), body[l.End:l.Next]...)
			continue
		}
		// A secret ran over lines: the text stands in the first of them.
		text := strings.ReplaceAll(clean, "\n", " ")
		if i > 0 {
			text = ""
		}
		out = append(append(append(out, body[l.Start:l.Value]...), text...), body[l.End:l.Next]...)
	}
	return out
}
