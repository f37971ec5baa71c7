package runner

import (
	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/properties/subject"
)

// unfit tells why a subject does not get a case; "" if it does.
func unfit(c corpus.Case, about subject.Info) string {
	switch {
	case c.Notification && about.Kind == subject.KindClient:
		return "the answer to a notification, and a client is asked to make calls"
	case c.Notification && !about.Tells.Holds(classifier.Accepted):
		return "the answer to a notification, and the subject does not tell ACCEPTED"
	case about.Kind == subject.KindClient:
		return ""
	case c.Status == nil && !about.Tells.Holds(classifier.NoFinalResponse):
		return "no HTTP answer, and the subject does not tell NO_FINAL_RESPONSE"
	case len(c.Then) > 0:
		return "several exchanges, and the subject judges single answers"
	}
	return ""
}
