package store

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// errInUse says that another server has the folder.
var errInUse = errors.New("another server uses the folder")

// whyUnopened returns what the system says of a file that SQLite could not open for writing, where it says something:
// that it is on a read-only file system, or somebody else's.
func whyUnopened(file string, err error) error {
	fault, ok := errors.AsType[*sqlite.Error](err)
	if !ok || fault.Code()&0xff != sqlite3.SQLITE_CANTOPEN && fault.Code()&0xff != sqlite3.SQLITE_READONLY {
		return err
	}
	f, why := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o600)
	if why != nil {
		return why
	}
	return errors.Join(err, f.Close())
}

// LockFolder takes the folder for one server, until it is released or the process
// ends in whatever way. Who only reads, copies or imports needs no lock.
//
// The lock is SQLite's own on an empty file beside the store, so it works
// wherever the store does.
func LockFolder(dir string) (release func() error, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "server.lock")
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: file}).EscapedPath()+
		"?_txlock=exclusive&_pragma=busy_timeout(0)")
	if err != nil {
		return nil, err
	}
	tx, err := db.Begin() // holds the lock until its end
	if err != nil {
		if fault, ok := errors.AsType[*sqlite.Error](err); ok && fault.Code() == sqlite3.SQLITE_BUSY {
			err = fmt.Errorf("%s: %w", dir, errInUse)
		}
		return nil, errors.Join(whyUnopened(file, err), db.Close())
	}
	return func() error { return errors.Join(tx.Rollback(), db.Close()) }, nil
}
