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

// Store is an open file. It is safe for concurrent use.
type Store struct {
	*file
	GameStore
	JobStore
	BrainStore
	BotStore
	FileStore
	OrderStore

	probing sync.Mutex
	probed  time.Time // when it was last tried whether the file can be written
	unfit   error     // what came of it
}

// File is the name of the store's file in its folder.
const File = "oxo.db"

// Open opens the store in the folder, and makes both where they are missing. It refuses an empty file,
// and one that is no store. Readers have up to four connections of their own, which see the last
// commit while the writer works.
func Open(dir string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, File)
	if err := errors.Join(register(), createStoreIfMissing(dir, path)); err != nil {
		return nil, err
	}
	write, err := openDatabase(path, "_pragma=journal_mode(WAL)", "_txlock=immediate")
	if err != nil {
		return nil, err
	}
	// SQLite lets one connection write at a time; the statements that the writer has prepared are
	// of this one.
	write.SetMaxOpenConns(1)
	if err := migrate(write); err != nil {
		write.Close()
		return nil, fmt.Errorf("%s: %w", path, whyUnopened(path, err))
	}
	db, err := openDatabase(path)
	if err != nil {
		write.Close()
		return nil, err
	}
	db.SetMaxOpenConns(4)
	f := &file{db: db, write: write, ops: make(chan op, batch), done: make(chan struct{}),
		prepared: map[string]*sql.Stmt{},
		rotten:   map[string]struct{}{}}
	go f.writeLoop()
	return &Store{file: f, GameStore: GameStore{f}, JobStore: JobStore{f}, BrainStore: BrainStore{f},
		BotStore: BotStore{f}, FileStore: FileStore{f}, OrderStore: OrderStore{f}}, nil
}

// openDatabase opens a file of SQLite's; more is added to its options. Every commit reaches the disk
// (synchronous FULL), foreign keys hold, and a reader waits up to ten seconds for a lock.
func openDatabase(file string, more ...string) (*sql.DB, error) {
	pragmas := url.Values{"_pragma": {"synchronous(FULL)", "busy_timeout(10000)", "foreign_keys(1)",
		"cell_size_check(1)"}}
	options := append([]string{pragmas.Encode()}, more...)
	return sql.Open("sqlite", "file:"+(&url.URL{Path: file}).EscapedPath()+"?"+strings.Join(options, "&"))
}

// createStoreIfMissing makes an empty store where there is no file, whole or not at all, so
// that a file which holds nothing is never one that a killed run has left.
func createStoreIfMissing(dir, file string) error {
	switch info, err := os.Stat(file); {
	case err == nil && info.Size() == 0:
		return fmt.Errorf("%s is empty: put a backup in its place, or remove it to begin anew", file)
	case !errors.Is(err, os.ErrNotExist):
		return err
	}
	if _, err := os.Stat(file + "-wal"); err == nil {
		return fmt.Errorf("%s is missing, but there is %s-wal of it: put both back, or remove that one to begin anew",
			file, File)
	}
	if err := removeUnfinishedStores(dir); err != nil {
		return err
	}
	beside, err := os.MkdirTemp(dir, unfinished+"*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(beside)
	made := filepath.Join(beside, File)
	db, err := openDatabase(made)
	if err != nil {
		return err
	}
	if err := errors.Join(upgrade(db, 0), db.Close()); err != nil { // to the newest schema
		return fmt.Errorf("%s: %w", file, err)
	}
	if err := os.Link(made, file); err == nil || errors.Is(err, os.ErrExist) { // somebody else's is as good
		return nil
	}
	return os.Rename(made, file) // where files have one name only
}

// unfinished begins the names of folders in which a store is made.
const unfinished = ".oxo-new-"

// removeUnfinishedStores removes what runs that were killed while they made a store have left.
func removeUnfinishedStores(dir string) error {
	left, err := filepath.Glob(filepath.Join(dir, unfinished+"*"))
	for _, name := range left {
		if info, gone := os.Stat(name); gone == nil && time.Since(info.ModTime()) > time.Minute {
			err = errors.Join(err, os.RemoveAll(name))
		}
	}
	return err
}

// migrate brings the schema up to version. A file of a newer program is refused rather than guessed
// at.
// That the version is 0 means that the file was not made by prepareFile, which leaves none without
// a schema.
func migrate(db *sql.DB) error {
	var have int
	if err := db.QueryRow("PRAGMA user_version").Scan(&have); err != nil {
		return err
	}
	switch {
	case have > version:
		return fmt.Errorf("the file is of version %d and this program knows versions up to %d; use a newer one", have,
			version)
	case have == 0:
		return errors.New("it is not a store, or an empty one: put a backup in its place, or remove it to begin anew")
	}
	return upgrade(db, have)
}

// upgrade brings the schema from one version to the newest. Each version is a transaction: a run that
// is killed leaves the one before.
func upgrade(db *sql.DB, fromVersion int) error {
	for v := fromVersion + 1; v <= version; v++ {
		text, err := schema.ReadFile(fmt.Sprintf("schema/%d.sql", v))
		if err != nil {
			return err
		}
		tx, err := db.Begin()
		if err != nil {
			return err
		}
		if _, err = tx.Exec(string(text) + fmt.Sprintf("\nPRAGMA user_version = %d;", v)); err == nil {
			err = tx.Commit()
		} else {
			err = errors.Join(err, tx.Rollback())
		}
		if err != nil {
			return fmt.Errorf("schema %d: %w", v, err)
		}
	}
	return nil
}

// Close waits for the writes that were handed over, and closes the file.
// What is handed over after that is refused. A second Close does nothing.
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

// UsedBytes returns how many bytes of the file hold something: what was deleted leaves
// room for what is to come.
func (s *Store) UsedBytes(ctx context.Context) (bytes int64, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT (page_count - freelist_count) * page_size
		FROM pragma_page_count, pragma_freelist_count, pragma_page_size`).Scan(&bytes)
	return bytes, err
}
