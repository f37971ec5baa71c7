package browser

import (
	"fmt"
	"testing"
)

// TestContrast computes the contrast of each colour of text with each ground
// that it stands on, as WCAG 2 does: at least 4.5 to 1 (AA), in both themes.
func TestContrast(t *testing.T) {
	grounds := []string{"ground", "raised", "sunken"}
	pairs := map[string][]string{
		"text": grounds, "quiet": grounds, "accent": {"ground", "raised", "sunken", "accent-ground"},
		"critical": grounds, "major": grounds, "minor": {"ground", "raised", "sunken", "minor-fill"}, "good": grounds,
		"on-critical": {"critical-fill"}, "on-major": {"major-fill"},
	}
	file := ordinary(t)
	for _, w := range []window{desk, night} {
		b := open(t, file, "", w)
		b.js(`window.contrast = (text, ground) => {
			const probe = document.body.appendChild(document.createElement('i'));
			probe.style.color = 'var(--' + text + ')';
			probe.style.backgroundColor = 'var(--' + ground + ')';
			const style = getComputedStyle(probe);
			const light = (colour) => {
				const [r, g, b] = colour.match(/[\d.]+/g).map(Number).map((n) => n / 255).map((n) => (n <= .04045 ? n / 12.92 : ((n + .055) / 1.055) ** 2.4));
				return .2126 * r + .7152 * g + .0722 * b;
			};
			const [a, c] = [light(style.color), light(style.backgroundColor)].sort((x, y) => y - x);
			probe.remove();
			return (a + .05) / (c + .05);
		}`)
		for text, on := range pairs {
			for _, ground := range on {
				if got := eval[float64](b, fmt.Sprintf("contrast(%q, %q)", text, ground)); got < 4.5 || got > 21 {
					t.Errorf("%s: %s on %s: got a contrast of %.2f, want at least 4.5", w.theme, text, ground, got)
				}
			}
		}
	}
}
