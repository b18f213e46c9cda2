// Package players opens players, evaluations and judges by their specs, for games of any type
// of positions.
package players

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"oxo"
	"oxo/board"
	"oxo/lab/internal/falling"
	"oxo/lab/internal/game"
	"oxo/lab/internal/opened"
	"oxo/learn/model"
	"oxo/player"
	"oxo/search"
	"oxo/solve"
)

// playerKind is a kind of players: what it is, and how a game opens them. To add a player is to add a line to
// playerKinds.
type playerKind[P oxo.Position[P]] struct {
	Description
	opening[P]
}

// opening is how a game opens the players of a kind.
// open gets what stands behind the colon of a spec, empty where there is none.
type opening[P oxo.Position[P]] struct {
	open func(b *opened.TypedGame[P], args string) (playerMaker[P], error)

	// refuse says, by a guess, why open would fail without arguments, where open would solve the
	// whole game to find out; nil where open is asked.
	refuse func(b *opened.TypedGame[P]) error

	// bySolution makes the player of a solution, where it plays by the game solved; nil for others.
	bySolution func(player.Solution[P]) oxo.Policy[P]

	// prepare works out what the player knows of all games; nil where that is the solution, or nothing.
	prepare func(ctx context.Context, b *opened.TypedGame[P]) error
}

// playerMaker makes the players of one spec, one for each game. Only players that
// are other programs can fail to be made once their spec has been opened.
// Its argument is the source of chance that the player draws from.
type playerMaker[P oxo.Position[P]] func(r *rand.Rand) (oxo.Player[P], error)

// playerKinds lists the kinds of players. To add one is to add a line. The order is the one in which
// they are listed. Options are read by parseKeyValues, so that errors read alike.
func playerKinds[P oxo.Position[P]]() []playerKind[P] {
	return []playerKind[P]{
		{Description{Name: "random", Quick: true, ByMarks: true,
			About: "every move with equal probability"},
			opening[P]{open: openerWithoutOptions(func(*opened.TypedGame[P]) (oxo.Policy[P], error) {
				return player.Random[P]{}, nil
			})}},
		{Description{Name: "level", Form: "level:N",
			About: "an opponent for people, from 1, a beginner, to 5, which plays exactly where that can " +
				"be and else by a short search; plays every game, the same by the same seed"},
			opening[P]{open: openLevelPlayer[P]}},
		{Description{Name: "heuristic", Form: "heuristic or heuristic:slips=S+S…", Quick: true, ByMarks: true,
			About: "win, block, fork, block a fork, centre, corner, side; with slips of the notes that it is from: " +
				player.FlawNames + ", or published"},
			opening[P]{open: openHeuristicPlayer[P]}},
		{Description{Name: "rows", Quick: true, ByMarks: true,
			About: "one move ahead by marks in open lines"},
			opening[P]{open: openerWithoutOptions(policyWhereLinesWanted[P](player.Rows[P]{}))}},
		{Description{Name: "winratio", Form: "winratio or winratio:[table=PATH][,order=T+T…]",
			file: fileOption("table"),
			About: "the largest share of won games below; the table is kept in a file; or by won, drawn, decided, " +
				"wins, draws, losses, last in that order"},
			opening[P]{open: openWinRatioPlayer[P], refuse: refuseTallyPlayer[P], prepare: prepareTally[P]}},
		{Description{Name: "perfect", Form: "perfect, perfect:db=PATH, perfect:proof=PATH or perfect:proof=GAME",
			file: soleFile,
			About: "exact play from the solved game, from a file of oxo solve --strong or oxo book, or by a " +
				"certificate, in a file or of those that oxo has with it (oxo proofs)"},
			opening[P]{open: openPerfectPlayer[P], refuse: refuseExactPlayer[P], bySolution: newPerfect[P]}},
		{Description{Name: "optimal", DrawsBest: true,
			About: "every move that keeps the position's value with equal probability"},
			opening[P]{open: openOptimalPlayer[P], refuse: refuseExactPlayer[P], bySolution: newOptimal[P]}},
		{Description{Name: "minimax", Form: "minimax:depth=N[,decay=D][,eval=E]", file: evalFile,
			About: "minimax to a depth; values shrink by the decay each ply; " +
				"E is the name of an evaluation, or brain:PATH of a net or a weighted sum"},
			opening[P]{open: searcherOpener[P](search.Minimax, []string{"depth"}, "decay", "eval")}},
		{Description{Name: "alphabeta", Form: "alphabeta:depth=N, :time=D or :nodes=N[,eval=E][,plain=yes]",
			file:  evalFile,
			About: "alpha-beta with a table, deepening where time is limited; by threats on large boards with lines"},
			opening[P]{open: openAlphaBetaPlayer[P]}},
		{Description{Name: "mcts", file: evalFile,
			Form: "mcts:sims=N or :time=D[,eval=E][,explore=C][,temperature=T][,contempt=C][,rave=N]" +
				"[,proof=no][,dfpn=R][,reuse=no][,memory=64M][,workers=N]",
			About: "Monte-Carlo tree search with proven values; by a learned evaluation where there is " +
				"one; eval=none,proof=no is plain UCT, with explore=2.83 as it was published"},
			opening[P]{open: searcherOpener[P](search.MCTS, []string{"sims", "time"}, "workers", "eval", "explore",
				"temperature", "contempt", "rave", "proof", "dfpn", "reuse", "memory")}},
		{Description{Name: "static", Form: "static:" + model.StaticForm,
			About: "alpha-beta to a depth by fixed weights of features"},
			opening[P]{open: openStaticPlayer[P]}},
		{Description{Name: "brain", Form: "brain:PATH", file: wholeFile,
			About: "what a learner has learned, from a file"},
			opening[P]{open: openBrainPlayer[P]}},
		{Description{Name: "dense", Form: "dense:PATH", file: wholeFile,
			About: "a dense net whose weights a program of yours has written (docs/own.md)"},
			opening[P]{open: openDenseNetPlayer[P]}},
		{Description{Name: "engine", Form: "engine:COMMAND", Local: true,
			About: "another program, by UGI, or by gomocup:, codingame: or policy: before the command"},
			opening[P]{open: openEnginePlayer[P]}},
		{Description{Name: "bot", Form: "bot:NAME",
			About: "a program that is connected to the server, in tournaments there"},
			opening[P]{open: openGuestPlayer[P]}},
	}
}

// playerKindsOf lists the players that can be named in the game, those from outside first. Their names are no others'.
func playerKindsOf[P oxo.Position[P]](b *opened.TypedGame[P]) []playerKind[P] {
	return append(outsideKinds(b), playerKinds[P]()...)
}

// ErrNoPlayer is wrapped by the error of a spec that names no player.
var ErrNoPlayer = errors.New("no player is called")

// OpenPlayer returns the maker of the players of that spec. The arguments are checked and what the player
// needs, such as a solution, is worked out here; making a player is quick then.
func OpenPlayer[P oxo.Position[P]](b *opened.TypedGame[P], spec string) (playerMaker[P], error) {
	k, args, err := playerKindOfSpec(b, spec)
	if err != nil {
		return nil, err
	}
	m, err := k.open(b, args)
	if err != nil {
		return nil, fmt.Errorf("player %q: %w", spec, err)
	}
	return m, nil
}

// OpenPlayerFrom is OpenPlayer for games that begin at those positions. Where the whole game is too large to solve,
// perfect and optimal play by the solutions of what follows the positions, of opened.AtOnce classes together.
func OpenPlayerFrom[P oxo.Position[P]](b *opened.TypedGame[P], spec string, starts ...P) (playerMaker[P], error) {
	m, err := OpenPlayer(b, spec)
	k, args, _ := playerKindOfSpec(b, spec)
	if args != "" || k.bySolution == nil || !errors.Is(err, solve.ErrTooLarge) || len(starts) == 0 {
		return m, err
	}
	var known solutions[P]
	left := opened.AtOnce
	for _, p := range starts {
		if _, holds := known.At(p); holds {
			continue
		}
		s, refusal := opened.SolveBelow(context.Background(), b, p, left)
		if refusal != nil {
			return nil, err
		}
		known, left = append(known, s), max(left-s.Classes(), 0)
	}
	return fromPolicy(k.bySolution(known)), nil
}

// solutions are those of what follows several positions. It implements player.Solution: the first that holds a position
// answers.
type solutions[P oxo.Position[P]] []*solve.Solution[P]

// At returns what the position is worth, false where none holds it.
func (l solutions[P]) At(p P) (v solve.Verdict, ok bool) {
	for _, s := range l {
		if v, ok = s.At(p); ok {
			break
		}
	}
	return v, ok
}

// Moves returns what the position's moves are worth, false where none holds it.
func (l solutions[P]) Moves(p P) (list []solve.Option, ok bool) {
	for _, s := range l {
		if list, ok = s.Moves(p); ok {
			break
		}
	}
	return list, ok
}

// RefusalOf returns why the player of that spec doesn't play the game, nil where it does: what OpenPlayer
// says, but without solving the game, so that it is a guess whether that could be done. It serves
// lists of players for a person who waits.
func RefusalOf[P oxo.Position[P]](b *opened.TypedGame[P], spec string) error {
	k, args, err := playerKindOfSpec(b, spec)
	if err != nil {
		return err
	}
	if k.refuse == nil || args != "" {
		_, err := OpenPlayer(b, spec)
		return err
	}
	if err := k.refuse(b); err != nil {
		return fmt.Errorf("player %q: %w", spec, err)
	}
	return nil
}

// Prepare works out what the player of a spec knows of the game from a position on, until ctx is done, and says
// whether that is the solution of the whole game. Of the other players there is nothing to work out.
func Prepare[P oxo.Position[P]](ctx context.Context, b *opened.TypedGame[P], spec, position string) (solved bool,
	err error) {
	k, args, err := playerKindOfSpec(b, spec)
	switch {
	case err != nil:
		return false, err
	case k.prepare != nil:
		return false, k.prepare(ctx, b)
	case k.bySolution == nil, args != "":
		return false, nil
	}
	_, err = b.SolveWhole(ctx)
	switch {
	case !errors.Is(err, solve.ErrTooLarge):
		return err == nil, err
	case b.Falls():
		return true, nil // where marks fall, players search
	}
	p, err := opened.ParseOrStart(b.Game, position)
	if err == nil {
		_, err = opened.SolveBelow(ctx, b, p, opened.AtOnce)
	}
	return false, err
}

// prepareTally counts how all games end.
func prepareTally[P oxo.Position[P]](ctx context.Context, b *opened.TypedGame[P]) error {
	_, err := b.TallyGames(ctx)
	return err
}

// refuseExactPlayer refuses who plays by the solution of a game that is too large to solve, unless
// marks fall there: those are searched exactly.
func refuseExactPlayer[P oxo.Position[P]](b *opened.TypedGame[P]) error {
	if b.Falls() {
		return nil
	}
	return suggestSubstitute(b.RefuseUnsolvable())
}

// suggestSubstitute adds to the error of a game that is too large to solve who plays it nevertheless.
func suggestSubstitute(err error) error {
	if errors.Is(err, solve.ErrTooLarge) {
		return fmt.Errorf("%w; level:5 plays by what is known of the game and searches", err)
	}
	return err
}

// refuseTallyPlayer refuses who counts how all games end where they are too many, or endless.
// What there is of a table in a file is not looked at.
func refuseTallyPlayer[P oxo.Position[P]](b *opened.TypedGame[P]) error {
	if b.Loopy() {
		return solve.ErrEndless
	}
	return b.RefuseUnsolvable()
}

// OfferedPlayers lists the players that are offered by name, and which of them don't play the game.
// Whether they play is a guess for those that solve the game; see RefusalOf.
// The list is in the order in which they are shown, those from outside last. Refused is empty of those that play.
func OfferedPlayers[P oxo.Position[P]](b *opened.TypedGame[P]) []game.OfferedPlayer {
	specs := []string{"perfect", "heuristic", "rows", "winratio", "minimax:depth=2", "alphabeta:time=300ms",
		"mcts:sims=200", "mcts:time=1s", "random"}
	for n := 1; n <= game.TopLevel; n++ {
		specs = append(specs, fmt.Sprintf("level:%d", n))
	}
	for _, p := range WithoutOptions(b) {
		specs = append(specs, p.Name)
	}
	list := make([]game.OfferedPlayer, len(specs))
	for i, spec := range specs {
		list[i].Spec = spec
		if err := RefusalOf(b, spec); err != nil {
			list[i].Refused, list[i].Said = err.Error(), game.RefusalMessage(err)
		}
	}
	return list
}

// playerKindOfSpec returns the kind of player of a spec, and its arguments. The error lists the names; a spec
// of a game in its place gets a hint.
func playerKindOfSpec[P oxo.Position[P]](b *opened.TypedGame[P], spec string) (k playerKind[P], args string,
	err error) {
	name, args, _ := strings.Cut(spec, ":")
	names := []string{game.Human}
	for _, k := range playerKindsOf(b) {
		if k.Name == name {
			return k, args, nil
		}
		names = append(names, k.Name)
	}
	return k, "", unknownPlayerError(b, spec, name, names)
}

// unknownPlayerError is the error of a spec that names none of the players of that name.
// names are what the error lists.
func unknownPlayerError[P oxo.Position[P]](b *opened.TypedGame[P], spec, name string, names []string) error {
	if name == game.Human {
		return fmt.Errorf("player %q: no person plays here; use oxo play", spec)
	}
	if err := b.Lab.RefuseGame("player", spec, ErrNoPlayer); err != nil {
		return err
	}
	return fmt.Errorf("player %q: %w %q; there are %s", spec, ErrNoPlayer, name, strings.Join(names, ", "))
}

// noLimit is the error of a search that would never end.
// example is an option that would limit it.
type noLimit struct{ example string }

func (e noLimit) Error() string {
	return "it needs a limit, such as " + e.example + ", or games with clocks"
}

// OpenClockedPlayer returns the maker of the players of that spec in games with clocks: where the spec says
// nothing else, it is the clock that ends a search. A search without a limit is given one that it
// never reaches, as the referee's clock ends it through its context.
func OpenClockedPlayer[P oxo.Position[P]](b *opened.TypedGame[P], spec string) (playerMaker[P], error) {
	const ever = "time=10000h"
	m, err := OpenPlayer(b, spec)
	if !errors.As(err, new(noLimit)) {
		return m, err
	}
	with := spec + "," + ever
	if !strings.Contains(spec, ":") {
		with = spec + ":" + ever
	}
	if m, other := OpenPlayer(b, with); other == nil {
		return m, nil
	}
	return nil, err
}

// openerWithoutOptions opens a player without options.
// The policy is shared by all players of the spec.
func openerWithoutOptions[P oxo.Position[P]](policy func(*opened.TypedGame[P]) (oxo.Policy[P],
	error)) func(*opened.TypedGame[P], string) (playerMaker[P], error) {
	return func(b *opened.TypedGame[P], args string) (playerMaker[P], error) {
		if _, err := parseKeyValues(args); err != nil {
			return nil, err
		}
		f, err := policy(b)
		return fromPolicy(f), err
	}
}

// fromPolicy makes players that draw from the same policy, each by its own random numbers.
func fromPolicy[P oxo.Position[P]](f oxo.Policy[P]) playerMaker[P] {
	return func(r *rand.Rand) (oxo.Player[P], error) { return player.NewSamplingPlayer(f, r), nil }
}

// policyWhereLinesWanted refuses games in which the player's lines mean nothing.
// A game on squares whose winning sets are not those of a board, or in which nobody wants to complete sets, is such a
// one.
func policyWhereLinesWanted[P oxo.Position[P]](f oxo.Policy[P]) func(*opened.TypedGame[P]) (oxo.Policy[P], error) {
	return func(b *opened.TypedGame[P]) (oxo.Policy[P], error) {
		if b.Board == nil && b.Lines != nil {
			return nil, b.NoBoardError("its winning sets")
		}
		if !b.WantsLines {
			return nil, fmt.Errorf("%w %s", whyUnwanted(b.Start), b.Spec)
		}
		return f, nil
	}
}

// whyUnwanted returns why a player for winning sets has no meaning in a game that is not won by them for both sides.
func whyUnwanted(start any) error {
	if at, ok := start.(board.Positional); ok {
		r := at.Rules()
		for seat := range oxo.Seat(2) {
			switch wins := r.Tested[seat] && r.Done[seat] == oxo.WinFor(seat); {
			case wins && r.Place == board.Either:
				return game.ErrShared
			case wins && r.Place == board.Own:
				return game.ErrOneSided
			}
		}
	}
	return game.ErrUnwanted
}

// openHeuristicPlayer opens the player of hand-made rules, with the slips that are asked for.
// Slips that there are not are an error that lists those that there are.
func openHeuristicPlayer[P oxo.Position[P]](b *opened.TypedGame[P], args string) (playerMaker[P], error) {
	options, err := parseKeyValues(args, "slips")
	if err != nil {
		return nil, err
	}
	var f player.Heuristic[P]
	if text, ok := options["slips"]; ok {
		if f.Flaws, err = player.ParseHeuristicFlaws(text); err != nil {
			return nil, err
		}
	}
	return openerWithoutOptions(policyWhereLinesWanted[P](f))(b, "")
}

// parseKeyValues reads options, key=value joined with commas, and refuses keys that are not accepted. Each
// key may be given once, and needs a value. Without accepted keys nothing may be given.
func parseKeyValues(args string, accepted ...string) (map[string]string, error) {
	values := map[string]string{}
	if args == "" {
		return values, nil
	}
	for word := range strings.SplitSeq(args, ",") {
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

// openPerfectPlayer opens the perfect player: of a solution made here, of one in a file, or of a proof.
// Where the game is too large to solve but marks fall, the solver of falling marks takes the
// solution's place.
// A file is a book, tables of tiers or a solution, told apart by how it begins. There is one option, and all that
// follows it is its value: specs of games have commas.
func openPerfectPlayer[P oxo.Position[P]](b *opened.TypedGame[P], args string) (playerMaker[P], error) {
	first, _, _ := strings.Cut(args, ",")
	if _, err := parseKeyValues(first, "db", "proof"); err != nil {
		return nil, err
	}
	key, path, _ := strings.Cut(args, "=")
	if key == "proof" {
		return openProofPlayer(b, path)
	}
	var s player.Solution[P]
	var err error
	if path != "" {
		data, err := b.Lab.ReadNamedFile(path)
		if err != nil {
			return nil, err
		}
		switch {
		case falling.IsBook(data):
			d, err := falling.Open(b.Start, bytes.NewReader(data))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			return makeDropPlayers[P](d, false), nil
		case IsTierFile(bytes.NewReader(data)):
			s, err = readTierSolution(b, data)
		default:
			s, err = solve.Read(bytes.NewReader(data), b.Game, b.Identity)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	} else if s, err = b.Solution(); err != nil {
		return openDropPlayer(b, false, err)
	}
	return fromPolicy(newPerfect[P](s)), nil
}

// openDropPlayer opens the player that searches where marks fall, of a game that was not solved
// for that reason.
// unsolved is why there is no solution. With anyKeepingMove it draws among all moves that keep the value, else it plays
// perfectly.
func openDropPlayer[P oxo.Position[P]](b *opened.TypedGame[P], anyKeepingMove bool,
	unsolved error) (playerMaker[P], error) {
	s, err := b.Drops()
	if err != nil || !errors.Is(unsolved, solve.ErrTooLarge) {
		return nil, suggestSubstitute(unsolved)
	}
	return makeDropPlayers[P](s, anyKeepingMove), nil
}

// makeDropPlayers makes players that share a game's solvers: their searches take turns.
func makeDropPlayers[P oxo.Position[P]](s *falling.Solvers, keeps bool) playerMaker[P] {
	return func(r *rand.Rand) (oxo.Player[P], error) { return falling.NewPlayer[P](s, keeps, r), nil }
}

// newPerfect and newOptimal make the two players by a solution.
func newPerfect[P oxo.Position[P]](s player.Solution[P]) oxo.Policy[P] {
	return &player.Perfect[P]{Solution: s}
}
func newOptimal[P oxo.Position[P]](s player.Solution[P]) oxo.Policy[P] {
	return player.Optimal[P]{Solution: s}
}

// openOptimalPlayer opens the player that draws among all moves that keep the value.
// Options are refused.
func openOptimalPlayer[P oxo.Position[P]](b *opened.TypedGame[P], args string) (playerMaker[P], error) {
	if _, err := parseKeyValues(args); err != nil {
		return nil, err
	}
	s, err := b.Solution()
	if err != nil {
		return openDropPlayer(b, true, err)
	}
	return fromPolicy(newOptimal[P](s)), nil
}

// openWinRatioPlayer opens the player by shares of won games, from a table or counted here. A table that is
// not there yet is counted and written, and read the next time; one that is damaged or another game's
// is refused.
func openWinRatioPlayer[P oxo.Position[P]](b *opened.TypedGame[P], args string) (playerMaker[P], error) {
	options, err := parseKeyValues(args, "table", "order")
	if err != nil {
		return nil, err
	}
	var order []player.Tally
	if text, ok := options["order"]; ok {
		if order, err = player.ParseTallyOrder(text); err != nil {
			return nil, err
		}
	}
	path := options["table"]
	if path != "" {
		data, err := b.Lab.ReadNamedFile(path)
		if err == nil {
			t, err := solve.ReadTallies(bytes.NewReader(data), b.Game, b.Identity)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			return fromPolicy[P](player.WinRatio[P]{Tallies: t, Order: order}), nil
		}
		if !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		if b.Lab.WriteFile == nil {
			return nil, errors.New("files can't be written here")
		}
	}
	t, err := b.TallyGames(context.Background())
	if err != nil {
		return nil, err
	}
	if path != "" {
		var data bytes.Buffer
		if err := t.Write(&data, b.Identity); err != nil {
			return nil, err
		}
		if err := b.Lab.WriteFile(path, data.Bytes()); err != nil {
			return nil, err
		}
	}
	return fromPolicy[P](player.WinRatio[P]{Tallies: t, Order: order}), nil
}
