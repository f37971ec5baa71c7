package generators

import (
	"slices"
	"strings"
	"testing"
)

// verdicts names, for each outcome and reason, the faults whose plainest
// recipe (see FaultRecipe) must come to it.
var verdicts = map[string]string{
	"HTTP_ERROR http-status":            `status status-redirect status-informational status-absurd retry-after retry-after-bad challenge`,
	"NO_FINAL_RESPONSE no-body":         `no-body`,
	"UNEXPECTED_REPLY unexpected-reply": `notification-answered`,
	"ACCEPTED accepted":                 `coding-empty`,
	"TOOL_SUCCESS tool-success": `status-success retry-after-on-success other-headers delay media-missing media-case media-space
		media-parameter media-parameter-bad media-repeated coding-identity coding-gzip coding-gzip-members coding-deflate coding-several
		json-mark json-string-utf8 json-name-utf8 json-lone-surrogate json-deep json-unusual jsonrpc-escaped jsonrpc-doubled
		method-beside params-beside result-escaped result-doubled id-spelling id-escaped id-doubled resulttype-absent
		resulttype-escaped resulttype-doubled resulttype-misspelt iserror-false iserror-escaped iserror-misspelt iserror-doubled
		structured structured-doubled result-meta result-meta-null result-meta-doubled content content-item content-null-optional
		content-large content-escaped content-doubled input-beside-complete sse-mark sse-mark-twice sse-open-comment
		sse-notifications sse-request sse-other-response sse-broken-event sse-batch-before sse-other-type sse-event-forgotten
		sse-event-changed sse-priming sse-fields sse-second sse-first sse-after sse-comment-long id-text-escaped`,
	"TOOL_ERROR tool-error": `iserror-true iserror-doubled-true`,
	"INPUT_REQUIRED input-required": `input-required-beside-content input-empty requests-absent requests requests-wrong
		requests-key-doubled requests-doubled state-absent state state-wrong state-doubled complete-members-beside`,
	"JSONRPC_ERROR rpc-error": `error-escaped error-doubled code code-spelling code-beyond-64-bits code-doubled message
		message-doubled data data-doubled code-escaped message-escaped`,

	"UNEXPECTED_CONTENT_TYPE content-type-conflict": `media-conflict`,
	"UNEXPECTED_CONTENT_TYPE content-type-empty":    `media-empty`,
	"UNEXPECTED_CONTENT_TYPE content-type-list":     `media-list`,
	"UNEXPECTED_CONTENT_TYPE content-type-foreign":  `media-foreign`,
	"UNEXPECTED_CONTENT_TYPE content-encoding":      `coding-unknown coding-claimed coding-damaged coding-checksum coding-trailing`,

	"NO_FINAL_RESPONSE body-cut":   `body-cut coding-truncated notification-cut`,
	"NO_FINAL_RESPONSE deadline":   `deadline`,
	"NO_FINAL_RESPONSE cancelled":  `cancelled`,
	"NO_FINAL_RESPONSE size-limit": `size-limit`,
	"NO_FINAL_RESPONSE reset":      `no-answer`,
	"NO_FINAL_RESPONSE no-response-in-stream": `media-swapped sse-empty sse-no-response sse-unterminated sse-field-case sse-field-name
		sse-json-bare sse-data-empty sse-final-type`,

	"MALFORMED_JSON json-empty": `json-empty json-space-only`,
	"MALFORMED_JSON json-syntax": `json-truncated json-trailing-comma json-quotes json-comment json-comment-outside json-number-bad
		json-literal-bad json-control json-escape-bad json-bracket json-prefix json-foreign-text json-mark-twice json-mark-late
		json-inner-utf8 sse-data-spoilt sse-event-split`,
	"MALFORMED_JSON json-trailing": `json-trailing json-second`,

	"INVALID_ENVELOPE not-object":               `not-object batch`,
	"INVALID_ENVELOPE jsonrpc-version":          `jsonrpc-absent jsonrpc-wrong jsonrpc-misspelt jsonrpc-doubled-wrong result-bare error-bare`,
	"INVALID_ENVELOPE id-missing":               `id-absent id-misspelt`,
	"INVALID_ENVELOPE id-mismatch":              `id-null id-type id-text-near id-other-type id-near id-other id-spelling-near id-beyond-double id-doubled-wrong`,
	"INVALID_ENVELOPE result-and-error":         `result-and-error`,
	"INVALID_ENVELOPE neither-result-nor-error": `neither request-instead result-misspelt error-misspelt`,
	"INVALID_ENVELOPE error-not-object":         `error-type error-doubled-wrong`,
	"INVALID_ENVELOPE error-code":               `code-absent code-type code-fraction code-fraction-beyond-double code-doubled-wrong code-misspelt`,
	"INVALID_ENVELOPE error-message":            `message-absent message-type message-misspelt message-doubled-wrong`,

	"INVALID_TOOL_RESULT result-not-object":    `result-type result-doubled-wrong`,
	"INVALID_TOOL_RESULT result-type":          `resulttype-wrong resulttype-doubled-wrong`,
	"INVALID_TOOL_RESULT content-missing":      `result-empty content-absent content-absent-structured content-misspelt tool-result-old`,
	"INVALID_TOOL_RESULT content-not-array":    `content-type-wrong content-doubled-wrong`,
	"INVALID_TOOL_RESULT is-error-not-boolean": `iserror-wrong iserror-doubled-wrong`,
}

// findings names, for each finding, the faults whose plainest recipe makes it.
var findings = map[string]string{
	"retry-after":            `retry-after-bad`,
	"content-type-missing":   `media-missing`,
	"content-type-parameter": `media-parameter-bad`,
	"bom":                    `json-mark json-mark-twice sse-mark sse-mark-twice`,
	"bad-utf8":               `json-string-utf8 json-name-utf8`,
	"lone-surrogate":         `json-lone-surrogate`,
	"deep-nesting":           `json-deep`,
	"duplicate-member": `jsonrpc-doubled jsonrpc-doubled-wrong result-doubled result-doubled-wrong error-doubled error-doubled-wrong
		id-doubled id-doubled-wrong code-doubled code-doubled-wrong message-doubled message-doubled-wrong data-doubled
		resulttype-doubled resulttype-doubled-wrong iserror-doubled iserror-doubled-true iserror-doubled-wrong structured-doubled result-meta-doubled
		content-doubled content-doubled-wrong requests-key-doubled requests-doubled state-doubled`,
	"result-type-missing":  `resulttype-absent resulttype-misspelt result-empty`,
	"input-required-empty": `input-empty`,
	"input-requests-type":  `requests-wrong`,
	"request-state-type":   `state-wrong`,
	"content-item":         `content-item`,
	"null-optional":        `content-null-optional result-meta-null`,
	"unterminated-event":   `sse-unterminated`,
	"event-type-ignored":   `sse-other-type sse-final-type`,
	"server-request":       `sse-request`,
	"stray-message":        `sse-other-response sse-broken-event sse-batch-before sse-event-split sse-event-changed`,
}

// alternatives names, for each outcome, the faults on whose plainest recipe a
// correct third party may report it instead.
var alternatives = map[string]string{
	"TOOL_SUCCESS":        `media-foreign id-beyond-double sse-unterminated content-absent-structured`,
	"JSONRPC_ERROR":       `code-fraction-beyond-double`,
	"HTTP_ERROR":          `status-success`,
	"INVALID_TOOL_RESULT": `input-empty content-item content-null-optional result-meta-null resulttype-doubled iserror-doubled iserror-doubled-true structured-doubled result-meta-doubled content-doubled requests-key-doubled requests-doubled state-doubled`,
	"INVALID_ENVELOPE": `code-beyond-64-bits method-beside sse-request sse-second sse-first jsonrpc-doubled result-doubled result-doubled-wrong error-doubled
		id-doubled code-doubled message-doubled data-doubled`,
	"UNEXPECTED_CONTENT_TYPE": `media-missing no-body`,
	"NO_FINAL_RESPONSE":       `status-success sse-data-spoilt sse-event-split`,
	"MALFORMED_JSON": `no-body body-cut deadline cancelled size-limit coding-truncated json-mark json-string-utf8 json-name-utf8 json-lone-surrogate
		json-deep sse-priming jsonrpc-doubled jsonrpc-doubled-wrong result-doubled result-doubled-wrong error-doubled error-doubled-wrong
		id-doubled id-doubled-wrong code-doubled code-doubled-wrong message-doubled message-doubled-wrong data-doubled
		resulttype-doubled resulttype-doubled-wrong iserror-doubled iserror-doubled-true iserror-doubled-wrong structured-doubled result-meta-doubled
		content-doubled content-doubled-wrong requests-key-doubled requests-doubled state-doubled`,
}

// named turns a table of lists into one from each fault to its words.
func named(table map[string]string) map[string][]string {
	of := make(map[string][]string)
	for word, list := range table {
		for _, fault := range strings.Fields(list) {
			of[fault] = append(of[fault], word)
		}
	}
	for _, words := range of {
		slices.Sort(words)
	}
	return of
}

func TestEveryFaultComesToItsVerdict(t *testing.T) {
	t.Parallel()
	want, found, also := named(verdicts), named(findings), named(alternatives)
	for _, table := range []map[string][]string{want, found, also} {
		for name := range table {
			if _, ok := standard.Lookup(name); !ok {
				t.Errorf("%s: in the table, but no fault", name)
			}
		}
	}
	for f := range standard.All() {
		got := standard.FaultCase(f.Name)
		verdict := got.Expect.Outcome.String() + " " + got.Expect.Reason
		if !slices.Equal(want[f.Name], []string{verdict}) {
			t.Errorf("%s: got %s, want %s", f.Name, verdict, want[f.Name])
		}
		if kinds := slices.Sorted(slices.Values(got.Expect.Findings)); !slices.Equal(kinds, found[f.Name]) {
			t.Errorf("%s: got the findings %s, want %s", f.Name, kinds, found[f.Name])
		}
		if outcomes := slices.Sorted(slices.Values(got.AlsoAcceptable)); !slices.Equal(outcomes, also[f.Name]) {
			t.Errorf("%s: also acceptable got %s, want %s", f.Name, outcomes, also[f.Name])
		}
	}
}

// Where faults meet each other, a frame or an end, the rules decide in their order.
func TestRulesDecideInTheirOrder(t *testing.T) {
	t.Parallel()
	tests := []struct{ recipe, verdict, code, findings, also string }{
		{"success", "TOOL_SUCCESS tool-success", "", "", ""},
		{"tool-error +sse=mixed", "TOOL_ERROR tool-error", "", "", ""},
		{"input-required", "INPUT_REQUIRED input-required", "", "", ""},
		{"rpc-error", "JSONRPC_ERROR rpc-error", "-32602", "", ""},
		{"rpc-error +number=tenths", "JSONRPC_ERROR rpc-error", "-326020e-1", "", ""},
		{"accepted", "ACCEPTED accepted", "", "", ""},
		{"no-answer", "NO_FINAL_RESPONSE connect", "", "", ""},
		{"no-answer +no-answer=tls", "NO_FINAL_RESPONSE tls", "", "", ""},
		{"accepted +no-answer=deadline", "NO_FINAL_RESPONSE deadline", "", "", ""},
		{"accepted +status=503", "HTTP_ERROR http-status", "", "", ""},
		{"accepted +notification-answered=202-result", "UNEXPECTED_REPLY unexpected-reply", "", "", ""},

		{"rpc-error +status=400", "HTTP_ERROR http-status", "-32602", "", "JSONRPC_ERROR"},
		{"rpc-error +status=400 +id-absent", "HTTP_ERROR http-status", "-32602", "", "JSONRPC_ERROR"},
		{"rpc-error +status=400 +media-foreign=html", "HTTP_ERROR http-status", "-32602", "", "JSONRPC_ERROR"},
		{"rpc-error +status=400 +code-type=string", "HTTP_ERROR http-status", "", "", ""},
		{"rpc-error +status=400 +jsonrpc-absent", "HTTP_ERROR http-status", "", "", ""},
		{"rpc-error +status=400 +body-cut=half", "HTTP_ERROR http-status", "", "", ""},
		{"rpc-error +status=400 +sse=lf", "HTTP_ERROR http-status", "", "", ""},
		{"rpc-error +status=400 +coding-gzip=gzip", "HTTP_ERROR http-status", "-32602", "", "JSONRPC_ERROR"},
		{"rpc-error +status=400 +coding-unknown=word", "HTTP_ERROR http-status", "", "", ""},
		{"success +status=503 +json-mark +media-missing", "HTTP_ERROR http-status", "", "", ""},

		{"success +no-body=204 +media-foreign=html", "NO_FINAL_RESPONSE no-body", "", "", "MALFORMED_JSON UNEXPECTED_CONTENT_TYPE"},
		{"success +no-body=202 +media-missing", "NO_FINAL_RESPONSE no-body", "", "", "MALFORMED_JSON UNEXPECTED_CONTENT_TYPE"},
		{"success +no-body=202 +coding-unknown=word", "NO_FINAL_RESPONSE no-body", "", "", "MALFORMED_JSON UNEXPECTED_CONTENT_TYPE"},
		{"success +status-success=202 +json-empty +coding-gzip=gzip", "NO_FINAL_RESPONSE no-body", "", "", "MALFORMED_JSON UNEXPECTED_CONTENT_TYPE"},
		{"success +json-empty +coding-gzip=gzip", "MALFORMED_JSON json-empty", "", "", ""},
		{"success +no-body=202 +deadline=whole", "NO_FINAL_RESPONSE deadline", "", "", "MALFORMED_JSON"},
		{"success +media-foreign=html +coding-unknown=word", "UNEXPECTED_CONTENT_TYPE content-type-foreign", "", "", ""},
		{"success +media-missing +coding-unknown=word", "UNEXPECTED_CONTENT_TYPE content-encoding", "", "content-type-missing", ""},
		{"success +media-foreign=html +content-absent-structured=object", "UNEXPECTED_CONTENT_TYPE content-type-foreign", "", "", "INVALID_TOOL_RESULT TOOL_SUCCESS"},
		{"success +media-foreign=html +json-mark", "UNEXPECTED_CONTENT_TYPE content-type-foreign", "", "", "MALFORMED_JSON TOOL_SUCCESS"},
		{"success +media-foreign=html +body-cut=half", "UNEXPECTED_CONTENT_TYPE content-type-foreign", "", "", "MALFORMED_JSON"},
		{"rpc-error +media-foreign=html", "UNEXPECTED_CONTENT_TYPE content-type-foreign", "", "", "JSONRPC_ERROR"},
		{"success +media-foreign=html +sse=lf", "UNEXPECTED_CONTENT_TYPE content-type-foreign", "", "", "MALFORMED_JSON"},
		{"success +media-missing +sse=lf", "MALFORMED_JSON json-syntax", "", "content-type-missing", "UNEXPECTED_CONTENT_TYPE"},
		{"success +media-swapped=plain +sse=lf", "MALFORMED_JSON json-syntax", "", "", ""},
		{"success +media-swapped=plain +json-mark", "NO_FINAL_RESPONSE no-response-in-stream", "", "bom", ""},
		{"success +media-parameter-bad=slash +coding-unknown=word", "UNEXPECTED_CONTENT_TYPE content-encoding", "", "content-type-parameter", ""},
		{"success +coding-checksum=gzip +sse=lf", "TOOL_SUCCESS tool-success", "", "", ""},
		{"success +coding-damaged=magic +sse=lf", "UNEXPECTED_CONTENT_TYPE content-encoding", "", "", ""},
		{"success +coding-truncated=length +sse=lf", "TOOL_SUCCESS tool-success", "", "", ""},
		{"success +coding-truncated=block +sse=lf", "NO_FINAL_RESPONSE body-cut", "", "", ""},

		{"success +status-success=201", "TOOL_SUCCESS tool-success", "", "", "HTTP_ERROR NO_FINAL_RESPONSE"},
		{"success +deadline=whole", "NO_FINAL_RESPONSE deadline", "", "", "MALFORMED_JSON"},
		{"success +deadline=whole +sse=lf", "TOOL_SUCCESS tool-success", "", "", ""},
		{"success +deadline=half +sse=lf", "NO_FINAL_RESPONSE deadline", "", "", ""},
		{"success +sse=crlf +body-cut=last-byte", "TOOL_SUCCESS tool-success", "", "", ""},
		{"success +sse=lf +body-cut=last-byte", "NO_FINAL_RESPONSE body-cut", "", "", ""},
		{"success +cut=60000", "TOOL_SUCCESS tool-success", "", "", ""},
		{"success +cut=0", "NO_FINAL_RESPONSE body-cut", "", "", "MALFORMED_JSON"},
		{"success +json-mark +body-cut=half", "NO_FINAL_RESPONSE body-cut", "", "", "MALFORMED_JSON"},
		{"success +sse-mark +sse=lf +cut=2", "NO_FINAL_RESPONSE body-cut", "", "", ""},
		{"success +sse-mark +sse=lf +cut=3", "NO_FINAL_RESPONSE body-cut", "", "bom", ""},

		{"success +json-trailing=garbage +json-literal-bad=nan", "MALFORMED_JSON json-syntax", "", "", ""},
		{"success +json-string-utf8=ff +json-trailing=comma", "MALFORMED_JSON json-trailing", "", "", ""},
		{"success +json-string-utf8=ff +jsonrpc-absent", "INVALID_ENVELOPE jsonrpc-version", "", "bad-utf8", "MALFORMED_JSON"},
		{"success +jsonrpc-absent +id-absent +neither", "INVALID_ENVELOPE jsonrpc-version", "", "", ""},
		{"success +id-absent +neither", "INVALID_ENVELOPE id-missing", "", "", ""},
		{"success +id-near +result-and-error=other", "INVALID_ENVELOPE id-mismatch", "", "", ""},
		{"rpc-error +id-null", "INVALID_ENVELOPE id-mismatch", "-32602", "", "JSONRPC_ERROR"},
		{"rpc-error +id-absent", "INVALID_ENVELOPE id-missing", "-32602", "", "JSONRPC_ERROR"},
		{"rpc-error +id-near", "INVALID_ENVELOPE id-mismatch", "", "", ""},
		{"rpc-error +id-absent +message-absent", "INVALID_ENVELOPE id-missing", "", "", ""},
		{"rpc-error +code-absent +message-absent", "INVALID_ENVELOPE error-code", "", "", ""},
		{"rpc-error +id-beyond-double=next", "INVALID_ENVELOPE id-mismatch", "", "", "JSONRPC_ERROR"},
		{"rpc-error +code-beyond-64-bits=beyond-double", "JSONRPC_ERROR rpc-error", "1e400", "", "INVALID_ENVELOPE"},
		{"success +resulttype-wrong=null +content-absent +iserror-wrong=null", "INVALID_TOOL_RESULT result-type", "", "", ""},
		{"success +resulttype-absent +content-absent +iserror-wrong=null", "INVALID_TOOL_RESULT content-missing", "", "result-type-missing", ""},
		{"success +content-type-wrong=object +iserror-wrong=null", "INVALID_TOOL_RESULT content-not-array", "", "", ""},
		{"success +content-absent-structured=object +iserror-true", "INVALID_TOOL_RESULT content-missing", "", "", "TOOL_ERROR"},
		{"success +content-absent-structured=object +iserror-wrong=null", "INVALID_TOOL_RESULT content-missing", "", "", ""},
		{"tool-error +iserror-misspelt=snake", "TOOL_SUCCESS tool-success", "", "", ""},
		{"success +content-item=null +jsonrpc-absent", "INVALID_ENVELOPE jsonrpc-version", "", "", ""},
		{"success +request-instead=echo", "INVALID_ENVELOPE neither-result-nor-error", "", "", ""},

		{"success +request-instead=echo +sse=lf", "NO_FINAL_RESPONSE no-response-in-stream", "", "server-request", ""},
		{"success +request-instead=echo +id-absent +sse=lf", "NO_FINAL_RESPONSE no-response-in-stream", "", "", ""},
		{"success +json-mark +sse=lf", "MALFORMED_JSON json-syntax", "", "", "NO_FINAL_RESPONSE"},
		{"success +json-empty +sse=lf", "NO_FINAL_RESPONSE no-response-in-stream", "", "", ""},
		{"success +id-near +sse=lf", "INVALID_ENVELOPE id-mismatch", "", "", "NO_FINAL_RESPONSE"},
		{"rpc-error +id-null +sse=lf", "INVALID_ENVELOPE id-mismatch", "-32602", "", "JSONRPC_ERROR NO_FINAL_RESPONSE"},
		{"success +jsonrpc-absent +sse=lf", "INVALID_ENVELOPE jsonrpc-version", "", "", ""},
		{"success +batch=one +sse=lf", "INVALID_ENVELOPE not-object", "", "", "NO_FINAL_RESPONSE"},
		{"success +id-near +sse-broken-event=words +sse=lf", "MALFORMED_JSON json-syntax", "", "stray-message", "NO_FINAL_RESPONSE"},
		{"success +id-near +sse-second=error +sse=lf", "JSONRPC_ERROR rpc-error", "-32603", "stray-message", ""},
		{"success +sse-other-response=no-id +id-near +sse=lf", "INVALID_ENVELOPE id-missing", "-32600", "stray-message", "JSONRPC_ERROR NO_FINAL_RESPONSE"},
		{"rpc-error +sse-final-type=error +sse=lf", "NO_FINAL_RESPONSE no-response-in-stream", "", "event-type-ignored", "JSONRPC_ERROR"},
		{"success +sse-final-type=error +sse=lf", "NO_FINAL_RESPONSE no-response-in-stream", "", "event-type-ignored", ""},
		{"rpc-error +sse-unterminated=nothing +sse=cr", "NO_FINAL_RESPONSE no-response-in-stream", "", "unterminated-event", "JSONRPC_ERROR"},
		{"success +content-absent-structured=object +sse-unterminated=line-end +sse=lf", "NO_FINAL_RESPONSE no-response-in-stream", "", "unterminated-event", "INVALID_TOOL_RESULT TOOL_SUCCESS"},
		{"success +sse-unterminated=nothing +deadline=whole +sse=lf", "NO_FINAL_RESPONSE deadline", "", "", ""},
		{"success +sse-first=error +sse=lf", "JSONRPC_ERROR rpc-error", "-32603", "", "INVALID_ENVELOPE"},
		{"success +sse=lf +split=1", "TOOL_SUCCESS tool-success", "", "", ""},
		{"success +sse=lf +split=4", "MALFORMED_JSON json-syntax", "", "", "NO_FINAL_RESPONSE"},
		{"success +id=large +sse=lf +split=25", "MALFORMED_JSON json-syntax", "", "", "NO_FINAL_RESPONSE"},
	}
	for _, test := range tests {
		r, err := standard.Parse(test.recipe)
		if err != nil {
			t.Error(err)
			continue
		}
		got := standard.Render(r)
		if verdict := got.Expect.Outcome.String() + " " + got.Expect.Reason; verdict != test.verdict {
			t.Errorf("%s: got %s, want %s", test.recipe, verdict, test.verdict)
		}
		if got.Expect.Code != test.code {
			t.Errorf("%s: got the code %q, want %q", test.recipe, got.Expect.Code, test.code)
		}
		sameWords(t, test.recipe+": findings", got.Expect.Findings, test.findings)
		sameWords(t, test.recipe+": also acceptable", got.AlsoAcceptable, test.also)
	}
}

func sameWords(t *testing.T, what string, got []string, want string) {
	t.Helper()
	sorted, wanted := slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(strings.Fields(want)))
	if !slices.Equal(sorted, wanted) {
		t.Errorf("%s: got %s, want %s", what, sorted, wanted)
	}
}
