package classifier

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSanitizeText(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "Invalid params", "Invalid params"},
		{"empty", "", ""},
		{"white space", "  a\t b\r\n\nc\u2028d ", "a b c d"},
		{"terminal escapes", "\x1b[31mred\x1b[0m\a\x7f\u009b", "[31mred[0m"},
		{"direction and zero width", "a\u202eb\u200bc\ufeffd", "abcd"},
		{"bad UTF-8", "a\xffb", "a\uFFFDb"},
		{"cut", strings.Repeat("x", 50), strings.Repeat("x", 37) + "…"},
		{"cut between characters", strings.Repeat("é", 30), strings.Repeat("é", 18) + "…"},
		{"as long as the limit", strings.Repeat("x", 40), strings.Repeat("x", 40)},
		{"one longer", strings.Repeat("x", 41), strings.Repeat("x", 37) + "…"},
		{"as far as is looked", "ok" + strings.Repeat("\a", 40+4096-2), "ok"},
		{"farther than is looked", "ok" + strings.Repeat("\a", 40+4096-1), "ok…"},
		{"nothing as far as is looked", strings.Repeat("\a", 40+4096+1), "…"},
		{"no secret in a sentence", "Bearer token missing", "Bearer token missing"},
		{"nor in this one", "basic authentication is required", "basic authentication is required"},
		{"a short word after a scheme", "sent Basic dXN1Z ok", "sent Basic dXN1Z ok"},
		{"a plain word after a scheme", "a basic example", "a basic example"},
		{"a word with a capital inside", "sent Basic exAmple", "sent Basic [redacted]"},
		{"a word just long enough", "sent Basic dXN1Zj", "sent Basic [redacted]"},
		{"a word with a digit", "sent Basic examp1e", "sent Basic [redacted]"},
		{"a capital first is a sentence", "sent Basic Example", "sent Basic Example"},
		{"counts are kept", "max_tokens: 4096 exceeded", "max_tokens: 4096 exceeded"},
		{"null is kept", `{"token":null}`, `{"token":null}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := sanitizeText(tt.in, 40); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// planted are texts with a secret, which is marked by angle brackets. The keys
// are made of parts, so that no scanner takes them for real ones.
var planted = []string{
	"Authorization: Bearer <abcdefgh>",
	"authorization: Basic <dXNlcjpwYXNz>\nnext line",
	"Proxy-Authorization: <Custom xyz abc>",
	"Cookie: <sid=1; other=2>",
	"set-cookie: <id=abc; Path=/>",
	"Bearer <opaque>",
	"bearer\t<mF_9.B5f-4.1JqM>",
	"sent Basic <dXNlcjpwYXNzd29yZA==> and failed",
	"X-Api-Key: <0123456789>",
	"api_key=<k1> rejected",
	"apikey: '<k1>'",
	`{"password":"<hunter2>"}`,
	`{"password" : "<two words \" and a quote>"}`,
	`{\"password\":\"<nested>\"}`,
	`{\\\"client_secret\\\":\\\"<nested twice>\\\"}`,
	"password=<hunter2>; user=me",
	"error: password=<hunter2>",
	"DB_PASSWORD=<hunter2>",
	"aws_secret_access_key = <wJalrXUtnFEMI>",
	"pwd: <hunter2>",
	"refreshToken=<abc>",
	"pin=<1234>",
	"password: <123456>",
	"https://<user:pass>@host/path",
	"postgres://<user:p-w>@db:5432/x",
	"redis://<:secretpw>@db",
	"https://<ghtoken>@github.com/a/b.git",
	"https://host/path?key=<AbC>&b=<Def>#access_token=<GhI>",
	"GET /x?sig=<abc%3D> failed",
	"https://hooks.slack.com/services<" + "/T000/B000/XXXX>",
	"token <ey" + "JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl>",
	"<ey" + "JhbGciOiJIUzI1NiJ9>",
	"key <sk" + "-abcdefghijklmnopqrst>",
	"key <sk" + "-proj-abcdefghijklmnopqrst_x>",
	"key <sk" + "_live_abcdefghijklmnop>",
	"key <gh" + "p_abcdefghijklmnopqrstuvwxyz0123456789>",
	"key <github" + "_pat_11AAAAAAA0abcdefghijkl>",
	"key <gl" + "pat-abcdefghijklmnopqrst>",
	"key <xo" + "xb-123456789012-abcdef>",
	"key <AK" + "IAIOSFODNN7EXAMPLE>",
	"key <AI" + "zaSyA1234567890abcdefghijklmnopqrstuv>",
	"key <h" + "f_abcdefghijklmnopqrstuvwxyz>",
	"key <np" + "m_abcdefghijklmnopqrstuvwxyz>",
	"key <SG" + ".abcdefghijklmnop.abcdefghijklmnop>",
	"-----BEGIN RSA PRIVATE " + "KEY-----\nMII<Eabc\ndef>\n-----END RSA PRIVATE " + "KEY-----",
	"-----BEGIN PRIVATE " + "KEY-----\nMII<Ecut off>",
	"Bear\u200ber <split>",
	"s\x00k-<abcdefghijklmnopqrst>",
}

// marked takes the brackets out of a planted text and lists what they held.
func marked(s string) (text string, secrets []string) {
	for {
		before, rest, ok := strings.Cut(s, "<")
		text += before
		if !ok {
			return text, secrets
		}
		secret, after, _ := strings.Cut(rest, ">")
		text += secret
		secrets = append(secrets, strings.Join(strings.Fields(secret), " "))
		s = after
	}
}

func TestSanitizeSecrets(t *testing.T) {
	for _, p := range planted {
		text, secrets := marked(p)
		for _, around := range []string{"", " before ", `{"a":"b"} `} {
			got := sanitizeText(around+text, 4096)
			for _, secret := range secrets {
				if strings.Contains(strings.Replace(got, redacted, "", -1), secret) || !strings.Contains(got, redacted) {
					t.Errorf("%q: got %q, which shows %q", around+text, got, secret)
				}
			}
		}
	}
	t.Run("at the limit", func(t *testing.T) {
		text := strings.Repeat("x", 90) + " s" + "k-abcdefghijklmnopqrstuvwx"
		if got := sanitizeText(text, 100); strings.Contains(got, "abc") || len(got) > 100 {
			t.Errorf("got %q, which shows the beginning of the key", got)
		}
	})
}

// TestHintsHideNothing: a text of which the hints say that it holds no secret
// holds none for the expressions either.
func TestHintsHideNothing(t *testing.T) {
	var all []string
	for _, p := range planted {
		text, _ := marked(p)
		all = append(all, text, strings.ToUpper(text), strings.ReplaceAll(text, "s", "ſ"), strings.ReplaceAll(text, "k", "\u212a"), strings.ReplaceAll(text, ":", " \n:"), strings.ReplaceAll(text, `"`, `\\"`))
	}
	for i, text := range all {
		for _, text := range []string{text, all[(i*7+3)%len(all)] + " " + text, text[:len(text)/2], text[len(text)/3:], "x" + text + "=" + text} {
			if got, want := redactBy(text, false), redactBy(text, true); got != want {
				t.Errorf("%q: got %q, want %q", text, got, want)
			}
		}
	}
}

func TestSanitizeJSON(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"absent", "", ""},
		{"null", "null", "null"},
		{"number as it is", "1.50e+9", "1.50e+9"},
		{"string", `"a\u0000b\ud800"`, `"ab�"`},
		{"secret members", `{"password":"x","Authorization":"y","api_key":{"a":1},"accessToken":["t"],"otp":123456,"user":"me"}`,
			`{"Authorization":"[redacted]","accessToken":"[redacted]","api_key":"[redacted]","otp":"[redacted]","password":"[redacted]","user":"me"}`},
		{"counts, nulls and truth", `{"max_tokens":5,"token":null,"hasPassword":true}`, `{"hasPassword":true,"max_tokens":5,"token":null}`},
		{"secrets in strings", `["https://u:p@h/?q=1"]`, `["https://[redacted]@h/?q=[redacted]"]`},
		{"no HTML escapes", `"<a&b>"`, `"<a&b>"`},
		{"deep", strings.Repeat("[", 17) + strings.Repeat("]", 17), strings.Repeat("[", 16) + `"[omitted: nested too deep]"` + strings.Repeat("]", 16)},
		{"very deep", strings.Repeat("[", 20000) + strings.Repeat("]", 20000), `"[omitted: 40000 bytes of JSON]"`},
		{"long number", strings.Repeat("1", 101), `"[omitted: a number of 101 characters]"`},
		{"too long to read", `"` + strings.Repeat("x", 300000) + `"`, `"[omitted: 300002 bytes of JSON]"`},
		{"number just short enough", strings.Repeat("1", 100), strings.Repeat("1", 100)},
		{"as long as is read", strings.Repeat(" ", 262140) + `"ab"`, `"ab"`},
		{"longer than is read", strings.Repeat(" ", 262141) + `"ab"`, `"[omitted: 262145 bytes of JSON]"`},
		{"as long as is kept", "[" + strings.Repeat(`"`+strings.Repeat("y", 1021)+`",`, 7) + `"` + strings.Repeat("y", 1020) + `"]`,
			"[" + strings.Repeat(`"`+strings.Repeat("y", 1021)+`",`, 7) + `"` + strings.Repeat("y", 1020) + `"]`},
		{"longer than is kept", "[" + strings.Repeat(`"`+strings.Repeat("y", 1021)+`",`, 7) + `"` + strings.Repeat("y", 1021) + `"]`, `"[omitted: 8193 bytes of JSON]"`},
		{"deep objects", strings.Repeat(`{"a":`, 17) + "1" + strings.Repeat("}", 17), strings.Repeat(`{"a":`, 16) + `"[omitted: nested too deep]"` + strings.Repeat("}", 16)},
		{"deep enough", strings.Repeat(`{"a":`, 16) + "1" + strings.Repeat("}", 16), strings.Repeat(`{"a":`, 16) + "1" + strings.Repeat("}", 16)},
		{"a hundred items", "[" + strings.Repeat("0,", 99) + "0]", "[" + strings.Repeat("0,", 99) + "0]"},
		{"many members", manyMembers(101), `"[omitted: an object of 101 members]"`},
		{"a hundred members", manyMembers(100), manyMembers(100)},
		{"many items", "[" + strings.Repeat("0,", 101) + "0]", "[" + strings.Repeat("0,", 100) + `"[omitted: 2 more]"]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := sanitizeJSON([]byte(tt.in))
			if string(got) != tt.want || len(got) > 0 && !json.Valid(got) {
				t.Errorf("got %.200s, want %.200s", got, tt.want)
			}
		})
	}
}

// manyMembers is an object of n members, sorted.
func manyMembers(n int) string {
	members := make([]string, n)
	for i := range members {
		members[i] = fmt.Sprintf(`"%03d":%d`, i, i)
	}
	return "{" + strings.Join(members, ",") + "}"
}

func FuzzSanitize(f *testing.F) {
	for _, p := range planted {
		text, _ := marked(p)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := redactBy(s, false), redactBy(s, true); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
		got := sanitizeText(s, 200)
		if len(got) > 200 || !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool { return r < ' ' || r == 0x7F }) {
			t.Errorf("%q: got %q", s, got)
		}
		if raw := sanitizeJSON([]byte(s)); raw != nil && (!json.Valid(raw) || len(raw) > jsonKept) {
			t.Errorf("%q: got %q", s, raw)
		}
		if slices.Contains([]string{"null", "true"}, s) && got != s {
			t.Errorf("%q: got %q", s, got)
		}
	})
}
