package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// GameStore keeps games, their moves and their clocks.
type GameStore struct{ *file }

// AddGame adds a game. Its state is open, playing or over; doc is JSON that
// the store only keeps.
func (s *GameStore) AddGame(id, state string, doc []byte) error {
	return s.execOne(errors.New("the game was not added"), insert["games"], id, state, nowMillis(), string(doc))
}

// SaveGame changes a game's state and description. Its moves have rows of their own and are not
// touched.
func (s *GameStore) SaveGame(id, state string, doc []byte) error {
	return s.updateIntactRow("games", gameLabel(id), "state = ?2, doc = ?3", "", id, state, string(doc))
}

func gameLabel(id string) string { return fmt.Sprintf("game %q", id) }

// AddMove adds a move to a game with what both clocks show after it. The ply counts from 0 and must be
// the next one. The count of plies in the game's row guards against two moves of the same ply.
func (s *GameStore) AddMove(id string, ply int, move string, firstClock, secondClock time.Duration) error {
	return s.submitAndWait(op{statements: []string{count, insert["moves"]}, do: func(tx *sql.Tx) error {
		none := fmt.Errorf("%s: ply %d is not the next", gameLabel(id), ply)
		if err := s.execPreparedOnOneRow(tx, none, count, id, ply); err != nil {
			return err
		}
		return s.execPreparedOnOneRow(tx, none, insert["moves"], id, ply, move, firstClock.Milliseconds(),
			secondClock.Milliseconds(), nowMillis())
	}})
}

// count counts a game's next move in.
const count = "UPDATE games SET plies = plies + 1 WHERE id = ? AND plies = ?"

// CutMoves takes back all moves of a game but the first so many, of which there must be as many at least. The clocks
// are then those after the last move that is left.
func (s *GameStore) CutMoves(id string, plies int) error {
	const cut, drop = "UPDATE games SET plies = ?2 WHERE id = ?1 AND plies >= ?2",
		"DELETE FROM moves WHERE game = ? AND ply >= ?"
	return s.submitAndWait(op{statements: []string{cut, drop}, do: func(tx *sql.Tx) error {
		none := fmt.Errorf("%s: it has no %d moves", gameLabel(id), plies)
		if err := s.execPreparedOnOneRow(tx, none, cut, id, plies); err != nil {
			return err
		}
		_, err := tx.Stmt(s.prepared[drop]).Exec(id, plies)
		return s.translateSQLiteError(err, none)
	}})
}

// Game returns a game's description, its moves, and what both clocks showed
// after each. The error is ErrNotFound where
// there is no such game, and ErrDamaged where a move of it is not the one that was
// added, or is missing.
func (s *GameStore) Game(ctx context.Context,
	id string) (doc []byte, moves []string, clocks [][2]time.Duration, err error) {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}) // of one moment
	if err != nil {
		return nil, nil, nil, s.translateSQLiteError(err, nil)
	}
	defer tx.Rollback() // nothing was written
	var text string
	var plies int
	var whole bool
	none := fmt.Errorf("%s: %w", gameLabel(id), ErrNotFound)
	err = s.translateSQLiteError(tx.QueryRowContext(ctx,
		"SELECT doc, plies, "+intact["games"]+" FROM games WHERE id = ?", id).Scan(&text, &plies, &whole), none)
	if err == nil && !whole {
		err = s.noteDamage(gameLabel(id))
	}
	if err != nil && !errors.Is(err, ErrNotFound) {
		return nil, nil, nil, err
	}
	moves, clocks, fault := s.movesOf(ctx, tx, id)
	switch {
	case fault != nil:
		err = fault
	case err != nil && len(moves) == 0:
	case len(moves) != plies || err != nil: // moves without a game are a game that was lost
		err = s.noteDamage(gameLabel(id))
	}
	if err != nil {
		return nil, nil, nil, err
	}
	return []byte(text), moves, clocks, nil
}

// movesOf returns the moves of a game and what the clocks showed after each. Clocks are in
// milliseconds in the table. A gap in the plies is damage.
func (s *GameStore) movesOf(ctx context.Context, tx *sql.Tx,
	id string) (moves []string, clocks [][2]time.Duration, err error) {
	err = s.forEachRow(ctx, tx, func(row *sql.Rows) error {
		var ply int
		var move string
		var first, second time.Duration
		var whole bool
		if err := row.Scan(&ply, &move, &first, &second, &whole); err != nil || !whole || ply != len(moves) {
			return s.noteDamage(gameLabel(id))
		}
		moves = append(moves, move)
		clocks = append(clocks, [2]time.Duration{first * time.Millisecond, second * time.Millisecond})
		return nil
	}, "SELECT ply, move, first_ms, second_ms, "+intact["moves"]+" FROM moves WHERE game = ? ORDER BY ply", id)
	return moves, clocks, err
}

// Games returns the games in a state, the latest first.
func (s *GameStore) Games(ctx context.Context, state string, limit int) (ids []string, err error) {
	return s.intactColumn(ctx, "games", "id", "state = ? ORDER BY made DESC, id LIMIT ?", state, limit)
}
