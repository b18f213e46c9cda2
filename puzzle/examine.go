package puzzle

import (
	"context"
	"math"
	"slices"

	"oxo"
	"oxo/judge"
	"oxo/solve"
)

// puzzleDraft is a puzzle before it is written down.
// plies counts to the end of a win, the answer included, and is 0 where it is not known or nothing is won; shown is
// the source's name.
type puzzleDraft struct {
	move   oxo.Move
	theme  Theme
	plies  int
	unique Uniqueness
	shown  string
	depth  int        // plies that have to be looked ahead to tell the answer from the other moves
	also   []oxo.Move // the other right ones, of a mistake
}

// near is what shows a puzzle that a search for near wins found; see [solve.FindForcedWin].
// Other puzzles are shown by a source of the judge.
const near = "near"

// farWin is from how many plies on the only move that wins is no win in N any more.
const farWin = 9

// twoPlyOutcomes is what a position's moves lead to within two plies.
type twoPlyOutcomes struct {
	wins  []oxo.Move // that end the game, won
	falls int        // how many end it, lost
	open  []oxo.Move // after which the other side does not win at once; those that win too
}

// lookTwoPliesAhead looks two plies ahead. It tells easy puzzles, which are wanted seldom, from others before a
// judge is asked.
func (m *Miner[P]) lookTwoPliesAhead(p P, moves []oxo.Move) (o twoPlyOutcomes) {
	turn := p.Turn()
	for _, mv := range moves {
		q := p.Play(mv)
		switch q.Outcome() {
		case oxo.WinFor(turn):
			o.wins = append(o.wins, mv)
			o.open = append(o.open, mv)
		case oxo.WinFor(turn.Other()):
			o.falls++
		case oxo.Drawn:
			o.open = append(o.open, mv)
		default:
			if q.Turn() == turn || len(winning(q)) == 0 {
				o.open = append(o.open, mv)
			}
		}
	}
	return o
}

// winning lists the moves that win the game at once for the side to move.
// It looks a ply ahead by the rules.
func winning[P oxo.Position[P]](p P) []oxo.Move {
	return slices.DeleteFunc(p.Moves(nil), func(m oxo.Move) bool { return p.Play(m).Outcome() != oxo.WinFor(p.Turn()) })
}

// findOnlyRightMove looks for the one right move of a position; nil where there is none, or none is known for
// certain. The order is that of strength: a move that keeps the value, then the fastest win, then a
// near win found by search, at last the only move that stops a win at once. Of mistakes that is said too where the
// position is lost all the same, and where several moves keep the value that the played one gave away they all are
// right.
func (w *miningRun[P]) findOnlyRightMove(ctx context.Context, p P, moves []oxo.Move, o *twoPlyOutcomes) (*puzzleDraft,
	error) {
	if len(o.wins) == 1 { // it is the answer
		return &puzzleDraft{move: o.wins[0], theme: Win, plies: 1, unique: Fastest, shown: judge.End, depth: 1}, nil
	}
	a, err := w.Judge.Ask(ctx, p, judge.Budget{Nodes: w.Nodes}, nil, nil)
	if err != nil {
		return nil, err
	}
	if f := w.onlyKeepingMove(p, a, o); f != nil {
		return f, nil
	}
	if lost := a.SeenBy(a.Turn).Hi <= -1; !lost {
		if f := w.onlyFastestWin(p, a); f != nil {
			return f, nil
		}
		if a.Proven() {
			return w.keepingMoves(a), nil
		}
		if f, err := w.onlyNearWin(ctx, p, a); f != nil || err != nil {
			return f, err
		}
	} else if !w.unchecked {
		return nil, nil
	}
	// Of what comes later nothing is known: only that every other move loses in two plies. Where a near win of the
	// other side is found after the answer too, it blocks nothing for long.
	if len(o.open) != 1 || o.falls > 0 || len(standingThreats(p, moves, o.open[0])) == 0 {
		return nil, nil
	}
	if q := p.Play(o.open[0]); q.Outcome() == oxo.Ongoing && !w.unchecked {
		if near, err := w.searchNearWin(ctx, q); err != nil || near.Found {
			return nil, err
		}
	}
	return &puzzleDraft{move: o.open[0], theme: Block, unique: Survives, shown: judge.Reply, depth: 2}, nil
}

// standingThreats lists the moves of the other side that are there already, and with which it wins after every move but
// the answer. Where each of the other moves lets it win in another way, there is nothing to block.
func standingThreats[P oxo.Position[P]](p P, moves []oxo.Move, answer oxo.Move) []oxo.Move {
	threats, others := slices.Clone(moves), 0
	for _, m := range moves {
		q := p.Play(m)
		if m == answer || q.Outcome() != oxo.Ongoing {
			continue
		}
		others++
		wins := winning(q)
		threats = slices.DeleteFunc(threats, func(t oxo.Move) bool { return !slices.Contains(wins, t) })
	}
	if others == 0 {
		return nil
	}
	return threats
}

// onlyKeepingMove finds the only move that keeps what the position is worth. Every other move must give
// something away for certain. The theme says what the solver sees: a move that ends the game badly, a
// threat, a fork, or only that others don't win.
// It is nil where some other move is not known to give anything away, or where the position's worth is not known.
func (m *Miner[P]) onlyKeepingMove(p P, a *judge.Answer, o *twoPlyOutcomes) *puzzleDraft {
	at := -1
	for i := range a.Moves {
		switch {
		case a.GivesAway(i):
		case a.Keeps(i) && at < 0:
			at = i
		default:
			return nil
		}
	}
	if at < 0 || len(a.Moves) == 1 || !a.Proven() {
		return nil
	}
	f := &puzzleDraft{move: a.Moves[at].Move, theme: Save, unique: Draws, shown: a.Source, depth: unknownDepth}
	won := a.SeenBy(a.Turn).Lo >= 1
	if won {
		f.unique = Wins
		if a.Timed {
			f.plies, f.depth = a.Plies, a.Plies
		}
	} else {
		f.depth = pliesOthersLast(a, at)
	}
	switch {
	case o.falls > 0:
		f.theme = Avoid
	case len(o.open) == 1 && len(standingThreats(p, p.Moves(nil), f.move)) > 0:
		// What the block is worth later, nobody asks: it is seen by looking two plies ahead.
		f.theme, f.depth = Block, 2
	case !won:
	case m.makesFork(p, f.move, f.plies):
		f.theme = Fork
	case f.plies == 0 || f.plies >= farWin:
		f.theme = Only
	default:
		f.theme = Win
	}
	return f
}

// keepingMoves is a puzzle of a mistake whose right moves are all that keep what a position is worth. It is nil where
// the played move gave nothing away, or where of some move it is not known.
func (w *miningRun[P]) keepingMoves(a *judge.Answer) *puzzleDraft {
	f := &puzzleDraft{theme: Save, unique: Draws, shown: a.Source, depth: unknownDepth}
	var right []oxo.Move
	gave := false
	for i := range a.Moves {
		switch move := a.Moves[i].Move; {
		case a.GivesAway(i):
			gave = gave || move == w.not
		case a.Keeps(i):
			right = append(right, move)
		default:
			return nil
		}
	}
	if !gave || len(right) == 0 {
		return nil
	}
	f.move, f.also = right[0], right[1:]
	if a.SeenBy(a.Turn).Lo >= 1 {
		f.theme, f.unique = Only, Wins
	}
	return f
}

// unknownDepth is the depth of what is won or lost in a number of plies that is not known.
const unknownDepth = 9

// pliesOthersLast is in how many plies the last of the other moves loses.
// answer is the index of the answer in a.Moves. Plies count from the position, the other move included.
func pliesOthersLast(a *judge.Answer, answer int) int {
	depth := 0
	for i := range a.Moves {
		switch k := &a.Moves[i]; {
		case i == answer:
		case !k.Timed:
			return unknownDepth
		default:
			depth = max(depth, k.Plies+1)
		}
	}
	return depth
}

// onlyFastestWin finds the only move that wins in the fewest plies, where all distances that matter are
// known. A win of farWin plies or more is not asked for in a number of moves: nobody counts so far.
func (m *Miner[P]) onlyFastestWin(p P, a *judge.Answer) *puzzleDraft {
	if !a.Timed || a.SeenBy(a.Turn).Lo < 1 || a.Plies >= farWin {
		return nil
	}
	at := -1
	for i := range a.Moves {
		k := &a.Moves[i].Known
		switch {
		// Passed over are moves that do not win, or win later.
		case a.GivesAway(i), k.Timed && k.Plies+1 > a.Plies:
		case k.Timed && a.Keeps(i) && at < 0:
			at = i
		default:
			return nil
		}
	}
	if at < 0 || len(a.Moves) == 1 {
		return nil
	}
	return m.fastestWinDraft(p, a, a.Moves[at].Move, a.Plies, a.Moves[at].Source)
}

// fastestWinDraft is the finding of a move that alone wins in so few plies, nil where the game is decided anyhow.
// shown is what shows it.
func (m *Miner[P]) fastestWinDraft(p P, a *judge.Answer, move oxo.Move, plies int, shown string) *puzzleDraft {
	if isDecided(p, a, move) {
		return nil
	}
	f := &puzzleDraft{move: move, theme: Win, plies: plies, unique: Fastest, shown: shown, depth: plies}
	if m.makesFork(p, move, plies) {
		f.theme = Fork
	}
	return f
}

// decidedNodes is how many positions are looked at, in all, to tell whether moves win of which the judge knows nothing.
const decidedNodes = 100_000

// isDecided reports whether half of the moves beside the answer, or more, are known to win as well: nobody sees then
// why only the soonest win is to be right.
func isDecided[P oxo.Position[P]](p P, a *judge.Answer, answer oxo.Move) bool {
	won := 0
	for i := range a.Moves {
		k := &a.Moves[i]
		if k.Move == answer {
			continue
		}
		wins := k.SeenBy(a.Turn).Lo >= 1
		if !k.Proven() {
			c := &checker[P]{limit: decidedNodes / len(a.Moves), worth: map[atLeastQuestion[P]]bool{}}
			wins = wins || c.getsAtLeast(atLeastQuestion[P]{p.Play(k.Move), a.Turn, oxo.Win}) && c.nodes < c.limit
		}
		if wins {
			won++
		}
	}
	return 2*won >= len(a.Moves)-1
}

// makesFork reports whether a move that wins in three plies makes two threats at once. Where marks fall, a square that
// the reply opened is no threat.
func (m *Miner[P]) makesFork(p P, move oxo.Move, plies int) bool {
	q := p.Play(move)
	return plies == 3 && q.Turn() != p.Turn() && makesTwoThreats(q, m.Falls)
}

// makesTwoThreats reports whether there are two moves with which the side that has made a move wins after half of the
// replies or more, and with standing, that no reply opened. Where each reply gives another win, nothing was threatened.
func makesTwoThreats[P oxo.Position[P]](q P, standing bool) bool {
	replies, seat := q.Moves(nil), q.Turn().Other()
	wins, threats := map[oxo.Move]int{}, 0
	for _, reply := range replies {
		r := q.Play(reply)
		if r.Outcome() != oxo.Ongoing || r.Turn() != seat {
			continue
		}
		for _, win := range winning(r) {
			if standing && !slices.Contains(replies, win) {
				continue
			}
			if wins[win]++; 2*wins[win] >= len(replies) && 2*(wins[win]-1) < len(replies) {
				threats++
			}
		}
	}
	return threats > 1
}

// onlyNearWin finds the only move that wins soonest by a search for near wins. It is nil where several moves
// win in the same number of plies.
func (m *Miner[P]) onlyNearWin(ctx context.Context, p P, a *judge.Answer) (*puzzleDraft, error) {
	w, err := m.searchNearWin(ctx, p)
	if err != nil || !w.Found || len(w.Moves) != 1 || w.Remoteness >= farWin {
		return nil, err
	}
	return m.fastestWinDraft(p, a, w.Moves[0].Move, w.Remoteness, near), nil
}

// searchNearWin searches for a near win of the side to move, where there may be one.
func (m *Miner[P]) searchNearWin(ctx context.Context, p P) (*solve.DeepenResult, error) {
	nodes := m.Nodes / nearShare
	if m.Threatens != nil {
		if !m.Threatens(p) {
			return &solve.DeepenResult{}, nil
		}
		nodes = m.Nodes
	}
	var only [2]bool
	only[p.Turn()] = true
	return solve.FindForcedWin(ctx, m.Game, p, solve.DeepenOptions[P]{Nodes: nodes, Bytes: nearTable, Only: only,
		MinMovesToWin: m.MinMovesToWin})
}

// A search for near wins takes this part of the positions, all where there is a win by
// threats, and so many bytes of memory.
const (
	nearShare = 3
	nearTable = 4 << 20
)

// What hardness begins with: of a puzzle that is seen at once, for each doubling of the
// moves that a careful beginner chooses from, for each further move of a side, and for
// each player that finds or misses it.
const (
	easiest   = 500
	perChoice = 90
	perMove   = 170
	perPlayer = 80
)

// Hardness lies between these, and moves beyond so many make nothing harder.
const (
	deepMoves     = 6
	leastHardness = 400
	mostHardness  = 2600
)

// leastRating is the first rating of the easiest puzzles. On the scale that people know from elsewhere beginners
// solve puzzles of 800 to 1000, and hard ones begin at 2200, which is where the hardest that the program carries are.
const leastRating = 800

// firstRating is what a puzzle of so much hardness is rated before anybody has tried it.
// Hardness is held within its bounds first, from which ratings rise by five for each six.
func firstRating(hardness float64) int {
	h := min(max(math.Round(hardness), leastHardness), mostHardness)
	return int(math.Round(leastRating + (h-leastHardness)*5/6))
}

// What a board adds to the first rating: for each doubling of its squares over usualSquares, for each doubling of the
// legal moves over usualMoves, up to manyOfThem, and where lines run through levels, around an edge or as no board
// shows them.
const (
	usualSquares, perSquares = 16, 70
	usualMoves, perMoves     = 8, 25
	manyOfThem               = 64
	hiddenLines              = 130
)

// boardRating is what the board adds to the first rating of a puzzle with so many legal moves, or takes from it; half
// of it where one glance is enough, at a win or a threat that is there.
func (m *Miner[P]) boardRating(f *puzzleDraft, moves int) int {
	doublings := func(n, usual int) float64 {
		return math.Log2(float64(min(max(n, 1), manyOfThem)) / float64(usual))
	}
	r := perSquares*doublings(m.Squares, usualSquares) + perMoves*doublings(moves, usualMoves)
	if m.HiddenLines {
		r += hiddenLines
	}
	if f.plies == 1 || f.theme == Block {
		r /= 2
	}
	return int(math.Round(r))
}

// estimateRating guesses how hard a puzzle is from what can be measured: the moves that don't lose within two
// plies, the depth that shows the answer, the players of little depth that find it, and the board. Ratings are on
// the scale of Elo, and are corrected by people's tries once there are some.
// Each player chooses once, by a seed that is the same for every puzzle. An error is a player's.
func (m *Miner[P]) estimateRating(ctx context.Context, p P, f *puzzleDraft, o *twoPlyOutcomes) (int, error) {
	choices := len(o.open)
	if f.plies == 1 {
		choices = 1
	}
	r := easiest + perChoice*math.Log2(float64(max(choices, 1))) + perMove*float64(min(max(f.depth-2,
		0), 2*deepMoves))/2
	for i, open := range m.Players {
		if i == 0 {
			continue // who plays at random
		}
		player, err := open(m.random(0, uint64(i)))
		if err != nil {
			return 0, err
		}
		c, err := m.Game.Ask(ctx, player, p, p.Moves(nil))
		if err != nil {
			return 0, err
		}
		if c.Move == f.move {
			r -= perPlayer
		} else {
			r += perPlayer
		}
	}
	rating := firstRating(r) + m.boardRating(f, len(p.Moves(nil)))
	return min(max(rating, leastRating), firstRating(mostHardness)), nil
}
