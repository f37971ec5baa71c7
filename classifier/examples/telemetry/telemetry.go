// Package telemetry writes the record of a tool call as attributes of
// OpenTelemetry, and a call as a span.
//
// The names are those of the semantic conventions for the Model Context Protocol:
// open-telemetry/semantic-conventions-genai v0.1.0, docs/gen-ai/mcp.md, "Client"
// (status: development), which moved there from the general conventions; their
// last release with these names, v1.41.0, is where the constants come from. What
// the conventions have no name for stands under replyproof.
//
// For log/slog nothing is needed: a classifier.Record is a slog.LogValuer.
package telemetry

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/replyproof/replyproof/classifier"
)

// The attributes that the conventions have no name for.
const (
	OutcomeKey     = attribute.Key("replyproof.outcome")
	LayerKey       = attribute.Key("replyproof.layer")
	ReasonKey      = attribute.Key("replyproof.reason")
	FindingsKey    = attribute.Key("replyproof.findings")
	AdviceKey      = attribute.Key("replyproof.advice")
	EndedKey       = attribute.Key("replyproof.ended")
	EventCountKey  = attribute.Key("replyproof.event_count")
	StatusesKey    = attribute.Key("replyproof.http_statuses") // one for each POST, 0 where no answer came
	RetryOriginKey = attribute.Key("replyproof.retry_origin")
)

// Attributes are the attributes of a call of a tool. The record is sanitised
// already; message and data of an error are left to the span's status and to logs.
func Attributes(r classifier.Record, tool string) []attribute.KeyValue {
	all := []attribute.KeyValue{
		semconv.McpMethodNameKey.String(r.Method),
		semconv.NetworkTransportTCP,
		semconv.NetworkProtocolName("http"),
		OutcomeKey.String(r.Outcome.String()),
		LayerKey.String(r.Layer.String()),
		ReasonKey.String(r.Reason.String()),
		AdviceKey.String(r.Advice.String()),
		EndedKey.String(r.Ended.String()),
		EventCountKey.Int(r.EventCount),
		RetryOriginKey.String(r.RetryOrigin.String()),
	}
	if r.Method == "tools/call" {
		all = append(all, semconv.GenAIOperationNameExecuteTool)
	}
	if tool != "" {
		all = append(all, semconv.GenAIToolName(tool))
	}
	if r.ProtocolVersion != "" {
		all = append(all, semconv.McpProtocolVersion(r.ProtocolVersion))
	}
	if id := plain(r.JSONRPC.ID); id != "" && answeredUnderItsID(r.Outcome) {
		all = append(all, semconv.JSONRPCRequestID(id))
	}
	if code := string(r.JSONRPC.ErrorCode); code != "" {
		all = append(all, semconv.RPCResponseStatusCode(code))
	}
	if kind := ErrorType(r); kind != "" {
		all = append(all, semconv.ErrorTypeKey.String(kind))
	}
	if n := len(r.HTTPStatuses); n > 0 && r.HTTPStatuses[n-1] != nil {
		all = append(all, semconv.HTTPResponseStatusCode(*r.HTTPStatuses[n-1]))
	}
	if r.PostCount > 1 {
		statuses := make([]int, len(r.HTTPStatuses))
		for i, s := range r.HTTPStatuses {
			if s != nil {
				statuses[i] = *s
			}
		}
		all = append(all, semconv.HTTPRequestResendCount(r.PostCount-1), StatusesKey.IntSlice(statuses))
	}
	if len(r.Findings) > 0 {
		findings := make([]string, len(r.Findings))
		for i, f := range r.Findings {
			findings[i] = f.String()
		}
		all = append(all, FindingsKey.StringSlice(findings))
	}
	return all
}

// ErrorType is error.type: "" for a call that did not fail, a request for input
// among them; the code of a JSON-RPC error; tool_error; the HTTP status; or the
// reason.
func ErrorType(r classifier.Record) string {
	switch {
	case r.Outcome == classifier.ToolSuccess, r.Outcome == classifier.InputRequired, r.Outcome == classifier.Accepted:
		return ""
	case r.JSONRPC.ErrorCode != nil:
		return string(r.JSONRPC.ErrorCode)
	case r.Outcome == classifier.ToolError:
		return "tool_error"
	case r.Outcome == classifier.HTTPError && len(r.HTTPStatuses) > 0 && r.HTTPStatuses[len(r.HTTPStatuses)-1] != nil:
		return strconv.Itoa(*r.HTTPStatuses[len(r.HTTPStatuses)-1])
	}
	return r.Reason.String()
}

// answeredUnderItsID tells whether the id in the record, which is that of the
// response, is the request's as well.
func answeredUnderItsID(o classifier.Outcome) bool {
	switch o {
	case classifier.ToolSuccess, classifier.ToolError, classifier.InputRequired, classifier.JSONRPCError, classifier.InvalidToolResult:
		return true
	}
	return false
}

// plain is a JSON-RPC id as text; "" for null and for none.
func plain(raw json.RawMessage) string {
	var text string
	switch {
	case json.Unmarshal(raw, &text) == nil && string(raw) != "null":
		return text
	case len(raw) > 0 && slices.Contains([]byte("-0123456789"), raw[0]):
		return string(raw)
	}
	return ""
}

// Span records a call that is over as a span of its own: its name, kind, times,
// attributes and status are as the conventions say. The record's StartedAt is
// its begin, and now if that is absent.
func Span(ctx context.Context, tracer trace.Tracer, r classifier.Record, tool string) {
	began := time.Now()
	if r.StartedAt != nil {
		began = *r.StartedAt
	}
	name := r.Method
	if tool != "" {
		name += " " + tool
	}
	_, span := tracer.Start(ctx, name, trace.WithSpanKind(trace.SpanKindClient), trace.WithTimestamp(began),
		trace.WithAttributes(Attributes(r, tool)...))
	if ErrorType(r) != "" {
		message := ""
		if r.JSONRPC.ErrorMessage != nil {
			message = *r.JSONRPC.ErrorMessage
		}
		span.SetStatus(codes.Error, message)
	}
	span.End(trace.WithTimestamp(began.Add(time.Duration(r.DurationMS * float64(time.Millisecond)))))
}
