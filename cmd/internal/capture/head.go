package capture

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// A body that is not kept is cut anywhere, so its head cannot be read as JSON:
// a name or a text in it that is escaped, or spread over the data lines of an
// event, hides from the rules that look at plain text. What can be written
// plainly is, and what is left in doubt is taken out whole.

// HeadSeen is how much of a body [Head] looks at, in bytes: a secret that the cut
// would go through must be seen whole.
const HeadSeen = HeadSize + 4096

// headEdge is how much is dropped of what ends where the looking did, in bytes,
// since a secret may have been cut there.
const headEdge = 256

var (
	escaped = regexp.MustCompile(`\\u[0-9A-Fa-f]{4}|\\/`)
	// nameEnd is what stands between a name and its value, over lines.
	nameEnd = regexp.MustCompile(`"[ \t\r]*(?:\n[ \t\r\n]*:|:[ \t\r]*\n)[ \t\r\n]*`)
	colon   = regexp.MustCompile(`^"\s*:`)
)

// Head is how a body begins, as far as it is kept of one that is not: sanitised
// unless it is to be raw. Of a sanitised one every text with an escape that
// stands for no plain character is taken out, and so are the data of an event
// that is spread over lines.
func Head(body []byte, raw bool) []byte { return headOf(body, raw, nil) }

func headOf(body []byte, raw bool, k known) []byte {
	seen := body[:min(len(body), HeadSeen)]
	text := string(seen)
	if !raw {
		text = k.cleanHead(text)
		if len(body) >= HeadSeen {
			text = text[:max(len(text)-headEdge, 0)]
		}
	}
	return []byte(text[:min(len(text), HeadSize)])
}

func (k known) cleanHead(text string) string {
	text = withoutSpread(text)
	text = escaped.ReplaceAllStringFunc(text, plainEscape)
	text = nameEnd.ReplaceAllString(text, `": `)
	return k.text(withoutEscaped(text))
}

// plainEscape is the character that an escape stands for, or the escape itself
// if that could not stand in a text as it is.
func plainEscape(escape string) string {
	if escape == `\/` {
		return "/"
	}
	n, err := strconv.ParseUint(escape[2:], 16, 16)
	if r := rune(n); err == nil && r != '"' && r != '\\' && (r == ' ' || unicode.IsGraphic(r)) {
		return string(r)
	}
	return escape
}

// withoutEscaped takes out every stretch from one quote to the next that holds a
// backslash, be it in a text or between two: in a cut or broken body nothing
// tells. A name that is taken out is replaced by that of a secret, so that its
// value goes too.
func withoutEscaped(text string) string {
	var out strings.Builder
	for len(text) > 0 {
		end := 0
		for end < len(text) && text[end] != '"' {
			if text[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end, len(text))
		piece, rest := text[:end], text[end:]
		switch {
		case !strings.Contains(piece, `\`):
			out.WriteString(piece)
		case colon.MatchString(rest):
			out.WriteString("redacted_secret")
		default:
			out.WriteString(redacted)
		}
		if rest != "" {
			out.WriteByte('"')
			rest = rest[1:]
		}
		text = rest
	}
	return out.String()
}

// withoutSpread takes out the data of every event of a stream that has more than
// one line of data.
func withoutSpread(text string) string {
	body := []byte(text)
	lines := StreamLines(body)
	var out []byte
	for i := 0; i < len(lines); {
		end, data := i, 0 // of the event
		for ; end < len(lines); end++ {
			if lines[end].Data {
				data++
			}
			if lines[end].Start == lines[end].End {
				end++
				break
			}
		}
		for _, l := range lines[i:end] {
			if l.Data && data > 1 {
				out = append(append(append(out, body[l.Start:l.Value]...), redacted...), body[l.End:l.Next]...)
				continue
			}
			out = append(out, body[l.Start:l.Next]...)
		}
		i = end
	}
	return string(out)
}
