package capture

import (
	"fmt"
	"slices"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// caseField is the header field of a request in which a written file names the
// case that its answer is; the reader takes it for the id of the exchange.
const caseField = "Replyproof-Case"

// framing are the header fields that say how a body is delivered, and not what
// it is.
var framing = []string{"content-length", "transfer-encoding", "connection", "keep-alive"}

// WithoutFraming are the header fields but for those of the delivery.
func WithoutFraming(headers corpus.Headers) corpus.Headers {
	return slices.DeleteFunc(slices.Clone(headers), func(h corpus.Header) bool { return slices.Contains(framing, strings.ToLower(h.Name)) })
}

// AppendID appends a request's id as JSON.
func AppendID(dst []byte, id classifier.ID) []byte { return append(dst, appendID(id)...) }

// requestBody is a message whose answer the case is: a call with its id, or a
// notification.
func requestBody(c corpus.Case) []byte {
	if c.Notification {
		return []byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}`)
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"synthetic","arguments":{}}}`, appendID(c.RequestID))
}

// AppendAnswer appends the answer of a case as an HTTP/1.1 message. A body that
// did not arrive whole is shorter than its Content-Length. What the case
// says of another framing is left out, since two that differ cannot be read.
func AppendAnswer(dst []byte, c corpus.Case) []byte {
	wire := c.Answer()
	length := len(wire.Body)
	if wire.Ended != classifier.EndedEOF {
		length++
	}
	c.Headers = slices.DeleteFunc(slices.Clone(c.Headers), func(h corpus.Header) bool {
		return strings.EqualFold(h.Name, "transfer-encoding") || strings.EqualFold(h.Name, "content-length") && strings.TrimSpace(h.Value) != fmt.Sprint(length)
	})
	dst = appendHead(dst, c)
	return append(fmt.Appendf(dst, "Content-Length: %d\r\n\r\n", length), wire.Body...)
}

func appendHead(dst []byte, c corpus.Case) []byte {
	dst = fmt.Appendf(dst, "HTTP/1.1 %d -\r\n", *c.Status)
	for _, h := range c.Headers {
		dst = fmt.Appendf(dst, "%s: %s\r\n", h.Name, h.Value)
	}
	return dst
}

// AppendHTTP appends the exchange of a case as two HTTP/1.1 messages, a request
// and its answer, so that several can follow each other in a file. The body is
// chunked; a last chunk is missing where it did not arrive whole. A case without
// an answer has nothing that could be written; [HoldsHTTP] tells that.
func AppendHTTP(dst []byte, c corpus.Case) []byte {
	body := requestBody(c)
	dst = append(dst, "POST /mcp HTTP/1.1\r\nHost: server.invalid\r\nContent-Type: application/json\r\n"...)
	if c.ID != "" {
		dst = fmt.Appendf(dst, "%s: %s\r\n", caseField, c.ID)
	}
	dst = append(fmt.Appendf(dst, "Content-Length: %d\r\n\r\n", len(body)), body...)
	dst = append(appendHead(dst, c), "Transfer-Encoding: chunked\r\n\r\n"...)
	wire := c.Answer()
	if len(wire.Body) > 0 {
		dst = append(fmt.Appendf(dst, "%x\r\n", len(wire.Body)), wire.Body...)
		dst = append(dst, "\r\n"...)
	}
	if wire.Ended == classifier.EndedEOF {
		dst = append(dst, "0\r\n\r\n"...)
	}
	return dst
}
