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
