package scan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// random is a small generator, the same on every run.
type random uint64

func (r *random) below(n int) int {
	*r = *r*6364136223846793005 + 1442695040888963407
	return int(uint64(*r>>33) % uint64(n))
}

// benchTexts are about 256 KB each of what tool results are made of.
func benchTexts() []struct{ name, text string } {
	const size = 256 << 10
	var r random
	pick := func(of ...string) string { return of[r.below(len(of))] }
	var escaped, rows, pretty, words bytes.Buffer
	for escaped.Len() < size {
		escaped.WriteString(pick("the", "row", "was", "written", "to", "ledger", `\"quoted\"`, "line", `end\n`, "path",
			`C:\\data\\`, "naïve", "déjà", "東京", `caf\u00e9`, `tab\t`, "result", "of", "query", "with", "three", "columns"))
		escaped.WriteByte(' ')
	}
	for rows.Len() < size {
		fmt.Fprintf(&rows, `,{"id":%d,"name":"%s","price":%d.%02d,"tags":["a","%s"],"ok":%t,"next":null}`,
			r.below(1e6), pick("the", "row", "was", "written", "to"), r.below(1000), r.below(100), pick("the", "row", "ledger", "was"), r.below(2) == 0)
	}
	if err := json.Indent(&pretty, []byte("["+rows.String()[1:]+"]"), "", "  "); err != nil {
		panic(err)
	}
	for words.Len() < size {
		words.WriteString("日本語の文章は一文字が三バイトになる。")
	}
	return []struct{ name, text string }{
		{"escaped", `"` + escaped.String() + `"`},
		{"plain", `"` + strings.Repeat("QUJDREVGR0hJSktM", size/16) + `"`},
		{"rows", "[" + rows.String()[1:] + "]"},
		{"pretty", pretty.String()},
		{"japanese", `"` + words.String() + `"`},
	}
}

func BenchmarkSkip(b *testing.B) {
	for _, c := range benchTexts() {
		text := []byte(c.text)
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			var s Scanner
			for b.Loop() {
				s.Reset(text, 0)
				if !s.Skip() {
					b.Fatal(s.Err())
				}
			}
		})
	}
}

// BenchmarkJSONValid is the standard library on the same texts.
func BenchmarkJSONValid(b *testing.B) {
	for _, c := range benchTexts() {
		text := []byte(c.text)
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if !json.Valid(text) {
					b.Fatal("not valid")
				}
			}
		})
	}
}
