package service

import (
	"fmt"
	"testing"
)

// TestStreamLimits has no address take all streams.
func TestStreamLimits(t *testing.T) {
	h := NewBase(1, nil)
	var leave []func()
	take := func(address string, n int) (refused int) {
		for range n {
			l, err := h.CountStream(address)
			if err != nil {
				refused++
				continue
			}
			leave = append(leave, l)
		}
		return refused
	}
	if n := take("a", maxEach+2); n != 2 {
		t.Errorf("of one address %d are refused", n)
	}
	for i := range (maxStreams - maxEach) / 1000 {
		if n := take(fmt.Sprint("b", i), 1000); n != 0 {
			t.Errorf("of others %d are refused", n)
		}
	}
	if n := take("c", 1); n != 1 {
		t.Error("there is no end to streams")
	}
	for _, l := range leave {
		l()
	}
	if n := h.OpenStreams(); n != 0 || len(h.streams.by) != 0 {
		t.Errorf("%d streams are open", n)
	}
}
