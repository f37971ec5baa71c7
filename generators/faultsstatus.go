package generators

import (
	"net/textproto"
	"strconv"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// only is the list of variants of a fault that has one.
func only(edit func(*Plan)) []Variant { return []Variant{{Edit: edit}} }

// statuses makes a variant of each status.
func statuses(codes ...int) []Variant {
	variants := make([]Variant, len(codes))
	for i, code := range codes {
		variants[i] = Variant{Name: strconv.Itoa(code), Edit: func(p *Plan) { p.Status = code }}
	}
	return variants
}

// statusFaults are the faults of the status line and of the headers that go with it.
func statusFaults() []Fault {
	const transport = classifier.Transport
	fail := "HTTP_ERROR, whatever the body says"
	return []Fault{
		{Name: "status", Layer: transport, Rule: "1", Doc: "a 4xx or 5xx over the body as it is", Effect: fail,
			Parts: PartStatus, Needs: NeedAnswer,
			Variants: statuses(503, 500, 400, 401, 403, 404, 405, 408, 409, 413, 415, 422, 425, 426, 429, 431, 451, 499, 501, 502, 504, 505, 507, 511, 520, 529, 599)},
		{Name: "status-redirect", Layer: transport, Rule: "1", Doc: "a 3xx over the body as it is", Effect: fail,
			Parts: PartStatus, Needs: NeedAnswer, Variants: statuses(302, 300, 301, 303, 304, 305, 307, 308, 399)},
		{Name: "status-informational", Layer: transport, Rule: "1", Doc: "a 1xx as if it were final", Effect: fail,
			Parts: PartStatus, Needs: NeedAnswer, Variants: statuses(199, 100, 101, 102, 103)},
		{Name: "status-absurd", Layer: transport, Rule: "1", Doc: "a number that is no HTTP status", Effect: fail,
			Parts: PartStatus, Needs: NeedAnswer, Variants: statuses(600, 0, -1, -200, 1, 20, 99, 999, 1000, 2000, 65736)},
		{Name: "status-success", Layer: transport, Rule: "1", Doc: "a 2xx other than 200 over a body", Effect: "none; a third party may stop at the status",
			Neutral: true, Parts: PartStatus, Needs: NeedMessage,
			Variants: statuses(201, 202, 203, 204, 205, 206, 207, 208, 226, 250, 299)},
		{Name: "no-body", Layer: transport, Rule: "3", Doc: "202, 204 or 205 and a body of no bytes", Effect: "NO_FINAL_RESPONSE",
			Parts: PartStatus | partsText | partsStream, Needs: NeedMessage,
			Variants: []Variant{
				{Name: "202", Edit: func(p *Plan) { p.Status, p.NoBody = 202, true }},
				{Name: "204", Edit: func(p *Plan) { p.Status, p.NoBody = 204, true }},
				{Name: "205", Edit: func(p *Plan) { p.Status, p.NoBody = 205, true }},
			}},
		{Name: "notification-answered", Layer: transport, Rule: "N", Doc: "a 2xx other than an empty 202 in reply to a notification", Effect: "UNEXPECTED_REPLY",
			Parts: PartStatus | PartMedia | partsText | partsStream, Needs: NeedNotification,
			Variants: []Variant{
				{Name: "200", Edit: func(p *Plan) { p.Status = 200 }},
				{Name: "204", Edit: func(p *Plan) { p.Status = 204 }},
				{Name: "205", Edit: func(p *Plan) { p.Status = 205 }},
				{Name: "202-result", Edit: func(p *Plan) { answered(p, 202) }},
				{Name: "200-result", Edit: func(p *Plan) { answered(p, 200) }},
				{Name: "202-space", Edit: func(p *Plan) { answered(p, 202); p.Text.Whole, p.Text.Replaced = "\n", true }},
			}},
		{Name: "retry-after", Layer: transport, Rule: "1", Doc: "a 429 or 503 with a Retry-After that can be read", Effect: fail + "; Retry-After stays readable",
			Parts: PartStatus | PartRetry, Needs: NeedAnswer, Variants: retries(false,
				retry{"seconds", 503, []string{"120"}}, retry{"zero", 429, []string{"0"}}, retry{"large", 429, []string{"99999999999999999999999"}},
				retry{"date", 503, []string{"Wed, 21 Oct 2099 07:28:00 GMT"}}, retry{"rfc850", 503, []string{"Sunday, 06-Nov-94 08:49:37 GMT"}},
				retry{"asctime", 503, []string{"Sun Nov  6 08:49:37 1994"}}, retry{"spaced", 429, []string{" 3\t"}}, retry{"twice-equal", 429, []string{"5", "5"}})},
		{Name: "retry-after-bad", Layer: transport, Rule: "advice", Doc: "a 429 or 503 whose Retry-After is neither digits nor a date, or whose lines differ", Effect: fail + "; finding retry-after",
			Parts: PartStatus | PartRetry, Needs: NeedAnswer, Variants: retries(true,
				retry{"word", 503, []string{"soon"}}, retry{"negative", 429, []string{"-1"}}, retry{"plus", 429, []string{"+5"}}, retry{"fraction", 429, []string{"1.5"}},
				retry{"exponent", 429, []string{"1e3"}}, retry{"unit", 429, []string{"5s"}}, retry{"empty", 503, []string{""}}, retry{"list", 503, []string{"1, 2"}},
				retry{"iso-date", 503, []string{"2099-10-21T07:28:00Z"}}, retry{"differing", 503, []string{"1", "2"}})},
		{Name: "retry-after-on-success", Layer: transport, Rule: "advice", Doc: "a Retry-After on a 200, which nobody asked for", Effect: "none", Neutral: true,
			Parts: PartRetry | PartStatus, Needs: NeedMessage, Variants: []Variant{
				{Name: "seconds", Edit: func(p *Plan) { p.header("retry-after", "5") }},
				{Name: "word", Edit: func(p *Plan) { p.header("retry-after", "soon") }},
			}},
		{Name: "challenge", Layer: transport, Rule: "1", Doc: "a 401 or 403 with WWW-Authenticate", Effect: fail + "; that it asks for authorisation is told",
			Parts: PartStatus | PartHeader, Needs: NeedAnswer, Variants: []Variant{
				{Name: "401", Edit: func(p *Plan) { p.Status = 401; p.header("www-authenticate", `Bearer error="invalid_token"`) }},
				{Name: "403", Edit: func(p *Plan) { p.Status = 403; p.header("www-authenticate", `Bearer error="insufficient_scope"`) }},
			}},
		{Name: "other-headers", Layer: transport, Rule: "2", Doc: "headers that decide nothing, or whose names are in other letters", Effect: "none", Neutral: true,
			Parts: PartHeader, Needs: NeedMessage, Variants: []Variant{
				{Name: "session", Edit: func(p *Plan) { p.header("mcp-session-id", "s-1") }},
				{Name: "www-authenticate", Edit: func(p *Plan) { p.header("www-authenticate", "Bearer") }},
				{Name: "date", Edit: func(p *Plan) { p.header("date", "Sun, 06 Nov 1994 08:49:37 GMT") }},
				{Name: "location", Edit: func(p *Plan) { p.header("location", "/elsewhere") }},
				{Name: "upper-names", Edit: func(p *Plan) { p.headerNames = strings.ToUpper }},
				{Name: "title-names", Edit: func(p *Plan) { p.headerNames = textproto.CanonicalMIMEHeaderKey }},
				{Name: "nosniff", Edit: func(p *Plan) { p.header("x-content-type-options", "nosniff"); p.header("cache-control", "no-store") }},
			}},
		{Name: "delay", Layer: transport, Rule: "4", Doc: "the status line waits, well below the deadline", Effect: "none", Neutral: true,
			Parts: PartDelay, Needs: NeedAnswer, Variants: []Variant{
				{Name: "20ms", Edit: func(p *Plan) { p.DelayMS = 20 }},
				{Name: "150ms", Edit: func(p *Plan) { p.DelayMS = 150 }},
			}},
	}
}

// answered gives a notification's answer the body of a success.
func answered(p *Plan, status int) {
	p.Status, p.NoBody, p.Media.Kind = status, false, MediaOwn
	p.Result.Present, p.ResultType.Present, p.Content.Present = true, true, true
	p.Say = "ok"
}

type retry struct {
	name   string
	status int
	lines  []string
}

// retries makes a variant of each Retry-After.
func retries(bad bool, all ...retry) []Variant {
	variants := make([]Variant, len(all))
	for i, r := range all {
		variants[i] = Variant{Name: r.name, Edit: func(p *Plan) {
			p.Status, p.RetryAfterBad = r.status, bad
			for _, line := range r.lines {
				p.header("retry-after", line)
			}
		}}
	}
	return variants
}

// header adds a header line.
func (p *Plan) header(name, value string) {
	p.Headers = append(p.Headers, corpus.Header{Name: name, Value: value})
}
