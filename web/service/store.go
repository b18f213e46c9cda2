package service

import (
	"context"
	"time"
)

// Store keeps what must outlive the server. A method that writes returns when
// the write is durable.
// Documents are JSON that the server alone understands; what is not there is the error NotFound of [Errors].
type Store interface {
	AddGame(id, state string, doc []byte) error
	SaveGame(id, state string, doc []byte) error
	AddMove(id string, ply int, move string, first, second time.Duration) error
	CutMoves(id string, plies int) error // leaves the first so many
	Game(ctx context.Context, id string) (doc []byte, moves []string, clocks [][2]time.Duration, err error)
	Games(ctx context.Context, state string, limit int) (ids []string, err error)

	AddBot(name, id string, hash []byte, scopes string) error
	AddToken(bot, id string, hash []byte, scopes string) error
	// Token tells a bot from an earlier one of its name by when it was made, in milliseconds since 1970.
	Token(ctx context.Context, hash []byte) (bot string, made int64, scopes string, err error)
	Revoke(bot, id string) error

	// Files that people bring are kept by kind and by a name that follows from
	// their content; doc is JSON that says what they are.
	AddFileIfAbsent(kind, name string, doc, data []byte) error
	AddOrReplaceFile(kind, name string, doc, data []byte) error // in the place of the one that is there
	File(ctx context.Context, kind, name string) (doc, data []byte, err error)
	Files(ctx context.Context, kind string, limit int) (docs [][]byte, err error)

	JobStore

	CheckHealth(ctx context.Context) error

	// UsedBytes is how many bytes all of it takes.
	UsedBytes(ctx context.Context) (bytes int64, err error)
}

// Errors are what a store wraps where something is not there, where a name is
// taken, and where what is there is not what was written.
type Errors struct{ NotFound, Taken, Damaged error }

// JobStore keeps jobs and brains. A method that writes returns when the write
// is durable.
type JobStore interface {
	AddJob(id, owner, state string, doc []byte) error
	SaveJob(id, state string, doc []byte) error
	DropJob(id string) error
	Job(ctx context.Context, id string) (doc []byte, err error)
	Jobs(ctx context.Context, owner string, limit int) (docs [][]byte, err error)
	JobsIn(ctx context.Context, state string, limit int) (docs [][]byte, err error)

	PutBlob(job, name string, data []byte) error
	Blob(ctx context.Context, job, name string) (data []byte, err error)
	Blobs(ctx context.Context, job string) (names []string, sizes []int, err error)
	DropBlobs(job string, names ...string) error

	AddLine(job string, seq int, line []byte) error
	Lines(ctx context.Context, job string, after, limit int) (seqs []int, lines [][]byte, err error)
	LastLine(ctx context.Context, job string) (seq int, err error)

	AddBrain(name string, doc, data []byte) error
	DropBrain(name string) error
	Brain(ctx context.Context, name string) (doc, data []byte, err error)
	Brains(ctx context.Context, limit int) (docs [][]byte, err error)
}
