package classifier

import (
	"strings"

	"github.com/replyproof/replyproof/classifier/internal/scan"
)

// judgeInputRequired is rule 9 for a result that asks for inputs.
func (v *Verdict) judgeInputRequired(e *envelope) {
	v.settle(InputRequired, ReasonInputRequired)
	m := &e.res
	v.RequestState = e.raw(m.requestState)
	if m.requestState.Kind != scan.None && m.requestState.Kind != scan.String {
		v.find(FindingRequestStateType, m.requestState.Start, "/result/requestState")
	}
	switch m.inputRequests.Kind {
	case scan.None:
		if m.requestState.Kind == scan.None {
			v.find(FindingInputRequiredEmpty, -1, "/result")
		}
	case scan.Object:
		v.readInputRequests(e.text, m.inputRequests.Start)
	default:
		v.find(FindingInputRequestsType, m.inputRequests.Start, "/result/inputRequests")
	}
}

// readInputRequests goes over an object that is known to be valid, once more,
// for names that only now are known to matter.
func (v *Verdict) readInputRequests(text []byte, start int) {
	var (
		s        scan.Scanner
		requests []InputRequest
		bad      []bool // whether the request is none
		name     []byte
	)
	index := map[string]int{}
	s.Reset(text, start)
	for more := s.Object(); more; more = s.NextMember() {
		at := s.NameStart()
		name = scan.AppendText(name[:0], s.RawName())
		k, known := index[string(name)]
		if !known {
			k = len(requests)
			requests = append(requests, InputRequest{Key: string(name)})
			bad = append(bad, false)
			index[requests[k].Key] = k
		} else if !v.Has(FindingDuplicateMember) {
			v.find(FindingDuplicateMember, at, "/result/inputRequests/"+pointerEscape(requests[k].Key))
		}
		var ok bool
		requests[k].Method, ok = readMethod(&s)
		bad[k] = !ok
	}
	for k := range bad {
		if bad[k] {
			v.find(FindingInputRequestsType, -1, "/result/inputRequests/"+pointerEscape(requests[k].Key))
			return
		}
	}
	v.InputRequests, v.HasInputRequests = requests, true
}

// readMethod passes the value at the cursor and tells its method, if it is an
// object whose method is a string.
func readMethod(s *scan.Scanner) (method string, ok bool) {
	if s.Kind() != scan.Object {
		s.Skip()
		return "", false
	}
	for more := s.Object(); more; more = s.NextMember() {
		if string(s.Name()) != "method" {
			s.Skip()
			continue
		}
		start := s.Pos()
		ok = s.Kind() == scan.String
		s.Skip()
		method = ""
		if raw := s.Text(start); ok {
			method = string(scan.AppendText(nil, raw[1:len(raw)-1]))
		}
	}
	return method, ok
}

// pointerEscape is a name as RFC 6901 writes it.
func pointerEscape(name string) string {
	if !strings.ContainsAny(name, "~/") {
		return name
	}
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}
