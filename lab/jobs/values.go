package jobs

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Duration is a time in text, such as 10m; empty for none.
type Duration string

// Set reads a time.
func (d *Duration) Set(text string) error {
	*d = Duration(text)
	_, err := d.parse()
	return err
}

// parse reads the duration, 0 where none is given.
func (d Duration) parse() (time.Duration, error) {
	t, err := time.ParseDuration(cmp.Or(string(d), "0"))
	if err != nil {
		return 0, fmt.Errorf("%q is no time, such as 50ms or 10m", string(d))
	}
	return t, nil
}

// Bytes is a number of bytes.
type Bytes int64

var units = map[string]int64{"": 1, "k": 1 << 10, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}

// Set reads a size such as 256MB, 1.5GB or a number of bytes.
func (b *Bytes) Set(text string) error {
	number := strings.TrimRight(text, "kKMGBi")
	unit, ok := units[strings.TrimSuffix(strings.TrimSuffix(text[len(number):], "B"), "i")]
	n, err := strconv.ParseFloat(number, 64)
	switch n *= float64(unit); {
	case err != nil || !ok || strings.Trim(number, "0123456789.") != "":
		return fmt.Errorf("%q: use a number with kB, MB or GB", text)
	case n < 1:
		return fmt.Errorf("%q: it must be at least 1 byte", text)
	}
	*b = Bytes(min(n, 1<<62))
	return nil
}

// String writes a size as Set reads it.
func (b Bytes) String() string {
	switch {
	case b == 0:
		return ""
	case b%(1<<30) == 0:
		return fmt.Sprintf("%dGB", b>>30)
	case b%(1<<20) == 0:
		return fmt.Sprintf("%dMB", b>>20)
	}
	return strconv.FormatInt(int64(b), 10)
}

func (b Bytes) checkVisitorLimits(l Limits) error {
	if l.Memory > 0 && int64(b) > l.Memory {
		return refuse("memory", "%v; at most %v here", b, Bytes(l.Memory))
	}
	return nil
}
