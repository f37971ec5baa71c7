package callers

import (
	"strings"
	"testing"

	"github.com/replyproof/replyproof/properties/loopback"
)

// What is no call of a tool is answered as a server answers it.
func TestReply(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, body string
		status     int
		want       string
	}{
		{"initialize", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}`, 200, `"protocolVersion":"2025-06-18"`},
		{"initialize with a revision that has none", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2026-07-28"}}`, 200, `"protocolVersion":"2025-11-25"`},
		{"discover", `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`, 200, `"supportedVersions":["2026-07-28","2025-11-25"]`},
		{"tools", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, 200, `"name":"synthetic"`},
		{"another method", `{"jsonrpc":"2.0","id":1,"method":"prompts/list"}`, 200, `"code":-32601`},
		{"a notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, 202, ""},
		{"a response", `{"jsonrpc":"2.0","id":1,"result":{}}`, 202, ""},
		{"no JSON", `{`, 400, ""},
	} {
		got := reply(&Sent{HTTPMethod: "POST", Body: []byte(test.body)})
		if *got.Status != test.status || !strings.Contains(string(got.Body), test.want) || (test.want == "") != (len(got.Body) == 0) {
			t.Errorf("%s: got %d %s, want %d and in it %s", test.name, *got.Status, got.Body, test.status, test.want)
		}
	}
}

// Ids that are one as doubles are two, and one in two spellings is one.
func TestIDs(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		first, again string
		fresh        bool
	}{
		{`9007199254740992`, `9007199254740993`, true},
		{`9223372036854775806`, `9223372036854775807`, true},
		{`1`, `"1"`, true},
		{`"\ud800"`, `"\ufffd"`, true},
		{`1`, `1.0`, false},
		{`100`, `1e2`, false},
		{`"a"`, `"\u0061"`, false},
	} {
		var s [2]*Sent
		for i, id := range []string{test.first, test.again} {
			body := []byte(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + loopback.Tool + `"}}`)
			s[i] = &Sent{Call: true, ID: []byte(id), Body: body, answer: &answer{kind: &kinds[0]}}
			if !usable(s[i].ID) {
				t.Errorf("%s: got no id", id)
			}
		}
		b := freshID(&Transcript{Sent: s[:]})
		if (b == nil) != test.fresh || (idOf(s[0].ID) != idOf(s[1].ID)) != test.fresh {
			t.Errorf("%s and %s: got %v, %v and %v, want fresh %t", test.first, test.again, b, idOf(s[0].ID), idOf(s[1].ID), test.fresh)
		}
	}
	for _, id := range []string{``, `null`, `1.5`, `{}`, `9223372036854775808`, `1e300`} {
		if usable([]byte(id)) {
			t.Errorf("%s: got an id, want none", id)
		}
	}
}
