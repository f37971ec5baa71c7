package corpus

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// seedHeader is the first line of a seed file of Go's native fuzzing.
const seedHeader = "go test fuzz v1"

// FuzzSeed is a seed file of Go's native fuzzing for a target that takes one
// []byte.
func FuzzSeed(input []byte) []byte {
	return fmt.Appendf(nil, "%s\n[]byte(%s)\n", seedHeader, strconv.Quote(string(input)))
}

// ParseFuzzSeed is the input of a seed file for a target that takes one []byte
// or string; ok is false for anything else.
func ParseFuzzSeed(file []byte) (input []byte, ok bool) {
	header, rest, _ := bytes.Cut(file, []byte("\n"))
	if strings.TrimRight(string(header), "\r") != seedHeader {
		return nil, false
	}
	text := strings.TrimSpace(string(rest))
	for _, kind := range []string{"[]byte(", "string("} {
		quoted, found := strings.CutPrefix(text, kind)
		if !found || !strings.HasSuffix(quoted, ")") {
			continue
		}
		if plain, err := strconv.Unquote(strings.TrimSpace(quoted[:len(quoted)-1])); err == nil {
			return []byte(plain), true
		}
	}
	return nil, false
}

// SeedName is the name that Go's fuzzing gives to a seed file of its own.
func SeedName(file []byte) string {
	sum := sha256.Sum256(file)
	return hex.EncodeToString(sum[:])[:16]
}

// FuzzSeeds makes a seed file of each input, to be put into
// testdata/fuzz/FuzzTarget. Equal inputs make one file.
func FuzzSeeds(inputs [][]byte) []Blob {
	return blobs(inputs, FuzzSeed)
}

// RawSeeds makes a file of raw bytes of each input, as libFuzzer and others take
// them, named by digest. Equal inputs make one file.
func RawSeeds(inputs [][]byte) []Blob {
	return blobs(inputs, func(input []byte) []byte { return input })
}

func blobs(inputs [][]byte, content func([]byte) []byte) []Blob {
	var all []Blob
	seen := make(map[string]bool)
	for _, input := range inputs {
		data := content(input)
		if name := SeedName(data); !seen[name] {
			seen[name] = true
			all = append(all, Blob{Name: name, Data: data})
		}
	}
	return all
}

// Bodies are the bodies of the cases as delivered, {{id}} replaced, those of
// later exchanges included; each body once, in the order of the cases.
func Bodies(cases []Case) [][]byte {
	var all [][]byte
	seen := make(map[string]bool)
	for _, c := range cases {
		for _, exchange := range c.Exchanges() {
			body := exchange.Answer().Body
			if exchange.Status != nil && !seen[string(body)] {
				seen[string(body)] = true
				all = append(all, body)
			}
		}
	}
	return all
}
