package subject_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/properties/subject"
)

// versioned is a plain client whose requests name a revision; none if it is "".
type versioned struct {
	http.Transport
	revision string
}

func (v *versioned) RoundTrip(request *http.Request) (*http.Response, error) {
	if v.revision != "" {
		request = request.Clone(request.Context())
		request.Header.Set("MCP-Protocol-Version", v.revision)
	}
	return v.Transport.RoundTrip(request)
}

// TestProtocolVersion has clients say one revision and call in another: what they
// leave out is taken from the call, and what would have them held to the rules of
// another revision is a fault of the adapter's.
func TestProtocolVersion(t *testing.T) {
	tells, err := subject.ParseTells([]string{"SUCCESS", "ERROR"})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, says, calls string
		want              string // what Start gives; "" if the adapter is broken
	}{
		{"the same", "2026-07-28", "2026-07-28", "2026-07-28"},
		{"said and not named", "2025-11-25", "", "2025-11-25"},
		{"neither", "", "", "none"},
		{"left out, of today", "", "2026-07-28", "2026-07-28"},
		{"left out, older", "", "2025-11-25", "2025-11-25"},
		{"older ones with the same rules", "2025-11-25", "2025-06-18", "2025-11-25"},
		{"older than its calls", "2025-11-25", "2026-07-28", ""},
		{"newer than its calls", "2026-07-28", "2025-11-25", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := &subject.Client{About: subject.Info{Name: "c", ProtocolVersion: test.says, Tells: tells}, Open: func() (subject.Caller, error) {
				return &plainClient{http: http.Client{Transport: &versioned{revision: test.calls}}}, nil
			}}
			info, err := c.Start(t.Context(), 0)
			defer c.Close()
			if test.want == "" {
				if !errors.Is(err, subject.ErrBroken) || !strings.Contains(err.Error(), test.says) || !strings.Contains(err.Error(), test.calls) {
					t.Errorf("got %v, want a broken adapter, %q and %q", err, test.says, test.calls)
				}
				return
			}
			got := info.ProtocolVersion
			if got == "" {
				got = "none"
			}
			if err != nil || got != test.want {
				t.Errorf("got protocol version %s and %v, want %s", got, err, test.want)
			}
		})
	}
}
