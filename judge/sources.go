package judge

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"oxo"
	"oxo/search"
	"oxo/search/proof"
	"oxo/solve"
)

// The names of the sources, in order of what they cost.
const (
	End         = "end"         // the game is over there
	Reply       = "reply"       // the other side ends it at once
	Certificate = "certificate" // a checked proof that holds the position
	Solution    = "solution"    // all positions from here were solved
	Falling     = "falling"     // exact search where marks fall
	Threats     = "threats"     // a win by threats
	Proof       = "proof"       // a proof found now, and checked
	Numbers     = "numbers"     // proof numbers
	Strongest   = "search"      // the strongest search that the game has
)

// EndingMoves tells of moves that end the game.
func EndingMoves[P oxo.Position[P]]() Source[P] {
	return Source[P]{Name: End, Ask: func(_ context.Context, q *Query[P]) (bool, error) {
		for i, p := range q.After {
			if p.Outcome() != oxo.Ongoing {
				q.TellMove(i, Known{Interval: oxo.Exactly(q.Game.PayoffToFirst(p)), Timed: pliesMatter(q.Game)})
			}
		}
		return true, nil
	}}
}

// mostReplies is how many answers to moves are tried for nothing.
const mostReplies = 200_000

// EndingReplies tells of moves that the other side, or the same where it moves again, can answer by
// ending the game with what is best for it. A game with a test of wins at once is asked by that first,
// which spares the replies; without it boards with too many moves are left out.
func EndingReplies[P oxo.Position[P]]() Source[P] {
	return Source[P]{Name: Reply, Ask: func(_ context.Context, q *Query[P]) (bool, error) {
		if n := len(q.After); n*n > mostReplies && q.Game.WinsNow == nil {
			return true, nil
		}
		var buf []oxo.Move
		for i, p := range q.After {
			turn := p.Turn()
			if p.Outcome() != oxo.Ongoing || turn == oxo.Chance {
				continue
			}
			if q.Game.WinsNow != nil && !q.Game.WinsNow(p) {
				continue
			}
			top := q.answer.whole.SeenBy(turn).Hi
			buf = p.Moves(buf[:0])
			for _, m := range buf {
				r := p.Play(m)
				if r.Outcome() == oxo.Ongoing {
					continue
				}
				if v := q.Game.PayoffToFirst(r); turn.Score(v) >= top-rounding {
					q.TellMove(i, Known{Interval: oxo.Exactly(v), Line: []oxo.Move{m}, Plies: 1,
						Timed: pliesMatter(q.Game)})
					break
				}
			}
		}
		return true, nil
	}}
}

// knownFromVerdict says what a solution has of a position. A solution's worth is exact. Where plies
// matter it is the outcome, with its remoteness; else it is the expected payoff, without one.
func knownFromVerdict[P oxo.Position[P]](g *oxo.Game[P], v solve.Verdict) Known {
	k := Known{Interval: oxo.Exactly(v.Expected)}
	if pliesMatter(g) {
		k.Interval = oxo.Exactly(float64(v.Outcome.Value(oxo.First)))
		k.Plies, k.Timed, k.Endless = v.Remoteness, v.Remoteness != solve.Endless, v.Remoteness == solve.Endless
		k.Plies = max(k.Plies, 0)
	}
	return k
}

// tellSolution tells the query what a solution has of the position and of each of its moves, with best play
// after each of the best.
func (q *Query[P]) tellSolution(s StrongSolution[P], v solve.Verdict, moves []solve.Option) {
	for _, o := range moves {
		if i := q.moveIndex(o.Move); i >= 0 {
			k := knownFromVerdict(q.Game, o.Verdict)
			if o.Best {
				k.Line = bestPlay(s, q.After[i], mostShown-1)
			}
			q.TellMove(i, k)
		}
	}
	k := knownFromVerdict(q.Game, v)
	k.Line = bestPlay(s, q.Pos, mostShown)
	q.TellPosition(k)
}

// StrongSolution says what positions are worth, and their moves, in the order in which it has them. Both methods
// say false for a position that the solution does not hold.
type StrongSolution[P oxo.Position[P]] interface {
	At(p P) (solve.Verdict, bool)
	Moves(p P) ([]solve.Option, bool)
}

// FromSolution tells what a solution of all positions from here on has, which find returns, of at
// most so many positions. It returns nil where there is no such solution and never will be. Too
// many positions are no error, and the source is then not asked again. A solution that lacks the
// position or one of its moves tells nothing.
func FromSolution[P oxo.Position[P]](share float64, maxPositions int, find func(ctx context.Context, p P,
	nodes uint64) (StrongSolution[P], error)) Source[P] {
	return Source[P]{Name: Solution, Share: share, Times: true, Ask: func(ctx context.Context, q *Query[P]) (bool,
		error) {
		q.Nodes = min(q.Nodes, uint64(maxPositions))
		s, err := find(ctx, q.Pos, q.Nodes)
		q.unused = err == nil && s == nil
		if err != nil || s == nil {
			return err == nil || errors.Is(err, solve.ErrTooLarge), ignoreExpected(err, solve.ErrTooLarge)
		}
		v, ok := s.At(q.Pos)
		moves, all := s.Moves(q.Pos)
		if ok && all {
			q.tellSolution(s, v, moves)
		}
		return true, nil
	}}
}

// mostShown is how many plies of best play are shown that does not end in a win.
const mostShown = 16

// bestPlay follows the best moves of a solution from p, the first of each position's: a win to the end, anything
// else for most plies.
func bestPlay[P oxo.Position[P]](s StrongSolution[P], p P, maxPlies int) []oxo.Move {
	var line []oxo.Move
	v, _ := s.At(p)
	won := v.Outcome == oxo.FirstWins || v.Outcome == oxo.SecondWins
	for (won || len(line) < maxPlies) && p.Outcome() == oxo.Ongoing && p.Turn() != oxo.Chance {
		moves, _ := s.Moves(p)
		best := slices.IndexFunc(moves, func(o solve.Option) bool { return o.Best })
		if best < 0 {
			break
		}
		line = append(line, moves[best].Move)
		p = p.Play(moves[best].Move)
	}
	return line
}

// ignoreExpected returns err, or nil where it is the expected one: an end of the work that is no fault.
func ignoreExpected(err, expected error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}

// FromBook tells of the position and its moves what a book has, which find returns.
func FromBook[P oxo.Position[P]](find func(p P) (solve.Verdict, bool)) Source[P] {
	return Source[P]{Name: Falling, Ask: func(_ context.Context, q *Query[P]) (bool, error) {
		for i, p := range q.After {
			if v, ok := find(p); ok {
				q.TellMove(i, knownFromVerdict(q.Game, v))
			}
		}
		if v, ok := find(q.Pos); ok {
			q.TellPosition(knownFromVerdict(q.Game, v))
		}
		return true, nil
	}}
}

// FindDrop returns what an exact search of a game in which marks fall finds of a position: who wins,
// and where timed how long it lasts, which takes longer; false where that is too much.
type FindDrop[P oxo.Position[P]] = func(ctx context.Context, p P, timed bool) (v solve.Verdict, ok bool, err error)

// ByDropSearch tells what an exact search of a game in which marks fall finds of the position,
// and then of its moves, the likely best ones first: who wins, and then in how many plies, at
// once where a move is to be played. Open hands out the search, which takes at most so many
// positions in all, 0 for no limit.
func ByDropSearch[P oxo.Position[P]](share float64, open func(nodes uint64) (FindDrop[P], error)) Source[P] {
	return Source[P]{Name: Falling, Share: share, Times: true, Ask: func(ctx context.Context, q *Query[P]) (bool,
		error) {
		find, err := open(q.Nodes)
		if err != nil {
			return true, err
		}
		for _, timed := range []bool{q.Choice, true} {
			if q.Worth && timed {
				break
			}
			if err := q.askDropSearch(ctx, find, timed); err != nil {
				return false, err
			}
		}
		return true, nil
	}}
}

// dropGlance is how long each move is looked at before any is looked at longer: what was searched
// for the position shows most of them.
const dropGlance = 4 * time.Millisecond

// askDropSearch asks about the position and its moves. Each finding is published at once. In time, every
// open move gets a glance before any gets the rest of the time; the table that the moves share makes
// most glances enough.
func (q *Query[P]) askDropSearch(ctx context.Context, find FindDrop[P], needPlies bool) error {
	// tell asks about p, which is the position itself, at −1, or the one after the move at that place.
	tell := func(ctx context.Context, at int, p P) error {
		v, ok, err := find(ctx, p, needPlies)
		if ok && err == nil {
			k := knownFromVerdict(q.Game, v)
			k.Timed = needPlies
			q.TellMove(at, k)
			q.PublishFindings()
		}
		return err
	}
	if !q.answer.Proven() || needPlies && !q.answer.Timed {
		if err := tell(ctx, -1, q.Pos); err != nil {
			return err
		}
	}
	if q.Worth {
		return nil
	}
	if _, inTime := ctx.Deadline(); inTime {
		for _, i := range q.unprovenMoves(needPlies) {
			glance, cancel := context.WithTimeout(ctx, dropGlance)
			err := tell(glance, i, q.After[i])
			cancel()
			// That a glance was too short is no fault: the move is asked about again below.
			if err != nil && ctx.Err() != nil {
				return err
			}
		}
	}
	for _, i := range q.unprovenMoves(needPlies) {
		if q.Enough() {
			return nil
		}
		if err := tell(ctx, i, q.After[i]); err != nil {
			return err
		}
	}
	return nil
}

// unprovenMoves returns the moves whose worth is not known, or, with needPlies, not how long they last,
// the likely best ones first.
func (q *Query[P]) unprovenMoves(needPlies bool) []int {
	open := q.answer.movesWhere(func(i int) bool {
		o := &q.answer.Moves[i]
		return !o.Proven() || needPlies && !o.Timed
	})
	slices.SortStableFunc(open, q.answer.CompareMoves)
	return open
}

// Tables of searches by proof numbers, in bytes: of a position, and of one after a move,
// which has at least so many nodes.
const (
	proofTable = 16 << 20
	moveTable  = 1 << 20
	moveNodes  = 200
	moveTime   = 2 * time.Millisecond
)

// mostNumbers is how many moves a position may have for proof numbers to be asked: with
// more they settle next to nothing, and each look takes long.
const mostNumbers = 128

// ByProofNumbers settles the position, and then its moves, by proof numbers, where the game is one for
// them. Half of the budget goes to the position, and what it leaves to the moves. See [proof.CheckSuitable]
// for the games that it is for.
func ByProofNumbers[P oxo.Position[P]](share float64) Source[P] {
	return Source[P]{Name: Numbers, Share: share, Ask: func(ctx context.Context, q *Query[P]) (bool, error) {
		if q.unused = proof.CheckSuitable(q.Game) != nil || len(q.After) > mostNumbers; q.unused {
			return true, nil
		}
		if !q.answer.Proven() {
			half, cancel := splitDeadline(ctx, 2)
			r, err := search.Search(half, q.Game, q.Pos, search.DFPN,
				search.Options[P]{MaxNodes: q.nodesDividedBy(2), TableBytes: proofTable})
			cancel()
			if err != nil {
				return true, err
			}
			q.tellProven(&r)
			q.PublishFindings()
		}
		if q.Worth {
			return q.answer.Proven(), nil
		}
		return q.proveMovesByNumbers(ctx)
	}}
}

// proveMovesByNumbers settles moves by proof numbers, the likely best ones first. They share the
// second half of the budget evenly, but none gets fewer than moveNodes nodes or moveTime: rather fewer
// moves are looked at. It reports whether all were settled.
func (q *Query[P]) proveMovesByNumbers(ctx context.Context) (all bool, err error) {
	open := q.unprovenMoves(false)
	nodes := max(q.nodesDividedBy(2*max(len(open), 1)), min(q.nodesDividedBy(2), moveNodes))
	spent := uint64(0)
	all = true
	for k, i := range open {
		if ctx.Err() != nil || q.Nodes > 0 && spent+nodes > q.nodesDividedBy(2) {
			return false, ctx.Err()
		}
		if end, ok := ctx.Deadline(); ok && time.Until(end) < moveTime {
			return false, nil
		}
		own, cancel := splitDeadline(ctx, min(len(open)-k, max(1, callsLeft(ctx, moveTime))))
		r, err := search.Search(own, q.Game, q.After[i], search.DFPN,
			search.Options[P]{MaxNodes: nodes, TableBytes: moveTable})
		cancel()
		if err != nil {
			return true, err
		}
		spent += nodes
		q.TellMove(i, Known{Interval: r.Proven})
		all = all && r.Exact()
	}
	return all, nil
}

// callsLeft returns how many times so long is left; many where time is not the limit.
func callsLeft(ctx context.Context, each time.Duration) int {
	end, ok := ctx.Deadline()
	if !ok {
		return math.MaxInt32
	}
	return int(time.Until(end) / each)
}

// Chooser is a search that prefers a move, in at most so many positions, 0 for no limit.
type Chooser[P any] = func(ctx context.Context, p P, nodes, seed uint64) (Chosen, error)

// glanced is in how many positions a first estimate is looked for by a search that prefers a move.
const glanced = 500

// FirstEstimate tells a first estimate, by choose or where that has none by simulated games, where time is the limit,
// unless skip says that something better comes as soon. What it proves is left to sources that also say how long
// play lasts.
func FirstEstimate[P oxo.Position[P]](share float64, skip func() bool, choose Chooser[P]) Source[P] {
	return Source[P]{Name: Strongest, Share: share, Ask: func(ctx context.Context, q *Query[P]) (bool, error) {
		if q.unused = q.Nodes > 0 || skip(); q.unused {
			return true, nil
		}
		if choose != nil && q.answer.Turn != oxo.Chance {
			c, err := choose(ctx, q.Pos, glanced, 1+q.Seed)
			if err != nil {
				return true, err
			}
			if c.Scored && !c.Exact {
				q.tellChoice(c)
				return true, nil
			}
			if i := q.moveIndex(c.Move); i >= 0 && c.Exact {
				q.PreferMove(i)
			}
		}
		o := search.Options[P]{Lines: len(q.After)}
		o.Seed, o.Workers = 1+q.Seed, 1
		r, err := search.Search(ctx, q.Game, q.Pos, search.MCTS, o)
		if err == nil {
			q.tellSimulationEstimates(&r, true)
		}
		return true, err
	}}
}

// Chosen is what the strongest search of a game says: the move that it would play, what
// it thinks of the position, and whether that is certain.
// Exact says that the worth is certain, and Scored that there is one: a search may prefer a move without saying
// what it is worth. Nodes is how many positions it searched.
type Chosen struct {
	Move   oxo.Move
	Worth  float64 // to First
	Exact  bool
	Nodes  uint64
	Scored bool

	// Rate values moves by the same search, in so many positions, 0 for no limit; nil where it can't.
	Rate func(ctx context.Context, nodes uint64) []Chosen
}

// ByStrongestSearch tells what the strongest search of the game estimates: choose, where it is
// not nil, is one that prefers a move, and options returns those of the Monte-Carlo tree
// search that values every move.
func ByStrongestSearch[P oxo.Position[P]](choose Chooser[P],
	options func() (search.Options[P], error)) Source[P] {
	return Source[P]{Name: Strongest, Share: 1, Ask: func(ctx context.Context, q *Query[P]) (bool, error) {
		// valued says that the search that chooses the move also says what it is worth.
		valued := choose == nil
		if choose != nil && q.answer.Turn != oxo.Chance {
			// A move alone may take the whole budget; else half of it is left for what the other moves are worth.
			own, cancel, nodes := ctx, context.CancelFunc(func() {}), q.Nodes
			if !q.Choice {
				own, cancel = splitDeadline(ctx, 2)
				nodes = q.nodesDividedBy(2)
			}
			c, err := choose(own, q.Pos, nodes, 1+q.Seed)
			cancel()
			if err != nil {
				return true, err
			}
			q.tellChoice(c)
			valued = c.Scored && !c.Exact && c.Nodes >= fewest
			q.PublishFindings()
			if q.Choice {
				return true, nil
			}
			if valued && c.Rate != nil {
				q.rateOtherMoves(ctx, c)
			}
		}
		o, err := options()
		if err != nil {
			return true, err
		}
		o.Lines, o.Seed = len(q.After), 1+q.Seed
		if sims := q.Nodes; sims > 0 {
			if !q.Choice {
				sims = q.nodesDividedBy(2)
			}
			o.Sims = int(min(sims, math.MaxInt32))
		}
		if !valued {
			if err := q.estimateHint(ctx, o); err != nil {
				return true, err
			}
		}
		r, err := search.Search(ctx, q.Game, q.Pos, search.MCTS, o)
		if err != nil {
			return true, err
		}
		if valued && choose != nil {
			r.Lines = nil // what is simulated does not stand beside what is searched
		}
		q.tellSimulations(&r, choose == nil)
		return r.Exact(), nil
	}}
}

// rateOtherMoves has the search that chose a move value the others, instead of what was estimated of them
// before. Estimates of two searches are not comparable, so all but the preferred move's are forgotten
// first.
func (q *Query[P]) rateOtherMoves(ctx context.Context, c Chosen) {
	half, cancel := splitDeadline(ctx, 2)
	defer cancel()
	rated := c.Rate(half, q.nodesDividedBy(4))
	if len(rated) == 0 {
		return
	}
	for i := range q.answer.Moves {
		if i != q.answer.prefer {
			q.found = append(q.found, finding{at: i, forget: true})
		}
	}
	for _, r := range rated {
		if i := q.moveIndex(r.Move); i >= 0 && r.Move != c.Move {
			q.TellEstimate(i, Estimate{Value: r.Worth, Searched: r.Nodes})
		}
	}
	q.PublishFindings()
}

// estimateHint estimates the move that is preferred, and with it the position, by a search of its own
// where no other has valued it. The estimate is the mean over all games that were simulated after the
// move, with the noise of as many independent games.
func (q *Query[P]) estimateHint(ctx context.Context, o search.Options[P]) error {
	i := q.answer.Hint
	if q.Choice || i < 0 || q.answer.Moves[i].Proven() {
		return nil
	}
	o.Lines = len(q.After)
	half, cancel := splitDeadline(ctx, 2)
	defer cancel()
	r, err := search.Search(half, q.Game, q.After[i], search.MCTS, o)
	sum, n := 0.0, uint64(0)
	for _, l := range r.Lines {
		sum, n = sum+l.Value*float64(l.Visits), n+l.Visits
	}
	if err == nil && n >= fewest {
		mean := sum / float64(n) // of all games, as few are simulated after each reply
		q.TellEstimate(i, Estimate{Value: mean, Noise: q.standardError(mean, n), Searched: n})
		q.PublishFindings()
	}
	return err
}

// standardError is that of the mean of so many results of the game.
func (q *Query[P]) standardError(mean float64, n uint64) float64 {
	return search.StandardError(mean, n, q.answer.whole)
}

// tellChoice tells what a search that prefers a move says. An exact worth that is good for the side
// to move is that of the move, and the position's follows. Any other exact worth is told of the
// position alone.
func (q *Query[P]) tellChoice(c Chosen) {
	i := q.moveIndex(c.Move)
	switch {
	case c.Exact && q.answer.Turn.Score(c.Worth) > 0 && i >= 0:
		q.TellMove(i, Known{Interval: oxo.Exactly(c.Worth)})
	case c.Exact:
		q.TellPosition(Known{Interval: oxo.Exactly(c.Worth)})
	}
	if !c.Exact && c.Nodes < q.chosen {
		return // cut short sooner than a search before it
	}
	q.chosen = c.Nodes
	if i >= 0 {
		q.PreferMove(i)
	}
	if c.Scored && !c.Exact && c.Nodes >= fewest {
		q.TellEstimate(-1, Estimate{Value: c.Worth, Searched: c.Nodes})
		if i >= 0 {
			q.TellEstimate(i, Estimate{Value: c.Worth, Searched: c.Nodes})
		}
	}
}

// tellSimulations tells what simulated games say, and which move they prefer where nothing
// better does.
func (q *Query[P]) tellSimulations(r *search.Result, preferMove bool) {
	q.tellProven(r)
	q.tellSimulationEstimates(r, preferMove)
}

// tellProven tells what a search proves of the position, and where that is its worth the same of the move.
func (q *Query[P]) tellProven(r *search.Result) {
	q.TellPosition(Known{Interval: r.Proven})
	if i := q.moveIndex(r.Move); i >= 0 && r.Exact() {
		q.TellMove(i, Known{Interval: r.Proven})
	}
}

// tellSimulationEstimates is tellSimulations without what they prove. With prefer, the simulated games also give the
// position's estimate and the move to play; without it they only fill in moves that the search which
// prefers a move has not valued.
func (q *Query[P]) tellSimulationEstimates(r *search.Result, preferMove bool) {
	behind := r.Nodes // the games that the position's value is the mean of: those of its best move
	if len(r.Lines) > 0 {
		behind = r.Lines[0].Visits
	}
	if (preferMove || q.answer.Turn == oxo.Chance) && behind >= fewest {
		q.TellEstimate(-1, Estimate{Value: r.Value, Noise: q.standardError(r.Value, behind), Searched: r.Nodes})
	}
	for _, l := range r.Lines {
		if i := q.moveIndex(l.Move); i >= 0 && l.Visits >= fewest &&
			(preferMove || i != q.answer.prefer || q.answer.Moves[i].Estimate.Searched == 0) {
			q.TellEstimate(i, Estimate{Value: l.Value, Noise: q.standardError(l.Value, l.Visits), Searched: l.Visits})
		}
	}
	if i := q.moveIndex(r.Move); i >= 0 && preferMove && r.Nodes >= fewest {
		q.PreferMove(i)
	}
}
