package gametest

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/kind"
	"oxo/message"
)

// RunKind checks what a kind says of itself and of its games, each game in a subtest of its own: the example, what is
// offered, the usual sizes, the example of a file, and the specs given here. That the games themselves hold is what
// [Run] checks.
func RunKind[P oxo.Position[P]](t *testing.T, k kind.Of[P], specs ...string) {
	t.Helper()
	t.Run("kind", func(t *testing.T) { checkKind(t, &k) })
	for _, spec := range slices.Concat(specsOf(&k), specs) {
		t.Run(spec, func(t *testing.T) { checkGameOf(t, &k, spec) })
	}
}

// RunPositionalKind is RunKind of a kind of games with squares and winning sets.
func RunPositionalKind(t *testing.T, k kind.Positional, specs ...string) {
	t.Helper()
	of := kind.Of[board.Pos256]{Kind: k.Kind}
	if k.Open != nil {
		of.Open = func(s kind.Spec) (*kind.Opened[board.Pos256], error) {
			d, err := k.Open(s)
			if err != nil {
				return nil, err
			}
			title := kind.Words().With(k.Words).Say(d.Title)
			return &kind.Opened[board.Pos256]{Game: board.Game256(d.Spec, title, d.Board, d.Rules), View: d.View(),
				Title: d.Title, Rules: d.Explain()}, nil
		}
	}
	RunKind(t, of, specs...)
}

// specsOf are the specs that a kind names itself, each once.
func specsOf[P oxo.Position[P]](k *kind.Of[P]) []string {
	var list []string
	add := func(spec string) {
		if !slices.Contains(list, spec) {
			list = append(list, spec)
		}
	}
	if k.Example != "" {
		add(k.Example)
	}
	for _, o := range k.Offers {
		add(o.Spec)
	}
	if k.Sizes != nil {
		var numbers []string
		for _, n := range k.Sizes.Numbers {
			numbers = append(numbers, fmt.Sprint(n.Usual))
		}
		add(k.Name + ":" + strings.Join(numbers, ","))
	}
	if k.File != nil {
		add(k.Name + ":" + fileExample)
	}
	return list
}

// fileExample is the path of the file whose text is the example of a file of the kind.
const fileExample = "example.json"

// openSpec opens a game of the kind by its spec.
func openSpec[P oxo.Position[P]](k *kind.Of[P], spec string) (o *kind.Opened[P], err error) {
	s := k.Split(spec)
	s.Read = func(path string) ([]byte, error) {
		if k.File == nil || path != fileExample {
			return nil, fmt.Errorf("there is no file %q", path)
		}
		return []byte(k.File.Example), nil
	}
	if fault := panicOf(func() { o, err = k.OpenWhole(s) }); fault != "" {
		return nil, fmt.Errorf("the function Open, of %q: %s", spec, fault)
	}
	return o, err
}

// checkKind: the kind can be listed, says what its options mean, and refuses a spec that means nothing.
func checkKind[P oxo.Position[P]](t testing.TB, k *kind.Of[P]) {
	listed := k.Listed()
	if err := listed.Fault(); err != nil {
		t.Fatalf("%v", err)
	}
	words := kind.Words().With(k.Words)
	for _, o := range k.Options {
		if word, _, _ := strings.Cut(o, "="); words["option."+o] == "" && words["option."+word] == "" {
			t.Fatalf("option %q: Words has no %q, what it means", o, "option."+o)
		}
	}
	if k.Form != "" && k.About == "" {
		t.Fatalf("About, what the games are in words, is missing")
	}
	for _, spec := range []string{k.Name + "+no-such-option", k.Name + ":\x00?!+no-such-option"} {
		if _, err := openSpec(k, spec); err == nil {
			t.Fatalf("%q is opened; a spec that means nothing is refused with an error", spec)
		} else if strings.Contains(err.Error(), "panic: ") {
			t.Fatalf("%v", err)
		}
	}
}

// checkGameOf: a game of the kind opens, again by its own spec, and its view, messages and players fit it.
// It looks at a sample of about 50 positions, as Run looks at more.
func checkGameOf[P oxo.Position[P]](t testing.TB, k *kind.Of[P], spec string) {
	o, err := openSpec(k, spec)
	if err != nil {
		t.Fatalf("%q: %v", spec, err)
	}
	r := newKit(t, o.Game, Positions(50), WithoutPerftFile())
	for _, c := range []check{
		{"spec", func(t testing.TB) { checkSpec(t, k, o) }},
		{"view", func(t testing.TB) { checkView(t, o, r.sample) }},
		{"words", func(t testing.TB) { checkWords(t, k, o, r.sample) }},
		{"players", func(t testing.TB) { checkPlayers(t, k, o) }},
	} {
		r.guard(t, c)
	}
}

// checkSpec: the game's own spec opens the same game. Where it begins with another word, Same says so.
func checkSpec[P oxo.Position[P]](t testing.TB, k *kind.Of[P], o *kind.Opened[P]) {
	g := o.Game
	if k.Same != "" && strings.HasPrefix(g.Spec+"+", k.Same+"+") {
		return
	}
	again, err := openSpec(k, g.Spec)
	switch {
	case kind.KindNameIn(g.Spec) != k.Name:
		t.Fatalf("the game's Spec is %q, which is not of the kind %q", g.Spec, k.Name)
	case err != nil:
		t.Fatalf("the game's Spec %q does not open it again: %v", g.Spec, err)
	case again.Game.Spec != g.Spec || again.Game.Format(again.Game.Start) != g.Format(g.Start):
		t.Fatalf("the game's Spec %q opens another game: %q, from %s", g.Spec, again.Game.Spec,
			again.Game.Format(again.Game.Start))
	}
}

// checkView: each square has a name and a place of its own, and the text of each position a sign.
func checkView[P oxo.Position[P]](t testing.TB, o *kind.Opened[P], sample []P) {
	if !slices.Contains([]kind.Drawing{kind.Grid, kind.Levels, kind.Nine, kind.Points, kind.Tree}, o.Drawn) {
		t.Fatalf("Drawn is %q; there are grid, levels, nine, points and tree", o.Drawn)
	}
	names, places := map[string]bool{}, map[[3]int]bool{}
	for i, s := range o.Squares {
		at := [3]int{s.Col, s.Row, s.Level}
		twice := names[s.Name] || places[at] && o.Drawn != kind.Points
		if s.Name == "" || twice || min(s.Col, s.Row, s.Level) < 0 {
			t.Fatalf("square %d, %+v: it needs a name and a place of its own", i, s)
		}
		names[s.Name], places[at] = true, true
	}
	if o.Places != nil && len(o.Places) != len(o.Squares) {
		t.Fatalf("%d places for %d squares", len(o.Places), len(o.Squares))
	}
	if o.Roles != nil && len(o.Roles) != 2 {
		t.Fatalf("%d roles: there are two sides", len(o.Roles))
	}
	for _, p := range sample {
		if err := o.ViewFault(p); err != nil {
			t.Fatalf("%v", err)
		}
	}
	if o.Lines == nil {
		return
	}
	for _, squares := range slices.Concat(o.Lines.Need, o.Lines.Bar) {
		if len(squares) > 0 && (slices.Min(squares) < 0 || slices.Max(squares) >= len(o.Squares)) {
			t.Fatalf("winning set %v: squares are numbered from 0 to %d", squares, len(o.Squares)-1)
		}
	}
	if o.Lines.Mark == nil || o.Lines.Bar != nil && len(o.Lines.Bar) != len(o.Lines.Need) {
		t.Fatalf("Lines needs Mark, and as many sets in Bar as in Need, or none")
	}
}

// left is an argument that a message was not given.
var left = regexp.MustCompile(`\{[a-z]+\}`)

// checkWords: every message of the game has a text, and every argument of the text is given.
func checkWords[P oxo.Position[P]](t testing.TB, k *kind.Of[P], o *kind.Opened[P], sample []P) {
	words := kind.Words().With(k.Words)
	said := slices.Concat(o.Rules, o.Roles, o.SideNames(true), o.WithPieceWords(o.Rules))
	if o.Title.Key != "" {
		said = append(said, o.Title)
		if text := words.Say(o.Title); text != o.Game.Title {
			t.Fatalf("the game's Title is %q, and its message says %q", o.Game.Title, text)
		}
	}
	if o.Remarks != nil {
		for _, p := range sample {
			for _, m := range p.Moves(nil) {
				said = append(said, o.Remarks(p, m)...)
			}
		}
	}
	for _, m := range said {
		if key := unknownKey(words, m); key != "" {
			t.Fatalf("Words has no text for the key %q", key)
		}
		if text := words.Say(m); left.MatchString(text) {
			t.Fatalf("message %q says %q: an argument is missing", m.Key, text)
		}
	}
}

// unknownKey returns the first key of a message or of one of its arguments that has no text, or "".
func unknownKey(words message.Table, m message.Message) string {
	if _, ok := words[m.Key]; !ok {
		return m.Key
	}
	for _, a := range m.Args {
		if inner, ok := a.(message.Message); ok {
			if key := unknownKey(words, inner); key != "" {
				return key
			}
		}
	}
	return ""
}

// checkPlayers: the kind's players that need no options choose legal moves to the end of a game.
// A game that does not end within maxLoopyPlies is left, which is no failure of the player.
func checkPlayers[P oxo.Position[P]](t testing.TB, k *kind.Of[P], o *kind.Opened[P]) {
	for _, known := range k.Players {
		makes, err := known.Open(o.Game, "")
		if err != nil {
			continue // it wants options
		}
		if makes == nil {
			t.Fatalf("player %q: Open returns neither a player nor an error", known.Name)
		}
		r := rand.New(rand.NewPCG(1, 1))
		player, chance := makes(r), rand.NewPCG(2, 2)
		p := o.Game.Start
		for range maxLoopyPlies {
			moves := p.Moves(nil)
			if len(moves) == 0 {
				break
			}
			m := moves[below(chance, len(moves))]
			if p.Turn() != oxo.Chance {
				c, err := player.Choose(t.Context(), p)
				if err == nil && c.Move == oxo.NoMove {
					break // it resigns
				}
				if m = c.Move; err != nil || !slices.Contains(moves, m) {
					t.Fatalf("player %q chooses %d in %s, %v; there are %v", known.Name, m, o.Game.Format(p), err,
						moves)
				}
			}
			p = p.Play(m)
		}
	}
}
