package generators

import "testing"

// Each step of Plainer goes down in the order by which Plainest is sure to end.
func TestPlainerGoesDown(t *testing.T) {
	t.Parallel()
	src := NewPlain(4)
	for range 2000 {
		r := standard.Build(src)
		for s := range standard.Plainer(r) {
			if !s.plainer(&r) || r.plainer(&s) {
				t.Fatalf("%s is not plainer than %s", standard.Format(s), standard.Format(r))
			}
		}
	}
}

func TestPlainest(t *testing.T) {
	t.Parallel()
	outcome := func(want string) func(Recipe) bool {
		d := standard.NewRenderer()
		return func(r Recipe) bool { return d.Render(r).Expect.Outcome.String() == want }
	}
	stray := func(r Recipe) bool {
		made := standard.NewRenderer().Render(r)
		return made.Expect.Outcome.String() == "MALFORMED_JSON" && len(made.Expect.Findings) > 0 && r.Frame.Stream()
	}
	tests := []struct {
		name, recipe string
		fails        func(Recipe) bool
		want         string
	}{
		{"an earlier fault", "rpc-error +status-absurd=0 +space=lines", outcome("HTTP_ERROR"), "success +status=503"},
		{"no fault but the base", "success +iserror-true +sse=cr", outcome("TOOL_ERROR"), "tool-error"},
		{"a field and no fault", "success +media-swapped +cut=20", outcome("NO_FINAL_RESPONSE"), "no-answer"},
		{"two faults where one will do", "success +json-trailing=nul +sse-mark +sse=crlf", stray, "success +media-missing +sse=lf"},
		{"nothing plainer", "success", outcome("TOOL_SUCCESS"), "success"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r, err := standard.Parse(test.recipe)
			if err != nil {
				t.Fatal(err)
			}
			if !test.fails(r) {
				t.Fatalf("%s does not fail", test.recipe)
			}
			if got := standard.Format(standard.Plainest(r, test.fails)); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}
