package classifier

import "strings"

// hints tell quickly what a text cannot hold, so that most texts meet none of
// the expressions that look for secrets. What was replaced by then only takes
// hints away, or adds none that matter: [redacted] is never taken out again.
type hints struct {
	text string
	low  string // text in small letters, once it is needed
}

// lower is the text in small letters, as an expression that ignores case takes them.
func (h *hints) lower() string {
	if h.low == "" {
		h.low = strings.ToLower(h.text)
		if strings.Contains(h.low, "ſ") {
			h.low = strings.ReplaceAll(h.low, "ſ", "s")
		}
	}
	return h.low
}

// mayBeSecretName is a hint for names, in small letters.
func mayBeSecretName(low string) bool {
	return containsAny(low, "pass", "secret", "credential", "auth", "cookie", "token", "bearer", "sig", "key", "session", "otp", "pin", "pwd", "jwt", "sid") ||
		strings.Contains(low, "ſ") // an s to what ignores case
}

func containsAny(s string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// holds is a hint: one of these must be there, spelled exactly.
func holds(words ...string) func(*hints) bool {
	return func(h *hints) bool { return containsAny(h.text, words...) }
}

func (h *hints) query() bool {
	return strings.IndexByte(h.text, '=') >= 0 && strings.ContainsAny(h.text, "?&#")
}

// key is the hint for keys that show what they are by how they begin.
func (h *hints) key() bool {
	return containsAny(h.text, "gho_", "ghp_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "glrt-", "xox", "xapp-", "hf_", "npm_", "pypi-", "dop_v1_", "shp",
		"lin_api_", "whsec_", "ya29.", "SG.", "figd_", "gsk_", "xai-", "nvapi-", "sq0", "AGE-SECRET-KEY-")
}

func (h *hints) header() bool {
	return strings.IndexByte(h.text, ':') >= 0 && containsAny(h.lower(), "authorization", "cookie")
}

func (h *hints) scheme() bool {
	return containsAny(h.lower(), "bearer", "basic", "digest", "negotiate", "ntlm")
}

// named is the hint for names of secrets: one stands before a colon or an equals
// sign.
func (h *hints) named() bool {
	if !strings.ContainsAny(h.text, ":=") {
		return false
	}
	s := h.lower()
	for i := range len(s) {
		if s[i] != ':' && s[i] != '=' {
			continue
		}
		end := i
		for end > 0 && strings.IndexByte("\t\n\f\r ", s[end-1]) >= 0 {
			end--
		}
		if end > 0 && (s[end-1] == '"' || s[end-1] == '\'') {
			end--
		}
		for end > 0 && s[end-1] == '\\' {
			end--
		}
		start := end
		for start > 0 && end-start < 200 && nameByte(s[start-1]) {
			start--
		}
		if mayBeSecretName(s[start:end]) {
			return true
		}
	}
	return false
}

// nameByte tells whether a byte may stand in the name of a secret.
func nameByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b == '_' || b == '-' || b == '.' || b == ' '
}
