package lab

import (
	"fmt"
	"strings"

	"oxo"
	"oxo/board"
	"oxo/prove/verify"
)

// described is the game that a certificate describes. The name that it gives the
// game proves nothing: known says that the game of that name is the one described.
func (l *Lab) described(name string, b *board.Board, r board.Rules) (g Game, known bool, err error) {
	if g, err := l.Game(name); err == nil && g.is(b, r) {
		return g, true, nil
	}
	s := settings{rules: r, gravity: b.Below != nil}
	if s.rules.Name, err = nameOfRules(r); err != nil {
		return nil, false, err
	}
	called := splitSpec("file:" + strings.TrimPrefix(brief(name), "file:")).args
	return bindPositional(l, "file:"+called+s.suffix(), fmt.Sprintf("a game that calls itself %q", brief(name)), "", b, s.rules), false, nil
}

// brief returns a name from outside as text of at most 100 bytes.
func brief(name string) string { return strings.ToValidUTF8(name[:min(len(name), 100)], "?") }

// nameOfRules returns the option that names the rules.
func nameOfRules(r board.Rules) (string, error) {
	for _, known := range board.AllRules {
		if sameRules(known, r) {
			return known.Name, nil
		}
	}
	return "", fmt.Errorf("its rules are none of those of positional games: %s", strings.Join(ruleWords(), ", "))
}

// sameRules reports whether the rules say the same, whatever they are called.
func sameRules(a, b board.Rules) bool {
	for seat, tested := range a.Tested {
		if tested && a.Done[seat] != b.Done[seat] {
			return false
		}
	}
	return a.Tested == b.Tested && a.Full == b.Full && a.Place == b.Place && a.Slip == b.Slip
}

// Described is what a certificate is of, beside what it claims.
type Described struct {
	Name     string // of the game, as the file has it, shortened
	Known    bool   // whether the game of that name is the one in the file
	Squares  int    // of the game in the file
	Sets     int    // that win
	Position string // where the claims begin; empty where that can't be written
	Start    bool   // whether that is the empty board
}

// Describe says of which game and position a certificate is that was checked.
func (l *Lab) Describe(g *verify.Game) Described {
	d := Described{Name: brief(g.Spec), Squares: g.Board.N, Sets: len(g.Board.Lines), Start: g.Marks[0].Empty() && g.Marks[1].Empty()}
	r := board.Rules{Place: board.Placement(g.Place), Tested: g.Tested, Full: oxo.Outcome(g.Full)}
	for seat, done := range g.Done {
		r.Done[seat] = oxo.Outcome(done)
	}
	game, known, err := l.described(g.Spec, g.Board, r)
	if err != nil {
		return d
	}
	d.Known = known
	d.Position, _ = game.Place(g.Marks) // without squares to write it by it has none
	return d
}
