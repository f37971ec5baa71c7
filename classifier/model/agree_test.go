package model_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/classifier/codings"
	"github.com/replyproof/replyproof/classifier/model"
)

var (
	rounds = flag.Int("model.rounds", 30_000, "answers on which classifier and model are compared")
	seed   = flag.Uint64("model.seed", 1, "seed of these answers")
)

// sound knows every coding that the classifier knows with package codings linked.
var sound = model.Judge{Decoders: model.Decoders{
	"br":   decoder(codings.Brotli),
	"zstd": decoder(codings.Zstd),
}}

func decoder(undo func([]byte) ([]byte, error)) func([]byte) ([]byte, error) {
	return func(data []byte) ([]byte, error) {
		plain, err := undo(data)
		if errors.Is(err, codings.ErrEarlyEnd) {
			err = model.ErrEarlyEnd
		}
		return plain, err
	}
}

// pieces are what bodies are put together from and mutated with.
var pieces = []string{
	success, failure, rpcError,
	`{"jsonrpc":"2.0","id":1,"result":{"content":[]},"error":{"code":1.0,"message":"m","data":[1]}}`,
	`{"jsonrpc":"2.0","id":10e-1,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"m"},"\u0061":{"method":"\uD83D\uDE00"}},"requestState":"s"}}`,
	`{"jsonrpc":"2.0","result":{"_meta":null,"content":[{"type":"resource_link","name":"","uri":"","icons":null},{"type":"image"}]}}`,
	`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"code":-32600,"message":"m"}}`,
	`{"jsonrpc":"2.0","method":"notifications/progress","params":{}}`,
	`{"id":1,"method":"ping"}`,
	`{`, `}`, `[`, `]`, `,`, `:`, `"`, `\`, `\u`, `\ud800`, `\uDC00`, `\uD83D\uDE00`, `null`, `true`, `false`, `0`, `-`, `.`, `1e1`, `1e99999999999999999999`, `NaN`,
	`"jsonrpc":"2.0",`, `"id":1,`, `"id":"1",`, `"id":9007199254740993,`, `"result":{},`, `"error":null,`, `"method":"m",`, `"isError":true,`, `"isError":"true",`,
	`"resultType":null,`, `"content":[],`, `"content":{},`, `"structuredContent":null,`, `"inputRequests":{},`, `"requestState":1,`, `"_meta":null,`, `"code":1.5,`, `"message":1,`,
	`"i\u0064":2,`, `"Result":{},`,
	"data: ", "data:", "data", "event: message\n", "event: error\n", "event:\n", ": c\n", "id: 1\n", "\n\n", "\r\n\r\n", "\r\r", "\r", "\n", "\uFEFF", "\xFF", "\xE2\x82", "\xED\xA0\x80", "\xF0\x9F", "\u2028", "\x00", "\x1F", "\x7F",
}

// pick draws one of the values.
func pick[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

func randomBody(r *rand.Rand) []byte {
	var body []byte
	isStream := r.IntN(2) == 0
	for range 1 + r.IntN(3) {
		message := pick(r, pieces[:9]...)
		if isStream {
			end := pick(r, "\n", "\n", "\r\n", "\r")
			body = fmt.Appendf(body, "%sdata: %s%s%s", pick(r, "", "", "event: message"+end, "event: error"+end, ": c"+end, "event:"+end), message, end, end)
		} else {
			body = append(body, message...)
			break
		}
	}
	for range r.IntN(4) {
		at, to := r.IntN(len(body)+1), 0
		switch r.IntN(5) {
		case 0: // cut a piece out
			to = min(len(body), at+r.IntN(12))
			body = append(body[:at:at], body[to:]...)
		case 1: // change a byte
			if at < len(body) {
				body[at] = byte(r.IntN(256))
			}
		case 2: // end early
			body = body[:at]
		default:
			body = append(body[:at:at], append([]byte(pick(r, pieces...)), body[at:]...)...)
		}
	}
	return body
}

func coded(name string, body []byte) []byte {
	var out bytes.Buffer
	var w io.WriteCloser
	switch name {
	case "gzip", "x-gzip", "GZIP":
		w = gzip.NewWriter(&out)
	case "deflate":
		w = zlib.NewWriter(&out)
	case "raw":
		w, _ = flate.NewWriter(&out, 1)
	default:
		return body
	}
	w.Write(body)
	w.Close()
	return out.Bytes()
}

func randomAnswer(r *rand.Rand) classifier.Answer {
	a := classifier.Answer{Status: 200, Header: http.Header{}, Body: randomBody(r)}
	if r.IntN(6) == 0 {
		a.Status = pick(r, 201, 202, 204, 205, 199, 300, 400, 429, 503, 0, -1, 600)
	}
	if r.IntN(20) == 0 {
		a.Body = nil
	}
	types := []string{"application/json", "text/event-stream", "application/json; charset=utf-8", "Text/Event-Stream;a=\"b\\\"\xFF\"",
		"application/json;", "application/json ; ; a=b ;c", "text/plain", "", " \t", "application/json, text/event-stream", "application/json;a=b,text/event-stream", "application/json;a=\"", "application/json;a =b", ";"}
	switch n := r.IntN(24); {
	case n == 0:
	case n == 1:
		a.Header["Content-Type"] = []string{pick(r, types...), pick(r, types...)}
	case n == 2:
		a.Header[pick(r, "content-type", "CONTENT-TYPE")] = []string{pick(r, types...)}
	case n < 6:
		a.Header["Content-Type"] = []string{pick(r, types...)}
	default:
		a.Header["Content-Type"] = []string{types[0]}
		if bytes.HasPrefix(a.Body, []byte("data:")) || bytes.HasPrefix(a.Body, []byte("event:")) {
			a.Header["Content-Type"] = []string{types[1]}
		}
	}
	if r.IntN(8) == 0 {
		var names []string
		for range 1 + r.IntN(2) {
			name := pick(r, "gzip", "x-gzip", "GZIP", "deflate", "raw", "identity", "", "br", "zstd", "compress")
			a.Body = coded(name, a.Body)
			if name == "raw" {
				name = "deflate"
			}
			names = append(names, name)
		}
		if n := len(a.Body); r.IntN(3) == 0 && n > 0 {
			switch at := r.IntN(n); r.IntN(4) {
			case 0:
				a.Body = a.Body[:at]
			case 1:
				a.Body = bytes.Clone(a.Body)
				a.Body[at] ^= 1 << r.IntN(8)
			case 2:
				a.Body = append(bytes.Clone(a.Body), byte(r.IntN(256)))
			default:
				a.Body = append(bytes.Clone(a.Body), a.Body[:at]...)
			}
		}
		for _, name := range names {
			a.Header.Add("Content-Encoding", name)
		}
	}
	if r.IntN(8) == 0 {
		a.Ended = classifier.Ended(r.IntN(8))
	}
	if r.IntN(30) == 0 {
		a.Header["Retry-After"] = []string{pick(r, "5", "", "-1", "1.5", " 7\t", "Fri, 07 Nov 2014 23:59:59 GMT", "Friday, 07-Nov-14 23:59:59 GMT", "now")}
		if r.IntN(2) == 0 {
			a.Header["Retry-After"] = append(a.Header["Retry-After"], pick(r, "5", "7", ""))
		}
		a.Header["Www-Authenticate"] = []string{""}
		a.Header["Date"] = []string{"x", "y"}
	}
	return a
}

func show(a classifier.Answer) string {
	return fmt.Sprintf("status %d, headers %q, ended %v, body %q", a.Status, a.Header, a.Ended, a.Body)
}

// Classifier and model judge the same; they share no code.
func TestClassifierAgrees(t *testing.T) {
	ids := []classifier.ID{classifier.IntID(1), classifier.IntID(1), classifier.IntID(1), classifier.StringID("1"), classifier.IntID(0), classifier.IntID(9007199254740993), classifier.StringID("\xED\xA0\xBD")}
	failed := 0
	for i := range *rounds {
		r := rand.New(rand.NewPCG(*seed, uint64(i)))
		a := randomAnswer(r)
		call := classifier.Call{ID: pick(r, ids...)}
		got, want := classifier.Classify(call, a), sound.Classify(call, a)
		if diff := model.Diff(got, want); diff != "" {
			t.Errorf("round %d, id %v, %s: classifier, not model:\n%s", i, call.ID, show(a), diff)
			failed++
		}
		got, want = classifier.ClassifyNotification(a), sound.Notification(a)
		if diff := model.Diff(got, want); diff != "" {
			t.Errorf("round %d, notification, %s: classifier, not model:\n%s", i, show(a), diff)
			failed++
		}
		if failed > 10 {
			t.Fatal("too many differences")
		}
	}
	for e := classifier.EndedEOF; e < 9; e++ {
		if diff := model.Diff(classifier.ClassifyNoAnswer(e), sound.NoAnswer(e)); diff != "" {
			t.Errorf("no answer, %v: classifier, not model:\n%s", e, diff)
		}
	}
}
