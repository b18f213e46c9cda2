-- Games between people and bots. doc is the web room's description of the
-- game; what changes with every move is in moves.
CREATE TABLE games (
	id    TEXT PRIMARY KEY,
	state TEXT NOT NULL CHECK (state IN ('open', 'playing', 'over')),
	made  INTEGER NOT NULL, -- Unix time in milliseconds, as all times here
	doc   TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX games_by_state ON games (state, made);

CREATE TABLE moves (
	game      TEXT NOT NULL REFERENCES games (id),
	ply       INTEGER NOT NULL,
	move      TEXT NOT NULL,
	first_ms  INTEGER NOT NULL, -- what both clocks show after the move
	second_ms INTEGER NOT NULL,
	made      INTEGER NOT NULL,
	PRIMARY KEY (game, ply)
) STRICT, WITHOUT ROWID;

CREATE TABLE bots (
	name TEXT PRIMARY KEY,
	made INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Of a token only the SHA-256 is kept.
CREATE TABLE tokens (
	id      TEXT PRIMARY KEY,
	bot     TEXT NOT NULL REFERENCES bots (name),
	hash    BLOB NOT NULL UNIQUE,
	scopes  TEXT NOT NULL, -- joined with blanks
	made    INTEGER NOT NULL,
	revoked INTEGER
) STRICT, WITHOUT ROWID;
