package corpus

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
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
}

// ImportReport tells what became of the inputs.
type ImportReport struct {
	Kept    int
	Skipped []Skipped
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
		name := c.ID
		wire, err := c.WireOnly().AppendJSON(nil)
		if err != nil {
			in.report.skip(name, "%v", err)
			continue
		}
		digest, fresh := in.fresh(name, wire)
		if !fresh {
			continue
		}
		if !ValidID(c.ID) || ids[c.ID] || strings.HasPrefix(c.ID, "line-") {
			c.ID = in.id(digest)
		}
		ids[c.ID] = true
		in.keep(c, name)
	}
	return in.cases, in.report, nil
}

type importer struct {
	options ImportOptions
	seen    map[string]string // digest to the name of the input that has it
	cases   []Case
	report  ImportReport
}

func (in *importer) file(files fs.FS, name string, entry fs.DirEntry) {
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
	if input, ok := ParseFuzzSeed(data); ok {
		data = input
	}
	digest, fresh := in.fresh(name, data)
	if !fresh {
		return
	}
	var c Case
	if in.options.Answer != nil {
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
	if first, ok := in.seen[digest]; ok {
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
	in.cases = append(in.cases, c)
	in.report.Kept++
}
