package typed

import (
	"fmt"
	"slices"
	"strings"

	"oxo"
	"oxo/board"
)

// manyMoves is how many moves a position may have for double threats to be looked
// for by trying every move with every answer.
const manyMoves = 100

// why says in words what p lets the side to move do: win at once, make several
// threats of which only one can be met, or win later. It returns "" where it
// finds nothing to say.
func (f records[P]) why(p P, known judged) string {
	if p.Outcome() != oxo.Ongoing || p.Turn() == oxo.Chance {
		return ""
	}
	if m := f.winning(p); len(m) > 0 {
		return fmt.Sprintf("it lets the other side win at once: %s", list(f.threats(p, m), " or "))
	}
	moves := p.Moves(nil)
	if len(moves) > manyMoves {
		moves = nil
	}
	slices.SortStableFunc(moves, func(x, y oxo.Move) int {
		return order(known.best, f.b.FormatMove(p, x)) - order(known.best, f.b.FormatMove(p, y))
	})
	for _, m := range moves {
		q := p.Play(m)
		if q.Outcome() != oxo.Ongoing || q.Turn() == p.Turn() || len(f.winning(q)) > 0 {
			continue
		}
		if threats, all := f.unstoppable(q); all {
			name := f.b.FormatMove(p, m)
			if len(threats) == 1 {
				return fmt.Sprintf("it lets the other side play %s, after which every answer loses at once", name)
			}
			return fmt.Sprintf("it lets the other side make %d threats at once with %s: %s; only one can be stopped", len(threats), name, list(threats, " and "))
		}
	}
	if n := len(known.force); n > 1 {
		return fmt.Sprintf("the other side now wins by threats: %s", strings.Join(known.force, ", "))
	} else if n == 1 {
		return fmt.Sprintf("the other side now wins by threats, beginning with %s", known.force[0])
	}
	if known.exact && known.plies != nil && known.value == p.Turn().String() {
		return fmt.Sprintf("the other side now wins in %d plies, beginning with %s", *known.plies, known.best[0])
	}
	return ""
}

// order is where a word stands in a list, or behind all where it does not.
func order(words []string, word string) int {
	if i := slices.Index(words, word); i >= 0 {
		return i
	}
	return len(words)
}

// winning returns the moves that win at once for the side to move.
func (f records[P]) winning(p P) []oxo.Move {
	var list []oxo.Move
	won := oxo.Win.Outcome(p.Turn())
	for _, m := range p.Moves(nil) {
		if p.Play(m).Outcome() == won {
			list = append(list, m)
		}
	}
	return list
}

// unstoppable reports whether every move in q is answered by a win at once,
// and names the wins that remain after most answers.
func (f records[P]) unstoppable(q P) (threats []string, all bool) {
	type win struct {
		name  string
		after int // of how many answers it remains
	}
	var wins []win
	for _, reply := range q.Moves(nil) {
		r := q.Play(reply)
		if r.Outcome() != oxo.Ongoing || r.Turn() == q.Turn() {
			return nil, false
		}
		now := f.winning(r)
		if len(now) == 0 {
			return nil, false
		}
		for _, name := range f.threats(r, now) {
			i := slices.IndexFunc(wins, func(w win) bool { return w.name == name })
			if i < 0 {
				i, wins = len(wins), append(wins, win{name: name})
			}
			wins[i].after++
		}
	}
	slices.SortStableFunc(wins, func(x, y win) int { return y.after - x.after })
	for _, w := range wins {
		if 2*w.after >= wins[0].after {
			threats = append(threats, w.name)
		}
	}
	return threats, len(wins) > 0
}

// threats names what winning moves do: the winning sets that they complete by
// their squares, the moves themselves where there are none.
func (f records[P]) threats(p P, moves []oxo.Move) []string {
	var names []string
	for _, m := range moves {
		sets := f.completed(p.Play(m))
		if len(sets) == 0 {
			sets = []string{f.b.FormatMove(p, m)}
		}
		for _, s := range sets {
			if !slices.Contains(names, s) {
				names = append(names, s)
			}
		}
	}
	return names
}

// completed names the winning sets that are complete in p.
func (f records[P]) completed(p P) []string {
	view, ok := any(p).(board.Positional)
	if !ok || !f.b.wantsLines {
		return nil
	}
	x, o := view.Marks()
	var sets []string
	for _, l := range f.b.board.Lines {
		if l.Owned(x) || l.Owned(o) {
			sets = append(sets, searching[P](f).setName(l))
		}
	}
	return sets
}

// list joins at most three words.
func list(words []string, join string) string {
	if len(words) > 3 {
		words = append(slices.Clone(words[:3]), "others")
	}
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + join + words[n-1]
	}
	return strings.Join(words, "")
}
