package runner

import (
	"testing"

	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/generators"
	"github.com/replyproof/replyproof/properties/subject"
)

// A client of an earlier protocol version is not judged by resultType, which it
// does not know; what is decided before that, and a result without it, it gets.
func TestFitOfEarlierVersions(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		id, version string
		fit         bool
	}{
		{"article/input-required", "2026-07-28", true},
		{"article/input-required", "", true},
		{"article/input-required", "2025-11-25", false},
		{"result/type-other", "2026-07-28", true},
		{"result/type-other", "2025-11-25", false},
		{"article/legacy-result-type-absent", "2025-11-25", true},
		{"article/explicit-http-503-then-200", "2025-11-25", true},
		{"result/structured-array", "2025-11-25", false},
		{"result/structured-null", "2025-11-25", false},
		{"result/structured-null", "2026-07-28", true},
		{"result/structured-null", "", true},
		{"real/go-sdk-legacy-json-structured", "2025-11-25", true},
	} {
		c, ok := corpus.ByID(test.id)
		if !ok {
			t.Fatalf("%s is gone", test.id)
		}
		about := subject.Info{Kind: subject.KindClient, ProtocolVersion: test.version, Tells: subject.AllOutcomes()}
		if why := unfit(c, about); (why == "") != test.fit {
			t.Errorf("%s for %q: got %q, want fit %t", test.id, test.version, why, test.fit)
		}
		about.Kind = subject.KindClassifier
		if why := unfit(c, about); why != "" && len(c.Then) == 0 {
			t.Errorf("%s for a classifier: got %q, want none", test.id, why)
		}
	}
}

// Where the verdict that may be told instead hangs on resultType, it is the same.
func TestFitOfWhatMayBeToldInstead(t *testing.T) {
	t.Parallel()
	catalogue := generators.Default()
	for recipe, fit := range map[string]bool{
		"success +media-foreign=html":                                        true,
		"success +media-foreign=html +resulttype-wrong=other":                false,
		"input-required +media-foreign=html":                                 false,
		"success +resulttype-wrong=other +sse-unterminated=line-end +sse=lf": false,
		"success +status=503 +resulttype-wrong=other":                        true,
		"success +structured=null":                                           false,
		"tool-error +structured=array +escape=all +sse=mixed":                false,
		"success +structured=zero +coding-gzip +space=lines +sse=cr":         false,
		"success +structured=result":                                         true,
		"success +structured=null +status=503":                               true,
		"success +structured=null +media-foreign=html":                       false,
		"success +content-absent-structured=array":                           false,
		"success +content-absent-structured=object":                          true,
	} {
		r, err := catalogue.Parse(recipe)
		if err != nil {
			t.Error(err)
			continue
		}
		about := subject.Info{Kind: subject.KindClient, ProtocolVersion: "2025-11-25", Tells: subject.AllOutcomes()}
		if why := unfit(catalogue.Render(r), about); (why == "") != fit {
			t.Errorf("%s: got %q, want fit %t", recipe, why, fit)
		}
	}
}
