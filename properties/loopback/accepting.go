package loopback

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// accepting is a case with what a right client may say instead since it came
// over HTTP in answer to this very request: of a coding that the request did not
// offer; of a status that HTTP gives no final answer (1xx), or that no status
// line can hold, that there was no answer; of a 205 with a body, that it is
// empty, as clients that go by the Fetch standard find it.
func accepting(c corpus.Case, request http.Header) corpus.Case {
	may := func(outcomes ...classifier.Outcome) {
		c.AlsoAcceptable = slices.Clip(c.AlsoAcceptable)
		for _, o := range outcomes {
			if !slices.Contains(c.AlsoAcceptable, o.String()) && (c.Expect == nil || c.Expect.Outcome != o) {
				c.AlsoAcceptable = append(c.AlsoAcceptable, o.String())
			}
		}
	}
	if c.Status == nil {
		return c
	}
	switch status := *c.Status; {
	case status < 200 || status > 999:
		may(classifier.NoFinalResponse)
	case status == http.StatusResetContent && len(c.Body) > 0:
		may(classifier.NoFinalResponse, classifier.MalformedJSON, classifier.UnexpectedContentType)
	}
	if *c.Status >= 200 && *c.Status <= 299 && unoffered(c, request) {
		may(classifier.MalformedJSON, classifier.UnexpectedContentType, classifier.NoFinalResponse)
	}
	return c
}

// unoffered tells whether a case's body is under a coding that the request did
// not offer.
func unoffered(c corpus.Case, request http.Header) bool {
	for _, h := range c.Headers {
		if !strings.EqualFold(h.Name, "content-encoding") {
			continue
		}
		for coding := range strings.SplitSeq(h.Value, ",") {
			coding = strings.ToLower(strings.Trim(coding, " \t"))
			if coding != "" && coding != "identity" && !offers(request, coding) {
				return true
			}
		}
	}
	return false
}

// offers tells whether Accept-Encoding names a coding, or all of them, with a
// weight above zero.
func offers(request http.Header, coding string) bool {
	all := false
	for _, line := range request.Values("Accept-Encoding") {
		for item := range strings.SplitSeq(line, ",") {
			name, parameter, _ := strings.Cut(item, ";")
			name = strings.ToLower(strings.TrimSpace(name))
			_, weight, _ := strings.Cut(parameter, "=")
			q, err := strconv.ParseFloat(strings.TrimSpace(weight), 64)
			wanted := err != nil || q > 0
			switch name {
			case coding:
				return wanted
			case "*":
				all = wanted
			}
		}
	}
	return all
}
