// Package count says how many there are of something.
package count

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// Of is a number with its noun, such as 1 case and 2 cases. Words may follow
// the noun: 2 faults of the baseline.
func Of[N int | int64](n N, noun string, after ...string) string {
	text := fmt.Sprintf("%d %s", n, noun)
	if n != 1 {
		text += "s"
	}
	for _, words := range after {
		text += " " + words
	}
	return text
}

// Grouped is a number with a comma after each thousand, such as 12,345.
func Grouped[N int | int64](n N) string {
	text := strconv.FormatInt(int64(n), 10)
	first := 0
	if n < 0 {
		first = 1
	}
	for i := len(text) - 3; i > first; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Words are the words that were counted, the most frequent first, and by name
// where two are as frequent.
func Words(counts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
}

// Short is a large number in few characters, such as 12k and 3.4M.
func Short(n float64) string {
	switch {
	case n >= 1e7:
		return fmt.Sprintf("%.0fM", n/1e6)
	case n >= 1e6:
		return fmt.Sprintf("%.1fM", n/1e6)
	case n >= 1e4:
		return fmt.Sprintf("%.0fk", n/1e3)
	case n >= 1e3:
		return fmt.Sprintf("%.1fk", n/1e3)
	}
	return fmt.Sprintf("%.0f", n)
}
