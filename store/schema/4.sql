-- Every row carries a checksum of its table's name and its other columns, so that
-- one that was changed on the disk is never taken for what was written. What a
-- game's row says of how many moves there are keeps the last ones from vanishing.
ALTER TABLE games ADD COLUMN plies INTEGER NOT NULL DEFAULT 0;
UPDATE games SET plies = (SELECT count(*) FROM moves WHERE game = id);

ALTER TABLE games ADD COLUMN sum INTEGER;
UPDATE games SET sum = oxo_sum('games', id, state, made, doc);
ALTER TABLE moves ADD COLUMN sum INTEGER;
UPDATE moves SET sum = oxo_sum('moves', game, ply, move, first_ms, second_ms, made);
ALTER TABLE bots ADD COLUMN sum INTEGER;
UPDATE bots SET sum = oxo_sum('bots', name, made);
ALTER TABLE tokens ADD COLUMN sum INTEGER;
UPDATE tokens SET sum = oxo_sum('tokens', id, bot, hash, scopes, made, revoked);
ALTER TABLE jobs ADD COLUMN sum INTEGER;
UPDATE jobs SET sum = oxo_sum('jobs', id, owner, state, made, doc);
ALTER TABLE job_blobs ADD COLUMN sum INTEGER;
UPDATE job_blobs SET sum = oxo_sum('job_blobs', job, name, data);
ALTER TABLE job_lines ADD COLUMN sum INTEGER;
UPDATE job_lines SET sum = oxo_sum('job_lines', job, seq, line);
ALTER TABLE brains ADD COLUMN sum INTEGER;
UPDATE brains SET sum = oxo_sum('brains', name, made, doc, data);
ALTER TABLE files ADD COLUMN sum INTEGER;
UPDATE files SET sum = oxo_sum('files', kind, name, made, doc, data);

-- Names of bots are compared without case.
CREATE INDEX bots_by_name ON bots (name COLLATE NOCASE);

-- What the operator has asked of the server and what came of it, in order: the
-- server's queue of orders and their record at the same time.
CREATE TABLE orders (
	seq    INTEGER PRIMARY KEY,
	made   INTEGER NOT NULL,
	verb   TEXT NOT NULL,
	kind   TEXT NOT NULL,
	id     TEXT NOT NULL,
	ended  INTEGER, -- NULL until the server has carried it out
	answer TEXT,    -- what came of it
	failed INTEGER, -- 1 where it could not be carried out
	sum    INTEGER
) STRICT;

-- Who is turned away: addresses, bots and visitors.
CREATE TABLE bans (
	kind TEXT NOT NULL,
	id   TEXT NOT NULL,
	made INTEGER NOT NULL,
	sum  INTEGER,
	PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
