package telemetry_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/stdout/stdouttrace"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/classifier/examples/telemetry"
)

var began = time.Date(2026, time.August, 3, 10, 0, 0, 0, time.UTC)

// record is the record of a call with one POST for each status, of which the
// last has the body.
func record(body string, statuses ...int) classifier.Record {
	var all []classifier.Verdict
	for i, status := range statuses {
		a := classifier.Answer{Status: status, Header: http.Header{"Content-Type": {"application/json"}}}
		if i == len(statuses)-1 {
			a.Body = []byte(body)
		}
		v := classifier.Classify(classifier.Call{ID: classifier.IntID(7)}, a)
		if status == 0 {
			v = classifier.ClassifyNoAnswer(classifier.EndedDeadline)
		}
		all = append(all, v)
	}
	last := all[len(all)-1]
	return classifier.NewRecord(last, classifier.Advise(last, classifier.Facts{}), classifier.Exchange{
		Client: "example@1", ProtocolVersion: "2026-07-28", Earlier: all[:len(all)-1], StartedAt: began, Duration: 1500 * time.Millisecond,
	})
}

const (
	fine     = `{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","content":[]}}`
	failed   = `{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","content":[],"isError":true}}`
	question = `{"jsonrpc":"2.0","id":7,"result":{"resultType":"input_required","requestState":"s"}}`
	refused  = `{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"no such place, key sk-abcdefghijklmnopqrstuvwx0123"}}`
)

func TestAttributes(t *testing.T) {
	for _, test := range []struct {
		name     string
		record   classifier.Record
		want     []string
		unwanted []string
	}{
		{"success", record(fine, 200), []string{
			"mcp.method.name=tools/call", "gen_ai.operation.name=execute_tool", "gen_ai.tool.name=places", "mcp.protocol.version=2026-07-28",
			"jsonrpc.request.id=7", "network.transport=tcp", "network.protocol.name=http", "http.response.status_code=200",
			"replyproof.outcome=TOOL_SUCCESS", "replyproof.layer=application", "replyproof.advice=never",
		}, []string{"error.type", "rpc.response.status_code", "http.request.resend_count", "replyproof.findings"}},
		{"JSON-RPC error", record(refused, 200), []string{"error.type=-32602", "rpc.response.status_code=-32602", "replyproof.advice=after-change"}, nil},
		{"JSON-RPC error under a 400", record(refused, 400), []string{"error.type=-32602", "rpc.response.status_code=-32602", "http.response.status_code=400",
			"replyproof.outcome=HTTP_ERROR"}, nil},
		{"tool error", record(failed, 200), []string{"error.type=tool_error", "replyproof.outcome=TOOL_ERROR"}, []string{"rpc.response.status_code"}},
		{"503, 503, success", record(fine, 503, 503, 200), []string{"http.request.resend_count=2", "replyproof.http_statuses=[503,503,200]"}, []string{"error.type"}},
		{"503", record("", 503), []string{"error.type=503", "replyproof.layer=transport"}, []string{"jsonrpc.request.id"}},
		{"no answer", record("", 0), []string{"error.type=deadline", "replyproof.ended=deadline"}, []string{"http.response.status_code"}},
		{"another's id", record(`{"jsonrpc":"2.0","id":8,"result":{}}`, 200), []string{"error.type=id-mismatch"}, []string{"jsonrpc.request.id"}},
		{"malformed", record("{", 200), []string{"error.type=json-syntax"}, nil},
		{"input required", record(question, 200), []string{"replyproof.outcome=INPUT_REQUIRED", "replyproof.layer=interaction"}, []string{"error.type"}},
		{"a finding", record(`{"jsonrpc":"2.0","id":7,"result":{"content":[]}}`, 200), []string{`replyproof.findings=["result-type-missing"]`}, nil},
	} {
		var got []string
		for _, a := range telemetry.Attributes(test.record, "places") {
			got = append(got, string(a.Key)+"="+a.Value.String())
		}
		for _, want := range test.want {
			if !slices.Contains(got, want) {
				t.Errorf("%s: got %q, want %s among them", test.name, got, want)
			}
		}
		for _, name := range test.unwanted {
			if slices.ContainsFunc(got, func(a string) bool { return strings.HasPrefix(a, name+"=") }) {
				t.Errorf("%s: got %q, want no %s", test.name, got, name)
			}
		}
	}
}

func TestSpan(t *testing.T) {
	exporter := tracetest.NewInMemoryExporter()
	provider := sdk.NewTracerProvider(sdk.WithSyncer(exporter))
	telemetry.Span(t.Context(), provider.Tracer("test"), record(refused, 200), "places")
	telemetry.Span(t.Context(), provider.Tracer("test"), record(fine, 200), "")
	spans := exporter.GetSpans()
	if len(spans) != 2 {
		t.Fatalf("got %d spans, want 2", len(spans))
	}
	first, second := spans[0], spans[1]
	if first.Name != "tools/call places" || first.SpanKind != trace.SpanKindClient || first.Status.Code != codes.Error ||
		!first.StartTime.Equal(began) || first.EndTime.Sub(first.StartTime) != 1500*time.Millisecond {
		t.Errorf("got %s %v %v, from %v to %v", first.Name, first.SpanKind, first.Status, first.StartTime, first.EndTime)
	}
	if got := first.Status.Description; !strings.HasPrefix(got, "no such place") || strings.Contains(got, "sk-abc") {
		t.Errorf("got the description %q, want the message without the key", got)
	}
	if second.Name != "tools/call" || second.Status.Code != codes.Unset {
		t.Errorf("got %s %v, want tools/call with no status", second.Name, second.Status)
	}
}

// The record of a call as the last line of a log.
func Example_slog() {
	logger := slog.New(slog.NewJSONHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if len(groups) == 0 && a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	logger.Info("tool call", "call", record(fine, 503, 200))
	// Output:
	// {"level":"INFO","msg":"tool call","call":{"outcome":"TOOL_SUCCESS","layer":"application","reason":"tool-success","advice":"never","toModel":"should","method":"tools/call","postCount":2,"toolCallCount":2,"httpStatuses":"503,200","ended":"complete","eventCount":0,"retryOrigin":"none","durationMs":1500,"client":"example@1","protocolVersion":"2026-07-28","resultType":"\"complete\"","contentType":"application/json","startedAt":"2026-08-03T10:00:00Z","jsonrpc":{"id":"7"}}}
}

// The same call as a span, on standard output.
func Example_span() {
	var out bytes.Buffer
	exporter, err := stdouttrace.New(stdouttrace.WithWriter(&out))
	if err != nil {
		panic(err)
	}
	provider := sdk.NewTracerProvider(sdk.WithSyncer(exporter))
	telemetry.Span(context.Background(), provider.Tracer("example"), record(refused, 200), "places")
	if err := provider.Shutdown(context.Background()); err != nil {
		panic(err)
	}

	var span struct {
		Name       string
		Attributes []struct {
			Key   attribute.Key
			Value struct{ Value any }
		}
		Status struct{ Code string }
	}
	if err := json.Unmarshal(out.Bytes(), &span); err != nil {
		panic(err)
	}
	fmt.Println(span.Name, span.Status.Code)
	for _, a := range span.Attributes {
		fmt.Printf("  %s = %v\n", a.Key, a.Value.Value)
	}
	// Output:
	// tools/call places Error
	//   mcp.method.name = tools/call
	//   network.transport = tcp
	//   network.protocol.name = http
	//   replyproof.outcome = JSONRPC_ERROR
	//   replyproof.layer = protocol
	//   replyproof.reason = rpc-error
	//   replyproof.advice = after-change
	//   replyproof.ended = complete
	//   replyproof.event_count = 0
	//   replyproof.retry_origin = none
	//   gen_ai.operation.name = execute_tool
	//   gen_ai.tool.name = places
	//   mcp.protocol.version = 2026-07-28
	//   jsonrpc.request.id = 7
	//   rpc.response.status_code = -32602
	//   error.type = -32602
	//   http.response.status_code = 200
}
