package corpus

import (
	"reflect"
	"testing"
)

// Answers gives what Case.Answer gives, whatever came before.
func TestAnswersAreThoseOfTheCases(t *testing.T) {
	t.Parallel()
	var m Answers
	for range 2 {
		for _, c := range All() {
			for _, exchange := range c.Exchanges() {
				if exchange.Status == nil {
					continue
				}
				if got, want := m.Answer(&exchange), exchange.Answer(); !reflect.DeepEqual(got, want) {
					t.Errorf("%s: got %+v, want %+v", c.ID, got, want)
				}
			}
		}
	}
}
