package scenario

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/replyproof/replyproof/properties/loopback"
)

// page answers a request to another path, by net/http's interfaces. The connection
// ends with it.
func (s *Server) page(ctx context.Context, conn *loopback.Conn, request *http.Request, body []byte) bool {
	pages := s.options.Pages
	r := foreign(request)
	if path := request.URL.Path; path == resourceMetadata || path == resourceMetadata+Path {
		pages = http.HandlerFunc(s.metadata)
	}
	if r != nil || pages == nil {
		pages = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			code := http.StatusNotFound
			if r != nil {
				code = http.StatusForbidden
			}
			http.Error(w, http.StatusText(code), code)
		})
	}
	// A client that leaves ends the work for it.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		io.Copy(io.Discard, conn)
		cancel()
	}()
	w := &responder{conn: conn, out: bufio.NewWriter(conn), header: make(http.Header), head: request.Method == http.MethodHead}
	request.Body = io.NopCloser(bytes.NewReader(body))
	pages.ServeHTTP(w, request.WithContext(ctx))
	w.WriteHeader(http.StatusOK)
	w.out.Flush()
	conn.CloseWrite()
	conn.Close()
	<-gone
	return false
}

// responder writes an answer that ends with its connection.
type responder struct {
	conn   *loopback.Conn
	out    *bufio.Writer
	header http.Header
	sent   bool
	head   bool // the body is not wanted
}

func (w *responder) Header() http.Header { return w.header }

func (w *responder) WriteHeader(code int) {
	if w.sent {
		return
	}
	w.sent = true
	w.header.Set("Connection", "close")
	fmt.Fprintf(w.out, "HTTP/1.1 %d %s\r\n", code, http.StatusText(code))
	w.header.Write(w.out)
	io.WriteString(w.out, "\r\n")
}

func (w *responder) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if w.head {
		return len(b), nil
	}
	return w.out.Write(b)
}

// Flush sends what was written.
func (w *responder) Flush() {
	w.WriteHeader(http.StatusOK)
	w.out.Flush()
}
