package classifier

import (
	"strings"
	"testing"
)

func TestRedact(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"nothing", "a\tb\r\n\x00c  d\xff", "a\tb\r\n\x00c  d\xff"},
		{"a long text stays whole", strings.Repeat("x y ", 5000), strings.Repeat("x y ", 5000)},
		{"white space stays", "a  b\n\npassword=hunter2\n c", "a  b\n\npassword=[redacted]\n c"},
		{"control characters stay beside a secret", "a\x00b password=hunter2 \u200b", "a\x00b password=[redacted] \u200b"},
		{"a secret with something hidden in it", "x Bear\u200ber abcdefgh", "x Bearer [redacted]"},
		{"one that hides beside one that does not", "\x00password=hunter2\nx Bear\u200ber abcdefgh", "password=[redacted]\nx Bearer [redacted]"},
		{"a challenge", `Bearer resource_metadata="http://127.0.0.1/.well-known/x", error="invalid_token"`, `Bearer resource_metadata="http://127.0.0.1/.well-known/x", error="invalid_token"`},
		{"a challenge that begins with its error", `401, Bearer error="invalid_token", scope="files:read"`, `401, Bearer error="invalid_token", scope="files:read"`},
		{"a token that begins like a challenge", "Bearer resource_metadatax and Bearer errorABC=", "Bearer [redacted] and Bearer [redacted]"},
		{"a token in a challenge", `Bearer scope=a, token="abcdefgh"`, `Bearer scope=a, token="[redacted]"`},
		{"a value with its quotes", `password: "hunter2", pin='1234'`, `password: "[redacted]", pin='[redacted]'`},
		{"a value with a quote in it, and no end", `{"password":"a\"b\"`, `{"password":"[redacted]`},
		{"a value cut in an escape", `{"password":"ab\`, `{"password":"[redacted]\`},
		{"a value in a JSON text in a text", `{\"password\":\"hunter2\"}`, `{\"password\":\"[redacted]\"}`},
		{"one of which the end is missing", `{\"password\":\"hunter2`, `{\"password\":\"[redacted]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Redact(tt.in); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	for _, p := range planted {
		text, secrets := marked(p)
		got := Redact(text)
		for _, secret := range secrets {
			if strings.Contains(got, secret) {
				t.Errorf("%q: got %q, which shows %q", text, got, secret)
			}
		}
	}
}

func TestIsSecretName(t *testing.T) {
	for _, tt := range []struct {
		name   string
		number bool
		want   bool
	}{
		{"Authorization", false, true},
		{"X-Api-Key", false, true},
		{"max_tokens", true, false},
		{"max_tokens", false, true},
		{"progressToken", false, false},
		{"content", false, false},
		{"monkey", false, false},
		{"signal", false, false},
	} {
		if got := IsSecretName(tt.name, tt.number); got != tt.want {
			t.Errorf("%s, number %v: got %v, want %v", tt.name, tt.number, got, tt.want)
		}
	}
}
