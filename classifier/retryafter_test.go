package classifier

import (
	"net/http"
	"testing"
)

func TestRetryAfter(t *testing.T) {
	for _, tt := range []struct {
		name  string
		lines []string
		value string
		odd   bool
	}{
		{"absent", nil, "", false},
		{"digits", []string{"120"}, "120", false},
		{"digits with blanks around", []string{" \t7 "}, "7", false},
		{"zero", []string{"0"}, "0", false},
		{"leading zeros", []string{"007"}, "007", false},
		{"far too many digits", []string{"99999999999999999999999999"}, "99999999999999999999999999", false},
		{"IMF-fixdate", []string{"Sun, 06 Nov 1994 08:49:37 GMT"}, "Sun, 06 Nov 1994 08:49:37 GMT", false},
		{"RFC 850", []string{"Sunday, 06-Nov-94 08:49:37 GMT"}, "Sunday, 06-Nov-94 08:49:37 GMT", false},
		{"asctime", []string{"Sun Nov  6 08:49:37 1994"}, "Sun Nov  6 08:49:37 1994", false},
		{"equal lines", []string{"5", " 5"}, "5", false},
		{"differing lines", []string{"5", "6"}, "", true},
		{"equal in value, not in text", []string{"5", "05"}, "", true},
		{"empty", []string{""}, "", true},
		{"blank", []string{" \t"}, "", true},
		{"negative", []string{"-1"}, "", true},
		{"signed", []string{"+1"}, "", true},
		{"fraction", []string{"1.5"}, "", true},
		{"list", []string{"1, 2"}, "", true},
		{"word", []string{"soon"}, "", true},
		{"other digits", []string{"١٢"}, "", true},
		{"RFC 3339", []string{"1994-11-06T08:49:37Z"}, "", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			value, odd := retryAfter(http.Header{"Retry-After": tt.lines})
			if value != tt.value || odd != tt.odd {
				t.Errorf("got %q, %v, want %q, %v", value, odd, tt.value, tt.odd)
			}
		})
	}
}
