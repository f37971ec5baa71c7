package classifier

import (
	"bytes"

	"github.com/replyproof/replyproof/classifier/internal/scan"
)

// textState is what rule 5 says of a text.
type textState uint8

const (
	textWhole textState = iota
	textEmpty
	textSyntax
	textTrailing
)

// envelope is what one pass over a text finds: whether it is JSON, and the
// members that the rules read. Of members that stand twice it holds the last.
type envelope struct {
	text   []byte
	state  textState
	offset int // where the text stops being JSON

	kind                     scan.Kind // of the whole
	jsonrpc, id, result, err scan.Value
	method                   bool
	twice                    duplicate

	res resultMembers // of the last result, if it is an object
	rpc errorMembers  // of the last error, if it is an object

	odd                      bool // whether any of the following is set
	badUTF8, halfPair, depth int
}

type errorMembers struct {
	code, message, data scan.Value
	twice               duplicate
}

// duplicate is the first member of an object seen to stand there twice.
type duplicate struct {
	name string // "" if there is none
	at   int
}

func (d *duplicate) note(earlier scan.Kind, name string, at int) {
	if earlier != scan.None && d.name == "" {
		d.name, d.at = name, at
	}
}

// read is the pass, over text from start on. The envelope must be zero.
func (e *envelope) read(text []byte, start int) {
	var s scan.Scanner
	s.Reset(text, start)
	e.text = text
	if !s.More() {
		e.state, e.offset = textEmpty, s.Pos()
		return
	}
	e.kind = s.Kind()
	if e.kind == scan.Object {
		e.members(&s)
	} else {
		s.Skip()
	}
	if offset, failed := s.Err(); failed {
		e.state, e.offset = textSyntax, offset
		return
	}
	if s.More() {
		e.state, e.offset = textTrailing, s.Pos()
		return
	}
	if s.Odd() {
		e.odd, e.badUTF8, e.halfPair, e.depth = true, s.BadUTF8(), s.LoneSurrogate(), s.Deep()
	}
}

// usualResponse is how most responses begin, so that there is nothing to find out.
var usualResponse = []byte(`{"jsonrpc":"2.0","id":`)

func (e *envelope) members(s *scan.Scanner) {
	const version, versionEnd = len(`{"jsonrpc":`), len(`{"jsonrpc":"2.0"`)
	var more bool
	if at := s.Pos(); bytes.HasPrefix(e.text[at:], usualResponse) {
		e.jsonrpc = scan.Value{Kind: scan.String, Start: at + version, End: at + versionEnd}
		s.ResetInside(e.text, at+len(usualResponse))
		e.id = s.Value()
		more = s.NextMember()
	} else {
		more = s.Object()
	}
	for ; more; more = s.NextMember() {
		switch string(s.Name()) {
		case "jsonrpc":
			e.twice.note(e.jsonrpc.Kind, "jsonrpc", s.NameStart())
			e.jsonrpc = s.Value()
		case "id":
			e.twice.note(e.id.Kind, "id", s.NameStart())
			e.id = s.Value()
		case "method":
			if e.method {
				e.twice.note(scan.Object, "method", s.NameStart())
			}
			e.method = true
			s.Skip()
		case "result":
			if e.result.Kind != scan.None {
				e.twice.note(e.result.Kind, "result", s.NameStart())
				e.res = resultMembers{}
			}
			e.result = scan.Value{Kind: s.Kind(), Start: s.Pos()}
			if e.result.Kind == scan.Object {
				e.res.read(s)
			} else {
				s.Skip()
			}
			e.result.End = s.Pos()
		case "error":
			if e.err.Kind != scan.None {
				e.twice.note(e.err.Kind, "error", s.NameStart())
				e.rpc = errorMembers{}
			}
			e.err = scan.Value{Kind: s.Kind(), Start: s.Pos()}
			if e.err.Kind == scan.Object {
				e.rpc.read(s)
			} else {
				s.Skip()
			}
			e.err.End = s.Pos()
		default:
			s.Skip()
		}
	}
}

func (m *errorMembers) read(s *scan.Scanner) {
	for more := s.Object(); more; more = s.NextMember() {
		switch string(s.Name()) {
		case "code":
			m.twice.note(m.code.Kind, "code", s.NameStart())
			m.code = s.Value()
		case "message":
			m.twice.note(m.message.Kind, "message", s.NameStart())
			m.message = s.Value()
		case "data":
			m.twice.note(m.data.Kind, "data", s.NameStart())
			m.data = s.Value()
		default:
			s.Skip()
		}
	}
}

// raw is a value's text, nil if it is absent.
func (e *envelope) raw(v scan.Value) []byte {
	if v.Kind == scan.None {
		return nil
	}
	return e.text[v.Start:v.End:v.End]
}

// is tells whether v is the string that literal, in quotes, spells plainly.
func (e *envelope) is(v scan.Value, literal string) bool {
	if v.Kind != scan.String {
		return false
	}
	raw := e.text[v.Start:v.End]
	return string(raw) == literal || scan.Equal(raw, literal[1:len(literal)-1])
}

func (e *envelope) isVersion2() bool {
	return e.jsonrpc.Kind == scan.String && (string(e.text[e.jsonrpc.Start:e.jsonrpc.End]) == `"2.0"` || e.is(e.jsonrpc, `"2.0"`))
}

// errorFault is why the error fails rule 8, 0 if it passes.
func (e *envelope) errorFault() Reason {
	if e.err.Kind != scan.Object {
		return ReasonErrorNotObject
	}
	if e.rpc.code.Kind != scan.Number {
		return ReasonErrorCode
	}
	if _, _, integer := scan.Integer(e.raw(e.rpc.code)); !integer {
		return ReasonErrorCode
	}
	if e.rpc.message.Kind != scan.String {
		return ReasonErrorMessage
	}
	return 0
}

// rpcError is the error, which must pass rule 8.
func (e *envelope) rpcError() RPCError {
	r := RPCError{Code: e.raw(e.rpc.code), Message: e.raw(e.rpc.message), Data: e.raw(e.rpc.data)}
	r.Number, r.Fits, _ = scan.Integer(r.Code)
	return r
}

// hasID tells whether the id is the request's (rule 7).
func (e *envelope) hasID(id ID) bool {
	if id.isText {
		return e.id.Kind == scan.String && scan.Equal(e.raw(e.id), id.text)
	}
	if e.id.Kind != scan.Number {
		return false
	}
	n, fits, _ := scan.Integer(e.raw(e.id))
	return fits && n == id.number
}
