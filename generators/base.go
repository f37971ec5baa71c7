package generators

import "github.com/replyproof/replyproof/classifier"

// begin makes the plan of a recipe with no fault.
func (p *Plan) begin(r *Recipe) {
	headers := p.Headers[:0]
	*p = Plan{}
	p.Req, p.Status, p.Streamed, p.Headers = &requestIDs[r.ID], 200, r.Frame.Stream(), headers
	p.JSONRPC.Present, p.ID.Present = true, true
	p.style, p.frame, p.split = r.Style, r.Frame, int(r.Frame.SplitAt)-1
	switch r.Base {
	case BaseSuccess, BaseToolError:
		p.Result.Present = true
		p.ResultType.Present = true
		p.Content.Present = true
		p.Say = "ok"
		if r.Base == BaseToolError {
			p.IsError = Member{Present: true, Fact: FactTrue}
			p.Say = "failed"
		}
	case BaseInputRequired:
		p.Result.Present = true
		p.ResultType = Member{Present: true, Fact: FactInput}
		p.InputRequests.Present = true
		p.RequestState.Present = true
		p.Say = "synthetic question"
	case BaseRPCError:
		p.Error.Present = true
		p.Code.Present = true
		p.Message.Present = true
		p.Say = "synthetic invalid params"
	case BaseAccepted:
		p.Notification = true
		p.Status = 202
		p.Media.Kind = MediaMissing
		p.NoBody = true
	case BaseNoAnswer:
		p.Unanswered = true
		p.Ended = classifier.EndedConnect
		p.NoBody = true
	}
}

// the usual code of an error, and how the number styles spell it.
var codeSpellings = [...]string{"-32602", "-32602.0", "-326020e-1", "-32602e0", "-32602.000E+0"}
