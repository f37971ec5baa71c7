package explanation

import (
	"slices"
	"strings"
)

// longestWord is how long a word may be to be compared, which takes time by its
// length: what is longer was never meant as one of the others.
const longestWord = 200

// Closest gives the words that most resemble one that is none, the nearest
// first, and at most three; none if nothing resembles it.
func Closest(word string, among []string) []string {
	type near struct {
		word string
		far  int
	}
	if len(word) > longestWord {
		return nil
	}
	word = strings.ToLower(word)
	var all []near
	for _, w := range among {
		lower := strings.ToLower(w)
		far := distance(word, lower)
		if strings.Contains(lower, word) || strings.Contains(word, lower) && len(w) > 3 {
			far = min(far, 2)
		}
		if far <= max(2, len(word)/3) {
			all = append(all, near{w, far})
		}
	}
	slices.SortStableFunc(all, func(a, b near) int { return a.far - b.far })
	var words []string
	for _, n := range all {
		if len(words) < 3 && !slices.Contains(words, n.word) {
			words = append(words, n.word)
		}
	}
	return words
}

// distance is the number of letters to insert, remove or change between two words.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
