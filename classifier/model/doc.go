// Package model is a second judge of answers: plain, slow and written the other
// way round from package classifier, of which it uses only the types, so that
// the two are unlikely to err alike. Tests, fuzz targets and the broken judges
// stand on it; a client wants package classifier instead.
//
// Where the classifier makes one pass over bytes, the model goes step by step
// over whole things: it undoes every content coding, tries the text against the
// grammar one code point at a time, grows a tree, and then applies the rules one
// after another in the order in which they are written.
//
//	v := model.Judge{}.Classify(classifier.Call{ID: classifier.IntID(1)}, answer)
//	if diff := model.Diff(v, classifier.Classify(call, answer)); diff != "" { … }
//
// A [Quirk] breaks one rule of the model; the zero Quirk breaks none.
package model
