package scan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// benchTexts are about 64 KB each of what tool results are made of.
func benchTexts() []struct{ name, text string } {
	const size = 64 << 10
	var escaped, rows, pretty, words bytes.Buffer
	for i := 0; escaped.Len() < size; i++ {
		fmt.Fprintf(&escaped, `line %d of the log: \"request\" took %d ms\n\tpath=C:\\srv\\app\\%d.txt, caf\u00e9 größer\n`, i, i*7%1000, i)
	}
	for i := 0; rows.Len() < size; i++ {
		fmt.Fprintf(&rows, `,{"id":%d,"name":"row %d","score":%d.%02d,"active":%t,"tags":["a","b%d"],"parent":null,"at":{"x":%d,"y":-%d}}`,
			i, i, i%100, i%97, i%2 == 0, i%10, i*31%4096, i*17%4096)
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
		b.Run(c.name+"/encoding-json", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if !json.Valid(text) {
					b.Fatal("not valid")
				}
			}
		})
	}
}
