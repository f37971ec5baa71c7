package browser

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// shots is where screenshots are kept for people to look at; without it they are
// taken and thrown away.
var shots = flag.String("shots", "", "keep the screenshots in this folder")

var browser context.Context

// TestMain starts one browser for all tests. Without one the tests are skipped.
func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(func() int {
		path := find()
		if path == "" {
			return m.Run()
		}
		home, err := os.MkdirTemp("", "report-browser")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(home)
		options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
			chromedp.ExecPath(path), chromedp.UserDataDir(home), chromedp.NoSandbox, chromedp.DisableGPU,
			chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
		allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
		defer stop()
		first, closeAll := chromedp.NewContext(allocator)
		defer closeAll()
		if err := chromedp.Do(first); err != nil {
			fmt.Fprintf(os.Stderr, "start %s: %v\n", path, err)
			return 1
		}
		browser = first
		return m.Run()
	}())
}

// find gives the path of a Chromium, "" if there is none.
func find() string {
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path
		}
	}
	return ""
}

// tab is a page in the browser, and what went wrong or outside in it.
type tab struct {
	t   testing.TB
	ctx context.Context

	mu     sync.Mutex
	faults []string
	asked  []string // addresses beyond the page itself
}

// window is how a page is looked at.
type window struct {
	width, height int64
	theme         string // light or dark
	phone         bool
}

var (
	desk  = window{width: 1280, height: 900, theme: "light"}
	night = window{width: 1280, height: 900, theme: "dark"}
	phone = window{width: 390, height: 844, theme: "light", phone: true}
)

// open shows a page from its file. At the end of the test nothing must have gone
// wrong in it, and nothing must have been asked for.
func open(t testing.TB, file, hash string, w window) *tab {
	t.Helper()
	return visit(t, "file://"+file, hash, w, "file://"+file)
}

// visit shows a page from an address. At the end of the test nothing must have gone
// wrong in it, and nothing must have been asked for whose address does not begin as
// within does.
func visit(t testing.TB, address, hash string, w window, within string) *tab {
	t.Helper()
	return visitUntil(t, address+hash, w, within, "html.ready")
}

// visitUntil is visit of a page that is there when it has an element.
func visitUntil(t testing.TB, address string, w window, within, element string) *tab {
	t.Helper()
	if browser == nil {
		t.Skip("no Chromium is found in PATH, nor named by CHROMIUM: the page is not tried in a browser")
	}
	ctx, closeTab := chromedp.NewContext(browser)
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	b := &tab{t: t, ctx: ctx}
	err := chromedp.Listen(ctx, func(event any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			b.faults = append(b.faults, fmt.Sprint(e.ExceptionDetails.Text, " ", e.ExceptionDetails.Exception.Description))
		case *runtime.EventConsoleAPICalled:
			b.faults = append(b.faults, fmt.Sprintf("console.%s of %d values", e.Type, len(e.Args)))
		case *cdplog.EventEntryAdded:
			b.faults = append(b.faults, fmt.Sprintf("%s: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL))
		case *network.EventRequestWillBeSent:
			if url := e.Request.URL; !strings.HasPrefix(url, within) && !strings.HasPrefix(url, "data:") {
				b.asked = append(b.asked, url)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		closeTab()
		cancel()
		b.mu.Lock()
		defer b.mu.Unlock()
		if len(b.faults) > 0 {
			t.Errorf("the page complained: %q", b.faults)
		}
		if len(b.asked) > 0 {
			t.Errorf("the page asked for %q", b.asked)
		}
	})
	call(b, network.Enable, network.EnableParams{})
	call(b, cdplog.Enable, cdp.Empty{})
	call(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: w.width, Height: w.height, DeviceScaleFactor: 1, Mobile: w.phone})
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: w.theme}},
	})
	b.do(chromedp.Navigate(address), chromedp.WaitReady(chromedp.CSS(element)))
	return b
}

// call sends a command of the browser's protocol.
func call[P, R any](b *tab, command cdp.Command[P, R], params P) R {
	b.t.Helper()
	result, err := chromedp.Call(b.ctx, command, params)
	if err != nil {
		b.t.Fatal(err)
	}
	return result
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// eval gives the value of an expression of the page.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	value, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// js runs a statement of the page.
func (b *tab) js(statement string) {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](statement, chromedp.EvalAwaitPromise))
}

// want evaluates an expression and compares.
func want[T comparable](b *tab, what, expression string, want T) {
	b.t.Helper()
	if got := eval[T](b, expression); got != want {
		b.t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// shot takes a picture of the window, and fails if it is blank.
func (b *tab) shot(name string) {
	b.t.Helper()
	picture, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Fatal(err)
	}
	if len(picture) < 5000 {
		b.t.Errorf("%s: the picture has %d bytes, so there is nothing on it", name, len(picture))
	}
	if *shots != "" {
		if err := os.WriteFile(filepath.Join(*shots, name+".png"), picture, 0o644); err != nil {
			b.t.Fatal(err)
		}
	}
}
