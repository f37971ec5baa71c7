package corpus_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	_ "github.com/replyproof/replyproof/classifier/codings"
	"github.com/replyproof/replyproof/corpus"
)

func TestShippedCasesAreJudgedAsTheyExpect(t *testing.T) {
	t.Parallel()
	for _, d := range corpus.Verify(corpus.All()) {
		t.Error(d.Error())
	}
}

func TestShippedCasesAreComplete(t *testing.T) {
	t.Parallel()
	for _, c := range corpus.All() {
		if c.Rule == "" || !strings.Contains(c.ID, "/") {
			t.Errorf("%s: got rule %q, want a rule, and an id with a group", c.ID, c.Rule)
		}
		if got, ok := corpus.ByID(c.ID); !ok || got.Why != c.Why {
			t.Errorf("ByID(%q): got %v, want the case itself", c.ID, ok)
		}
		for i, e := range c.Exchanges() {
			if e.Expect == nil || e.Expect.Reason == "" || e.Expect.Findings == nil {
				t.Errorf("%s exchange %d: got %+v, want layer, outcome, reason and findings", c.ID, i, e.Expect)
			}
		}
	}
	if _, ok := corpus.ByID("no/such-case"); ok {
		t.Error("ByID found a case that is not there")
	}
}

// Each word of the closed lists must be expected by a case, so that a rule that
// nobody shows is noticed.
func TestEveryWordIsExpectedByACase(t *testing.T) {
	t.Parallel()
	expected := make(map[string]bool)
	for _, c := range corpus.All() {
		for _, e := range c.Exchanges() {
			expected["reason "+e.Expect.Reason] = true
			expected["outcome "+e.Expect.Outcome.String()] = true
			expected["advice "+e.Expect.Advice] = true
			expected["ended "+e.Answer().Ended.String()] = true
			for _, name := range e.Expect.Findings {
				expected["finding "+name] = true
			}
		}
		for _, rule := range strings.Split(c.Rule, ", ") {
			expected["rule "+rule] = true
		}
	}
	var want []string
	for _, entry := range classifier.Reasons() {
		want = append(want, "reason "+entry.Name)
	}
	for _, entry := range classifier.Findings() {
		want = append(want, "finding "+entry.Name)
	}
	for _, outcome := range classifier.Outcomes() {
		want = append(want, "outcome "+outcome.String())
	}
	for _, end := range []string{"eof", "reset", "deadline", "connect", "tls", "size-limit", "cancelled"} {
		want = append(want, "ended "+end)
	}
	for _, rule := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "S1", "S2", "S3", "S4", "S5", "S6", "S7", "N", "T"} {
		want = append(want, "rule "+rule)
	}
	for _, word := range corpus.AdviceWords() {
		if word != "wait-and-retry" { // never while side effects are unknown
			want = append(want, "advice "+word)
		}
	}
	for _, word := range want {
		if !expected[word] {
			t.Errorf("no case expects %s", word)
		}
	}
	if expected["advice wait-and-retry"] {
		t.Error("a case expects wait-and-retry, which is never the advice while side effects are unknown")
	}
}

func TestAdviceWordsAreTheActions(t *testing.T) {
	t.Parallel()
	for _, word := range corpus.AdviceWords() {
		var action classifier.Action
		if err := action.UnmarshalText([]byte(word)); err != nil {
			t.Errorf("advice %s: got %v, want an action of package classifier", word, err)
		}
	}
	if got := len(corpus.AdviceWords()); got != int(classifier.WaitAndRetry) {
		t.Errorf("got %d advice words, want as many as there are actions, %d", got, classifier.WaitAndRetry)
	}
}

func TestArticleCasesAreThere(t *testing.T) {
	t.Parallel()
	want := map[string]classifier.Outcome{
		"article/baseline-complete":          classifier.ToolSuccess,
		"article/explicit-http-503-then-200": classifier.HTTPError,
		"article/jsonrpc-error":              classifier.JSONRPCError,
		"article/tool-is-error":              classifier.ToolError,
		"article/transport-precedence":       classifier.HTTPError,
		"article/malformed-json":             classifier.MalformedJSON,
		"article/conflicting-envelope":       classifier.InvalidEnvelope,
		"article/wrong-response-id":          classifier.InvalidEnvelope,
		"article/input-required":             classifier.InputRequired,
		"article/legacy-result-type-absent":  classifier.ToolSuccess,
		"article/invalid-tool-result":        classifier.InvalidToolResult,
	}
	for id, outcome := range want {
		c, ok := corpus.ByID(id)
		if !ok || c.Expect.Outcome != outcome {
			t.Errorf("%s: got %+v, want %s", id, c.Expect, outcome)
		}
	}
	c, _ := corpus.ByID("article/explicit-http-503-then-200")
	if len(c.Then) != 1 || c.Then[0].Expect.Outcome != classifier.ToolSuccess {
		t.Errorf("503 then 200: got %+v, want a second answer that is a success", c.Then)
	}
}

// What the test suite of JSON leaves open is settled here, each by a case.
func TestOpenTextsOfTheJSONSuiteAreSettled(t *testing.T) {
	t.Parallel()
	tags := make(map[string]bool)
	for _, c := range corpus.All() {
		for _, tag := range c.Tags {
			tags[tag] = true
		}
	}
	names := strings.Fields(`
		i_number_double_huge_neg_exp i_number_huge_exp i_number_neg_int_huge_exp i_number_pos_double_huge_exp
		i_number_real_neg_overflow i_number_real_pos_overflow i_number_real_underflow i_number_too_big_neg_int
		i_number_too_big_pos_int i_number_very_big_negative_int i_object_key_lone_2nd_surrogate
		i_string_1st_surrogate_but_2nd_missing i_string_1st_valid_surrogate_2nd_invalid i_string_UTF-16LE_with_BOM
		i_string_UTF-8_invalid_sequence i_string_UTF8_surrogate_U+D800 i_string_incomplete_surrogate_and_escape_valid
		i_string_incomplete_surrogate_pair i_string_incomplete_surrogates_escape_valid i_string_invalid_lonely_surrogate
		i_string_invalid_surrogate i_string_invalid_utf-8 i_string_inverted_surrogates_U+1D11E i_string_iso_latin_1
		i_string_lone_second_surrogate i_string_lone_utf8_continuation_byte i_string_not_in_unicode_range
		i_string_overlong_sequence_2_bytes i_string_overlong_sequence_6_bytes i_string_overlong_sequence_6_bytes_null
		i_string_truncated-utf-8 i_string_utf16BE_no_BOM i_string_utf16LE_no_BOM i_structure_500_nested_arrays
		i_structure_UTF-8_BOM_empty_object`)
	for _, name := range names {
		if !tags["json-test-suite:"+name] {
			t.Errorf("no case is tagged json-test-suite:%s", name)
		}
	}
}

// A judge that errs is found, and the disagreement says where.
func TestVerifyFindsAWrongJudge(t *testing.T) {
	t.Parallel()
	all := corpus.All()
	alwaysFine := func(corpus.Case) classifier.Verdict {
		return classifier.Verdict{Outcome: classifier.ToolSuccess, Layer: classifier.Application, Reason: classifier.ReasonToolSuccess}
	}
	fields := make(map[string]bool)
	for _, d := range corpus.VerifyWith(all, alwaysFine) {
		fields[d.Field] = true
	}
	for _, field := range []string{"outcome", "layer", "reason", "code", "findings", "advice"} {
		if !fields[field] {
			t.Errorf("a judge that always says success disagreed on %v, want %s among them", fields, field)
		}
	}
	c, _ := corpus.ByID("article/explicit-http-503-then-200")
	c.Then = slices.Clone(c.Then)
	wrong := *c.Then[0].Expect
	wrong.Outcome, wrong.Reason, wrong.Advice = classifier.ToolError, "", ""
	c.Then[0].Expect = &wrong
	got := corpus.Verify([]corpus.Case{c})
	if len(got) != 1 || got[0].Exchange != 1 || got[0].Field != "outcome" || got[0].Want != "TOOL_ERROR" || got[0].Got != "TOOL_SUCCESS" {
		t.Fatalf("got %v, want the outcome of the second exchange", got)
	}
	const text = "corpus: article/explicit-http-503-then-200 then[0] (rule 1): outcome: got TOOL_SUCCESS, want TOOL_ERROR; the verdict was TOOL_SUCCESS, tool-success"
	if got[0].Error() != text {
		t.Errorf("got %s\nwant %s", got[0].Error(), text)
	}
}

func TestVerifySaysWhenTheCaseIsWrong(t *testing.T) {
	t.Parallel()
	c, _ := corpus.ByID("article/baseline-complete")
	wrong := *c.Expect
	wrong.Layer = classifier.Protocol
	c.Expect = &wrong
	got := corpus.Verify([]corpus.Case{c})
	if len(got) != 1 || got[0].Wrong == nil || !strings.Contains(got[0].Error(), "article/baseline-complete: case is wrong: ") {
		t.Fatalf("got %v, want one disagreement that says the case is wrong", got)
	}
}
