-- Long work. doc is the web room's description of the job; state says whether
-- it is to go on after a restart.
CREATE TABLE jobs (
	id    TEXT PRIMARY KEY,
	owner TEXT NOT NULL,
	state TEXT NOT NULL,
	made  INTEGER NOT NULL,
	doc   TEXT NOT NULL
) STRICT;
CREATE INDEX jobs_by_owner ON jobs (owner, made);
CREATE INDEX jobs_by_state ON jobs (state, made);

-- What a job has put down: checkpoints, outputs of parts, files of its result.
CREATE TABLE job_blobs (
	job  TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
	name TEXT NOT NULL,
	data BLOB NOT NULL,
	PRIMARY KEY (job, name)
) STRICT;

-- What a job has said, in order.
CREATE TABLE job_lines (
	job  TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
	seq  INTEGER NOT NULL,
	line TEXT NOT NULL,
	PRIMARY KEY (job, seq)
) STRICT, WITHOUT ROWID;

-- What learners have learned, by the name that they play under.
CREATE TABLE brains (
	name TEXT PRIMARY KEY,
	made INTEGER NOT NULL,
	doc  TEXT NOT NULL,
	data BLOB NOT NULL
) STRICT;
