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

// syntaxHeaders are those of them whose every word is HTTP's: a setting that a cookie
// holds, as json or 3600, is no secret where it stands there.
var syntaxHeaders = strings.Fields(`accept accept-encoding accept-ranges age allow cache-control connection content-encoding
	content-length content-type date expect keep-alive mcp-method mcp-protocol-version retry-after transfer-encoding upgrade vary`)

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

// BreaksOff tells whether a text that is no JSON is all right as far as it goes,
// and ends too early. body is the body with its codings undone. Of an event of a
// stream it is not told.
func BreaksOff(v classifier.Verdict, body []byte) bool {
	return v.Outcome == classifier.MalformedJSON && v.EventCount == 0 && v.SyntaxOffset >= int64(len(body))
}

// Sanitized is the exchange without secrets and personal data in the usual
// places: header fields, URLs, members and texts of bodies. A secret that one
// place shows to be one is taken out of all others too. What is judged is
// judged as before; where a body cannot be sanitised so that it is (a content
// coding that cannot be undone, for one), it is left out, its size and digest
// kept. Nothing in x is changed.
func Sanitized(x Exchange) Exchange { return x.sanitized(knownOf(&x)) }

func (x Exchange) sanitized(k known) Exchange {
	before, err := x.verdict()
	judged := err == nil && (x.RPC.Kind == Call || x.RPC.Kind == Notification)
	if r := x.Request; r != nil {
		x.Request = &Request{Method: r.Method, URL: k.text(r.URL), Headers: k.fields(r.Headers), BodyUnknown: r.BodyUnknown, Lost: k.lost(r.Lost)}
		switch body, decoded := Decoded(&Answer{Headers: r.Headers, Body: r.Body}); {
		case r.BodyUnknown:
		case decoded:
			x.Request.Headers = withoutHeader(withoutHeader(x.Request.Headers, "content-encoding"), "content-length")
			x.Request.Body = k.body(body)
		case len(r.Body) > 0 && r.Headers.Get("content-encoding") != "" && !json.Valid(r.Body): // an archive may hold it decoded
			x.Request.BodyUnknown, x.Request.Lost = true, lost(r.Body)
		default:
			x.Request.Body = k.body(r.Body)
		}
	}
	for _, text := range []*string{&x.RPC.Tool, &x.RPC.Client, &x.RPC.Why, &x.RPC.Method, &x.RPC.ProtocolVersion} {
		*text = k.text(*text)
	}
	x.RPC.Meta = k.body(x.RPC.Meta)
	if p := x.Proxied; p != nil {
		x.Proxied = &Proxied{Injected: p.Injected, Replaced: p.Replaced, Status: p.Status, Error: k.text(p.Error)}
	}
	x.RPC.ID = k.id(x.RPC.ID)
	a := x.Answer
	if a == nil {
		return x
	}
	clean := &Answer{Status: a.Status, Headers: k.fields(a.Headers), Ended: a.Ended, BodyUnknown: a.BodyUnknown, Lost: k.lost(a.Lost)}
	x.Answer = clean
	if a.BodyUnknown {
		return x
	}
	body, decoded := Decoded(a)
	if decoded {
		clean.Headers = withoutHeader(clean.Headers, "content-encoding")
		clean.Headers = withoutHeader(clean.Headers, "content-length")
	}
	clean.Body = k.body(body)
	after, err := x.verdict()
	coded := len(a.Body) > 0 && a.Headers.Get("content-encoding") != ""
	if coded && !decoded || judged && (err != nil || VerdictKey(after) != VerdictKey(before) || BreaksOff(after, clean.Body) != BreaksOff(before, body)) {
		clean.Headers = k.fields(a.Headers)
		clean.Body, clean.BodyUnknown, clean.Lost = nil, true, lost(a.Body)
	}
	return x
}

// lost is what is kept of a body that is not.
func lost(body []byte) Lost {
	sum := sha256.Sum256(body)
	return Lost{Size: int64(len(body)), SHA256: hex.EncodeToString(sum[:])}
}

// lost is what is known of a body that is not kept, its head without secrets.
func (k known) lost(l Lost) Lost {
	l.Head = k.head(l.Head)
	return l
}

func (k known) fields(headers corpus.Headers) corpus.Headers {
	clean := make(corpus.Headers, 0, len(headers))
	for _, h := range headers {
		value := redacted
		switch name := strings.ToLower(h.Name); {
		case name == "www-authenticate":
			value = k.challenge(h.Value)
		case slices.Contains(syntaxHeaders, name):
			value = CleanText(h.Value)
		case slices.Contains(plainHeaders, name):
			value = k.text(h.Value)
		}
		clean = append(clean, corpus.Header{Name: h.Name, Value: value})
	}
	return clean
}

// CleanBody is a body without secrets and personal data in the usual places:
// JSON and the events of a stream keep their shape, and every byte but those of
// the texts that held some. What should be JSON and is not goes wrong as it did.
func CleanBody(body []byte) []byte { return known(nil).body(body) }

func (k known) body(body []byte) []byte {
	if len(body) == 0 {
		return body
	}
	if v, ok := jsonspan.Parse(body); ok {
		return k.cleanJSON(body, v)
	}
	if clean, ok := k.cleanStream(body); ok {
		return clean
	}
	if looksJSON(body) {
		return k.cleanBroken(body)
	}
	return []byte(k.text(string(body)))
}

// cleanJSON replaces the strings of a JSON text that hold what must not be kept.
func (k known) cleanJSON(text []byte, v jsonspan.Value) []byte {
	c := cleaner{known: k, text: text}
	c.value(v)
	return jsonspan.Apply(text, c.edits)
}

type cleaner struct {
	known known
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
			if clean := c.known.text(s); clean != s {
				c.replace(v, clean)
			}
		}
	case 0:
		if raw := string(c.text[v.Start:v.End]); withoutPersonal(raw) != raw || slices.Contains(c.known, raw) {
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
func (k known) cleanStream(body []byte) (clean []byte, ok bool) {
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
			out = append(out, k.text(string(body[lines[i].Start:lines[i].End]))...)
			out = append(out, body[lines[i].End:lines[i].Next]...)
			i++
			continue
		}
		out = append(out, k.cleanData(body, lines[i:i+n])...)
		i += n
	}
	return out, true
}

// cleanData treats lines of data as the one text that they are.
func (k known) cleanData(body []byte, lines []StreamLine) []byte {
	var joined []byte
	for i, l := range lines {
		if i > 0 {
			joined = append(joined, '\n')
		}
		joined = append(joined, body[l.Value:l.End]...)
	}
	var clean string
	if v, ok := jsonspan.Parse(joined); ok {
		clean = string(k.cleanJSON(joined, v))
	} else if looksJSON(joined) {
		clean = string(k.cleanBroken(joined))
	} else {
		clean = k.text(string(joined))
	}
	parts := strings.Split(clean, "\n")
	var out []byte
	for i, l := range lines {
		if len(parts) == len(lines) {
			out = append(append(append(out, body[l.Start:l.Value]...), parts[i]...), body[l.End:l.Next]...)
			continue
		}
		// A secret ran over lines: the text stands in the first of them.
		text := ""
		if i == 0 {
			text = strings.ReplaceAll(clean, "\n", " ")
		}
		out = append(append(append(out, body[l.Start:l.Value]...), text...), body[l.End:l.Next]...)
	}
	return out
}
