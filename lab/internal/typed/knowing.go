package typed

import (
	"context"
	"math"
	"math/big"
	"sync"

	"oxo"
	"oxo/judge"
	"oxo/lines"
	"oxo/prove"
	"oxo/prove/certificate"
	"oxo/search"
	"oxo/solve"
)

// knowing is what the judge of a game keeps.
type knowing[P oxo.Position[P]] struct {
	once       sync.Once
	judge      *judge.Judge[P]
	voice      *judge.Voice[P]
	read       sync.Once
	ready      chan struct{} // closed when the strategies are read
	strategies *judge.Strategies[P]
	err        error // why they could not be
	size       sync.Once
	classes    float64 // of positions, guessed
}

// quickClasses is how many positions are solved before anything else that costs.
const quickClasses = 60_000

// openJudge returns the game's judge: its sources by what they cost.
func (b *typedGame[P]) openJudge() (*judge.Judge[P], *judge.Voice[P]) {
	k := &b.knowing
	k.once.Do(func() {
		solved := func(share float64, most int) judge.Source[P] {
			return judge.FromSolution(share, func(ctx context.Context, p P, nodes uint64) (*solve.Solution[P], error) {
				return b.solutionHolding(ctx, p, nodes, most)
			})
		}
		k.judge = &judge.Judge[P]{Game: b.Game, Sources: []judge.Source[P]{
			judge.EndingMoves[P](),
			judge.EndingReplies[P](),
			solved(0, 0),
			judge.FirstEstimate[P](.2, func() bool { return b.guessStartClasses() <= quickClasses }),
			// which are solved as soon
			solved(.6, quickClasses),
			judge.FromCertificates(.5, b.knownStrategies),
		}}
		if b.ensureDropSolver() == nil {
			k.judge.Timed = true
			k.judge.Sources = append(k.judge.Sources, judge.FromBook(b.bookVerdict), judge.ByDropSearch(.7,
				b.dropVerdictFinder))
		}
		k.judge.Sources = append(k.judge.Sources,
			judge.ByThreats(.3, b.view.Falls, b.withThreatFinder),
			judge.ByNewProof(.2, b.findCheckedProof),
			judge.ByProofNumbers[P](.3),
			solved(.5, atOnce),
			judge.ByStrongestSearch(b.strongestSearch(), b.mctsOptions))
		k.voice = &judge.Voice[P]{Game: b.Game, Seats: [2]string{b.view.Seat(oxo.First), b.view.Seat(oxo.Second)},
			Does: b.remark, Falls: b.view.Falls && b.wantsLines}
		if b.lines != nil {
			k.voice.Sets = b.completedSets
		}
	})
	return k.judge, k.voice
}

// solutionHolding returns a solution that holds p: the whole game's where that is there, or is
// wanted for no more than it takes; else that of what can follow p, up to most classes of
// positions; nil where those are too many. With nodes it is the same every time.
func (b *typedGame[P]) solutionHolding(ctx context.Context, p P, nodes uint64, most int) (*solve.Solution[P], error) {
	if s := b.whole.solution.Load(); s != nil && nodes == 0 {
		return s, nil
	}
	if most == 0 || p.Outcome() != oxo.Ongoing {
		return nil, nil
	}
	if nodes > 0 {
		most = int(min(nodes, uint64(most)))
	} else if b.guessStartClasses() <= hopeless*float64(most) {
		if s, err := b.solveWhole(ctx); err == nil || ctx.Err() != nil {
			return s, err
		}
	}
	if !b.fewSquaresFree(p) {
		return nil, nil
	}
	return b.solveFrom(ctx, p, solve.Options{Limit: most})
}

// mostGuessed is how many squares a board has at most whose positions are counted by a
// guess, which takes long on larger ones and says what is plain.
const mostGuessed = 25

// guessStartClasses guesses how many classes of positions the game has, once.
func (b *typedGame[P]) guessStartClasses() float64 {
	k := &b.knowing
	k.size.Do(func() {
		if k.classes = math.Inf(1); b.mark != nil && len(b.view.Squares) > mostGuessed || b.mark == nil &&
			len(b.view.Squares) >= fewMeta {
			return
		}
		order, _ := new(big.Float).SetInt(b.Symmetries).Float64()
		if k.classes = solve.EstimatePositions(b.Game, b.Start, guesses, 1); b.Canonical != nil {
			k.classes /= order
		}
	})
	return k.classes
}

// Of boards, how many free squares a position may have for all that can follow to be
// looked for: where each is a move, where there are two moves each, and where marks fall.
const (
	fewFree   = 16
	fewEither = 12
	fewFall   = 20
)

// fewSquaresFree reports whether so few squares are free that a guess of what can follow p is worth
// its time.
func (b *typedGame[P]) fewSquaresFree(p P) bool {
	if b.mark == nil {
		return len(b.view.Squares) < fewMeta
	}
	free := 0
	for sq := range b.view.Squares {
		if b.mark(p, sq) == 2 {
			free++
		}
	}
	switch {
	case b.view.Falls:
		return free <= fewFall
	case len(p.Moves(nil)) > free:
		return free <= fewEither
	}
	return free <= fewFree
}

// fewMeta is how many squares a game without winning sets may have: those of nine boards
// have too many positions to the end.
const fewMeta = 81

// proofMemory is what a proof that is looked for while somebody waits may take, in bytes.
const proofMemory = 64 << 20

// A position of the prover counts as one for so many winning sets of the board, all of
// which it looks at. A search of fewer than leastProof is not begun.
const (
	linesOfNode = 20
	leastProof  = 1000
)

// findCheckedProof looks for a proof about p, and has the checker look at it.
func (b *typedGame[P]) findCheckedProof(ctx context.Context, p P, nodes uint64) (*certificate.Proof, error) {
	if b.board == nil || b.Odds != nil {
		return nil, nil
	}
	g, err := b.provableGame(b.Format(p))
	if err != nil {
		return nil, nil // which is no game of proofs
	}
	o := prove.Options{Nodes: nodes * linesOfNode / uint64(max(linesOfNode, len(g.Board.Lines))), Memory: proofMemory,
		Workers: 1}
	if nodes > 0 && o.Nodes < leastProof {
		over, cancel := context.WithCancel(ctx)
		cancel() // so that only what needs no search is claimed
		ctx = over
	}
	r, err := prove.Prove(ctx, g, o)
	if err != nil || r.Proof == nil {
		return nil, err
	}
	_, err = proving[P]{b}.Checked(ctx, g, r.Proof)
	return r.Proof, err
}

// strongestSearch returns the search that plays the game best where that is not Monte-Carlo tree
// search, else nil.
func (b *typedGame[P]) strongestSearch() func(ctx context.Context, p P, nodes, seed uint64) (judge.Chosen, error) {
	if !b.searchesByLines() {
		return nil
	}
	return func(ctx context.Context, p P, nodes, seed uint64) (judge.Chosen, error) {
		x, err := newLinesPlayer(b, lines.Options{Nodes: nodes}, seed)
		if err != nil {
			return judge.Chosen{}, err
		}
		return chosenBy(ctx, x, p)
	}
}

// chosenBy says what a player chooses, as the judge hears it.
func chosenBy[P oxo.Position[P]](ctx context.Context, x oxo.Player[P], p P) (judge.Chosen, error) {
	c, err := x.Choose(ctx, p)
	return judge.Chosen{Move: c.Move, Worth: p.Turn().Score(c.Score), Exact: c.Exact, Scored: c.Scored,
		Nodes: c.Nodes}, err
}

// mctsOptions returns how Monte-Carlo tree search goes about the game: by what was learned of
// it where something was.
func (b *typedGame[P]) mctsOptions() (search.Options[P], error) {
	var o search.Options[P]
	o.Workers = 1
	return o, b.setEval(&o, search.MCTS, "", true)
}
