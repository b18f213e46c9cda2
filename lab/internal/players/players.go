// Package players opens players, evaluations and judges by their specs, for games of any type
// of positions.
package players

import (
	"bytes"
	"cmp"
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

// playerKind is one way to name a player. To add a player is to add a line to playerKinds. form is the
// name with its options as help shows them, about a line on how it plays.
// open gets what stands behind the colon of a spec, empty where there is none.
type playerKind[P oxo.Position[P]] struct {
	name, form, about string
	open              func(b *opened.TypedGame[P], args string) (playerMaker[P], error)

	// refuse says, by a guess, why open would fail without arguments, where open would solve the
	// whole game to find out; nil where open is asked.
	refuse func(b *opened.TypedGame[P]) error
}

// playerMaker makes the players of one spec, one for each game. Only players that
// are other programs can fail to be made once their spec has been opened.
// Its argument is the source of chance that the player draws from.
type playerMaker[P oxo.Position[P]] func(r *rand.Rand) (oxo.Player[P], error)

// playerKinds lists the kinds of players. To add one is to add a line. The order is the one in which
// they are listed. Options are read by ParseKeyValues, so that errors read alike.
func playerKinds[P oxo.Position[P]]() []playerKind[P] {
	return []playerKind[P]{
		{"random", "random", "every move with equal probability",
			openerWithoutOptions(func(*opened.TypedGame[P]) (oxo.Policy[P], error) {
				return player.Random[P]{}, nil
			}), nil},
		{"level", "level:N", "an opponent for people, from 1, a beginner, to 5, which plays exactly where that can " +
			"be and else by a short search; plays every game, the same by the same seed",
			openLevelPlayer[P], nil},
		{"heuristic", "heuristic or heuristic:slips=S+S…",
			"win, block, fork, block a fork, centre, corner, side; with slips of the notes that it is from: " +
				player.FlawNames + ", or published", openHeuristicPlayer[P], nil},
		{"rows", "rows", "one move ahead by marks in open lines",
			openerWithoutOptions(policyWhereLinesWanted[P](player.Rows[P]{})), nil},
		{"winratio", "winratio or winratio:[table=PATH][,order=T+T…]",
			"the largest share of won games below; the table is kept in a file; or by won, drawn, decided, wins, " +
				"draws, losses, last in that order", openWinRatioPlayer[P],
			refuseTallyPlayer[P]},
		{"perfect", "perfect, perfect:db=PATH, perfect:proof=PATH or perfect:proof=GAME",
			"exact play from the solved game, from a file of oxo solve --strong or oxo book, or by a certificate, in " +
				"a file or of those that oxo has with it (oxo proofs)",
			openPerfectPlayer[P], refuseExactPlayer[P]},
		{"optimal", "optimal", "every move that keeps the position's value with equal probability",
			openOptimalPlayer[P], refuseExactPlayer[P]},
		{"minimax", "minimax:depth=N[,decay=D][,eval=E]", "minimax to a depth; values shrink by the decay each ply; " +
			"E is the name of an evaluation, or brain:PATH of a net or a weighted sum",
			searcherOpener[P](search.Minimax, []string{"depth"}, "decay", "eval"), nil},
		{"alphabeta", "alphabeta:depth=N, :time=D or :nodes=N[,eval=E][,plain=yes]",
			"alpha-beta with a table, deepening where time is limited; by threats on large boards with lines",
			openAlphaBetaPlayer[P], nil},
		{"mcts",
			"mcts:sims=N or :time=D[,eval=E][,explore=C][,temperature=T][,contempt=C][,rave=N]" +
				"[,proof=no][,dfpn=R][,reuse=no][,memory=64M][,workers=N]",
			"Monte-Carlo tree search with proven values; by a learned evaluation where there is " +
				"one; eval=none,proof=no is plain UCT, with explore=2.83 as it was published",
			searcherOpener[P](search.MCTS, []string{"sims", "time"}, "workers", "eval", "explore", "temperature",
				"contempt",
				"rave", "proof", "dfpn", "reuse", "memory"), nil},
		{"static", "static:" + model.StaticForm, "alpha-beta to a depth by fixed weights of features",
			openStaticPlayer[P], nil},
		{"brain", "brain:PATH", "what a learner has learned, from a file", openBrainPlayer[P], nil},
		{"dense", "dense:PATH", "a dense net whose weights a program of yours has written (docs/own.md)",
			openDenseNetPlayer[P], nil},
		{"engine", "engine:COMMAND",
			"another program, by UGI, or by gomocup:, codingame: or policy: before the command",
			openEnginePlayer[P], nil},
		{"bot", "bot:NAME", "a program that is connected to the server, in tournaments there", openGuestPlayer[P], nil},
	}
}

// playerKindsOf lists the players that can be named in the game, those from outside first. Their names are no others'.
func playerKindsOf[P oxo.Position[P]](b *opened.TypedGame[P]) []playerKind[P] {
	return append(outsideKinds(b), playerKinds[P]()...)
}

// PlayerForms lists how the players of all games are named: oxo's own, and those that the lab has more.
// Each is a form and a line about it. Forms are the same in all games, so that any type of positions will do to list
// them.
func PlayerForms(l *game.Lab) (formsAndMeanings [][2]string) {
	list := [][2]string{{game.Human, "a person"}}
	for _, k := range playerKinds[board.Pos64]() {
		list = append(list, [2]string{k.form, k.about})
	}
	for _, k := range l.Players {
		list = append(list, [2]string{cmp.Or(k.Form, k.Name), k.About})
	}
	return list
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
	if name, args, _ := strings.Cut(spec, ":"); args != "" || name != "perfect" && name != "optimal" ||
		!errors.Is(err, solve.ErrTooLarge) || len(starts) == 0 {
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
	if strings.HasPrefix(spec, "optimal") {
		return fromPolicy[P](player.Optimal[P]{Solution: known}), nil
	}
	return fromPolicy[P](&player.Perfect[P]{Solution: known}), nil
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
		if k.name == name {
			return k, args, nil
		}
		names = append(names, k.name)
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
		if _, err := ParseKeyValues(args); err != nil {
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
	options, err := ParseKeyValues(args, "slips")
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

// ParseKeyValues reads options, key=value joined with commas, and refuses keys that are not accepted. Each
// key may be given once, and needs a value. Without accepted keys nothing may be given.
func ParseKeyValues(args string, accepted ...string) (map[string]string, error) {
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
	if _, err := ParseKeyValues(first, "db", "proof"); err != nil {
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
	return fromPolicy[P](&player.Perfect[P]{Solution: s}), nil
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

// openOptimalPlayer opens the player that draws among all moves that keep the value.
// Options are refused.
func openOptimalPlayer[P oxo.Position[P]](b *opened.TypedGame[P], args string) (playerMaker[P], error) {
	if _, err := ParseKeyValues(args); err != nil {
		return nil, err
	}
	s, err := b.Solution()
	if err != nil {
		return openDropPlayer(b, true, err)
	}
	return fromPolicy[P](player.Optimal[P]{Solution: s}), nil
}

// openWinRatioPlayer opens the player by shares of won games, from a table or counted here. A table that is
// not there yet is counted and written, and read the next time; one that is damaged or another game's
// is refused.
func openWinRatioPlayer[P oxo.Position[P]](b *opened.TypedGame[P], args string) (playerMaker[P], error) {
	options, err := ParseKeyValues(args, "table", "order")
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

// RefuseUnlessMarksOnly refuses players that need more than the marks on a board. They are asked about positions
// that no play leads to, of which others might believe what can't be so.
func RefuseUnlessMarksOnly(spec string) error {
	name, _, _ := strings.Cut(spec, ":")
	if !slices.Contains([]string{game.Human, "random", "heuristic", "rows"}, name) {
		return fmt.Errorf("only human, random, heuristic and rows play on, not %s", spec)
	}
	return nil
}
