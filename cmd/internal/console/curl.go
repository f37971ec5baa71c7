package console

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/capture"
	"github.com/replyproof/replyproof/cmd/internal/words"
)

// unsaid are the fields that curl writes itself.
var unsaid = []string{"host", "content-length", "accept-encoding", "connection", "expect", "transfer-encoding"}

// secret tells whether a field is not told. That of the session is: without it the
// request is another one.
func secret(name string) bool {
	name = strings.ToLower(name)
	return name == "cookie" || name == "authorization" || name != "mcp-session-id" && classifier.IsSecretName(name, false)
}

// asCurl is the request as a command, without what it must not tell.
func asCurl(r *capture.Request) string {
	var b strings.Builder
	text := utf8.Valid(r.Body) && bytes.IndexByte(r.Body, 0) < 0
	if !text {
		// No argument of a command can hold these bytes.
		b.WriteString("printf " + octal(r.Body) + " | ")
	}
	b.WriteString("curl -sSi")
	switch {
	case r.Method == http.MethodHead && len(r.Body) == 0:
		b.WriteString(" --head") // -X HEAD would wait for a body
	case r.Method != http.MethodPost || len(r.Body) == 0:
		b.WriteString(" -X " + words.Quote(r.Method))
	}
	b.WriteString(" " + words.Quote(capture.CleanText(r.URL)))
	for _, h := range r.Headers {
		field := h.Name + ": " + h.Value
		switch {
		case slices.Contains(unsaid, strings.ToLower(h.Name)):
			continue
		case secret(h.Name):
			field = h.Name + ": …"
		case h.Value == "":
			field = h.Name + ";" // with a colon curl would leave it out
		}
		b.WriteString(" \\\n  -H " + words.Quote(field))
	}
	switch {
	case !text:
		b.WriteString(" \\\n  --data-binary @-")
	case len(r.Body) > 0:
		b.WriteString(" \\\n  --data-raw " + words.Quote(string(r.Body)))
	}
	return b.String() + "\n"
}

// octal is a format of printf that prints some bytes.
func octal(body []byte) string {
	var b strings.Builder
	for i, c := range body {
		switch {
		case c < ' ' || c >= 0x7f || c == '\'' || c == '-' && i == 0:
			fmt.Fprintf(&b, `\%03o`, c)
		case c == '%' || c == '\\':
			b.WriteByte(c)
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return "'" + b.String() + "'"
}
