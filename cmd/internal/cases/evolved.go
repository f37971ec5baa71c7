package cases

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/replyproof/replyproof/classifier"
	"github.com/replyproof/replyproof/corpus"
	"github.com/replyproof/replyproof/fuzz"
	"github.com/replyproof/replyproof/generators"
)

// Evolved are inputs that the searches of package fuzz came to, as answers to be
// played to a subject.
type Evolved struct {
	// Cases are of the targets whose input is an answer or its body, each answer
	// once. They expect what the classifier says.
	Cases []corpus.Case
	// Recipes are of the target whose input makes one.
	Recipes []generators.Recipe
	// Left is how many inputs are no answer that can be played: larger than 1 MiB,
	// of another form, or more than 20,000 or 256 MiB in all.
	Left int
}

const (
	largestInput = 1 << 20
	mostEvolved  = 20_000
)

// mostBytes is how many bytes of inputs are held in all; tests need fewer.
var mostBytes = 256 << 20

// LoadEvolved gives the inputs below a folder: one of nightly --corpus, whose
// inputs lie in inputs/PACKAGE/TARGET, a testdata/fuzz, or any that has folders
// of the names of targets. Inputs that failed, which nightly keeps apart, are left
// where they are. A folder without an input is an error.
func LoadEvolved(dir string) (Evolved, error) {
	read := map[string]func([]byte) fuzz.Sample{}
	for _, t := range fuzz.Targets() {
		switch t.Name {
		case "FuzzChoices", "FuzzBatch": // made by recipes, which are drawn anew
		default:
			read[t.Name] = t.Sample
		}
	}
	var found Evolved
	met := map[string]bool{}
	size := 0 // of the inputs that are kept
	recipes := map[generators.Recipe]bool{}
	catalogue := generators.Default()
	// In the folder and not at its name, which may be a link.
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && name != ".":
			return nil // a night that goes on drops what covers nothing
		case err != nil:
			return under(dir, name, err)
		case entry.IsDir() && (entry.Name() == "crashers" || entry.Name() == "nights"):
			return fs.SkipDir
		case !entry.Type().IsRegular() || strings.HasPrefix(entry.Name(), "."):
			return nil
		}
		target := filepath.Base(filepath.Dir(filepath.Join(dir, filepath.FromSlash(name))))
		sample, ok := read[target]
		if !ok && target != "FuzzChoices" {
			return nil
		}
		input, ok, err := readInput(filepath.Join(dir, filepath.FromSlash(name)))
		switch {
		case err != nil:
			return err
		case !ok || len(found.Cases)+len(found.Recipes) >= mostEvolved || size+len(input) > mostBytes:
			found.Left++
		case target == "FuzzChoices":
			if recipe := catalogue.Build(generators.NewBytes(input)); !recipes[recipe] {
				recipes[recipe] = true
				found.Recipes = append(found.Recipes, recipe)
				size += len(input)
			}
		default:
			c, ok := evolvedCase(target, sample(input))
			if key := c.ID; ok && !met[key] {
				met[key] = true
				found.Cases = append(found.Cases, c)
				size += len(input)
			} else if !ok {
				found.Left++
			}
		}
		return nil
	})
	if err == nil && len(met)+len(recipes) == 0 {
		names := append(slices.Sorted(maps.Keys(read)), "FuzzChoices")
		err = fmt.Errorf("%s: no input in it: it must hold folders of the names %s, as nightly --corpus and testdata/fuzz do", dir, strings.Join(names, ", "))
	}
	return found, err
}

// readInput reads a seed file of Go's native fuzzing; ok is false for what is
// too large or none.
func readInput(name string) (input []byte, ok bool, err error) {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil // a night that goes on drops what covers nothing
	}
	if err != nil || info.Size() > 4*largestInput {
		return nil, false, err
	}
	file, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	input, ok = corpus.ParseFuzzSeed(file)
	return input, ok && len(input) <= largestInput, nil
}

// evolvedCase is an input as a case, named by its target and what is in it; ok is
// false where it cannot be one.
func evolvedCase(target string, s fuzz.Sample) (c corpus.Case, ok bool) {
	c = s.Case()
	group := strings.ToLower(strings.TrimPrefix(target, "Fuzz"))
	c.Body = bytes.Clone(c.Body)
	text, err := c.WireOnly().AppendJSON(nil)
	if err != nil {
		return c, false
	}
	sum := sha256.Sum256(text)
	c.ID = "evolved/" + group + "-" + hex.EncodeToString(sum[:6])
	c.Why = "An input that " + target + " came to, held against what the classifier says."
	v := c.Classify()
	c = c.Expecting(v)
	c.Rule = v.Reason.Entry().Rule
	c.Tags = []string{"evolved"}
	c.AlsoAcceptable = tolerated(&c, &v)
	return c, c.Check() == nil
}

// tolerated is what a subject may say besides of an answer whose fault nobody has
// looked at. Of a failure any other failure: that it is one counts, and not which.
// What some take for a result by right may be told as one, and what some refuse by
// right may be refused; any other result must be told as what it is.
func tolerated(c *corpus.Case, v *classifier.Verdict) (also []string) {
	failures := []classifier.Outcome{
		classifier.JSONRPCError, classifier.MalformedJSON, classifier.InvalidEnvelope, classifier.InvalidToolResult,
		classifier.HTTPError, classifier.NoFinalResponse, classifier.UnexpectedContentType,
	}
	results := []classifier.Outcome{classifier.ToolSuccess, classifier.ToolError, classifier.InputRequired}
	may := failures
	switch {
	case c.Notification:
		return nil
	case slices.Contains(results, v.Outcome):
		plain := len(v.Findings) == 0 && *c.Status == http.StatusOK && v.Ended != classifier.BodySettledEarly &&
			len(c.HTTPHeader()["Content-Encoding"]) == 0 && !holds(c.Body, "method", `\u00`) // no method beside the result
		if plain {
			return nil
		}
	case v.Reason == classifier.ReasonContentTypeForeign,
		v.Reason == classifier.ReasonIDMismatch && (len(v.ID) >= len("9007199254740993") || holds(v.ID, "e", "E")), // beyond a double
		v.Reason == classifier.ReasonContentMissing && holds(c.Body, "structuredContent"),
		slices.ContainsFunc(v.Findings, func(f classifier.Finding) bool { return f.Kind == classifier.FindingUnterminatedEvent }):
		may = append(may, results...)
	}
	for _, o := range may {
		if o != v.Outcome {
			also = append(also, o.String())
		}
	}
	return also
}

func holds(text []byte, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return bytes.Contains(text, []byte(part)) })
}
