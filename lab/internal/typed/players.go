package typed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"oxo"
	"oxo/board"
	"oxo/drop"
	"oxo/learn/model"
	"oxo/player"
	"oxo/search"
	"oxo/solve"
)

// playerKind is one way to name a player. To add a player is to add a line to
// playerKinds.
type playerKind[P oxo.Position[P]] struct {
	name, form, about string
	open              func(b *typedGame[P], args string) (maker[P], error)
}

// maker makes the players of one spec, one for each game. Only players that
// are other programs can fail to be made once their spec has been opened.
type maker[P oxo.Position[P]] func(r *rand.Rand) (oxo.Player[P], error)

func playerKinds[P oxo.Position[P]]() []playerKind[P] {
	return []playerKind[P]{
		{"random", "random", "every move with equal probability",
			withoutOptions(func(*typedGame[P]) (oxo.Policy[P], error) { return player.Random[P]{}, nil })},
		{"level", "level:N", "an opponent for people, from 1, a beginner, to 5, which plays exactly where that can " +
			"be and else the best that oxo does in about a second; plays every game, the same by the same seed",
			openLevel[P]},
		{"heuristic", "heuristic or heuristic:slips=S+S…",
			"win, block, fork, block a fork, centre, corner, side; with slips of the notes that it is from: " +
				player.SlipNames + ", or published", openHeuristic[P]},
		{"rows", "rows", "one move ahead by marks in open lines", withoutOptions(requireLines[P](player.Rows[P]{}))},
		{"winratio", "winratio or winratio:[table=PATH][,order=T+T…]",
			"the largest share of won games below; the table is kept in a file; or by won, drawn, decided, wins, " +
				"draws, losses, last in that order", openWinRatio[P]},
		{"perfect", "perfect, perfect:db=PATH or perfect:proof=PATH",
			"exact play from the solved game, from a file of oxo solve --strong or oxo book, or by a certificate",
			openPerfect[P]},
		{"optimal", "optimal", "every move that keeps the position's value with equal probability", openOptimal[P]},
		{"minimax", "minimax:depth=N[,decay=D][,eval=E]", "minimax to a depth; values shrink by the decay each ply; " +
			"E is the name of an evaluation, or brain:PATH",
			searcherOpener[P](search.Minimax, []string{"depth"}, "decay", "eval")},
		{"alphabeta", "alphabeta:depth=N, :time=D or :nodes=N[,eval=E][,plain=yes]",
			"alpha-beta with a table, deepening where time is limited; by threats on large boards with lines",
			openAlphaBeta[P]},
		{"mcts",
			"mcts:sims=N or :time=D[,eval=E][,explore=C][,temperature=T][,contempt=C][,rave=N]" +
				"[,proof=no][,dfpn=R][,reuse=no][,memory=64M][,workers=N]",
			"Monte-Carlo tree search with proven values; by a learned evaluation where there is " +
				"one; eval=none,proof=no is plain UCT, with explore=2.83 as it was published",
			searcherOpener[P](search.MCTS, []string{"sims", "time"}, "workers", "eval", "explore", "temperature",
				"contempt",
				"rave", "proof", "dfpn", "reuse", "memory")},
		{"static", "static:" + model.StaticForm, "alpha-beta to a depth by fixed weights of features", openStatic[P]},
		{"brain", "brain:PATH", "what a learner has learned, from a file", openBrain[P]},
		{"engine", "engine:COMMAND", "another program, by UGI, or by gomocup: or codingame: before the command",
			openEngine[P]},
		{"bot", "bot:NAME", "a program that is connected to the server, in tournaments there", openGuest[P]},
	}
}

// playerKinds lists the players that can be named in the game, its own first.
func (b *typedGame[P]) playerKinds() []playerKind[P] {
	var own []playerKind[P]
	for _, p := range b.only {
		own = append(own, playerKind[P]{p.Name, p.Form, p.About, func(b *typedGame[P], args string) (maker[P], error) {
			play, err := p.Open(b.Game, args)
			if err != nil {
				return nil, err
			}
			return func(r *rand.Rand) (oxo.Player[P], error) { return play(r), nil }, nil
		}})
	}
	return append(own, playerKinds[P]()...)
}

// Human is the player spec of a person: whoever runs a session moves for it.
const Human = "human"

// PlayerForms lists how players are named.
func PlayerForms() [][2]string {
	list := [][2]string{{Human, "a person"}}
	for _, k := range playerKinds[board.Pos64]() {
		list = append(list, [2]string{k.form, k.about})
	}
	return list
}

var errNoPlayer = errors.New("no player is called")

// playerMaker returns the maker of the players of that spec.
func (b *typedGame[P]) playerMaker(spec string) (maker[P], error) {
	name, args, _ := strings.Cut(spec, ":")
	names := []string{Human}
	for _, k := range b.playerKinds() {
		if k.name == name {
			m, err := k.open(b, args)
			if err != nil {
				return nil, fmt.Errorf("player %q: %w", spec, err)
			}
			return m, nil
		}
		names = append(names, k.name)
	}
	if name == Human {
		return nil, fmt.Errorf("player %q: no person plays here; use oxo play", spec)
	}
	if _, err := b.lab.KindOf(name); err == nil {
		return nil, fmt.Errorf("player %q: %w that; it is a game, which is named by --game %s", spec, errNoPlayer, spec)
	}
	return nil, fmt.Errorf("player %q: %w %q; there are %s", spec, errNoPlayer, name, strings.Join(names, ", "))
}

// noLimit is the error of a search that would never end.
type noLimit struct{ example string }

func (e noLimit) Error() string {
	return "it needs a limit, such as " + e.example + ", or games with clocks"
}

// clockedPlayerMaker returns the maker of the players of that spec in games with clocks:
// where the spec says nothing else, it is the clock that ends a search.
func (b *typedGame[P]) clockedPlayerMaker(spec string) (maker[P], error) {
	const ever = "time=10000h"
	m, err := b.playerMaker(spec)
	if !errors.As(err, new(noLimit)) {
		return m, err
	}
	with := spec + "," + ever
	if !strings.Contains(spec, ":") {
		with = spec + ":" + ever
	}
	if m, other := b.playerMaker(with); other == nil {
		return m, nil
	}
	return nil, err
}

// withoutOptions opens a player without options.
func withoutOptions[P oxo.Position[P]](policy func(*typedGame[P]) (oxo.Policy[P],
	error)) func(*typedGame[P], string) (maker[P], error) {
	return func(b *typedGame[P], args string) (maker[P], error) {
		if _, err := keyValues(args); err != nil {
			return nil, err
		}
		f, err := policy(b)
		return fromPolicy(f), err
	}
}

func fromPolicy[P oxo.Position[P]](f oxo.Policy[P]) maker[P] {
	return func(r *rand.Rand) (oxo.Player[P], error) { return player.NewDrawing(f, r), nil }
}

// requireLines refuses games in which the player's lines mean nothing.
func requireLines[P oxo.Position[P]](f oxo.Policy[P]) func(*typedGame[P]) (oxo.Policy[P], error) {
	return func(b *typedGame[P]) (oxo.Policy[P], error) {
		if b.board == nil && b.lines != nil {
			return nil, b.noBoardError("its winning sets")
		}
		if !b.wantsLines {
			return nil, fmt.Errorf("it plays for winning sets, which are nothing to want in %s", b.Spec)
		}
		return f, nil
	}
}

func openHeuristic[P oxo.Position[P]](b *typedGame[P], args string) (maker[P], error) {
	options, err := keyValues(args, "slips")
	if err != nil {
		return nil, err
	}
	var f player.Heuristic[P]
	if text, ok := options["slips"]; ok {
		if f.Slips, err = player.ParseSlips(text); err != nil {
			return nil, err
		}
	}
	return withoutOptions(requireLines[P](f))(b, "")
}

// keyValues reads options, key=value joined with commas, and refuses keys that
// are not accepted.
func keyValues(args string, accepted ...string) (map[string]string, error) {
	values := map[string]string{}
	if args == "" {
		return values, nil
	}
	for _, word := range strings.Split(args, ",") {
		key, value, found := strings.Cut(word, "=")
		switch {
		case len(accepted) == 0:
			return nil, fmt.Errorf("option %q: it takes no options", word)
		case !slices.Contains(accepted, key):
			return nil, fmt.Errorf("unknown option %q; options are %s", key, strings.Join(accepted, ", "))
		case !found || value == "":
			return nil, fmt.Errorf("option %q needs a value, as in %s=…", key, key)
		}
		if _, twice := values[key]; twice {
			return nil, fmt.Errorf("option %q is given twice", key)
		}
		values[key] = value
	}
	return values, nil
}

// atOnce is the most positions that a player or a view waits for.
const atOnce = 5_000_000

// whole is the game solved from its start, or why it is too large.
type whole[P oxo.Position[P]] struct {
	mu       sync.Mutex
	err      error
	solution atomic.Pointer[solve.Solution[P]]
	quick    sync.Once
	soon     *solve.Solution[P] // of a game with few positions
}

// bytesSolved is about how many bytes a position takes in a solution.
const bytesSolved = 20

func (w *whole[P]) memoryBytes() int64 {
	if s := w.solution.Load(); s != nil {
		return bytesSolved * int64(s.Classes())
	}
	return 0
}

// glance is how often who waits for another's solution looks whether it is there.
const glance = 5 * time.Millisecond

// solveUncancelled returns the solution of the whole game, or an error where it is too
// large to solve at once.
func (b *typedGame[P]) solveUncancelled() (*solve.Solution[P], error) {
	return b.solveWhole(context.Background())
}

// solveWhole is solved, unless ctx ends first.
func (b *typedGame[P]) solveWhole(ctx context.Context) (*solve.Solution[P], error) {
	w := &b.whole
	for !w.mu.TryLock() { // somebody is at it
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(glance):
		}
	}
	defer w.mu.Unlock()
	if s := w.solution.Load(); s != nil || w.err != nil {
		return s, w.err
	}
	s, err := b.solveFrom(ctx, b.Start, solve.Options{Limit: atOnce})
	switch {
	case err == nil:
		w.solution.Store(s)
	case ctx.Err() == nil:
		w.err = err
	}
	return s, err
}

func openPerfect[P oxo.Position[P]](b *typedGame[P], args string) (maker[P], error) {
	options, err := keyValues(args, "db", "proof")
	if err != nil {
		return nil, err
	}
	if path := options["proof"]; path != "" {
		if options["db"] != "" {
			return nil, errors.New("it plays from a db or from a proof, not from both")
		}
		return openProof(b, path)
	}
	var s player.Solution[P]
	if path := options["db"]; path != "" {
		data, err := b.lab.readFile(path)
		if err != nil {
			return nil, err
		}
		switch {
		case drop.IsBook(data):
			d, err := b.readBook(bytes.NewReader(data))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			return b.makeDropPlayers(d, false), nil
		case isTiers(bytes.NewReader(data)):
			s, err = readTierSolution(b, data)
		default:
			s, err = solve.Read(bytes.NewReader(data), b.Game, b.identity)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	} else if s, err = b.solveUncancelled(); err != nil {
		if errors.Is(err, solve.ErrTooLarge) && b.ensureDropSolver() == nil {
			return b.makeDropPlayers(&b.falling.whole, false), nil
		}
		return nil, err
	}
	return fromPolicy[P](&player.Perfect[P]{Solution: s}), nil
}

func openOptimal[P oxo.Position[P]](b *typedGame[P], args string) (maker[P], error) {
	if _, err := keyValues(args); err != nil {
		return nil, err
	}
	s, err := b.solveUncancelled()
	if errors.Is(err, solve.ErrTooLarge) && b.ensureDropSolver() == nil {
		return b.makeDropPlayers(&b.falling.whole, true), nil
	}
	if err != nil {
		return nil, err
	}
	return fromPolicy[P](player.Optimal[P]{Solution: s}), nil
}

func openWinRatio[P oxo.Position[P]](b *typedGame[P], args string) (maker[P], error) {
	options, err := keyValues(args, "table", "order")
	if err != nil {
		return nil, err
	}
	var order []player.Tally
	if text, ok := options["order"]; ok {
		if order, err = player.ParseOrder(text); err != nil {
			return nil, err
		}
	}
	path := options["table"]
	if path != "" {
		data, err := b.lab.readFile(path)
		if err == nil {
			t, err := solve.ReadTallies(bytes.NewReader(data), b.Game, b.identity)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			return fromPolicy[P](player.WinRatio[P]{Tallies: t, Order: order}), nil
		}
		if !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		if b.lab.WriteFile == nil {
			return nil, errors.New("files can't be written here")
		}
	}
	if err := b.refuseTooLarge(b.Start, atOnce); err != nil {
		return nil, err
	}
	t, err := solve.TallyGames(context.Background(), b.Game, atOnce)
	if err != nil {
		return nil, err
	}
	if path != "" {
		var data bytes.Buffer
		if err := t.Write(&data, b.identity); err != nil {
			return nil, err
		}
		if err := b.lab.WriteFile(path, data.Bytes()); err != nil {
			return nil, err
		}
	}
	return fromPolicy[P](player.WinRatio[P]{Tallies: t, Order: order}), nil
}
