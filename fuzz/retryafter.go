package fuzz

import (
	"net/http"
	"slices"
	"strings"

	"github.com/replyproof/replyproof/classifier"
)

// RetryAfter judges an answer with a status outside 2xx that the first byte
// chooses, and with the rest, split at line feeds, as its Retry-After lines.
// Model, classifier and reader must agree, the value must be kept or noted as
// the grammar says, and no advice may repeat a call whose side effects are
// unknown.
func RetryAfter(t T, data []byte) {
	t.Helper()
	s := refused(data)
	lines := s.Answer.Header["Retry-After"]
	j := agree(t, s)
	j.readAgrees()
	value := strings.Trim(lines[0], " \t")
	valid := retryValue(value) && !slices.ContainsFunc(lines, func(l string) bool { return strings.Trim(l, " \t") != value })
	j.holds(valid == (j.v.RetryAfter != "") && valid != j.v.Has(classifier.FindingRetryAfter), "Retry-After is kept or noted", s, &j.v)
	j.adviceIsCautious()
}

// refused is the answer that data stands for.
func refused(data []byte) Sample {
	status := 503
	if len(data) > 0 {
		status, data = 300+int(data[0])*2, data[1:]
	}
	return Sample{Call: classifier.Call{ID: classifier.IntID(1)}, Answer: classifier.Answer{
		Status: status, Header: map[string][]string{"Retry-After": fieldLines(data), "Date": {"Wed, 21 Oct 2026 07:28:00 GMT"}},
	}}
}

// retryValue is the grammar of Retry-After, in other words than the classifier's.
func retryValue(s string) bool {
	if s == "" {
		return false
	}
	if strings.Trim(s, "0123456789") == "" {
		return true
	}
	_, err := http.ParseTime(s)
	return err == nil
}

// RetryAfterSeeds are the values that damage is made from, and those of the corpus.
func RetryAfterSeeds() [][]byte {
	var all [][]byte
	for i, seed := range fieldSeeds("Retry-After", retries) {
		all = append(all, append([]byte{byte(50 + i%106)}, seed...)) // statuses 400 to 610
	}
	return all
}
