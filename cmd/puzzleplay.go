package cmd

import (
	"bufio"
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"oxo/lab"
)

// posePuzzles sets puzzles in the terminal: carried ones of the game, or of all where none is named, else new ones.
func (k *puzzling) posePuzzles(ctx context.Context, game string) error {
	list := []lab.Puzzle(nil)
	if k.games == "" {
		if !k.seeded {
			k.o.Seed = rand.Uint64N(manySeeds)
			k.printf("With --seed %d the same puzzles are set again.\n\n", k.o.Seed)
		}
		spec := "" // puzzles of all games
		if game != "" {
			g, err := k.lab.Game(game)
			if err != nil {
				return err
			}
			spec = g.Info().Spec
		}
		list = append(list, lab.CarriedPuzzles(spec, k.o.Theme)...)
		r := rand.New(rand.NewPCG(k.o.Seed, 0))
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	if len(list) == 0 {
		stop := k.showElapsed("looking for puzzles")
		var err error
		list, err = k.find(ctx, game, false)
		if stop(); err != nil {
			return err
		}
	}
	in := bufio.NewReader(k.in)
	r := lab.Newcomer()
	solved, tried := 0, 0
	var set []lab.Puzzle
	for range min(len(list), k.o.Count) {
		var z lab.Puzzle
		z, list = takeNearestRating(list, set, r.Rating+k.away)
		set = append(set, z)
		at, err := k.setUpPuzzle(&z)
		if err != nil {
			return err
		}
		done, err := at.askUntilOver(ctx, in)
		if err != nil {
			return err
		}
		if done.counts {
			tried++
			r, _ = lab.RatePuzzle(r, lab.FirstRating(&z), done.solved)
		}
		if done.solved {
			solved++
		}
		if done.left {
			break
		}
	}
	if tried > 0 {
		k.printf("%d of %d at the first try. Your rating by these: %.0f ± %.0f.\n", solved, tried, r.Rating,
			2*r.Deviation)
	}
	return nil
}

// manySeeds is how many seeds one is drawn from where none is given: few enough to be typed again.
const manySeeds = 1_000_000

// drawnFrom is of how many puzzles, drawn by lot, the one is set whose rating is nearest to the solver's.
const drawnFrom = 20

// takeNearestRating takes the puzzle of about that rating out of a list in the order of the lot, and returns what is
// left. While there are others it is akin to none that was set.
func takeNearestRating(list, set []lab.Puzzle, rating float64) (nearest lab.Puzzle, rest []lab.Puzzle) {
	away := func(z *lab.Puzzle) float64 { return math.Abs(float64(z.Rating) - rating) }
	at, seen := -1, 0
	for i := 0; i < len(list) && seen < drawnFrom; i++ {
		if slices.ContainsFunc(set, func(z lab.Puzzle) bool { return z.IsAkin(&list[i]) }) {
			continue
		}
		if seen++; at < 0 || away(&list[i]) < away(&list[at]) {
			at = i
		}
	}
	if at < 0 {
		return takeNearestRating(list, nil, rating)
	}
	z := list[at]
	return z, slices.Delete(list, at, at+1)
}

// posedPuzzle is a puzzle that is set, and how far it is solved.
type posedPuzzle struct {
	*puzzling
	z, at   *lab.Puzzle // as it began, and what is left of it
	game    lab.Game
	line    []string // the right moves so far, and the replies
	text    lab.PuzzleText
	state   lab.State
	refused []string // since the last right move
	later   []string // what is told of wrong moves once the puzzle is over
	hints   int      // the same
	helped  bool
}

// setUpPuzzle sets a puzzle up to be solved.
func (k *puzzling) setUpPuzzle(z *lab.Puzzle) (*posedPuzzle, error) {
	e := &posedPuzzle{puzzling: k, z: z, at: z}
	var err error
	if e.game, err = k.lab.Game(z.Game); err != nil {
		return nil, err
	}
	if e.text, err = lab.DescribePuzzle(e.game, z); err != nil {
		return nil, err
	}
	e.state, err = e.game.Parse(z.Position)
	return e, err
}

const puzzleCommands = "A move, such as %s; hint; answer; next; quit."

// attempt is how a puzzle went.
type attempt struct {
	counts bool // something was tried, or the answer asked for, before any hint
	solved bool // at the first try
	left   bool // the person leaves
}

// show shows the board, and what is to be found.
func (e *posedPuzzle) show() {
	e.printf("%s\n\n%s\n"+puzzleCommands+"\n", e.text.Goal, e.newCanvas(e.game.Info()).draw(scene{state: e.state}),
		e.exampleMove())
}

// exampleMove is a move that is not the answer, where there is another.
func (e *posedPuzzle) exampleMove() string {
	for _, m := range e.state.Moves {
		if m != e.at.Answer {
			return m
		}
	}
	return e.state.Moves[0]
}

// askUntilOver sets one puzzle, and again after a wrong move.
func (e *posedPuzzle) askUntilOver(ctx context.Context, in *bufio.Reader) (done attempt, err error) {
	e.printf("%s  rating %d\n", e.game.Info().Title, e.z.Rating)
	if !lab.IsPlainGame(e.z.Game) {
		e.printf("%s\n", e.game.Info().Rules)
	}
	e.show()
	for {
		e.printf("> ")
		line, err := readLine(ctx, in)
		if err != nil {
			e.printf("\n")
			if done.left = true; err == io.EOF {
				err = nil
			}
			return done, err
		}
		line = strings.ToLower(line)
		if !isTerminal(e.in) {
			e.printf("%s\n", line)
		}
		switch line {
		case "":
		case "quit", "q", "exit":
			done.left = true
			return done, nil
		case "help", "h", "?":
			e.printf("%s\n"+puzzleCommands+"\n", e.game.Info().Rules, e.exampleMove())
		case "hint":
			e.printf("%s\n", e.text.Hints[min(e.hints, len(e.text.Hints)-1)])
			e.hints, e.helped = e.hints+1, true
		case "next":
			e.printf("\n")
			return done, nil
		case "answer":
			line = ""
			fallthrough
		default:
			if over, err := e.tryMove(ctx, line, &done); over || err != nil {
				return done, err
			}
		}
	}
}

// showBoardAfterAnswer shows the board after the answer, and after what follows it where that was told.
func (e *posedPuzzle) showBoardAfterAnswer(t *lab.Tried) error {
	s, err := e.game.NewSession(lab.SessionOptions{First: lab.Human, Second: lab.Human, Position: t.At.Position})
	if err != nil {
		return err
	}
	defer s.Close()
	line := t.Line
	if line == nil {
		line = []string{t.Answer, t.Reply}
	}
	for _, m := range line {
		if m != "" && err == nil {
			err = s.Move(m)
		}
	}
	e.printf("\n%s\n", e.newCanvas(e.game.Info()).draw(scene{state: s.State()}))
	return err
}

// tryMove tries a move, or tells the answer where there is none, and reports whether the puzzle is over.
func (e *posedPuzzle) tryMove(ctx context.Context, move string, done *attempt) (over bool, err error) {
	t, err := lab.TryPuzzleMove(ctx, e.game, e.z, e.line, move)
	if fault := (*lab.Fault)(nil); errors.As(err, &fault) {
		e.printf("%v.\n", err)
		return false, nil
	}
	if err != nil {
		return false, err
	}
	e.printf("%s\n", t.Says)
	if t.Later != "" {
		e.later = append(slices.DeleteFunc(e.later, func(l string) bool { return l == t.Later }), t.Later)
		e.printf("The reply that shows it is told once this is solved.\n")
	}
	on := t.Right && t.Next != nil
	slower := t.Slower && len(e.refused) == 0 // which is no miss yet
	if !on && !slower && !done.counts && !e.helped {
		done.counts, done.solved = true, t.Right
	}
	switch {
	case on:
		e.line, e.text, e.hints, e.refused = append(e.line, t.Answer, t.Reply), *t.Next, 0, nil
		e.at = t.After
		e.state, err = e.game.Parse(t.After.Position)
	case t.Answer != "":
		for _, later := range e.later {
			e.printf("%s\n", later)
		}
		return true, e.showBoardAfterAnswer(t)
	default:
		e.printf("Try again.\n")
		e.refused = append(e.refused, move)
		e.text, err = lab.DescribePuzzle(e.game, t.At, e.refused...)
	}
	e.printf("\n")
	e.show()
	return false, err
}
