package typed

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"oxo"
	"oxo/arena"
	"oxo/judge"
	"oxo/lab/internal/game"
	"oxo/puzzle"
)

// Apart returns an error where two of the positions are symmetric or one ply apart.
func (f typedGame[P]) Apart(positions []string) error {
	b := f.b
	kept := map[P]string{}
	for _, text := range positions {
		p, err := b.Game.Parse(text)
		if err != nil {
			return err
		}
		if before, ok := kept[b.Representative(p)]; ok {
			return fmt.Errorf("%s: %q and %q are alike", b.Spec, before, text)
		}
		kept[b.Representative(p)] = text
	}
	for _, text := range positions {
		p, _ := b.Game.Parse(text)
		for _, m := range p.Moves(nil) {
			if next, ok := kept[b.Representative(p.Play(m))]; ok {
				return fmt.Errorf("%s: %q follows %q by a move", b.Spec, next, text)
			}
		}
	}
	return nil
}

// Truth works out by enumeration what each move of a position is worth to the mover and
// after how many plies the game ends; false where that takes too long.
func (f typedGame[P]) Truth(text string, most int) (moves []string, worth []oxo.Value, plies []int, ok bool) {
	b := f.b
	p, err := b.Game.Parse(text)
	if err != nil {
		return nil, nil, nil, false
	}
	type truth struct {
		v oxo.Value
		n int
	}
	known := map[P]truth{}
	var solve func(p P) truth
	solve = func(p P) truth {
		if o := p.Outcome(); o != oxo.Ongoing {
			return truth{o.Value(p.Turn()), 0}
		}
		if t, ok := known[p]; ok || len(known) > most {
			return t
		}
		best := truth{v: oxo.Loss - 1}
		for _, m := range p.Moves(nil) {
			q := p.Play(m)
			t := solve(q)
			if q.Turn() != p.Turn() {
				t.v = -t.v
			}
			t.n++
			if t.v > best.v || t.v == best.v && (t.v == oxo.Win && t.n < best.n || t.v != oxo.Win && t.n > best.n) {
				best = t
			}
		}
		known[p] = best
		return best
	}
	for _, m := range p.Moves(nil) {
		q := p.Play(m)
		t := solve(q)
		if q.Turn() != p.Turn() {
			t.v = -t.v
		}
		moves, worth, plies = append(moves, b.FormatMove(p, m)), append(worth, t.v), append(plies, t.n+1)
	}
	return moves, worth, plies, len(known) <= most
}

// Threats lists the moves that the other side wins with at once after every move but the one given.
func (f typedGame[P]) Threats(text, but string) (threats []string) {
	b := f.b
	p, err := b.Game.Parse(text)
	if err != nil {
		return nil
	}
	others, wins := 0, map[string]int{}
	for _, m := range p.Moves(nil) {
		q := p.Play(m)
		if b.FormatMove(p, m) == but || q.Outcome() != oxo.Ongoing {
			continue
		}
		others++
		for _, reply := range q.Moves(nil) {
			if q.Play(reply).Outcome() == oxo.WinFor(q.Turn()) {
				wins[b.FormatMove(q, reply)]++
			}
		}
	}
	for move, n := range wins {
		if n == others {
			threats = append(threats, move)
		}
	}
	return threats
}

// enumerated is what tests ask beyond what games can do.
type enumerated interface {
	Threats(position, but string) []string
	Apart(positions []string) error
	Truth(position string, most int) (moves []string, worth []oxo.Value, plies []int, ok bool)
}

// checkPuzzle compares a puzzle with enumeration; false where that takes too long.
func checkPuzzle(t *testing.T, g game.Game, z *puzzle.Puzzle, most int) bool {
	t.Helper()
	moves, worth, plies, ok := g.(enumerated).Truth(z.Position, most)
	if !ok {
		return false
	}
	for i, m := range moves {
		right := false
		switch z.Unique {
		case puzzle.Wins:
			right = worth[i] == oxo.Win
		case puzzle.Draws:
			right = worth[i] == oxo.Draw
			if worth[i] == oxo.Win {
				t.Errorf("%+v: %s wins", z, m)
			}
		case puzzle.Fastest:
			right = worth[i] == oxo.Win && plies[i] <= z.Plies
		case puzzle.Survives:
			right = worth[i] != oxo.Loss || plies[i] > 2
		}
		if right != (m == z.Answer) {
			t.Errorf("%+v: %s is worth %d in %d plies", z, m, worth[i], plies[i])
		}
		if m == z.Answer && z.Unique == puzzle.Survives && worth[i] == oxo.Loss && plies[i] < 9 {
			t.Errorf("%+v: it loses in %d plies", z, plies[i])
		}
		if m == z.Answer && z.Plies > 0 && (worth[i] != oxo.Win || plies[i] != z.Plies) {
			t.Errorf("%+v: it is worth %d in %d plies", z, worth[i], plies[i])
		}
	}
	if z.Theme == puzzle.Block && len(g.(enumerated).Threats(z.Position, z.Answer)) == 0 {
		t.Errorf("%+v: there is nothing to block", z)
	}
	return true
}

// TestPuzzles mines puzzles of games of every kind: enumeration agrees with each, none
// are alike, the same seed gives the same ones, and together they have all themes, by search and by solutions.
func TestPuzzles(t *testing.T) {
	themes, shown := map[puzzle.Theme]bool{}, map[string]bool{}
	for _, spec := range []string{"ttt", "mnk:4,3,3", "mnk:4,3,3+misere", "ttt+wild", "ttt+notakto",
		"mnk:4,4,3+gravity",
		"mnk:4,3,3+maker", "mnk:4,3,3+avoider", "ttt+order", "cube:3,2", "torus:3,3,3"} {
		g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		mine := func() (list []puzzle.Puzzle) {
			o := puzzle.MineOptions{Count: 12, Seed: 3, Patience: 200}
			n, err := g.Judging().MinePuzzles(t.Context(), o, func(z puzzle.Puzzle) { list = append(list, z) })
			if err != nil || n != len(list) {
				t.Errorf("%s: %d told of %d: %v", spec, len(list), n, err)
			}
			return list
		}
		list := mine()
		var positions []string
		for i := range list {
			positions = append(positions, list[i].Position)
			themes[list[i].Theme], shown[list[i].Shown] = true, true
			if !checkPuzzle(t, g, &list[i], 1_000_000) {
				t.Errorf("%+v is not enumerated", list[i])
			}
			if err := g.Judging().CheckPuzzle(&list[i], 1_000_000); err != nil {
				t.Error(err)
			}
		}
		if err := g.(enumerated).Apart(positions); err != nil {
			t.Error(err)
		}
		if len(list) == 0 {
			t.Errorf("%s: no puzzle", spec)
		}
		if len(list) > 0 && !reflect.DeepEqual(list, mine()) {
			t.Errorf("%s: the same seed gives others", spec)
		}
	}
	if len(themes) < len(puzzle.Themes()) || !shown[judge.Solution] {
		t.Errorf("themes %v, shown by %v", themes, shown)
	}
}

// TestThemes mines one theme only.
func TestThemes(t *testing.T) {
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("mnk:4,3,3")
	if err != nil {
		t.Fatal(err)
	}
	for _, theme := range []puzzle.Theme{puzzle.Win, puzzle.Fork, puzzle.Block} {
		o := puzzle.MineOptions{Count: 4, Seed: 1, Theme: theme}
		n, err := g.Judging().MinePuzzles(t.Context(), o, func(z puzzle.Puzzle) {
			if z.Theme != theme {
				t.Errorf("%s: %+v", theme, z)
			}
		})
		if n != 4 || err != nil {
			t.Errorf("%s: %d, %v", theme, n, err)
		}
	}
}

// TestPuzzleRefused: a puzzle whose answer is another move, or whose claim is another, is
// refused by the second search; so are games that have no puzzles.
func TestPuzzleRefused(t *testing.T) {
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("mnk:4,3,3")
	if err != nil {
		t.Fatal(err)
	}
	var list []puzzle.Puzzle
	if _, err := g.Judging().MinePuzzles(t.Context(), puzzle.MineOptions{Count: 8, Seed: 1},
		func(z puzzle.Puzzle) { list = append(list, z) }); err != nil {
		t.Fatal(err)
	}
	for _, z := range list {
		state, _ := g.Parse(z.Position)
		for _, m := range state.Moves {
			other := z
			if other.Answer = m; m != z.Answer && g.Judging().CheckPuzzle(&other, 1_000_000) == nil {
				t.Errorf("%+v: %s passes too", z, m)
			}
		}
		if err := g.Judging().CheckPuzzle(&z, 1); z.Plies != 1 && (err == nil ||
			!strings.Contains(err.Error(), "not decided")) {
			t.Errorf("%+v: %v", z, err)
		}
	}
	for _, spec := range []string{"mnk:4,3,3+slip=0.1", "race:4", "tree:three-ply"} {
		g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := g.Judging().MinePuzzles(t.Context(), puzzle.MineOptions{Count: 1}, nil); err == nil ||
			!strings.Contains(err.Error(), "puzzles are of games") {
			t.Errorf("%s: %v", spec, err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := g.Judging().MinePuzzles(ctx, puzzle.MineOptions{Count: 1}, nil); err == nil {
		t.Error("work that was stopped goes on")
	}
}

// TestMineMistakes finds the puzzle of a mistake, and none where the right move was made.
func TestMineMistakes(t *testing.T) {
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("ttt")
	if err != nil {
		t.Fatal(err)
	}
	mine := func(moves ...string) (list []puzzle.Mistake) {
		s := arena.NewSheet(oxo.Record{Game: "ttt", Moves: moves, Result: "*"})
		if _, err := g.Judging().MineMistakes(t.Context(), s, puzzle.MineOptions{Count: 5},
			func(z puzzle.Mistake) { list = append(list, z) }); err != nil {
			t.Fatal(err)
		}
		return list
	}
	if list := mine("a1", "b2", "c1", "a3"); len(list) != 1 || list[0].Answer != "b1" ||
		list[0].Theme != puzzle.Block || list[0].Played != "a3" || list[0].Ply != 3 {
		t.Errorf("%+v", list)
	}
	if list := mine("a1", "b2", "c1", "b1"); len(list) != 0 {
		t.Errorf("%+v", list)
	}
	// Several moves keep the draw, or the win, and the one that was made does not; the last gives nothing away.
	for moves, want := range map[string]string{"a2 b2 c2": "draws save", "a2 b1 b2 c2 b3 a1": "wins only",
		"a2 b2 a1": ""} {
		said := ""
		for _, z := range mine(strings.Fields(moves)...) {
			if z.Also != nil {
				said = fmt.Sprintf("%s %s", z.Unique, z.Theme)
			}
			if err := g.Judging().CheckPuzzle(&z.Puzzle, 1_000_000); err != nil || z.IsRight(z.Played) {
				t.Errorf("%s: %+v, %v", moves, z, err)
			}
		}
		if said != want {
			t.Errorf("%s: %q, want %q", moves, said, want)
		}
	}
}

// TestMistakesWhereMarksFall: mistakes that review is certain of are puzzles, though a plain search of the whole game
// can not agree, and so are two that follow one another.
func TestMistakesWhereMarksFall(t *testing.T) {
	g := aGame(t, "mnk:7,6,4+gravity")
	moves := strings.Fields("d1 c1 d2 c2 a1 c3 a2 c4")
	s := arena.NewSheet(oxo.Record{Game: g.Info().Spec, Moves: moves, Result: "second"})
	said := ""
	if _, err := g.Judging().MineMistakes(t.Context(), s, puzzle.MineOptions{Count: 5}, func(z puzzle.Mistake) {
		said += fmt.Sprintf("%d %s: %s %s %v; ", z.Ply, z.Played, z.Unique, append(z.Also, z.Answer), z.Checked)
	}); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(said, "2 d2: wins [g1 f1] false; 3 c2: draws [d3] false; 4 a1: wins [d3] false; ") {
		t.Error(said)
	}
}

// TestBlunders: a move that lets the other side win at once is a mistake, whatever the right one is worth, and the
// first move of a game is none.
func TestBlunders(t *testing.T) {
	g := aGame(t, "mnk:7,6,4+gravity")
	moves := strings.Fields("a1 d1 b1 d2 f1 d3 g1 d4")
	s := arena.NewSheet(oxo.Record{Game: g.Info().Spec, Moves: moves, Result: "second"})
	said := ""
	_, err := g.Judging().MineMistakes(t.Context(), s, puzzle.MineOptions{Count: 5}, func(z puzzle.Mistake) {
		said += fmt.Sprintf("%d %s: %s %s; ", z.Ply, z.Played, z.Theme, z.Answer)
	})
	if err != nil || strings.HasPrefix(said, "0 ") || !strings.HasSuffix(said, "6 g1: block d4; ") {
		t.Error(said, err)
	}
}

// carriedSample checks every so many of the carried puzzles by the second search, and by
// enumeration where that is soon done.
func carriedSample(t *testing.T, every, nodes int) {
	r := rand.New(rand.NewPCG(7, 7))
	games, positions := map[string]game.Game{}, map[string][]string{}
	checked, enumerations := 0, 0
	for _, z := range puzzle.Carried() {
		if games[z.Game] == nil {
			g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game(z.Game)
			if err != nil {
				t.Fatal(err)
			}
			games[z.Game] = g
		}
		g := games[z.Game]
		positions[z.Game] = append(positions[z.Game], z.Position)
		if r.IntN(every) != 0 {
			continue
		}
		checked++
		if err := g.Judging().CheckPuzzle(&z, nodes); err != nil {
			t.Error(err)
		}
		if checkPuzzle(t, g, &z, nodes/60) {
			enumerations++
		}
	}
	for spec, list := range positions {
		if err := games[spec].(enumerated).Apart(list); err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d puzzles of %d games are checked by the second search, %d of them by enumeration", checked, len(games),
		enumerations)
	if checked == 0 || enumerations == 0 {
		t.Error("nothing was checked")
	}
}

// TestCarriedPuzzles checks a sample of the collection, and that no two are alike.
func TestCarriedPuzzles(t *testing.T) { carriedSample(t, 80, 3_000_000) }

// TestBlocksBlock: where the collection asks for a block, the other side threatens to win at once.
func TestBlocksBlock(t *testing.T) {
	blocks := 0
	for _, z := range puzzle.Carried() {
		if z.Theme != puzzle.Block {
			continue
		}
		blocks++
		if len(aGame(t, z.Game).(enumerated).Threats(z.Position, z.Answer)) == 0 {
			t.Errorf("%s, %s: there is nothing to block but with %s", z.Game, z.Position, z.Answer)
		}
	}
	if blocks < 100 {
		t.Errorf("%d blocks", blocks)
	}
}

// answered returns the position of a puzzle, and the one after its answer.
func (f typedGame[P]) answered(t *testing.T, z *puzzle.Puzzle) (before, after P) {
	p, err := f.b.Parse(z.Position)
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.b.ParseMove(p, z.Answer)
	if err != nil {
		t.Fatal(err)
	}
	return p, p.Play(m)
}

// threatsAfter returns by how many moves, all of which could be played already, the side that answers wins at once if
// the reply is the one that suits it best.
func (f typedGame[P]) threatsAfter(t *testing.T, z *puzzle.Puzzle) (most int) {
	p, q := f.answered(t, z)
	replies := q.Moves(nil)
	for _, reply := range replies {
		r, n := q.Play(reply), 0
		for _, win := range r.Moves(nil) {
			if slices.Contains(replies, win) && r.Play(win).Outcome() == oxo.WinFor(p.Turn()) {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// TestForksWhereMarksFall: a square that only the reply opens is no threat.
func TestForksWhereMarksFall(t *testing.T) {
	forks := 0
	for _, z := range puzzle.Carried() {
		if z.Theme != puzzle.Fork || !strings.Contains(z.Game, "gravity") {
			continue
		}
		forks++
		if n := aGame(t, z.Game).(interface {
			threatsAfter(*testing.T, *puzzle.Puzzle) int
		}).threatsAfter(t, &z); n < 2 {
			t.Errorf("%s, %s: after %s there are %d threats", z.Game, z.Position, z.Answer, n)
		}
	}
	if forks == 0 {
		t.Error("there are none")
	}
}

// standingThreats lists the moves with which the side that made a move wins after half of the replies or more.
func (f typedGame[P]) standingThreats(t *testing.T, z *puzzle.Puzzle) (threats []string) {
	p, q := f.answered(t, z)
	replies, after := q.Moves(nil), map[string]int{}
	for _, reply := range replies {
		r := q.Play(reply)
		for _, win := range r.Moves(nil) {
			if r.Play(win).Outcome() == oxo.WinFor(p.Turn()) {
				after[f.b.FormatMove(r, win)]++
			}
		}
	}
	for name, n := range after {
		if 2*n >= len(replies) {
			threats = append(threats, name)
		}
	}
	return threats
}

// TestForksThreaten: the answer of a fork makes two threats that stand whatever half of the replies do. In
// wild games, where each side could complete the other's, there are none.
func TestForksThreaten(t *testing.T) {
	t.Parallel()
	forks := 0
	for _, z := range puzzle.Carried() {
		if z.Theme != puzzle.Fork {
			continue
		}
		forks++
		threats := aGame(t, z.Game).(interface {
			standingThreats(*testing.T, *puzzle.Puzzle) []string
		}).standingThreats(t, &z)
		if len(threats) < 2 || strings.Contains(z.Game, "wild") {
			t.Errorf("%s, %s: %s threatens %v", z.Game, z.Position, z.Answer, threats)
		}
	}
	if forks < 100 {
		t.Errorf("%d forks", forks)
	}
}
