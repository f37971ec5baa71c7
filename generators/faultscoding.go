package generators

import "github.com/replyproof/replyproof/classifier"

// coded is a variant under a coding that can be undone.
func coded(name string, chain []Coder, lines ...string) Variant {
	return Variant{Name: name, Edit: func(p *Plan) { p.Coding = Coding{Lines: lines, Chain: chain} }}
}

// damaged is a variant whose coded bytes are damaged or end early; hidden if
// that comes before the first byte of the text.
func damaged(name, line string, coder Coder, fact CodingFact, hidden bool, d Damage) Variant {
	lines, chain := []string{line}, []Coder{coder}
	if coder == 0 {
		chain = nil
	}
	return Variant{Name: name, Edit: func(p *Plan) {
		p.Coding = Coding{Lines: lines, Chain: chain, Fact: fact, Hidden: hidden, Damage: d}
	}}
}

// codingFaults are the faults of Content-Encoding.
func codingFaults() []Fault {
	fault := func(name, doc, effect string, neutral bool, parts Part, variants ...Variant) Fault {
		return Fault{Name: name, Layer: classifier.Transport, Rule: "2", Doc: doc, Effect: effect, Neutral: neutral,
			Parts: parts, Needs: NeedMessage, Variants: variants}
	}
	var (
		gzip = []Coder{CoderGzip}
		zlib = []Coder{CoderZlib}
		raw  = []Coder{CoderRaw}
	)
	const hurt = PartCoding | PartDamage | PartEnd
	unread := "UNEXPECTED_CONTENT_TYPE, unless a stream had delivered the response"
	return []Fault{
		fault("coding-identity", "a coding that does nothing", "none", true, PartCoding,
			coded("identity", nil, "identity"), coded("empty", nil, ""), coded("case", nil, "Identity"), coded("commas", nil, ", identity,"), coded("twice", nil, "identity", "")),
		fault("coding-gzip", "a gzip body", "none", true, PartCoding,
			coded("gzip", gzip, "gzip"), coded("x-gzip", gzip, "x-gzip"), coded("case", gzip, "GZip"), coded("space", gzip, " gzip\t"),
			coded("identity", gzip, "identity, gzip"), coded("lines", gzip, "gzip", "identity"), coded("fields", []Coder{CoderGzipNamed}, "gzip")),
		fault("coding-gzip-members", "two gzip members", "none", true, PartCoding, coded("", []Coder{CoderGzipTwo}, "gzip")),
		fault("coding-deflate", "a deflate body, with its zlib header or without", "none", true, PartCoding,
			coded("zlib", zlib, "deflate"), coded("raw", raw, "deflate"), coded("case", zlib, "Deflate")),
		fault("coding-several", "one coding over the other", "none", true, PartCoding,
			coded("deflate-gzip", []Coder{CoderZlib, CoderGzip}, "deflate, gzip"), coded("gzip-gzip", []Coder{CoderGzip, CoderGzip}, "gzip,gzip"),
			coded("lines", []Coder{CoderGzip, CoderRaw}, "gzip", "deflate"), coded("three", []Coder{CoderGzip, CoderZlib, CoderGzip}, "x-gzip", "deflate, gzip")),
		fault("coding-unknown", "a coding that nobody knows", unread, false, PartCoding|PartDamage,
			unknown("compress", "compress"), unknown("word", "rot13"), unknown("star", "*"), unknown("quoted", `"gzip"`), unknown("parameter", "gzip;q=1"), unknown("space", "gz ip"),
			unknown("first", "rot13, gzip"), unknown("last", "gzip, rot13"), unknown("utf-8", "utf-8"), unknown("chunked", "chunked"), unknown("second-line", "identity", "rot13")),
		fault("coding-claimed", "a coding named in the header and never applied", unread, false, hurt,
			damaged("gzip", "gzip", 0, CodingDamaged, true, Damage{}), damaged("twice", "gzip, gzip", CoderGzip, CodingDamaged, true, Damage{})),
		fault("coding-damaged", "coded bytes that are damaged", unread, false, hurt,
			damaged("magic", "gzip", CoderGzip, CodingDamaged, true, Damage{Flip: 1}), damaged("method", "gzip", CoderGzip, CodingDamaged, true, Damage{Flip: 3}),
			damaged("block-type", "gzip", CoderGzip, CodingDamaged, true, Damage{Flip: 11}), damaged("block-length", "gzip", CoderGzip, CodingDamaged, true, Damage{Flip: 14}),
			damaged("raw-block", "deflate", CoderRaw, CodingDamaged, true, Damage{Flip: 5})),
		fault("coding-checksum", "a checksum or length that does not fit", unread, false, hurt,
			damaged("gzip", "gzip", CoderGzip, CodingDamaged, false, Damage{Flip: -5}), damaged("gzip-length", "gzip", CoderGzip, CodingDamaged, false, Damage{Flip: -1}),
			damaged("zlib", "deflate", CoderZlib, CodingDamaged, false, Damage{Flip: -1})),
		fault("coding-trailing", "bytes after the end of the coded data", unread, false, hurt,
			damaged("text", "gzip", CoderGzip, CodingDamaged, false, Damage{Append: "trailing bytes"}), damaged("zeros", "gzip", CoderGzip, CodingDamaged, false, Damage{Append: "\x00\x00\x00\x00"}),
			damaged("zlib", "deflate", CoderZlib, CodingDamaged, false, Damage{Append: "x"}), damaged("lf", "gzip", CoderGzip, CodingDamaged, false, Damage{Append: "\n"})),
		fault("coding-truncated", "coded data that end early, in a body that arrives whole", "NO_FINAL_RESPONSE, unless a stream had delivered the response", false, hurt,
			damaged("checksum", "gzip", CoderGzip, CodingEarly, false, Damage{Drop: 8}), damaged("length", "gzip", CoderGzip, CodingEarly, false, Damage{Drop: 1}),
			damaged("header", "gzip", CoderGzip, CodingEarly, true, Damage{Drop: -1, Keep: 5}), damaged("block", "gzip", CoderGzip, CodingEarly, true, Damage{Drop: -1, Keep: 12}),
			damaged("zlib", "deflate", CoderZlib, CodingEarly, false, Damage{Drop: 4}), damaged("member", "gzip", CoderGzip, CodingEarly, false, Damage{Append: "\x1f\x8b\x08\x00"}),
			damaged("raw-block", "deflate", CoderRaw, CodingEarly, true, Damage{Drop: -1, Keep: 3})),
		{Name: "coding-empty", Layer: classifier.Transport, Rule: "2", Doc: "an empty body under a coding", Effect: "none: no bytes are an empty body", Neutral: true,
			Parts: PartCoding | PartEnd | PartDamage, Needs: NeedNotification, Variants: []Variant{
				{Name: "gzip", Edit: func(p *Plan) { p.Coding.Lines = []string{"gzip"} }},
				{Name: "unknown", Edit: func(p *Plan) { p.Coding = Coding{Lines: []string{"rot13"}, Fact: CodingUnknown} }},
				{Name: "gzip-of-nothing", Edit: func(p *Plan) {
					p.NoBody, p.Text.Replaced, p.Text.Whole, p.Streamed = false, true, "", false
					p.Coding = Coding{Lines: []string{"gzip"}, Chain: gzip}
				}},
			}},
	}
}

func unknown(name string, lines ...string) Variant {
	return Variant{Name: name, Edit: func(p *Plan) { p.Coding = Coding{Lines: lines, Fact: CodingUnknown} }}
}
