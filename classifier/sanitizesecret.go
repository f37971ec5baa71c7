package classifier

import (
	"regexp"
	"strings"
)

// redacted stands for what was taken out.
const redacted = "[redacted]"

// Names of members, headers, parameters and variables whose values are secrets:
// words that may stand anywhere in a name, and words that must end it.
const (
	secretWords = `passw(?:or)?d|passphrase|passcode|secret|credential|authorization|cookie|token|bearer|signature` +
		`|(?:api|access|private|signing|encryption|account|master|shared|subscription)[-_. ]?key|session[-_. ]?(?:id|key)`
	secretEnds = `sig|otp|pin|pwd|jwt|auth|pass|sid`
)

var (
	secretName = regexp.MustCompile(`(?i)(?:` + secretWords + `)|(?:^|[-_. ])(?:` + secretEnds + `)$`)
	// harmless names are MCP's own.
	harmless = regexp.MustCompile(`(?i)^progress_?token$`)
	// countable names may hold plain numbers, as max_tokens does.
	countable = regexp.MustCompile(`(?i)token|cookie|secret|credential|session`)
	number    = regexp.MustCompile(`^[0-9.]+$`)

	// named is a secret's name, a colon or an equals sign, and a value, quoted,
	// quoted inside a quoted JSON text, or bare.
	named = regexp.MustCompile(`(?i)((?:[a-z0-9_.-]{0,60}(?:` + secretWords + `)[a-z0-9_.-]{0,40}|\b(?:[a-z0-9_.-]{0,60}[-_.])?(?:` + secretEnds + `)))` +
		`(\\*["']?\s*[:=]\s*)` +
		`("(?:[^"\\]|\\.)*"?|\\+"(?:[^"\\]|\\+[^"\\])*(?:\\+")?|'[^'\n]*'?|[^\s,;&"'\\}\])]+)`)

	// header is a header line whose whole value is a secret.
	header = regexp.MustCompile(`(?i)\b((?:proxy-)?authorization|(?:set-)?cookie)(\s*:\s*)[^\n"'\\]+`)

	// scheme is an authentication scheme and what follows it.
	scheme = regexp.MustCompile(`(?i)\b(bearer|basic|digest|negotiate|ntlm)((?:\s|%20|\+)+["']?)([A-Za-z0-9._~+/=:-]+)`)
	// plain are the words that may follow a scheme in a sentence, and the parameters of
	// a challenge that hold no secret (RFC 6750, RFC 9728).
	plain = regexp.MustCompile(`(?i)^(?:tokens?|auth|authenticat(?:ion|ed)|authori[sz]ation|credentials?|schemes?|header|(?:realm|scope|error(?:_description|_uri)?|resource_metadata)=.*|realm|errors?|is|was|not|or|and|required|missing|access|only|format)[.:]?$`)
)

// places are where secrets show without a name of their own.
var places = []struct {
	re   *regexp.Regexp
	with string
	// may tells quickly that a text has nothing for re; such texts are most.
	may func(*hints) bool
}{
	// Private keys in PEM, cut ones too.
	{regexp.MustCompile(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z0-9 ]*-----)?`), redacted, holds("-----BEGIN ")},
	// User information in URLs.
	{regexp.MustCompile(`(?i)\b([a-z][a-z0-9+.-]{0,30}://)[^/?#\s"'<>]*@`), "${1}" + redacted + "@", holds("://")},
	// Values in the queries and fragments of URLs.
	{regexp.MustCompile(`([?&#][A-Za-z0-9_.~%\[\]-]{1,80}=)[^&#\s"'<>\\]+`), "${1}" + redacted, (*hints).query},
	// URLs whose path is the secret.
	{regexp.MustCompile(`(hooks\.slack\.com/services|discord(?:app)?\.com/api/webhooks|api\.telegram\.org/bot)[^\s"'<>]+`), "${1}/" + redacted, holds("hooks.slack.com", "discord", "api.telegram.org")},
	// JSON Web Tokens, cut ones too.
	{regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*){0,4}`), redacted, holds("eyJ")},
	// Keys that show what they are.
	{regexp.MustCompile(`\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{12,}`), redacted, holds("sk-", "sk_", "pk-", "pk_", "rk-", "rk_")},
	{regexp.MustCompile(`\b(?:gh[opusr]_|github_pat_|glpat-|glrt-|xox[a-z]-|xapp-|hf_|npm_|pypi-|dop_v1_|shp[a-z]{2}_|lin_api_|whsec_|ya29\.|SG\.|figd_|gsk_|xai-|nvapi-|sq0[a-z]{3}-|AGE-SECRET-KEY-)[A-Za-z0-9_.~/+=-]{8,}`), redacted, (*hints).key},
	{regexp.MustCompile(`\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,}`), redacted, holds("AKIA", "ASIA", "ABIA", "ACCA")},
	{regexp.MustCompile(`\bAIza[A-Za-z0-9_-]{20,}`), redacted, holds("AIza")},
}

// isSecretName tells whether a member of that name holds a secret; one that is
// a plain number may be a count.
func isSecretName(name string, isNumber bool) bool {
	return mayBeSecretName(strings.ToLower(name)) && secretName.MatchString(name) && !harmless.MatchString(name) && !(isNumber && countable.MatchString(name))
}

// redact replaces secrets in the usual places.
func redact(s string) string { return redactBy(s, false) }

// redactBy is redact; with all no hint is heeded, and every expression tried.
func redactBy(s string, all bool) string {
	h := hints{text: s}
	for _, p := range places {
		if all || p.may(&h) {
			s = p.re.ReplaceAllString(s, p.with)
		}
	}
	if all || h.header() {
		s = header.ReplaceAllString(s, "${1}${2}"+redacted)
	}
	if all || h.scheme() {
		s = redactSchemes(s)
	}
	if all || h.named() {
		s = redactNamed(s)
	}
	return s
}

// redactSchemes replaces what follows the name of an authentication scheme.
func redactSchemes(s string) string {
	return replaceSubmatches(s, scheme, func(m []string) string {
		if !looksSecret(m[1], m[3]) {
			return m[0]
		}
		return m[1] + m[2] + redacted
	})
}

// redactNamed replaces the values of names of secrets.
func redactNamed(s string) string {
	return replaceSubmatches(s, named, func(m []string) string {
		value := strings.Trim(m[3], `\"'`)
		switch {
		case value == "", value == "null", value == "true", value == "false", strings.HasPrefix(value, redacted[:len(redacted)-1]):
			return m[0]
		case !isSecretName(m[1], number.MatchString(value)):
			return m[0]
		}
		open, shut := quotes(m[3])
		return m[1] + m[2] + open + redacted + shut
	})
}

// quotes are those around a value, with the backslashes before them; an end that
// is missing is "". They stay, so that a text which is cut or broken stays what it is.
func quotes(value string) (open, shut string) {
	slashes := len(value) - len(strings.TrimLeft(value, `\`))
	if slashes == len(value) || value[slashes] != '"' && (value[slashes] != '\'' || slashes > 0) {
		return "", ""
	}
	open = value[:slashes+1]
	inner := value[slashes+1:]
	if !strings.HasSuffix(inner, open) {
		return open, ""
	}
	before := inner[:len(inner)-len(open)]
	if open == `"` && (len(before)-len(strings.TrimRight(before, `\`)))%2 == 1 {
		return open, ""
	}
	return open, open
}

func replaceSubmatches(s string, re *regexp.Regexp, f func([]string) string) string {
	var b strings.Builder
	from := 0
	for _, at := range re.FindAllStringSubmatchIndex(s, -1) {
		groups := make([]string, len(at)/2)
		for i := range groups {
			if at[2*i] >= 0 {
				groups[i] = s[at[2*i]:at[2*i+1]]
			}
		}
		b.WriteString(s[from:at[0]])
		b.WriteString(f(groups))
		from = at[1]
	}
	b.WriteString(s[from:])
	return b.String()
}

// looksSecret tells whether the word after a scheme is a credential and no word
// of a sentence. After bearer everything is that is not known to be plain.
func looksSecret(scheme, word string) bool {
	switch {
	case plain.MatchString(word):
		return false
	case strings.EqualFold(scheme, "bearer"):
		return true
	}
	return len(word) >= 6 && (strings.ContainsAny(word, "0123456789+/=_") || strings.ToLower(word[1:]) != word[1:])
}
