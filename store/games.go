package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// AddGame adds a game. Its state is open, playing or over; doc is JSON that
// the store only keeps.
func (s *Store) AddGame(id, state string, doc []byte) error {
	return s.exec(errors.New("the game was not added"), "INSERT INTO games (id, state, made, doc) VALUES (?, ?, ?, ?)", id, state, now(), string(doc))
}

// SaveGame changes a game's state and description.
func (s *Store) SaveGame(id, state string, doc []byte) error {
	return s.exec(fmt.Errorf("game %q: %w", id, ErrNotFound), "UPDATE games SET state = ?, doc = ? WHERE id = ?", state, string(doc), id)
}

// AddMove adds a move to a game with what both clocks show after it. The ply
// counts from 0 and must be the next one.
func (s *Store) AddMove(id string, ply int, move string, first, second time.Duration) error {
	return s.exec(fmt.Errorf("game %q: ply %d is not the next", id, ply),
		`INSERT INTO moves (game, ply, move, first_ms, second_ms, made) SELECT ?1, ?2, ?3, ?4, ?5, ?6
		WHERE ?2 = (SELECT coalesce(max(ply), -1) + 1 FROM moves WHERE game = ?1)`,
		id, ply, move, first.Milliseconds(), second.Milliseconds(), now())
}

// Game returns a game's description, its moves, and what both clocks showed
// after the last one (0 before the first). The error is ErrNotFound where
// there is no such game.
func (s *Store) Game(ctx context.Context, id string) (doc []byte, moves []string, clocks [2]time.Duration, err error) {
	var text string
	switch err := s.db.QueryRowContext(ctx, "SELECT doc FROM games WHERE id = ?", id).Scan(&text); {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil, clocks, fmt.Errorf("game %q: %w", id, ErrNotFound)
	case err != nil:
		return nil, nil, clocks, err
	}
	rows, err := s.db.QueryContext(ctx, "SELECT move, first_ms, second_ms FROM moves WHERE game = ? ORDER BY ply", id)
	if err != nil {
		return nil, nil, clocks, err
	}
	defer rows.Close()
	for rows.Next() {
		var move string
		var first, second int64
		if err := rows.Scan(&move, &first, &second); err != nil {
			return nil, nil, clocks, err
		}
		moves = append(moves, move)
		clocks = [2]time.Duration{time.Duration(first) * time.Millisecond, time.Duration(second) * time.Millisecond}
	}
	return []byte(text), moves, clocks, rows.Err()
}

// Games returns the games in a state, the latest first.
func (s *Store) Games(ctx context.Context, state string, limit int) (ids []string, err error) {
	return s.column(ctx, "SELECT id FROM games WHERE state = ? ORDER BY made DESC, id LIMIT ?", state, limit)
}

// column returns a query's only column.
func (s *Store) column(ctx context.Context, query string, args ...any) ([]string, error) {
	rows, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list := []string{}
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		list = append(list, text)
	}
	return list, rows.Err()
}
