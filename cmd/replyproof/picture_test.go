package main

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// The README's picture, and the command that it shows.
const (
	pictureFile    = "../../.github/verdict.svg"
	pictureCommand = "replyproof classify --from http answer.http"
	pictureColumns = 100
)

// TestPictureShowsWhatTheCommandPrints compares the README's picture with the
// command's real output; -update draws it anew.
func TestPictureShowsWhatTheCommandPrints(t *testing.T) {
	cmd := exec.Command("replyproof", strings.Fields(pictureCommand)[1:]...) // TestMain puts it into PATH
	cmd.Dir = "../testdata/examples"
	cmd.Env = append(os.Environ(), "CLICOLOR_FORCE=1", "NO_COLOR=")
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil || said.Len() > 0 {
		t.Fatalf("%s: %v\n%s", pictureCommand, err, said.String())
	}
	drawn := draw("$ \x1b[1m" + pictureCommand + "\x1b[0m\n" + out.String())
	if *update {
		if err := os.WriteFile(pictureFile, drawn, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(pictureFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(kept, drawn) {
		t.Errorf("%s does not show what the command prints; draw it with go test ./cmd/replyproof -run Picture -update, and look at it", pictureFile)
	}
}

var sequence = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// tones are the classes of the picture by the sequences of the terminal.
var tones = map[string]string{"32": "good", "31;1": "bad", "33": "doubt", "1": "bold", "2": "faint"}

// draw makes a picture of a terminal: every character in its cell, long lines
// broken at the last column as a terminal does.
func draw(text string) []byte {
	const lineHeight, left, top = 20, 16, 28
	var b bytes.Buffer
	rows := 0
	var body strings.Builder
	for line := range strings.Lines(text) {
		class := ""
		column := 0
		row := func() int { return top + rows*lineHeight }
		fmt.Fprintf(&body, `<text x="%d" y="%d">`, left, row())
		emit := func(piece string) {
			for piece != "" {
				room := pictureColumns - column
				if room == 0 {
					rows++
					column, room = 0, pictureColumns
					fmt.Fprintf(&body, "</text>\n"+`<text x="%d" y="%d">`, left, row())
				}
				head := piece
				if utf8.RuneCountInString(piece) > room {
					head = string([]rune(piece)[:room])
				}
				piece = piece[len(head):]
				column += utf8.RuneCountInString(head)
				if class == "" {
					body.WriteString(html.EscapeString(head))
				} else {
					fmt.Fprintf(&body, `<tspan class="%s">%s</tspan>`, class, html.EscapeString(head))
				}
			}
		}
		line = strings.TrimSuffix(line, "\n")
		for line != "" {
			at := sequence.FindStringSubmatchIndex(line)
			if at == nil {
				emit(line)
				break
			}
			emit(line[:at[0]])
			class = tones[line[at[2]:at[3]]]
			line = line[at[1]:]
		}
		body.WriteString("</text>\n")
		rows++
	}
	width, height := 2*left+pictureColumns*8+36, 2*top+rows*lineHeight-lineHeight
	fmt.Fprintf(&b, `<!-- Drawn from real output: go test ./cmd/replyproof -run Picture -update -->
<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" xml:space="preserve" role="img" aria-label="one verdict in a terminal">
<style>
rect { fill: #1b1f24 }
text { fill: #d7dbe0; font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace }
.good { fill: #6cc26a } .bad { fill: #ff7b72; font-weight: bold } .doubt { fill: #e3b341 } .bold { font-weight: bold } .faint { fill: #8b949e }
</style>
<rect width="%d" height="%d" rx="8"/>
%s</svg>
`, width, height, width, height, width, height, body.String())
	return b.Bytes()
}
