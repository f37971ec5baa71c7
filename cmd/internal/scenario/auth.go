package scenario

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/replyproof/replyproof/corpus"
)

type challenge struct {
	Status int    `json:"status" doc:"401 or 403"`
	Method string `json:"method" doc:"the one method that is refused; empty: every POST"`
}

type lifecycle struct {
	Calls    int  `json:"calls" doc:"how many calls a token serves before it has expired"`
	Required bool `json:"required" doc:"whether a POST without a token is refused"`
}

var authScenarios = []Scenario{
	define("auth.challenge", "401 with a challenge, or 403.",
		challenge{401, ""}, func(s challenge) (func() *play, error) {
			if s.Status != http.StatusUnauthorized && s.Status != http.StatusForbidden {
				return nil, fmt.Errorf("status: got %d, want 401 or 403", s.Status)
			}
			return always(&play{post: func(q *query) *reply {
				if s.Method != "" && q.Method != s.Method {
					return nil
				}
				fault := ""
				if s.Status == http.StatusForbidden {
					fault = "insufficient_scope"
				}
				return q.refused(s.Status, fault)
			}}), nil
		}),
	define("auth.token_lifecycle", "Any bearer token will do, until it has served its calls.",
		lifecycle{2, true}, func(s lifecycle) (func() *play, error) {
			if err := between("calls", s.Calls, 0, 1_000_000); err != nil {
				return nil, err
			}
			return func() *play { return tokens(s) }, nil
		}),
}

// resourceMetadata is where a server tells who authorises for it (RFC 9728), with
// the path of the resource after it, or for the whole server.
const resourceMetadata = "/.well-known/oauth-protected-resource"

// metadata tells who authorises for the server: it names itself, and any bearer
// token will do, since nobody is there to give one.
func (s *Server) metadata(w http.ResponseWriter, request *http.Request) {
	if request.Method != http.MethodGet && request.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"resource":%s,"authorization_servers":[%s],"bearer_methods_supported":["header"],"resource_name":"replyproof-serve: any bearer token will do"}`,
		quoted(s.URL()), quoted(s.base))
}

// refused is an answer that asks for another authorisation.
func (q *query) refused(code int, fault string) *reply {
	value := `Bearer resource_metadata="` + q.base + resourceMetadata + Path + `"`
	if fault != "" {
		value = `Bearer error="` + fault + `"` + strings.TrimPrefix(value, "Bearer")
		value = strings.Replace(value, `" resource`, `", resource`, 1)
	}
	return status(code, "", corpus.Header{Name: "WWW-Authenticate", Value: value}).saying(fmt.Sprintf("%d, %s", code, value))
}

// maxTokens is how many tokens a session remembers.
const maxTokens = 1000

func tokens(s lifecycle) *play {
	served := make(map[string]int)
	return &play{post: func(q *query) *reply {
		scheme, token, _ := strings.Cut(q.header.Get("Authorization"), " ")
		switch {
		case !strings.EqualFold(scheme, "Bearer") || token == "":
			if !s.Required {
				return nil
			}
			return q.refused(http.StatusUnauthorized, "")
		case served[token] >= s.Calls && q.Method == "tools/call":
			return q.refused(http.StatusUnauthorized, "invalid_token")
		case q.Method == "tools/call":
			if len(served) >= maxTokens {
				clear(served)
			}
			served[token]++
			return pass(fmt.Sprintf("call %d of %d with this token", served[token], s.Calls))
		}
		return nil
	}}
}
