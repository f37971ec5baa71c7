package corpus

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path"
	"strings"

	"github.com/replyproof/replyproof/classifier"
)

// ImportOptions say how inputs become cases. The zero value makes each input
// the JSON body of a 200 to a call with the id 0.
type ImportOptions struct {
	Prefix  string   // of the ids, a group or more; "" stands for import
	Rule    string   // of each case
	Why     string   // of each case; "" stands for a sentence that names the input
	Source  string   // of each case
	Tags    []string // of each case
	MaxSize int      // largest input in bytes; 0 stands for 1 MiB
	// Answer makes an answer of an input; nil makes a 200 of type
	// application/json with RequestID, and the input as its body.
	Answer    func(input []byte) Case
	RequestID classifier.ID
	// Twins keeps inputs that stood before too, under other ids.
	Twins bool
	// Read makes an answer of an input, or says why it stands for none; it comes
	// before Answer, and gets a seed file of Go's native fuzzing as it is.
	Read func(input []byte) (Case, error)
	// Keep, if it is not nil, says why a case is kept, or is false for one that is
	// not wanted and why.
	Keep func(c Case) (keep bool, why string)
}

// ImportReport tells what became of the inputs.
type ImportReport struct {
	Kept    int
	Why     []Kept // of those that ImportOptions.Keep gave a reason for
	Skipped []Skipped
}

// Kept is a case that was kept, and why.
type Kept struct {
	ID, Name string // of the case, and of its input
	Why      string
}

// Skipped is an input that did not become a case.
type Skipped struct {
	Name string
	Why  string
}

// String counts what was kept and lists the rest, a line each.
func (r ImportReport) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d kept, %d skipped", r.Kept, len(r.Skipped))
	for _, s := range r.Skipped {
		fmt.Fprintf(&b, "\n%s: %s", s.Name, s.Why)
	}
	return b.String()
}

func (r *ImportReport) skip(name, format string, args ...any) {
	r.Skipped = append(r.Skipped, Skipped{Name: name, Why: fmt.Sprintf(format, args...)})
}

// ImportFolder makes a case of each file below folder: raw bytes, as go-fuzz,
// libFuzzer and AFL lay out their corpora, or seed files of Go's native fuzzing.
// A case is named by the digest of its input, so that the same input always has
// the same name. What is empty of expectations is not verified; see
// [Case.Expecting]. Files that cannot be read are reported, not returned as an
// error; an error is a folder that cannot be walked.
func ImportFolder(files fs.FS, folder string, options ImportOptions) ([]Case, ImportReport, error) {
	in := importer{options: options, seen: make(map[string]string)}
	err := fs.WalkDir(files, folder, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case strings.HasPrefix(path.Base(name), ".") && name != folder:
			in.report.skip(name, "hidden")
			if entry.IsDir() {
				return fs.SkipDir
			}
		case !entry.Type().IsRegular():
			if !entry.IsDir() {
				in.report.skip(name, "not a regular file")
			}
		default:
			in.file(files, name, entry)
		}
		return nil
	})
	if err != nil {
		return nil, in.report, fmt.Errorf("corpus: import %s: %w", folder, err)
	}
	return in.cases, in.report, nil
}

// ImportCases makes cases of exchanges that the caller has read, each with the
// name of its input. Ids and the rest are treated as [ImportLines] does.
func ImportCases(cases iter.Seq2[string, Case], options ImportOptions) ([]Case, ImportReport) {
	in := importer{options: options, seen: make(map[string]string)}
	ids := make(map[string]bool)
	for name, c := range cases {
		in.exchange(name, c, ids)
	}
	return in.cases, in.report
}

// ImportLines makes cases of JSON lines as [ReadLines] reads them, without the
// lines whose answer stood before. Ids that are none, or that stood before, are
// replaced by one made of the digest; a why that is absent is filled in.
func ImportLines(r io.Reader, lines LineOptions, options ImportOptions) ([]Case, ImportReport, error) {
	in := importer{options: options, seen: make(map[string]string)}
	ids := make(map[string]bool)
	for c, err := range ReadLines(r, lines) {
		var broken *Error
		if errors.As(err, &broken) {
			in.report.skip(fmt.Sprintf("line %d", broken.Line), "%v", err)
			continue
		}
		if err != nil {
			return nil, in.report, err
		}
		in.exchange(c.ID, c, ids)
	}
	return in.cases, in.report, nil
}

// exchange takes a case over, under its own id if that is one and new.
func (in *importer) exchange(name string, c Case, ids map[string]bool) {
	wire, err := c.WireOnly().AppendJSON(nil)
	if err != nil {
		in.report.skip(name, "%v", err)
		return
	}
	digest, fresh := in.fresh(name, wire)
	if !fresh {
		return
	}
	if !ValidID(c.ID) || ids[c.ID] || strings.HasPrefix(c.ID, "line-") || !strings.Contains(c.ID, "/") && digits(c.ID) {
		c.ID = in.id(digest)
	}
	ids[c.ID] = true
	in.keep(c, name)
}

// digits tells whether a name is a number, such as that of an exchange in a file.
func digits(name string) bool { return strings.Trim(name, "0123456789") == "" }

type importer struct {
	options ImportOptions
	seen    map[string]string // digest to the name of the input that has it
	cases   []Case
	report  ImportReport
}

func (in *importer) file(files fs.FS, name string, entry fs.DirEntry) {
	for _, note := range []string{".quoted", ".output"} {
		if input, ok := strings.CutSuffix(name, note); ok {
			if _, err := fs.Stat(files, input); err == nil {
				in.report.skip(name, "go-fuzz's note on %s", input)
				return
			}
		}
	}
	// A seed file of Go's fuzzing spells a byte with up to four.
	if info, err := entry.Info(); err == nil && info.Size() > 4*int64(in.limit())+64 {
		in.report.skip(name, "%d bytes are more than the limit of %d", info.Size(), in.limit())
		return
	}
	data, err := fs.ReadFile(files, name)
	if err != nil {
		in.report.skip(name, "%v", err)
		return
	}
	if input, ok := ParseFuzzSeed(data); ok && in.options.Read == nil {
		data = input
	}
	digest, fresh := in.fresh(name, data)
	if !fresh {
		return
	}
	var c Case
	if in.options.Read != nil {
		if c, err = in.options.Read(data); err != nil {
			in.report.skip(name, "%v", err)
			return
		}
	} else if in.options.Answer != nil {
		c = in.options.Answer(data)
	} else {
		ok := 200
		c = Case{RequestID: in.options.RequestID, Status: &ok, Headers: Headers{{"content-type", "application/json"}}, Body: data}
	}
	c.ID = in.id(digest)
	in.keep(c, name)
}

// fresh gives the digest of an input and tells whether it is new and small
// enough; if not, that is reported.
func (in *importer) fresh(name string, data []byte) (digest string, fresh bool) {
	if limit := in.limit(); len(data) > limit {
		in.report.skip(name, "%d bytes are more than the limit of %d", len(data), limit)
		return "", false
	}
	sum := sha256.Sum256(data)
	digest = hex.EncodeToString(sum[:])
	if first, ok := in.seen[digest]; ok && !in.options.Twins {
		in.report.skip(name, "the same as %s", first)
		return "", false
	}
	in.seen[digest] = name
	return digest, true
}

func (in *importer) limit() int {
	if in.options.MaxSize > 0 {
		return in.options.MaxSize
	}
	return 1 << 20
}

// id is the id of an input: the prefix, and as much of the digest as names it.
func (in *importer) id(digest string) string {
	prefix := in.options.Prefix
	if prefix == "" {
		prefix = "import"
	}
	return prefix + "/" + digest[:16]
}

func (in *importer) keep(c Case, name string) {
	if c.Rule == "" {
		c.Rule = in.options.Rule
	}
	if c.Why == "" {
		c.Why = in.options.Why
	}
	if c.Why == "" {
		c.Why = "An input taken over from " + strings.ToValidUTF8(path.Base(name), "�") + "."
	}
	if c.Source == "" {
		c.Source = in.options.Source
	}
	if c.Tags == nil {
		c.Tags = in.options.Tags
	}
	if err := c.Check(); err != nil {
		in.report.skip(name, "%v", err)
		return
	}
	if in.options.Keep != nil {
		keep, why := in.options.Keep(c)
		if !keep {
			in.report.skip(name, "%s", why)
			return
		}
		in.report.Why = append(in.report.Why, Kept{c.ID, name, why})
	}
	in.cases = append(in.cases, c)
	in.report.Kept++
}
