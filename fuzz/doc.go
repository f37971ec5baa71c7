// Package fuzz searches for answers on which two judges disagree, in three ways:
// bodies of native fuzz targets, one for each parser and one for the judgement;
// a batch body in which one input drives a thousand generated answers; and
// [Agree], which makes and damages answers by the million, repeatable by seed.
//
// Every search asserts relations: classifier and model agree, the verdict of a
// generated answer is the one known by its making, and the classifier agrees
// with itself however the bytes are cut and in whatever harmless way they are
// written. It is not a test of clients: see package properties for these.
//
// Other repositories, and engines other than Go's own, call a body with the
// seeds that stand beside it:
//
//	func FuzzEnvelope(f *testing.F) {
//		for _, seed := range fuzz.EnvelopeSeeds() {
//			f.Add(seed)
//		}
//		f.Fuzz(func(t *testing.T, data []byte) { fuzz.Envelope(t, data) })
//	}
//
//	stats, err := fuzz.Agree(ctx, fuzz.Plan{Seed: 1, Answers: 10_000_000})
package fuzz

// T is what a body needs of a test; *testing.T is one. Of the relations that a
// body knows it tries one an input, which the input chooses; if the T has a
// method Thorough(), it tries all.
type T interface {
	Helper()
	Errorf(format string, args ...any)
}
