// Package properties holds what is true of every right judge of answers to MCP
// tool calls, and finds where a function under test is not one.
//
// Properties are values (see [All]): one that compares a verdict with what is
// known from the way in which the answer was made, and relations that need no
// expected value, such as that the order of members changes nothing. A failure
// proves that the judge is wrong; the absence of one proves little more than
// that none of the faults in the catalogue and the corpus was met.
//
// It is for whoever tests a Go function. Programs in any language are asked by
// properties/subject and driven by properties/runner; rapidprop and gopterprop
// hold the same properties in the idiom of those libraries. Whatever sends calls,
// and perhaps sends them again, is checked by properties/callers.
//
// Most people need one call:
//
//	func TestJudge(t *testing.T) {
//		properties.TestClassifier(t, func(call classifier.Call, a classifier.Answer) classifier.Verdict {
//			return classifier.Verdict{Outcome: mine.Judge(call.ID, a), …}
//		})
//	}
//
// [CheckClassifier] is the same and returns an error. By construction it tries
// all of [generators.Catalogue.Exhaustive], a fixed number of cases, which takes
// a judge written in Go a few seconds, and then random recipes; [Triples] adds
// every three faults together.
//
// A client, which makes the call itself, is tested by [TestClient] and
// [CheckClient] over a real socket.
package properties
