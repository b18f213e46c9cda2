package game

import "testing"

func TestAbout(t *testing.T) {
	for x, want := range map[float64]string{
		0: "less than 1", 7: "about 7", 9.6: "about 10", 312: "about 300", 961: "about 1,000",
		21_400: "about 20,000", 970_000: "about 1 million", 3.6e6: "about 4 million",
		2.2e12: "about 2·10^12", 9.7e9: "about 1·10^10", 3e15: "over 10^15", 1e300: "over 10^15",
	} {
		if got := AboutNumber(x); got != want {
			t.Errorf("%v is written %q, not %q", x, got, want)
		}
	}
	for x, want := range map[float64]string{
		3000:      "about 3 kB",
		300 << 20: "about 300 MB", 2.5e9: "about 2 GB", 7 << 40: "about 7 TB", 1e40: "over 10^15 TB",
	} {
		if got := AboutBytes(x); got != want {
			t.Errorf("%v bytes are written %q, not %q", x, got, want)
		}
	}
}
