package capture

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// RecordFormat is the value of the member format of every line that this
// package writes; see record.schema.json beside it.
const RecordFormat = "replyproof-record/1"

// line is an exchange as one JSON object: what was said of it, and the exchange
// itself, sanitised.
type line struct {
	Format   string             `json:"format"`
	ID       string             `json:"id"`
	From     Place              `json:"from"`
	Kind     Kind               `json:"kind"`
	Record   *classifier.Record `json:"record"`             // null for what is not judged
	Why      string             `json:"why,omitempty"`      // why it is not
	Post     int                `json:"post,omitempty"`     // number among the POSTs of its call
	Evidence string             `json:"evidence,omitempty"` // for record.retryOrigin
	Assumed  bool               `json:"assumed,omitempty"`  // nothing told the id of the call
	Started  *time.Time         `json:"started_at,omitempty"`
	Duration float64            `json:"duration_ms,omitempty"`
	RPC      *lineRPC           `json:"rpc,omitempty"`
	Request  *lineRequest       `json:"request"`
	Answer   *lineAnswer        `json:"answer"`          // null: no HTTP answer
	Ended    *classifier.Ended  `json:"ended,omitempty"` // how a request without an answer ended
	Proxy    *Proxied           `json:"proxy,omitempty"`
}

type lineRPC struct {
	Method          string          `json:"method,omitempty"`
	ID              json.RawMessage `json:"id,omitempty"`
	Tool            string          `json:"tool,omitempty"`
	ProtocolVersion string          `json:"protocol_version,omitempty"`
	Client          string          `json:"client,omitempty"`
	Arguments       string          `json:"arguments,omitempty"` // a digest
	Continues       bool            `json:"continues,omitempty"`
	Why             string          `json:"why,omitempty"`
}

type lineRequest struct {
	Method  string      `json:"method"`
	URL     string      `json:"url"`
	Headers [][2]string `json:"headers"`
	lineBody
}

type lineAnswer struct {
	Status  int              `json:"status"`
	Headers [][2]string      `json:"headers"`
	Ended   classifier.Ended `json:"ended"`
	lineBody
}

// lineBody is a body: text, or base64 where it is no UTF-8, or what is known of
// one that is not kept.
type lineBody struct {
	Body   *string `json:"body,omitempty"`
	Base64 []byte  `json:"body_base64,omitempty"`
	Lost   bool    `json:"body_lost,omitempty"`
	Size   int64   `json:"body_bytes,omitempty"`
	SHA256 string  `json:"body_sha256,omitempty"`
	Head   string  `json:"body_head,omitempty"`
}

// LineOptions say what of an exchange is kept. The zero value keeps every body.
type LineOptions struct {
	// BodyLimit is the longest body, in bytes, that is kept whole; of a longer
	// one size, digest and the first HeadSize bytes are. 0 stands for no limit.
	BodyLimit int
	// Raw leaves secrets and personal data in. Only who owns them may ask for it.
	Raw bool
}

// HeadSize is how much of a body over the limit is kept, in bytes.
const HeadSize = 1024

// AppendLine appends the record of a judged exchange to dst: one JSON object
// and a line feed. It is sanitised here unless the options say otherwise.
func AppendLine(dst []byte, j Judged, o LineOptions) ([]byte, error) {
	x := j.Exchange
	k := knownOf(&x)
	if o.Raw {
		k = nil
	}
	if o.BodyLimit > 0 {
		x = x.shortened(o.BodyLimit, o.Raw, k)
	}
	if !o.Raw {
		x = x.sanitized(k)
	}
	l := line{Format: RecordFormat, ID: x.ID, From: x.From, Kind: x.RPC.Kind, Why: k.without(j.Why), Post: j.Step.Post, Evidence: k.without(j.Step.Evidence), Assumed: x.Assumed, Proxy: x.Proxied}
	if j.Why == "" {
		l.Record = new(withoutPersonalData(j.Record, k))
	}
	if !x.Started.IsZero() {
		l.Started = &x.Started
	}
	l.Duration = float64(x.Duration.Microseconds()) / 1000
	l.RPC = &lineRPC{
		Method: x.RPC.Method, Tool: x.RPC.Tool, ProtocolVersion: x.RPC.ProtocolVersion, Client: x.RPC.Client,
		Arguments: x.RPC.Arguments, Continues: x.RPC.Continues, Why: x.RPC.Why,
	}
	if x.RPC.Kind == Call || x.RPC.Kind == OtherRequest {
		l.RPC.ID = appendID(x.RPC.ID)
	}
	if r := x.Request; r != nil {
		l.Request = &lineRequest{Method: r.Method, URL: r.URL, Headers: pairs(r.Headers), lineBody: bodyOf(r.Body, r.BodyUnknown, r.Lost)}
	}
	if a := x.Answer; a != nil {
		l.Answer = &lineAnswer{Status: a.Status, Headers: pairs(a.Headers), Ended: a.Ended, lineBody: bodyOf(a.Body, a.BodyUnknown, a.Lost)}
	} else {
		l.Ended = &x.NoAnswer
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(l); err != nil {
		return dst, fmt.Errorf("write the record of %s: %w", x.From, err)
	}
	return append(dst, out.Bytes()...), nil
}

// appendID is an id as JSON, as a case writes it: half a surrogate pair escaped.
func appendID(id classifier.ID) json.RawMessage {
	text, err := corpus.Case{RequestID: id, Status: new(0)}.AppendJSON(nil)
	var c struct {
		ID json.RawMessage `json:"request_id"`
	}
	if err != nil || json.Unmarshal(text, &c) != nil {
		return nil
	}
	return c.ID
}

// shortened is the exchange without bodies over the limit.
func (x Exchange) shortened(limit int, raw bool, k known) Exchange {
	if r := x.Request; r != nil && len(r.Body) > limit {
		short := *r
		short.Lost = lost(r.Body)
		short.Lost.Head, short.Body, short.BodyUnknown = headOf(r.Body, raw, k), nil, true
		x.Request = &short
	}
	if a := x.Answer; a != nil && len(a.Body) > limit {
		short := *a
		short.Lost = lost(a.Body)
		short.Body, short.BodyUnknown = nil, true
		if a.Headers.Get("content-encoding") == "" {
			short.Lost.Head = headOf(a.Body, raw, k)
		}
		x.Answer = &short
	}
	return x
}

func pairs(headers corpus.Headers) [][2]string {
	all := make([][2]string, 0, len(headers))
	for _, h := range headers {
		all = append(all, [2]string{h.Name, h.Value})
	}
	return all
}

func bodyOf(body []byte, unknown bool, lost Lost) lineBody {
	switch {
	case unknown:
		return lineBody{Lost: true, Size: lost.Size, SHA256: lost.SHA256, Head: string(bytes.ToValidUTF8(lost.Head, []byte("\uFFFD")))}
	case utf8.Valid(body):
		return lineBody{Body: new(string(body))}
	}
	return lineBody{Base64: body}
}

// read gives the body back.
func (b *lineBody) read() (body []byte, unknown bool, lost Lost) {
	switch {
	case b.Body != nil:
		return []byte(*b.Body), false, Lost{}
	case b.Lost:
		return nil, true, Lost{Size: b.Size, SHA256: b.SHA256, Head: []byte(b.Head)}
	}
	return b.Base64, false, Lost{}
}
