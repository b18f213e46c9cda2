package engine

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"oxo"
)

// Until when after its beginning ServeCodinGame has answered for the first time, and how long it thinks about the other
// moves. The referee's own limits are a second, in which the program has to start too, and a tenth of one; what is left
// is for that and the way.
const (
	// firstThought counts from the beginning of the program, turnThought from the end of the turn's list.
	firstThought = 800 * time.Millisecond
	turnThought  = 85 * time.Millisecond
)

// ServeCodinGame plays for CodinGame's referee of tic-tac-toe, Ultimate or
// plain: each turn gives the opponent's row and column from the top left, or
// -1 -1, then how many moves there are and the row and column of each, in any
// order. The answer is a row and a column. It returns at the end of the input.
//
// A move that is not among those listed is never answered: where the referee's
// list and the rules differ, the list is right. Note, unless it is nil, is told what the referee says
// that the rules of the game don't; it belongs on the error output, which the protocol leaves free.
func ServeCodinGame(ctx context.Context, r io.Reader, w io.Writer, game Engine, note func(text string)) error {
	begun := time.Now()
	words := bufio.NewScanner(r)
	// Lines mean nothing: the referee's numbers are read one after the other.
	words.Split(bufio.ScanWords)
	start, err := game.State("")
	if err != nil {
		return err
	}
	// Our side and the opponent's follow from the position, in which first one and then the other moves.
	s := &codinGameServer{game: game, state: start}
	if s.grid, _, err = readGrid(start.Position); err != nil {
		return err
	}
	defer game.Reset()
	if err := game.Ready(Limit{}); err != nil {
		return err
	}
	for first := true; ; first = false {
		opponent, legal, err := readTurn(words)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		budget := turnThought
		if first {
			budget = max(budget, firstThought-time.Since(begun))
		}
		move, odd := s.answerTurn(ctx, opponent, legal, budget)
		if odd != nil && note != nil {
			note(odd.Error())
		}
		if _, err := fmt.Fprintf(w, "%d %d\n", move[1], move[0]); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// maxListed is the most moves that a turn may list.
// Ultimate has 81 moves at most.
const maxListed = 1 << 12

// readTurn reads a turn. Squares are column and row.
// The error is io.EOF at the end of the input, also within a turn. What is sent is row and column, and is turned
// round here.
func readTurn(words *bufio.Scanner) (opponent [2]int, legal [][2]int, err error) {
	number := func() (int, error) {
		if !words.Scan() {
			if err := words.Err(); err != nil {
				return 0, err
			}
			return 0, io.EOF
		}
		n, err := strconv.Atoi(words.Text())
		if err != nil {
			return 0, fmt.Errorf("%.40q is no number", words.Text())
		}
		return n, nil
	}
	square := func() (at [2]int, err error) {
		if at[1], err = number(); err == nil {
			at[0], err = number()
		}
		return at, err
	}
	if opponent, err = square(); err != nil {
		return
	}
	n, err := number()
	if err != nil {
		return
	}
	if n < 1 || n > maxListed {
		return opponent, nil, fmt.Errorf("%d legal moves", n)
	}
	for range n {
		at, err := square()
		if err != nil {
			return opponent, nil, err
		}
		legal = append(legal, at)
	}
	return opponent, legal, nil
}

// codinGameServer is our side of a game of CodinGame's protocol.
// Once lost is set, it stays so, and each answer is the first move that the referee lists.
type codinGameServer struct {
	game  Engine
	grid  grid
	state State
	lost  error // why the position is not known any more
}

// answerTurn returns the answer to a turn, and what the rules say against it.
// The move, a column and a row, is always one of legal.
// The error of thinking does not end the game; only a position that is not known any more does end thinking.
func (s *codinGameServer) answerTurn(ctx context.Context, opponent [2]int, legal [][2]int,
	budget time.Duration) (move [2]int, note error) {
	if s.lost == nil && opponent != [2]int{-1, -1} {
		s.lost = s.applyMove(opponent)
	}
	if s.lost == nil && s.state.Outcome != oxo.Ongoing {
		s.lost = errors.New("the game is over")
	}
	if s.lost != nil {
		return legal[0], s.lost
	}
	ctx, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	r, err := s.game.Think(ctx, s.state.Position, Limit{}, nil)
	// The first of the list is played where thinking fails, or finds a move that the referee does not list.
	move = legal[0]
	if err == nil {
		var chosen [2]int
		if chosen[0], chosen[1], err = s.grid.parseSquare(r.Move); err == nil && slices.Contains(legal, chosen) {
			move = chosen
		} else if err == nil {
			err = fmt.Errorf("the referee does not list %s", r.Move)
		}
	}
	s.lost = s.applyMove(move)
	return move, errors.Join(err, s.lost)
}

// applyMove plays a move given by column and row.
// With an error the position stays as it was.
func (s *codinGameServer) applyMove(at [2]int) error {
	if !s.grid.contains(at[0], at[1]) {
		return fmt.Errorf("%d %d is off the board", at[1], at[0])
	}
	state, err := s.game.State(s.state.Position, s.grid.squareName(at[0], at[1]))
	if err == nil {
		s.state = state
	}
	return err
}

// codinGamePlayer is a program that speaks CodinGame's protocol.
// What the program does not know of, it can't be told: it follows the game from its start by itself.
type codinGamePlayer[P oxo.Position[P]] struct {
	client[P]
	grid  grid
	known string // the squares after its last move
}

// greetCodinGame begins a game; the protocol has no greeting.
func greetCodinGame[P oxo.Position[P]](c client[P]) (Program[P], error) {
	g, err := gridOf(c.game)
	if err != nil {
		return nil, err
	}
	c.protocol = "codingame"
	return &codinGamePlayer[P]{client: c, grid: g, known: strings.Repeat(".", g.cols*g.rows)}, nil
}

// Choose sends a turn and waits for a row and a column. The protocol tells
// programs nothing but the opponent's last move, so games must be played from
// the start.
func (b *codinGamePlayer[P]) Choose(ctx context.Context, p P) (oxo.Choice, error) {
	ctx, cancel := b.moveContext(ctx)
	defer cancel()
	_, cells, err := readGrid(b.game.Format(p))
	if err != nil {
		return oxo.Choice{}, err
	}
	// At most one square may differ from what the program knows, by the opponent's mark; none does at the first move.
	opponent := [2]int{-1, -1}
	for i := range cells {
		if cells[i] == b.known[i] {
			continue
		}
		if opponent[0] >= 0 || b.known[i] != '.' {
			return oxo.Choice{}, errors.New("CodinGame's protocol can only tell of games from the start, move by " +
				"move; play without openings")
		}
		opponent = [2]int{i % b.grid.cols, i / b.grid.cols}
	}
	var turn strings.Builder
	moves := p.Moves(nil)
	fmt.Fprintf(&turn, "%d %d\n%d", opponent[1], opponent[0], len(moves))
	for _, m := range moves {
		col, row, err := b.grid.parseSquare(b.game.FormatMove(p, m))
		if err != nil {
			return oxo.Choice{}, err
		}
		fmt.Fprintf(&turn, "\n%d %d", row, col)
	}
	if err := b.conn.Send(ctx, turn.String()); err != nil {
		return oxo.Choice{}, err
	}
	line, err := b.conn.Receive(ctx)
	if err != nil {
		return oxo.Choice{}, err
	}
	row, col, err := parsePair(line, " ")
	if err != nil || !b.grid.contains(col, row) {
		return oxo.Choice{}, illegalMove("it answers %.60q, which is no row and column of the board", line)
	}
	m, err := b.parseMove(p, b.grid.squareName(col, row))
	if err != nil {
		return oxo.Choice{}, err
	}
	_, b.known, err = readGrid(b.game.Format(p.Play(m)))
	return oxo.Choice{Move: m}, err
}
