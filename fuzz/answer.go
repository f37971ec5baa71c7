package fuzz

// Answer judges a whole answer, written as [ParseSample] reads it: status, end,
// header lines, body. Model, classifier and reader must agree.
func Answer(t T, data []byte) {
	t.Helper()
	s := ParseSample(data)
	if len(s.Answer.Header["Content-Encoding"]) > 0 && len(s.Answer.Body) > 16<<10 {
		return // see Coding
	}
	agree(t, s).some(judged.readAgrees, judged.bytewise, judged.adviceIsCautious)
}

// AnswerSeeds are the answers of the corpus.
func AnswerSeeds() [][]byte {
	var all [][]byte
	for _, c := range exchanges() {
		if text := SampleOf(c).String(); len(text) <= largest {
			all = append(all, []byte(text))
		}
	}
	return all
}
