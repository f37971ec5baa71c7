package capture

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// Kept is what was said of an exchange when it was recorded.
type Kept struct {
	Record classifier.Record
	judged bool
}

// verdict is what the record still tells of the verdict.
func (k *Kept) verdict() classifier.Verdict {
	r := k.Record
	for _, raw := range []*json.RawMessage{&r.ResultType, &r.JSONRPC.ID, &r.JSONRPC.ErrorCode, &r.JSONRPC.ErrorData} {
		if string(*raw) == "null" {
			*raw = nil
		}
	}
	v := classifier.Verdict{Outcome: r.Outcome, Layer: r.Layer, Reason: r.Reason, EventCount: r.EventCount, Ended: r.Ended, ResultType: r.ResultType, ID: r.JSONRPC.ID, SyntaxOffset: -1}
	if n := len(r.HTTPStatuses); n > 0 && r.HTTPStatuses[n-1] != nil {
		v.Answered, v.Status = true, *r.HTTPStatuses[n-1]
	}
	if r.ContentType != nil {
		v.ContentType = *r.ContentType
	}
	if r.RetryAfter != nil {
		v.RetryAfter = *r.RetryAfter
	}
	if len(r.JSONRPC.ErrorCode) > 0 {
		v.Error.Code, v.Error.Data = r.JSONRPC.ErrorCode, r.JSONRPC.ErrorData
		v.Error.Fits = json.Unmarshal(r.JSONRPC.ErrorCode, &v.Error.Number) == nil
		if r.JSONRPC.ErrorMessage != nil {
			v.Error.Message, _ = json.Marshal(*r.JSONRPC.ErrorMessage)
		}
	}
	for _, kind := range r.Findings {
		v.Findings = append(v.Findings, classifier.Finding{Kind: kind, Offset: -1})
	}
	return v
}

// records yields the exchanges of records.
func (in Input) records(r *bufio.Reader, yield yielder) error {
	for number := 1; ; number++ {
		text, err := readLine(r, in.Limit)
		if err != nil && err != io.EOF && err != errTooLarge {
			return fmt.Errorf("read %s: line %d: %w", in.Name, number, err)
		}
		from := Place{in.Name, fmt.Sprintf("line %d", number)}
		if number == 1 {
			text = bytes.TrimPrefix(text, byteOrderMark)
		}
		switch {
		case number == 1 && bytes.HasPrefix(text, []byte("listening http://")):
			// What record prints before the records, where they go to standard output.
		case err == errTooLarge:
			if err := yield(Exchange{}, &Fault{from, in.tooLarge()}); err != nil {
				return err
			}
		case len(bytes.TrimSpace(text)) > 0:
			x, fault := readRecord(text, from)
			if fault != nil {
				if err == io.EOF && begun(text) && !json.Valid(text) {
					fault = errors.New("half a record, with which the file ends, as when a recording is killed: what was before it is whole")
				}
				fault = &Fault{from, fault}
			}
			if err := yield(x, fault); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

// begun tells whether a line begins as a record does, as far as it goes.
func begun(line []byte) bool {
	const begin = `{"format":"` + RecordFormat + `"`
	return strings.HasPrefix(begin, string(line[:min(len(line), len(begin))]))
}

// readLine takes a line; errTooLarge is a line over the limit, which is passed over.
func readLine(r *bufio.Reader, limit int64) (line []byte, err error) {
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || int64(len(line)+len(part)) > limit; !long {
			line = append(line, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case long && (err == nil || err == io.EOF):
			return nil, errTooLarge
		}
		return line, err
	}
}

func readRecord(text []byte, from Place) (Exchange, error) {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return Exchange{}, fmt.Errorf("no record: %w", err)
	}
	if l.Format != RecordFormat {
		return Exchange{}, fmt.Errorf("the format is %s, and %s is what is read here", clip(l.Format), RecordFormat)
	}
	x := Exchange{ID: l.ID, From: from, Assumed: l.Assumed, Proxied: l.Proxy, Duration: time.Duration(l.Duration * float64(time.Millisecond))}
	if l.Started != nil {
		x.Started = *l.Started
	}
	if l.Record != nil {
		x.Kept = &Kept{Record: *l.Record, judged: true}
	}
	if r := l.Request; r != nil {
		x.Request = &Request{Method: r.Method, URL: r.URL, Headers: headersOf(r.Headers)}
		x.Request.Body, x.Request.BodyUnknown, x.Request.Lost = r.read()
		x.RPC = ReadMessage(x.Request)
	}
	if err := l.message(&x.RPC); err != nil {
		return Exchange{}, err
	}
	switch {
	case l.Answer != nil:
		x.Answer = &Answer{Status: l.Answer.Status, Headers: headersOf(l.Answer.Headers), Ended: l.Answer.Ended}
		x.Answer.Body, x.Answer.BodyUnknown, x.Answer.Lost = l.Answer.read()
	case l.Ended != nil:
		x.NoAnswer = *l.Ended
	default:
		return Exchange{}, errors.New("neither answer nor ended is there")
	}
	return x, nil
}

// message puts what the record tells of the request over what its body, which
// may be sanitised or left out, tells.
func (l *line) message(m *Message) error {
	m.Kind = l.Kind
	if l.RPC == nil {
		return nil
	}
	m.Method, m.Tool, m.ProtocolVersion, m.Client = l.RPC.Method, l.RPC.Tool, l.RPC.ProtocolVersion, l.RPC.Client
	m.Arguments, m.Continues, m.Why = l.RPC.Arguments, l.RPC.Continues, l.RPC.Why
	if len(l.RPC.ID) == 0 {
		if l.Kind == Call {
			return errors.New("rpc.id is absent, and a call has one")
		}
		return nil
	}
	var ok bool
	if m.ID, ok = ReadID(l.RPC.ID); !ok {
		return fmt.Errorf("rpc.id %s is neither a string nor an integer", clip(string(l.RPC.ID)))
	}
	return nil
}

func headersOf(all [][2]string) corpus.Headers {
	headers := make(corpus.Headers, 0, len(all))
	for _, h := range all {
		headers = append(headers, corpus.Header{Name: h[0], Value: h[1]})
	}
	return headers
}
