// Package falling answers questions about a game in which marks fall by its solver and its
// book, one question at a time. Positions of any type come in; those that are no positional
// ones of at most 64 squares have no such answers.
package falling

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"oxo"
	"oxo/board"
	"oxo/drop"
	"oxo/solve"
)

// Lazy makes a game's solvers when they are first asked for. The zero value is ready.
type Lazy struct {
	once    sync.Once
	solvers Solvers
	err     error // why there are none
}

// Solvers are those of a game in which marks fall.
type Solvers struct {
	book    *drop.Book
	players sharedSolver // of players and solutions
	judge   sharedSolver // of the judge: its small table is soon there
	bytes   atomic.Int64
}

// sharedSolver is a solver that answers one question at a time. A caller waits for its turn or for its
// context. What the solver has learned stays in its table for the next question.
type sharedSolver struct {
	turn   chan struct{} // held by who asks
	solver *drop.Solver
	grown  *atomic.Int64 // counts the bytes that it comes to hold; nil where nobody wants to know
}

// newSharedSolver returns a solver that takes one question at a time.
func newSharedSolver(start board.Pos64, o drop.SolverOptions, bytesGrown *atomic.Int64) (d sharedSolver, err error) {
	d.turn, d.grown = make(chan struct{}, 1), bytesGrown
	d.solver, err = drop.New(start.Board(), start.Rules(), o)
	return d, err
}

// smallTable is the memory of the table, in bytes, of a solver that somebody waits for: the
// system takes a second to hand out ten times as much where others work.
const smallTable = 32 << 20

// books are the books that the program has with it, of any games.
//
//go:embed books/*.book
var books embed.FS

// embeddedBook returns the book of the game of these rules on a board, or nil. Every book names its
// board and rules, and is refused by any other game; there are few, so that all are tried.
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

// AsPos64 returns a position on at most 64 squares as what it is.
func AsPos64(p any) (at board.Pos64, err error) {
	at, ok := p.(board.Pos64)
	if !ok {
		return at, errors.New("it is no positional game of at most 64 squares")
	}
	return at, nil
}

// checkSolvable returns the start of a game that there are solvers of, or says why there are none.
func checkSolvable(start any) (at board.Pos64, err error) {
	if at, err = AsPos64(start); err == nil {
		_, err = drop.New(at.Board(), at.Rules(), drop.SolverOptions{})
	}
	return at, err
}

// Falls reports whether there are solvers of the game with that start.
func Falls(start any) bool {
	_, err := checkSolvable(start)
	return err == nil
}

// Of returns the solvers of the game with that start, or says why there are none.
func (l *Lazy) Of(start any) (*Solvers, error) {
	l.once.Do(func() { l.err = l.solvers.openSolvers(start, nil) })
	return &l.solvers, l.err
}

// Bytes returns about how many bytes the solvers have come to hold.
func (l *Lazy) Bytes() int64 { return l.solvers.bytes.Load() }

// IsBook reports whether a file that begins so is a book.
func IsBook(head []byte) bool { return drop.IsBook(head) }

// Open returns solvers of the game with that start that answer from a book as far as it has
// positions, and search the others.
func Open(start any, book io.Reader) (*Solvers, error) {
	s := &Solvers{}
	return s, s.openSolvers(start, book)
}

// openSolvers makes the solvers, with the book that the program has with it where none is given. Players and
// the judge have a solver each, so that the judge never waits for a player's search. They share the
// book.
func (s *Solvers) openSolvers(start any, book io.Reader) error {
	at, err := checkSolvable(start)
	if err != nil {
		return err // and there is no book to be read
	}
	if book == nil {
		s.book = embeddedBook(at.Board(), at.Rules())
	} else if s.book, err = drop.ReadBook(book, at.Board(), at.Rules()); err != nil {
		return err
	}
	o := drop.SolverOptions{Workers: runtime.GOMAXPROCS(0), Book: s.book}
	if s.players, err = newSharedSolver(at, o, &s.bytes); err != nil {
		return err
	}
	o.Bytes = smallTable
	s.judge, err = newSharedSolver(at, o, &s.bytes)
	return err
}

// askExclusively has a solver to itself for one question.
func (d *sharedSolver) askExclusively(ctx context.Context, p any, ask func(at board.Pos64) error) error {
	at, err := AsPos64(p)
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
	if d.grown != nil {
		d.grown.Add(int64(d.solver.Bytes() - before))
	}
	return err
}

// verdict says who wins a position, and withRemoteness how long it lasts; found is false where the
// solver's limit came first.
func (d *sharedSolver) verdict(ctx context.Context, p any, withRemoteness bool) (v solve.Verdict, found bool,
	err error) {
	err = d.askExclusively(ctx, p, func(at board.Pos64) error {
		if !withRemoteness {
			value, err := d.solver.Value(ctx, at)
			v = solve.VerdictOf(value.Outcome(at.Turn()), 0)
			return err
		}
		v, err = d.solver.Solve(ctx, at)
		return err
	})
	if found = err == nil; errors.Is(err, drop.ErrLimit) {
		err = nil
	}
	return v, found, err
}

// nodeFactor is how many positions a search of falling marks looks at while others look
// at one.
const nodeFactor = 10

// VerdictFinder finds the verdict of a position, as far as it can: who wins, and withRemoteness how
// long it lasts.
type VerdictFinder[P any] = func(ctx context.Context, p P, withRemoteness bool) (v solve.Verdict,
	found bool, err error)

// JudgeVerdictFinder returns what finds the verdicts of positions of the game with that start: by the judge's
// own solver, which keeps what it finds, or with a limit by one that is new, so that the answers are
// the same every time. The number of positions counts all the finder's questions together; nodes is
// counted as the judge counts, of which half are for this source.
func JudgeVerdictFinder[P any](s *Solvers, start P) func(nodes uint64) (VerdictFinder[P], error) {
	return func(nodes uint64) (VerdictFinder[P], error) {
		d, most := &s.judge, nodes*nodeFactor/2
		if nodes > 0 {
			at, err := AsPos64(start)
			if err != nil {
				return nil, err
			}
			o := drop.SolverOptions{Bytes: int(min(8*2*most, smallTable)), Nodes: most, Book: s.book}
			own, err := newSharedSolver(at, o, nil)
			if err != nil {
				return nil, err
			}
			d = &own
		}
		return func(ctx context.Context, p P, withRemoteness bool) (solve.Verdict, bool, error) {
			if nodes > 0 && d.solver.Nodes() >= most {
				return solve.Verdict{}, false, nil
			}
			return d.verdict(ctx, p, withRemoteness)
		}, nil
	}
}

// keptNodes is how many positions a player searches for a question where marks fall.
const keptNodes = 2_000_000

// PlayerVerdictFinder returns what finds the verdicts of positions for one player, whose solver remembers
// from move to move. Once it gives up on one it gives up on all of that move's. It belongs to one
// player and is used by one goroutine.
func PlayerVerdictFinder[P any](s *Solvers, start P) func(nodes uint64) (VerdictFinder[P], error) {
	var own *sharedSolver
	return func(uint64) (VerdictFinder[P], error) {
		if own == nil {
			at, err := AsPos64(start)
			if err != nil {
				return nil, err
			}
			d, err := newSharedSolver(at, drop.SolverOptions{Bytes: smallTable, Nodes: keptNodes, Book: s.book}, nil)
			if err != nil {
				return nil, err
			}
			own = &d
		}
		gaveUp := false
		return func(ctx context.Context, p P, withRemoteness bool) (v solve.Verdict, found bool, err error) {
			if !gaveUp {
				v, found, err = own.verdict(ctx, p, withRemoteness)
				gaveUp = !found
			}
			return v, found, err
		}, nil
	}
}

// BookVerdictLookup returns what looks up the verdict that the game's book has of a position.
func BookVerdictLookup[P oxo.Position[P]](s *Solvers) func(P) (v solve.Verdict, found bool) {
	return func(p P) (solve.Verdict, bool) {
		at, err := AsPos64(p)
		if err != nil || p.Outcome() != oxo.Ongoing {
			return solve.Verdict{}, false
		}
		return s.judge.solver.BookVerdict(at)
	}
}

// endgameFreeSquares is with how many free squares the ends of games are solved at once on a board of so many: some
// milliseconds a game of Connect Four.
func endgameFreeSquares(boardSquares int) int {
	if boardSquares > 49 {
		return 22
	}
	return 28
}

// EndgameValues returns what says what positions of the game with that start are worth to First
// where few squares are free. It makes its solver when it is first asked and belongs to one
// goroutine.
func EndgameValues(start any) (func(p any) (worth float64, ok bool), error) {
	root, err := AsPos64(start)
	if err != nil {
		return nil, err
	}
	var solver *drop.Solver
	return func(p any) (float64, bool) {
		at, err := AsPos64(p)
		if err != nil {
			return 0, false
		}
		x, o := at.Marks()
		if squares := root.Board().N; squares-x.Or(o).Len() > endgameFreeSquares(squares) {
			return 0, false
		}
		if solver == nil {
			solver, err = drop.New(root.Board(), root.Rules(), drop.SolverOptions{Bytes: 4 << 20, Workers: 1})
			if err != nil {
				return 0, false
			}
		}
		v, err := solver.Value(context.Background(), at)
		return float64(v.Outcome(at.Turn()).Value(oxo.First)), err == nil
	}, nil
}

// InBook reports whether the game's book has the position.
func (s *Solvers) InBook(p any) bool {
	at, err := AsPos64(p)
	return err == nil && s.players.solver.InBook(at)
}

// SolveWithMoves returns the verdicts of a position and of its moves, and how many positions were searched for
// them. The error is that of the context, or says that the position is none of the game's.
func (s *Solvers) SolveWithMoves(ctx context.Context, p any) (v solve.Verdict, moves []solve.Option, nodes uint64,
	err error) {
	d := &s.players
	err = d.askExclusively(ctx, p, func(at board.Pos64) error {
		before := d.solver.Nodes()
		v, moves, err = d.solver.Moves(ctx, at)
		nodes = d.solver.Nodes() - before
		return err
	})
	return v, moves, nodes, err
}

// Book returns the book that the solvers answer from, or nil.
func (s *Solvers) Book() *drop.Book { return s.book }

// Solve is SolveWithMoves by a solver of its own, of so many bytes. One worker searches the same
// positions in every run. Checkpoint is told how many were searched, with what saves the state
// of the search, from which resume, where there is one, goes on.
func (s *Solvers) Solve(ctx context.Context, p any, tableBytes int64, workers int, resume io.Reader,
	checkpoint func(nodes uint64, save func(io.Writer) error)) (v solve.Verdict, moves []solve.Option, nodes uint64,
	err error) {
	at, err := AsPos64(p)
	if err != nil {
		return v, nil, 0, err
	}
	var d *drop.Solver
	d, err = drop.New(at.Board(), at.Rules(), drop.SolverOptions{Bytes: int(min(tableBytes, drop.DefaultBytes)),
		Workers: workers, Book: s.book, Progress: func(nodes uint64) { checkpoint(nodes, d.SaveBounds) }})
	if err == nil && resume != nil {
		err = d.LoadBounds(resume)
	}
	if err != nil {
		return v, nil, 0, err
	}
	v, moves, err = d.Moves(ctx, at)
	return v, moves, d.Nodes(), err
}

// solverPlayer plays the best moves by value and distance, found by search, each with the
// same probability; where it keeps, all moves that keep the value.
type solverPlayer[P oxo.Position[P]] struct {
	solvers *Solvers
	random  *rand.Rand
	keeps   bool
}

// NewPlayer returns a player of the best moves by value and distance, each with the same
// probability; or of all that keep the value.
func NewPlayer[P oxo.Position[P]](s *Solvers, keeps bool, r *rand.Rand) oxo.Player[P] {
	return &solverPlayer[P]{s, r, keeps}
}

// Choose searches as long as it needs. The error is that of a context that was done before.
func (f *solverPlayer[P]) Choose(ctx context.Context, p P) (oxo.Choice, error) {
	v, list, nodes, err := f.solvers.SolveWithMoves(ctx, p)
	if err != nil {
		return oxo.Choice{}, err
	}
	list = slices.DeleteFunc(list, func(o solve.Option) bool { return !o.Best && !(f.keeps && o.Outcome == v.Outcome) })
	c := oxo.Choice{Move: list[f.random.IntN(len(list))].Move, Nodes: nodes, Scored: true, Exact: true}
	c.Score = float64(v.Outcome.Value(p.Turn()))
	return c, nil
}
