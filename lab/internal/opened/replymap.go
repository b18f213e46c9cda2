package opened

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"oxo"
	"oxo/board"
	"oxo/lab/internal/game"
	"oxo/player"
	"oxo/solve"
)

// What a map of optimal play may take: stored positions of the solution, and boards of the map.
const (
	mostMapPositions = 1_000_000
	mostMapBoards    = 4_000
)

// MapReplies returns the map of optimal play of a seat from a position of b.
func MapReplies[P oxo.Position[P]](ctx context.Context, b *TypedGame[P], position string,
	seat oxo.Seat) (*game.ReplyMap, error) {
	p, err := ParseOrStart(b.Game, position)
	if err != nil {
		return nil, err
	}
	m := replyMapper[P]{game: b.Game, seat: seat}
	if err := m.refuseUnmappable(); err != nil {
		return nil, fmt.Errorf("a map of optimal play of %s: %w", b.Spec, err)
	}
	s, err := b.SolveFrom(ctx, p, solve.Settings{Limit: mostMapPositions})
	if err != nil {
		return nil, fmt.Errorf("a map of optimal play of %s: %w", b.Spec, err)
	}
	m.player.Solution = s
	top := m.mapFrom(p)
	if m.boards > mostMapBoards {
		return nil, fmt.Errorf("a map of optimal play of %s: it would have more than %d boards within one another; "+
			"begin from a position with fewer empty squares", b.Spec, mostMapBoards)
	}
	return top, nil
}

// replyMapper makes the map of a seat. After the drawing in the comic "Tic-Tac-Toe" (xkcd 832).
type replyMapper[P oxo.Position[P]] struct {
	game   *oxo.Game[P]
	seat   oxo.Seat
	player player.Perfect[P]
	boards int
}

// refuseUnmappable refuses games whose replies don't each mark a square of their own on one flat board.
func (m *replyMapper[P]) refuseUnmappable() error {
	view, ok := any(m.game.Start).(board.Positional)
	switch {
	case !ok || view.Board().Cols == 0 || view.Board().Levels > 1:
		return errors.New("it is drawn on one board of columns and rows, which this game has not")
	case m.game.Odds != nil:
		return errors.New("chance has a part in this game, and a reply is no one board")
	case view.Rules().Place == board.Either:
		return errors.New("a square may be marked in two ways, and has room for one reply")
	}
	return nil
}

// mapFrom is the board at p, after the seat's move where it is to move. Of several best moves the first
// is taken, as a map has room for one.
func (m *replyMapper[P]) mapFrom(p P) *game.ReplyMap {
	n := &game.ReplyMap{Position: m.game.Format(p), Move: -1}
	if m.boards++; m.boards > mostMapBoards || p.Outcome() != oxo.Ongoing {
		return n
	}
	if p.Turn() == m.seat {
		moves := p.Moves(nil)
		shares := make([]float64, len(moves))
		m.player.Policy(p, moves, shares)
		next := p.Play(moves[slices.Index(shares, slices.Max(shares))])
		n.Position, n.Move = m.game.Format(next), markedSquare(p, next)
		if p = next; p.Outcome() != oxo.Ongoing {
			return n
		}
	}
	n.Replies = map[int]*game.ReplyMap{}
	for _, reply := range p.Moves(nil) {
		next := p.Play(reply)
		n.Replies[markedSquare(p, next)] = m.mapFrom(next)
	}
	return n
}

// markedSquare is the square that is marked after a move and was not before it.
func markedSquare[P oxo.Position[P]](before, after P) int {
	x, o := any(before).(board.Positional).Marks()
	newX, newO := any(after).(board.Positional).Marks()
	return newX.Or(newO).Minus(x.Or(o)).First()
}
