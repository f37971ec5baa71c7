package generators

import "github.com/replyproof/replyproof/classifier"

func idOf(p *Plan) *Member { return &p.ID }

// idFaults are the faults of the response's id.
func idFaults() []Fault {
	fault := func(name, doc, effect string, needs Need, variants []Variant) Fault {
		return Fault{Name: name, Layer: classifier.Protocol, Rule: "7", Doc: doc, Effect: effect, Parts: PartID, Needs: needs | NeedMessage, Variants: variants}
	}
	neutral := func(f Fault) Fault { f.Neutral = true; return f }
	return []Fault{
		fault("id-absent", "no id", invalid+" (id-missing); of an error the code stays readable", 0, absent(idOf)),
		fault("id-null", "id is null", invalid+" (id-mismatch); of an error the code stays readable", 0, set(idOf, FactNull, aNull)),
		fault("id-type", "an id of a type that no request has", invalid, 0, append(set(idOf, FactBad, aTrue, aFalse, anArray, anObject),
			holding("array-of-one", "[", "]"), holding("object-of-one", `{"id":`, "}"))),
		fault("id-other-type", "the request's id as the other type: the string 1 for the integer 1, and the reverse", invalid, 0, only(func(p *Plan) {
			p.ID.Fact, p.ID.Value = FactBad, p.Req.Other
		})),
		fault("id-near", "the id beside the request's", invalid, 0, only(func(p *Plan) { p.ID.Fact, p.ID.Value = FactBad, p.Req.Near })),
		fault("id-other", "an id of another call", invalid, 0, set(idOf, FactBad,
			value{"number", "990099"}, value{"string", `"somebody-else"`}, value{"fraction", "990099.5"}, value{"huge", "1e999999"},
			value{"negative", "-990099"}, value{"exponent", "990099e1"}, value{"tenth", "99009.9"})),
		neutral(fault("id-spelling", "the request's integer id as another number of the same value", "none", NeedIntegerID, []Variant{
			spelling("point", ".0", ""), spelling("exponent", "e0", ""), spelling("tenths", "0e-1", "e-1"), spelling("capital", "E+0", ""), spelling("zeros", ".000000", ""),
			spelling("long-zeros", ".0000000000000000000000000", ""), spelling("far", "00000e-5", "e-99999999999999999999"),
			{Name: "minus-zero", Needs: NeedFixedID, Edit: func(p *Plan) { p.Req, p.ID.Value = &requestIDs[IDZero], "-0" }}})),
		fault("id-spelling-near", "another number that is spelled much like the request's integer id", invalid, NeedIntegerID, []Variant{
			misspelling("tenth", ".1"), misspelling("ten", "0"), misspelling("hundred", "12e1")}),
		fault("id-beyond-double", "an integer that differs from the request's where doubles do not", invalid+"; a third party may take it for the id", NeedFixedID, []Variant{
			rounded("next", IDLarge, "9007199254740993"), rounded("fraction", IDOne, "1.00000000000000000001"), rounded("fraction-below", IDOne, "0.99999999999999999999"),
			rounded("large-fraction", IDLarge, "9007199254740992.5"), rounded("tiny", IDZero, "1e-400")}),
		neutral(fault("id-text-escaped", "the request's string id written with escapes", "none", NeedFixedID, []Variant{
			ofText("first", FactGood, `"\u0063all-1"`), ofText("all", FactGood, `"\u0063\u0061\u006C\u006c\u002D\u0031"`), ofText("last", FactGood, `"call-\u0031"`)})),
		fault("id-text-near", "a string much like the request's string id", invalid, NeedFixedID, []Variant{
			ofText("title", FactBad, `"Call-1"`), ofText("upper", FactBad, `"CALL-1"`), ofText("space", FactBad, `" call-1"`), ofText("space-after", FactBad, `"call-1 "`),
			ofText("shorter", FactBad, `"call-"`), ofText("longer", FactBad, `"call-10"`), ofText("nul", FactBad, `"call-1\u0000"`), ofText("full-width", FactBad, "\"call-\uff11\""),
			ofText("escape-shown", FactBad, `"\\u0063all-1"`), ofText("quoted", FactBad, `"\"call-1\""`)}),
		neutral(fault("id-escaped", "the name id written with escapes", "none", 0, spelled(idOf, value{"first", `\u0069d`}, value{"all", `\u0069\u0064`}, value{"capital-hex", `i\u0064`}))),
		fault("id-misspelt", "the id under another name", invalid, NeedFixedID, misspelt(idOf, func(p *Plan) string { return p.Req.Raw },
			value{"upper", "ID"}, value{"title", "Id"}, value{"dotless", "\u0131d"}, value{"request", "requestId"}, value{"space", "id "})),
		neutral(fault("id-doubled", "the id twice, the request's last", "none; finding duplicate-member of /id", 0, append(
			earlier(idOf, "", value{"other", "990099"}, aNull, value{"type", "[]"}),
			append(earlier(idOf, `\u0069d`, value{"escaped", "990099"}), Variant{Name: "same", Needs: NeedFixedID, Edit: func(p *Plan) { p.ID.Earlier = p.Req.Raw }})...))),
		fault("id-doubled-wrong", "the id twice, another one last", invalid+"; finding duplicate-member of /id", NeedFixedID, append(
			later(idOf, func(p *Plan) string { return p.Req.Raw }, FactBad, value{"other", "990099"}, value{"type", "{}"}),
			append(later(idOf, func(p *Plan) string { return p.Req.Raw }, FactNull, aNull),
				laterEscaped(idOf, func(p *Plan) string { return p.Req.Raw }, FactBad, `i\u0064`, "990099"))...)),
	}
}

// holding writes the id inside an array or an object.
func holding(name, before, after string) Variant {
	return Variant{Name: name, Edit: func(p *Plan) { p.ID.Fact, p.ID.Value = FactBad, before+p.Req.Raw+after }}
}

// ofText writes the id of a request whose id is a string.
func ofText(name string, fact Fact, raw string) Variant {
	return Variant{Name: name, Edit: func(p *Plan) {
		p.Req, p.ID.Fact, p.ID.Value = &requestIDs[IDText], fact, raw
	}}
}

// spelling writes the integer id with something after its digits; zero has its own.
func spelling(name, after, afterZero string) Variant {
	return Variant{Name: name, Edit: func(p *Plan) {
		if p.Req.Raw == "0" && afterZero != "" {
			p.ID.Value = p.Req.Raw + afterZero
			return
		}
		p.ID.Value = p.Req.Raw + after
	}}
}

// misspelling writes the integer id with something after its digits that changes its value.
func misspelling(name, after string) Variant {
	return Variant{Name: name, Edit: func(p *Plan) {
		raw := p.Req.Raw
		if raw == "0" {
			raw = "3"
		}
		p.ID.Fact, p.ID.Value = FactBad, raw+after
		p.ID.Rounded = len(raw) > 15 && after[0] == '.'
	}}
}

// rounded is an id that a double cannot tell from the request's, which becomes one of the given kind.
func rounded(name string, kind IDKind, raw string) Variant {
	return Variant{Name: name, Edit: func(p *Plan) {
		p.Req = &requestIDs[kind]
		p.ID = Member{Present: true, Fact: FactBad, Value: raw, Rounded: true}
	}}
}
