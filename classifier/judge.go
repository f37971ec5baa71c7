package classifier

import (
	"strconv"

	"github.com/replyproof/replyproof/classifier/internal/scan"
)

// judge is rules 5 to 9 on a text that was read.
func (v *Verdict) judge(id ID, e *envelope) {
	switch e.state {
	case textEmpty:
		v.malformed(ReasonJSONEmpty, e.offset)
		return
	case textSyntax:
		v.malformed(ReasonJSONSyntax, e.offset)
		return
	case textTrailing:
		v.malformed(ReasonJSONTrailing, e.offset)
		return
	}
	if e.odd {
		if e.badUTF8 >= 0 {
			v.find(FindingBadUTF8, e.badUTF8, "")
		}
		if e.halfPair >= 0 {
			v.find(FindingLoneSurrogate, e.halfPair, "")
		}
		if e.depth >= 0 {
			v.find(FindingDeepNesting, e.depth, "")
		}
	}
	v.judgeEnvelope(id, e)
}

func (v *Verdict) malformed(r Reason, offset int) {
	v.settle(MalformedJSON, r)
	v.SyntaxOffset = int64(offset)
}

// judgeEnvelope is rule 6.
func (v *Verdict) judgeEnvelope(id ID, e *envelope) {
	if e.kind != scan.Object {
		v.settle(InvalidEnvelope, ReasonNotObject)
		return
	}
	if e.twice.name != "" {
		v.findTwice("/", e.twice)
	}
	v.ID = e.raw(e.id)
	hasResult, hasError := e.result.Kind != scan.None, e.err.Kind != scan.None
	switch {
	case !e.isVersion2():
		v.settle(InvalidEnvelope, ReasonJSONRPCVersion)
	case e.id.Kind == scan.None:
		v.settle(InvalidEnvelope, ReasonIDMissing)
		v.detailError(e)
	case !e.hasID(id):
		v.settle(InvalidEnvelope, ReasonIDMismatch)
		if e.id.Kind == scan.Null {
			v.detailError(e)
		}
	case hasResult && hasError:
		v.settle(InvalidEnvelope, ReasonResultAndError)
	case hasError:
		v.judgeError(e)
	case hasResult:
		v.judgeResult(e)
	default:
		v.settle(InvalidEnvelope, ReasonNeitherResultNorError)
	}
}

// detailError keeps the error of a response that lacks an id readable.
func (v *Verdict) detailError(e *envelope) {
	if e.result.Kind == scan.None && e.errorFault() == 0 {
		v.Error = e.rpcError()
	}
}

// judgeError is rule 8.
func (v *Verdict) judgeError(e *envelope) {
	if e.err.Kind == scan.Object {
		if e.rpc.twice.name != "" {
			v.findTwice("/error/", e.rpc.twice)
		}
	}
	if reason := e.errorFault(); reason != 0 {
		v.settle(InvalidEnvelope, reason)
		return
	}
	v.settle(JSONRPCError, ReasonRPCError)
	v.Error = e.rpcError()
}

// judgeResult is rule 9.
func (v *Verdict) judgeResult(e *envelope) {
	if e.result.Kind != scan.Object {
		v.settle(InvalidToolResult, ReasonResultNotObject)
		return
	}
	m := &e.res
	if m.twice.name != "" {
		v.findTwice("/result/", m.twice)
	}
	v.ResultType = e.raw(m.resultType)
	if m.resultType.Kind == scan.None {
		v.find(FindingResultTypeMissing, -1, "/result")
	} else if string(v.ResultType) != `"complete"` && !e.is(m.resultType, `"complete"`) {
		if e.is(m.resultType, `"input_required"`) {
			v.judgeInputRequired(e)
		} else {
			v.settle(InvalidToolResult, ReasonResultType)
		}
		return
	}
	switch {
	case m.content == scan.None:
		v.settle(InvalidToolResult, ReasonContentMissing)
	case m.content != scan.Array:
		v.settle(InvalidToolResult, ReasonContentNotArray)
	case m.isError == scan.True:
		v.settle(ToolError, ReasonToolError)
		v.findContent(m)
	case m.isError == scan.False || m.isError == scan.None:
		v.settle(ToolSuccess, ReasonToolSuccess)
		v.findContent(m)
	default:
		v.settle(InvalidToolResult, ReasonIsErrorNotBoolean)
	}
}

func (v *Verdict) findContent(m *resultMembers) {
	if m.items.odd {
		v.find(FindingContentItem, m.items.itemA, "/result/content/"+strconv.Itoa(m.items.item))
	}
	if m.meta == scan.Null {
		v.find(FindingNullOptional, m.metaAt, "/result/_meta")
	} else if m.items.null != "" {
		v.find(FindingNullOptional, m.items.nullAt, "/result/content/"+strconv.Itoa(m.items.nullItem)+"/"+m.items.null)
	}
}

func (v *Verdict) findTwice(parent string, d duplicate) {
	v.find(FindingDuplicateMember, d.at, parent+d.name)
}
