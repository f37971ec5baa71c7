package broken_test

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/classifier/model"
	"github.com/replyproof/replyproof/properties/broken"
)

const (
	success  = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"ok"}],"isError":false}}`
	rpcError = `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"bad params"}}`
	event    = "data: " + success + "\n\n"
	note     = `data: {"jsonrpc":"2.0","method":"notifications/progress"}` + "\n\n"
)

// exchange is one answer, and a call that it belongs to.
type exchange struct {
	id classifier.ID
	a  classifier.Answer
}

func answer(status int, mediaType, body string) exchange {
	return exchange{classifier.IntID(1), classifier.Answer{Status: status, Header: http.Header{"Content-Type": {mediaType}}, Body: []byte(body)}}
}

func message(body string) exchange { return answer(200, "application/json", body) }

func events(body string) exchange { return answer(200, "text/event-stream", body) }

// within is a message with these members of its result.
func within(members string) exchange {
	return message(`{"jsonrpc":"2.0","id":1,"result":{` + members + `}}`)
}

// failed is a message with this error.
func failed(err string) exchange { return message(`{"jsonrpc":"2.0","id":1,"error":` + err + `}`) }

func (e exchange) with(name string, values ...string) exchange {
	e.a.Header[name] = values
	return e
}

func (e exchange) without(name string) exchange {
	delete(e.a.Header, name)
	return e
}

func (e exchange) ended(ended classifier.Ended) exchange {
	e.a.Ended = ended
	return e
}

func (e exchange) id64(id int64) exchange {
	e.id = classifier.IntID(id)
	return e
}

// zipped is the success in gzip, without its last bytes or with its checksum spoiled.
func zipped(cut int, spoil byte) exchange {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write([]byte(success))
	w.Close()
	body := out.Bytes()
	body[len(body)-8] ^= spoil
	return message(string(body[:len(body)-cut])).with("Content-Encoding", "gzip")
}

// Each broken judge errs on an answer written here, as its name says.
func TestEachErrs(t *testing.T) {
	tests := map[string]struct {
		e      exchange
		right  string
		broken string
	}{
		"status-ignored":             {answer(503, "application/json", success), "HTTP_ERROR", "TOOL_SUCCESS"},
		"only-5xx-fails":             {answer(404, "application/json", rpcError), "HTTP_ERROR", "JSONRPC_ERROR"},
		"only-4xx-and-5xx-fail":      {answer(308, "application/json", success), "HTTP_ERROR", "TOOL_SUCCESS"},
		"success-body-beats-status":  {answer(500, "application/json", success), "HTTP_ERROR", "TOOL_SUCCESS"},
		"media-type-compared-whole":  {answer(200, "application/json; charset=utf-8", success), "TOOL_SUCCESS", "UNEXPECTED_CONTENT_TYPE"},
		"media-type-case-sensitive":  {answer(200, "Application/JSON", success), "TOOL_SUCCESS", "UNEXPECTED_CONTENT_TYPE"},
		"media-type-required":        {message(success).without("Content-Type"), "TOOL_SUCCESS", "UNEXPECTED_CONTENT_TYPE"},
		"foreign-type-sniffed":       {answer(200, "text/plain", success), "UNEXPECTED_CONTENT_TYPE", "TOOL_SUCCESS"},
		"first-media-type-line-wins": {message(success).with("Content-Type", "application/json", "text/html"), "UNEXPECTED_CONTENT_TYPE", "TOOL_SUCCESS"},
		"json-under-event-stream":    {events(success), "NO_FINAL_RESPONSE", "TOOL_SUCCESS"},
		"stream-under-json":          {message(event), "MALFORMED_JSON", "TOOL_SUCCESS"},
		"coding-ignored":             {zipped(0, 0), "TOOL_SUCCESS", "MALFORMED_JSON"},
		"checksum-ignored":           {zipped(0, 1), "UNEXPECTED_CONTENT_TYPE", "TOOL_SUCCESS"},
		"empty-202-is-success":       {answer(202, "application/json", ""), "NO_FINAL_RESPONSE", "TOOL_SUCCESS"},
		"cut-coding-taken":           {zipped(3, 0), "NO_FINAL_RESPONSE", "TOOL_SUCCESS"},
		"cut-json-taken":             {message(success).ended(classifier.EndedReset), "NO_FINAL_RESPONSE", "TOOL_SUCCESS"},

		"empty-body-is-success":   {message(""), "MALFORMED_JSON", "TOOL_SUCCESS"},
		"trailing-bytes-ignored":  {message(success + "}"), "MALFORMED_JSON", "TOOL_SUCCESS"},
		"bom-refused":             {message("\uFEFF" + success), "TOOL_SUCCESS", "MALFORMED_JSON"},
		"bad-utf8-refused":        {message(strings.Replace(success, "ok", "\xE9", 1)), "TOOL_SUCCESS", "MALFORMED_JSON"},
		"lone-surrogate-refused":  {message(strings.Replace(success, "ok", `\uD800`, 1)), "TOOL_SUCCESS", "MALFORMED_JSON"},
		"depth-limited":           {within(`"content":[],"structuredContent":` + strings.Repeat("[", 99) + strings.Repeat("]", 99)), "TOOL_SUCCESS", "MALFORMED_JSON"},
		"nan-accepted":            {within(`"content":[],"structuredContent":NaN`), "MALFORMED_JSON", "TOOL_SUCCESS"},
		"trailing-comma-accepted": {within(`"content":[],`), "MALFORMED_JSON", "TOOL_SUCCESS"},
		"controls-accepted":       {message(strings.Replace(success, "ok", "o\nk", 1)), "MALFORMED_JSON", "TOOL_SUCCESS"},
		"big-numbers-refused":     {within(`"content":[],"structuredContent":[1e400]`), "TOOL_SUCCESS", "MALFORMED_JSON"},

		"names-in-any-case":         {within(`"content":[],"isError":true,"ISERROR":false`), "TOOL_ERROR", "TOOL_SUCCESS"},
		"first-duplicate-wins":      {within(`"content":[],"isError":false,"isError":true`), "TOOL_ERROR", "TOOL_SUCCESS"},
		"escaped-names-missed":      {within(`"content":[],"is\u0045rror":true`), "TOOL_ERROR", "TOOL_SUCCESS"},
		"batch-unwrapped":           {message("[" + success + "]"), "INVALID_ENVELOPE", "TOOL_SUCCESS"},
		"bare-result-accepted":      {message(`{"resultType":"complete","content":[]}`), "INVALID_ENVELOPE", "TOOL_SUCCESS"},
		"version-ignored":           {message(strings.Replace(success, "2.0", "1.0", 1)), "INVALID_ENVELOPE", "TOOL_SUCCESS"},
		"id-ignored":                {message(strings.Replace(success, `"id":1`, `"id":0`, 1)), "INVALID_ENVELOPE", "TOOL_SUCCESS"},
		"error-without-id-accepted": {message(strings.Replace(rpcError, `"id":1`, `"id":null`, 1)), "INVALID_ENVELOPE", "JSONRPC_ERROR"},
		"result-beats-error":        {message(`{"jsonrpc":"2.0","id":1,"result":{"content":[]},"error":{"code":1,"message":"m"}}`), "INVALID_ENVELOPE", "TOOL_SUCCESS"},
		"error-beats-result":        {message(`{"jsonrpc":"2.0","id":1,"result":{"content":[]},"error":{"code":1,"message":"m"}}`), "INVALID_ENVELOPE", "JSONRPC_ERROR"},
		"null-error-is-absent":      {message(`{"jsonrpc":"2.0","id":1,"result":{"content":[]},"error":null}`), "INVALID_ENVELOPE", "TOOL_SUCCESS"},
		"null-result-is-absent":     {message(`{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":1,"message":"m"}}`), "INVALID_ENVELOPE", "JSONRPC_ERROR"},
		"missing-result-is-success": {message(`{"jsonrpc":"2.0","id":1}`), "INVALID_ENVELOPE", "TOOL_SUCCESS"},
		"error-is-empty-success":    {message(rpcError), "JSONRPC_ERROR", "TOOL_SUCCESS"},
		"id-as-double":              {message(strings.Replace(success, `"id":1`, `"id":9007199254740993`, 1)).id64(9007199254740992), "INVALID_ENVELOPE", "TOOL_SUCCESS"},
		"id-loose":                  {message(strings.Replace(success, `"id":1`, `"id":"1"`, 1)), "INVALID_ENVELOPE", "TOOL_SUCCESS"},
		"code-of-32-bits":           {failed(`{"code":2147483648,"message":"m"}`), "JSONRPC_ERROR", "INVALID_ENVELOPE"},
		"code-spelled-plainly":      {failed(`{"code":1.0,"message":"m"}`), "JSONRPC_ERROR", "INVALID_ENVELOPE"},
		"code-fraction-accepted":    {failed(`{"code":1.5,"message":"m"}`), "INVALID_ENVELOPE", "JSONRPC_ERROR"},
		"code-text-accepted":        {failed(`{"code":"E1","message":"m"}`), "INVALID_ENVELOPE", "JSONRPC_ERROR"},
		"message-optional":          {failed(`{"code":1}`), "INVALID_ENVELOPE", "JSONRPC_ERROR"},
		"error-text-accepted":       {failed(`"no such tool"`), "INVALID_ENVELOPE", "JSONRPC_ERROR"},

		"result-type-required":            {within(`"content":[]`), "TOOL_SUCCESS", "INVALID_TOOL_RESULT"},
		"unknown-result-type-is-complete": {within(`"resultType":"task","content":[]`), "INVALID_TOOL_RESULT", "TOOL_SUCCESS"},
		"null-result-type-is-absent":      {within(`"resultType":null,"content":[]`), "INVALID_TOOL_RESULT", "TOOL_SUCCESS"},
		"input-required-is-success":       {within(`"resultType":"input_required","inputRequests":{}`), "INPUT_REQUIRED", "TOOL_SUCCESS"},
		"state-alone-refused":             {within(`"resultType":"input_required","requestState":"s"`), "INPUT_REQUIRED", "INVALID_TOOL_RESULT"},
		"content-unchecked":               {within(`"content":{}`), "INVALID_TOOL_RESULT", "TOOL_SUCCESS"},
		"missing-content-is-empty":        {within(`"resultType":"complete"`), "INVALID_TOOL_RESULT", "TOOL_SUCCESS"},
		"structured-replaces-content":     {within(`"structuredContent":{}`), "INVALID_TOOL_RESULT", "TOOL_SUCCESS"},
		"empty-content-refused":           {within(`"content":[]`), "TOOL_SUCCESS", "INVALID_TOOL_RESULT"},
		"content-items-checked":           {within(`"content":[{"type":"error"}]`), "TOOL_SUCCESS", "INVALID_TOOL_RESULT"},
		"structured-must-be-object":       {within(`"content":[],"structuredContent":[]`), "TOOL_SUCCESS", "INVALID_TOOL_RESULT"},
		"old-tool-result-taken":           {within(`"toolResult":{"content":[]}`), "INVALID_TOOL_RESULT", "TOOL_SUCCESS"},
		"is-error-ignored":                {within(`"content":[],"isError":true`), "TOOL_ERROR", "TOOL_SUCCESS"},
		"is-error-truthy":                 {within(`"content":[],"isError":"false"`), "INVALID_TOOL_RESULT", "TOOL_ERROR"},
		"null-is-error-is-absent":         {within(`"content":[],"isError":null`), "INVALID_TOOL_RESULT", "TOOL_SUCCESS"},

		"lf-only":                      {events("data: " + success + "\r\n\r\n"), "TOOL_SUCCESS", "NO_FINAL_RESPONSE"},
		"lone-cr-kept":                 {events("data: " + success + "\r\r"), "TOOL_SUCCESS", "NO_FINAL_RESPONSE"},
		"unicode-line-ends":            {events(strings.Replace(event, "ok", "a\u2028b", 1)), "TOOL_SUCCESS", "MALFORMED_JSON"},
		"lines-of-64k":                 {events(strings.Replace(event, "ok", strings.Repeat("x", 65536), 1)), "TOOL_SUCCESS", "NO_FINAL_RESPONSE"},
		"stream-bom-kept":              {events("\uFEFF" + event), "TOOL_SUCCESS", "NO_FINAL_RESPONSE"},
		"unfinished-event-taken":       {events("data: " + success), "NO_FINAL_RESPONSE", "TOOL_SUCCESS"},
		"cut-event-taken":              {events("data: " + success).ended(classifier.EndedReset), "NO_FINAL_RESPONSE", "TOOL_SUCCESS"},
		"space-required":               {events("data:" + success + "\n\n"), "TOOL_SUCCESS", "NO_FINAL_RESPONSE"},
		"comments-break":               {events(": keep alive\n" + event), "TOOL_SUCCESS", "MALFORMED_JSON"},
		"field-names-in-any-case":      {events("Data: " + success + "\n\n"), "NO_FINAL_RESPONSE", "TOOL_SUCCESS"},
		"data-cut-at-marker":           {events(strings.Replace(event, "ok", "data: ok", 1)), "TOOL_SUCCESS", "MALFORMED_JSON"},
		"data-lines-glued":             {events(strings.Replace(event, "ok", "o\ndata: k", 1)), "MALFORMED_JSON", "TOOL_SUCCESS"},
		"last-data-line-only":          {events(strings.Replace(event, `"id"`, "\ndata: \"id\"", 1)), "TOOL_SUCCESS", "MALFORMED_JSON"},
		"event-type-sticks":            {events("event: ping\ndata: 1\n\n" + event), "TOOL_SUCCESS", "NO_FINAL_RESPONSE"},
		"empty-data-breaks":            {events("id: 0\ndata:\n\n" + event), "TOOL_SUCCESS", "MALFORMED_JSON"},
		"any-event-taken":              {events("event: update\n" + event), "NO_FINAL_RESPONSE", "TOOL_SUCCESS"},
		"error-event-taken":            {events("event: error\n" + event), "NO_FINAL_RESPONSE", "TOOL_SUCCESS"},
		"empty-type-is-a-type":         {events("event:\n" + event), "TOOL_SUCCESS", "NO_FINAL_RESPONSE"},
		"notification-taken":           {events(note + event), "TOOL_SUCCESS", "INVALID_ENVELOPE"},
		"method-beside-result-skipped": {events(`data: {"method":"m",` + success[1:] + "\n\n"), "TOOL_SUCCESS", "NO_FINAL_RESPONSE"},
		"error-responses-skipped":      {events("data: " + rpcError + "\n\n"), "JSONRPC_ERROR", "NO_FINAL_RESPONSE"},
		"last-response-wins":           {events("data: " + rpcError + "\n\n" + event), "JSONRPC_ERROR", "TOOL_SUCCESS"},
		"first-event-decides":          {events("event: ping\ndata: 1\n\n" + event), "TOOL_SUCCESS", "INVALID_ENVELOPE"},
		"foreign-id-ends-stream":       {events(`data: {"jsonrpc":"2.0","id":7,"result":{"content":[]}}` + "\n\n" + event), "TOOL_SUCCESS", "INVALID_ENVELOPE"},
		"empty-stream-is-success":      {events(note), "NO_FINAL_RESPONSE", "TOOL_SUCCESS"},
	}
	judges := broken.All()
	for _, j := range judges {
		if j.Rule == "N" || j.Rule == "T" {
			continue // see TestNotificationsAndNoAnswer
		}
		t.Run(j.Name, func(t *testing.T) {
			t.Parallel()
			tt, ok := tests[j.Name]
			if !ok {
				t.Fatal("no answer is written for it")
			}
			call := classifier.Call{ID: tt.e.id}
			if v := (model.Judge{}).Classify(call, tt.e.a); v.Outcome.String() != tt.right {
				t.Errorf("sound: got %v %v, want %s", v.Outcome, v.Reason, tt.right)
			}
			v := j.Classify(call, tt.e.a)
			if v.Outcome.String() != tt.broken || v.Layer != v.Outcome.Layer() {
				t.Errorf("broken: got %v %v of layer %v, want %s", v.Outcome, v.Reason, v.Layer, tt.broken)
			}
		})
	}
	for name := range tests {
		if _, ok := broken.ByName(name); !ok {
			t.Errorf("%s is no broken judge", name)
		}
	}
}

func TestNotificationsAndNoAnswer(t *testing.T) {
	j, _ := broken.ByName("any-reply-accepts")
	a := message(success).a
	if got := j.Notification(a).Outcome; got != classifier.Accepted {
		t.Errorf("any-reply-accepts: got %v, want ACCEPTED", got)
	}
	if got := (model.Judge{}).Notification(a).Outcome; got != classifier.UnexpectedReply {
		t.Errorf("sound: got %v, want UNEXPECTED_REPLY", got)
	}
	j, _ = broken.ByName("no-answer-is-http-error")
	if got := j.NoAnswer(classifier.EndedConnect).Outcome; got != classifier.HTTPError {
		t.Errorf("no-answer-is-http-error: got %v, want HTTP_ERROR", got)
	}
	if got := (model.Judge{}).NoAnswer(classifier.EndedConnect).Outcome; got != classifier.NoFinalResponse {
		t.Errorf("sound: got %v, want NO_FINAL_RESPONSE", got)
	}
}

// A judge that failed on everything would prove nothing: all agree on what is ordinary.
func TestAllAgreeOnTheOrdinary(t *testing.T) {
	ordinary := map[string]exchange{
		"JSON":   message(success),
		"stream": events("event: message\n" + event),
	}
	for _, j := range broken.All() {
		for name, e := range ordinary {
			sound := model.Judge{}.Classify(classifier.Call{ID: e.id}, e.a)
			if diff := model.Diff(j.Classify(classifier.Call{ID: e.id}, e.a), sound); diff != "" {
				t.Errorf("%s, %s: broken, not sound: %s", j.Name, name, diff)
			}
		}
		if got := j.Notification(answer(202, "", "").a).Outcome; got != classifier.Accepted {
			t.Errorf("%s: notification: got %v, want ACCEPTED", j.Name, got)
		}
	}
}

func TestTable(t *testing.T) {
	judges := broken.All()
	if len(judges) < 45 {
		t.Errorf("got %d broken judges, want at least 45", len(judges))
	}
	seen := map[string]bool{}
	for _, j := range judges {
		if seen[j.Name] || j.Name == "" || j.Rule == "" || j.Source == "" || j.Doc == "" {
			t.Errorf("%+v: an empty field, or a name that stands twice", j.Name)
		}
		seen[j.Name] = true
		if j.Source != "rule" && strings.Count(j.Source, "#") != 1 {
			t.Errorf("%s: got source %q, want owner/repository#thread or rule", j.Name, j.Source)
		}
	}
	if _, ok := broken.ByName("no-such-judge"); ok {
		t.Error("found a judge that is none")
	}
}
