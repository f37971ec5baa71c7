package count

import "testing"

func TestOf(t *testing.T) {
	for want, got := range map[string]string{
		"0 cases": Of(0, "case"), "1 case": Of(1, "case"), "2 cases": Of(2, "case"),
		"1 fault of the baseline": Of(1, "fault", "of the baseline"), "3 faults of the baseline": Of(3, "fault", "of the baseline"),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
