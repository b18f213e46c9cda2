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
func (k *kit[P]) panicking(p P) (said string) {
	text := fmt.Sprintf("%+v", p)
	try := func(name string, f func()) {
		if said == "" && panicOf(f) != "" {
			said = fmt.Sprintf("%s of the position %s", name, text)
		}
	}
	var moves []oxo.Move
	try("Format", func() { text = k.g.Format(p) })
	try("Turn", func() { p.Turn() })
	try("Outcome", func() { p.Outcome() })
	try("Moves", func() { moves = p.Moves(nil) })
	try("Parse of the text", func() { _, _ = k.g.Parse(text) })
	try("Canonical", func() { k.g.Representative(p) })
	try("Payoff", func() { k.g.PayoffToFirst(p) })
	if k.g.Code != nil {
		try("Code", func() { k.g.Code(p) })
	}
	for _, m := range moves {
		name := fmt.Sprint(m)
		try(fmt.Sprintf("FormatMove(%d)", m), func() { name = k.g.FormatMove(p, m) })
		try(fmt.Sprintf("ParseMove(%q)", name), func() { _, _ = k.g.ParseMove(p, name) })
		try(fmt.Sprintf("Odds of the move %s", name), func() {
			if p.Turn() == oxo.Chance {
				k.g.Odds(p, m)
			}
		})
		try(fmt.Sprintf("Play(%d), the move %s,", m, name), func() { p.Play(m) })
	}
	return said
}
