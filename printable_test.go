package oxo_test

import (
	"strings"
	"testing"

	"oxo"
)

func TestIsPrintable(t *testing.T) {
	for name, want := range map[string]bool{
		"": true, "Ann": true, "Ann B.": true, "Åsa": true, "אנה": true, "安娜": true, "❌": true,
		"a\tb": false, "a\nb": false, "\x00": false, "\u200b": false, "\u202eAnn": false, "a\u00a0b": false,
		"\u3164": false, "\u2800": false, "⠇": true,
		"\xff": true, // which is told as \ufffd
	} {
		if oxo.IsPrintable(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

// TestShortenName: a name from elsewhere has characters that can be seen alone, and at most 40.
func TestShortenName(t *testing.T) {
	for name, want := range map[string]string{
		"": "", "Ann B.": "Ann B.", " Ann\tB.\n": "Ann B.", "a\u202eb\u200b": "ab", "\u200b\u2800": "", "a\x00b": "ab",
		"a\u00a0b": "a b", "\u2764\ufe0f": "\u2764\ufe0f", strings.Repeat("é", 40): strings.Repeat("é", 40),
		strings.Repeat("W", 50_000): strings.Repeat("W", 39) + "…",
	} {
		got := oxo.ShortenName(name)
		if got != want || !oxo.IsPrintable(got) {
			t.Errorf("%.60q: %q, want %q", name, got, want)
		}
	}
}
