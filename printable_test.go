package oxo_test

import (
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
