package fuzz

import (
	"bytes"
	"net/http"
	"slices"

	"github.com/replyproof/replyproof/classifier"
)

// Minimise is the smallest sample it finds of which fails still is true: the
// ordinary status, end and id where they make no difference, no header line
// and no byte of the body that could go. s is not changed. fails must answer
// the same for the same sample; a sample of which it is not true comes back as
// it is.
func Minimise(s Sample, fails func(Sample) bool) Sample {
	if !fails(s) {
		return s
	}
	s = s.clone()
	try := func(change func(*Sample)) bool {
		next := s.clone()
		change(&next)
		if !fails(next) {
			return false
		}
		s = next
		return true
	}
	try(func(n *Sample) { n.Answer.Status = http.StatusOK })
	try(func(n *Sample) { n.Answer.Ended = classifier.EndedEOF })
	try(func(n *Sample) { n.Call.ID = classifier.IntID(1) })
	for name := range s.Answer.Header.Clone() {
		if try(func(n *Sample) { delete(n.Answer.Header, name) }) {
			continue
		}
		for i := len(s.Answer.Header[name]) - 1; i >= 0; i-- {
			try(func(n *Sample) { n.Answer.Header[name] = slices.Delete(n.Answer.Header[name], i, i+1) })
		}
	}
	for shorter := true; shorter; {
		shorter = false
		for size := len(s.Answer.Body); size > 0; size /= 2 {
			for at := 0; at < len(s.Answer.Body); {
				end := min(at+size, len(s.Answer.Body))
				if try(func(n *Sample) { n.Answer.Body = append(n.Answer.Body[:at], n.Answer.Body[end:]...) }) {
					shorter = true
				} else {
					at = end
				}
			}
		}
	}
	// Plain letters where the byte makes no difference.
	for at := range s.Answer.Body {
		if c := s.Answer.Body[at]; c != 'a' && c != '0' && !bytes.ContainsRune([]byte("{}[]:,\"\r\n "), rune(c)) {
			_ = try(func(n *Sample) { n.Answer.Body[at] = '0' }) || try(func(n *Sample) { n.Answer.Body[at] = 'a' })
		}
	}
	return s
}
