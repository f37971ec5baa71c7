// Package classifier is the reference judge of one answer to one MCP tool call:
// given what came back for an HTTP POST of tools/call, it tells which layer
// failed, whether the result is final, and whether the call may be sent again.
//
// It is for whoever holds an answer: a client, a gateway, a test. It is not an
// MCP client, it sends nothing, and it does not validate a server against the
// whole specification.
//
// Most people need two calls:
//
//	v := classifier.Classify(classifier.Call{ID: classifier.IntID(1)},
//		classifier.Answer{Status: 200, Header: resp.Header, Body: body})
//	if v.Outcome == classifier.ToolSuccess { … }
//
//	v := classifier.Read(ctx, call, resp) // the same from a live response
//
// The rules are numbered as `replyproof explain` tells them: 1 to 9 for one JSON
// answer, S1 to S7 for streams, N for notifications, T for no answer at all.
package classifier
