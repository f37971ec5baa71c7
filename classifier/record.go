package classifier

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"time"
)

// Record is what is kept of one call: one JSON object, its members named as in
// the tags. Everything that came from the server is sanitised: bounded, free of
// control characters and of secrets in the usual places. Nothing in it aliases
// the answer. It implements [slog.LogValuer].
type Record struct {
	Client          string          `json:"client"`
	ProtocolVersion string          `json:"protocolVersion"`
	Scenario        string          `json:"scenario"`
	Method          string          `json:"method"`
	PostCount       int             `json:"postCount"`
	ToolCallCount   int             `json:"toolCallCount"`
	HTTPStatuses    []*int          `json:"httpStatuses"` // one per POST, null where no answer came
	ContentType     *string         `json:"contentType"`
	JSONRPC         RecordRPC       `json:"jsonrpc"`
	ResultType      json.RawMessage `json:"resultType"` // as sent, null if absent
	Outcome         Outcome         `json:"outcome"`
	Layer           Layer           `json:"layer"`
	Reason          Reason          `json:"reason"`
	Findings        []FindingKind   `json:"findings"`
	EventCount      int             `json:"eventCount"`
	Ended           BodyEnd         `json:"ended"`
	RetryAfter      *string         `json:"retryAfter"`
	RetryOrigin     RetryOrigin     `json:"retryOrigin"`
	Advice          Action          `json:"advice"`
	ToModel         ToModel         `json:"toModel"`
	StartedAt       *time.Time      `json:"startedAt"`
	DurationMS      float64         `json:"durationMs"`
	Meta            json.RawMessage `json:"meta"` // the request's _meta, sanitised
}

// RecordRPC is the JSON-RPC part of a [Record]; absent members are null.
type RecordRPC struct {
	ID           json.RawMessage `json:"id"`        // the response's id
	ErrorCode    json.RawMessage `json:"errorCode"` // a number
	ErrorMessage *string         `json:"errorMessage"`
	ErrorData    json.RawMessage `json:"errorData"`
}

// RetryOrigin tells who sent the last POST of a call again.
type RetryOrigin uint8

const (
	// RetryNone is a call that was sent once.
	RetryNone RetryOrigin = iota
	// RetrySDK is a retry by the SDK or the HTTP library.
	RetrySDK
	// RetryApplication is a retry by the application's own logic.
	RetryApplication
	// RetryManual is a person who tried again.
	RetryManual

	retryOriginEnd
)

var retryOriginNames = [retryOriginEnd]string{RetryNone: "none", RetrySDK: "sdk", RetryApplication: "application", RetryManual: "manual"}

// String is the word of the record, such as sdk.
func (o RetryOrigin) String() string {
	if o >= retryOriginEnd {
		return fmt.Sprintf("RetryOrigin(%d)", uint8(o))
	}
	return retryOriginNames[o]
}

// MarshalText writes the word; a value that is none is an error.
func (o RetryOrigin) MarshalText() ([]byte, error) {
	if o >= retryOriginEnd {
		return nil, fmt.Errorf("classifier: marshal retry origin %d: not an origin", uint8(o))
	}
	return []byte(o.String()), nil
}

// UnmarshalText reads a word, spelled exactly.
func (o *RetryOrigin) UnmarshalText(text []byte) error {
	for i := RetryNone; i < retryOriginEnd; i++ {
		if retryOriginNames[i] == string(text) {
			*o = i
			return nil
		}
	}
	return fmt.Errorf("classifier: unknown retry origin %.40q; the origins are none, sdk, application, manual", text)
}

// Exchange is what the caller knows of a call and [NewRecord] cannot see in its
// verdict. Every field may be left empty.
type Exchange struct {
	Client          string // name@version
	ProtocolVersion string
	Scenario        string
	Method          string // tools/call if empty
	// Earlier are the verdicts of the POSTs before the last, in order.
	Earlier []Verdict
	// OtherPosts counts the POSTs among them that were no tools/call, such as
	// a tools/list.
	OtherPosts  int
	RetryOrigin RetryOrigin
	StartedAt   time.Time
	Duration    time.Duration
	Meta        []byte // the request's _meta, raw JSON
}

// Bounds of the texts in a record, in bytes.
const (
	keptWord    = 200
	keptMessage = 2048
)

// NewRecord is the record of a call whose last POST got the verdict, with the
// advice on it.
func NewRecord(v Verdict, a Advice, x Exchange) Record {
	r := Record{
		Client:          sanitizeText(x.Client, keptWord),
		ProtocolVersion: sanitizeText(x.ProtocolVersion, keptWord),
		Scenario:        sanitizeText(x.Scenario, keptWord),
		Method:          sanitizeText(x.Method, keptWord),
		PostCount:       len(x.Earlier) + 1,
		ToolCallCount:   max(len(x.Earlier)+1-x.OtherPosts, 0),
		ResultType:      sanitizeJSON(v.ResultType),
		Outcome:         v.Outcome,
		Layer:           v.Layer,
		Reason:          v.Reason,
		Findings:        []FindingKind{},
		EventCount:      v.EventCount,
		Ended:           v.Ended,
		RetryOrigin:     x.RetryOrigin,
		Advice:          a.Action,
		ToModel:         a.ToModel,
		DurationMS:      float64(x.Duration.Microseconds()) / 1000,
		Meta:            sanitizeJSON(x.Meta),
		JSONRPC: RecordRPC{
			ID:        sanitizeJSON(v.ID),
			ErrorCode: sanitizeJSON(v.Error.Code),
			ErrorData: sanitizeJSON(v.Error.Data),
		},
	}
	if r.Method == "" {
		r.Method = "tools/call"
	}
	for i := range x.Earlier {
		r.HTTPStatuses = append(r.HTTPStatuses, statusOf(&x.Earlier[i]))
	}
	r.HTTPStatuses = append(r.HTTPStatuses, statusOf(&v))
	if v.ContentType != "" {
		r.ContentType = new(sanitizeText(v.ContentType, keptWord))
	}
	if v.RetryAfter != "" {
		r.RetryAfter = new(sanitizeText(v.RetryAfter, keptWord))
	}
	if v.Error.Present() {
		r.JSONRPC.ErrorMessage = new(sanitizeText(unquote(v.Error.Message), keptMessage))
		if v.Error.Fits {
			r.JSONRPC.ErrorCode = fmt.Appendf(nil, "%d", v.Error.Number)
		}
	}
	if !x.StartedAt.IsZero() {
		r.StartedAt = new(x.StartedAt)
	}
	for _, f := range v.Findings {
		r.Findings = append(r.Findings, f.Kind)
	}
	return r
}

func statusOf(v *Verdict) *int {
	if !v.Answered {
		return nil
	}
	return new(v.Status)
}

// unquote is the text of a raw JSON string, as far as UTF-8 can hold it.
func unquote(raw []byte) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// LogValue is the record as a group of attributes named as in its JSON form;
// what is absent is left out.
func (r Record) LogValue() slog.Value {
	statuses := make([]string, len(r.HTTPStatuses))
	for i, s := range r.HTTPStatuses {
		statuses[i] = "null"
		if s != nil {
			statuses[i] = fmt.Sprint(*s)
		}
	}
	findings := make([]string, len(r.Findings))
	for i, f := range r.Findings {
		findings[i] = f.String()
	}
	attrs := []slog.Attr{
		slog.String("outcome", r.Outcome.String()),
		slog.String("layer", r.Layer.String()),
		slog.String("reason", r.Reason.String()),
		slog.String("advice", r.Advice.String()),
		slog.String("toModel", r.ToModel.String()),
		slog.String("method", r.Method),
		slog.Int("postCount", r.PostCount),
		slog.Int("toolCallCount", r.ToolCallCount),
		slog.String("httpStatuses", strings.Join(statuses, ",")),
		slog.String("ended", r.Ended.String()),
		slog.Int("eventCount", r.EventCount),
		slog.String("retryOrigin", r.RetryOrigin.String()),
		slog.Float64("durationMs", r.DurationMS),
	}
	text := func(name, value string) {
		if value != "" {
			attrs = append(attrs, slog.String(name, value))
		}
	}
	text("client", r.Client)
	text("protocolVersion", r.ProtocolVersion)
	text("scenario", r.Scenario)
	text("findings", strings.Join(findings, ","))
	text("resultType", string(r.ResultType))
	text("meta", string(r.Meta))
	if r.ContentType != nil {
		text("contentType", *r.ContentType)
	}
	if r.RetryAfter != nil {
		text("retryAfter", *r.RetryAfter)
	}
	if r.StartedAt != nil {
		attrs = append(attrs, slog.Time("startedAt", *r.StartedAt))
	}
	var rpc []any
	for _, part := range []struct {
		name string
		raw  json.RawMessage
	}{{"id", r.JSONRPC.ID}, {"errorCode", r.JSONRPC.ErrorCode}, {"errorData", r.JSONRPC.ErrorData}} {
		if part.raw != nil {
			rpc = append(rpc, slog.String(part.name, string(part.raw)))
		}
	}
	if r.JSONRPC.ErrorMessage != nil {
		rpc = append(rpc, slog.String("errorMessage", *r.JSONRPC.ErrorMessage))
	}
	if rpc != nil {
		attrs = append(attrs, slog.Group("jsonrpc", rpc...))
	}
	return slog.GroupValue(attrs...)
}
