package generators

import (
	"strings"
	"testing"

	"github.com/replyproof/replyproof/classifier"
)

func TestFaultsAreDocumented(t *testing.T) {
	t.Parallel()
	layers := map[classifier.Layer]int{}
	for f := range standard.All() {
		layers[f.Layer]++
		if f.Doc == "" || f.Effect == "" || f.Rule == "" || f.Layer == 0 || f.Parts == 0 {
			t.Errorf("%s: got %+v, want layer, rule, doc, effect and parts", f.Name, f)
		}
		if strings.HasSuffix(f.Doc, ".") || strings.HasSuffix(f.Effect, ".") || strings.Contains(f.Name, "_") {
			t.Errorf("%s: doc and effect are no sentences, the name is in kebab-case", f.Name)
		}
	}
	for _, layer := range []classifier.Layer{classifier.Transport, classifier.Protocol, classifier.Application, classifier.Interaction} {
		if layers[layer] == 0 {
			t.Errorf("no fault on the layer %s", layer)
		}
	}
}

// A neutral fault alone leaves the outcome of its base as it is.
func TestNeutralFaultsAreNeutral(t *testing.T) {
	t.Parallel()
	plain := map[Base]string{
		BaseSuccess: "TOOL_SUCCESS", BaseToolError: "TOOL_ERROR", BaseInputRequired: "INPUT_REQUIRED",
		BaseRPCError: "JSONRPC_ERROR", BaseAccepted: "ACCEPTED", BaseNoAnswer: "NO_FINAL_RESPONSE",
	}
	moved := map[string]bool{}
	d := standard.NewRenderer()
	for r := range standard.Singles() {
		made := d.Render(r)
		neutral, name := true, "no fault"
		for f := range standard.Picked(r) {
			neutral, name = f.Neutral, f.Name
		}
		same := made.Expect.Outcome.String() == plain[r.Base]
		if neutral && !same {
			t.Errorf("%s: got %s, want %s", standard.Format(r), made.Expect.Outcome, plain[r.Base])
		}
		moved[name] = moved[name] || !same
	}
	for f := range standard.All() {
		if !f.Neutral && !moved[f.Name] {
			t.Errorf("%s never changes an outcome, but is not called neutral", f.Name)
		}
	}
}

func TestWithLeavesTheCatalogueAlone(t *testing.T) {
	t.Parallel()
	teapot := Fault{
		Name: "teapot", Layer: classifier.Transport, Rule: "1", Doc: "a 418", Effect: "HTTP_ERROR",
		Parts: PartStatus, Needs: NeedAnswer, Variants: []Variant{{Edit: func(p *Plan) { p.Status = 418 }}},
	}
	more := standard.With(teapot)
	if standard.Len()+1 != more.Len() {
		t.Errorf("got %d and %d faults, want one more", standard.Len(), more.Len())
	}
	if standard.Version() != Default().Version() || standard.Version() == more.Version() {
		t.Errorf("got the versions %s and %s, want two that differ", standard.Version(), more.Version())
	}
	r, err := more.Parse("tool-error +teapot +sse=cr")
	if err != nil {
		t.Fatal(err)
	}
	if made := more.Render(r); *made.Status != 418 || made.Expect.Outcome != classifier.HTTPError {
		t.Errorf("got %d, %s, want 418, HTTP_ERROR", *made.Status, made.Expect.Outcome)
	}
	if _, err := standard.Parse("success +teapot"); err == nil {
		t.Error("the catalogue took the fault in")
	}
}

func TestWithRefusesMistakes(t *testing.T) {
	t.Parallel()
	edit := func(*Plan) {}
	tests := []struct {
		name  string
		fault Fault
	}{
		{"no name", Fault{Variants: []Variant{{Edit: edit}}}},
		{"name with a space", Fault{Name: "a b", Variants: []Variant{{Edit: edit}}}},
		{"no variant", Fault{Name: "new"}},
		{"no edit", Fault{Name: "new", Variants: []Variant{{}}}},
		{"variant twice", Fault{Name: "new", Variants: []Variant{{Name: "a", Edit: edit}, {Name: "a", Edit: edit}}}},
		{"variant without a name", Fault{Name: "new", Variants: []Variant{{Name: "a", Edit: edit}, {Edit: edit}}}},
		{"a fault's name", Fault{Name: "status", Variants: []Variant{{Edit: edit}}}},
		{"a field's name", Fault{Name: "sse", Variants: []Variant{{Edit: edit}}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if recover() == nil {
					t.Error("got no panic")
				}
			}()
			standard.With(test.fault)
		})
	}
}
