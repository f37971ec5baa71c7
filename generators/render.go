package generators

import (
	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// Renderer renders recipes into memory that it uses again: what it returns
// holds until its next call. It is not safe for concurrent use.
type Renderer struct {
	catalogue *Catalogue
	plan      Plan
	w         writer
	text      []byte // the JSON text of the final message
	plain     []byte // the body before codings
	body      []byte // the body
	memory    struct {
		text, stream, damaged []byte
		coded                 [2][]byte
	}
	events   []placed
	status   int
	cut      int
	cutSet   bool
	lengths  []int // of the text before each coding
	ended    classifier.Ended
	splits   []int
	headers  []corpus.Header
	findings []string
	also     []string
	expect   corpus.Expect
	code     string
	own      *RequestID // of the call, in place of the recipe's; nil: the recipe's
}

// NewRenderer makes a renderer for recipes of the catalogue.
func (c *Catalogue) NewRenderer() *Renderer { return &Renderer{catalogue: c} }

// Render makes the case of a recipe: its wire fields, Expect and
// AlsoAcceptable. ID, Why, Rule and Source are left empty. Everything in it
// belongs to the renderer and changes with the next call.
func (d *Renderer) Render(r Recipe) corpus.Case {
	p := &d.plan
	p.begin(&r)
	if d.own != nil {
		p.Req = d.own
	}
	for _, pick := range r.Picks() {
		d.catalogue.faults[pick.Fault-1].Variants[pick.Variant].Edit(p)
	}
	d.write()
	made := corpus.Case{RequestID: p.Req.ID, Notification: p.Notification, DelayMS: p.DelayMS}
	if p.Unanswered {
		d.ended = p.Ended
		made.Ended = &d.ended
	} else {
		d.answer(&r, &made)
	}
	d.judge(&made, len(d.body))
	return made
}

// answer fills in the fields of an HTTP answer.
func (d *Renderer) answer(r *Recipe, made *corpus.Case) {
	p := &d.plan
	d.status = p.Status
	made.Status = &d.status
	made.Headers = d.headerLines()
	if n := len(d.body); n > 0 {
		made.Body = d.body[:n:n]
	}
	d.ended = p.Ended
	if d.ended != classifier.EndedEOF && d.ended != classifier.EndedReset {
		made.Ended = &d.ended
	}
	if at, ok := d.cutAt(r); ok {
		d.cut, d.cutSet = at, true
		made.CutAfter = &d.cut
		if at < len(d.body) && d.ended == classifier.EndedEOF {
			d.ended = classifier.EndedReset
		}
	} else if d.ended == classifier.EndedReset {
		made.Ended = &d.ended
	}
	made.ChunkSplits = d.chunks(r.Chunks)
}

// cutAt is where the body is cut, and whether it is.
func (d *Renderer) cutAt(r *Recipe) (int, bool) {
	n := len(d.body)
	if r.Cut > 0 {
		return int(r.Cut) - 1, true
	}
	last := n
	if d.plan.Streamed && len(d.plan.Coding.Chain) == 0 && len(d.events) > 0 {
		last = d.finalAt()
	}
	at := n
	switch d.plan.CutMode {
	case CutNone:
		return 0, false
	case CutAtStart:
		at = 0
	case CutFirst:
		at = 1
	case CutHalf:
		at = n / 2
	case CutLastByte:
		at = n - 1
	case CutDecided:
		at = last
	case CutBefore:
		at = min(last, n-1) - 1
	}
	if d.plan.Ended == classifier.EndedReset {
		at = min(at, n-1)
	}
	return max(at, 0), n > 0
}

// headerLines are the header lines of the answer.
func (d *Renderer) headerLines() corpus.Headers {
	p := &d.plan
	h := d.headers[:0]
	streamed := p.Streamed
	lines := p.Media.JSON
	if p.Media.Kind == MediaOther {
		streamed = !streamed
	}
	if streamed {
		lines = p.Media.SSE
	}
	switch {
	case p.Media.Kind == MediaMissing:
	case lines != nil:
		for _, value := range lines {
			h = append(h, corpus.Header{Name: "content-type", Value: value})
		}
	case streamed:
		h = append(h, corpus.Header{Name: "content-type", Value: "text/event-stream"})
	default:
		h = append(h, corpus.Header{Name: "content-type", Value: "application/json"})
	}
	for _, value := range p.Coding.Lines {
		h = append(h, corpus.Header{Name: "content-encoding", Value: value})
	}
	h = append(h, p.Headers...)
	if p.headerNames != nil {
		for i := range h {
			h[i].Name = p.headerNames(h[i].Name)
		}
	}
	d.headers = h
	if len(h) == 0 {
		return nil
	}
	return corpus.Headers(h)
}

// chunks are the offsets at which the body is split.
func (d *Renderer) chunks(c Chunks) []int {
	s := d.splits[:0]
	switch c.Kind {
	case chunksBytes:
		for i := 1; i < len(d.body); i++ {
			s = append(s, i)
		}
	case chunksHalves:
		if len(d.body) > 1 {
			s = append(s, len(d.body)/2)
		}
	case chunksLines:
		for i, b := range d.body {
			if (b == '\n' || b == '\r') && i+1 < len(d.body) {
				s = append(s, i+1)
			}
		}
	case chunksAt:
		if at := int(c.At); at > 0 && at < len(d.body) {
			s = append(s, at)
		}
	}
	d.splits = s
	if len(s) == 0 {
		return nil
	}
	return s
}

// write makes the bytes of the body.
func (d *Renderer) write() {
	d.writeBody()
	c := &d.plan.Coding
	claimed := c.Fact == CodingDamaged && c.Damage == (Damage{})
	if c.Fact != CodingUnknown && (len(d.body) == 0 || len(d.plain) == 0 && claimed) {
		c.Fact = CodingWhole // no bytes are an empty body
	}
}

func (d *Renderer) writeBody() {
	p := &d.plan
	d.text, d.plain, d.body = nil, nil, nil
	d.events, d.lengths, d.cutSet = d.events[:0], d.lengths[:0], false
	d.code = ""
	if p.NoBody {
		return
	}
	d.writeText()
	d.plain = d.text
	if p.Streamed {
		if p.split >= 0 && splitDamages(d.text, p.split) {
			p.Stream.Broken = classifier.ReasonJSONSyntax
		}
		d.plain = d.memory.stream[:0]
		d.writeStream()
		d.memory.stream = d.plain
	}
	d.body = d.plain
	for i, coder := range p.Coding.Chain {
		d.lengths = append(d.lengths, len(d.body))
		coded := &d.memory.coded[i%2]
		*coded = appendCoded((*coded)[:0], d.body, coder)
		d.body = *coded
	}
	if damage := p.Coding.Damage; damage != (Damage{}) {
		d.memory.damaged = appendDamaged(append(d.memory.damaged[:0], d.body...), 0, damage)
		d.body = d.memory.damaged
	}
}

// writeText makes the JSON text of the final message.
func (d *Renderer) writeText() {
	p, t := &d.plan, &d.plan.Text
	w := &d.w
	w.buf, w.style, w.depth = append(d.memory.text[:0], t.Before...), p.style, 0
	if t.Replaced {
		w.buf = append(w.buf, t.Whole...)
	} else {
		w.coded = false
		w.message(p)
		if p.Error.Present && p.Error.Value == "" && w.coded {
			d.code = codeText(p)
		}
		if t.Drop > 0 {
			w.buf = w.buf[:max(w.start+1, len(w.buf)-t.Drop)]
		}
	}
	w.buf = append(w.buf, t.After...)
	if p.style.Space == 4 && !t.Replaced {
		w.buf = append(w.buf, "\n \t"...)
	}
	d.text, d.memory.text = w.buf, w.buf
}

// codeText is the code of the error as it is spelled.
func codeText(p *Plan) string {
	if p.Code.Value != "" {
		return p.Code.Value
	}
	return codeSpellings[p.style.Number]
}
