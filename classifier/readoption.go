package classifier

import (
	"math"
	"time"
)

// DefaultBodyLimit is the largest body that [Read] takes where it needs all of
// it, in bytes after the codings are undone, unless told otherwise.
const DefaultBodyLimit = 256 << 20

// DefaultLinger is how long [Read] waits for the end of a body whose verdict is
// settled, so that the connection can be used again, unless told otherwise.
const DefaultLinger = 2 * time.Millisecond

// lingerBytes is how much [Read] drops at most in that time.
const lingerBytes = 256 << 10

// ReadOption is a choice for [Read] and [ReadNotification].
type ReadOption func(*readConfig)

type readConfig struct {
	body, event, decoded int64
	timeout, idle        time.Duration
	linger               time.Duration
}

func newReadConfig(options []ReadOption) readConfig {
	c := readConfig{body: DefaultBodyLimit, event: DefaultEventLimit, decoded: DefaultDecodedLimit, linger: DefaultLinger}
	for _, option := range options {
		option(&c)
	}
	return c
}

// ReadBodyLimit sets how large a body may become that must be read whole: a
// JSON body, or that of an HTTP error. Passing it is the reason size-limit.
// Zero or less is no limit.
func ReadBodyLimit(bytes int64) ReadOption {
	return func(c *readConfig) { c.body = limitOf(bytes) }
}

// ReadEventLimit sets how large the joined data of one event of a stream may
// become. Passing it is the reason size-limit. Zero or less is no limit.
func ReadEventLimit(bytes int64) ReadOption {
	return func(c *readConfig) { c.event = bytes }
}

// ReadDecodedLimit sets how much a coded body may decode to, a stream in total.
// What comes over the wire for it may be a megabyte more. Passing either is the
// reason size-limit. Zero or less is no limit.
func ReadDecodedLimit(bytes int64) ReadOption {
	return func(c *readConfig) { c.decoded = limitOf(bytes) }
}

// ReadTimeout sets how long reading may take in all, counted from the call.
// Passing it is the reason deadline. Zero or less is no limit but that of the
// context.
func ReadTimeout(d time.Duration) ReadOption {
	return func(c *readConfig) { c.timeout = d }
}

// ReadIdleTimeout sets how long to wait for each next piece of the body.
// Passing it is the reason deadline. Zero or less is no limit.
func ReadIdleTimeout(d time.Duration) ReadOption {
	return func(c *readConfig) { c.idle = d }
}

// ReadLinger sets how long to wait, once the verdict is settled, for the end of
// the body, so that the connection can be used again. A server that ends its
// stream after the final response needs no longer than a packet takes; to one
// that does not, closing the stream tells that the call is over. Zero or less
// closes at once.
func ReadLinger(d time.Duration) ReadOption {
	return func(c *readConfig) { c.linger = d }
}

// codedLimit is how many coded bytes may stand for a text of at most decoded
// bytes. No coding makes a text much longer.
func codedLimit(decoded int64) int64 {
	const more = 1 << 20
	return decoded + min(more, math.MaxInt64-decoded)
}

func limitOf(bytes int64) int64 {
	if bytes <= 0 {
		return math.MaxInt64
	}
	return bytes
}
