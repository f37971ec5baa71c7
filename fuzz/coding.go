package fuzz

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/replyproof/replyproof/classifier"
)

// codedAs are the Content-Encoding lines among which the first byte chooses.
var codedAs = []string{"gzip", "deflate", "br", "zstd", "gzip, br", "br, deflate", "zstd, gzip", "X-Gzip", "gzip, gzip", "identity, deflate", "compress", "", strings.Repeat("gzip,", manyCodings)}

// manyCodings is more than a reader undoes at the same time.
const manyCodings = 20

// Coding judges data as a coded body: rule 2. The first byte chooses the coding,
// the media type and how the body ends. Model, classifier and reader must agree
// on what is whole, cut and damaged. Bodies of more than 16 KiB are left alone:
// they could decode to more than a machine holds for a while.
func Coding(t T, data []byte) {
	t.Helper()
	s := codedAnswer(data)
	if len(s.Answer.Body) > 16<<10 {
		return
	}
	j := agree(t, s)
	j.some(judged.readAgrees, judged.bytewise, judged.codedAgain)
}

// codedAnswer is the answer that data stands for.
func codedAnswer(data []byte) Sample {
	var plan byte
	if len(data) > 0 {
		plan, data = data[0], data[1:]
	}
	s := jsonSample(data)
	if plan&0x10 != 0 {
		s = streamSample(data)
	}
	if plan&0xe0 == 0xe0 {
		s.Answer.Ended = classifier.EndedReset
	}
	s.Answer.Header["Content-Encoding"] = []string{codedAs[int(plan&0x0f)%len(codedAs)]}
	return s
}

// codedAgain: content that is coded once more says the same.
func (j judged) codedAgain() {
	j.t.Helper()
	data := j.s.Answer.Body
	if j.v.Reason == classifier.ReasonContentEncoding || j.s.Answer.Ended != classifier.EndedEOF || len(data) == 0 {
		return
	}
	again := j.s
	again.Answer.Body = gzipped(data)
	again.Answer.Header = again.Answer.Header.Clone()
	again.Answer.Header.Add("Content-Encoding", "gzip")
	v := again.Classify()
	j.holds(same(&j.v, &v), "coded once more", again, &v)
}

// CodingSeeds are bodies of the corpus in each of the codings.
func CodingSeeds() [][]byte {
	coded := map[byte]func([]byte) []byte{
		0: gzipped, 1: zlibbed, 2: brotlied, 3: zstded,
		4: func(b []byte) []byte { return brotlied(gzipped(b)) },
		5: func(b []byte) []byte { return deflated(brotlied(b)) },
		6: func(b []byte) []byte { return gzipped(zstded(b)) },
		7: func(b []byte) []byte { return slices.Concat(gzipped(b), gzipped(nil)) },
		8: func(b []byte) []byte { return gzipped(gzipped(b)) },
		9: deflated,
		12: func(b []byte) []byte {
			for range manyCodings {
				b = gzipped(b)
			}
			return b
		},
	}
	plans := []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12}
	var all [][]byte
	for i, body := range append(small(jsonBody), small(streamBody)...) {
		plan := plans[i%len(plans)]
		seed := append([]byte{plan}, coded[plan](body)...)
		if len(body) > 0 && (body[0] == 'd' || body[0] == 'e' || body[0] == ':') {
			seed[0] |= 0x10
		}
		all = append(all, seed)
	}
	for _, seed := range seeds(codedBody) {
		all = append(all, append([]byte{byte(len(seed) % 4)}, seed...))
	}
	return all
}

func gzipped(b []byte) []byte {
	return coded(b, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) })
}

func zlibbed(b []byte) []byte {
	return coded(b, func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) })
}

func deflated(b []byte) []byte {
	return coded(b, func(w io.Writer) io.WriteCloser {
		f, err := flate.NewWriter(w, flate.BestSpeed)
		if err != nil {
			panic(err) // the level is in range
		}
		return f
	})
}

func brotlied(b []byte) []byte {
	return coded(b, func(w io.Writer) io.WriteCloser { return brotli.NewWriterLevel(w, brotli.BestSpeed) })
}

func zstded(b []byte) []byte {
	return coded(b, func(w io.Writer) io.WriteCloser {
		z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<16))
		if err != nil {
			panic(err) // the options are in range
		}
		return z
	})
}

// coded is b in a content coding. Writing to memory does not fail.
func coded(b []byte, open func(io.Writer) io.WriteCloser) []byte {
	var out bytes.Buffer
	w := open(&out)
	if _, err := w.Write(b); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return out.Bytes()
}
