// Package generators makes the answers that a server, a proxy or a network
// could give to a tool call, and knows the right verdict of each by the way in
// which it was made. It never asks a classifier.
//
// It is for whoever tests a judge or a client. It does not judge answers that
// it has not made.
//
// A [Recipe] is the plan of one answer: a small comparable value that prints
// as text, such as "success +status=503 +sse=crlf", and parses back. The
// [Catalogue] holds the faults that a recipe may name; [Default] is the one to
// begin with.
//
//	c := generators.Default()
//	src := generators.NewPlain(1)
//	for range 10000 {
//		r := c.Build(src)
//		answer := c.Render(r) // a corpus.Case with Expect and AlsoAcceptable
//	}
//
//	for r := range c.Singles() { … }    // every fault once
//	for r := range c.Exhaustive() { … } // Singles, Pairs and Cuts: 99,979 recipes
//	for r := range c.Triples() { … }    // every three faults together: 44,889 recipes
//
// The enumerations are the same in every run and on every machine; a test pins
// their numbers for the default catalogue.
package generators
