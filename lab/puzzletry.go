package lab

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"oxo/games/kind"
	"oxo/judge"
	"oxo/message"
	"oxo/puzzle"
)

// Tried is what is to be said of a move of a puzzle.
type Tried struct {
	Right  bool   `json:"right" doc:"whether it is the only right move, or one of several, or, where a puzzle goes on, whether it still wins as soon"`
	Says   string `json:"says" doc:"the same in words, with what is known of the move"`
	Said   Said   `json:"said,omitempty" doc:"the messages of the texts here, by field: keys and arguments, for other languages"`
	Answer string `json:"answer,omitempty" doc:"the right move, once it was found or told"`
	// Reply and Next are of right moves of puzzles that are played on until the win is there.
	Reply string      `json:"reply,omitempty" doc:"what the other side answers, which lasts longest"`
	Next  *PuzzleText `json:"next,omitempty" doc:"what is to be found then; none where the puzzle is at its end"`

	Line    []string `json:"line,omitempty" doc:"where the answer was told: it, and how the puzzle goes on to its end"`
	Refuted []string `json:"refuted,omitempty" doc:"how a wrong move is answered and play goes on; none where that would give the answer away"`
	Later   string   `json:"later,omitempty" doc:"what is told of a wrong move once the puzzle is over, as it gives the answer away: how the move is answered"`
	Slower  bool     `json:"slower,omitempty" doc:"whether it wins by force, but not as soon as is asked for"`

	At    *Puzzle `json:"-"` // where the move was tried
	After *Puzzle `json:"-"` // what is left after the reply; nil where Next is
}

// TryPuzzleMove says whether a move is the right one after a line of the puzzle, and what is known of it for certain;
// of no move, the answer and how it goes on. The error is of a line or a move that the position has not, a [Fault].
func TryPuzzleMove(ctx context.Context, g Game, z *Puzzle, line []string, move string) (*Tried, error) {
	z, err := PuzzleAfterLine(g, z, line)
	if err != nil {
		return nil, err
	}
	var t *Tried
	if move == "" {
		list, err := rightMessages(ctx, g, z, "told", z.Answer)
		if err != nil {
			return nil, err
		}
		told, err := SolutionLine(g, z)
		if err != nil {
			return nil, err
		}
		if len(told) > 1 {
			list = append(list, message.Of("tried.line", message.Args{"moves": strings.Join(told[1:], ", ")}))
		}
		t = tried(false, list...)
		t.Answer, t.Line = z.Answer, told
	} else if t, err = tryMove(ctx, g, z, move); err != nil {
		return nil, err
	}
	t.At = z
	return t, nil
}

// lineAfter is how play goes on from s as the judge sees it; empty where it does not know.
func lineAfter(ctx context.Context, g Game, s State) ([]string, error) {
	j, err := g.Judging().Judge(ctx, JudgeOptions{Position: s.Position, Nodes: tryNodes}, nil)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, nil
	case err != nil:
		return nil, err
	case len(j.Line) == 0 && j.Certain && j.Hint != "":
		return []string{j.Hint}, nil
	}
	return j.Line, nil
}

// tryMove says whether a move is the right one, and what is known of it.
func tryMove(ctx context.Context, g Game, z *Puzzle, move string) (*Tried, error) {
	s, err := g.NewSession(SessionOptions{First: Human, Second: Human, Position: z.Position})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if err := s.Move(move); err != nil {
		return nil, &Fault{Field: "move", Err: err}
	}
	moves := s.Record().Moves
	move = moves[len(moves)-1]
	switch {
	case z.GoesOn():
		f, err := g.Judging().FollowPuzzle(z, move, followNodes)
		if err != nil {
			return nil, err
		}
		if f.Right {
			return triedRightMove(ctx, g, z, move, &f)
		}
		if f.FirstWin != "" && z.Theme == puzzle.Fork {
			return tried(false, winsFirstMessage(g, s.State(), z, move, f.FirstWin)), nil
		}
	case z.IsRight(move):
		list, err := rightMessages(ctx, g, z, "right", move)
		if err != nil {
			return nil, err
		}
		t := tried(true, list...)
		t.Answer = move
		return t, nil
	}
	if s.Over() {
		return tried(false, gameEndingMoveMessage(g, s.State(), move), z.OneMessage()), nil
	}
	return triedWrongMove(ctx, g, z, s.State(), move)
}

// winsFirstMessage is what is said of a move that makes two threats, before which the other side wins in s. A reply on
// the square of the answer is not named.
func winsFirstMessage(g Game, s State, z *Puzzle, move, reply string) message.Message {
	other, _ := sideNames(g, s.Turn)
	args := message.Args{"other": other, "move": move, "reply": reply}
	if reply == z.Answer {
		return message.Of("tried.first", args)
	}
	return message.Of("tried.first.move", args)
}

// triedWrongMove is what is known of a wrong move, after which the game stands as s.
func triedWrongMove(ctx context.Context, g Game, z *Puzzle, s State, move string) (*Tried, error) {
	said, err := g.Judging().ExplainMove(ctx, JudgeOptions{Position: z.Position, Nodes: tryNodes}, move)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil, err
	}
	verdict, _ := said.Args["verdict"].(message.Message)
	what, timed, _ := strings.Cut(strings.TrimPrefix(verdict.Key, "v."), ".")
	key := "known"
	switch what {
	case "wins":
		if key = "slow"; z.Theme == puzzle.Fork {
			key = "later" // its goal asks for two threats, not for the soonest win
		}
	case "loses", "draws":
	default:
		return tried(false, ofMove("wrong", move), z.OneMessage()), nil
	}
	if n, _ := verdict.Args["n"].(int); timed != "" && what == "wins" && n%2 == 1 { // by a move of its own side
		key, verdict.Args = key+".moves", message.Args{"n": n/2 + 1}
	} else if timed != "" {
		key += ".plies"
	}
	list := []message.Message{message.Of("tried."+key, message.Args{"move": move, "verdict": verdict})}
	if what == "wins" {
		t := tried(false, list...)
		t.Slower = true
		return t, nil
	}
	line, err := lineAfter(ctx, g, s)
	if err != nil {
		return nil, err
	}
	// What is on the square of the answer would give it away.
	shown := slices.IndexFunc(line, func(m string) bool { return kind.SquareOf(m) == kind.SquareOf(z.Answer) })
	if shown < 0 {
		shown = len(line)
	}
	refuted := line[:min(shown, followed)]
	if what == "draws" && (shown < len(line) || shown == 1) {
		refuted = nil // the first moves alone show no draw
	}
	how, ok := said.Args["how"].(message.Message)
	switch ok = ok && !namesMoveFirst(judge.Words().With(kind.Words()).Say(how), s.Moves, z.Answer); {
	case ok && !isNamedSource(how):
		list = append(list, shortenMessageLine(how))
	case len(refuted) > 0:
		list = append(list, message.Of("tried.answers", message.Args{"line": strings.Join(refuted, ", ")}))
	case len(line) == 0 && ok:
		list = append(list, how)
	}
	t := tried(false, list...)
	t.Refuted = refuted
	// A block says what was threatened.
	if shown < len(line) && len(refuted) == 0 && len(list) == 1 && z.Theme != puzzle.Block {
		later := []message.Message{message.Of("tried.after", message.Args{"move": move,
			"line": strings.Join(line[:min(len(line), followed)], ", ")})}
		t.Later, t.Said["later"] = sayTried(later), later
	}
	return t, nil
}

// isNamedSource reports whether what shows something is only named, without the moves.
func isNamedSource(how message.Message) bool {
	return slices.Contains([]string{"by.threats.0", "by.solution", "by.falling", "by.numbers", "by.search",
		"by.certificate", "by.proof"}, how.Key)
}

// gameEndingMoveMessage is what is said of a wrong move that ends the game.
func gameEndingMoveMessage(g Game, s State, move string) message.Message {
	if s.Result == "draw" {
		return ofMove("over.draw", move)
	}
	winner, _ := sideNames(g, s.Result)
	return message.Of("tried.over", message.Args{"move": move, "side": winner})
}

// triedRightMove is what is said of a right move of a puzzle that is played on, with the reply and what is asked then.
func triedRightMove(ctx context.Context, g Game, z *Puzzle, move string, f *puzzle.Followed) (*Tried, error) {
	at, err := g.Parse(z.Position)
	if err != nil {
		return nil, err
	}
	own, other := sideNames(g, at.Turn)
	args := message.Args{"side": own, "other": other, "move": f.Reply}
	list, err := rightMessages(ctx, g, z, "right", move)
	if err != nil {
		return nil, err
	}
	switch {
	case f.Next != nil:
		list = append(list, message.Of("tried.reply", args))
	case f.Reply != "":
		list = append(list, message.Of("tried.last", args))
	default:
		list = append(list, message.Of("tried.won", args))
	}
	t := tried(true, list...)
	if t.Answer, t.Reply = move, f.Reply; f.Next != nil {
		text, err := DescribePuzzle(g, f.Next)
		if err != nil {
			return nil, err
		}
		t.Next, t.After = &text, f.Next
	}
	return t, nil
}

// followed is how many moves of a line are said of a wrong move: nobody follows more without a board.
const followed = 5

// shortenMessageLine is a message that tells no more of its line than followed moves.
func shortenMessageLine(m message.Message) message.Message {
	text, whole := m.Args["line"].(string)
	if longer, ok := m.Args["line"].(message.Message); ok {
		text, _ = longer.Args["moves"].(string)
	}
	moves := strings.Split(text, ", ")
	if len(moves) <= followed || whole && len(moves) == followed+1 {
		return m
	}
	args := maps.Clone(m.Args)
	args["line"] = message.Of("and-on", message.Args{"moves": strings.Join(moves[:followed], ", ")})
	return message.Of(m.Key, args)
}

// namesMoveFirst reports whether the first of the moves that a text names is that one.
func namesMoveFirst(text string, moves []string, move string) bool {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" ,.;:", r) }) {
		if word == move || slices.Contains(moves, word) {
			return word == move
		}
	}
	return false
}

// rightMessages is what the key says of a move that is right, and in what way the others are worse where all are: of a
// block what it stops, and what more is known of it.
func rightMessages(ctx context.Context, g Game, z *Puzzle, key, move string) ([]message.Message, error) {
	list := []message.Message{ofMove(key, move)}
	if z.Unique == puzzle.Several {
		return list, nil
	}
	if len(z.Also) > 0 {
		others := slices.DeleteFunc(append([]string{z.Answer}, z.Also...), func(m string) bool { return m == move })
		return append(list, message.Of("tried.also", message.Args{"moves": strings.Join(others, ", ")})), nil
	}
	if z.Theme != puzzle.Block {
		return append(list, z.OthersMessage()), nil
	}
	at, err := g.Parse(z.Position)
	if err != nil {
		return nil, err
	}
	_, other := sideNames(g, at.Turn)
	f, err := g.Judging().FollowPuzzle(z, move, followNodes)
	if err != nil {
		return nil, err
	}
	list = append(list, message.Of("tried.block", message.Args{"other": other, "moves": message.List(f.Threats)}))
	switch z.Unique {
	case puzzle.Wins:
		list = append(list, message.Of("tried.even", nil))
	case puzzle.Survives:
		said, err := g.Judging().ExplainMove(ctx, JudgeOptions{Position: z.Position, Nodes: blockNodes}, move)
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return nil, err
		}
		if verdict, _ := said.Args["verdict"].(message.Message); strings.HasPrefix(verdict.Key, "v.loses") {
			list = append(list, message.Of("tried.still", message.Args{"other": other}))
		}
	}
	return list, nil
}

// ofMove is what the key says of a move that was tried.
func ofMove(key, move string) message.Message {
	return message.Of("tried."+key, message.Args{"move": move})
}

// tried is what the messages say of a move.
func tried(right bool, list ...message.Message) *Tried {
	return &Tried{Right: right, Says: sayTried(list), Said: Said{"says": list}}
}

// sayTried says messages about a move that was tried.
func sayTried(list []message.Message) string {
	return judge.Words().With(puzzle.Words(), kind.Words()).Say(list...)
}
