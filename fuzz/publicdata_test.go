package fuzz_test

import (
	"bytes"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/fuzz"
)

// publicData is the folder with public test data, or skips the test.
func publicData(t *testing.T, parts ...string) string {
	t.Helper()
	folder := os.Getenv("REPLYPROOF_DATA")
	if folder == "" {
		t.Skip("REPLYPROOF_DATA is unset; in a folder of your own run: git clone https://github.com/nst/JSONTestSuite json-test-suite && git clone https://github.com/dvyukov/go-fuzz-corpus, and name it (the field reports are cases of the corpus already)")
	}
	return filepath.Join(append([]string{folder}, parts...)...)
}

// read is every file under folder by its path.
func read(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.Contains(path, string(filepath.Separator)+".git"+string(filepath.Separator)) {
			return err
		}
		files[path], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// open is what rule 5 says of the texts that JSONTestSuite leaves open: whether
// they are JSON, and what is odd about them.
var open = map[string]struct {
	json     bool
	findings []classifier.FindingKind
}{
	"i_number_double_huge_neg_exp.json":                   {json: true},
	"i_number_huge_exp.json":                              {json: true},
	"i_number_neg_int_huge_exp.json":                      {json: true},
	"i_number_pos_double_huge_exp.json":                   {json: true},
	"i_number_real_neg_overflow.json":                     {json: true},
	"i_number_real_pos_overflow.json":                     {json: true},
	"i_number_real_underflow.json":                        {json: true},
	"i_number_too_big_neg_int.json":                       {json: true},
	"i_number_too_big_pos_int.json":                       {json: true},
	"i_number_very_big_negative_int.json":                 {json: true},
	"i_object_key_lone_2nd_surrogate.json":                {true, []classifier.FindingKind{classifier.FindingLoneSurrogate}},
	"i_string_1st_surrogate_but_2nd_missing.json":         {true, []classifier.FindingKind{classifier.FindingLoneSurrogate}},
	"i_string_1st_valid_surrogate_2nd_invalid.json":       {true, []classifier.FindingKind{classifier.FindingLoneSurrogate}},
	"i_string_incomplete_surrogate_and_escape_valid.json": {true, []classifier.FindingKind{classifier.FindingLoneSurrogate}},
	"i_string_incomplete_surrogate_pair.json":             {true, []classifier.FindingKind{classifier.FindingLoneSurrogate}},
	"i_string_incomplete_surrogates_escape_valid.json":    {true, []classifier.FindingKind{classifier.FindingLoneSurrogate}},
	"i_string_invalid_lonely_surrogate.json":              {true, []classifier.FindingKind{classifier.FindingLoneSurrogate}},
	"i_string_invalid_surrogate.json":                     {true, []classifier.FindingKind{classifier.FindingLoneSurrogate}},
	"i_string_inverted_surrogates_U+1D11E.json":           {true, []classifier.FindingKind{classifier.FindingLoneSurrogate}},
	"i_string_lone_second_surrogate.json":                 {true, []classifier.FindingKind{classifier.FindingLoneSurrogate}},
	"i_string_UTF-8_invalid_sequence.json":                {true, []classifier.FindingKind{classifier.FindingBadUTF8}},
	"i_string_UTF8_surrogate_U+D800.json":                 {true, []classifier.FindingKind{classifier.FindingBadUTF8}},
	"i_string_invalid_utf-8.json":                         {true, []classifier.FindingKind{classifier.FindingBadUTF8}},
	"i_string_iso_latin_1.json":                           {true, []classifier.FindingKind{classifier.FindingBadUTF8}},
	"i_string_lone_utf8_continuation_byte.json":           {true, []classifier.FindingKind{classifier.FindingBadUTF8}},
	"i_string_not_in_unicode_range.json":                  {true, []classifier.FindingKind{classifier.FindingBadUTF8}},
	"i_string_overlong_sequence_2_bytes.json":             {true, []classifier.FindingKind{classifier.FindingBadUTF8}},
	"i_string_overlong_sequence_6_bytes.json":             {true, []classifier.FindingKind{classifier.FindingBadUTF8}},
	"i_string_overlong_sequence_6_bytes_null.json":        {true, []classifier.FindingKind{classifier.FindingBadUTF8}},
	"i_string_truncated-utf-8.json":                       {true, []classifier.FindingKind{classifier.FindingBadUTF8}},
	"i_structure_500_nested_arrays.json":                  {true, []classifier.FindingKind{classifier.FindingDeepNesting}},
	"i_structure_UTF-8_BOM_empty_object.json":             {true, []classifier.FindingKind{classifier.FindingBOM}},
	// UTF-16 is no UTF-8 and holds NULs or bad sequences between its characters.
	"i_string_UTF-16LE_with_BOM.json": {json: false},
	"i_string_utf16BE_no_BOM.json":    {json: false},
	"i_string_utf16LE_no_BOM.json":    {json: false},
}

func TestJSONTestSuite(t *testing.T) {
	folder := publicData(t, "json-test-suite", "test_parsing")
	counts := map[string]int{}
	for path, text := range read(t, folder) {
		name := filepath.Base(path)
		counts[name[:2]]++
		v := judge("application/json", text)
		want := strings.HasPrefix(name, "y_")
		if known, ok := open[name]; ok {
			want = known.json
			var got []classifier.FindingKind
			for _, f := range v.Findings {
				got = append(got, f.Kind)
			}
			if want && !slices.Equal(got, known.findings) {
				t.Errorf("%s: findings: got %v, want %v", name, got, known.findings)
			}
		} else if strings.HasPrefix(name, "i_") {
			t.Errorf("%s: not in the table of texts that the suite leaves open", name)
		}
		if got := v.Outcome != classifier.MalformedJSON; got != want {
			t.Errorf("%s: got %s (%s at %d), want JSON %t", name, v.Outcome, v.Reason, v.SyntaxOffset, want)
		}
		if v.Outcome != classifier.MalformedJSON && v.Outcome != classifier.InvalidEnvelope {
			t.Errorf("%s: got %s, want INVALID_ENVELOPE of a text that is no response", name, v.Outcome)
		}
		inStream(t, name, text, want)
	}
	if counts["y_"] < 90 || counts["n_"] < 180 || counts["i_"] < len(open) {
		t.Errorf("%s: got %v texts, want at least 90 y_, 180 n_ and %d i_", folder, counts, len(open))
	}
}

func judge(mediaType string, body []byte) classifier.Verdict {
	return classifier.Classify(classifier.Call{ID: classifier.IntID(1)}, classifier.Answer{
		Status: 200, Header: http.Header{"Content-Type": {mediaType}}, Body: body,
	})
}

// inStream judges the text as the one event of a stream, where it can be one.
func inStream(t *testing.T, name string, text []byte, want bool) {
	if len(text) == 0 || bytes.ContainsAny(text, "\r\n") || bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		return
	}
	body := slices.Concat([]byte("data: "), text, []byte("\n\n"))
	v := judge("text/event-stream", body)
	if got := v.Outcome == classifier.InvalidEnvelope; got != want {
		t.Errorf("%s in a stream: got %s (%s), want JSON %t", name, v.Outcome, v.Reason, want)
	}
}

func TestGoFuzzCorpus(t *testing.T) {
	folder := publicData(t, "go-fuzz-corpus")
	for _, format := range []string{"json", "jsonrpc", "httpresp", "mime"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			files := read(t, filepath.Join(folder, format))
			if len(files) == 0 {
				t.Fatalf("%s holds no file of %s", folder, format)
			}
			for path, data := range files {
				for _, target := range fuzz.Targets() {
					target.Body(named{t, target.Name + " " + path}, data)
				}
			}
		})
	}
}

// named puts the input's name before every failure, and has every relation tried.
type named struct {
	*testing.T
	name string
}

func (named) Thorough() {}

func (n named) Errorf(format string, args ...any) {
	n.T.Helper()
	n.T.Errorf(n.name+": "+format, args...)
}

func TestFieldReports(t *testing.T) {
	path := publicData(t, "field-reports.jsonl")
	file, err := os.Open(path)
	if os.IsNotExist(err) {
		t.Log("no field-reports.jsonl there; the reports stand in the corpus as field/…, which its own test judges")
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	count := 0
	for c, err := range corpus.ReadLines(file, corpus.LineOptions{Name: path}) {
		if err != nil {
			t.Fatal(err)
		}
		count++
		if c.Expect == nil {
			t.Errorf("%s: no expect", c.ID)
			continue
		}
		if v := fuzz.SampleOf(c).Classify(); v.Outcome != c.Expect.Outcome || v.Layer != c.Expect.Layer {
			t.Errorf("%s: got %s %s (%s), want %s %s", c.ID, v.Layer, v.Outcome, v.Reason, c.Expect.Layer, c.Expect.Outcome)
		}
	}
	if count < 50 {
		t.Errorf("got %d reports, want at least 50", count)
	}
}
