package generators

import "github.com/replyproof/replyproof/classifier"

// lines is a variant that replaces the data lines of the final event; reason
// is what rule 5 finds in the data, 0 if nothing is dispatched.
func lines(name string, reason classifier.Reason, text ...string) Variant {
	return Variant{Name: name, Edit: func(p *Plan) {
		p.Stream.Lines, p.Stream.Broken, p.Stream.Lost = text, reason, reason == 0
	}}
}

// streamFaults are the faults of the stream's own syntax.
func streamFaults() []Fault {
	fault := func(name, rule, doc, effect string, parts Part, variants ...Variant) Fault {
		return Fault{Name: name, Layer: classifier.Protocol, Rule: rule, Doc: doc, Effect: effect, Parts: parts, Needs: NeedMessage | NeedStream, Variants: variants}
	}
	neutral := func(f Fault) Fault { f.Neutral = true; return f }
	const parts = partsText | PartLines | PartFinal
	const none = "NO_FINAL_RESPONSE"
	return []Fault{
		neutral(fault("sse-mark", "S1", "a byte order mark at the start of the stream", "none; finding bom", PartMark, Variant{Edit: func(p *Plan) { p.Stream.Marks = 1 }})),
		neutral(fault("sse-mark-twice", "S1", "two byte order marks at the start of the stream; the second spoils the name of the first line", "none; finding bom", PartMark,
			Variant{Name: "comment", Edit: func(p *Plan) { p.Stream.Marks = 2 }},
			Variant{Name: "data", Edit: func(p *Plan) { p.Stream.Marks, p.Stream.Spoilt = 2, failedLine }})),
		fault("sse-empty", "S6", "a stream of no bytes, or of nothing that counts", none, partsText|partsStream,
			Variant{Name: "bytes", Edit: func(p *Plan) { p.NoBody = true }},
			Variant{Name: "comments", Edit: func(p *Plan) { p.Stream.NoFinal = true; p.Stream.Before = commentsOnly }},
			Variant{Name: "blank", Edit: func(p *Plan) { p.Stream.NoFinal = true; p.Stream.Before = blankOnly }}),
		fault("sse-no-response", "S6", "a stream that ends whole after notifications", none, partsText|PartLines|PartFinal|PartBefore, Variant{Edit: func(p *Plan) {
			p.Stream.NoFinal, p.Stream.Before = true, notifications[:]
		}}),
		fault("sse-unterminated", "S1", "no blank line after the last event", none+"; finding unterminated-event; a third party may take the event", PartFinal|PartAfter,
			Variant{Name: "line-end", Edit: func(p *Plan) { p.Stream.Tail = TailLine }}, Variant{Name: "nothing", Edit: func(p *Plan) { p.Stream.Tail = TailNothing }}),
		neutral(fault("sse-open-comment", "S1", "a comment without a line end after the last event", "none", PartFinal, Variant{Edit: func(p *Plan) { p.Stream.Tail = TailComments }})),
		fault("sse-field-case", "S2", "the data field in capitals", none, parts,
			lines("upper", 0, `DATA: {"jsonrpc":"2.0","id":{{id}}}`), lines("title", 0, `Data: {"jsonrpc":"2.0","id":{{id}}}`)),
		fault("sse-field-name", "S2", "a field whose name is not quite data", none, parts,
			lines("space-before", 0, ` data: {}`), lines("space-colon", 0, `data : {}`), lines("plural", 0, `datas: {}`), lines("tab", 0, "\tdata: {}"), lines("colon-first", 0, `:data: {}`),
			lines("mark", 0, ": x", mark+`data: {}`), lines("nul", 0, "data\x00: {}"), lines("equals", 0, `data={}`), lines("quoted", 0, ": x", `"data": {}`)),
		fault("sse-json-bare", "S2", "the JSON text in the stream with no field", none, parts,
			lines("line", 0, ": x", `{"jsonrpc":"2.0","id":{{id}},"result":{"content":[]}}`), lines("behind-event", 0, "event: message", `{"jsonrpc":"2.0","id":{{id}},"result":{"content":[]}}`)),
		fault("sse-data-spoilt", "S2", "a line break inside a string, so that the data is no JSON", "MALFORMED_JSON, as at the end of a whole stream", parts,
			lines("string", syntax, `data: {"jsonrpc":"2.0","id":{{id}},"result":{"content":[{"type":"text","text":"a`, `data: b"}]}}`),
			lines("lost-line", syntax, `data: {"jsonrpc":"2.0","id":{{id}},"result":{"content":[`, `]}}`),
			lines("name", syntax, `data: {"json`, `data: rpc":"2.0","id":{{id}},"result":{"content":[]}}`), lines("number", syntax, `data: {"jsonrpc":"2.0","id":{{id}}`, `data: 1,"result":{}}`),
			lines("literal", syntax, `data: {"jsonrpc":"2.0","id":{{id}},"result":{"content":[],"isError":fal`, `data: se}}`),
			lines("comment-inside", syntax, `data: {"jsonrpc":"2.0", // x`, `data: "id":{{id}}}`), lines("two-values", trailing, `data: {}`, `data: {}`), lines("words", syntax, "data: [DONE]")),
		fault("sse-data-empty", "S3", "a final event whose data is the empty string", none, parts|PartEventType,
			blank("colon", "data:"), blank("space", "data: "), blank("bare", "data")),
		fault("sse-event-split", "S2", "a blank line in the middle of the final message: two events, neither JSON", "MALFORMED_JSON", partsText|partsStream, Variant{Edit: func(p *Plan) {
			p.Stream.NoFinal, p.Stream.Before = true, splitEvent
		}}),
	}
}

// failedLine is a data line that holds an error in reply to the call.
const failedLine = `data: {"jsonrpc":"2.0","id":{{id}},"error":{"code":-32603,"message":"x"}}`

func blank(name, line string) Variant {
	return Variant{Name: name, Edit: func(p *Plan) {
		p.Stream.Lines, p.Stream.Blank = []string{line}, true
	}}
}

var (
	commentsOnly = []Event{{Lines: []string{": ping"}}, {Lines: []string{":"}}, {Lines: []string{"event: message", "id: 3"}}}
	blankOnly    = []Event{{}, {}, {}}
	splitEvent   = []Event{
		{Kind: EventStray, Lines: []string{`data: {"jsonrpc":"2.0","id":{{id}},`}, Outcome: classifier.MalformedJSON, Reason: syntax},
		{Kind: EventStray, Lines: []string{`data: "result":{"content":[]}}`}, Outcome: classifier.MalformedJSON, Reason: trailing},
	}
)

// endFaults are the faults of the delivery.
func endFaults() []Fault {
	cuts := func(ended classifier.Ended) []Variant {
		all := []struct {
			name string
			mode CutMode
		}{{"half", CutHalf}, {"start", CutAtStart}, {"first", CutFirst}, {"last-byte", CutLastByte}, {"decided", CutDecided}, {"before", CutBefore}}
		if ended != classifier.EndedReset {
			all = append(all, struct {
				name string
				mode CutMode
			}{"whole", CutNone})
		}
		variants := make([]Variant, len(all))
		for i, cut := range all {
			variants[i] = Variant{Name: cut.name, Edit: func(p *Plan) { p.Ended, p.CutMode = ended, cut.mode }}
		}
		return variants
	}
	fault := func(name, doc string, ended classifier.Ended) Fault {
		return Fault{Name: name, Layer: classifier.Transport, Rule: "4", Doc: doc, Effect: "NO_FINAL_RESPONSE (" + name + "), unless a stream had delivered the response",
			Parts: PartEnd | PartDamage, Needs: NeedMessage, Variants: cuts(ended)}
	}
	reasons := []struct {
		name  string
		ended classifier.Ended
	}{{"reset", classifier.EndedReset}, {"connect", classifier.EndedConnect}, {"tls", classifier.EndedTLS}, {"deadline", classifier.EndedDeadline}, {"cancelled", classifier.EndedCancelled}}
	unanswered := make([]Variant, len(reasons))
	for i, r := range reasons {
		unanswered[i] = Variant{Name: r.name, Edit: func(p *Plan) { p.Unanswered, p.NoBody, p.Ended = true, true, r.ended }}
	}
	return []Fault{
		fault("body-cut", "the connection breaks in the middle of the body", classifier.EndedReset),
		fault("deadline", "the deadline passes before the body has ended", classifier.EndedDeadline),
		fault("cancelled", "the caller gives up before the body has ended", classifier.EndedCancelled),
		fault("size-limit", "the body passes the reader's limit", classifier.EndedSizeLimit),
		{Name: "notification-cut", Layer: classifier.Transport, Rule: "N", Doc: "the end of a notification's answer never comes", Effect: "NO_FINAL_RESPONSE",
			Parts: PartEnd | PartDamage, Needs: NeedNotification, Variants: []Variant{
				{Name: "reset", Edit: func(p *Plan) { p.Ended = classifier.EndedReset }},
				{Name: "deadline", Edit: func(p *Plan) { p.Ended = classifier.EndedDeadline }},
				{Name: "cancelled", Edit: func(p *Plan) { p.Ended = classifier.EndedCancelled }},
				{Name: "size-limit", Edit: func(p *Plan) { p.Ended = classifier.EndedSizeLimit }},
			}},
		{Name: "no-answer", Layer: classifier.Transport, Rule: "T", Doc: "no HTTP answer at all", Effect: "NO_FINAL_RESPONSE",
			Parts: partsAll, Variants: unanswered},
	}
}
