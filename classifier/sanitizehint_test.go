package classifier

import (
	"strings"
	"testing"
)

// TestHints is about what the hints tell of texts: yes wherever an expression
// finds something, and no for the most part elsewhere.
func TestHints(t *testing.T) {
	far := strings.Repeat("x, ", 100)
	for _, c := range []struct {
		hint string
		tell func(*hints) bool
		yes  []string
		no   []string
	}{
		{"query", (*hints).query, []string{"?a=b", "=?", "a=b&c", "#a=b"}, []string{"", "a=b", "a?b", "&#"}},
		{"header", (*hints).header, []string{"Cookie: a", ":cookie", "proxy-AUTHORIZATION : a"}, []string{"", "cookie", "a: b", ":"}},
		{"named", (*hints).named, []string{
			"password=a", "password:a", "PASSWORD = a", "token\t\n\f\r =a", `"token":a`, `'token':a`, `\\"token\\\":a`, `\"token\\":a`, "a=b, pin=c",
			"az_09-.token=a", "token_09-.az=a", "api key=a", "0token9=a", "9token0=a", "atokenz=a", "ztokena=a", far + "token=a",
			"ſecret=a", "toKen=a", "token" + strings.Repeat("x", 195) + "=a",
		}, []string{
			"", "password", "a=b", "=", ":", " =", `"=`, `\=`, "token/=a", "token{=a", "token`=a", "token!x=a", "token,x=a", "token;x: a",
			"token@x=a", "token[x=a", "token^x=a", "token" + strings.Repeat("x", 196) + "=a", `token""=a`, `token"'=a`, "tokén=a",
		}},
	} {
		for _, text := range c.yes {
			if !c.tell(&hints{text: text}) {
				t.Errorf("%s of %q: got no, want yes", c.hint, text)
			}
		}
		for _, text := range c.no {
			if c.tell(&hints{text: text}) {
				t.Errorf("%s of %q: got yes, want no", c.hint, text)
			}
		}
	}
}
