package properties

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/properties/runner"
)

// wholeRelations rest on the answer as a whole: status, headers, end, and the
// verdict itself.
var wholeRelations = []Property{
	{
		Name:  "status-dominance",
		Rule:  "1",
		Doc:   "A status outside 200 to 299 is HTTP_ERROR whatever headers and body say.",
		Kills: []string{"status-ignored", "only-5xx-fails", "only-4xx-and-5xx-fail", "success-body-beats-status"},
		Check: statusDominance,
	},
	{
		Name:  "media-type-spelling",
		Rule:  "2",
		Doc:   "The case of the media type, its parameters and the space around it change nothing.",
		Kills: []string{"media-type-compared-whole", "media-type-case-sensitive"},
		Check: mediaTypeSpelling,
	},
	{
		Name:  "foreign-headers",
		Rule:  "2",
		Doc:   "Headers that no rule reads change nothing on a 2xx.",
		Kills: []string{"retry-after-refuses-success"},
		Check: foreignHeaders,
	},
	{
		Name:  "cut-body",
		Rule:  "4",
		Doc:   "A JSON body that did not arrive whole has no final response, wherever it was cut and even if all of it seems to be there.",
		Kills: []string{"cut-json-taken"},
		Check: cutBody,
	},
	{
		Name:  "layer",
		Rule:  "outcomes",
		Doc:   "The verdict's layer is the one to which its outcome belongs, and its outcome one that a call can have.",
		Kills: []string{"unknown-coding-told-as-protocol"},
		Check: layerBelongs,
	},
	{
		Name:  "repeatable",
		Rule:  "all",
		Doc:   "The same answer has the same verdict, however often it is judged.",
		Kills: []string{"event-ids-remembered"},
		Check: repeatable,
	},
	{
		Name:  "input-kept",
		Rule:  "all",
		Doc:   "Judging changes neither the body nor the headers.",
		Kills: []string{"mark-dropped-in-place"},
		Check: inputKept,
	},
	{
		Name:  "advice-not-automatic",
		Rule:  "advice",
		Doc:   "While side effects are unknown no verdict leads to an automatic re-send.",
		Kills: []string{"unavailable-sent-again"},
		Check: adviceNotAutomatic,
	},
}

var badStatuses = []int{500, 503, 429, 404, 400, 401, 301, 307, 304, 300, 199, 100, 101, 599, 600, 999, 0, -1, -200, 20, 2000}

func statusDominance(t *Trial) *Breach {
	if !t.IsCall() {
		return t.Skip()
	}
	a := t.Case.Answer()
	a.Status = badStatuses[t.N(len(badStatuses))]
	v := t.Judge(t.Call(), a)
	if v.Outcome == classifier.JSONRPCError && !t.Strict && bytes.Contains(a.Body, []byte("error")) {
		return nil // what a third party may say of an error response in the body
	}
	return t.OneOf(v, fmt.Sprintf("the status is %d", a.Status), classifier.HTTPError)
}

func mediaTypeSpelling(t *Trial) *Breach {
	n, ok := t.object()
	if !ok {
		return t.Skip()
	}
	a := t.delivery(n).answer(n.text())
	plain := a.Header.Get("Content-Type")
	first := t.Judge(t.Call(), a)
	spelled := []byte(plain)
	if t.N(2) == 0 {
		for i, c := range spelled {
			if 'a' <= c && c <= 'z' && t.N(2) == 0 {
				spelled[i] = c - 'a' + 'A'
			}
		}
	}
	parameters := []string{"; charset=utf-8", ";charset=UTF-8", "", " ; charset=\"utf-8\"", "; profile=\"a,b;c\"", "; a=b; c=d", "\t;charset=iso-8859-1"}
	value := string(spelled) + parameters[t.N(len(parameters))]
	b := a
	b.Header = http.Header{"Content-Type": {value}}
	if t.N(4) == 3 {
		b.Header["Content-Type"] = []string{value, plain}
	}
	return t.Same(first, t.Judge(t.Call(), b), fmt.Sprintf("Content-Type %q is %s", b.Header["Content-Type"], plain))
}

func foreignHeaders(t *Trial) *Breach {
	if !t.IsCall() || *t.Case.Status < 200 || *t.Case.Status > 299 {
		return t.Skip()
	}
	a := t.Case.Answer()
	first := t.Judge(t.Call(), a)
	extra := []http.Header{
		{"X-Request-Id": {"7"}},
		{"Mcp-Session-Id": {"s-1"}},
		{"Retry-After": {"120"}},
		{"Www-Authenticate": {"Bearer"}},
		{"Cache-Control": {"no-store"}, "Vary": {"Accept"}},
		{"Content-Language": {"en"}},
		{"Location": {"/elsewhere"}},
	}[t.N(7)]
	b := t.Case.Answer()
	maps.Copy(b.Header, extra)
	return t.Same(first, t.Judge(t.Call(), b), fmt.Sprintf("no rule reads %s on a 2xx", strings.Join(slices.Sorted(maps.Keys(extra)), ", ")))
}

var cutEnds = []classifier.Ended{classifier.EndedReset, classifier.EndedDeadline, classifier.EndedCancelled, classifier.EndedSizeLimit}

func cutBody(t *Trial) *Breach {
	n, ok := t.object()
	if !ok {
		return t.Skip()
	}
	text := n.text()
	at := len(text)
	if t.N(2) == 1 {
		at = t.N(len(text) + 1)
	}
	a := jsonAnswer(text[:at])
	a.Ended = cutEnds[t.N(len(cutEnds))]
	v := t.Judge(t.Call(), a)
	why := fmt.Sprintf("the body ended with %v", a.Ended)
	if t.Strict {
		return t.OneOf(v, why, classifier.NoFinalResponse)
	}
	return t.OneOf(v, why, classifier.NoFinalResponse, classifier.MalformedJSON)
}

func layerBelongs(t *Trial) *Breach {
	if !t.IsCall() {
		return t.Skip()
	}
	v := t.Judge(t.Call(), t.Case.Answer())
	switch {
	case v.Outcome.Layer() == 0 || v.Outcome == classifier.Accepted || v.Outcome == classifier.UnexpectedReply:
		return t.Breach(runner.MixedLayers, "an outcome of a call", v.Outcome.String())
	case v.Layer != v.Outcome.Layer():
		return t.Breach(runner.MixedLayers, fmt.Sprintf("layer %v for %v (set it to Outcome.Layer())", v.Outcome.Layer(), v.Outcome), "layer "+v.Layer.String())
	}
	return nil
}

func repeatable(t *Trial) *Breach {
	if !t.IsCall() {
		return t.Skip()
	}
	first := t.Judge(t.Call(), t.Case.Answer())
	second := t.Judge(t.Call(), t.Case.Answer())
	if b := t.Same(first, second, "it is the same answer"); b != nil {
		return b
	}
	if first.Reason != second.Reason || !slices.Equal(findingNames(first), findingNames(second)) {
		return t.Breach(runner.MixedLayers, fmt.Sprintf("%s, findings %s, as the first time", describe(first), list(findingNames(first))),
			fmt.Sprintf("%s, findings %s", describe(second), list(findingNames(second))))
	}
	return nil
}

func inputKept(t *Trial) *Breach {
	if !t.IsCall() {
		return t.Skip()
	}
	given, kept := t.Case.Answer(), t.Case.Answer()
	// A body with room behind it shows a judge that appends to it.
	const room = "past the end"
	given.Body = append(slices.Clone(given.Body), room...)[:len(given.Body)]
	v := t.Judge(t.Call(), given)
	switch {
	case !bytes.Equal(given.Body, kept.Body):
		return t.Breach(runner.MixedLayers, "the body as it was", fmt.Sprintf("%s and a body of %s", describe(v), quote(given.Body)))
	case string(given.Body[len(given.Body):cap(given.Body)][:len(room)]) != room:
		return t.Breach(runner.MixedLayers, "the bytes behind the body as they were", describe(v)+" and bytes written past the body's end")
	case !reflect.DeepEqual(given.Header, kept.Header):
		return t.Breach(runner.MixedLayers, "the headers as they were", fmt.Sprintf("%s and the headers %v", describe(v), given.Header))
	}
	return nil
}

func adviceNotAutomatic(t *Trial) *Breach {
	if !t.IsCall() || t.subjects.Advise == nil {
		return t.Skip()
	}
	v := t.Judge(t.Call(), t.Case.Answer())
	// Neither a first attempt nor unlimited time makes an unknown call a safe one.
	facts := classifier.Facts{Attempt: t.N(3)}
	if t.N(3) == 2 {
		facts.Safety = classifier.UnsafeCall
	}
	advice := t.subjects.Advise(v, facts)
	if advice.Action == classifier.WaitAndRetry {
		return t.Breach(runner.RepeatedCall, "advice that does not send again by itself while side effects are unknown",
			fmt.Sprintf("%s and the advice %v", describe(v), advice.Action))
	}
	return nil
}
