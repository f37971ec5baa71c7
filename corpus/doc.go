// Package corpus holds answers to MCP tool calls frozen as data: the form in
// which every part of the project hands an answer on, the cases that the
// project ships, and what it takes to load, check, write and convert them.
//
// It is for whoever wants known answers with known verdicts: to test a client,
// a gateway or a judge in any language. It makes no answers up (that is what
// package generators does) and plays none (that is what properties does).
//
// Most people need two calls:
//
//	for _, c := range corpus.All() { … c.Answer() … c.Expect … }
//
//	cases, err := corpus.Load(os.DirFS("testdata"), "*.json") // your own, checked as strictly
//
// The format is described in the folder's README.md and in schema.json.
package corpus
