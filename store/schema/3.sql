-- Files that people brought, such as proofs and games of their own. The name
-- follows from the content, so that the same file is kept once.
CREATE TABLE files (
	kind TEXT NOT NULL,
	name TEXT NOT NULL,
	made INTEGER NOT NULL,
	doc  TEXT NOT NULL,
	data BLOB NOT NULL,
	PRIMARY KEY (kind, name)
) STRICT;
