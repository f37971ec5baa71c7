package generators

import (
	"strings"

	"github.com/replyproof/replyproof/classifier"
)

// media is a variant whose Content-Type lines hold the fitting media type at %.
type media struct {
	name  string
	lines []string
}

// medias makes variants of Content-Type lines.
func medias(kind MediaKind, broken bool, all ...media) []Variant {
	variants := make([]Variant, len(all))
	for i, m := range all {
		var json, sse []string
		for _, line := range m.lines {
			json = append(json, fitting(line, "application/json"))
			sse = append(sse, fitting(line, "text/event-stream"))
		}
		variants[i] = Variant{Name: m.name, Edit: func(p *Plan) {
			p.Media = Media{Kind: kind, JSON: json, SSE: sse, BrokenParameter: broken}
		}}
	}
	return variants
}

// fitting puts a media type in for %, in capitals for %U, in mixed case for %M,
// with a long s, which Unicode folds to an s, for %S.
func fitting(line, essence string) string {
	mixed := strings.ToUpper(essence[:1]) + essence[1:len(essence)-1] + strings.ToUpper(essence[len(essence)-1:])
	return strings.NewReplacer("%U", strings.ToUpper(essence), "%M", mixed, "%S", strings.Replace(essence, "s", "\u017f", 1), "%", essence).Replace(line)
}

// mediaFaults are the faults of Content-Type.
func mediaFaults() []Fault {
	fault := func(name, doc, effect string, neutral bool, variants []Variant) Fault {
		return Fault{Name: name, Layer: classifier.Transport, Rule: "2", Doc: doc, Effect: effect, Neutral: neutral,
			Parts: PartMedia, Needs: NeedMessage, Variants: variants}
	}
	const unread = "UNEXPECTED_CONTENT_TYPE"
	return []Fault{
		fault("media-missing", "no Content-Type at all", "a JSON body: none, finding content-type-missing; a stream: MALFORMED_JSON, since it is read as JSON", false,
			only(func(p *Plan) { p.Media = Media{Kind: MediaMissing} })),
		fault("media-case", "the media type in capitals", "none", true, medias(MediaOwn, false,
			media{"upper", []string{"%U"}}, media{"mixed", []string{"%M"}})),
		fault("media-space", "spaces and tabs around the media type", "none", true, medias(MediaOwn, false,
			media{"before", []string{" %"}}, media{"after", []string{"%\t ;charset=utf-8"}}, media{"semicolon", []string{"%;"}})),
		fault("media-parameter", "a well-formed parameter, whatever it says", "none; the text is UTF-8 all the same", true, medias(MediaOwn, false,
			media{"utf-8", []string{"%; charset=utf-8"}}, media{"quoted", []string{`%;charset="utf-8"`}}, media{"latin1", []string{"%; charset=iso-8859-1"}},
			media{"utf-16", []string{"%; charset=utf-16"}}, media{"empty-ones", []string{"% ; ; a=b ;;"}}, media{"two", []string{"%; a=b; charset=UTF-8"}},
			media{"quoted-semicolon", []string{`%; a="x;y,z\"w"`}}, media{"high-bytes", []string{"%; a=\"\xc3\xa9\""}})),
		fault("media-parameter-bad", "a malformed parameter", "none; finding content-type-parameter", true, medias(MediaOwn, true,
			media{"no-equals", []string{"%; charset"}}, media{"no-value", []string{"%; charset="}}, media{"no-name", []string{"%; =utf-8"}},
			media{"space-equals", []string{"%; charset =utf-8"}}, media{"open-quote", []string{`%; charset="utf-8`}}, media{"after-quote", []string{`%; a="b"c`}},
			media{"comma", []string{"%; a=b, c"}}, media{"slash", []string{"%; a=b/c"}}, media{"high-byte", []string{"%; a=\xc3\xa9"}}, media{"colon", []string{"%; charset:utf-8"}})),
		fault("media-repeated", "several lines that name the same media type", "none", true, medias(MediaOwn, false,
			media{"twice", []string{"%", "%"}}, media{"cases", []string{"%", "%U; charset=utf-8"}}, media{"thrice", []string{"%;a=b", "%", "% "}})),
		fault("media-conflict", "lines that name different media types", unread, false, medias(MediaConflict, false,
			media{"foreign-last", []string{"%", "text/plain"}}, media{"foreign-first", []string{"text/html", "%"}},
			media{"both", []string{"application/json", "text/event-stream"}}, media{"empty-line", []string{"%", ""}})),
		fault("media-empty", "a Content-Type that names no media type", unread, false, medias(MediaEmpty, false,
			media{"empty", []string{""}}, media{"space", []string{"  "}}, media{"parameter", []string{"; charset=utf-8"}})),
		fault("media-list", "a comma in the media type", unread, false, medias(MediaList, false,
			media{"same", []string{"%, %"}}, media{"foreign", []string{"%, text/plain"}}, media{"trailing", []string{"%,"}}, media{"leading", []string{",%"}}, media{"alone", []string{","}})),
		fault("media-foreign", "a media type that is neither of the two", unread, false, medias(MediaForeign, false,
			media{"text-plain", []string{"text/plain"}}, media{"html", []string{"text/html; charset=utf-8"}}, media{"problem", []string{"application/problem+json"}},
			media{"suffix", []string{"application/mcp+json"}}, media{"json-rpc", []string{"application/json-rpc"}}, media{"text-json", []string{"text/json"}},
			media{"ndjson", []string{"application/x-ndjson"}}, media{"json-seq", []string{"application/json-seq"}}, media{"octets", []string{"application/octet-stream"}},
			media{"no-slash", []string{"json"}}, media{"longer", []string{"application/jsonp"}}, media{"shorter", []string{"application/jso"}},
			media{"star", []string{"*/*"}}, media{"stream-suffix", []string{"text/event-streams"}}, media{"inner-space", []string{"application / json"}},
			media{"nbsp", []string{"%\u00a0"}}, media{"long-s", []string{"%S"}})),
		fault("media-swapped", "application/json over a stream, text/event-stream over a JSON body", "a stream: MALFORMED_JSON; a JSON body: NO_FINAL_RESPONSE", false,
			medias(MediaOther, false, media{"plain", []string{"%"}}, media{"parameter", []string{"%; charset=utf-8"}})),
	}
}
