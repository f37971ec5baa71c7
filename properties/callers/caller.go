package callers

import (
	"context"
	"encoding/json"
	"time"

	"github.com/replyproof/replyproof/classifier"
)

// Caller makes one logical tool call, however many POSTs that takes, and tells
// what came of it. It is used for many calls, by one goroutine at a time, and
// must return soon after ctx ends.
type Caller = func(ctx context.Context, call ToolCall) Told

// Maker makes a caller, connected anew, whose exchanges all go through line.
// What must be closed afterwards is left to [Line.Cleanup].
type Maker = func(line *Line) Caller

// ToolCall is one logical call and what its caller knows of it.
type ToolCall struct {
	// Name and Arguments go into params as they are.
	Name      string
	Arguments json.RawMessage
	// Safety tells whether the call may be repeated without harm.
	Safety classifier.Safety
	// Deadline is when the time for the call is over, by the clock of the line;
	// zero where there is no limit. The context does not end by itself then.
	Deadline time.Time
	// Input gives the answer to a request for input, raw JSON; ok is false for
	// one that cannot be answered. It is nil where no inputs are to be had.
	Input func(key, method string) (answer json.RawMessage, ok bool)
}

// Told is what a caller tells of a call that is over.
type Told struct {
	// Saw is SUCCESS, TOOL_ERROR, INPUT_REQUIRED, RPC_ERROR, ERROR or any outcome
	// of package classifier; several that the caller merges are joined with |.
	Saw string
	// Code is the JSON-RPC code as a JSON number; "" is not compared.
	Code string
}
