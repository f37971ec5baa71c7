package loopback

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
)

// answer reads the body of a request and has it answered. It tells whether the
// connection goes on.
func (h *Host) answer(c *Conn, limited *io.LimitedReader, request *http.Request) bool {
	limited.N = int64(h.options.MaxBody) + 1024 // for the sizes of chunks
	if request.Header.Get("Expect") != "" {
		if _, err := io.WriteString(c, "HTTP/1.1 100 Continue\r\n\r\n"); err != nil {
			return false
		}
	}
	body, err := readBody(request, h.options.MaxBody)
	if err != nil {
		if limited.N <= 0 {
			err = errLarge
		}
		h.refuse(c, fmt.Errorf("read the body of a request: %w", err))
		return false
	}
	h.turn(c, connBusy)
	return h.handle(h.ctx, c, request, body) && !request.Close
}

// smallBody is the longest body that does not count among those that are held:
// ordinary calls are answered whoever else holds what.
const smallBody = 64 << 10

// takeUp takes down that the body of a request will be held, and gives for how many
// bytes it counts: as many as it says, or as may come where it does not say.
func (h *Host) takeUp(request *http.Request) (bytes int, err error) {
	switch n := request.ContentLength; {
	case n > int64(h.options.MaxBody):
		return 0, errLarge
	case n >= 0 && n <= smallBody:
		return 0, nil
	case n >= 0:
		bytes = int(n)
	default:
		bytes = h.options.MaxBody
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.held+bytes > h.options.MaxHeld {
		return 0, errHeld
	}
	h.held += bytes
	return bytes, nil
}

// putDown takes down that a body is no longer held.
func (h *Host) putDown(bytes int) {
	h.mu.Lock()
	h.held -= bytes
	h.mu.Unlock()
}

var (
	errLarge     = errors.New("the body is too large")
	errLargeHead = errors.New("the head is too large")
	errHeld      = errors.New("the bodies that are held are as many bytes as may be")
)

// refuse answers a request that cannot be read. Of one that breaks off nothing is
// said: nobody waits for an answer.
func (h *Host) refuse(c *Conn, why error) {
	var network net.Error
	if errors.Is(why, io.EOF) || errors.Is(why, io.ErrUnexpectedEOF) || errors.As(why, &network) {
		return
	}
	status := http.StatusBadRequest
	switch {
	case errors.Is(why, errLarge):
		status = http.StatusRequestEntityTooLarge
	case errors.Is(why, errHeld):
		status = http.StatusServiceUnavailable
	case errors.Is(why, errLargeHead):
		status = http.StatusRequestHeaderFieldsTooLarge
	}
	if h.options.Refused != nil {
		h.options.Refused(status, why)
	}
	if h.refused != nil {
		h.refused(c, status, why)
	}
	fmt.Fprintf(c, "HTTP/1.1 %d %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", status, refusals[status])
}

var refusals = map[int]string{
	http.StatusBadRequest:                  "Bad Request",
	http.StatusServiceUnavailable:          "Service Unavailable",
	http.StatusRequestEntityTooLarge:       "Content Too Large",
	http.StatusRequestHeaderFieldsTooLarge: "Request Header Fields Too Large",
}

// readBody reads a request's body.
func readBody(request *http.Request, limit int) ([]byte, error) {
	if request.ContentLength > int64(limit) {
		return nil, errLarge
	}
	if n := request.ContentLength; n >= 0 {
		body := make([]byte, n)
		_, err := io.ReadFull(request.Body, body)
		return body, err
	}
	body, err := io.ReadAll(io.LimitReader(request.Body, int64(limit)+1))
	if err == nil && len(body) > limit {
		err = errLarge
	}
	return body, err
}
