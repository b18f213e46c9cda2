package store

import (
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"slices"
	"strings"
	"sync"

	"modernc.org/sqlite"
)

// ErrDamaged says that what is in the file is not what was written there.
var ErrDamaged = errors.New("what the store keeps of it is damaged")

// tableLayout is a table: its columns in the order in which they are summed, and how many of the first
// of them are its key. The list is the only place beside the schema that names columns; a new column
// is added there with a new version.
type tableLayout struct {
	name, columns string
	keys          int
}

// layouts are all tables, each after those that it refers to.
var layouts = []tableLayout{
	{"games", "id, state, made, doc", 1},
	{"moves", "game, ply, move, first_ms, second_ms, made", 2},
	{"bots", "name, made", 1},
	{"tokens", "id, bot, hash, scopes, made, revoked", 1},
	{"jobs", "id, owner, state, made, doc", 1},
	{"job_blobs", "job, name, data", 2},
	{"job_lines", "job, seq, line", 2},
	{"brains", "name, made, doc, data", 1},
	{"files", "kind, name, made, doc, data", 2},
	{"orders", "seq, made, verb, kind, id, ended, answer, failed", 1},
	{"bans", "kind, id, made", 2},
}

// tableNamed returns the layout of a table.
func tableNamed(name string) (tableLayout, bool) {
	i := slices.IndexFunc(layouts, func(l tableLayout) bool { return l.name == name })
	if i < 0 {
		return tableLayout{}, false
	}
	return layouts[i], true
}

// Statements about one table, by its name.
var (
	intact = textByTable(tableLayout.intactCondition) // whether a row is as it was written
	insert = textByTable(tableLayout.insertStatement) // of all columns, as numbered arguments
)

// textByTable returns a text for each table.
func textByTable(text func(tableLayout) string) map[string]string {
	m := make(map[string]string, len(layouts))
	for _, l := range layouts {
		m[l.name] = text(l)
	}
	return m
}

// sumExpression is the checksum of a row in SQL.
func (l tableLayout) sumExpression() string {
	return fmt.Sprintf("oxo_sum('%s', %s)", l.name, l.columns)
}

// intactCondition asks in SQL whether a row is as it was written.
func (l tableLayout) intactCondition() string { return "(sum IS " + l.sumExpression() + ")" }

// insertStatement adds a row with its checksum. Its WHERE true lets callers add conditions and an ON
// CONFLICT.
func (l tableLayout) insertStatement() string {
	marks := strings.Split(l.columns, ", ")
	for i := range marks {
		marks[i] = fmt.Sprint("?", i+1)
	}
	return fmt.Sprintf("INSERT INTO %s (%s, sum) SELECT %s, oxo_sum('%s', %[3]s) WHERE true", l.name, l.columns,
		strings.Join(marks, ", "), l.name)
}

// keyColumns returns the columns that tell a row from all others.
func (l tableLayout) keyColumns() []string { return strings.Split(l.columns, ", ")[:l.keys] }

// register makes the checksum known to SQLite, once, before any connection.
var register = sync.OnceValue(func() error {
	return sqlite.RegisterDeterministicScalarFunction("oxo_sum", -1,
		func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
			return checksum(args)
		})
})

var polynomial = crc64.MakeTable(crc64.ECMA)

// checksum is the CRC-64 of values with their types and lengths. It finds what goes
// wrong by itself, such as a bit that flips; it is no protection from forgers, who
// have the file.
func checksum(values []driver.Value) (int64, error) {
	sum, head := uint64(0), make([]byte, 0, 16)
	for _, v := range values {
		var data []byte
		head = head[:0]
		switch v := v.(type) {
		case nil:
			head = append(head, 'n')
		case int64:
			head = binary.LittleEndian.AppendUint64(append(head, 'i'), uint64(v))
		case string:
			data = []byte(v)
			head = binary.LittleEndian.AppendUint64(append(head, 't'), uint64(len(v)))
		case []byte:
			data = v
			head = binary.LittleEndian.AppendUint64(append(head, 'b'), uint64(len(v)))
		default:
			return 0, fmt.Errorf("no column holds a %T", v)
		}
		sum = crc64.Update(crc64.Update(sum, polynomial, head), polynomial, data)
	}
	return int64(sum), nil
}
