package gametest

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"oxo"
	"oxo/games/kind"
	"oxo/message"
)

// toyKind returns the kind of the toy, with what spoil changes of it and of the game that it opens.
func toyKind(spoil func(*kind.Of[toy], *kind.Opened[toy])) *kind.Of[toy] {
	k := &kind.Of[toy]{Kind: kind.Kind{Name: "toy", Form: "toy", About: "a toy", Example: "toy",
		Options: []string{"odd"},
		Words:   message.Table{"option.odd": "oddly", "title.toy": "a toy", "toy.rules": "Two {what} win."}}}
	open := func(s kind.Spec) (*kind.Opened[toy], error) {
		if s.Args != "" || len(s.Options) > 0 {
			return nil, errors.New("it has no arguments and no options")
		}
		rules := []message.Message{message.Of("toy.rules", message.Args{"what": "neighbours"})}
		return &kind.Opened[toy]{Game: newToy(none), View: kind.GridView(5, 1), Title: message.Of("title.toy", nil),
			Rules: rules}, nil
	}
	k.Open = open
	spoil(k, nil)
	if opens := k.Open; opens != nil {
		k.Open = func(s kind.Spec) (*kind.Opened[toy], error) {
			o, err := opens(s)
			if o != nil {
				spoil(&kind.Of[toy]{}, o)
			}
			return o, err
		}
	}
	return k
}

// TestBrokenKinds: each fault of a kind is found, and said.
func TestBrokenKinds(t *testing.T) {
	player := func(make func(r *rand.Rand) oxo.Player[toy]) func(*kind.Of[toy], *kind.Opened[toy]) {
		return func(k *kind.Of[toy], _ *kind.Opened[toy]) {
			k.Players = []kind.PlayerKind[toy]{{GamePlayer: kind.GamePlayer{Name: "one"},
				Open: func(*oxo.Game[toy], string) (func(r *rand.Rand) oxo.Player[toy], error) { return make, nil }}}
		}
	}
	opened := func(spoil func(*kind.Opened[toy])) func(*kind.Of[toy], *kind.Opened[toy]) {
		return func(_ *kind.Of[toy], o *kind.Opened[toy]) {
			if o != nil {
				spoil(o)
			}
		}
	}
	for says, spoil := range map[string]func(*kind.Of[toy], *kind.Opened[toy]){
		"a name is":           func(k *kind.Of[toy], _ *kind.Opened[toy]) { k.Name = "a+b" },
		"Open is missing":     func(k *kind.Of[toy], _ *kind.Opened[toy]) { k.Open = nil },
		"About":               func(k *kind.Of[toy], _ *kind.Opened[toy]) { k.About = "" },
		`no "option.even"`:    func(k *kind.Of[toy], _ *kind.Opened[toy]) { k.Options = []string{"even"} },
		"neither a game":      func(k *kind.Of[toy], _ *kind.Opened[toy]) { k.Open = opensNothing },
		"a player nor":        player(nil),
		`player "one" choose`: player(func(*rand.Rand) oxo.Player[toy] { return stubborn{} }),
		"means nothing": func(k *kind.Of[toy], _ *kind.Opened[toy]) {
			if open := k.Open; open != nil {
				k.Open = func(kind.Spec) (*kind.Opened[toy], error) { return open(kind.Spec{}) }
			}
		},
		"panic: it fell over": func(k *kind.Of[toy], _ *kind.Opened[toy]) {
			k.Open = func(kind.Spec) (*kind.Opened[toy], error) { panic("it fell over") }
		},
		"does not open it": opened(func(o *kind.Opened[toy]) { o.Game.Spec = "toy:7" }),
		"not of the kind":  opened(func(o *kind.Opened[toy]) { o.Game.Spec = "boy" }),
		"has 3 squares":    opened(func(o *kind.Opened[toy]) { o.View = kind.GridView(3, 1) }),
		"Drawn is":         opened(func(o *kind.Opened[toy]) { o.Drawn = "round" }),
		"of its own":       opened(func(o *kind.Opened[toy]) { o.Squares[1] = o.Squares[0] }),
		"two sides":        opened(func(o *kind.Opened[toy]) { o.Roles = o.Rules }),
		"winning set":      opened(func(o *kind.Opened[toy]) { o.Lines = &kind.Lines[toy]{Need: [][]int{{5}}} }),
		"needs Mark":       opened(func(o *kind.Opened[toy]) { o.Lines = &kind.Lines[toy]{Need: [][]int{{4}}} }),
		"its message says": opened(func(o *kind.Opened[toy]) { o.Game.Title = "a boy" }),
		`"no.such.key"`:    opened(func(o *kind.Opened[toy]) { o.Rules[0].Key = "no.such.key" }),
		"is missing":       opened(func(o *kind.Opened[toy]) { o.Rules[0].Args = nil }),
		`key "inner"`: opened(func(o *kind.Opened[toy]) {
			o.Rules[0].Args = message.Args{"what": message.Message{Key: "inner"}}
		}),
	} {
		k := toyKind(spoil)
		got := failure(t, func(tb testing.TB) { checkKind(tb, k) })
		if got == "" {
			got = failure(t, func(tb testing.TB) { checkGameOf(tb, k, "toy") })
		}
		if !strings.Contains(got, says) {
			t.Errorf("of a broken kind is said %q, want something about %q", got, says)
		}
	}
	if k := toyKind(func(*kind.Of[toy], *kind.Opened[toy]) {}); len(specsOf(k)) != 1 {
		t.Errorf("the specs %v are looked at", specsOf(k))
	} else {
		RunKind(t, *k)
	}
}

func opensNothing(s kind.Spec) (*kind.Opened[toy], error) {
	if len(s.Options) > 0 {
		return nil, errors.New("it has no options")
	}
	return nil, nil
}

// stubborn is a player that chooses a move that there is not.
type stubborn struct{}

func (stubborn) Choose(context.Context, toy) (oxo.Choice, error) { return oxo.Choice{Move: 17}, nil }
