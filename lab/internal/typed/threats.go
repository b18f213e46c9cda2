package typed

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"oxo"
	"oxo/board"
	"oxo/threats"
)

// ThreatResult says whether the side to move wins by threats that must each be
// answered. Where it does not, it may win in another way, or be too far from it
// to be seen.
type ThreatResult struct {
	Wins  bool     `json:"wins"`
	Moves []string `json:"moves" doc:"of both sides in turn; the last completes a set"`
	Sets  []string `json:"sets" doc:"what the winner can complete at the end: of several the other side can stop one only"`
}

// threatLimit is how many positions a search for threats looks at.
const threatLimit = 50_000

// slowLimit is how many it looks at where it looks for slow threats, too.
const slowLimit = 4 * threatLimit

// logThreats is the size of what a search for threats remembers, as a power of 2.
const logThreats = 16

// finder is a game's search for threats, which one goroutine at a time may
// use. It is made when it is first asked for.
type finder struct {
	mu   sync.Mutex
	made *threats.Finder
}

// Threats looks for a win by continuous threats of the side to move.
func (f searching[P]) Threats(position string) (*ThreatResult, error) {
	p, err := parse(f.b.Game, position)
	if err != nil {
		return nil, err
	}
	none := &ThreatResult{Moves: []string{}, Sets: []string{}}
	view, ok := any(p).(board.Positional)
	if !ok {
		return nil, errors.New("threats are of games with squares and winning sets; " + f.b.Spec + " is none")
	}
	line := f.b.threatLine(p, false)
	if len(line) == 0 {
		return none, nil
	}
	x, o := view.Marks()
	marks, seat := [2]board.Set{x, o}, p.Turn()
	r := &ThreatResult{Wins: true, Moves: []string{}}
	for k, sq := range line {
		r.Moves = append(r.Moves, f.b.board.Names[sq])
		if k < max(1, len(line)-2) { // up to the winner's last move but one
			marks[(int(seat)+k)%2] = marks[(int(seat)+k)%2].With(sq)
		}
	}
	if len(line) == 1 {
		r.Sets = f.oneShort(marks[seat].Without(line[0]), marks[seat.Other()], line[0])
	} else {
		r.Sets = f.oneShort(marks[seat], marks[seat.Other()], -1)
	}
	return r, nil
}

// threatLine returns the moves of a win by continuous threats of the side to move.
// With slow set, where there is none, it returns the first move of a win by these and
// threats one level slower. It returns nil where it finds nothing, or threats mean
// nothing in this game.
func (b *bound[P]) threatLine(p P, slow bool) []int {
	view, ok := any(p).(board.Positional)
	if !ok || b.Odds != nil || b.Payoff != nil || p.Outcome() != oxo.Ongoing || !b.wantsLines {
		return nil
	}
	b.finder.mu.Lock()
	defer b.finder.mu.Unlock()
	if b.finder.made == nil {
		if view.Board().Below != nil {
			return nil
		}
		made, err := threats.NewFinder(threats.Of(view.Board()), [2]bool{true, true}, logThreats, logThreats)
		if err != nil {
			return nil
		}
		b.finder.made = made
	}
	made, seat := b.finder.made, int(p.Turn())
	made.Reset()
	x, o := view.Marks()
	for side, marks := range [2]board.Set{x, o} {
		for sq := range marks.All() {
			made.Play(side, sq)
		}
	}
	if made.Win(context.Background(), seat, threatLimit, threats.Useful) {
		return made.Forced(seat)
	}
	if slow {
		if sq := made.Slow(context.Background(), seat, slowLimit, threats.Useful); sq >= 0 {
			return []int{sq}
		}
	}
	return nil
}

// oneShort names the winning sets of which own lacks one free square; if square
// is not negative, only those that lack that one.
func (f searching[P]) oneShort(own, other board.Set, square int) []string {
	sets := []string{}
	for _, l := range f.b.board.Lines {
		left := l.Need.Minus(own)
		if left.Len() != 1 || other.Meets(left) || l.Bar.Meets(own) || square >= 0 && left.First() != square {
			continue
		}
		sets = append(sets, f.setName(l))
	}
	return sets
}

// setName names a winning set by its squares.
func (f searching[P]) setName(l board.Line) string {
	var names []string
	for _, sq := range l.Need.Squares() {
		names = append(names, f.b.board.Names[sq])
	}
	if slices.SortFunc(names, byPlace); len(names) > 5 {
		names = []string{names[0] + " to " + names[len(names)-1]}
	}
	return strings.Join(names, "–")
}

// byPlace orders names of squares: by letter, then a2 before a10.
func byPlace(a, b string) int {
	return cmp.Or(cmp.Compare(strings.TrimRight(a, "0123456789"), strings.TrimRight(b, "0123456789")), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}
