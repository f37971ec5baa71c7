package browser

import (
	"bytes"
	"flag"
	"image/png"
	"os"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

var (
	picture  = flag.String("picture", "", "write the README's picture to this file, and no other test")
	pictured = flag.String("pictured", "", "the page that it shows, its whole path")
)

// TestPicture draws the picture of the README; make picture runs it.
func TestPicture(t *testing.T) {
	if *picture == "" {
		t.Skip("no -picture")
	}
	b := open(t, *pictured, "#/?q=streams", window{width: 1240, height: 780, theme: "light"})
	b.js("document.querySelector('.bar').remove()")
	b.js("grid.style.maxHeight = 'none'")
	b.js("document.getElementById('filters').scrollIntoView(); scrollBy(0, -16)")
	call(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 1240, Height: 780, DeviceScaleFactor: 1})
	b.js(settle)
	drawn, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := png.Decode(bytes.NewReader(drawn))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, decoded); err != nil {
		t.Fatal(err)
	}
	if len(out.Bytes()) > 200_000 {
		t.Errorf("got %d bytes, want at most 200,000", out.Len())
	}
	if err := os.WriteFile(*picture, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
