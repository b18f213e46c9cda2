package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"oxo"
)

// The Ruby quiz's line protocol (quiz 11, ruby-talk 123327, port 1276): the
// server says hello, then the mark and the size of the board; the program says
// hello. Each state of the board goes to both programs, its rows of _, X and O as
// words; who is to move is sent "move" and answers row,column from 0 at the top left,
// and an invalid move gets "move" again. After the game the winner is sent
// "win" and the loser "lose", and the server closes the connections, after a drawn
// game without a word; some servers say "draw". White space means nothing but for
// the ends of lines.

// removeSpace returns a line without its white space.
// White space within a line means nothing in the protocol.
func removeSpace(line string) string { return strings.Join(strings.Fields(line), "") }

// maxInvalid is how often a program may try again before it loses.
// The protocol has no bound itself, and a program that repeats itself would never end.
const maxInvalid = 10

// GreetQuiz makes a player of a program that has connected to us, the one to play that seat: it
// says hello and hears the program's. The board of the start is for when its opponent has come too.
// Where there is an error, the caller still has the connection to close.
func GreetQuiz[P oxo.Position[P]](ctx context.Context, g *oxo.Game[P], conn *Conn, seat oxo.Seat, hello string,
	o ClientOptions) (*QuizPlayer[P], error) {
	c := client[P]{game: g, conn: conn, options: o}
	size, err := gridOf(g)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(o.Startup, 10*time.Second))
	defer cancel()
	if err := conn.Send(ctx, hello, fmt.Sprintf("%s %dx%d", quizMarks[seat], size.cols, size.rows)); err != nil {
		return nil, err
	}
	name, err := conn.Receive(ctx)
	if err != nil {
		return nil, fmt.Errorf("waiting for hello: %w", err)
	}
	return &QuizPlayer[P]{client: c, Name: name, grid: size}, nil
}

// ShowStart sends the board of the start.
func (q *QuizPlayer[P]) ShowStart(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(q.options.Startup, 10*time.Second))
	defer cancel()
	return q.sendBoard(ctx, q.game.Start)
}

// quizMarks are what the two seats are called in the protocol.
var quizMarks = [2]string{"X", "O"}

// QuizPlayer is a program that plays over the quiz's protocol.
type QuizPlayer[P oxo.Position[P]] struct {
	client[P]
	Name string // its hello
	grid grid
	told string // the last board that it was sent
}

// sendBoard sends the board, unless it was the last that was sent.
func (q *QuizPlayer[P]) sendBoard(ctx context.Context, p P) error {
	board, err := formatQuizBoard(q.game.Format(p))
	if err == nil && board != q.told {
		q.told = board
		err = q.conn.Send(ctx, board)
	}
	return err
}

// Choose sends the board, unless it was sent before, and asks for a move, again
// where it is invalid; then it sends the board after the move.
// The error after maxInvalid tries is a [Fault] by which the game is lost.
func (q *QuizPlayer[P]) Choose(ctx context.Context, p P) (oxo.Choice, error) {
	ctx, cancel := q.moveContext(ctx)
	defer cancel()
	if err := q.sendBoard(ctx, p); err != nil {
		return oxo.Choice{}, err
	}
	// What is no square of the board, or no legal move, is asked for again.
	for range maxInvalid {
		if err := q.conn.Send(ctx, "move"); err != nil {
			return oxo.Choice{}, err
		}
		line, err := q.conn.Receive(ctx)
		if err != nil {
			return oxo.Choice{}, err
		}
		row, col, err := parsePair(removeSpace(line), ",")
		if err != nil || !q.grid.contains(col, row) {
			continue
		}
		if m, err := q.game.ParseMove(p, q.grid.squareName(col, row)); err == nil {
			return oxo.Choice{Move: m}, q.sendBoard(ctx, p.Play(m))
		}
	}
	return oxo.Choice{}, illegalMove("%d moves after each other are invalid", maxInvalid)
}

// End tells the program the last position and whether its seat has won or lost.
// That the game is drawn it is told by Close.
// v is the game's value to its seat. It waits a second at most, as the program may be gone.
func (q *QuizPlayer[P]) End(p P, v oxo.Value) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := q.sendBoard(ctx, p); err != nil || v == oxo.Draw {
		return err
	}
	return q.conn.Send(ctx, quizResults[v])
}

// quizResults are the words for how a game ended, to the one who is told.
var quizResults = map[oxo.Value]string{oxo.Win: "win", oxo.Loss: "lose", oxo.Draw: "draw"}

// formatQuizBoard writes a position as the protocol does.
// Rows come from the top, with a blank between; who is to move is not written.
func formatQuizBoard(position string) (string, error) {
	g, cells, err := readGrid(position)
	if err != nil {
		return "", err
	}
	cells = strings.NewReplacer(".", "_", "x", "X", "o", "O").Replace(cells)
	rows := make([]string, g.rows)
	for i := range rows {
		rows[i] = cells[i*g.cols : (i+1)*g.cols]
	}
	return strings.Join(rows, " "), nil
}

// parseQuizBoard reads it back, for the side to move.
func (g grid) parseQuizBoard(line, side string) (string, error) {
	cells := removeSpace(line)
	if len(cells) != g.cols*g.rows || strings.Trim(cells, "_XO") != "" {
		return "", illegalMove("%.60q is no board of %d×%d", line, g.cols, g.rows)
	}
	cells = strings.NewReplacer("_", ".", "X", "x", "O", "o").Replace(cells)
	return g.formatPosition([]byte(cells), strings.ToLower(side)[0]), nil
}

// QuizResult is how a game against a quiz server ended.
type QuizResult struct {
	Server string   // its hello
	Seat   oxo.Seat // ours
	Final  string   // the last position that was sent
	Value  oxo.Value
}

// resultOnDisconnect is what the end of a connection without a word means, which is the error:
// where the game is over, by the last board or after our last move, the result
// that the board says.
// after is the board after our last move, which the server may not have sent back. Any other error stays as it is.
func (r QuizResult) resultOnDisconnect(game Engine, after string, gone error) (QuizResult, error) {
	if f, ok := errors.AsType[*Fault](gone); !ok || f.How != oxo.EndCrashed {
		return r, gone
	}
	for _, position := range []string{r.Final, after} {
		board, _, _ := strings.Cut(position, " ")
		// The protocol does not say whose turn it would be, and some positions are only legal with one side to move.
		for _, side := range []string{" x", " o"} {
			if state, err := game.State(board + side); err == nil && state.Outcome != oxo.Ongoing {
				r.Final, r.Value = position, state.Outcome.Value(r.Seat)
				return r, nil
			}
		}
	}
	return r, gone
}

// PlayQuiz plays one game for a quiz server, thinking for that long about each
// move. The board must have the size of the game. The error of a server that
// breaks the protocol is a [Fault].
// Empty lines are passed over. A server that asks maxInvalid times for a move in one board breaks the protocol.
func PlayQuiz(ctx context.Context, conn *Conn, game Engine, hello string, think time.Duration) (QuizResult, error) {
	var result QuizResult
	start, err := game.State("")
	if err != nil {
		return result, err
	}
	g, _, err := readGrid(start.Position)
	if err != nil {
		return result, err
	}
	if result.Server, err = conn.Receive(ctx); err != nil {
		return result, fmt.Errorf("waiting for hello: %w", err)
	}
	mark, err := acceptMark(ctx, conn, g)
	if err != nil {
		return result, err
	}
	if mark == "O" {
		result.Seat = oxo.Second
	}
	if err := conn.Send(ctx, hello); err != nil {
		return result, err
	}
	asked, after := 0, "" // times for the same board; what our last move made of it
	for {
		line, err := conn.Receive(ctx)
		if err != nil {
			return result.resultOnDisconnect(game, after, err)
		}
		if line = removeSpace(line); line == "" {
			continue
		}
		for v, word := range quizResults {
			if line == word {
				result.Value = v
				return result, nil
			}
		}
		if line != "move" {
			asked = 0
			if result.Final, err = g.parseQuizBoard(line, mark); err != nil {
				return result, err
			}
			continue
		}
		if asked++; asked > maxInvalid {
			return result, illegalMove("the server refuses every move in %q", result.Final)
		}
		var answer string
		answer, after, err = chooseQuizMove(ctx, game, g, result.Final, think, asked)
		if err == nil {
			err = conn.Send(ctx, answer)
		}
		if err != nil {
			return result, err
		}
	}
}

// acceptMark reads which mark the server offers on which board.
// The error is a fault of the server where the size is not that of the game.
func acceptMark(ctx context.Context, conn *Conn, g grid) (mark string, err error) {
	line, err := conn.Receive(ctx)
	if err != nil {
		return "", fmt.Errorf("waiting for mark and size: %w", err)
	}
	offer := removeSpace(line)
	mark, size := offer[:min(1, len(offer))], offer[min(1, len(offer)):]
	if want := fmt.Sprintf("%dx%d", g.cols, g.rows); size != want || mark != "X" && mark != "O" {
		return "", illegalMove("the server offers %.40q; X %s or O %s can be played", line, want, want)
	}
	return mark, nil
}

// chooseQuizMove thinks about a move and returns it, and the board after it. Where the
// server refused moves before, other ones are tried.
// timesAsked counts from 1. Only the first time is thought about; then the legal moves are tried in their order.
func chooseQuizMove(ctx context.Context, game Engine, g grid, position string, think time.Duration,
	timesAsked int) (answer, after string, err error) {
	state, err := game.State(position)
	if err != nil || state.Outcome != oxo.Ongoing || position == "" {
		return "", "", illegalMove("the server asks for a move in %q", position)
	}
	move := state.Moves[(timesAsked-1)%len(state.Moves)]
	if timesAsked == 1 {
		ctx, cancel := context.WithTimeout(ctx, think)
		defer cancel()
		r, err := game.Think(ctx, position, Limit{}, nil)
		if err != nil {
			return "", "", err
		}
		move = r.Move
	}
	col, row, err := g.parseSquare(move)
	if err != nil {
		return "", "", err
	}
	_, cells, err := readGrid(position)
	marked := []byte(cells)
	side := position[len(position)-1]
	marked[row*g.cols+col] = side
	return fmt.Sprintf("%d,%d", row, col), g.formatPosition(marked, side), err
}
