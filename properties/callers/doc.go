// Package callers checks whatever makes tool calls over several exchanges: how
// often it sends a call, when, under which id, and with what in it, while the
// answers are failures, requests for input, broken streams and redirects.
//
// It is for whoever tests a client, a gateway or an agent's tool loop in Go. What
// is made of a single answer is for package properties. Nothing here judges by
// the reference classifier: what each answer means, and whether it gives leave
// to send again, follows from how the answer was made.
//
// A maker gives a caller whose exchanges all go through a [Line], which is an
// http.RoundTripper and an http.Handler:
//
//	func TestMine(t *testing.T) {
//		callers.Test(t, func(line *callers.Line) callers.Caller {
//			client := mine.New(line.URL(), &http.Client{Transport: line})
//			return func(ctx context.Context, call callers.ToolCall) callers.Told {
//				result, err := client.CallTool(ctx, call.Name, call.Arguments)
//				…
//				return callers.Told{Saw: "SUCCESS"}
//			}
//		})
//	}
//
// Sequences ask for waits of up to a minute. A caller that waits by
// [Line.Sleep] waits in no time; one that waits by package time is run inside
// testing/synctest, where time is virtual as well. [Check] is the same as Test
// and returns an error. rapidprop and gopterprop hold the same as state machines.
//
// What is checked is what a caller must not do. One that never sends a call
// again, and tells a request for input as such, breaks nothing.
package callers
