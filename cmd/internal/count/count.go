// Package count says how many there are of something.
package count

import "fmt"

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
