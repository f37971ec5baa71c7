package model_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/classifier/model"
)

// What a verdict keeps of a JSON-RPC error, raw.
func TestErrorDetail(t *testing.T) {
	const passes = `{"code":-32602.0,"message":"m\u0041","data":[ 1 ]}`
	detail := []string{"-32602.0", `"m\u0041"`, "[ 1 ]"}
	tests := []struct {
		name   string
		status int
		body   string
		id     string
		want   []string // code, message, data; nil for no error
	}{
		{"error response", 200, `{"jsonrpc":"2.0","id": 1 ,"error": ` + passes + ` }`, "1", detail},
		{"without data", 200, rpcError, "1", []string{"-32602", `"bad params"`, ""}},
		{"last of each", 200, `{"jsonrpc":"2.0","id":1,"error":{"code":0,"message":"","data":0,"data":null,"message":"m","code":2}}`, "1", []string{"2", `"m"`, "null"}},
		{"no id", 200, `{"jsonrpc":"2.0","error":` + passes + `}`, "", detail},
		{"id null", 200, `{"jsonrpc":"2.0","id":null,"error":` + passes + `}`, "null", detail},
		{"another id", 200, `{"jsonrpc":"2.0","id":2,"error":` + passes + `}`, "2", nil},
		{"no id and a result", 200, `{"jsonrpc":"2.0","result":null,"error":` + passes + `}`, "", nil},
		{"no id and a wrong version", 200, `{"jsonrpc":"1.0","error":` + passes + `}`, "", nil},
		{"no id and no message", 200, `{"jsonrpc":"2.0","error":{"code":1}}`, "", nil},
		{"no message", 200, `{"jsonrpc":"2.0","id":1,"error":{"code":1}}`, "1", nil},
		{"success", 200, success, "1", nil},
		{"HTTP error", 400, `{"jsonrpc":"2.0","id":7,"error":` + passes + `}`, "7", detail},
		{"HTTP error after a byte order mark", 400, "\uFEFF" + `{"jsonrpc":"2.0","error":` + passes + `}`, "", detail},
		{"HTTP error beside a result", 400, `{"jsonrpc":"2.0","id":1,"result":null,"error":` + passes + `}`, "", nil},
		{"HTTP error of another version", 400, `{"jsonrpc":2,"id":1,"error":` + passes + `}`, "", nil},
		{"HTTP error without a code", 400, `{"jsonrpc":"2.0","id":1,"error":{"message":""}}`, "", nil},
		{"HTTP error with a success", 400, success, "", nil},
		{"HTTP error with trailing bytes", 400, rpcError + "x", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a := jsonAnswer(tt.body)
			a.Status = tt.status
			v := model.Judge{}.Classify(one, a)
			if string(v.ID) != tt.id || (v.ID == nil) != (tt.id == "") {
				t.Errorf("got id %q, want %q", v.ID, tt.id)
			}
			var got []string
			if v.Error.Present() {
				got = []string{string(v.Error.Code), string(v.Error.Message), string(v.Error.Data)}
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got error %q, want %q", got, tt.want)
			}
			if tt.status != 200 && len(v.Findings) > 0 {
				t.Errorf("got findings %v of an HTTP error", v.Findings)
			}
		})
	}
}

func TestHTTPErrorKeepsNoDetailOfABrokenBody(t *testing.T) {
	for name, a := range map[string]classifier.Answer{
		"cut":            {Body: []byte(rpcError), Ended: classifier.EndedReset},
		"unknown coding": {Body: []byte(rpcError), Header: header("Content-Encoding", "x")},
		"damage":         {Body: append(coded("gzip", []byte(rpcError)), 0), Header: header("Content-Encoding", "gzip")},
		"early end":      {Body: coded("gzip", []byte(rpcError))[:60], Header: header("Content-Encoding", "gzip")},
	} {
		a.Status = 404
		if v := (model.Judge{}).Classify(one, a); v.Error.Present() || v.Outcome != classifier.HTTPError {
			t.Errorf("%s: got %v, error %q", name, v.Outcome, v.Error.Code)
		}
	}
	a := classifier.Answer{Status: 404, Body: coded("gzip", []byte(rpcError)), Header: header("Content-Encoding", "gzip", "Content-Type", "text/html", "Www-Authenticate", "", "Date", "d", "Date", "e")}
	v := model.Judge{}.Classify(one, a)
	if !v.Error.Present() || !v.Challenged || v.ContentType != "text/html" || v.Date != "d" {
		t.Errorf("got error %q, challenged %v, content type %q, date %q", v.Error.Code, v.Challenged, v.ContentType, v.Date)
	}
}

func TestErrorNumber(t *testing.T) {
	tests := []struct {
		code   string
		number int64
		fits   bool
	}{
		{"0", 0, true}, {"-0", 0, true}, {"-0.0e-9", 0, true}, {"-32602", -32602, true}, {"1.5e1", 15, true}, {"100e-2", 1, true},
		{"9223372036854775807", 9223372036854775807, true}, {"9223372036854775808", 0, false},
		{"-9223372036854775808", -9223372036854775808, true}, {"-9223372036854775809", 0, false},
		{"1e18", 1000000000000000000, true}, {"1e19", 0, false}, {"1e99999999999999999999", 0, false}, {"0e99999999999999999999", 0, true},
	}
	for _, tt := range tests {
		v := model.Judge{}.Classify(one, jsonAnswer(`{"jsonrpc":"2.0","id":1,"error":{"code":`+tt.code+`,"message":""}}`))
		if v.Outcome != classifier.JSONRPCError || v.Error.Number != tt.number || v.Error.Fits != tt.fits || string(v.Error.Code) != tt.code {
			t.Errorf("%s: got %v, %d, fits %v, text %s", tt.code, v.Outcome, v.Error.Number, v.Error.Fits, v.Error.Code)
		}
	}
}

// What a verdict keeps of an INPUT_REQUIRED.
func TestInputRequired(t *testing.T) {
	tests := []struct {
		name, members string
		requests      []classifier.InputRequest
		has           bool
		state         string
	}{
		{"two and a state", `"inputRequests":{"b":{"method":"m"},"a":{"method":"n"}},"requestState": "s\/" `, []classifier.InputRequest{{Key: "b", Method: "m"}, {Key: "a", Method: "n"}}, true, `"s\/"`},
		{"escapes", `"inputRequests":{"\u0061\uD83D\uDE00\uD800":{"method":"\u006d"}}`, []classifier.InputRequest{{Key: "a\U0001F600\xED\xA0\x80", Method: "m"}}, true, ""},
		{"bad UTF-8", `"inputRequests":{"` + "\xE2\x82" + `":{"method":"m"}}`, []classifier.InputRequest{{Key: "\uFFFD", Method: "m"}}, true, ""},
		{"duplicate keeps its first place", `"inputRequests":{"a":1,"b":{"method":"m"},"\u0061":{"method":"n"}}`, []classifier.InputRequest{{Key: "a", Method: "n"}, {Key: "b", Method: "m"}}, true, ""},
		{"none in it", `"inputRequests":{}`, nil, true, ""},
		{"null", `"inputRequests":null,"requestState":null`, nil, false, "null"},
		{"one malformed", `"inputRequests":{"a":{"method":"m"},"b":{"method":1}}`, nil, false, ""},
		{"absent", `"requestState":{}`, nil, false, "{}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v := model.Judge{}.Classify(one, jsonAnswer(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required",`+tt.members+`}}`))
			if v.Outcome != classifier.InputRequired || string(v.ResultType) != `"input_required"` {
				t.Errorf("got %v of type %s", v.Outcome, v.ResultType)
			}
			if len(v.InputRequests)+len(tt.requests) > 0 && !reflect.DeepEqual(v.InputRequests, tt.requests) || v.HasInputRequests != tt.has {
				t.Errorf("got requests %q, has %v, want %q, %v", v.InputRequests, v.HasInputRequests, tt.requests, tt.has)
			}
			if string(v.RequestState) != tt.state || (v.RequestState == nil) != (tt.state == "") {
				t.Errorf("got state %q, want %q", v.RequestState, tt.state)
			}
		})
	}
}

func TestDiff(t *testing.T) {
	a := model.Judge{}.Classify(one, jsonAnswer(success))
	if diff := model.Diff(a, a.Clone()); diff != "" {
		t.Errorf("got %q for a verdict and its clone", diff)
	}
	// Places of findings are not compared.
	with := func(offset int64) classifier.Verdict {
		v := a
		v.Findings = []classifier.Finding{{Kind: classifier.FindingBOM, Offset: offset}}
		return v
	}
	if diff := model.Diff(with(0), with(-1)); diff != "" {
		t.Errorf("got %q for findings in two places", diff)
	}
	b := model.Judge{}.Classify(one, jsonAnswer(strings.Replace(success, `"id":1`, `"id":2`, 1)))
	want := `outcome: TOOL_SUCCESS, not INVALID_ENVELOPE
layer: application, not protocol
reason: tool-success, not id-mismatch
id: "1", not "2"
result type: "\"complete\"", not absent`
	if diff := model.Diff(a, b); diff != want {
		t.Errorf("got\n%s\nwant\n%s", diff, want)
	}
	// No field may be forgotten: one that changes alone makes a difference.
	for i := range reflect.TypeFor[classifier.Verdict]().NumField() {
		changed := a
		change(t, reflect.ValueOf(&changed).Elem().Field(i))
		if diff := model.Diff(a, changed); diff == "" {
			t.Errorf("field %s: got no difference", reflect.TypeFor[classifier.Verdict]().Field(i).Name)
		}
	}
}

// change gives a field another value.
func change(t *testing.T, field reflect.Value) {
	switch field.Kind() {
	case reflect.Bool:
		field.SetBool(!field.Bool())
	case reflect.String:
		field.SetString(field.String() + "x")
	case reflect.Int, reflect.Int64:
		field.SetInt(field.Int() + 1)
	case reflect.Uint8:
		field.SetUint(field.Uint() + 1)
	case reflect.Slice:
		field.Set(reflect.Append(field, reflect.New(field.Type().Elem()).Elem()))
	case reflect.Struct:
		change(t, field.Field(0))
	default:
		t.Fatalf("a field of kind %v", field.Kind())
	}
}
