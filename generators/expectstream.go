package generators

import "github.com/replyproof/replyproof/classifier"

// kind is what the stream rules find in the final event.
func (p *Plan) finalKind() EventKind {
	s := &p.Stream
	switch {
	case s.Lost:
		return EventNone
	case s.Ignored:
		return EventIgnored
	case s.Blank:
		return EventEmpty
	case p.textFact(true) != 0 || s.Broken != 0 || p.Text.NotObject:
		return EventStray
	case p.Method.Present && !p.Result.Present && !p.Error.Present:
		if p.ID.Present {
			return EventRequest
		}
		return EventNotification
	case (p.Result.Present || p.Error.Present) && p.ID.Present && p.idEqual():
		return EventDeciding
	}
	return EventStray
}

// stream is S1 to S6, then rule 4.
func (d *Renderer) stream(x *expectation, v delivery, whole bool) {
	p := &d.plan
	d.mark(x, v)
	if !p.Streamed || p.NoBody {
		// A JSON text holds no data field.
		if !d.incomplete(x, whole) {
			x.set(classifier.NoFinalResponse, classifier.ReasonNoResponseInStream)
		}
		return
	}
	final := p.finalKind()
	if p.ID.Present && p.ID.Rounded && final != EventNone && final != EventIgnored {
		x.rounded = true
	}
	strays, ignoredError := 0, false
	var first *placed
	for i := range d.events {
		e := &d.events[i]
		if e.end < 0 || e.end > v.visible {
			continue
		}
		kind := final
		if e.event != nil {
			kind = e.event.Kind
		}
		switch kind {
		case EventRequest:
			x.find(classifier.FindingServerRequest)
		case EventIgnored:
			x.find(classifier.FindingEventTypeIgnored)
			ignoredError = ignoredError || d.holdsError(e)
		case EventEmpty:
			// S3: may be taken for a broken message, if a response follows.
		case EventStray:
			if strays == 0 {
				first = e
			}
			strays++
		case EventDeciding:
			d.decided(x, i, strays, final)
			return
		}
	}
	if d.incomplete(x, whole) {
		if strays > 0 {
			x.find(classifier.FindingStrayMessage)
		}
		return
	}
	d.undecided(x, first, strays, ignoredError)
}

// mark makes the finding of a byte order mark at the start of the body.
func (d *Renderer) mark(x *expectation, v delivery) {
	p := &d.plan
	if v.visible >= 3 && (p.Streamed && p.Stream.Marks > 0 || !p.Streamed && !p.NoBody && p.Text.BOM) {
		x.find(classifier.FindingBOM)
	}
}

// decided is S5: event i gives the verdict.
func (d *Renderer) decided(x *expectation, i, strays int, final EventKind) {
	if strays > 0 {
		x.find(classifier.FindingStrayMessage)
	}
	if x.findings&(1<<classifier.FindingServerRequest) != 0 {
		x.may(classifier.InvalidEnvelope)
	}
	d.giveVerdict(x, &d.events[i])
	for j := range d.events {
		kind := final
		if e := d.events[j].event; e != nil {
			kind = e.Kind
		}
		switch {
		case j < i && kind == EventEmpty && d.events[j].end >= 0:
			x.may(classifier.MalformedJSON)
		case j > i && kind == EventDeciding && d.events[j].end >= 0:
			x.may(classifier.InvalidEnvelope)
		}
	}
}

// giveVerdict adds the verdict of an event.
func (d *Renderer) giveVerdict(x *expectation, e *placed) {
	if e.event == nil {
		d.text5(x, true)
		return
	}
	x.set(e.event.Outcome, e.event.Reason)
	x.code = e.event.Code
	for _, k := range e.event.Findings {
		x.find(k)
	}
	for _, o := range e.event.Also {
		x.may(o)
	}
}

// holdsError tells whether an event of another type holds an error.
func (d *Renderer) holdsError(e *placed) bool {
	if e.event != nil {
		return e.event.HoldsError
	}
	var y expectation
	d.text5(&y, true)
	return y.outcome == classifier.JSONRPCError
}

// undecided is S6 at the end of a whole stream.
func (d *Renderer) undecided(x *expectation, first *placed, strays int, ignoredError bool) {
	p := &d.plan
	if strays > 1 {
		x.find(classifier.FindingStrayMessage)
	}
	if first != nil {
		d.giveVerdict(x, first)
		x.may(classifier.NoFinalResponse)
	} else {
		x.set(classifier.NoFinalResponse, classifier.ReasonNoResponseInStream)
	}
	if ignoredError {
		x.may(classifier.JSONRPCError)
	}
	if p.Stream.Tail == TailLine || p.Stream.Tail == TailNothing {
		d.unterminated(x)
	}
}

// unterminated is S1: the last event was not ended.
func (d *Renderer) unterminated(x *expectation) {
	p := &d.plan
	if p.Stream.NoFinal || p.Stream.Lost {
		return
	}
	x.find(classifier.FindingUnterminatedEvent)
	switch p.finalKind() {
	case EventDeciding, EventStray:
		var y expectation
		d.text5(&y, true)
		x.may(y.outcome)
		x.also |= y.also // as the event's verdict, so what may be said instead of it
	case EventIgnored, EventEmpty, EventNone, EventRequest, EventNotification:
	}
}
