package verify

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"oxo/board"
)

// Question is what a certificate is to answer. The zero value asks whether it shows
// what it says of itself.
type Question struct {
	Game  *Setup // the game, with the position and the side to move; nil: as the file has it
	Claim Claim  // what is to be shown; the zero value: whatever the file claims

	Anywhere bool // any position of the game will do

	// Part of Parts, from 1: every edge is followed, and every so-manieth node looked at. Where all parts hold, the
	// certificate does. Both are 0 for the whole.
	Part, Parts int
}

// checkPart returns why there is no such part of a strategy, by moves alone or not, or nil.
func (q Question) checkPart(byMoves bool) error {
	switch {
	case q.Part == 0 && q.Parts == 0:
		return nil
	case q.Part < 1 || q.Part > q.Parts:
		return fmt.Errorf("part %d of %d: there are 1 to the number of parts", q.Part, q.Parts)
	case byMoves && q.Parts > 1:
		return fmt.Errorf("part %d of %d: a strategy of moves alone is checked whole, as the positions that come next "+
			"are known only once all before them were looked at", q.Part, q.Parts)
	}
	return nil
}

// Claim is what a certificate may be asked to show: one of first, second and draw,
// the value; not-lose:first and not-lose:second; a win within a number of plies,
// such as first<=43, or none within so many, such as first>27. The zero value is no claim.
type Claim struct {
	text  string
	seat  int // of whom it speaks; -1 for a draw
	wins  bool
	plies int // within how many; 0 where that is left open
}

// claimForms says how claims are written.
const claimForms = "first, second, draw, not-lose:first, not-lose:second, a win within a number of plies such as " +
	"first<=43, or none within it such as first>27"

// ParseClaim reads a claim as people write it; the error names the ways to do so.
func ParseClaim(text string) (Claim, error) {
	c := Claim{text: text, seat: -1, wins: true}
	name, plies, within := strings.Cut(text, "<=")
	none := false
	if !within {
		name, plies, none = strings.Cut(text, ">")
		within = none
	}
	if seat, ok := strings.CutPrefix(name, "not-lose:"); ok && !within {
		name, c.wins = seat, false
	}
	for seat := range seats {
		if seats[seat] == name {
			c.seat = seat
		}
	}
	if c.seat < 0 && text != "draw" {
		return Claim{}, fmt.Errorf("claim %q: there are %s", text, claimForms)
	}
	if within {
		n, err := strconv.Atoi(plies)
		if err != nil || n < 1 || c.seat < 0 {
			return Claim{}, fmt.Errorf("claim %q: %q is no number of plies; there are %s", text, plies, claimForms)
		}
		c.plies = n
	}
	if none { // that a side does not win says of the other that it does not lose
		c.seat, c.wins = 1-c.seat, false
	}
	return c, nil
}

// Asks returns whom the claim speaks of, -1 where it is a draw, whether it is a win or not to
// lose, and within how many plies, 0 where that is left open.
func (c Claim) Asks() (seat int, wins bool, plies int) { return c.seat, c.wins, c.plies }

// checkSubject returns why the file is not about the game and the position that are asked for, or nil. It is asked
// before the strategies are read, so that nobody waits for an answer to another question.
func (q Question) checkSubject(g *Setup) error {
	switch {
	case q.Game == nil:
		return nil
	case q.Anywhere:
		return g.FirstRulesDifference(q.Game)
	}
	return g.FirstDifference(q.Game)
}

// kind says of what kind a game is.
func (g *Setup) kind() string {
	switch {
	case g.Nine != nil:
		return "one of nine boards"
	case g.Race != nil:
		return "a race"
	}
	return "one of squares and winning sets"
}

// checkAnswered returns why what r shows is not what is asked for, or nil. Showing more is enough: who wins does
// not lose, and who does not lose within 30 plies does not lose within 20.
func (q Question) checkAnswered(r *Report) error {
	c := q.Claim
	if b := r.Game.Board; b != nil && c.plies >= b.N-r.Game.Marks[0].Len()-r.Game.Marks[1].Len() {
		c.plies = 0 // every move takes a square: no game is longer
	}
	switch {
	case c.text == "":
		return nil
	case c.seat < 0 && r.Value == "draw",
		c.seat >= 0 && c.wins && r.wins[c.seat] && (c.plies == 0 || 0 < r.plies[c.seat] && r.plies[c.seat] <= c.plies),
		c.seat >= 0 && !c.wins && (r.holds[c.seat] || r.wins[c.seat] || c.plies > 0 && r.safe[c.seat] >= c.plies):
		return nil
	case c.plies > 0 && c.wins && r.wins[c.seat] && r.plies[c.seat] == 0:
		return fmt.Errorf("it shows that %s, and not within how many plies: the claim is %s", r.Claim, c.text)
	}
	return fmt.Errorf("it shows that %s: the claim is %s", r.Claim, c.text)
}

// FirstDifference returns the first difference between the game of a file and the one that is
// asked for, their positions included, or nil. Names are not compared.
func (g *Setup) FirstDifference(asked *Setup) error {
	if err := g.FirstRulesDifference(asked); err != nil {
		return err
	}
	switch {
	case g.Nine != nil:
		return g.Nine.firstDifference(asked.Nine)
	case g.Race != nil:
		return g.Race.firstDifference(asked.Race, false)
	}
	for k, whose := range seats {
		if g.Marks[k] != asked.Marks[k] {
			return fmt.Errorf("it is about another position: the marks of the %s side are on %s, and not on %s", whose,
				SquareNames(asked.Board, g.Marks[k]), SquareNames(asked.Board, asked.Marks[k]))
		}
	}
	if g.Turn != asked.Turn {
		return fmt.Errorf("it is about a position in which the %s side is to move, and not the %s", seats[g.Turn],
			seats[asked.Turn])
	}
	return nil
}

// FirstRulesDifference is FirstDifference of everything but the positions.
func (g *Setup) FirstRulesDifference(asked *Setup) error {
	switch {
	case g.kind() != asked.kind():
		return fmt.Errorf("its game is %s, and the one that is asked for is %s", g.kind(), asked.kind())
	case g.Nine != nil:
		return g.Nine.firstRulesDifference(asked.Nine)
	case g.Race != nil:
		return g.Race.firstDifference(asked.Race, true)
	}
	a, b := g.Board, asked.Board
	if a.N != b.N {
		return fmt.Errorf("its game has %d squares, and the one that is asked for %d", a.N, b.N)
	}
	if err := firstLineDifference(a, b); err != nil {
		return err
	}
	if (a.Below == nil) != (b.Below == nil) {
		return fmt.Errorf("marks fall in %s game only",
			map[bool]string{true: "its", false: "the other"}[a.Below != nil])
	}
	for i := range a.Below {
		if a.Below[i] != b.Below[i] {
			return fmt.Errorf("in its game square %s rests on another square", b.Names[i])
		}
	}
	return g.outcomeAndPlacementDifference(asked)
}

// SquareNames lists squares by their names on a board, in ascending order.
func SquareNames(b *board.Board, s board.Set) string {
	if s.Empty() {
		return "no square"
	}
	var list []string
	for i := range s.All() {
		list = append(list, b.Names[i])
	}
	return strings.Join(list, " ")
}

// firstLineDifference says which winning set one board has and the other has not.
func firstLineDifference(a, b *board.Board) error {
	known := make(map[board.Line]bool, len(b.Lines))
	for _, line := range b.Lines {
		known[line] = true
	}
	for _, line := range a.Lines {
		if !known[line] {
			return fmt.Errorf("its game has a winning set %s that the one that is asked for has not",
				lineNames(b, line))
		}
	}
	if len(a.Lines) != len(b.Lines) {
		return fmt.Errorf("its game has %d winning sets, and the one that is asked for %d", len(a.Lines), len(b.Lines))
	}
	return nil
}

// lineNames names the squares of a winning set.
func lineNames(b *board.Board, line board.Line) string {
	if line.Bar.Empty() {
		return SquareNames(b, line.Need)
	}
	return SquareNames(b, line.Need) + " without " + SquareNames(b, line.Bar)
}

// outcomeAndPlacementDifference compares the outcomes and whose marks are placed.
func (g *Setup) outcomeAndPlacementDifference(asked *Setup) error {
	if g.Place != asked.Place {
		return errors.New("in its game the marks that are placed are not those of the game that is asked for")
	}
	for seat := range seats {
		if g.Tested[seat] != asked.Tested[seat] || g.Tested[seat] && g.Done[seat] != asked.Done[seat] {
			return fmt.Errorf("in its game a set that the %s side completes means something else", seats[seat])
		}
	}
	if g.Full != asked.Full {
		return errors.New("in its game a full board has another outcome")
	}
	return nil
}
