package service

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// TestLimiterForgets: so many keys may be known, then those go that may do as much as ever, and
// nobody else: who has used up what he may is not let in by that.
func TestLimiterForgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLimiter(Pace{PerSecond: 0.1, AtOnce: 3})
		for i := range maxLimits - 1 {
			l.Allow(fmt.Sprint(i))
		}
		time.Sleep(20 * time.Second)
		allowed := 0
		for range 5 {
			if l.Allow("haste") {
				allowed++
			}
		}
		if allowed != 3 || len(l.limits) != 1 {
			t.Errorf("%d of 5 at once are allowed, and after the others' pause %d keys known", allowed, len(l.limits))
		}
		if l.Allow("haste") || !l.Allow("another") {
			t.Error("the wrong one is let in")
		}
	})
}
