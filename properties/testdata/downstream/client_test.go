package downstream

import (
	"context"
	"net/http"
	"testing"

	"github.com/leanovate/gopter"

	"github.com/replyproof/replyproof/fuzz"
	"github.com/replyproof/replyproof/properties/callers"
	"github.com/replyproof/replyproof/properties/gopterprop"
	"github.com/replyproof/replyproof/properties/rapidprop"
)

// words are the words of replyproof for the kinds.
var words = map[Kind]string{Failed: "ERROR", Success: "SUCCESS", ToolFail: "TOOL_ERROR", Question: "INPUT_REQUIRED", RPCError: "RPC_ERROR"}

// newCaller is the client as replyproof asks it.
func newCaller(line *callers.Line) callers.Caller {
	client := &Client{URL: line.URL(), HTTP: &http.Client{Transport: line}}
	return func(ctx context.Context, call callers.ToolCall) callers.Told {
		j, err := client.Call(ctx, call.Name, call.Arguments)
		if err != nil {
			return callers.Told{Saw: "ERROR"}
		}
		return callers.Told{Saw: words[j.Kind], Code: j.Code}
	}
}

func TestClient(t *testing.T) {
	callers.Test(t, newCaller)
}

func TestClientRapid(t *testing.T) {
	rapidprop.CheckCaller(t, newCaller)
}

func TestClientGopter(t *testing.T) {
	properties := gopter.NewProperties(gopter.DefaultTestParametersWithSeed(1))
	properties.Property("calls", gopterprop.Callers(newCaller))
	properties.TestingRun(t)
}

func FuzzClient(f *testing.F) {
	for _, seed := range fuzz.ChoicesSeeds() {
		f.Add(seed)
	}
	body := callers.FuzzChoices(newCaller)
	f.Fuzz(func(t *testing.T, data []byte) { body(t, data) })
}
