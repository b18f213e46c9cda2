package opened

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"sync"
	"sync/atomic"
	"time"

	"oxo"
	"oxo/board"
	"oxo/lab/internal/game"
	"oxo/solve"
	"oxo/solve/tiers"
)

// SolutionHolding returns a solution that holds p: the whole game's where that is there or soon is;
// else that of what can follow p, up to maxClasses classes of positions; nil where those are too many. With a
// nodeBudget it is the same every time. It decides by guesses, so that a person who waits does not wait for a hopeless
// search; a caller that counts nodes gets the same decision on every machine.
func (b *TypedGame[P]) SolutionHolding(ctx context.Context, p P, nodeBudget uint64,
	maxClasses int) (*solve.Solution[P], error) {
	if s := b.whole.solution.Load(); s != nil && nodeBudget == 0 {
		return s, nil
	}
	if maxClasses == 0 || p.Outcome() != oxo.Ongoing || solve.CheckSolvable(b.Game) != nil {
		return nil, nil
	}
	hopeful := false // which no guess says of a game with chance
	if nodeBudget > 0 {
		maxClasses = int(min(nodeBudget, uint64(maxClasses)))
	} else {
		if s := b.SolveWholeIfSmall(); s != nil {
			return s, nil
		}
		hopeful = b.Odds == nil && b.GuessStartClasses() <= hopeless*float64(maxClasses)
	}
	switch {
	case !hopeful && !hasFewFreeSquares(b, p, maxClasses) && !fewFollow(b, p, maxClasses):
		return nil, nil
	case nodeBudget == 0 && maxClasses == AtOnce && p == b.Start:
		if s, err := b.SolveWhole(ctx); err == nil || ctx.Err() != nil {
			return s, err
		}
		return nil, nil
	}
	return b.SolveFrom(ctx, p, solve.Settings{Limit: maxClasses})
}

// mostGuessed is how many squares a board has at most whose positions are counted by a
// guess, which takes long on larger ones and says what is plain.
const mostGuessed = 25

// tooMany is how many positions are so far too many for all that asks for a guess that a rough
// one does.
const tooMany = 1e10

// guessPositions guesses how many positions the game has, once. A rough guess of two random games is
// enough where the number is beyond all limits.
func (b *TypedGame[P]) guessPositions() float64 {
	k := &b.Knowing
	k.sized.Do(func() {
		for _, n := range []int{2, 10, guesses} { // the fewer, the rougher
			if k.positions = solve.EstimatePositions(b.Game, b.Start, n, 1); k.positions > tooMany*guesses/float64(n) {
				return
			}
		}
	})
	return k.positions
}

// GuessPositionsBelow guesses how many positions can be reached from p. Where marks slip it is those without
// chance, and of each the squares that a mark may have been meant for; of other chance it is 0.
func GuessPositionsBelow[P oxo.Position[P]](b *TypedGame[P], p P) float64 {
	view, positional := any(p).(board.Positional)
	switch {
	case b.Odds == nil:
		return solve.EstimatePositions(b.Game, p, guesses, 1)
	case !positional:
		return 0
	case view.Board().N > 64:
		return math.Inf(1)
	}
	r := view.Rules()
	r.Slip = 0
	still := board.Game64(b.Spec, "", view.Board(), r)
	at, err := still.Parse(b.Format(p))
	if err != nil {
		at = still.Start
	}
	return solve.EstimatePositions(still, at, guesses, 1) * float64(len(at.Moves(nil))+1) / 2
}

// GuessStartClasses guesses how many classes of positions the game has, once.
func (b *TypedGame[P]) GuessStartClasses() float64 {
	k := &b.Knowing
	k.size.Do(func() {
		if k.classes = math.Inf(1); b.Mark != nil && len(b.View.Squares) > mostGuessed || b.Mark == nil &&
			len(b.View.Squares) >= fewMeta {
			return
		}
		order, _ := new(big.Float).SetInt(b.Symmetries).Float64()
		if k.classes = b.guessPositions(); b.Canonical != nil {
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

// hasFewFreeSquares reports whether so few squares are free that looking for what can follow p, up to
// maxClasses classes, is worth its time.
func hasFewFreeSquares[P oxo.Position[P]](b *TypedGame[P], p P, maxClasses int) bool {
	if b.Mark == nil {
		return len(b.View.Squares) < fewMeta
	}
	free := 0
	for sq := range b.View.Squares {
		if b.Mark(p, sq) == 2 {
			free++
		}
	}
	switch {
	case b.Odds != nil: // then all squares can follow, and hardly ever fewer positions than they have subsets
		return free <= fewFree && 1<<free <= maxClasses
	case b.View.Falls:
		return free <= fewFall
	case len(p.Moves(nil)) > free:
		return free <= fewEither
	}
	return free <= fewFree
}

// mostFollow is how many moves a position has at most of which random games guess what follows, and roughGames is how
// many those are.
const (
	mostFollow = 40
	roughGames = 5
)

// fewFollow reports whether random games guess that so few positions follow p. It is for positions near the end, where
// many squares may be free that nobody can mark any more, or that end the game.
func fewFollow[P oxo.Position[P]](b *TypedGame[P], p P, most int) bool {
	return b.Odds == nil && !b.Loopy() && len(p.Moves(nil)) <= mostFollow &&
		solve.EstimatePositions(b.Game, p, roughGames, 1) <= float64(most)/hopeless
}

// fewMeta is how many squares a game without winning sets may have: those of nine boards
// have too many positions to the end.
const fewMeta = 81

// soonClasses is how many classes of positions a game may have to be solved before the first
// move, for which a person waits: a fraction of a second.
const soonClasses = 100_000

// SolveWholeIfSmall returns the solution of the whole game, or nil where it has too many positions. It is
// tried once; whoever comes meanwhile waits for it.
func (b *TypedGame[P]) SolveWholeIfSmall() *solve.Solution[P] {
	if b.GuessStartClasses() > hopeless*soonClasses {
		return nil
	}
	b.whole.quick.Do(func() {
		s, err := b.SolveFrom(context.Background(), b.Start, solve.Settings{Limit: soonClasses})
		if err == nil {
			b.whole.soon = s
			b.whole.solution.CompareAndSwap(nil, s)
		}
	})
	return b.whole.soon
}

// AtOnce is the most positions that a player or a view waits for.
const AtOnce = 5_000_000

// whole is the game solved from its start, or why it is too large.
type whole[P oxo.Position[P]] struct {
	mu       sync.Mutex
	err      error
	solution atomic.Pointer[solve.Solution[P]]
	below    atomic.Pointer[solve.Solution[P]] // of what follows a later position, where the whole is too large
	tallies  atomic.Pointer[solve.Tallies[P]]
	quick    sync.Once
	soon     *solve.Solution[P] // of a game with few positions
}

// bytesSolved is about how many bytes a position takes in a solution.
const bytesSolved = 20

// memoryBytes returns about how many bytes the solution and the tallies take.
func (w *whole[P]) memoryBytes() int64 {
	bytes := int64(0)
	for _, s := range []*solve.Solution[P]{w.solution.Load(), w.below.Load()} {
		if s != nil {
			bytes += bytesSolved * int64(s.Classes())
		}
	}
	if t := w.tallies.Load(); t != nil {
		bytes += t.Bytes()
	}
	return bytes
}

// glance is how often who waits for another's solution looks whether it is there.
const glance = 5 * time.Millisecond

// Solution returns the solution of the whole game, or an error where it is too
// large to solve at once.
func (b *TypedGame[P]) Solution() (*solve.Solution[P], error) {
	return b.SolveWhole(context.Background())
}

// SolveWhole is solved, unless ctx ends first. Others who ask meanwhile wait for the same solution, or
// for their own context. That the game is too large is kept; that ctx ended is not.
func (b *TypedGame[P]) SolveWhole(ctx context.Context) (*solve.Solution[P], error) {
	w := &b.whole
	if err := w.lock(ctx); err != nil {
		return nil, err
	}
	defer w.mu.Unlock()
	if s := w.solution.Load(); s != nil || w.err != nil {
		return s, w.err
	}
	s, err := b.SolveFrom(ctx, b.Start, solve.Settings{Limit: AtOnce})
	switch {
	case err == nil:
		w.solution.Store(s)
	case ctx.Err() == nil:
		w.err = err
	}
	return s, err
}

// SolveBelow returns a solution that holds p: the whole game's, or where that is too large to solve at once that of
// what can follow p, of at most maxClasses classes. The last of the latter is kept, for games that go on from p. The
// error is the whole game's where both are too large, and that of ctx where it ends first.
func SolveBelow[P oxo.Position[P]](ctx context.Context, b *TypedGame[P], p P,
	maxClasses int) (*solve.Solution[P], error) {
	s, whole := b.SolveWhole(ctx)
	if !errors.Is(whole, solve.ErrTooLarge) || p == b.Start {
		return s, whole
	}
	w := &b.whole
	if err := w.lock(ctx); err != nil {
		return nil, err
	}
	defer w.mu.Unlock()
	if s := w.below.Load(); s != nil {
		if _, holds := s.At(p); holds {
			return s, nil
		}
	}
	s, err := b.SolveFrom(ctx, p, solve.Settings{Limit: maxClasses})
	if errors.Is(err, solve.ErrTooLarge) {
		return nil, whole
	}
	if err == nil {
		w.below.Store(s)
	}
	return s, err
}

// lock waits until nobody is at it, unless ctx ends first. A mutex can't be waited for with a context,
// so it is tried now and then.
func (w *whole[P]) lock(ctx context.Context) error {
	for !w.mu.TryLock() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(glance):
		}
	}
	return nil
}

// RefuseUnsolvable returns an error where the game can't be solved, is known to be too large to solve at once, or
// a guess says so.
func (b *TypedGame[P]) RefuseUnsolvable() error {
	if b.whole.solution.Load() != nil {
		return nil
	}
	if err := solve.CheckSolvable(b.Game); err != nil {
		return err
	}
	return b.RefuseTooLarge(b.Start, AtOnce)
}

// TallyGames counts the games below every position, unless ctx ends first.
func (b *TypedGame[P]) TallyGames(ctx context.Context) (*solve.Tallies[P], error) {
	w := &b.whole
	if err := w.lock(ctx); err != nil {
		return nil, err
	}
	defer w.mu.Unlock()
	if t := w.tallies.Load(); t != nil {
		return t, nil
	}
	if err := b.RefuseTooLarge(b.Start, AtOnce); err != nil {
		return nil, err
	}
	t, err := solve.TallyGames(ctx, b.Game, AtOnce)
	if err == nil {
		w.tallies.Store(t)
	}
	return t, err
}

// guesses is how many random games guess the size of a game.
const guesses = 50

// hopeless is how many times the limit the guessed number of classes may be
// before a solution is not even tried.
const hopeless = 1.5

// RefuseTooLarge returns an error where a guess says that far more than maxClasses classes of positions can
// be reached from p. The guess from the start is made once a game, that from other positions at each
// call.
func (b *TypedGame[P]) RefuseTooLarge(p P, maxClasses int) error {
	var classes float64
	if p != b.Start {
		classes = solve.EstimatePositions(b.Game, p, guesses, 1)
	} else if classes = b.guessPositions(); b.Canonical != nil {
		order, _ := new(big.Float).SetInt(b.Symmetries).Float64()
		classes /= order
	}
	if classes > hopeless*float64(maxClasses) {
		return fmt.Errorf("solve %s: %w: %s", b.Spec, solve.ErrTooLarge, game.AboutNumber(classes))
	}
	return nil
}

// SolveFrom solves from p unless that is plainly too large. A panic of the game is an error.
func (b *TypedGame[P]) SolveFrom(ctx context.Context, p P, o solve.Settings) (s *solve.Solution[P], err error) {
	defer oxo.RecoverInto(&err)
	if err := b.RefuseTooLarge(p, o.Limit); err != nil {
		return nil, err
	}
	s, err = solve.Solve(ctx, b.Game, p, o)
	if errors.Is(err, solve.ErrTooLarge) {
		err = fmt.Errorf("solve %s: %w", b.Spec, err)
	}
	return s, err
}

// TierSpace takes a game apart into tiers, of which a part of the work takes no more than so many bytes.
func TierSpace[P oxo.Position[P]](b *TypedGame[P], partBytes int64) (*tiers.Space, error) {
	if b.Board == nil {
		return nil, b.NoBoardError("tiers")
	}
	s, err := tiers.New(b.Board, any(b.Start).(board.Positional).Rules(), partBytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.Spec, err)
	}
	return s, nil
}

// tierSeconds is about how long a value of tiers takes, edgeSeconds a step from a set of squares to one with a square
// more, and tierStart how long all that takes which does not depend on their number.
const (
	tierSeconds = 65e-9
	edgeSeconds = 0.8e-6
	tierStart   = 0.05
)

// EstimateTierSeconds returns about how long tiers take on one core. The work grows with the stored values and with the
// edges between sets of squares; both are known exactly from the board.
func EstimateTierSeconds(s *tiers.Space) float64 {
	seconds := tierStart + tierSeconds*s.Stored() + edgeSeconds*s.Edges()
	if s.NeedsReachable() {
		seconds *= 2 // what can be reached is found first
	}
	return seconds
}

// Of a game that is solved by tiers while somebody waits: how long it may take in all, how many squares it may
// have for that, and what a part of the work takes, which is as much as is lost where the time ends.
const (
	soonTiers   = 8.0 // seconds
	fewTiers    = 18
	tiersMemory = 16 << 20
)

// soonByTiers is a whole game to be solved by tiers, where it has few.
type soonByTiers struct {
	once    sync.Once
	whole   atomic.Pointer[tiers.InMemorySolution]
	seconds float64
}

// QuickWholeByTiers returns the whole game, to be solved by tiers within about so many seconds; nil where that takes
// longer.
func QuickWholeByTiers[P oxo.Position[P]](b *TypedGame[P]) (whole *tiers.InMemorySolution, estimatedSeconds float64) {
	k := &b.Knowing.tiers
	k.once.Do(func() {
		if b.Board == nil || b.Board.N > fewTiers || b.Odds != nil || b.Falls() {
			return
		}
		s, err := TierSpace(b, tiersMemory)
		if err != nil {
			return // it has no tiers
		}
		if k.seconds = EstimateTierSeconds(s); k.seconds <= soonTiers {
			k.whole.Store(s.NewInMemorySolution())
		}
	})
	return k.whole.Load(), k.seconds
}

// SolvedWholeByTiers returns the whole game where it has been solved by tiers, else nil.
func SolvedWholeByTiers[P oxo.Position[P]](b *TypedGame[P]) *tiers.InMemorySolution {
	if w := b.Knowing.tiers.whole.Load(); w != nil && w.Done() {
		return w
	}
	return nil
}
