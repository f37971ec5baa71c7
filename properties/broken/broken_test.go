package broken_test

import (
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/classifier/model"
	"github.com/replyproof/replyproof/properties/broken"
)

const (
	success  = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"ok"}]}}`
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

func (e exchange) idText(id string) exchange {
	e.id = classifier.StringID(id)
	return e
}

// through is text that went through a compressing writer.
func through(text string, to func(io.Writer) io.WriteCloser) string {
	var out strings.Builder
	w := to(&out)
	io.WriteString(w, text)
	w.Close()
	return out.String()
}

func gzipped(text string) string {
	return through(text, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) })
}

func zlibbed(text string) string {
	return through(text, func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) })
}

func deflated(text string) string {
	return through(text, func(w io.Writer) io.WriteCloser {
		f, _ := flate.NewWriter(w, flate.DefaultCompression) // the level is a valid one
		return f
	})
}

// coded is a message in gzip under that name.
func coded(text, name string) exchange { return message(gzipped(text)).with("Content-Encoding", name) }

// zipped is the success in gzip, without its last bytes or with its checksum spoiled.
func zipped(cut int, spoil byte) exchange {
	body := []byte(gzipped(success))
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

		"lf-only":                       {events("data: " + success + "\r\n\r\n"), "TOOL_SUCCESS", "NO_FINAL_RESPONSE"},
		"lone-cr-kept":                  {events("data: " + success + "\r\r"), "TOOL_SUCCESS", "NO_FINAL_RESPONSE"},
		"unicode-line-ends":             {events(strings.Replace(event, "ok", "a\u2028b", 1)), "TOOL_SUCCESS", "MALFORMED_JSON"},
		"lines-of-64k":                  {events(strings.Replace(event, "ok", strings.Repeat("x", 65536), 1)), "TOOL_SUCCESS", "NO_FINAL_RESPONSE"},
		"stream-bom-kept":               {events("\uFEFF" + event), "TOOL_SUCCESS", "NO_FINAL_RESPONSE"},
		"unfinished-event-taken":        {events("data: " + success), "NO_FINAL_RESPONSE", "TOOL_SUCCESS"},
		"cut-event-taken":               {events("data: " + success).ended(classifier.EndedReset), "NO_FINAL_RESPONSE", "TOOL_SUCCESS"},
		"space-required":                {events("data:" + success + "\n\n"), "TOOL_SUCCESS", "NO_FINAL_RESPONSE"},
		"comments-break":                {events(": keep alive\n" + event), "TOOL_SUCCESS", "MALFORMED_JSON"},
		"field-names-in-any-case":       {events("Data: " + success + "\n\n"), "NO_FINAL_RESPONSE", "TOOL_SUCCESS"},
		"data-cut-at-marker":            {events(strings.Replace(event, "ok", "data: ok", 1)), "TOOL_SUCCESS", "MALFORMED_JSON"},
		"data-lines-glued":              {events(strings.Replace(event, "ok", "o\ndata: k", 1)), "MALFORMED_JSON", "TOOL_SUCCESS"},
		"last-data-line-only":           {events(strings.Replace(event, `"id"`, "\ndata: \"id\"", 1)), "TOOL_SUCCESS", "MALFORMED_JSON"},
		"event-type-sticks":             {events("event: ping\ndata: 1\n\n" + event), "TOOL_SUCCESS", "NO_FINAL_RESPONSE"},
		"empty-data-breaks":             {events("id: 0\ndata:\n\n" + event), "TOOL_SUCCESS", "MALFORMED_JSON"},
		"any-event-taken":               {events("event: update\n" + event), "NO_FINAL_RESPONSE", "TOOL_SUCCESS"},
		"error-event-taken":             {events("event: error\n" + event), "NO_FINAL_RESPONSE", "TOOL_SUCCESS"},
		"empty-type-is-a-type":          {events("event:\n" + event), "TOOL_SUCCESS", "NO_FINAL_RESPONSE"},
		"notification-taken":            {events(note + event), "TOOL_SUCCESS", "INVALID_ENVELOPE"},
		"method-beside-result-skipped":  {events(`data: {"method":"m",` + success[1:] + "\n\n"), "TOOL_SUCCESS", "NO_FINAL_RESPONSE"},
		"error-responses-skipped":       {events("data: " + rpcError + "\n\n"), "JSONRPC_ERROR", "NO_FINAL_RESPONSE"},
		"last-response-wins":            {events("data: " + rpcError + "\n\n" + event), "JSONRPC_ERROR", "TOOL_SUCCESS"},
		"first-event-decides":           {events("event: ping\ndata: 1\n\n" + event), "TOOL_SUCCESS", "INVALID_ENVELOPE"},
		"foreign-id-ends-stream":        {events(`data: {"jsonrpc":"2.0","id":7,"result":{"content":[]}}` + "\n\n" + event), "TOOL_SUCCESS", "INVALID_ENVELOPE"},
		"empty-stream-is-success":       {events(note), "NO_FINAL_RESPONSE", "TOOL_SUCCESS"},
		"status-of-16-bits":             {answer(65736, "application/json", success), "HTTP_ERROR", "TOOL_SUCCESS"},
		"status-zero-passes":            {answer(0, "application/json", success), "HTTP_ERROR", "TOOL_SUCCESS"},
		"only-informational-passes":     {answer(103, "application/json", success), "HTTP_ERROR", "TOOL_SUCCESS"},
		"media-type-by-prefix":          {answer(200, "application/json, text/plain", success), "UNEXPECTED_CONTENT_TYPE", "TOOL_SUCCESS"},
		"media-type-folded-by-unicode":  {answer(200, "text/event-\u017ftream", event), "UNEXPECTED_CONTENT_TYPE", "TOOL_SUCCESS"},
		"media-type-trimmed-by-unicode": {answer(200, "text/event-stream\u00a0", event), "UNEXPECTED_CONTENT_TYPE", "TOOL_SUCCESS"},
		"media-type-lines-joined":       {message(success).with("Content-Type", "application/json", "application/json"), "TOOL_SUCCESS", "UNEXPECTED_CONTENT_TYPE"},
		"x-gzip-unknown":                {coded(success, "x-gzip"), "TOOL_SUCCESS", "UNEXPECTED_CONTENT_TYPE"},
		"first-gzip-member-only":        {message(gzipped(success[:40])+gzipped(success[40:])).with("Content-Encoding", "gzip"), "TOOL_SUCCESS", "MALFORMED_JSON"},
		"codings-undone-in-order":       {message(gzipped(zlibbed(success))).with("Content-Encoding", "deflate, gzip"), "TOOL_SUCCESS", "UNEXPECTED_CONTENT_TYPE"},
		"raw-deflate-refused":           {message(deflated(success)).with("Content-Encoding", "deflate"), "TOOL_SUCCESS", "UNEXPECTED_CONTENT_TYPE"},
		"unknown-coding-passed":         {message(success).with("Content-Encoding", "rot13"), "UNEXPECTED_CONTENT_TYPE", "TOOL_SUCCESS"},
		"claimed-coding-sniffed":        {message(success).with("Content-Encoding", "gzip"), "UNEXPECTED_CONTENT_TYPE", "TOOL_SUCCESS"},
		"identity-unknown":              {message(success).with("Content-Encoding", "identity"), "TOOL_SUCCESS", "UNEXPECTED_CONTENT_TYPE"},

		"leading-zeros-accepted":   {within(`"content":[],"structuredContent":[01]`), "MALFORMED_JSON", "TOOL_SUCCESS"},
		"form-feed-is-space":       {message("\f" + success), "MALFORMED_JSON", "TOOL_SUCCESS"},
		"every-bom-dropped":        {message("\uFEFF\uFEFF" + success), "MALFORMED_JSON", "TOOL_SUCCESS"},
		"event-bom-dropped":        {events("data: \uFEFF" + success + "\n\n"), "MALFORMED_JSON", "TOOL_SUCCESS"},
		"truncated-text-completed": {message(success[:len(success)-1]), "MALFORMED_JSON", "TOOL_SUCCESS"},
		"single-quotes-taken":      {within(`'content':[]`), "MALFORMED_JSON", "TOOL_SUCCESS"},
		"comments-taken":           {message("/* x */" + success), "MALFORMED_JSON", "TOOL_SUCCESS"},
		"bad-escapes-taken":        {message(strings.Replace(success, "ok", `\q`, 1)), "MALFORMED_JSON", "TOOL_SUCCESS"},
		"brackets-confused":        {within(`"content":[}`), "MALFORMED_JSON", "TOOL_SUCCESS"},
		"blank-body-is-success":    {message(" \n"), "MALFORMED_JSON", "TOOL_SUCCESS"},
		"trimmed-as-javascript":    {message("\u00a0" + success), "MALFORMED_JSON", "TOOL_SUCCESS"},
		"bad-utf8-dropped":         {message("\xff" + success), "MALFORMED_JSON", "TOOL_SUCCESS"},

		"version-optional":                 {message(strings.Replace(success, `"jsonrpc":"2.0",`, "", 1)), "INVALID_ENVELOPE", "TOOL_SUCCESS"},
		"bare-error-accepted":              {message(`{"code":1,"message":"m"}`), "INVALID_ENVELOPE", "JSONRPC_ERROR"},
		"plain-name-wins":                  {within(`"content":[],"isError":false,"is\u0045rror":true`), "TOOL_ERROR", "TOOL_SUCCESS"},
		"prototype-seen":                   {message(`{"jsonrpc":"2.0","id":1,"__proto__":{"result":{"content":[]}}}`), "INVALID_ENVELOPE", "TOOL_SUCCESS"},
		"params-taken-for-result":          {message(`{"jsonrpc":"2.0","id":1,"params":{"content":[]}}`), "INVALID_ENVELOPE", "TOOL_SUCCESS"},
		"escaped-result-missed":            {message(strings.Replace(success, "result", `res\u0075lt`, 1)), "TOOL_SUCCESS", "INVALID_ENVELOPE"},
		"escaped-error-missed":             {message(strings.Replace(rpcError, "error", `err\u006fr`, 1)), "JSONRPC_ERROR", "INVALID_ENVELOPE"},
		"id-trimmed":                       {message(strings.Replace(success, `"id":1`, `"id":" a"`, 1)).idText("a"), "INVALID_ENVELOPE", "TOOL_SUCCESS"},
		"id-case-ignored":                  {message(strings.Replace(success, `"id":1`, `"id":"A"`, 1)).idText("a"), "INVALID_ENVELOPE", "TOOL_SUCCESS"},
		"id-escapes-missed":                {message(strings.Replace(success, `"id":1`, `"id":"\u0061"`, 1)).idText("a"), "TOOL_SUCCESS", "INVALID_ENVELOPE"},
		"id-sign-ignored":                  {message(strings.Replace(success, `"id":1`, `"id":-1`, 1)), "INVALID_ENVELOPE", "TOOL_SUCCESS"},
		"id-array-unwrapped":               {message(strings.Replace(success, `"id":1`, `"id":[1]`, 1)), "INVALID_ENVELOPE", "TOOL_SUCCESS"},
		"id-truncated":                     {message(strings.Replace(success, `"id":1`, `"id":1.5`, 1)), "INVALID_ENVELOPE", "TOOL_SUCCESS"},
		"id-minus-zero-refused":            {message(strings.Replace(success, `"id":1`, `"id":-0`, 1)).id64(0), "TOOL_SUCCESS", "INVALID_ENVELOPE"},
		"far-exponent-refused":             {message(strings.Replace(success, `"id":1`, `"id":0e9999999999`, 1)).id64(0), "TOOL_SUCCESS", "INVALID_ENVELOPE"},
		"code-zero-is-absent":              {failed(`{"code":0,"message":"m"}`), "JSONRPC_ERROR", "INVALID_ENVELOPE"},
		"code-minus-zero-refused":          {failed(`{"code":-0,"message":"m"}`), "JSONRPC_ERROR", "INVALID_ENVELOPE"},
		"url-elicitation-taken-for-input":  {failed(`{"code":-32042,"message":"m"}`), "JSONRPC_ERROR", "INPUT_REQUIRED"},
		"parse-error-taken-for-malformed":  {failed(`{"code":-32700,"message":"m"}`), "JSONRPC_ERROR", "MALFORMED_JSON"},
		"header-mismatch-taken-for-status": {failed(`{"code":-32020,"message":"m"}`), "JSONRPC_ERROR", "HTTP_ERROR"},
		"empty-message-is-absent":          {failed(`{"code":1,"message":""}`), "JSONRPC_ERROR", "INVALID_ENVELOPE"},
		"message-of-any-type":              {failed(`{"code":1,"message":["m"]}`), "INVALID_ENVELOPE", "JSONRPC_ERROR"},
		"escaped-code-missed":              {failed(`{"c\u006fde":1,"message":"m"}`), "JSONRPC_ERROR", "INVALID_ENVELOPE"},

		"empty-requests-refused":     {within(`"resultType":"input_required","inputRequests":{}`), "INPUT_REQUIRED", "INVALID_TOOL_RESULT"},
		"text-says-error":            {message(strings.Replace(success, "ok", "Error: none", 1)), "TOOL_SUCCESS", "TOOL_ERROR"},
		"escaped-is-error-missed":    {within(`"content":[],"is\u0045rror":true`), "TOOL_ERROR", "TOOL_SUCCESS"},
		"escaped-result-type-missed": {within(`"result\u0054ype":"input_required","requestState":"s"`), "INPUT_REQUIRED", "INVALID_TOOL_RESULT"},
		"is-error-by-presence":       {within(`"content":[],"isError":false`), "TOOL_SUCCESS", "TOOL_ERROR"},
		"meta-checked":               {within(`"content":[],"_meta":1`), "TOOL_SUCCESS", "INVALID_TOOL_RESULT"},
		"input-by-requests":          {within(`"content":[],"inputRequests":{}`), "TOOL_SUCCESS", "INPUT_REQUIRED"},
		"complete-by-content":        {within(`"resultType":"input_required","requestState":"s","content":[]`), "INPUT_REQUIRED", "TOOL_SUCCESS"},
		"requests-alone-refused":     {within(`"resultType":"input_required","inputRequests":{"a":{"method":"m"}}`), "INPUT_REQUIRED", "INVALID_TOOL_RESULT"},
		"empty-text-refused":         {message(strings.Replace(success, "ok", "", 1)), "TOOL_SUCCESS", "INVALID_TOOL_RESULT"},
		"text-parsed-for-error":      {message(strings.Replace(success, "ok", `{\"error\":1}`, 1)), "TOOL_SUCCESS", "TOOL_ERROR"},
		"nameless-request-refused":   {within(`"resultType":"input_required","inputRequests":{"":{"method":"m"}}`), "INPUT_REQUIRED", "INVALID_TOOL_RESULT"},
		"code-taken-for-status":      {failed(`{"code":404,"message":"m"}`), "JSONRPC_ERROR", "HTTP_ERROR"},
		"bad-utf8-in-names-refused":  {message(strings.Replace(success, `"id"`, "\"\xE9\":1,\"id\"", 1)), "TOOL_SUCCESS", "MALFORMED_JSON"},
		"empty-state-refused":        {within(`"resultType":"input_required","requestState":""`), "INPUT_REQUIRED", "INVALID_TOOL_RESULT"},

		"crlf-ends-two-lines":  {events(strings.Replace("data: "+success, `"id"`, "\r\ndata: \"id\"", 1) + "\r\n\r\n"), "TOOL_SUCCESS", "MALFORMED_JSON"},
		"cr-waits-for-more":    {events("data: " + success + "\r\r"), "TOOL_SUCCESS", "NO_FINAL_RESPONSE"},
		"crlf-needs-its-lf":    {events("data: " + success + "\r\n\r").ended(classifier.EndedReset), "TOOL_SUCCESS", "NO_FINAL_RESPONSE"},
		"all-spaces-dropped":   {events("event:  message\n" + event), "NO_FINAL_RESPONSE", "TOOL_SUCCESS"},
		"bare-event-ignored":   {events("event: ping\nevent\n" + event), "TOOL_SUCCESS", "NO_FINAL_RESPONSE"},
		"nul-drops-event":      {events("id: a\x00b\n" + event), "TOOL_SUCCESS", "NO_FINAL_RESPONSE"},
		"bare-json-line-taken": {events(success + "\n\n"), "NO_FINAL_RESPONSE", "TOOL_SUCCESS"},
		"event-type-any-case":  {events("event: Message\n" + event), "NO_FINAL_RESPONSE", "TOOL_SUCCESS"},
		"own-id-request-taken": {events(`data: {"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n\n" + event), "TOOL_SUCCESS", "INVALID_ENVELOPE"},
		"late-cut-counts":      {events(event).ended(classifier.EndedReset), "TOOL_SUCCESS", "NO_FINAL_RESPONSE"},
		"last-stray-counts":    {events("data: x\n\ndata: {}\n\n"), "MALFORMED_JSON", "INVALID_ENVELOPE"},
		"cut-tells-stray":      {events("data: x\n\n").ended(classifier.EndedReset), "NO_FINAL_RESPONSE", "MALFORMED_JSON"},
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
	j, _ = broken.ByName("empty-204-accepts")
	if got := j.Notification(answer(204, "", "").a).Outcome; got != classifier.Accepted {
		t.Errorf("empty-204-accepts: got %v, want ACCEPTED", got)
	}
	if got := (model.Judge{}).Notification(answer(204, "", "").a).Outcome; got != classifier.UnexpectedReply {
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
	if len(judges) < 60 {
		t.Errorf("got %d broken judges, want at least 60", len(judges))
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

// Each habit has a name of its own, agrees on what is ordinary, and is judged by
// what it does in one place.
func TestHabits(t *testing.T) {
	seen := map[string]bool{}
	for _, h := range broken.Habits() {
		if _, judge := broken.ByName(h.Name); judge || seen[h.Name] || h.Name == "" || h.Rule == "" || h.Source == "" || h.Doc == "" || h.Classify == nil {
			t.Errorf("%q: an empty field, or a name that stands twice", h.Name)
		}
		seen[h.Name] = true
		if again, ok := broken.HabitByName(h.Name); !ok || again.Doc != h.Doc {
			t.Errorf("%s: got %+v by its name", h.Name, again)
		}
		for name, e := range map[string]exchange{"JSON": message(success), "stream": events("event: message\n" + event)} {
			call := classifier.Call{ID: e.id}
			want := model.Judge{}.Classify(call, e.a)
			if diff := model.Diff(h.Classify(call, e.a), want); diff != "" {
				t.Errorf("%s, %s: broken, not sound: %s", h.Name, name, diff)
			}
			if h.Stream != nil {
				if diff := model.Diff(h.Stream(call, e.a, []int{1, 20}), want); diff != "" {
					t.Errorf("%s, %s, fed: broken, not sound: %s", h.Name, name, diff)
				}
			}
		}
	}
	if _, ok := broken.HabitByName("no-such-habit"); ok {
		t.Error("found a habit that is none")
	}
}
