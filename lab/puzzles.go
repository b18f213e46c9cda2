package lab

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"oxo/games/kind"
	"oxo/lab/internal/game"
	"oxo/message"
	"oxo/puzzle"
)

// Puzzles: positions with one right move.
type (
	Puzzle        = puzzle.Puzzle
	PuzzleOptions = puzzle.MineOptions
	Mistake       = puzzle.Mistake
	Theme         = puzzle.Theme
	SolverRating  = puzzle.Rating
)

// Themes lists what puzzles ask for.
func Themes() []Theme { return puzzle.Themes() }

// ThemeOf reads a theme; empty text is none.
func ThemeOf(text string) (Theme, error) { return puzzle.ParseTheme(text) }

// CarriedPuzzles returns the puzzles that the program has with it of a game and a theme;
// empty is any. CarriedPuzzle returns the one of an identity.
func CarriedPuzzles(game string, theme Theme) []Puzzle { return puzzle.CarriedOf(game, theme) }
func CarriedPuzzle(id string) (Puzzle, bool)           { return puzzle.FindCarried(id) }

// PuzzlesApart returns puzzles in such an order that those come first, up to a count, that are not a few plies on in
// the game of one before them.
func PuzzlesApart(list []Puzzle, count int) []Puzzle { return puzzle.Apart(list, count) }

// longWin is from how many moves on wins are of one group to choose from.
const longWin = 4

// ThemesOfPuzzle are what a puzzle can be chosen by: its theme, and of a win in how many moves it is, as win-2.
func ThemesOfPuzzle(z *Puzzle) []string {
	if z.Theme != puzzle.Win {
		return []string{string(z.Theme)}
	}
	return []string{string(z.Theme), fmt.Sprintf("%s-%d", z.Theme, min(z.Plies/2+1, longWin))}
}

// ChoosePuzzles returns the carried puzzles of a game that can be chosen by a theme; empty is any. The error is of a
// theme that there is not.
func ChoosePuzzles(game, theme string) ([]Puzzle, error) {
	word, moves, ofMoves := strings.Cut(theme, "-")
	of, err := ThemeOf(word)
	if ofMoves {
		if n, bad := strconv.Atoi(moves); of != puzzle.Win || bad != nil || n < 1 || n > longWin {
			_, err = ThemeOf(theme)
		}
	}
	list := CarriedPuzzles(game, of)
	if err != nil || !ofMoves {
		return list, err
	}
	return slices.DeleteFunc(slices.Clone(list), func(z Puzzle) bool {
		return !slices.Contains(ThemesOfPuzzle(&z), theme)
	}), nil
}

// collected are the games of the collection, and how many puzzles of each. Tic-tac-toe has no more than a ninth of what
// is asked for.
var collected = map[string]int{
	"mnk:3,3,3": 1000,
	"mnk:4,3,3": 150, "mnk:5,3,3": 150, "mnk:4,4,3": 200, "mnk:4,4,4": 250, "mnk:5,4,4": 250, "mnk:5,5,4": 250,
	"mnk:6,6,4": 200, "mnk:7,7,5": 120, "mnk:15,15,5": 120, "torus:4,4,4": 150, "qubic": 150,
	"mnk:4,4,4+gravity": 200, "mnk:5,4,4+gravity": 350, "mnk:5,5,4+gravity": 150, "mnk:6,5,4+gravity": 120,
	"mnk:7,6,4+gravity": 120, "cube:3,3": 150, "cube:3,3+misere": 150, "mnk:4,3,3+misere": 150,
	"mnk:4,4,3+misere": 200, "mnk:4,4,4+misere": 250, "mnk:4,3,3+wild": 120, "mnk:4,4,3+notakto": 120,
	"mnk:4,4,4+order": 120, "mnk:4,4,4+maker": 120, "mnk:4,4,3+avoider": 150, "plane:affine,4": 150,
	"animal:elly,4,4": 180, "animal:tippy,4,4": 180, "animal:knobby,4,4": 150, "ultimate": 150, "meta": 110,
}

// IsPlainGame reports whether a game is played as everybody knows such games, as its kind says: the daily puzzles of
// Mondays are of these.
func IsPlainGame(spec string) bool {
	return slices.ContainsFunc(BuiltIn(), func(k Kind) bool {
		s := k.Split(spec)
		return k.Name == s.Name && slices.Contains(k.Plain, strings.Join(s.Options, "+"))
	})
}

// knownGames are the games that many people know, as their kinds say, in the order of the kinds.
var knownGames = sync.OnceValue(func() (specs []string) {
	for _, k := range BuiltIn() {
		for _, o := range k.Offers {
			if o.Known {
				specs = append(specs, cmp.Or(k.Same, k.Name)+strings.TrimPrefix(o.Spec, k.Name))
			}
		}
	}
	return specs
})

// OrderOfKnownGame returns which of the games that many people know a game is, from 0; -1 of others.
func OrderOfKnownGame(spec string) int { return slices.Index(knownGames(), spec) }

// PuzzleText is a puzzle in words.
type PuzzleText struct {
	Goal  string   `json:"goal" doc:"what is to be found"`
	Hints []string `json:"hints" doc:"each says more than the one before; one where three moves or fewer are left to choose from"`
	Among []string `json:"among" doc:"the moves that the last hint names"`
	Marks []string `json:"marks,omitempty" doc:"the squares that the second hint names: of a line that is to be completed, or stopped"`
	Said  Said     `json:"said,omitempty" doc:"the messages of the texts here, by field, for each hint one: keys and arguments, for other languages"`
}

// tryNodes is how many positions the judge may search for words about a move of a puzzle, blockNodes about a block, and
// followNodes the second search, to follow a puzzle.
const (
	tryNodes    = 20_000
	blockNodes  = 200_000
	followNodes = 3_000_000
)

// PuzzleAfterLine is what is to be found in a puzzle after a line: the answer, the reply, the next right move, and so
// on to a reply. The error is of a line that the puzzle has not, a [Fault].
func PuzzleAfterLine(g Game, z *Puzzle, line []string) (*Puzzle, error) {
	for i := 0; i < len(line); i += 2 {
		if !z.GoesOn() || i+1 == len(line) {
			return nil, game.FaultOf("line", fmt.Errorf("%v: the puzzle has no such line", line))
		}
		f, err := g.Judging().FollowPuzzle(z, line[i], followNodes)
		if err == nil && (f.Next == nil || f.Reply != line[i+1]) {
			err = fmt.Errorf("%v: the puzzle has no such line", line)
		}
		if z = f.Next; err != nil {
			return nil, game.FaultOf("line", err)
		}
	}
	return z, nil
}

// SolutionLine is how a puzzle is solved to its end, right moves and the replies to them in turn; of one that does not
// go on it is the answer.
func SolutionLine(g Game, z *Puzzle) ([]string, error) {
	line := []string{z.Answer}
	for z.GoesOn() {
		f, err := g.Judging().FollowPuzzle(z, z.Answer, followNodes)
		if err != nil {
			return nil, err
		}
		if f.Reply != "" {
			line = append(line, f.Reply)
		}
		if z = f.Next; z == nil {
			break
		}
		line = append(line, z.Answer)
	}
	return line, nil
}

// DescribePuzzle says in words what a puzzle asks for, and what to look for to somebody whom some moves were refused.
func DescribePuzzle(g Game, z *Puzzle, refusedMoves ...string) (PuzzleText, error) {
	s, err := g.Parse(z.Position)
	if err != nil {
		return PuzzleText{}, err
	}
	own, other := sideNames(g, s.Turn)
	left := slices.DeleteFunc(slices.Clone(s.Moves), func(m string) bool {
		return m != z.Answer && (slices.Contains(refusedMoves, m) || z.IsRight(m))
	})
	among := answerAndTwoOthers(z, left)
	last := message.Of("hint.three", message.Args{"moves": strings.Join(among, ", ")})
	switch several := len(z.Also) > 0; {
	case several && len(among) == 1:
		last = ofMove("right", z.Answer)
	case several:
		last.Key = "hint.among"
	case len(among) == 1:
		last = message.Of("tried.told", message.Args{"move": z.Answer})
	}
	goal, hints := z.GoalMessage(own, other), []message.Message{z.HintMessage(own, other)}
	marks, err := marksToLookAt(g, z)
	if err != nil {
		return PuzzleText{}, err
	}
	if len(marks) > 0 {
		key := "hint.lines"
		if z.Theme == puzzle.Block {
			key = "hint.stops"
		}
		through := "them"
		if len(marks) == 1 {
			through = "it"
		}
		args := message.Args{"squares": strings.Join(marks, ", "), "side": own, "other": other,
			"it": message.Of(through, nil)}
		hints = append(hints, message.Of(key, args))
	}
	if len(among) == len(s.Moves) {
		among = []string{} // it is one of all the moves
	} else {
		hints = append(hints, last)
	}
	say := puzzle.Words().With(kind.Words()).Say
	t := PuzzleText{Goal: say(goal), Among: among, Marks: marks, Said: Said{"goal": {goal}, "hints": hints}}
	for _, h := range hints {
		t.Hints = append(t.Hints, say(h))
	}
	return t, nil
}

// markedPlies is from how many plies on nobody sees yet which line a win completes.
const markedPlies = 7

// marksToLookAt are the squares, marked already, of the lines that a near win completes at its end, or of those that a
// block stops. There are none where no such line is known, or nothing stands in it yet.
func marksToLookAt(g Game, z *Puzzle) ([]string, error) {
	line := []string{}
	var err error
	switch {
	case z.Theme == puzzle.Block:
		var f puzzle.Followed
		if f, err = g.Judging().FollowPuzzle(z, z.Answer, followNodes); len(f.Threats) > 0 {
			line = f.Threats[:1]
		}
	case (z.Theme == puzzle.Win || z.Theme == puzzle.Fork) && z.Plies%2 == 1 && z.Plies < markedPlies:
		line, err = SolutionLine(g, z)
	}
	if err != nil || len(line) == 0 {
		return nil, err
	}
	info := g.Info()
	before := info.Signs(z.Position)
	end := []byte(before)
	at, err := g.Parse(z.Position)
	if err != nil {
		return nil, err
	}
	last := byte('x')
	if (at.Turn == "second") != (z.Theme == puzzle.Block) {
		last = 'o'
	}
	for i, move := range line {
		k := slices.IndexFunc(info.Squares, func(s kind.Square) bool { return s.Name == move })
		if k < 0 {
			return nil, nil // both sides place both marks
		}
		if len(line)%2 == (i+1)%2 {
			end[k] = last
		} else {
			end[k] = 'x' + 'o' - last
		}
	}
	var marks []string
	for _, set := range info.Lines {
		if slices.ContainsFunc(set, func(i int) bool { return end[i] != last }) {
			continue
		}
		for _, i := range set {
			if name := info.Squares[i].Name; before[i] == last && !slices.Contains(marks, name) {
				marks = append(marks, name)
			}
		}
	}
	return marks, nil
}

// sideNames returns what the side to move and the other one are called.
func sideNames(g Game, turn string) (own, other any) {
	info := g.Info()
	own, other = info.Seats[0], info.Seats[1]
	if names := info.Said["seats"]; names != nil {
		own, other = names[0], names[1]
	}
	if turn == "second" {
		return other, own
	}
	return own, other
}

// answerAndTwoOthers returns the answer and two other moves, where there are so many.
func answerAndTwoOthers(z *Puzzle, moves []string) []string {
	at := slices.Index(moves, z.Answer)
	from := min(max(0, at-int(z.ID[0])%3), max(0, len(moves)-3)) // the answer is not always in the middle
	return moves[from:min(from+3, len(moves))]
}

// puzzleDeviation is how uncertain the rating of a puzzle is, which is measured before
// anybody has tried it.
const puzzleDeviation = 120

// FirstRating is the rating of a puzzle that nobody has tried.
func FirstRating(z *Puzzle) SolverRating {
	return SolverRating{Rating: float64(z.Rating), Deviation: puzzleDeviation,
		Volatility: puzzle.Unrated().Volatility}
}

// newcomer is the rating of a solver of whom nothing is known: a puzzle in the middle of the
// collection is as likely to be solved as not.
const (
	newcomer          = 1000
	newcomerDeviation = 250
)

// Newcomer is the rating of a solver of whom nothing is known.
func Newcomer() SolverRating {
	return SolverRating{Rating: newcomer, Deviation: newcomerDeviation, Volatility: puzzle.Unrated().Volatility}
}

// difficulties are by how much puzzles are rated above their solver, by name: one of those far below is solved four
// times in five, one far above once.
var difficulties = map[string]float64{"easier": -250, "": 0, "harder": 250}

// RatingOffset is by how much a puzzle so difficult is to be rated above its solver; empty text is not at all.
func RatingOffset(difficulty string) (offset float64, err error) {
	away, ok := difficulties[difficulty]
	if !ok {
		return 0, fmt.Errorf("difficulty %q: there is none; it is easier or harder, or left out", difficulty)
	}
	return away, nil
}

// RatePuzzle returns the ratings of a solver and of a puzzle after a first try, which
// solved it or did not.
func RatePuzzle(solver, puzzleRating SolverRating, solved bool) (solverAfter, puzzleAfter SolverRating) {
	score := 0.0
	if solved {
		score = 1
	}
	return solver.AfterGames([]puzzle.Scored{{Against: puzzleRating, Score: score}}),
		puzzleRating.AfterGames([]puzzle.Scored{{Against: solver, Score: 1 - score}})
}

// MinePuzzleCollection mines the collection that the program carries anew, so many games at once, and
// writes it. ReportGame is told of each game and of how many puzzles it gave; calls of it follow
// one another. The same seed gives the same collection.
func MinePuzzleCollection(ctx context.Context, l *Lab, seed uint64, workers int, w io.Writer,
	reportGame func(game string, found, wanted int)) error {
	games := make(chan string)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var mu sync.Mutex
	var list []Puzzle
	var done sync.WaitGroup
	for range workers {
		done.Go(func() {
			for game := range games {
				own, err := minePuzzlesOfGame(ctx, l, game, PuzzleOptions{Count: collected[game], Seed: seed})
				if err != nil {
					stop(fmt.Errorf("%s: %w", game, err))
				}
				mu.Lock()
				list = append(list, own...)
				reportGame(game, len(own), collected[game])
				mu.Unlock()
			}
		})
	}
	for _, game := range slices.Sorted(maps.Keys(collected)) {
		games <- game
	}
	close(games)
	done.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	puzzle.SortByGameAndRating(list)
	return puzzle.WriteCollection(w, list)
}

// minePuzzlesOfGame mines the puzzles of a game. It stops at the wanted number; a game that gives fewer is no
// error.
func minePuzzlesOfGame(ctx context.Context, l *Lab, game string, o PuzzleOptions) (list []Puzzle, err error) {
	g, err := l.Game(game)
	if err != nil {
		return nil, err
	}
	_, err = g.Judging().MinePuzzles(ctx, o, func(z Puzzle) { list = append(list, z) })
	return list, err
}
