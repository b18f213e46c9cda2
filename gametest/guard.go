package gametest

import (
	"fmt"
	"runtime/debug"
	"testing"

	"oxo"
)

// panicOf runs f and returns what it panics with and where, or "".
func panicOf(f func()) (fault string) {
	defer func() {
		if r := recover(); r != nil {
			fault = fmt.Sprintf("panic: %v\n\n%s", r, debug.Stack())
		}
	}()
	f()
	return ""
}

// guard makes a check, and fails t where the game panics, with the position and the move where that can be found.
func (k *kit[P]) guard(t testing.TB, c check) {
	if fault := panicOf(func() { c.run(t) }); fault != "" {
		t.Fatalf("%s", k.culprit(fault))
	}
}

// culprit says of a panic of which method or function of the game it is, in which position: the first of the sample
// where one of them panics again.
func (k *kit[P]) culprit(fault string) string {
	for _, p := range append(append([]P{k.g.Start}, k.sample...), k.at) {
		if name := k.panicking(p); name != "" {
			return name + ": " + fault
		}
	}
	return fault
}

// panicking says which method or function panics in a position, or "".
func (k *kit[P]) panicking(p P) string {
	text := fmt.Sprintf("%+v", p)
	fails := func(name string, f func()) string {
		if panicOf(f) == "" {
			return ""
		}
		return fmt.Sprintf("%s of the position %s", name, text)
	}
	var moves []oxo.Move
	for _, c := range []struct {
		name string
		run  func()
	}{
		{"Format", func() { text = k.g.Format(p) }},
		{"Turn", func() { p.Turn() }},
		{"Outcome", func() { p.Outcome() }},
		{"Moves", func() { moves = p.Moves(nil) }},
		{"Parse of the text", func() { _, _ = k.g.Parse(text) }},
		{"Canonical", func() { k.g.Representative(p) }},
		{"Payoff", func() { k.g.PayoffToFirst(p) }},
	} {
		if said := fails(c.name, c.run); said != "" {
			return said
		}
	}
	if k.g.Code != nil {
		if said := fails("Code", func() { k.g.Code(p) }); said != "" {
			return said
		}
	}
	for _, m := range moves {
		name := fmt.Sprint(m)
		if said := fails(fmt.Sprintf("FormatMove(%d)", m), func() { name = k.g.FormatMove(p, m) }); said != "" {
			return said
		}
		if said := fails(fmt.Sprintf("ParseMove(%q)", name), func() { _, _ = k.g.ParseMove(p, name) }); said != "" {
			return said
		}
		odds := func() {
			if p.Turn() == oxo.Chance {
				k.g.Odds(p, m)
			}
		}
		if said := fails(fmt.Sprintf("Odds of the move %s", name), odds); said != "" {
			return said
		}
		if said := fails(fmt.Sprintf("Play(%d), the move %s,", m, name), func() { p.Play(m) }); said != "" {
			return said
		}
	}
	return ""
}
