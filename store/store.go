// Package store keeps games, moves, bots, tokens, jobs and brains in one SQLite
// file. A write is durable when its method returns: the file is in WAL mode
// with synchronous=FULL, and one goroutine gathers what is waiting into one
// transaction, so that a thousand games cost few disk syncs.
//
// [Open] opens a folder; the methods of [Store] are what the web room asks
// for. The schema's versions are the numbered files in schema, counted by
// SQLite's own user_version: the few lines this takes are simpler than a
// library for it.
package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	_ "modernc.org/sqlite" // the driver
)

// ErrNotFound says that there is no such thing in the store.
var ErrNotFound = errors.New("not found")

//go:embed schema/*.sql
var schema embed.FS

// version is that of the newest schema.
const version = 4

// batch is the most writes in a transaction.
const batch = 512

// Store is an open file. It is safe for concurrent use.
type Store struct {
	db    *sql.DB // for reading
	write *sql.DB // one connection, which the writer has
	ops   chan op

	prepared map[string]*sql.Stmt // the writer's, by their text

	mu     sync.RWMutex // held for reading while an op is handed over
	closed bool
	done   chan struct{}

	health sync.Mutex
	rotten map[string]struct{} // what was found damaged
	probed time.Time           // when it was last tried whether the file can be written
	unfit  error               // what came of it
}

// op is a write that waits for its transaction.
type op struct {
	do         func(*sql.Tx) error
	statements []string // what it consists of, where that is known
	done       chan<- error
}

// File is the name of the store's file in its folder.
const File = "oxo.db"

// Open opens the store in the folder, and makes both where they are missing. It
// refuses an empty file, and one that is no store.
func Open(dir string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	file := filepath.Join(dir, File)
	if err := errors.Join(register(), prepareFile(dir, file)); err != nil {
		return nil, err
	}
	write, err := connect(file, "_pragma=journal_mode(WAL)", "_txlock=immediate")
	if err != nil {
		return nil, err
	}
	write.SetMaxOpenConns(1)
	if err := migrate(write); err != nil {
		write.Close()
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	db, err := connect(file)
	if err != nil {
		write.Close()
		return nil, err
	}
	db.SetMaxOpenConns(4)
	s := &Store{db: db, write: write, ops: make(chan op, batch), done: make(chan struct{}), prepared: map[string]*sql.Stmt{},
		rotten: map[string]struct{}{}}
	go s.writing()
	return s, nil
}

// connect opens a file of SQLite's; more is added to its options.
func connect(file string, more ...string) (*sql.DB, error) {
	pragmas := url.Values{"_pragma": {"synchronous(FULL)", "busy_timeout(10000)", "foreign_keys(1)", "cell_size_check(1)"}}
	options := append([]string{pragmas.Encode()}, more...)
	return sql.Open("sqlite", "file:"+(&url.URL{Path: file}).EscapedPath()+"?"+strings.Join(options, "&"))
}

// prepareFile makes an empty store where there is no file, whole or not at all, so
// that a file which holds nothing is never one that a killed run has left.
func prepareFile(dir, file string) error {
	switch info, err := os.Stat(file); {
	case err == nil && info.Size() == 0:
		return fmt.Errorf("%s is empty: put a backup in its place, or remove it to begin anew", file)
	case !errors.Is(err, os.ErrNotExist):
		return err
	}
	if _, err := os.Stat(file + "-wal"); err == nil {
		return fmt.Errorf("%s is missing, but there is %s-wal of it: put both back, or remove that one to begin anew", file, File)
	}
	if err := sweep(dir); err != nil {
		return err
	}
	beside, err := os.MkdirTemp(dir, unfinished+"*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(beside)
	made := filepath.Join(beside, File)
	db, err := connect(made)
	if err != nil {
		return err
	}
	if err := errors.Join(create(db), db.Close()); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if err := os.Link(made, file); err == nil || errors.Is(err, os.ErrExist) { // somebody else's is as good
		return nil
	}
	return os.Rename(made, file) // where files have one name only
}

// unfinished begins the names of folders in which a store is made.
const unfinished = ".oxo-new-"

// sweep removes what runs that were killed while they made a store have left.
func sweep(dir string) error {
	left, err := filepath.Glob(filepath.Join(dir, unfinished+"*"))
	for _, name := range left {
		if info, gone := os.Stat(name); gone == nil && time.Since(info.ModTime()) > time.Minute {
			err = errors.Join(err, os.RemoveAll(name))
		}
	}
	return err
}

// create makes the newest schema in an empty file.
func create(db *sql.DB) error { return upgrade(db, 0) }

// migrate brings the schema up to version.
func migrate(db *sql.DB) error {
	var have int
	if err := db.QueryRow("PRAGMA user_version").Scan(&have); err != nil {
		return err
	}
	switch {
	case have > version:
		return fmt.Errorf("the file is of version %d and this program knows versions up to %d; use a newer one", have, version)
	case have == 0:
		return errors.New("it is not a store, or an empty one: put a backup in its place, or remove it to begin anew")
	}
	return upgrade(db, have)
}

// upgrade brings the schema from one version to the newest.
func upgrade(db *sql.DB, have int) error {
	for v := have + 1; v <= version; v++ {
		text, err := schema.ReadFile(fmt.Sprintf("schema/%d.sql", v))
		if err != nil {
			return err
		}
		tx, err := db.Begin()
		if err != nil {
			return err
		}
		_, err = tx.Exec(string(text) + fmt.Sprintf("\nPRAGMA user_version = %d;", v))
		if err = errors.Join(err, finish(tx, err)); err != nil {
			return fmt.Errorf("schema %d: %w", v, err)
		}
	}
	return nil
}

// finish commits, or rolls back after an error.
func finish(tx *sql.Tx, err error) error {
	if err != nil {
		return tx.Rollback()
	}
	return tx.Commit()
}

// Close waits for the writes that were handed over, and closes the file.
func (s *Store) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	close(s.ops)
	s.mu.Unlock()
	<-s.done
	return errors.Join(s.db.Close(), s.write.Close())
}

// Size returns how many bytes of the file hold something: what was deleted leaves
// room for what is to come.
func (s *Store) Size(ctx context.Context) (bytes int64, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT (page_count - freelist_count) * page_size
		FROM pragma_page_count, pragma_freelist_count, pragma_page_size`).Scan(&bytes)
	return bytes, err
}

// do has the writer do a write and waits until it is durable. It does not stop
// waiting when somebody loses interest: what was handed over will happen.
func (s *Store) do(write func(*sql.Tx) error) error { return s.hand(op{do: write}) }

// hand hands a write over to the writer and waits.
func (s *Store) hand(o op) error {
	done := make(chan error, 1)
	o.done = done
	s.mu.RLock()
	if s.closed {
		s.mu.RUnlock()
		return errors.New("the store is closed")
	}
	s.ops <- o
	s.mu.RUnlock()
	return <-done
}

// exec is do for one statement, which must change exactly one row; otherwise
// the error is none.
func (s *Store) exec(none error, statement string, args ...any) error {
	return s.hand(op{statements: []string{statement}, do: func(tx *sql.Tx) error { return s.one(tx, none, statement, args...) }})
}

// one executes a prepared statement, which must change exactly one row.
func (s *Store) one(tx *sql.Tx, none error, statement string, args ...any) error {
	r, err := tx.Stmt(s.prepared[statement]).Exec(args...)
	if err != nil {
		return s.read(err, none)
	}
	if n, err := r.RowsAffected(); err != nil || n != 1 {
		return errors.Join(err, none)
	}
	return nil
}

// update changes columns of the row with a key, ?1, where it is intact and which holds.
// The error is ErrNotFound where there is no such row.
func (s *Store) update(table, what, set, which string, key any, args ...any) error {
	t, _ := tableNamed(table)
	row := " WHERE " + t.key()[0] + " = ?1"
	change := "UPDATE " + table + " SET " + set + row + " AND " + t.intact() + which
	total := "UPDATE " + table + " SET sum = " + t.sum() + row
	return s.hand(op{statements: []string{change, total}, do: func(tx *sql.Tx) error {
		none := fmt.Errorf("%s: %w", what, ErrNotFound)
		if err := s.one(tx, none, change, append([]any{key}, args...)...); errors.Is(err, ErrNotFound) {
			whole := true
			if tx.QueryRow("SELECT "+t.intact()+" FROM "+table+row, key).Scan(&whole); !whole {
				return s.damaged(what)
			}
			return err
		} else if err != nil {
			return err
		}
		return s.one(tx, none, total, key)
	}})
}

// writing does all writes, as many in a transaction as are waiting.
func (s *Store) writing() {
	defer close(s.done)
	for first := range s.ops {
		ops := []op{first}
	gather:
		for len(ops) < batch {
			select {
			case o, ok := <-s.ops:
				if !ok {
					break gather
				}
				ops = append(ops, o)
			default:
				break gather
			}
		}
		errs := s.transact(ops)
		for i, o := range ops {
			o.done <- errs[i]
		}
	}
}

// Savepoints let a write that fails be undone alone.
const (
	savepoint = "SAVEPOINT one"
	undo      = "ROLLBACK TO one"
	release   = "RELEASE one"
)

// prepare has a statement compiled once.
func (s *Store) prepare(statement string) error {
	if s.prepared[statement] != nil {
		return nil
	}
	p, err := s.write.Prepare(statement)
	if err == nil {
		s.prepared[statement] = p
	}
	return err
}

// transact does the writes in one transaction. A write that fails is undone
// alone.
func (s *Store) transact(ops []op) []error {
	errs := make([]error, len(ops))
	all := func(err error) []error {
		for i := range errs {
			errs[i] = errors.Join(errs[i], err)
		}
		return errs
	}
	for _, statement := range []string{savepoint, undo, release} {
		if err := s.prepare(statement); err != nil {
			return all(err)
		}
	}
	for i, o := range ops {
		for _, statement := range o.statements {
			errs[i] = errors.Join(errs[i], s.prepare(statement))
		}
	}
	tx, err := s.write.Begin()
	if err != nil {
		return all(err)
	}
	for i, o := range ops {
		if errs[i] != nil {
			continue
		}
		if _, err := tx.Stmt(s.prepared[savepoint]).Exec(); err != nil {
			return all(errors.Join(err, tx.Rollback()))
		}
		if errs[i] = o.do(tx); errs[i] != nil {
			if _, err := tx.Stmt(s.prepared[undo]).Exec(); err != nil {
				return all(errors.Join(err, tx.Rollback()))
			}
		}
		if _, err := tx.Stmt(s.prepared[release]).Exec(); err != nil {
			return all(errors.Join(err, tx.Rollback()))
		}
	}
	if err := tx.Commit(); err != nil {
		return all(err)
	}
	return errs
}

func now() int64 { return time.Now().UnixMilli() }
