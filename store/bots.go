package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// BotStore keeps bots and the hashes of their tokens.
type BotStore struct{ *file }

// ErrTaken says that a name is somebody's already.
var ErrTaken = errors.New("the name is taken")

// nobodys asks in SQL whether a name, ?1, is nobody's: no bot has it, in capitals or not and with or without the signs
// that names may have, nor did one that was removed and of which there are jobs or brains, which would be the next
// one's.
const nobodys = ` AND NOT EXISTS (SELECT 1 FROM bots
		WHERE replace(replace(replace(name, '-', ''), '.', ''), '_', '')
			= replace(replace(replace(?1, '-', ''), '.', ''), '_', '') COLLATE NOCASE)
	AND NOT EXISTS (SELECT 1 FROM jobs WHERE owner = 'bot ' || ?1)
	AND NOT EXISTS (SELECT 1 FROM brains WHERE json_valid(doc) AND json_extract(doc, '$.owner') = 'bot ' || ?1)`

// AddBot adds a bot and its first token, of which only the hash is kept. The error is ErrTaken where
// the name is somebody's. Bot and token come into being in one transaction,
// so that no bot is without a way in. The id is the token's, for revoking it; scopes are words with
// blanks between.
func (s *BotStore) AddBot(name, tokenID string, tokenHash []byte, scopes string) error {
	return s.runWrite(func(tx *sql.Tx) error {
		r, err := tx.Exec(insert["bots"]+nobodys, name, nowMillis())
		if err != nil {
			return s.translateSQLiteError(err, nil)
		}
		if n, err := r.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, fmt.Errorf("bot %q: %w", name, ErrTaken))
		}
		return addToken(tx, name, tokenID, tokenHash, scopes)
	})
}

// AddToken adds a token to a bot.
func (s *BotStore) AddToken(bot, id string, hash []byte, scopes string) error {
	return s.runWrite(func(tx *sql.Tx) error { return addToken(tx, bot, id, hash, scopes) })
}

// addToken adds a token to a bot in a transaction.
func addToken(tx *sql.Tx, bot, id string, hash []byte, scopes string) error {
	_, err := tx.Exec(insert["tokens"], id, bot, hash, scopes, nowMillis(), nil)
	return err
}

// Token returns whose token has that hash, when that bot was made and what the token may be used for. A name that is
// given anew is a bot made later. The error is ErrNotFound for
// a token that was never given or is revoked. A revoked token stays in the table, so that an id is never
// used again.
func (s *BotStore) Token(ctx context.Context, tokenHash []byte) (bot string, made int64, scopes string, err error) {
	var whole bool
	var known sql.NullInt64
	err = s.db.QueryRowContext(ctx, "SELECT bot, (SELECT made FROM bots WHERE name = bot AND "+intact["bots"]+
		"), scopes, "+intact["tokens"]+
		" FROM tokens WHERE hash = ? AND revoked IS NULL", tokenHash).Scan(&bot, &known, &scopes, &whole)
	err = s.translateSQLiteError(err, fmt.Errorf("token: %w", ErrNotFound))
	if err == nil && (!whole || !known.Valid) {
		err = s.noteDamage("a token, or its bot")
	}
	if err != nil {
		return "", 0, "", err
	}
	return bot, known.Int64, scopes, nil
}

// Revoke ends a bot's token for good. The error is ErrNotFound where it has no
// such token.
func (s *BotStore) Revoke(bot, id string) error {
	return s.updateIntactRow("tokens", fmt.Sprintf("token %q", id), "revoked = ?3", " AND bot = ?2 AND revoked IS NULL",
		id, bot, nowMillis())
}
