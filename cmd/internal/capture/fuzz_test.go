package capture

import (
	"bytes"
	"os"
	"testing"

	"github.com/replyproof/replyproof/classifier"
)

// FuzzRead: whatever the input and the form, reading ends without a panic, every
// exchange has a name, and one that can be recorded is read back as it was judged.
func FuzzRead(f *testing.F) {
	for name := range realVerdicts {
		data, err := os.ReadFile("testdata/real/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data[:min(len(data), 4096)])
	}
	for _, text := range []string{callSeven + counted, streamCRLF, harHead + entry(`{"status":503}`) + harTail, "data: {}\n\n", `{"status":null}` + "\n{", "\xff\xfe{\x00"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range Forms() {
			in := Input{Name: "x", Form: Form(name), ID: classifier.IntID(1), IDAssumed: true, Limit: 1 << 20}
			var timeline Timeline
			for x, err := range in.Exchanges(bytes.NewReader(data)) {
				if err != nil {
					continue
				}
				if x.ID == "" {
					t.Errorf("%s: an exchange without a name: %+v", name, x)
				}
				j := Judge(x)
				j.Settle(timeline.Add(j))
				line, err := AppendLine(nil, j, LineOptions{Raw: true})
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				for back, err := range (Input{Name: "r", Form: Record, Limit: 64 << 20}).Exchanges(bytes.NewReader(line)) {
					if again := Judge(back); err != nil || (again.Why == "") != (j.Why == "") || j.Why == "" && VerdictKey(again.Verdict) != VerdictKey(j.Verdict) {
						t.Errorf("%s: %v: recorded as %s, judged %s, want %s", name, err, line, VerdictKey(again.Verdict), VerdictKey(j.Verdict))
					}
				}
			}
		}
	})
}
