package limit

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"oxo"
	"oxo/learn/space"
)

// Check says why a case does not show that no weights are unbeatable on the seats; nil where it does. It shares
// nothing with what finds cases, and adds up exactly. Positions and moves of the case are written as the space
// writes them; the case may come from a file, so nothing in it is taken on trust.
func (h Hypothesis) Check(c *Case, seats []oxo.Seat) error {
	return h.checkCase(c, seats, map[space.Node][]string{})
}

// checkCase checks a case under assumptions: best maps a position to the moves that are assumed to be its best, all of
// them as good as each other. It does not change best; the cases below get a copy with their own assumption.
func (h Hypothesis) checkCase(c *Case, seats []oxo.Seat, best map[space.Node][]string) error {
	if c == nil {
		return errors.New("a case is missing")
	}
	met := h.unavoidablePositions(seats, best)
	// A case that names no position is a sum of inequalities: a contradiction if one of them is strict, and
	// otherwise a proof that each of them is an equality.
	if c.Position == "" {
		strict, err := h.checkSum(c.Sum, met)
		switch {
		case err != nil || strict && len(c.Cases) == 0:
			return err
		case strict || len(c.Sum) == 0 || len(c.Cases) != 1:
			return errors.New("a sum without a move that gives away what the game is worth has one case")
		}
		// A sum of what is at least 0 is 0 only where every part is, so the second move of each inequality is a
		// best move too.
		tied := maps.Clone(best)
		for _, q := range c.Sum {
			n, _ := h.Space.Find(q.Position) // as before
			moves := tied[n]
			if moves == nil {
				moves = met[n]
			}
			tied[n] = append(slices.Clone(moves), q.Than)
		}
		return h.checkCase(c.Cases[0], seats, tied)
	}
	// A case that names a position splits: it has to go through every move that keeps the game's worth, as one of
	// them must be the best, and none but these.
	n, err := h.Space.Find(c.Position)
	if err != nil {
		return err
	}
	if moves, ok := met[n]; !ok || moves != nil {
		return fmt.Errorf("%s: the player can avoid it, or its best move is known", c.Position)
	}
	good, _ := h.splitMovesByValue(n)
	if len(good) != len(c.Moves) || len(c.Moves) != len(c.Cases) {
		return fmt.Errorf("%s: it has %d cases for the %d moves that keep what the game is worth", c.Position,
			len(c.Cases), len(good))
	}
	for i, move := range c.Moves {
		if !slices.Contains(good, move) || slices.Contains(c.Moves[:i], move) {
			return fmt.Errorf("%s: %s is no other move that keeps what the game is worth", c.Position, move)
		}
		assumed := maps.Clone(best)
		assumed[n] = []string{move}
		if err := h.checkCase(c.Cases[i], seats, assumed); err != nil {
			return err
		}
	}
	return nil
}

// checkSum adds up the inequalities, each as often as it says, and reports whether one of them is strict. It
// returns an error where a feature does not add up to 0, or where an inequality does not follow: the position has
// to be among met with Best as a known best move. Fractions are exact, also for features that are not whole
// numbers.
func (h Hypothesis) checkSum(sum []Inequality, met map[space.Node][]string) (strict bool, err error) {
	total := make([]*big.Rat, h.Size)
	for i := range total {
		total[i] = new(big.Rat)
	}
	for _, q := range sum {
		n, err := h.Space.Find(q.Position)
		if err != nil {
			return false, err
		}
		if !slices.Contains(met[n], q.Best) {
			return false, fmt.Errorf("%s: %s need not be its best move, or the player can avoid it", q.Position, q.Best)
		}
		// A move that gives away worth is strictly less than the best; one that keeps it may be as good.
		_, bad := h.splitMovesByValue(n)
		if q.Times == nil || q.Times.Sign() <= 0 || q.Than == q.Best {
			return false, fmt.Errorf("%s: %s is not more than %s so many times", q.Position, q.Best, q.Than)
		}
		strict = strict || slices.Contains(bad, q.Than)
		for sign, move := range map[int64]string{1: q.Best, -1: q.Than} {
			x, err := h.featuresAfter(n, move)
			if err != nil {
				return false, err
			}
			for i, v := range x {
				part := new(big.Rat).SetInt(q.Times)
				part.Mul(part, new(big.Rat).SetInt64(sign))
				total[i].Add(total[i], part.Mul(part, new(big.Rat).SetFloat64(v)))
			}
		}
	}
	for i, x := range total {
		if x.Sign() != 0 {
			return false, fmt.Errorf("feature %d is left over: %s times", i+1, x.RatString())
		}
	}
	return strict, nil
}

// unavoidablePositions returns the positions in which a seat is to move that a player of those best moves can't avoid,
// with its best moves; nil where they are not known, and play is not followed further there. A position where one move
// alone keeps what the game is worth has this as its best move without an assumption.
func (h Hypothesis) unavoidablePositions(seats []oxo.Seat, best map[space.Node][]string) map[space.Node][]string {
	met := map[space.Node][]string{}
	for _, seat := range seats {
		visited := make([]bool, h.Space.Len())
		var visit func(n space.Node)
		visit = func(n space.Node) {
			if visited[n] || h.Space.Over(n) {
				return
			}
			visited[n] = true
			own, moves := h.Space.Turn(n) == seat, best[n]
			if own {
				if good, _ := h.splitMovesByValue(n); moves == nil && len(good) == 1 {
					moves = good
				}
				met[n] = moves
			}
			for e, c := range h.Space.Children(n) {
				made := func(move string) bool { return h.sameFeaturesAfter(n, h.Space.FormatMove(n, e), move) }
				if !own || slices.ContainsFunc(moves, made) {
					visit(c)
				}
			}
		}
		visit(h.Space.Start)
	}
	return met
}

// splitMovesByValue returns the moves of a position that keep what the game is worth to the side that makes
// them, one of those that are alike, and the others.
// The tolerance is for worths that are sums of probabilities, as in games with chance.
func (h Hypothesis) splitMovesByValue(n space.Node) (keeping, losing []string) {
	whole, sign := h.Space.Value(h.Space.Start), space.Sign(h.Space.Turn(n))
	for e, c := range h.Space.Children(n) {
		move := h.Space.FormatMove(n, e)
		switch {
		case sign*h.Space.Value(c) < sign*whole-1e-9:
			losing = append(losing, move)
		case !slices.ContainsFunc(keeping, func(other string) bool { return h.sameFeaturesAfter(n, move, other) }):
			keeping = append(keeping, move)
		}
	}
	return keeping, losing
}

// sameFeaturesAfter reports whether two moves are the same or, if the game goes on or is drawn, have the same features
// after them: then the player makes both.
func (h Hypothesis) sameFeaturesAfter(n space.Node, move, other string) bool {
	x, err1 := h.featuresAfter(n, move)
	y, err2 := h.featuresAfter(n, other)
	return move == other || err1 == nil && err2 == nil && slices.Equal(x, y)
}

// featuresAfter returns the features of the position after a move, as the side sees it that made the move. It returns
// an error where the move wins or loses, as such a move is not weighed; after a drawn game all features are 0.
func (h Hypothesis) featuresAfter(n space.Node, move string) ([]float64, error) {
	x, seat := make([]float64, h.Size), h.Space.Turn(n)
	for e, c := range h.Space.Children(n) {
		switch {
		case h.Space.FormatMove(n, e) != move:
		case !h.Space.Over(c):
			h.Of(c, seat, x)
			return x, nil
		case h.Space.WorthTo(c, seat) == 0:
			return x, nil
		default:
			return nil, fmt.Errorf("%s: after %s the game is over", h.Space.Format(n), move)
		}
	}
	return nil, fmt.Errorf("%s: there is no move %s", h.Space.Format(n), move)
}
