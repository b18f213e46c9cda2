package players

import (
	"context"
	"math"
	"strings"

	"oxo"
	"oxo/board"
	"oxo/judge"
	"oxo/lab/internal/certify"
	"oxo/lab/internal/falling"
	"oxo/lab/internal/opened"
	"oxo/lines"
	"oxo/prove"
	"oxo/prove/certificate"
	"oxo/search"
	"oxo/solve"
)

// quickClasses is how many positions are solved before anything else that costs.
const quickClasses = 60_000

// GameJudge returns the game's judge: its sources by what they cost. The order matters: each source is
// asked only what those before it have left open, with a share of the budget that is left. What needs
// no search comes first, then small solutions, proofs that are there, books and solvers of falling
// marks, threats, new proofs, larger solutions, and at last searches that only estimate.
// It is made at the first call and kept with the game, for all who ask, together with the voice that puts its answers
// in words.
func GameJudge[P oxo.Position[P]](b *opened.TypedGame[P]) (*judge.Judge[P], *judge.Voice[P]) {
	k := &b.Knowing
	k.Once.Do(func() {
		most, share := quickClasses, .6
		if b.Odds != nil {
			most, share = opened.AtOnce, .9 // no other source is exact
		}
		k.Judge = newJudge(b,
			solutionSource(b, 0, 0),
			tierSolutionSource(b, 0),
			judge.FromCertificates(0, func(ctx context.Context) (*judge.Strategies[P], error) {
				return opened.NineBoardsAtHand(ctx, b)
			}),
			judge.FirstEstimate[P](.2, func() bool { return solvedAsSoon(b) }, strongestLineSearch(b)),
			solutionSource(b, share, most),
			tierSolutionSource(b, share),
			judge.FromCertificates(.5, b.KnownStrategies))
		if s, err := b.Drops(); err == nil {
			k.Judge.Sources = append(k.Judge.Sources, judge.FromBook(falling.BookVerdictLookup[P](s)),
				judge.ByDropSearch(.7, falling.JudgeVerdictFinder(s, b.Start)))
		}
		proofs := judge.ByNewProof(.2, func(ctx context.Context, p P, nodes uint64) (*certificate.Proof, error) {
			return findProofWithin(ctx, b, p, nodes)
		})
		if len(b.View.Squares) <= provedSoon {
			proofs.TimeShare = .5
		}
		k.Judge.Sources = append(k.Judge.Sources, judge.ByThreats(.3, b.View.Falls, b.WithThreatFinder), proofs,
			judge.ByProofNumbers[P](.3),
			solutionSource(b, .5, opened.AtOnce),
			judge.ByStrongestSearch(strongestLineSearch(b), mctsOptionsFunc(b)))
		k.Judge.Promise, k.Judge.Twin = moveHeuristicFunc(b), exchangeMarksFunc(b)
		k.Voice = &judge.Voice[P]{Game: b.Game, Seats: opened.SideNames(b),
			Falls: b.View.Falls && b.WantsLines, Remarks: b.Remarks, Words: b.Words}
		if b.Lines != nil {
			k.Voice.Sets = b.CompletedSets
		}
	})
	return k.Judge, k.Voice
}

// exchangeMarksFunc returns what exchanges the two marks of a position, in games in which either mark may be placed: no
// rule tells them apart there. Nil for other games.
func exchangeMarksFunc[P oxo.Position[P]](b *opened.TypedGame[P]) func(p P) P {
	at, ok := any(b.Start).(board.Positional)
	if !ok || at.Rules().Place != board.Either {
		return nil
	}
	exchange := strings.NewReplacer("x", "o", "o", "x")
	return func(p P) P {
		marks, rest, _ := strings.Cut(b.Format(p), " ")
		q, err := b.Parse(exchange.Replace(marks) + " " + rest)
		if err != nil {
			return p
		}
		return q
	}
}

// moveHeuristicFunc returns how good a move looks where nothing is known: how many sets through its square are open to
// a side, more for the marks that are there, and the fewer the better where who owns a set loses; of equal ones the
// square nearer to the middle of the board as it is drawn. Nil for games in which a move is not a mark of the mover's
// own.
func moveHeuristicFunc[P oxo.Position[P]](b *opened.TypedGame[P]) func(p P, m oxo.Move) int {
	at, ok := any(b.Start).(board.Positional)
	if !ok || at.Rules().Place != board.Own || b.Odds != nil {
		return nil
	}
	// Where a side loses by a set that it has completed, sets are to be avoided.
	sign, rules := 1, at.Rules()
	if rules.Done[oxo.First] == oxo.SecondWins && rules.Tested[oxo.First] ||
		rules.Done[oxo.Second] == oxo.FirstWins && rules.Tested[oxo.Second] {
		sign = -1
	}
	n, col, row, level := len(b.View.Squares), 0, 0, 0 // n times the middle
	for _, sq := range b.View.Squares {
		col, row, level = col+sq.Col, row+sq.Row, level+sq.Level
	}
	far := func(at, sum int) int { return max(n*at-sum, sum-n*at) }
	return func(p P, m oxo.Move) (promise int) {
		on := any(p).(board.Positional)
		first, second := on.Marks()
		if int(m) >= on.Board().N {
			return 0
		}
		for _, k := range on.Board().LinesThrough(int(m)) {
			need := on.Board().Lines[k].Need
			own, other := need.And(first).Len(), need.And(second).Len()
			// A set with marks of both sides is open to neither.
			if own == 0 || other == 0 {
				promise += sign * (1 + 2*(own+other))
			}
		}
		sq := b.View.Squares[m]
		return 100*n*promise - far(sq.Col, col) - far(sq.Row, row) - far(sq.Level, level)
	}
}

// solvedAsSoon reports whether a game can be solved and is so as soon as it is glanced at.
// With chance it also has to be solved already, or to be so in some seconds.
func solvedAsSoon[P oxo.Position[P]](b *opened.TypedGame[P]) bool {
	return solve.CheckSolvable(b.Game) == nil && b.GuessStartClasses() <= quickClasses &&
		(b.Odds == nil || b.SolveWholeIfSmall() != nil)
}

// newJudge returns a judge that sees the end of the game, and what these sources know. Strategy
// stealing (Nash's argument) is a source where owning a set wins for both sides and every square is
// open to both: Second then has no win from the empty board.
func newJudge[P oxo.Position[P]](b *opened.TypedGame[P], sources ...judge.Source[P]) *judge.Judge[P] {
	j := &judge.Judge[P]{Game: b.Game, Sources: append([]judge.Source[P]{judge.EndingMoves[P](),
		judge.EndingReplies[P]()}, sources...)}
	if b.RacesForLines() && b.Bars == nil {
		j.Sources = append(j.Sources, judge.ByStrategyStealing[P]())
	}
	if at, ok := any(b.Start).(board.Positional); ok {
		j.NoDraws = at.Rules().Full != oxo.Drawn && b.Odds == nil
	}
	return j
}

// solutionSource tells what solutions know that hold at most so many classes of positions. A maxClasses of 0 takes
// only the whole game's solution, if that is there.
// budgetShare is the part of the budget that it may take.
func solutionSource[P oxo.Position[P]](b *opened.TypedGame[P], budgetShare float64, maxClasses int) judge.Source[P] {
	return judge.FromSolution(budgetShare, maxClasses, func(ctx context.Context, p P,
		nodes uint64) (judge.StrongSolution[P], error) {
		s, err := b.SolutionHolding(ctx, p, nodes, maxClasses)
		// A nil pointer in an interface would not be nil.
		if s == nil {
			return nil, err
		}
		return s, err
	})
}

// tierSolutionSource tells what the whole game knows that is solved by tiers, where that takes some
// seconds: what one answer has no time for, the next ones go on with. A budgetShare of 0 takes it only where
// it is there. A budget of nodes is enough or not, whatever was solved before.
// It is silent where the nodes that are left are worth less time than solving takes.
func tierSolutionSource[P oxo.Position[P]](b *opened.TypedGame[P], budgetShare float64) judge.Source[P] {
	return judge.FromSolution(budgetShare, math.MaxInt, func(ctx context.Context, _ P,
		nodes uint64) (judge.StrongSolution[P], error) {
		w, seconds := opened.SolvedWholeByTiers(b), 0.0
		if budgetShare > 0 {
			w, seconds = opened.QuickWholeByTiers(b)
		}
		if w == nil || nodes > 0 && float64(nodes) < seconds/secondsOfNode {
			return nil, nil
		}
		values, err := w.SolveValues(ctx)
		if err != nil {
			return nil, err
		}
		return &tierSolution[P]{TypedGame: b, values: values}, nil
	})
}

// secondsOfNode is about how long a position takes in other sources.
// It puts a budget of nodes and an estimate in seconds into one unit.
const secondsOfNode = 1e-6

// AdjudicatorBudget is what an adjudicator may look at before each move: a few milliseconds, so that a
// match does not wait.
var AdjudicatorBudget = judge.Budget{Nodes: 10_000, Worth: true}

// NewAdjudicator returns a judge that says who wins where that is certain. With the same budget its
// answer depends on the position alone.
func NewAdjudicator[P oxo.Position[P]](b *opened.TypedGame[P]) *judge.Judge[P] {
	j := newJudge(b, solutionSource(b, 0, 0), judge.FromCertificates(.001, b.KnownStrategies))
	if s, err := b.Drops(); err == nil {
		j.Sources = append(j.Sources, judge.FromBook(falling.BookVerdictLookup[P](s)),
			judge.ByDropSearch(.7, falling.JudgeVerdictFinder(s, b.Start)))
	}
	j.Sources = append(j.Sources, judge.ByThreats(.2, b.View.Falls, b.WithThreatFinder), judge.ByProofNumbers[P](.5),
		solutionSource(b, .5, quickClasses))
	return j
}

// provedSoon is up to how many squares proofs often end while somebody waits, so that they get more of the time.
const provedSoon = 49

// proofMemory is what a proof that is looked for while somebody waits may take, in bytes.
const proofMemory = 64 << 20

// A position of the prover counts as one for so many winning sets of the board, all of
// which it looks at. A search of fewer than leastProof is not begun.
const (
	linesOfNode = 20
	leastProof  = 1000
)

// findProofWithin is FindCheckedProof in the judge's positions: a position of the prover counts as one for so many
// winning sets of the board. A budget that is too small for a search still proves what needs none.
func findProofWithin[P oxo.Position[P]](ctx context.Context, b *opened.TypedGame[P], p P,
	nodes uint64) (*certificate.Proof, error) {
	if b.Board == nil || b.Odds != nil {
		return nil, nil
	}
	own := nodes * linesOfNode / uint64(max(linesOfNode, len(b.Board.Lines)))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if nodes > 0 && own < leastProof {
		cancel() // so that only what needs no search is claimed
	}
	r, err := FindCheckedProof(ctx, b, p, own)
	if r == nil || err != nil {
		return nil, err
	}
	return r.Proof, nil
}

// FindCheckedProof looks for a proof about p in so many positions, 0 for no limit, and has the checker look at it.
// What the prover finds is believed only once the checker has agreed. The result is nil where the game is none of
// proofs, and has no proof where none was found.
// The checker's error is of a proof that it can't believe, which would be a fault of the prover.
// It takes one worker, and at most proofMemory.
func FindCheckedProof[P oxo.Position[P]](ctx context.Context, b *opened.TypedGame[P], p P,
	nodes uint64) (*prove.Result, error) {
	g, err := b.ProvableSetup(b.Format(p))
	if err != nil {
		return nil, nil
	}
	r, err := prove.Prove(ctx, g, prove.Options{Nodes: nodes, Memory: proofMemory, Workers: 1})
	if err != nil || r.Proof == nil {
		return r, err
	}
	_, err = certify.CheckOwn(ctx, b.Erased, g, r.Proof, certify.Limits{})
	return r, err
}

// strongestLineSearch returns the search that plays the game best where that is not Monte-Carlo tree
// search, else nil. Its estimate is the search's own score, seen from First; Rate scores all moves of
// the position with the same tables.
// It keeps nothing from call to call: each makes a player of its own.
func strongestLineSearch[P oxo.Position[P]](b *opened.TypedGame[P]) judge.Chooser[P] {
	if !b.SearchesByLines() {
		return nil
	}
	return func(ctx context.Context, p P, nodes, seed uint64) (judge.Chosen, error) {
		x, err := NewLinesPlayer(b, lines.PlayerOptions{Nodes: nodes, JudgeForced: true}, seed)
		if err != nil {
			return judge.Chosen{}, err
		}
		c, err := x.Choose(ctx, p)
		if !c.Exact {
			c.Score = x.Estimate()
		}
		said := chosenOf(p, c)
		said.Scored = c.Scored && c.Depth > 0 // else it was stopped before it had looked at every move
		said.Rate = func(ctx context.Context, nodes uint64) (list []judge.Chosen) {
			for _, r := range x.Rate(ctx, p, nodes) {
				list = append(list, chosenOf(p, r))
			}
			return list
		}
		return said, err
	}
}

// chosenBy says what a player chooses, as the judge hears it.
func chosenBy[P oxo.Position[P]](ctx context.Context, x oxo.Player[P], p P) (judge.Chosen, error) {
	c, err := x.Choose(ctx, p)
	return chosenOf(p, c), err
}

// chosenOf turns a player's choice, whose score is the mover's, into one that is worth so much to
// First.
// The position p is the one that was chosen in.
func chosenOf[P oxo.Position[P]](p P, c oxo.Choice) judge.Chosen {
	return judge.Chosen{Move: c.Move, Worth: p.Turn().Score(c.Score), Exact: c.Exact, Scored: c.Scored, Nodes: c.Nodes}
}

// mctsOptionsFunc returns how Monte-Carlo tree search goes about the game: by what was learned of
// it where something was.
// The function that it returns works them out, and reads the net where there is one.
func mctsOptionsFunc[P oxo.Position[P]](b *opened.TypedGame[P]) func() (search.Options[P], error) {
	return func() (search.Options[P], error) {
		var o search.Options[P]
		o.Workers = 1
		return o, SetAndLoadEval(b, &o, search.MCTS, "", true)
	}
}
