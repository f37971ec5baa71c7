package fuzz

import (
	"net/http"
	"net/textproto"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// filler makes samples of cases as [SampleOf] does, in memory that it uses again:
// what it returns holds until its next call.
type filler struct {
	header http.Header
	values []string
}

func (f *filler) sampleOf(c corpus.Case) Sample {
	if c.Status == nil {
		return SampleOf(c)
	}
	if f.header == nil {
		f.header = http.Header{}
	}
	clear(f.header)
	f.values = f.values[:0]
	for _, line := range c.Headers {
		name := textproto.CanonicalMIMEHeaderKey(line.Name)
		f.values = append(f.values, strings.Trim(line.Value, " \t"))
		if before, again := f.header[name]; again {
			f.header[name] = append(before, f.values[len(f.values)-1])
		} else {
			f.header[name] = f.values[len(f.values)-1 : len(f.values) : len(f.values)]
		}
	}
	wire := c.Wire(c.RequestID)
	return Sample{
		Call: classifier.Call{ID: c.RequestID}, Notification: c.Notification,
		Answer: classifier.Answer{Status: *c.Status, Header: f.header, Body: wire.Delivered(), Ended: wire.Ended},
	}
}
