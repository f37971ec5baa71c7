package generators

// writer writes the JSON text of the final message in a style.
type writer struct {
	buf   []byte
	style Style
	depth int
	first bool // no member of the current object has been written
	start int  // where the message begins
	coded bool // a code has been written
}

// slot is a member of an object that is being written.
type slot struct {
	name string
	m    *Member
	kind slotKind
}

type slotKind uint8

const (
	slotPlain slotKind = iota
	slotVersion
	slotID
	slotResult
	slotError
	slotResultType
	slotContent
	slotBool
	slotQuestions
	slotState
	slotCode
	slotSay
	slotRaw // a whole member, in name
)

// emptyForm is the smallest form that may be asked for: elicitation in form mode
// must name a schema.
const emptyForm = `"requestedSchema":{"type":"object","properties":{}}`

const hexDigits = "0123456789abcdef"

// escaped appends text, the inside of a JSON string with no escapes, as the style has it.
func (w *writer) escaped(text string, name bool) {
	switch {
	case w.style.Escape == 0 || w.style.Escape == 1 && !name || text == "":
		w.buf = append(w.buf, text...)
	case w.style.Escape == 1:
		w.escape(text[0])
		w.buf = append(w.buf, text[1:]...)
	default:
		for i := 0; i < len(text); i++ {
			w.escape(text[i])
		}
	}
}

func (w *writer) escape(b byte) {
	w.buf = append(w.buf, '\\', 'u', '0', '0', hexDigits[b>>4], hexDigits[b&15])
}

// gap is the white space before a member or a closing bracket.
func (w *writer) gap() {
	switch w.style.Space {
	case 2, 4:
		w.buf = append(w.buf, '\n')
		for range w.depth {
			w.buf = append(w.buf, ' ', ' ')
		}
	case 3:
		w.buf = append(w.buf, '\t', ' ', '\n', '\n')
	}
}

func (w *writer) open() {
	w.buf = append(w.buf, '{')
	w.depth++
	w.first = true
}

func (w *writer) close() {
	w.depth--
	w.gap()
	w.buf = append(w.buf, '}')
	w.first = false
}

// member writes what stands before a member.
func (w *writer) member() {
	if !w.first {
		w.buf = append(w.buf, ',')
		if w.style.Space == 1 {
			w.buf = append(w.buf, ' ')
		}
	}
	w.first = false
	w.gap()
}

// name writes a member's name and colon; raw is written as it is if not empty.
func (w *writer) name(usual, raw string) {
	w.member()
	w.buf = append(w.buf, '"')
	if raw != "" {
		w.buf = append(w.buf, raw...)
	} else {
		w.escaped(usual, true)
	}
	w.buf = append(w.buf, '"')
	switch w.style.Space {
	case 1, 2, 4:
		w.buf = append(w.buf, ':', ' ')
	case 3:
		w.buf = append(w.buf, ' ', ':', '\t')
	default:
		w.buf = append(w.buf, ':')
	}
}

func (w *writer) text(s string) {
	w.buf = append(w.buf, '"')
	w.escaped(s, false)
	w.buf = append(w.buf, '"')
}

// raw writes a member that stands for itself, name and all.
func (w *writer) raw(member string) {
	w.member()
	w.buf = append(w.buf, member...)
}

// slots are the members of one object that are there to be written.
type slots struct {
	all [8]slot
	n   int
}

func (s *slots) add(name string, m *Member, kind slotKind) {
	if m.Present || m.Stray != "" {
		s.all[s.n] = slot{name, m, kind}
		s.n++
	}
}

// raw adds a member that is written as it is, if there is one.
func (s *slots) raw(member string) {
	if member != "" {
		s.all[s.n] = slot{member, nil, slotRaw}
		s.n++
	}
}

// object writes the members of an object in the order of the style.
func (w *writer) object(p *Plan, s *slots) {
	w.open()
	for i := range s.n {
		at := i
		switch w.style.Order {
		case 1:
			at = s.n - 1 - i
		case 2:
			at = (i + s.n/2) % s.n
		}
		if s.all[at].kind == slotRaw {
			w.raw(s.all[at].name)
		} else {
			w.slot(p, &s.all[at])
		}
	}
	w.close()
}

func (w *writer) slot(p *Plan, s *slot) {
	m := s.m
	if m.Stray != "" {
		w.raw(m.Stray)
	}
	if !m.Present {
		return
	}
	if m.Earlier != "" {
		w.name(s.name, m.EarlierName)
		w.buf = append(w.buf, m.Earlier...)
	}
	w.name(s.name, m.Name)
	w.coded = w.coded || s.kind == slotCode
	if m.Value != "" {
		w.buf = append(w.buf, m.Value...)
	} else {
		w.value(p, s)
	}
}

// value writes the usual value of a slot.
func (w *writer) value(p *Plan, s *slot) {
	switch s.kind {
	case slotVersion:
		w.text("2.0")
	case slotID:
		w.id(p.Req)
	case slotResult:
		w.result(p)
	case slotError:
		w.error(p)
	case slotResultType:
		if s.m.Fact == FactInput {
			w.text("input_required")
		} else {
			w.text("complete")
		}
	case slotContent:
		w.buf = append(append(append(w.buf, `[{"type":"text","text":"`...), p.Say...), `"}]`...)
	case slotBool:
		if s.m.Fact == FactTrue {
			w.buf = append(w.buf, "true"...)
		} else {
			w.buf = append(w.buf, "false"...)
		}
	case slotQuestions:
		w.buf = append(append(append(w.buf, `{"approval":{"method":"elicitation/create","params":{"mode":"form","message":"`...), p.Say...), `",`+emptyForm+`}}}`...)
	case slotState:
		w.text("state-1")
	case slotCode:
		w.buf = append(w.buf, codeSpellings[w.style.Number]...)
	case slotSay:
		w.buf = append(append(append(w.buf, '"'), p.Say...), '"')
	default:
		w.buf = append(w.buf, "null"...)
	}
}

func (w *writer) id(req *RequestID) {
	if !req.whole {
		w.buf = append(w.buf, req.Raw...)
		return
	}
	w.buf = append(w.buf, req.Raw...)
	switch w.style.Number {
	case 1:
		w.buf = append(w.buf, '.', '0')
	case 2:
		if req.Raw != "0" {
			w.buf = append(w.buf, '0')
		}
		w.buf = append(w.buf, 'e', '-', '1')
	case 3:
		w.buf = append(w.buf, 'e', '0')
	case 4:
		w.buf = append(w.buf, ".000E+0"...)
	}
}

func (w *writer) result(p *Plan) {
	extra := ""
	switch w.style.Extra {
	case 2:
		extra = `"vendor":{"a":[1,2.5,-3e2],"b":null}`
	case 3:
		extra = `"nested":{"content":1,"isError":true,"resultType":"x"}`
	case 4:
		extra = `"_meta":{"vendor/trace":"1"}`
		if p.ResultMeta.Present {
			extra = ""
		}
	}
	var s slots
	s.add("resultType", &p.ResultType, slotResultType)
	s.add("content", &p.Content, slotContent)
	s.add("structuredContent", &p.Structured, slotPlain)
	s.add("isError", &p.IsError, slotBool)
	s.add("inputRequests", &p.InputRequests, slotQuestions)
	s.add("requestState", &p.RequestState, slotState)
	s.add("_meta", &p.ResultMeta, slotPlain)
	s.raw(extra)
	w.object(p, &s)
}

func (w *writer) error(p *Plan) {
	extra := ""
	if w.style.Extra == 2 {
		extra = `"vendor":[true,false]`
	}
	var s slots
	s.add("code", &p.Code, slotCode)
	s.add("message", &p.Message, slotSay)
	s.add("data", &p.Data, slotPlain)
	s.raw(extra)
	w.object(p, &s)
}

// message writes the whole text, before damage.
func (w *writer) message(p *Plan) {
	extra := ""
	switch w.style.Extra {
	case 1:
		extra = `"vendor":"x"`
	case 3:
		extra = `"nested":{"jsonrpc":"1.0","id":null,"result":{},"error":{"code":1},"method":"x"}`
	case 4:
		extra = `"_meta":{"vendor/trace":"1"}`
	}
	if w.style.Space == 4 {
		w.buf = append(w.buf, " \t\n "...)
	}
	w.start = len(w.buf)
	var s slots
	s.add("jsonrpc", &p.JSONRPC, slotVersion)
	s.add("id", &p.ID, slotID)
	s.add("method", &p.Method, slotPlain)
	s.add("result", &p.Result, slotResult)
	s.add("error", &p.Error, slotError)
	s.raw(extra)
	s.raw(p.Text.Inner)
	w.object(p, &s)
}
