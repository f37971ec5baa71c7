package capture

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"html"
	"iter"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/cmd/internal/jsonspan"
	"github.com/replyproof/replyproof/corpus"
)

// known are the secrets that an exchange shows by where they stand: in a field
// of such a name, a cookie, a URL, a member. They are taken out wherever else
// they stand too, in a text about them or as an id, the longest first.
type known []string

// The shortest secret that is looked for elsewhere, and the shortest that is
// found within a word, in bytes.
const (
	shortestKnown  = 4
	shortestWithin = 8
)

// opaqueWord is a word that looks like no word of a sentence.
var opaqueWord = regexp.MustCompile(`^[A-Za-z0-9._~+=:-]*(?:[A-Za-z][A-Za-z._~+=:-]*[0-9]|[0-9][0-9._~+=:-]*[A-Za-z])[A-Za-z0-9._~+/=:-]*$`)

// opaque tells whether a value may be a secret though its place has no name of one.
func opaque(text string) bool { return len(text) >= shortestWithin && opaqueWord.MatchString(text) }

// own are words that a message consists of: what holds one of them as a secret
// could not be read without it.
var own = strings.Fields(`jsonrpc method params result error code message data type text content isError resultType complete
	input_required tools/call requestState inputRequests structuredContent true false null none bearer basic application/json text/event-stream
	application identity elicitation resource_link`)

// knownOf lists the secrets of an exchange.
func knownOf(x *Exchange) known {
	var k known
	if r := x.Request; r != nil {
		k.headers(r.Headers)
		k.url(r.URL, true)
		body, _ := Decoded(&Answer{Headers: r.Headers, Body: r.Body})
		k.json(body, true)
	}
	if a := x.Answer; a != nil {
		k.headers(a.Headers)
		body, _ := Decoded(a)
		k.json(body, false)
	}
	slices.SortFunc(k, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return slices.Compact(k)
}

// add takes a secret in, and the forms in which a text may hold it: escaped for JSON,
// a URL or HTML, in base64, in capitals or in small letters.
func (k *known) add(secret string) {
	secret = strings.Trim(secret, " \t\"")
	if len(secret) < shortestKnown || strings.HasPrefix(secret, redacted[:len(redacted)-1]) ||
		slices.ContainsFunc(own, func(word string) bool { return strings.EqualFold(word, secret) }) {
		return
	}
	quoted, _ := json.Marshal(secret)
	sparing := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(secret) // as most write it, who leave < and > alone
	plain, _ := url.PathUnescape(secret)
	page := html.EscapeString(secret)
	forms := []string{secret, string(quoted[1 : len(quoted)-1]), sparing, strings.ReplaceAll(sparing, "/", `\/`), url.QueryEscape(secret), url.PathEscape(secret), plain,
		page, strings.NewReplacer("&#34;", "&quot;", "&#39;", "&apos;").Replace(page)}
	if len(secret) >= shortestWithin {
		forms = append(forms, strings.ToUpper(secret), strings.ToLower(secret),
			base64.RawStdEncoding.EncodeToString([]byte(secret)), base64.RawURLEncoding.EncodeToString([]byte(secret)))
	}
	for _, form := range forms {
		if len(form) >= shortestKnown {
			*k = append(*k, form)
		}
	}
}

// headers takes in what fields of secrets hold, whole and in their parts, and
// what looks like a secret in a field that nobody knows.
func (k *known) headers(headers corpus.Headers) {
	for _, h := range headers {
		name := strings.ToLower(h.Name)
		switch {
		case name == "cookie" || name == "set-cookie":
			for i, pair := range strings.Split(h.Value, ";") {
				_, value, ok := strings.Cut(pair, "=")
				if !ok {
					value = pair
				}
				if value = strings.TrimSpace(value); (i == 0 || name == "cookie") && len(value) >= shortestWithin { // a shorter one is a setting
					k.add(value)
				}
			}
		case name == "www-authenticate" || name == "proxy-authenticate":
			k.challenged(h.Value)
		case slices.Contains(plainHeaders, name):
		case strings.HasSuffix(name, "authorization"):
			k.credentials(h.Value)
		case classifier.IsSecretName(h.Name, false) || opaque(h.Value):
			k.add(h.Value)
			k.credentials(h.Value)
		}
	}
}

// challenged takes in what looks like a secret in the parameters of a challenge
// that may quote one.
func (k *known) challenged(value string) {
	for _, at := range parameter.FindAllStringSubmatch(value, -1) {
		if slices.Contains(plainParameters, strings.ToLower(at[1])) {
			continue
		}
		for _, word := range plainWords.FindAllString(at[3], -1) {
			if word = strings.TrimRight(word, ".:"); opaque(word) {
				k.add(word)
			}
		}
	}
}

// credentials takes in what follows the name of a scheme: a token, of which Basic
// has name and password in it, or parameters.
func (k *known) credentials(value string) {
	value = strings.TrimSpace(value)
	k.add(value)
	at := strings.IndexAny(value, " \t")
	if at < 0 {
		return
	}
	scheme, rest := value[:at], strings.TrimSpace(value[at:])
	k.add(rest)
	if pair, err := base64.StdEncoding.DecodeString(rest); err == nil && strings.EqualFold(scheme, "basic") {
		k.add(string(pair))
		_, password, _ := strings.Cut(string(pair), ":")
		k.add(password)
	}
	for part := range strings.SplitSeq(rest, ",") {
		name, value, ok := strings.Cut(part, "=")
		if ok && (classifier.IsSecretName(strings.TrimSpace(name), false) || opaque(strings.Trim(value, ` "`))) {
			k.add(value)
		}
	}
}

// url takes in the user information, and the values in the query and the
// fragment that have the name of a secret or, in the URL that was asked, look like one.
func (k *known) url(text string, asked bool) {
	u, err := url.Parse(text)
	if err != nil {
		return
	}
	if password, ok := u.User.Password(); ok {
		k.add(password)
		k.add(u.User.Username() + ":" + password)
	} else {
		k.add(u.User.Username())
	}
	for _, part := range []string{u.RawQuery, u.Fragment} {
		values, _ := url.ParseQuery(part)
		for name, all := range values {
			for _, value := range all {
				if strings.EqualFold(name, "key") || classifier.IsSecretName(name, false) || asked && opaque(value) {
					k.add(value)
				}
			}
		}
	}
}

// addresses yields the URLs in a text, each up to what ends one there, with its
// slashes escaped or not. They are found by the colon that each has, since most of a
// body is none.
func addresses(text []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		for from := 0; ; {
			colon := bytes.IndexByte(text[from:], ':')
			if colon < 0 {
				return
			}
			colon += from
			start := colon
			for i := colon - 1; i >= from && schemeByte(text[i]); i-- {
				if 'a' <= text[i] && text[i] <= 'z' {
					start = i
				}
			}
			slashes := 0
			for _, two := range []string{"//", `\/\/`} {
				if bytes.HasPrefix(text[colon+1:], []byte(two)) {
					slashes = len(two)
				}
			}
			if from = colon + 1; start == colon || slashes == 0 {
				continue
			}
			rest := text[from+slashes:] // looked through by a URL alone, or many colons would take long
			end := bytes.IndexAny(rest, " \t\n\f\r\"'<>")
			if end < 0 {
				end = len(rest)
			}
			if end == 0 {
				continue
			}
			from += slashes + end
			if !yield(strings.ReplaceAll(string(text[start:from]), `\/`, "/")) {
				return
			}
		}
	}
}

// schemeByte tells whether a byte may stand in the scheme of a URL.
func schemeByte(b byte) bool {
	return 'a' <= b && b <= 'z' || '0' <= b && b <= '9' || b == '+' || b == '.' || b == '-'
}

// json takes in the strings and numbers of members that have the names of
// secrets, and what is one in a URL. Of an answer only what looks like a secret is: it says
// "token": "expired" too.
func (k *known) json(body []byte, asked bool) {
	for found := range addresses(body) {
		k.url(found, false)
	}
	take := func(text []byte) {
		if v, ok := jsonspan.Parse(text); ok {
			k.members(text, v, false, asked)
			return
		}
		if !looksJSON(text) {
			return
		}
		for _, value := range brokenSecrets(text) {
			if asked || opaque(value) {
				k.add(value)
			}
		}
	}
	if lines := StreamLines(body); slices.ContainsFunc(lines, func(l StreamLine) bool { return l.Data }) {
		for _, l := range lines {
			if l.Data {
				take(body[l.Value:l.End])
			}
		}
		return
	}
	take(body)
}

// schemed is a member that holds what an Authorization field does.
var schemed = regexp.MustCompile(`(?i)^(?:bearer|basic|token|digest|apikey)[ \t]`)

func (k *known) members(text []byte, v jsonspan.Value, secret, all bool) {
	if secret && (v.Kind == '"' || v.Kind == 0) {
		value := string(text[v.Start:v.End])
		if v.Kind == '"' {
			_ = json.Unmarshal([]byte(value), &value)
		}
		switch {
		case all && schemed.MatchString(value):
			k.credentials(value)
		case all || opaque(value):
			k.add(value)
		}
	}
	for _, item := range v.Items {
		name := item.Name(text)
		k.members(text, item.Value, secret || name == "requestState" || name != "" && classifier.IsSecretName(name, item.Value.Kind == 0), all)
	}
}

// CleanText is [CleanText] for texts of the exchange: it takes out too what the
// exchange shows to be a secret.
func (x *Exchange) CleanText() func(string) string { return knownOf(x).text }

// text is [CleanText] that takes out the known secrets too.
func (k known) text(text string) string { return CleanText(k.without(text)) }

func (k known) without(text string) string {
	for _, secret := range k {
		text = withoutWord(text, secret)
	}
	return text
}

// withoutWord takes out a secret; a short one only where it is a word of its own.
func withoutWord(text, secret string) string {
	if !strings.Contains(text, secret) {
		return text
	}
	var out strings.Builder
	for from := 0; ; {
		at := strings.Index(text[from:], secret)
		if at < 0 {
			return out.String() + text
		}
		end := from + at + len(secret)
		if len(secret) < shortestWithin && (from+at > 0 && letter(text[from+at-1]) || end < len(text) && letter(text[end])) {
			from = end
			continue
		}
		out.WriteString(text[:from+at] + redacted)
		text, from = text[end:], 0
	}
}

func letter(b byte) bool {
	return b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z' || b >= 0x80
}

// head is a head of a body without the known secrets, the last of which may be cut.
func (k known) head(head []byte) []byte {
	text := k.text(string(head))
	for _, secret := range k {
		for n := min(len(secret)-1, len(text)); n >= shortestKnown; n-- {
			if strings.HasSuffix(text, secret[:n]) {
				return []byte(text[:len(text)-n])
			}
		}
	}
	return []byte(text)
}

// id is an id without the known secrets.
func (k known) id(id classifier.ID) classifier.ID {
	if text, ok := id.Text(); ok {
		return classifier.StringID(k.text(text))
	}
	if slices.Contains(k, id.String()) {
		return classifier.IntID(0)
	}
	return id
}
