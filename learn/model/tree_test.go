package model

import (
	"encoding/json"
	"slices"
	"testing"

	"oxo"
	"oxo/learn/show"
	"oxo/learn/space"
	"oxo/message"
)

// TestTree: examples by hand become rules, and the rules are shown.
func TestTree(t *testing.T) {
	a := ttt(t)
	b := built(t, a.Space, "tree:features=marks").Memory.(*valueLearner)
	g := b.valueModel.(*regressionTree)
	at := func(text string) space.Node {
		n, err := a.Find(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	one, two, three := at("x../.../... o"), at("x.x/o../... o"), at("x.x/oxo/... o")
	for n, worth := range map[space.Node]float64{one: 10, two: 20, three: 20} {
		b.Learn(Example{Node: n, Seat: oxo.First, Target: worth, Rate: 1})
	}
	g.finishGame(1)
	for n, want := range map[space.Node]float64{one: 10, two: 20, three: 20} {
		if got := g.value(n, 0, oxo.First); got != want {
			t.Errorf("%s is worth %v, want %v", a.Format(n), got, want)
		}
	}
	want := []string{"A board is worth 20.0 where own marks is more than 1 (of 2).",
		"A board is worth 10.0 where own marks is at most 1 (of 1)."}
	shown := b.Show(9)
	if !slices.Equal(shown.Rules, want) {
		t.Errorf("rules %q, want %q", shown.Rules, want)
	}
	data, err := json.Marshal(shown.Said)
	if err != nil {
		t.Fatal(err)
	}
	var read message.Said
	if err := json.Unmarshal(data, &read); err != nil {
		t.Fatal(err)
	}
	for i, line := range want {
		if said := show.Words().Say(read["rules"][i]); said != line {
			t.Errorf("its message says %q, want %q", said, line)
		}
	}
}
