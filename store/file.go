package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// batch is the most writes in a transaction.
const batch = 512

// file is what all parts of a store read and write through: SQLite, one goroutine that does all
// writes, and what was found damaged. SQLite lets one connection write at a time; a goroutine that has
// it gathers what waits into one transaction, so that many small writes share one flush to the disk.
type file struct {
	db    *sql.DB // for reading
	write *sql.DB // one connection, which the writer has
	ops   chan op

	prepared map[string]*sql.Stmt // the writer's, by their text

	mu     sync.RWMutex // held for reading while an op is handed over
	closed bool
	done   chan struct{}

	health sync.Mutex
	rotten map[string]struct{} // what was found damaged
}

// op is a write that waits for its transaction.
type op struct {
	do         func(*sql.Tx) error
	statements []string // what it consists of, where that is known
	done       chan<- error
}

// runWrite has the writer do a write and waits until it is durable. It does not stop
// waiting when somebody loses interest: what was handed over will happen.
func (f *file) runWrite(write func(*sql.Tx) error) error { return f.submitAndWait(op{do: write}) }

// submitAndWait hands a write over to the writer and waits. Handing over and closing exclude each
// other by mu, so that no write is lost between them.
func (f *file) submitAndWait(o op) error {
	done := make(chan error, 1)
	o.done = done
	f.mu.RLock()
	if f.closed {
		f.mu.RUnlock()
		return errors.New("the store is closed")
	}
	f.ops <- o
	f.mu.RUnlock()
	return <-done
}

// exec is runWrite of one statement.
func (f *file) exec(statement string, args ...any) error {
	return f.runWrite(func(tx *sql.Tx) error {
		_, err := tx.Exec(statement, args...)
		return err
	})
}

// execOne is do for one statement, which must change exactly one row; otherwise
// the error is none.
func (f *file) execOne(notOneRow error, statement string, args ...any) error {
	return f.submitAndWait(op{statements: []string{statement},
		do: func(tx *sql.Tx) error { return f.execPreparedOnOneRow(tx, notOneRow, statement, args...) }})
}

// execPreparedOnOneRow executes a prepared statement, which must change exactly one row.
func (f *file) execPreparedOnOneRow(tx *sql.Tx, notOneRow error, statement string, args ...any) error {
	r, err := tx.Stmt(f.prepared[statement]).Exec(args...)
	if err != nil {
		return f.translateSQLiteError(err, notOneRow)
	}
	if n, err := r.RowsAffected(); err != nil || n != 1 {
		return errors.Join(err, notOneRow)
	}
	return nil
}

// updateIntactRow changes columns of the row with a key, ?1, where it is intact and which holds. The error is
// ErrNotFound where there is no such row. The row's checksum is made anew in the same transaction. A
// damaged row is left as it is and reported, or a change would make its damage look whole.
func (f *file) updateIntactRow(table, rowLabel, set, condition string, key any, args ...any) error {
	t, _ := tableNamed(table)
	row := " WHERE " + t.keyColumns()[0] + " = ?1"
	change := "UPDATE " + table + " SET " + set + row + " AND " + t.intactCondition() + condition
	total := "UPDATE " + table + " SET sum = " + t.sumExpression() + row
	return f.submitAndWait(op{statements: []string{change, total}, do: func(tx *sql.Tx) error {
		none := fmt.Errorf("%s: %w", rowLabel, ErrNotFound)
		err := f.execPreparedOnOneRow(tx, none, change, append([]any{key}, args...)...)
		if errors.Is(err, ErrNotFound) {
			whole := true
			if tx.QueryRow("SELECT "+t.intactCondition()+" FROM "+table+row, key).Scan(&whole); !whole {
				return f.noteDamage(rowLabel)
			}
			return err
		} else if err != nil {
			return err
		}
		return f.execPreparedOnOneRow(tx, none, total, key)
	}})
}

// writeLoop does all writes, as many in a transaction as are waiting. It ends when the channel is
// closed and all that was handed over is done.
func (f *file) writeLoop() {
	defer close(f.done)
	for first := range f.ops {
		ops := []op{first}
	gather:
		for len(ops) < batch {
			select {
			case o, ok := <-f.ops:
				if !ok {
					break gather
				}
				ops = append(ops, o)
			default:
				break gather
			}
		}
		errs := f.transact(ops)
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
// Only the writer calls it, so that the map needs no lock.
func (f *file) prepare(statement string) error {
	if f.prepared[statement] != nil {
		return nil
	}
	p, err := f.write.Prepare(statement)
	if err == nil {
		f.prepared[statement] = p
	}
	return err
}

// transact does the writes in one transaction. A write that fails is undone alone. The errors are in
// the order of the writes. Where the transaction itself fails, each write has its error, as none has
// happened.
func (f *file) transact(ops []op) []error {
	errs := make([]error, len(ops))
	all := func(err error) []error {
		for i := range errs {
			errs[i] = errors.Join(errs[i], err)
		}
		return errs
	}
	for _, statement := range []string{savepoint, undo, release} {
		if err := f.prepare(statement); err != nil {
			return all(err)
		}
	}
	for i, o := range ops {
		for _, statement := range o.statements {
			errs[i] = errors.Join(errs[i], f.prepare(statement))
		}
	}
	tx, err := f.write.Begin()
	if err != nil {
		return all(err)
	}
	for i, o := range ops {
		if errs[i] != nil {
			continue
		}
		if _, err := tx.Stmt(f.prepared[savepoint]).Exec(); err != nil {
			return all(errors.Join(err, tx.Rollback()))
		}
		if errs[i] = o.do(tx); errs[i] != nil {
			if _, err := tx.Stmt(f.prepared[undo]).Exec(); err != nil {
				return all(errors.Join(err, tx.Rollback()))
			}
		}
		if _, err := tx.Stmt(f.prepared[release]).Exec(); err != nil {
			return all(errors.Join(err, tx.Rollback()))
		}
	}
	if err := tx.Commit(); err != nil {
		return all(err)
	}
	return errs
}

// intactColumn returns a column of the rows of a table that are intact. Those that are not are left
// out, and what is said of the store's health tells of them. The condition may end in an order and a
// limit.
func (f *file) intactColumn(ctx context.Context, table, column, condition string, args ...any) ([]string, error) {
	list := []string{}
	err := f.forEachRow(ctx, f.db, func(row *sql.Rows) error {
		var text string
		var whole bool
		if err := row.Scan(&text, &whole); err != nil || !whole {
			_ = f.noteDamage("a row of the table " + table) // which is noted
			return nil
		}
		list = append(list, text)
		return nil
	}, "SELECT "+column+", "+intact[table]+" FROM "+table+" WHERE "+condition, args...)
	return list, err
}

// querier is what a query is put to: the database, or a transaction that sees one moment of it.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// forEachRow hands each row of a query's answer to read, up to its first error.
func (f *file) forEachRow(ctx context.Context, from querier, read func(*sql.Rows) error, query string,
	args ...any) error {
	rows, err := from.QueryContext(ctx, query, args...)
	if err != nil {
		return f.translateSQLiteError(err, nil)
	}
	defer rows.Close()
	for rows.Next() {
		if err := read(rows); err != nil {
			return f.translateSQLiteError(err, nil)
		}
	}
	return f.translateSQLiteError(rows.Err(), nil)
}

// scanAll scans a row whose columns may be of any type; those behind them go into more.
func scanAll(row *sql.Rows, extra ...any) (names []string, values []any, err error) {
	if names, err = row.Columns(); err != nil {
		return nil, nil, err
	}
	names = names[:len(names)-len(extra)]
	values = make([]any, len(names))
	places := make([]any, len(names), len(names)+len(extra))
	for i := range values {
		places[i] = &values[i]
	}
	return names, values, row.Scan(append(places, extra...)...)
}

// intactDocs returns the descriptions of the rows of a table that are intact.
func (f *file) intactDocs(ctx context.Context, table, condition string, args ...any) ([][]byte, error) {
	list, err := f.intactColumn(ctx, table, "doc", condition, args...)
	docs := make([][]byte, len(list))
	for i, text := range list {
		docs[i] = []byte(text)
	}
	return docs, err
}

// twoColumns returns two columns of a row, ErrNotFound where there is none, or ErrDamaged. Where only
// one column is wanted, NULL is asked for as the other.
func (f *file) twoColumns(ctx context.Context, table, rowLabel, columns, condition string,
	args ...any) (first, second []byte, err error) {
	var whole bool
	row := f.db.QueryRowContext(ctx, "SELECT "+columns+", "+intact[table]+" FROM "+table+" WHERE "+condition, args...)
	err = f.translateSQLiteError(row.Scan(&first, &second, &whole), fmt.Errorf("%s: %w", rowLabel, ErrNotFound))
	if err == nil && !whole {
		err = f.noteDamage(rowLabel)
	}
	if err != nil {
		return nil, nil, err
	}
	return first, second, nil
}

// noteDamage wraps ErrDamaged, and remembers what is damaged until the next check. Its callers answer
// with that error, and [Store.CheckHealth] fails from then on.
func (f *file) noteDamage(what string) error {
	f.health.Lock()
	defer f.health.Unlock()
	if len(f.rotten) < mostRotten {
		f.rotten[what] = struct{}{}
	}
	return fmt.Errorf("%s: %w", what, ErrDamaged)
}

// mostRotten is how many damaged rows are remembered.
const mostRotten = 1000

// translateSQLiteError turns an error of SQLite's that says the file is damaged into ErrDamaged, and
// the one that says there is no such row into none.
func (f *file) translateSQLiteError(err, notFound error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return notFound
	}
	if fault, ok := errors.AsType[*sqlite.Error](err); ok {
		if code := fault.Code() & 0xff; code == sqlite3.SQLITE_CORRUPT || code == sqlite3.SQLITE_NOTADB {
			return errors.Join(f.noteDamage("the file"), err)
		}
	}
	return err
}

// nowMillis is the time as the store keeps it.
func nowMillis() int64 { return time.Now().UnixMilli() }
