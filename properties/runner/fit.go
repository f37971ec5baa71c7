package runner

import (
	"slices"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/subject"
)

// typed is the first protocol version that has resultType.
const typed = "2026-07-28"

// laterThan tells whether the verdict of a case, or one that may be told instead,
// hangs on what the protocol version of a client does not have yet: to such a
// client resultType is a member like any other that it does not know, and a
// request for input is none.
func laterThan(c corpus.Case, version string) bool {
	if version == "" || version >= typed || c.Expect == nil {
		return false
	}
	if c.Expect.Outcome == classifier.InputRequired || c.Expect.Reason == classifier.ReasonResultType.String() {
		return true
	}
	wrong := slices.ContainsFunc(c.Tags, func(tag string) bool { return strings.HasPrefix(tag, "fault:resulttype-") })
	return slices.Contains(c.AlsoAcceptable, classifier.InputRequired.String()) ||
		wrong && slices.Contains(c.AlsoAcceptable, classifier.InvalidToolResult.String())
}

// unfit tells why a subject does not get a case; "" if it does.
func unfit(c corpus.Case, about subject.Info) string {
	switch {
	case c.Notification && about.Kind == subject.KindClient:
		return "the answer to a notification, and a client is asked to make calls"
	case c.Notification && !about.Tells.Holds(classifier.Accepted):
		return "the answer to a notification, and the subject does not tell ACCEPTED"
	case about.Kind == subject.KindClient && laterThan(c, about.ProtocolVersion):
		return "the verdict hangs on resultType, which protocol version " + about.ProtocolVersion + " does not have"
	case about.Kind == subject.KindClient && about.ProtocolVersion != "" && about.ProtocolVersion < typed && looselyStructured(c):
		return "structuredContent is no object, as protocol version " + about.ProtocolVersion + " asks for"
	case about.Kind == subject.KindClient:
		return ""
	case c.Status == nil && !about.Tells.Holds(classifier.NoFinalResponse):
		return "no HTTP answer, and the subject does not tell NO_FINAL_RESPONSE"
	case len(c.Then) > 0:
		return "several exchanges, and the subject judges single answers"
	}
	return ""
}
