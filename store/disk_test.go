package store

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"sync"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// failing is the disk under all stores of the tests: a file layer of SQLite's ("The SQLite
// OS Interface or VFS") that passes everything on to the system's, and fails where it is
// told to.
var failing disk

// disk counts what is read, written, synced and cut.
type disk struct {
	mu      sync.Mutex
	count   int
	at      int    // which of them fails, 0 for none
	lasting bool   // all after it fail too
	failed  string // what failed first
	synced  map[string][]byte
	deleted []string // since a folder was synced

	own, usual uintptr // the layers, this and the system's

	system  *sqlite3.Tsqlite3_vfs
	methods map[uintptr]*sqlite3.Tsqlite3_io_methods // the system's, by the copies that files have here
	copies  map[uintptr]uintptr                      // the other way round
	names   map[uintptr]string                       // of open files
}

// arm has the n-th input or output from now on fail, and with lasting all that follow.
func (d *disk) arm(n int, lasting bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.count, d.at, d.lasting, d.failed = 0, n, lasting, ""
}

// mend ends all failing, and returns how many inputs and outputs there were and what failed.
func (d *disk) mend() (count int, failed string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.at = 0
	return d.count, d.failed
}

// fails counts an input or output of that kind, and says whether it fails.
func (d *disk) fails(kind string, file uintptr) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.count++
	if d.at == 0 || d.count != d.at && !(d.lasting && d.count > d.at) {
		return false
	}
	if d.failed == "" {
		d.failed = kind + " of " + d.names[file]
	}
	return true
}

// isDown reports whether what was to fail has failed and goes on failing.
func (d *disk) isDown() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.lasting && d.failed != ""
}

// onDisk returns what is sure to be in the files after the power goes: what they held when
// they were synced last.
func (d *disk) onDisk() map[string][]byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	files := map[string][]byte{}
	for name, data := range d.synced {
		files[name] = bytes.Clone(data)
	}
	return files
}

// install puts the disk under all files that SQLite opens from then on.
func (d *disk) install() error {
	tls := libc.NewTLS()
	defer tls.Close()
	found := sqlite3.Xsqlite3_vfs_find(tls, 0)
	d.system = at[sqlite3.Tsqlite3_vfs](found)
	d.methods = map[uintptr]*sqlite3.Tsqlite3_io_methods{}
	d.copies, d.names = map[uintptr]uintptr{}, map[uintptr]string{}
	own := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(*d.system)))
	name, err := libc.CString("failing")
	if own == 0 || err != nil {
		return errors.New("no memory")
	}
	*at[sqlite3.Tsqlite3_vfs](own) = *d.system
	at[sqlite3.Tsqlite3_vfs](own).FzName = name
	at[sqlite3.Tsqlite3_vfs](own).FxOpen = pointer(openFile)
	at[sqlite3.Tsqlite3_vfs](own).FxDelete = pointer(deleteFile)
	if rc := sqlite3.Xsqlite3_vfs_register(tls, own, 1); rc != sqlite3.SQLITE_OK {
		return errors.New("the file layer is refused")
	}
	d.own, d.usual = own, found
	return nil
}

// remove has SQLite open files by the system's layer again.
func (d *disk) remove() {
	tls := libc.NewTLS()
	defer tls.Close()
	sqlite3.Xsqlite3_vfs_unregister(tls, d.own)
	sqlite3.Xsqlite3_vfs_register(tls, d.usual, 1)
}

// at returns what is at an address that SQLite has.
func at[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

// pointer returns a function as SQLite's tables hold it; it must be one of a package.
func pointer[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }

// function returns the function that a pointer of SQLite's tables stands for.
func function[F any](address uintptr) F { return *(*F)(unsafe.Pointer(&address)) }

// The functions of a file layer and of its files.
type (
	openFunc     = func(tls *libc.TLS, vfs, name, file uintptr, flags int32, out uintptr) int32
	deleteFunc   = func(tls *libc.TLS, vfs, name uintptr, syncFolder int32) int32
	transferFunc = func(tls *libc.TLS, file, buffer uintptr, n int32, offset int64) int32
	truncateFunc = func(tls *libc.TLS, file uintptr, size int64) int32
)

func openFile(tls *libc.TLS, vfs, name, file uintptr, flags int32, out uintptr) int32 {
	d := &failing
	rc := function[openFunc](d.system.FxOpen)(tls, vfs, name, file, flags, out)
	f := at[sqlite3.Tsqlite3_file](file)
	if rc != sqlite3.SQLITE_OK || f.FpMethods == 0 {
		return rc
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if name != 0 {
		d.names[file] = libc.GoString(name)
	}
	own, ok := d.copies[f.FpMethods]
	if !ok {
		methods := at[sqlite3.Tsqlite3_io_methods](f.FpMethods)
		own = libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(*methods)))
		changed := at[sqlite3.Tsqlite3_io_methods](own)
		*changed = *methods
		changed.FxRead, changed.FxWrite = pointer(readFile), pointer(writeFile)
		changed.FxTruncate, changed.FxSync = pointer(truncateFile), pointer(syncFile)
		d.copies[f.FpMethods], d.methods[own] = own, methods
	}
	f.FpMethods = own
	return rc
}

// deleteFile deletes a file. It comes back when the power goes before its folder is synced,
// which SQLite does with the first sync of a log.
func deleteFile(tls *libc.TLS, vfs, name uintptr, syncFolder int32) int32 {
	d := &failing
	if d.fails("deletion", name) {
		return sqlite3.SQLITE_IOERR_DELETE
	}
	d.mu.Lock()
	d.deleted = append(d.deleted, libc.GoString(name))
	d.mu.Unlock()
	return function[deleteFunc](d.system.FxDelete)(tls, vfs, name, syncFolder)
}

// systemOf returns the system's functions of a file.
func (d *disk) systemOf(file uintptr) *sqlite3.Tsqlite3_io_methods {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.methods[at[sqlite3.Tsqlite3_file](file).FpMethods]
}

func readFile(tls *libc.TLS, file, buffer uintptr, n int32, offset int64) int32 {
	if failing.fails("read", file) {
		return sqlite3.SQLITE_IOERR_READ
	}
	return function[transferFunc](failing.systemOf(file).FxRead)(tls, file, buffer, n, offset)
}

// writeFile tears a write that fails: the first half of it is written.
func writeFile(tls *libc.TLS, file, buffer uintptr, n int32, offset int64) int32 {
	write := function[transferFunc](failing.systemOf(file).FxWrite)
	if failing.fails("write", file) {
		write(tls, file, buffer, n/2, offset)
		return sqlite3.SQLITE_IOERR_WRITE
	}
	return write(tls, file, buffer, n, offset)
}

func truncateFile(tls *libc.TLS, file uintptr, size int64) int32 {
	if failing.fails("truncation", file) {
		return sqlite3.SQLITE_IOERR_TRUNCATE
	}
	return function[truncateFunc](failing.systemOf(file).FxTruncate)(tls, file, size)
}

// syncFile notes what the file holds instead of waiting for the disk: what is written after
// it may be lost.
func syncFile(_ *libc.TLS, file uintptr, _ int32) int32 {
	d := &failing
	if d.fails("sync", file) {
		return sqlite3.SQLITE_IOERR_FSYNC
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.synced != nil && d.names[file] != "" {
		data, err := os.ReadFile(d.names[file])
		if err != nil {
			return sqlite3.SQLITE_IOERR_FSYNC
		}
		if !strings.HasSuffix(d.names[file], File) {
			for _, name := range d.deleted {
				delete(d.synced, name)
			}
			d.deleted = nil
		}
		d.synced[d.names[file]] = data
	}
	return sqlite3.SQLITE_OK
}
