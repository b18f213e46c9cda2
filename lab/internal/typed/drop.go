package typed

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"oxo"
	"oxo/board"
	"oxo/drop"
	"oxo/solve"
)

// falling answers of a game in which marks fall.
type falling struct {
	once  sync.Once
	whole sharedSolver // of players and solutions
	soon  sharedSolver // of the judge: its small table is soon there
	book  *drop.Book
	err   error // why there is none
	bytes atomic.Int64
}

// sharedSolver is a solver that answers one question at a time.
type sharedSolver struct {
	turn   chan struct{} // held by who asks
	solver *drop.Solver
}

func newSharedSolver(start board.Pos64, o drop.Options) (d sharedSolver, err error) {
	d.turn = make(chan struct{}, 1)
	d.solver, err = drop.New(start.Board(), start.Rules(), o)
	return d, err
}

// soonTable is the memory of the table, in bytes, of a solver that somebody waits for: the
// system takes a second to hand out ten times as much where others work.
const soonTable = 32 << 20

// books are the books that the program has with it, of any games.
//
//go:embed books/*.book
var books embed.FS

// embeddedBook returns the book of the game of these rules on a board, or nil.
func embeddedBook(b *board.Board, r board.Rules) *drop.Book {
	names, _ := fs.Glob(books, "books/*")
	for _, name := range names {
		data, err := books.ReadFile(name)
		if err != nil {
			continue
		}
		if book, err := drop.ReadBook(bytes.NewReader(data), b, r); err == nil {
			return book
		}
	}
	return nil
}

// asPos64 returns the board and the rules of a position on at most 64 squares.
func asPos64[P any](p P) (at board.Pos64, err error) {
	at, ok := any(p).(board.Pos64)
	if !ok {
		return at, errors.New("it is no positional game of at most 64 squares")
	}
	return at, nil
}

// ensureDropSolver makes the game's solver when first asked, or says why there is none.
func (b *typedGame[P]) ensureDropSolver() error {
	f := &b.falling
	f.once.Do(func() {
		var start board.Pos64
		if start, f.err = asPos64(b.Start); f.err != nil {
			return
		}
		// else there is no book to be read
		if _, f.err = drop.New(start.Board(), start.Rules(), drop.Options{}); f.err == nil {
			f.book = embeddedBook(start.Board(), start.Rules())
			o := drop.Options{Workers: runtime.GOMAXPROCS(0), Book: f.book}
			if f.whole, f.err = newSharedSolver(start, o); f.err == nil {
				o.Bytes = soonTable
				f.soon, f.err = newSharedSolver(start, o)
			}
		}
	})
	return f.err
}

// dropsOfNode is how many positions a search of falling marks looks at while others look
// at one.
const dropsOfNode = 10

// dropVerdictFinder returns what finds the verdicts of positions, of a game that has a solver:
// by the judge's own, which keeps what it finds, or with a limit by one that is new, so
// that the answers are the same every time.
func (b *typedGame[P]) dropVerdictFinder(nodes uint64) (func(context.Context, P) (solve.Verdict, bool, error), error) {
	d, most := &b.falling.soon, nodes*dropsOfNode/2
	if nodes > 0 {
		at, err := asPos64(b.Start)
		if err != nil {
			return nil, err
		}
		own, err := newSharedSolver(at, drop.Options{Bytes: int(min(8*2*most, soonTable)), Nodes: most,
			Book: b.falling.book})
		if err != nil {
			return nil, err
		}
		d = &own
	}
	return func(ctx context.Context, p P) (v solve.Verdict, ok bool, err error) {
		if nodes > 0 && d.solver.Nodes() >= most {
			return v, false, nil
		}
		err = b.withDropSolver(ctx, d, p, func(at board.Pos64) error {
			whole, err := d.solver.Solve(ctx, at)
			v = toSolveVerdict(whole)
			return err
		})
		return v, err == nil, ignoreExpected(err, drop.ErrLimit)
	}, nil
}

func ignoreExpected(err, expected error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}

// bookVerdict returns the verdict that the game's book has of a position.
func (b *typedGame[P]) bookVerdict(p P) (solve.Verdict, bool) {
	at, err := asPos64(p)
	if err != nil || p.Outcome() != oxo.Ongoing {
		return solve.Verdict{}, false
	}
	v, ok := b.falling.soon.solver.BookVerdict(at)
	return toSolveVerdict(v), ok
}

// readBook returns a solver that answers from a book as far as that has positions, and searches
// the others.
func (b *typedGame[P]) readBook(file io.Reader) (*sharedSolver, error) {
	at, err := asPos64(b.Start)
	if err != nil {
		return nil, err
	}
	book, err := drop.ReadBook(file, at.Board(), at.Rules())
	if err != nil {
		return nil, err
	}
	d, err := newSharedSolver(at, drop.Options{Workers: runtime.GOMAXPROCS(0), Book: book})
	return &d, err
}

// lookUpInBook is Lookup in a book.
func (b *typedGame[P]) lookUpInBook(ctx context.Context, file io.Reader, p P, began time.Time) (*SolveResult, error) {
	d, err := b.readBook(file)
	if err != nil {
		return nil, err
	}
	v, moves, nodes, err := b.solveDropMoves(ctx, d, p)
	if err != nil {
		return nil, err
	}
	r := b.describeSolution(p, v, moves, began)
	r.Method, r.Positions = ByDrop, nodes
	return r, nil
}

// solveDropMoves returns the verdicts of p and of its moves by a solver, and how many positions
// were searched for them.
func (b *typedGame[P]) solveDropMoves(ctx context.Context, d *sharedSolver,
	p P) (v solve.Verdict, moves []solve.Option, nodes uint64, err error) {
	err = b.withDropSolver(ctx, d, p, func(at board.Pos64) error {
		before := d.solver.Nodes()
		whole, list, err := d.solver.Moves(ctx, at)
		moves = toSolveOptions(list)
		v, nodes = toSolveVerdict(whole), d.solver.Nodes()-before
		return err
	})
	return v, moves, nodes, err
}

// withDropSolver has a solver to itself for one question.
func (b *typedGame[P]) withDropSolver(ctx context.Context, d *sharedSolver, p P, ask func(at board.Pos64) error) error {
	at, err := asPos64(p)
	if err != nil {
		return err
	}
	select {
	case d.turn <- struct{}{}:
		defer func() { <-d.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	before := d.solver.Bytes()
	err = ask(at)
	if d == &b.falling.whole || d == &b.falling.soon {
		b.falling.bytes.Add(int64(d.solver.Bytes() - before))
	}
	return err
}

func toSolveOptions(list []drop.Option) (moves []solve.Option) {
	for _, o := range list {
		moves = append(moves, solve.Option{Move: o.Move, Verdict: toSolveVerdict(o.Verdict), Best: o.Best})
	}
	return moves
}

func toSolveVerdict(v drop.Verdict) solve.Verdict {
	return solve.Verdict{Outcome: v.Outcome, Remoteness: v.Remoteness, Expected: float64(v.Outcome.Value(oxo.First))}
}

// dropSeconds is about how long a search takes a position.
const dropSeconds = 70e-9

// estimateDrop says what a search takes where marks fall: of n positions that there are,
// the boards in docs/gravity.md were searched in 0.2 to 3 times n to the three quarters.
func estimateDrop[P oxo.Position[P]](b *typedGame[P], q *solveTask[P]) (e Estimate, err error) {
	if q.Strong {
		return e, unsuited("a search does not tell all positions")
	}
	if err := b.ensureDropSolver(); err != nil {
		return e, unsuited(err.Error())
	}
	seconds := b.dropSearchSeconds(q)
	if at, _ := asPos64(q.p); b.falling.whole.solver.InBook(at) {
		seconds = 0
	}
	if seconds > endless {
		return e, fmt.Errorf("about %.1g days", seconds/86400)
	}
	return Estimate{&seconds, min(q.Memory, drop.DefaultBytes)}, nil
}

// dropSearchSeconds guesses how many seconds of one core a search takes where marks fall.
func (b *typedGame[P]) dropSearchSeconds(q *solveTask[P]) float64 {
	return 2 * dropSeconds * math.Pow(q.size, 0.75)
}

// dropMark begins the state of a search of falling marks among what Resume goes on from.
var dropMark = []byte("oxo solve: drop\n")

// runDrop solves by search where marks fall, by a solver of its own, that takes no more
// memory than it may. One worker searches the same positions in every run; long searches take
// all cores.
func runDrop[P oxo.Position[P]](ctx context.Context, b *typedGame[P], q *solveTask[P]) (*SolveResult, error) {
	began := time.Now()
	at, err := asPos64(q.p)
	if err != nil {
		return nil, err
	}
	o := drop.Options{Bytes: int(min(q.Memory, drop.DefaultBytes)), Workers: 1, Book: b.falling.book}
	if b.dropSearchSeconds(q) > soon {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	var s *drop.Solver
	of := b.dropSearchSeconds(q) / dropSeconds
	o.Progress = func(nodes uint64) {
		q.reportProgress(ByDrop, began, nodes, of, func(w io.Writer) error {
			_, err := w.Write(dropMark)
			return errors.Join(err, s.Save(w))
		})
	}
	if s, err = drop.New(at.Board(), at.Rules(), o); err != nil {
		return nil, err
	}
	if q.Resume != nil {
		if err := s.Resume(q.Resume); err != nil {
			return nil, err
		}
	}
	v, list, err := s.Moves(ctx, at)
	if err != nil {
		return nil, err
	}
	r := b.describeSolution(q.p, toSolveVerdict(v), toSolveOptions(list), began)
	r.Positions = s.Nodes()
	return r, nil
}

// BookMaker returns a maker of a book of the game, which goes on from the book that the
// program has with it; see [drop.NewBookMaker].
func (f solving[P]) BookMaker(plies int, o drop.Options) (*drop.BookMaker, error) {
	start, err := asPos64(f.b.Start)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.b.Spec, err)
	}
	o.Book = embeddedBook(start.Board(), start.Rules())
	m, err := drop.NewBookMaker(f.b.Spec, start.Board(), start.Rules(), plies, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.b.Spec, err)
	}
	return m, nil
}
