package oxo_test

import (
	"math/big"
	"reflect"
	"testing"

	"oxo"
)

// TestAnyGame: a game of positions of any game has all that the game has, and nothing that it lacks; positions are the
// same ones, and can be compared.
func TestAnyGame(t *testing.T) {
	var full oxo.Game[three]
	fields := reflect.ValueOf(&full).Elem()
	for i := range fields.NumField() {
		switch f := fields.Field(i); f.Kind() {
		case reflect.Func:
			f.Set(reflect.MakeFunc(f.Type(), func([]reflect.Value) []reflect.Value {
				none := make([]reflect.Value, f.Type().NumOut())
				for k := range none {
					none[k] = reflect.Zero(f.Type().Out(k))
				}
				return none
			}))
		case reflect.String:
			f.SetString("three")
		case reflect.Int:
			f.SetInt(3)
		case reflect.Float64:
			f.SetFloat(3)
		}
	}
	full.Start, full.Symmetries = three{1}, big.NewInt(1)
	for _, g := range []*oxo.Game[three]{&full, {}} {
		got := reflect.ValueOf(oxo.AnyGame(g)).Elem()
		for i := range got.NumField() {
			name := got.Type().Field(i).Name
			if want := fields.Addr().Interface() == g; name != "Start" && got.Field(i).IsZero() == want {
				t.Errorf("%s: there is none: %v", name, want)
			}
		}
	}
	g := oxo.AnyGame(&full)
	g.Canonical(g.Start)
	g.CanonicalUntil(nil)
	g.Decode(1)
	g.AlphaBeta(g.Start, 0, 1)
	g.Minimax(g.Start)
	g.Perft(g.Start, 1)
	if _, err := g.Parse("x"); err != nil || g.Format(g.Start) != "" || g.Code(g.Start) != 0 {
		t.Errorf("%v", err)
	}
	if _, err := g.ParseMove(g.Start, "x"); err != nil {
		t.Error(err)
	}
	p := oxo.AnyOf(three{1})
	q := p.Play(p.Moves(nil)[0])
	if p != g.Start || q == p || q != oxo.AnyOf(three{2}) || q.Position() != any(three{2}) || q.Turn() != oxo.First ||
		q.Outcome() != oxo.Ongoing || q.Play(1).Outcome() != oxo.Drawn {
		t.Errorf("%v after %v", q, p)
	}
}
