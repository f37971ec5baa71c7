package page

import (
	"bytes"
	"errors"
	"html/template"
	"regexp"
	"strings"
	"testing"
)

func TestWrite(t *testing.T) {
	t.Parallel()
	hostile := "</script><img src=x onerror=alert(1)>\u2028\x00\u202e"
	var out bytes.Buffer
	err := Write(&out, Page{
		Title: "<a & b>", Body: template.HTML("<main>body</main>"), Styles: []string{".mine { color: red }"},
		Scripts: []string{"const mine = 1 < 2;"}, Data: map[string]string{"text": hostile},
	})
	if err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for _, want := range []string{
		"<title>&lt;a &amp; b&gt;</title>", "<main>body</main>", ".mine { color: red }</style>", "<script>const mine = 1 < 2;</script>",
		`id="data">{"text":"\u003c/script\u003e\u003cimg src=x onerror=alert(1)\u003e\u2028\u0000` + "\u202e" + `"}</script>`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("want %q in\n%s", want, text)
		}
	}
	policy := regexp.MustCompile(`content="(default-src [^"]*)"`).FindStringSubmatch(text)
	if policy == nil || strings.Contains(policy[1], "unsafe") || strings.Count(policy[1], "sha256-") != 3 ||
		!strings.HasPrefix(policy[1], "default-src &#39;none&#39;; ") {
		t.Errorf("got policy %q, want nothing but three digests", policy)
	}
	for _, outside := range []string{"http://", "https://", "src=\"", "@import", "url("} {
		if strings.Contains(text, outside) {
			t.Errorf("the page holds %q, which may ask the network", outside)
		}
	}
}

func TestWriteWithoutData(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := Write(&out, Page{Title: "x"}); err != nil || strings.Contains(out.String(), `id="data"`) {
		t.Errorf("got %v, %s, want no element for data", err, out.String())
	}
}

// A page that asks may ask the server that it came from, and no other.
func TestWriteAsks(t *testing.T) {
	t.Parallel()
	for asks, want := range map[bool]int{false: 0, true: 1} {
		var out bytes.Buffer
		if err := Write(&out, Page{Title: "x", Asks: asks}); err != nil || strings.Count(out.String(), "; connect-src &#39;self&#39;\"") != want {
			t.Errorf("asks %t: got %v, %s", asks, err, out.String())
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		p    Page
	}{
		{"style that ends", Page{Styles: []string{"</STYLE>"}}},
		{"script that ends", Page{Scripts: []string{"'</script>'"}}},
		{"script that opens a comment", Page{Scripts: []string{"'<!--'"}}},
		{"no JSON", Page{Data: func() {}}},
	} {
		if err := Write(new(bytes.Buffer), test.p); err == nil {
			t.Errorf("%s: got no error", test.name)
		}
	}
	if err := Write(failing{}, Page{}); !errors.Is(err, errFull) {
		t.Errorf("got %v, want %v", err, errFull)
	}
}

var errFull = errors.New("full")

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFull }
