package puzzle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"oxo"
	"oxo/judge"
)

// Miner looks for puzzles of a game.
// It belongs to one goroutine while it mines. The seed is that of the options, set when mining begins.
type Miner[P oxo.Position[P]] struct {
	Game  *oxo.Game[P]
	Judge *judge.Judge[P] // of exact sources only
	Nodes uint64          // positions that each question may search

	// Players play the games whose positions are looked at. The first plays at random, and
	// not on boards of more than largeBoard moves.
	Players []func(r *rand.Rand) (oxo.Player[P], error)

	// Threatens reports whether the side to move wins by threats; near wins are looked for
	// in such positions only. It is nil where games have no search for threats, or need none.
	Threatens func(p P) bool

	// MinMovesToWin is as of [oxo.Game], of games that have it elsewhere; it may be nil.
	MinMovesToWin func(p P, seat oxo.Seat) int

	Falls bool // a move may open another square

	Squares     int  // of the board
	HiddenLines bool // winning sets run through levels, around an edge, or as the board does not show them

	seed uint64
}

// CheckSuitable returns why there are no puzzles of a game, nil where there are.
func CheckSuitable[P oxo.Position[P]](g *oxo.Game[P]) error {
	switch {
	case g.Odds != nil:
		return fmt.Errorf("puzzles are of games without chance; %s has some", g.Spec)
	case g.Loopy():
		return fmt.Errorf("puzzles are of games that come to an end; %s can go in circles", g.Spec)
	case g.Payoff != nil:
		return fmt.Errorf("puzzles are of games that are won, drawn or lost; %s has payoffs", g.Spec)
	}
	return nil
}

// MineOptions say what to mine. Count and Patience both end the work.
// Count is how many puzzles are wanted.
type MineOptions struct {
	Count    int
	Seed     uint64
	Theme    Theme // only this one; empty for all
	Patience int   // positions looked at without finding one before it ends; 0 is usualPatience
	Apart    bool  // puzzles that are akin to others come last, where those that are not are too few
}

// aside is how many puzzles are found, for each that is asked for, before those that are akin do.
const aside = 4

// usualPatience is how many positions without a puzzle end the work.
const usualPatience = 3000

// maxOfSameKind is how many puzzles like f there may be: few of easy ones, where no theme is asked for.
func (o *MineOptions) maxOfSameKind(f *puzzleDraft) int {
	switch {
	case o.Theme != "":
		return o.Count
	case f.plies == 1:
		return max(1, o.Count/20)
	case f.unique == Survives:
		return max(1, o.Count/10)
	case f.theme == Fork:
		return max(1, o.Count/2)
	case f.theme == Block:
		return max(1, o.Count/4)
	}
	return o.Count
}

// wander is the chance of a random move in a game that is looked at; on large boards a
// game has strays such moves at most, about, so that it looks like a game.
const (
	wander     = 0.15
	strays     = 4
	largeBoard = 100
)

// Mine looks for puzzles and tells of each. No two are symmetric, one ply apart,
// or of one game with the same answer. It
// returns how many there are: fewer than asked for where it finds no more. The same
// seed finds the same ones. The error is the context's, or a player's.
func (m *Miner[P]) Mine(ctx context.Context, o MineOptions, tell func(Puzzle)) (int, error) {
	w, err := m.newMiningRun(o, tell)
	if err != nil {
		return 0, err
	}
	for game := uint64(1); !w.full() && w.dry < w.o.Patience; game++ {
		positions, err := m.playGame(ctx, game)
		if err != nil {
			return w.count, err
		}
		clear(w.answers)
		w.dry++ // so that games without a new position end, too
		for _, p := range positions {
			if err := w.minePosition(ctx, p); err != nil {
				return w.count, err
			}
			if w.full() || w.dry >= w.o.Patience {
				break
			}
		}
	}
	for _, l := range w.later {
		if w.count < o.Count && w.wanted(l.draft) {
			w.keep(l.Puzzle, l.draft)
		}
	}
	return w.count, nil
}

// Mistake is a puzzle of a played game, in which another move was made than a right one.
type Mistake struct {
	Puzzle
	Played string // the move that was made
	Ply    int    // how many moves were made before it

	// Checked is whether a second search has agreed. Early in a large game it decides nothing; what is said is as
	// certain as the judge's exact sources.
	Checked bool
}

// MineMistakes is Mine of the positions of a played game, in which these moves were made,
// and others were right.
// positions[i] is the one in which played[i] was made. Patience ends nothing here.
func (m *Miner[P]) MineMistakes(ctx context.Context, positions []P, played []oxo.Move, o MineOptions,
	tell func(Mistake)) (int, error) {
	ply := 0
	var w *miningRun[P]
	w, err := m.newMiningRun(o, func(z Puzzle) {
		tell(Mistake{z, m.Game.FormatMove(positions[ply], played[ply]), ply, w.checked})
	})
	if err != nil {
		return 0, err
	}
	w.checkNodes, w.unchecked = mistakeNodes, true
	for i, move := range played {
		if positions[i] == m.Game.Start {
			continue // nobody calls a first move a mistake
		}
		// Mistakes that follow one another are of different players.
		clear(w.answers)
		clear(w.near)
		clear(w.kept)
		ply, w.not = i, move
		if err := w.minePosition(ctx, positions[i]); err != nil || w.count == o.Count {
			return w.count, err
		}
	}
	return w.count, nil
}

// newMiningRun begins a search for puzzles. The error says why there are no puzzles of such a game.
func (m *Miner[P]) newMiningRun(o MineOptions, tell func(Puzzle)) (*miningRun[P], error) {
	m.seed = o.Seed
	o.Patience = cmp.Or(o.Patience, usualPatience)
	return &miningRun[P]{Miner: m, o: o, tell: tell, checkNodes: checkNodes, not: oxo.NoMove, seen: map[P]bool{},
		near: map[P]bool{}, kept: map[P]bool{}, answers: map[oxo.Move]bool{}, of: map[sort]int{}}, CheckSuitable(m.Game)
}

// random returns the source of draws of a game, for one purpose.
// Games are counted from 1; their purpose 0 is the game's own draws, and 1 and 2 are its players'. Game 0 is of
// players that rate.
func (m *Miner[P]) random(game, purpose uint64) *rand.Rand {
	return rand.New(rand.NewPCG(m.seed, game<<8|purpose))
}

// playGame plays a game between two of the players, and returns its positions in an order drawn at random.
// The order of the positions is drawn so that puzzles of a short game are not all from its end.
func (m *Miner[P]) playGame(ctx context.Context, game uint64) (shuffled []P, err error) {
	r := m.random(game, 0)
	p := m.Game.Start
	players, astray := m.Players, wander
	if size := len(p.Moves(nil)); size > largeBoard {
		players, astray = players[1:], strays/float64(size)
	}
	var seats [2]oxo.Player[P]
	for i := range seats {
		var err error
		if seats[i], err = players[r.IntN(len(players))](m.random(game, uint64(i+1))); err != nil {
			return nil, err
		}
	}
	var positions []P
	for n := 0; p.Outcome() == oxo.Ongoing && n < mostPlies; n++ {
		if p.Turn() == oxo.Chance {
			return nil, errors.New("puzzle: a position in which chance acts")
		}
		positions = append(positions, p)
		moves := m.Game.OngoingMoves(p, nil)
		move := moves[r.IntN(len(moves))]
		if r.Float64() >= astray {
			c, err := m.Game.Ask(ctx, seats[p.Turn()], p, moves)
			if err != nil {
				return nil, err
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			move = c.Move
		}
		p = p.Play(move)
	}
	r.Shuffle(len(positions), func(i, j int) { positions[i], positions[j] = positions[j], positions[i] })
	return positions, nil
}

// mostPlies is how long a game may last that need never end.
const mostPlies = 400

// miningRun is one search for puzzles. Classes are positions up to symmetry.
// dry counts positions since the last puzzle, and of counts puzzles by their sort.
type miningRun[P oxo.Position[P]] struct {
	*Miner[P]
	o          MineOptions
	tell       func(Puzzle)
	checkNodes int               // how many positions the second search may look at
	unchecked  bool              // puzzles that it does not decide are kept
	checked    bool              // whether it has decided the last puzzle
	not        oxo.Move          // the move that was played and is not to be right
	seen       map[P]bool        // classes that were looked at
	kept, near map[P]bool        // classes of puzzles, and of positions a ply after one
	answers    map[oxo.Move]bool // of the puzzles that the game at hand gave
	of         map[sort]int
	count, dry int
	told       []Puzzle
	later      []akinPuzzle // found where they are to be apart
}

// akinPuzzle is a puzzle that is akin to one before it.
type akinPuzzle struct {
	Puzzle
	draft *puzzleDraft
}

// full reports whether there are puzzles enough, also of those that are akin to others.
func (w *miningRun[P]) full() bool {
	return w.count >= w.o.Count || w.count+len(w.later) >= aside*w.o.Count
}

// keepOrPutAside keeps a puzzle, or has it wait where it is akin to one before it and is not to be.
func (w *miningRun[P]) keepOrPutAside(z Puzzle, f *puzzleDraft) {
	if w.o.Apart && slices.ContainsFunc(w.told, func(t Puzzle) bool { return t.IsAkin(&z) }) {
		w.later = append(w.later, akinPuzzle{z, f})
		return
	}
	w.told = append(w.told, z)
	w.dry = 0
	w.keep(z, f)
}

// keep tells of a puzzle, and counts it.
func (w *miningRun[P]) keep(z Puzzle, f *puzzleDraft) {
	w.of[kindOf(f)]++
	w.count++
	w.tell(z)
}

// minePosition examines a position and keeps the puzzle that it is, if any. A puzzle that the second search
// does not decide is passed over; one that it contradicts is a fault of a source, and an error.
func (w *miningRun[P]) minePosition(ctx context.Context, p P) error {
	moves := p.Moves(nil)
	if p.Outcome() != oxo.Ongoing || len(moves) < 2 {
		return nil
	}
	class := w.Game.Representative(p)
	if w.seen[class] {
		return nil
	}
	w.seen[class] = true
	w.dry++
	if w.near[class] {
		return nil
	}
	o := w.lookTwoPliesAhead(p, moves)
	if len(o.wins) > 1 && !w.unchecked ||
		len(o.wins) == 1 && !w.wanted(&puzzleDraft{theme: Win, plies: 1, unique: Fastest}) {
		return nil
	}
	f, err := w.findOnlyRightMove(ctx, p, moves, &o)
	if f == nil || err != nil || f.move == w.not || w.answers[f.move] || !w.wanted(f) {
		return err
	}
	// A position a ply before a puzzle that was kept is none itself.
	after := make([]P, len(moves))
	for i, m := range moves {
		if after[i] = w.Game.Representative(p.Play(m)); w.kept[after[i]] {
			return nil
		}
	}
	check := &checker[P]{limit: w.checkNodes}
	holds, known := check.claimHolds(p, append(f.also, f.move), f.unique, f.plies)
	switch w.checked = known; {
	case !known && !w.unchecked:
		return nil
	case known && !holds:
		return fmt.Errorf("a fault: by %s the only right move at %q is %s, and a second search says that it is not",
			f.shown, w.Game.Format(p), w.Game.FormatMove(p, f.move))
	}
	rating, err := w.estimateRating(ctx, p, f, &o)
	if err != nil {
		return err
	}
	z := Puzzle{Game: w.Game.Spec, Position: w.Game.Format(p), Theme: f.theme, Answer: w.Game.FormatMove(p, f.move),
		Plies: f.plies, Rating: rating, Unique: f.unique, Shown: f.shown}
	for _, m := range f.also {
		z.Also = append(z.Also, w.Game.FormatMove(p, m))
	}
	z.ID = identity(z.Game, z.Position)
	w.kept[class], w.answers[f.move] = true, true
	for _, c := range after {
		w.near[c] = true
	}
	w.keepOrPutAside(z, f)
	return nil
}

// sort is what puzzles are counted by.
type sort struct {
	theme  Theme
	unique Uniqueness
	atOnce bool
}

// kindOf is what f is counted as.
func kindOf(f *puzzleDraft) sort { return sort{f.theme, f.unique, f.plies == 1} }

// wanted reports whether one more puzzle like f may be kept: of mistakes all, of the theme that is asked for.
func (w *miningRun[P]) wanted(f *puzzleDraft) bool {
	return (w.o.Theme == "" || w.o.Theme == f.theme) && (w.unchecked || w.of[kindOf(f)] < w.o.maxOfSameKind(f))
}
