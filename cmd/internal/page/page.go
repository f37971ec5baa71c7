// Package page writes one self-contained HTML page: whatever it shows is in the
// file, and a policy in its head keeps it from asking the network for anything.
//
//	err := page.Write(w, page.Page{Title: "last night", Body: body})
//
// Its base style has the colours of both themes, a switch between them, tables,
// code and print. The body comes from a template of the caller's, since
// html/template escapes by the place in which a value stands; styles and scripts
// are the caller's own embedded files and never hold what came from outside.
package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"
)

// Page is what a page is made of.
type Page struct {
	Title string
	// Body is what stands between the head of the page and its end, from the
	// caller's template. It must hold no style attribute and no handler: the
	// policy of the page refuses both.
	Body template.HTML
	// Styles and Scripts are added to those of this package, in their order. The
	// scripts run at the end of the page.
	Styles, Scripts []string
	// Data is what the scripts read as JSON from the element with the id data;
	// nil leaves the element out.
	Data any
	// Asks lets the scripts ask the server that the page came from, and no other.
	Asks bool
}

//go:embed base.css
var baseStyle string

// themeScript runs in the head, before anything is drawn.
//
//go:embed theme.js
var themeScript string

//go:embed page.gohtml
var shellText string

var shell = template.Must(template.New("page").Parse(shellText))

// Write writes the page. It fails if Data is no JSON, if a style or a script
// would end the element that it stands in, or if w fails.
func Write(w io.Writer, p Page) error {
	style := strings.Join(append([]string{baseStyle}, p.Styles...), "\n")
	script := strings.Join(p.Scripts, "\n")
	for _, text := range []string{style, script} {
		// "<!--" and "<script" would change how a browser looks for the end.
		for _, end := range []string{"</style", "</script", "<script", "<!--"} {
			if strings.Contains(strings.ToLower(text), end) {
				return fmt.Errorf("write page %q: a style or script holds %q", p.Title, end)
			}
		}
	}
	policy := fmt.Sprintf("default-src 'none'; style-src %s; script-src %s %s; img-src data:; base-uri 'none'; form-action 'none'",
		digest(style), digest(themeScript), digest(script))
	if p.Asks {
		policy += "; connect-src 'self'"
	}
	var data template.JS
	if p.Data != nil {
		text, err := json.Marshal(p.Data) // with <, > and & escaped: nothing in it can end the element
		if err != nil {
			return fmt.Errorf("write page %q: %w", p.Title, err)
		}
		data = template.JS(text)
	}
	var out bytes.Buffer
	err := shell.Execute(&out, map[string]any{
		"Title": p.Title, "Policy": policy, "Body": p.Body, "Data": data,
		"Style": template.CSS(style), "Theme": template.JS(themeScript), "Script": template.JS(script),
	})
	if err != nil {
		return fmt.Errorf("write page %q: %w", p.Title, err)
	}
	if _, err := w.Write(out.Bytes()); err != nil {
		return fmt.Errorf("write page %q: %w", p.Title, err)
	}
	return nil
}

// digest names a style or script in a policy.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
