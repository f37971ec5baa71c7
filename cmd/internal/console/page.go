package console

import (
	_ "embed"
	"encoding/json"
	"html/template"
	"mime"
	"net/http"
	"strings"

	"github.com/replyproof/replyproof/cmd/internal/page"
	"github.com/replyproof/replyproof/cmd/internal/scenario"
)

var (
	//go:embed console.gohtml
	bodyText string
	//go:embed console.css
	style string
	//go:embed console.js
	script string

	body = template.Must(template.New("console").Parse(bodyText))
)

// offered is a scenario that can be chosen.
type offered struct {
	Name     string           `json:"name"`
	Doc      string           `json:"doc"`
	Settings []offeredSetting `json:"settings"`
}

type offeredSetting struct {
	Name    string          `json:"name"`
	Default json.RawMessage `json:"default"`
	Doc     string          `json:"doc"`
}

func (c *Console) page(w http.ResponseWriter, _ *http.Request) {
	var all []offered
	for _, s := range scenario.Table() {
		o := offered{Name: s.Name, Doc: s.Doc, Settings: []offeredSetting{}}
		for _, set := range s.Settings() {
			o.Settings = append(o.Settings, offeredSetting{set.Name, set.Default, set.Doc})
		}
		all = append(all, o)
	}
	var out strings.Builder
	if err := body.Execute(&out, map[string]any{"URL": c.server.URL(), "Scenarios": all}); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("X-Frame-Options", "DENY")
	page.Write(w, page.Page{ // a browser that has gone does not need it
		Title: "replyproof serve", Body: template.HTML(out.String()), Styles: []string{style}, Scripts: []string{script},
		Data: map[string]any{"scenarios": all, "kept": maxKept}, Asks: true,
	})
}

// choose makes a choice.
func (c *Console) choose(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Name     string `json:"name"`
		Settings string `json:"settings"`
		Sequence string `json:"sequence"` // in place of the others
	}
	// A form of somebody else's page cannot send this type.
	if essence, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || essence != "application/json" {
		http.Error(w, "the content type must be application/json", http.StatusUnsupportedMediaType)
		return
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		http.Error(w, "no JSON: "+err.Error(), http.StatusBadRequest)
		return
	}
	made, err := scenario.Choose(asked.Name, []byte(asked.Settings))
	if asked.Sequence != "" {
		made, err = scenario.Sequence("sequence", []byte(asked.Sequence))
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	c.server.Choose(made)
	told := chosen(made)
	c.mu.Lock()
	c.tell("chosen", told)
	c.mu.Unlock()
	answerJSON(w, http.StatusOK, told)
}
