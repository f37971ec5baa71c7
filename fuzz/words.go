package fuzz

// words are what damage puts into bodies: each of the tokens that some rule
// reads, whole or nearly so, and the bytes that parsers stumble over.
var words = []string{
	// JSON
	`{`, `}`, `[`, `]`, `:`, `,`, `"`, `\`, `null`, `true`, `false`, `{}`, `[]`, `""`, `nul`, `tru`, `True`, `NaN`, `Infinity`,
	`0`, `-0`, `1`, `1.0`, `10e-1`, `1e0`, `01`, `-`, `1.`, `.5`, `1e`, `1e+`, `0.1e1`, `9007199254740993`, `9223372036854775808`,
	`-32602`, `-32602.0`, `-3.2602e4`, `-32602.5`, `1e999999999999999999999`, `1e-999999999999999999999`, `0e99999999999999999999`,
	`\u0000`, `\ud800`, `\udc00`, `\ud83d\ude00`, `\ud83d\ud83d`, `\u00e9`, `\/`, `\x`, `\u12`, `\"`, `\n`,
	" ", "\t", "\r", "\n", "\x00", "\x1f", "\x7f", "\v", "\f", "\u00a0", "\u2028",
	// text
	"\xef\xbb\xbf", "\xff", "\xfe\xff", "\xe2\x82", "\xed\xa0\x80", "\xc0\x80", "\xf4\x90\x80\x80", "\xf0\x9f\x98", "\x80", "\ufffd", "é", "😀",
	// envelope and result
	`"jsonrpc":"2.0",`, `"jsonrpc":2.0,`, `"jsonrpc":"2.0"`, `"id":1,`, `"id":null,`, `"id":"1",`, `"id":2,`, `"method":"m",`, `"method"`,
	`"result":{},`, `"result":null,`, `"error":null,`, `"error":{"code":1,"message":""},`, `"error":{"code":-32000,"message":"x","data":{}},`,
	`"resultType":"complete",`, `"resultType":"input_required",`, `"resultType":"task",`, `"resultType":null,`, `"content":[],`, `"content":null,`,
	`"isError":true,`, `"isError":false,`, `"isError":null,`, `"isError":"true",`, `"structuredContent":null,`, `"_meta":null,`, `"_meta":{},`,
	`"inputRequests":{"a":{"method":"m"}},`, `"inputRequests":[],`, `"inputRequests":{"a":{}},`, `"requestState":"s",`, `"requestState":1,`,
	`{"type":"text","text":"t"},`, `{"type":"image","data":"","mimeType":""},`, `{"type":"resource","resource":{}},`, `{"type":"resource_link","name":"","uri":"","title":null},`,
	`{"type":"widget"},`, `{"type":"text"},`, `null,`, `"annotations":null,`, `"code":1,`, `"message":"m",`, `"data":null,`, `"x":{"id":1,"result":{}},`,
	`"\u0069d":1,`, `"Result":{},`, `"resu\u006ct":{},`, `"ID":1,`, `"result ":1,`, `"":0,`,
	// streams
	"data: ", "data:", "data", "data\n", "\n\n", "\r\n", "\r\r", "\n\r", "\r\n\r\n", "event: message\n", "event: ping\n", "event:\n", "event\n", "event: error\n",
	"id: 7\n", "id\n", "retry: 10\n", ": comment\n", ":\n", "Data: x\n", "data : x\n", " data: x\n", "data: \n\n", "data\n\n",
	"data: {\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n\n", "data: {\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\"}\n\n", "data: {\"method\":\"m\",\"result\":1}\n\n",
	"data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}\n\n", "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":5,\"message\":\"m\"}}\n\n",
	"data: {\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":5,\"message\":\"m\"}}\n\n", "data: {\"id\":1,\"result\":0}\n\n", "data: []\n\n", "data: {\n\n", "data: 1\n\n",
}

// values are what takes the place of a JSON value.
var values = []string{
	`null`, `true`, `false`, `0`, `1`, `-0`, `1.0`, `10e-1`, `1.5`, `2`, `-32602`, `-32600.0`, `1e400`, `"2.0"`, `"2"`, `2.0`, `"1"`, `"one"`, `"a"`, `""`, `"complete"`,
	`"input_required"`, `"task"`, `"text"`, `"m"`, `[]`, `{}`, `[{}]`, `[null]`, `[1]`, `["a"]`, `{"a":1}`, `{"a":{"method":"m"}}`, `"\ud800"`, `"\ud83d\ude00"`, "\"\xff\"",
	`{"code":1,"message":"m"}`, `{"code":"1","message":"m"}`, `{"code":1}`, `{"code":1.5,"message":"m"}`, `{"code":1e1,"message":"m","data":[]}`, `{"code":null,"message":"m"}`,
	`{"code":1,"message":null}`, `{"content":[]}`, `{"content":[],"isError":true}`, `{"content":[],"isError":null}`, `{"content":{}}`, `{"resultType":"input_required"}`,
	`{"resultType":"complete","content":[{"type":"text","text":"t"}],"structuredContent":null}`, `[{"type":"text","text":"t","_meta":null}]`, `[{"type":"text","text":1}]`,
	`{"resultType":1,"content":[]}`, `{"resultType":"complete"}`, `{"content":[{"type":"audio","data":"","mimeType":""}]}`, `{"content":[{"type":"resource","resource":[]}]}`,
}

// statuses are what takes the place of the status.
var statuses = []int{
	200, 201, 202, 203, 204, 205, 206, 299, 200, 202, 204, 205, 300, 301, 304, 307, 308, 400, 401, 403, 404, 408, 409, 422, 425, 429,
	500, 501, 502, 503, 504, 505, 100, 101, 103, 199, 0, -1, -200, 1000, 99, 600, 999,
}

// mediaTypes are values of Content-Type.
var mediaTypes = []string{
	"application/json", "text/event-stream", "Application/JSON", "TEXT/Event-Stream", " application/json\t", "application/json; charset=utf-8",
	"text/event-stream;charset=UTF-8", "application/json;", "application/json;;", "application/json; charset", "application/json; =utf-8", "application/json ; a=\"b;c\"",
	"application/json; a=\"b", "application/json; a=\"\\\"\"; b=c", "application/json; a=\"\xff\"", "application/json; a=\xff", "application/json; a b", "text/event-stream; a=\"\x00\"",
	"application/json; a = b", "text/event-stream; charset=\"utf-8\"", "application/json, text/event-stream", "application/json,", ",", "", " ", ";charset=utf-8", "\t;",
	"text/html", "text/plain; charset=utf-8", "application/json5", "application/problem+json", "application/vnd.api+json", "application/x-ndjson", "application/json/x", "application",
	"text/json", "application/jsonrpc", "application /json", "\u212Aapplication/json", "application/j\u017Fon", "text/event-stream\x00", "multipart/mixed; boundary=\"x\"",
}

// encodings are values of Content-Encoding.
var encodings = []string{
	"", "identity", "gzip", "x-gzip", "GZIP", " gzip ", "deflate", "br", "zstd", "gzip, gzip", "br,gzip", "identity, , identity", ",", "compress", "gzip, compress",
	"x-deflate", "gzip;q=1", "deflate, br", "zstd, identity",
}

// retries are values of Retry-After.
var retries = []string{
	"0", "1", "120", " 5\t", "", " ", "-1", "+1", "1.5", "1e3", "0x10", "99999999999999999999999999", "\u0661", "007", "5, 6", "5 ", "soon",
	"Wed, 21 Oct 2026 07:28:00 GMT", "Wednesday, 21-Oct-26 07:28:00 GMT", "Wed Oct 21 07:28:00 2026", "Wed, 21 Oct 2026 07:28:00 UTC", "Wed, 21 Oct 2026 07:28 GMT",
	"Thu, 01 Jan 1970 00:00:00 GMT", "wed, 21 oct 2026 07:28:00 gmt", "21 Oct 2026 07:28:00 GMT", "Wed, 31 Feb 2026 07:28:00 GMT", "Wed, 21 Oct 2026 24:00:00 GMT",
}
