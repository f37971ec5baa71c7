package classifier

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestRecordJSON(t *testing.T) {
	unavailable := Classify(Call{ID: IntID(1)}, Answer{Status: 503})
	refused := ClassifyNoAnswer(EndedConnect)
	for _, tt := range []struct {
		name   string
		answer Answer
		x      Exchange
		want   string
	}{
		{
			"the article's example",
			Answer{Status: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params"}}`)},
			Exchange{Client: "your-client@version", ProtocolVersion: "2026-07-28", Scenario: "errors.jsonrpc_error"},
			`{"client":"your-client@version","protocolVersion":"2026-07-28","scenario":"errors.jsonrpc_error","method":"tools/call",
			"postCount":1,"toolCallCount":1,"httpStatuses":[200],"contentType":"application/json",
			"jsonrpc":{"id":1,"errorCode":-32602,"errorMessage":"Invalid params","errorData":null},
			"resultType":null,"outcome":"JSONRPC_ERROR","layer":"protocol","reason":"rpc-error","findings":[],"eventCount":0,
			"ended":"complete","retryAfter":null,"retryOrigin":"none","advice":"after-change","toModel":"may",
			"startedAt":null,"durationMs":0,"meta":null}`,
		},
		{
			"everything set, secrets planted",
			Answer{
				Status: 429,
				Header: http.Header{"Content-Type": {"application/json; note=\x1bx"}, "Retry-After": {"3"}},
				Body:   []byte(`{"jsonrpc":"2.0","id":"a","error":{"code":-32e3,"message":"slow down,\n password=hunter2","data":{"token":"abc","at":"https://u:p@h/"}}}`),
			},
			Exchange{
				Client: "c", ProtocolVersion: "v", Scenario: "s", Method: "tools/call", OtherPosts: 1,
				Earlier: []Verdict{unavailable, refused}, RetryOrigin: RetrySDK,
				StartedAt: time.Date(2026, 10, 18, 12, 0, 0, 0, time.UTC), Duration: 1500 * time.Microsecond,
				Meta: []byte(`{"progressToken":"p","io.modelcontextprotocol/protocolVersion":"2026-07-28"}`),
			},
			`{"client":"c","protocolVersion":"v","scenario":"s","method":"tools/call",
			"postCount":3,"toolCallCount":2,"httpStatuses":[503,null,429],"contentType":"application/json; note=x",
			"jsonrpc":{"id":"a","errorCode":-32000,"errorMessage":"slow down, password=[redacted]","errorData":{"at":"https://[redacted]@h/","token":"[redacted]"}},
			"resultType":null,"outcome":"HTTP_ERROR","layer":"transport","reason":"http-status","findings":[],"eventCount":0,
			"ended":"complete","retryAfter":"3","retryOrigin":"sdk","advice":"ask","toModel":"may",
			"startedAt":"2026-10-18T12:00:00Z","durationMs":1.5,"meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","progressToken":"p"}}`,
		},
		{
			"findings and a result type",
			Answer{Status: 200, Body: []byte(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","resultType":"odd"}}`)},
			Exchange{},
			`{"client":"","protocolVersion":"","scenario":"","method":"tools/call",
			"postCount":1,"toolCallCount":1,"httpStatuses":[200],"contentType":null,
			"jsonrpc":{"id":1,"errorCode":null,"errorMessage":null,"errorData":null},
			"resultType":"odd","outcome":"INVALID_TOOL_RESULT","layer":"protocol","reason":"result-type","findings":["content-type-missing","duplicate-member"],"eventCount":0,
			"ended":"complete","retryAfter":null,"retryOrigin":"none","advice":"ask","toModel":"may",
			"startedAt":null,"durationMs":0,"meta":null}`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := Classify(Call{ID: IntID(1)}, tt.answer)
			got, err := json.Marshal(NewRecord(v, Advise(v, Facts{}), tt.x))
			if err != nil {
				t.Fatal(err)
			}
			if g, w := indented(t, got), indented(t, []byte(tt.want)); g != w {
				t.Errorf("got %s\nwant %s", g, w)
			}
		})
	}
}

// indented is the JSON value with its members sorted, one a line.
func indented(t *testing.T, raw []byte) string {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	out, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestRecordNoAnswer(t *testing.T) {
	v := ClassifyNoAnswer(EndedTLS)
	got, err := json.Marshal(NewRecord(v, Advise(v, Facts{}), Exchange{}))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"httpStatuses":[null]`, `"ended":"tls"`, `"reason":"tls"`, `"outcome":"NO_FINAL_RESPONSE"`, `"toModel":"no"`} {
		if !strings.Contains(string(got), want) {
			t.Errorf("got %s, want it to hold %s", got, want)
		}
	}
}

func TestRecordLog(t *testing.T) {
	v := Classify(Call{ID: IntID(1)}, Answer{Status: 200, Header: http.Header{"Content-Type": {"application/json"}},
		Body: []byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Bearer abc123","data":[1]}}`)})
	x := Exchange{Client: "me", Earlier: []Verdict{ClassifyNoAnswer(EndedReset)}, Meta: []byte(`{}`), StartedAt: time.Unix(0, 0)}
	var b bytes.Buffer
	log := slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == "time" || a.Key == "startedAt" {
			return slog.Attr{}
		}
		return a
	}}))
	log.Info("call", "record", NewRecord(v, Advise(v, Facts{}), x))
	want := `level=INFO msg=call record.outcome=JSONRPC_ERROR record.layer=protocol record.reason=rpc-error record.advice=ask record.toModel=may ` +
		`record.method=tools/call record.postCount=2 record.toolCallCount=2 record.httpStatuses=null,200 record.ended=complete record.eventCount=0 ` +
		`record.retryOrigin=none record.durationMs=0 record.client=me record.meta={} record.contentType=application/json ` +
		`record.jsonrpc.id=1 record.jsonrpc.errorCode=-32603 record.jsonrpc.errorData=[1] record.jsonrpc.errorMessage="Bearer [redacted]"` + "\n"
	if b.String() != want {
		t.Errorf("got %s\nwant %s", b.String(), want)
	}
}

func TestRecordLogStart(t *testing.T) {
	for _, tt := range []struct {
		name  string
		start time.Time
		want  string
	}{
		{"unknown", time.Time{}, ""},
		{"known", time.Date(2026, 10, 18, 12, 0, 0, 0, time.UTC), "2026-10-18T12:00:00Z"},
	} {
		got := ""
		v := ClassifyNoAnswer(EndedReset)
		for _, a := range NewRecord(v, Advise(v, Facts{}), Exchange{StartedAt: tt.start}).LogValue().Group() {
			if a.Key == "startedAt" {
				got = a.Value.Time().Format(time.RFC3339)
			}
		}
		if got != tt.want {
			t.Errorf("%s: got the start %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestAdviceWords(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{Never.String(), "never"}, {Ask.String(), "ask"}, {AfterChange.String(), "after-change"},
		{AnswerInputs.String(), "answer-inputs"}, {WaitAndRetry.String(), "wait-and-retry"}, {Action(0).String(), "Action(0)"},
		{ModelNo.String(), "no"}, {ModelMay.String(), "may"}, {ModelShould.String(), "should"}, {ToModel(9).String(), "ToModel(9)"},
		{RetryNone.String(), "none"}, {RetrySDK.String(), "sdk"}, {RetryApplication.String(), "application"}, {RetryManual.String(), "manual"},
		{ChangeAuthorisation.String(), "authorisation"}, {ChangeVersion.String(), "version"}, {Change(0).String(), ""}, {Change(99).String(), "Change(99)"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
	for _, word := range []string{"never", "ask", "after-change", "answer-inputs", "wait-and-retry"} {
		var a Action
		if err := a.UnmarshalText([]byte(word)); err != nil || a.String() != word {
			t.Errorf("%s: got %v, %v", word, a, err)
		}
	}
	var a Action
	var m ToModel
	var o RetryOrigin
	for name, err := range map[string]error{"action": a.UnmarshalText([]byte("Never")), "to model": m.UnmarshalText(nil), "origin": o.UnmarshalText([]byte("x"))} {
		if err == nil {
			t.Errorf("%s: an unknown word was taken", name)
		}
	}
	if _, err := json.Marshal(Record{}); err == nil {
		t.Error("the zero record was marshalled, though it has no outcome")
	}
}
