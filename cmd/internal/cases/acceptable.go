package cases

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
)

// Acceptable names the outcomes that a correct third party may tell in place of a
// verdict on a case of one exchange, as far as that follows from the verdict and
// the headers. It leaves out what only the making of an answer tells: a number
// beyond a double, a second response, an event of another type or without an end, an error under no id.
func Acceptable(c corpus.Case, v classifier.Verdict) []string {
	var may []string
	put := func(names ...string) {
		for _, name := range names {
			if name != v.Outcome.String() && !slices.Contains(may, name) {
				may = append(may, name)
			}
		}
	}
	add := func(outcomes ...classifier.Outcome) {
		for _, o := range outcomes {
			put(o.String())
		}
	}
	if c.Notification || c.Status == nil {
		return nil
	}
	stream := streamed(c)
	for _, f := range v.Findings {
		mark := f.Kind == classifier.FindingBOM && stream // of a stream it is dropped by every reader
		before := f.Kind == classifier.FindingServerRequest && v.Outcome == classifier.NoFinalResponse
		if mark || before {
			continue
		}
		add(byFinding[f.Kind]...)
		if f.Kind == classifier.FindingDuplicateMember {
			if strings.HasPrefix(f.Pointer, "/result/") {
				add(classifier.InvalidToolResult)
			} else {
				add(classifier.InvalidEnvelope)
			}
		}
	}
	fine := *c.Status >= 200 && *c.Status <= 299
	switch v.Reason {
	case classifier.ReasonHTTPStatus:
		if v.Error.Code != nil {
			add(classifier.JSONRPCError)
		}
	case classifier.ReasonContentTypeForeign:
		plain := c
		plain.Headers = slices.Clone(c.Headers)
		for i := range plain.Headers {
			if strings.EqualFold(plain.Headers[i].Name, "content-type") {
				plain.Headers[i].Value = "application/json"
			}
		}
		if body := plain.Classify(); body.Outcome != classifier.NoFinalResponse {
			add(body.Outcome)
			put(Acceptable(plain, body)...)
		} else {
			add(classifier.MalformedJSON) // the body is cut
		}
	case classifier.ReasonNoBody:
		add(classifier.MalformedJSON, classifier.UnexpectedContentType)
	case classifier.ReasonBodyCut, classifier.ReasonDeadline, classifier.ReasonCancelled, classifier.ReasonSizeLimit:
		if !stream {
			add(classifier.MalformedJSON)
		}
	case classifier.ReasonJSONSyntax, classifier.ReasonJSONTrailing, classifier.ReasonJSONEmpty, classifier.ReasonNotObject,
		classifier.ReasonIDMismatch, classifier.ReasonIDMissing, classifier.ReasonNeitherResultNorError:
		if stream { // it held no response to this request
			add(classifier.NoFinalResponse)
		}
	case classifier.ReasonContentMissing:
		if !stream {
			add(structured(c.Answer().Body)...)
		}
	}
	if fine && coded(c) {
		add(classifier.MalformedJSON, classifier.UnexpectedContentType, classifier.NoFinalResponse)
	}
	if fine && *c.Status != http.StatusOK && v.Reason != classifier.ReasonNoBody && len(c.Body) > 0 {
		add(classifier.HTTPError, classifier.NoFinalResponse)
	}
	slices.Sort(may)
	return may
}

// byFinding is what may be said of an answer with something odd in it.
var byFinding = map[classifier.FindingKind][]classifier.Outcome{
	classifier.FindingContentTypeMissing: {classifier.UnexpectedContentType},
	classifier.FindingBOM:                {classifier.MalformedJSON},
	classifier.FindingBadUTF8:            {classifier.MalformedJSON},
	classifier.FindingLoneSurrogate:      {classifier.MalformedJSON},
	classifier.FindingDeepNesting:        {classifier.MalformedJSON},
	classifier.FindingDuplicateMember:    {classifier.MalformedJSON},
	classifier.FindingContentItem:        {classifier.InvalidToolResult},
	classifier.FindingNullOptional:       {classifier.InvalidToolResult},
	classifier.FindingInputRequiredEmpty: {classifier.InvalidToolResult},
	classifier.FindingServerRequest:      {classifier.InvalidEnvelope},
}

// streamed tells whether a case is an event stream by its type.
func streamed(c corpus.Case) bool {
	essence, _, _ := strings.Cut(c.Headers.Get("content-type"), ";")
	return strings.EqualFold(strings.TrimSpace(essence), "text/event-stream")
}

// coded tells whether the body is under a coding that not every client has.
func coded(c corpus.Case) bool {
	for _, field := range c.HTTPHeader()["Content-Encoding"] {
		for coding := range strings.SplitSeq(field, ",") {
			switch strings.ToLower(strings.TrimSpace(coding)) {
			case "br", "zstd":
				return true
			}
		}
	}
	return false
}

// structured is what may be said of a result without content that has
// structuredContent.
func structured(body []byte) []classifier.Outcome {
	var response struct {
		Result map[string]json.RawMessage
	}
	if json.Unmarshal(body, &response) != nil || response.Result["structuredContent"] == nil {
		return nil
	}
	switch string(response.Result["isError"]) {
	case "", "false":
		return []classifier.Outcome{classifier.ToolSuccess}
	case "true":
		return []classifier.Outcome{classifier.ToolError}
	}
	return nil
}
