package cmd

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"oxo"
	"oxo/arena"
	"oxo/lab"
)

// writeAtomically writes a file whole or not at all: beside its target, then
// renamed. An empty path names none.
func writeAtomically(path string, data []byte) error {
	if path == "" {
		return nil
	}
	return writeAtomicallyWith(path, func(f *os.File) error {
		_, err := f.Write(data)
		return err
	})
}

// A seal is the last line of a file: this and the SHA-256 of all before it.
const sealed = "\nsha256 "

// sealLength is the length of a seal, in bytes: the word, the checksum in hexadecimal digits and the end of the
// line.
const sealLength = len(sealed) + 2*sha256.Size + 1

// sealedWithin is within how many bytes of the end of a file a seal is looked for that was cut or has something after
// it.
const sealedWithin = 1024

// writeSealed writes a file with a seal, by which readSealed knows that it is whole.
func writeSealed(path string, data []byte) error {
	return writeSealedWith(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// writeSealedWith writes a file of what write writes with a seal.
func writeSealedWith(path string, write func(io.Writer) error) error {
	return writeAtomicallyWith(path, func(f *os.File) error {
		sum := sha256.New()
		if err := write(io.MultiWriter(f, sum)); err != nil {
			return err
		}
		_, err := fmt.Fprintf(f, "%s%x\n", sealed, sum.Sum(nil))
		return err
	})
}

// readSealed reads a file and takes its seal off, where it has one. The error says
// so where the file is not what was sealed.
func readSealed(path string) ([]byte, error) {
	data, err := readWhole(path)
	if err != nil {
		return nil, err
	}
	return unseal(path, data)
}

// openInput opens a file to read, - for standard input.
func openInput(path string, standard io.Reader) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(standard), nil
	}
	return os.Open(path)
}

// sealedReader returns what reads as readSealed does, and gives again what it has read from a pipe, which has nothing
// more in it then: a game or a player is opened several times in a run.
func sealedReader() func(path string) ([]byte, error) {
	var pipes sync.Map // functions that return the content of a pipe, by path
	return func(path string) ([]byte, error) {
		if info, err := os.Stat(path); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
			return readSealed(path)
		}
		read, _ := pipes.LoadOrStore(path, sync.OnceValues(func() ([]byte, error) { return readSealed(path) }))
		return read.(func() ([]byte, error))()
	}
}

// readWhole reads a file. One that is a pipe may have nobody who writes: then the first signal ends the waiting. A
// device without an end is refused.
func readWhole(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil || info.Mode().IsRegular() || info.IsDir():
		return os.ReadFile(path)
	case info.Mode()&os.ModeNamedPipe == 0:
		return nil, fmt.Errorf("%s: it is neither a file nor a pipe", path)
	}
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	return untilDone(ctx, func() ([]byte, error) { return os.ReadFile(path) })
}

// untilDone returns what get returns, or at once the error of ctx when that is done, though get then goes on, until the
// program ends.
func untilDone[T any](ctx context.Context, get func() (T, error)) (value T, err error) {
	var got T
	done := make(chan error, 1)
	go func() {
		var err error
		got, err = get()
		done <- err
	}()
	select {
	case err := <-done:
		return got, err
	case <-ctx.Done():
		return value, ctx.Err()
	}
}

// unseal takes the seal off what was read from a file, where there is one, and refuses a file that is damaged.
func unseal(path string, data []byte) ([]byte, error) {
	size, err := sizeUnsealed(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("%s %w", path, err)
	}
	return data[:size], nil
}

// errUnsealed is the error of files that are not what was sealed.
var errUnsealed = errors.New("is damaged: its checksum is another")

// sizeUnsealed returns how many bytes of a file come before its seal, all where there is none. It refuses a file
// whose seal has another checksum, or whose checksum is right after a damaged word. A text of the right length that
// is no seal is content: only where the checksum's place holds what looks like a seal is it compared. A seal that is
// not whole at the end is refused too.
func sizeUnsealed(f io.ReaderAt, size int64) (int64, error) {
	end := make([]byte, min(size, int64(sealedWithin)))
	if _, err := f.ReadAt(end, size-int64(len(end))); err != nil && err != io.EOF {
		return 0, err
	}
	if len(end) < sealLength {
		return size, nil
	}
	at := size - int64(sealLength)
	seal := end[len(end)-sealLength:]
	head, tail := string(seal[:len(sealed)]), string(seal[len(sealed):])
	if _, err := hex.DecodeString(tail[:len(tail)-1]); head != sealed && err != nil {
		if bytes.Contains(end, []byte(sealed)) { // cut, or followed by something
			return 0, errUnsealed
		}
		return size, nil
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, at)); err != nil {
		return 0, err
	}
	switch right := fmt.Sprintf("%x\n", sum.Sum(nil)) == tail; {
	case head != sealed && !right:
		return size, nil
	case head != sealed || !right:
		return 0, errUnsealed
	}
	return at, nil
}

// part begins the names of files and folders that are not finished.
const part = ".oxo-part-"

// swept are the folders, by path, that this run has looked through for what others have left.
var swept sync.Map

// removeUnfinished removes from a folder what runs that were killed have left unfinished. What
// somebody is writing is locked. It runs once a folder in each process. Only what is older than
// [partAge] goes, so that a file that was made but not locked yet is left alone.
func removeUnfinished(dir string) {
	if _, done := swept.LoadOrStore(dir, true); done {
		return
	}
	left, _ := filepath.Glob(filepath.Join(dir, part+"*")) // the pattern is right
	for _, name := range left {
		info, err := os.Stat(name)
		if err != nil || time.Since(info.ModTime()) < partAge {
			continue
		}
		f, err := os.Open(name)
		if err != nil {
			continue
		}
		// The lock is had only where its owner is gone, as the system takes locks back from who ends.
		if lockFile(f) == nil {
			_ = os.RemoveAll(name) // where it can't be removed, it stays
		}
		f.Close()
	}
}

// writeAtomicallyWith writes the file at path whole or not at all: into a file beside it, which then takes its
// name. What is no regular file, such as a pipe, is written at once. The data is on disk before the
// name points to it: after a crash there is the old file or the new one. Errors name the path that was
// given.
func writeAtomicallyWith(path string, write func(f *os.File) error) error {
	at, direct, err := resolveTarget(path)
	if err != nil {
		return err
	}
	var f *os.File
	if direct {
		f, err = os.OpenFile(at, os.O_WRONLY, 0)
	} else {
		removeUnfinished(filepath.Dir(at))
		f, err = createBeside(at)
	}
	if err != nil {
		return writeError(path, err)
	}
	if direct {
		return writeError(path, errors.Join(write(f), f.Close()))
	}
	defer os.Remove(f.Name()) // fails once renamed
	_ = lockFile(f)           // tells removeUnfinished that somebody is at it
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return writeError(path, err)
	}
	return os.Rename(f.Name(), at)
}

// createBeside makes a file beside the one that it is to replace, with the mode of that one, or of a new file where
// there is none. At no time may more people read it.
func createBeside(at string) (*os.File, error) {
	mode := fs.FileMode(0o666) // less what the umask takes
	if info, err := os.Stat(at); err == nil {
		mode = info.Mode().Perm()
	}
	for {
		name := fmt.Sprintf("%s%s.%x", part, filepath.Base(at), rand.Uint64())
		f, err := os.OpenFile(filepath.Join(filepath.Dir(at), name), os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil {
			if err = keepMode(f.Name(), at); err != nil {
				err = errors.Join(err, f.Close(), os.Remove(f.Name()))
			}
		}
		return f, err
	}
}

// keepMode gives a file the mode of the one that it is to replace, if there is one.
func keepMode(path, at string) error {
	info, err := os.Stat(at)
	if err != nil {
		return nil // there is none, or it is no longer there
	}
	now, err := os.Stat(path)
	if err != nil || now.Mode().Perm() == info.Mode().Perm() {
		return err
	}
	return os.Chmod(path, info.Mode().Perm())
}

// newScratchFile makes room on disk, in the folder for what is temporary, which nothing is left of once it is closed
// or the run is killed; where files that are open can't be removed, once it is closed.
func newScratchFile() (lab.Scratch, error) {
	f, err := os.CreateTemp("", part+"*")
	if err == nil && os.Remove(f.Name()) != nil {
		return scratchFile{f}, nil
	}
	return f, err
}

// scratchFile is removed once it is closed.
type scratchFile struct{ *os.File }

// Close also removes the file, which is the only time that it can be.
func (s scratchFile) Close() error { return errors.Join(s.File.Close(), os.Remove(s.Name())) }

// keptFile is a file that unfinished work is kept in, with a seal: see [prove.Storage]. Files of earlier versions
// have none.
type keptFile string

// Read hands the file to read, if there is one. A damaged file is refused before that.
func (k keptFile) Read(read func(io.Reader) error) error {
	f, err := os.Open(string(k))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", k, err)
	}
	defer f.Close()
	info, err := f.Stat()
	content := io.Reader(f)
	if err == nil && info.Mode().IsRegular() {
		var size int64
		if size, err = sizeUnsealed(f, info.Size()); errors.Is(err, errUnsealed) {
			return fmt.Errorf("%s %w; remove it or name another file", k, err)
		}
		content = io.NewSectionReader(f, 0, size)
	}
	if err == nil {
		err = read(content)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", k, err)
	}
	return nil
}

// Write replaces the file by what write writes, whole or not at all.
func (k keptFile) Write(write func(io.Writer) error) error { return writeSealedWith(string(k), write) }

// Remove removes the file, if there is one. A device or a pipe is left as it is.
func (k keptFile) Remove() error {
	at, direct, err := resolveTarget(string(k))
	if err != nil || direct {
		return err
	}
	return removeIfThere(at)
}

// checkWritable refuses files that can't be written, before the work begins. An empty path
// names none. It makes a file beside each and removes that again: nothing is done to a file that is there.
func checkWritable(paths ...string) error {
	for _, path := range paths {
		at, direct, err := resolveTarget(path)
		switch {
		case path == "" || err == nil && direct:
			continue
		case err != nil:
			return err
		}
		f, err := os.CreateTemp(filepath.Dir(at), part+"*")
		if err != nil {
			return writeError(path, err)
		}
		f.Close()
		if err := os.Remove(f.Name()); err != nil {
			return err
		}
	}
	return nil
}

// Annotations of flags that name files: see refuseSharedFiles.
const (
	fileWritten = "file written"
	fileRead    = "file read"
)

// annotateFiles says what a verb does with the files that its flags name.
func annotateFiles(f *pflag.FlagSet, annotation string, flags ...string) {
	for _, name := range flags {
		if err := f.SetAnnotation(name, annotation, nil); err != nil {
			panic(err) // a fault of the verb's author
		}
	}
}

// namedFile is a file that a command line names, by a flag, a word or the spec of a game or a player.
type namedFile struct {
	by, path string
	written  bool
}

// namedFiles returns the files that a verb was told to read or write. Where - stands for a file it is none.
func namedFiles(l *lab.Lab, c *cobra.Command, words []string) (list []namedFile) {
	add := func(by, path string, written bool) {
		if path != "" && path != "-" {
			list = append(list, namedFile{by, path, written})
		}
	}
	addGame := func(by, spec string) {
		add(by, l.FileNamedBy(&arena.Sheet{Record: oxo.Record{Game: spec}}), false)
	}
	for i, name := range strings.Fields(c.Use)[1:] {
		switch {
		case i >= len(words):
		case name == "FILE":
			add(name, words[i], false)
		case strings.Trim(name, "[]") == gameWord:
			addGame(gameWord, words[i])
		}
	}
	for _, word := range words {
		add(word, l.PlayerFile(word).Path, false)
	}
	c.Flags().Visit(func(f *pflag.Flag) {
		_, written := f.Annotations[fileWritten]
		_, read := f.Annotations[fileRead]
		if written || read || f.Value.Type() == kindFile {
			add("--"+f.Name, f.Value.String(), written)
		} else if f.Name == "game" {
			addGame("--game", f.Value.String())
		} else {
			add("--"+f.Name, l.PlayerFile(f.Value.String()).Path, false)
		}
	})
	return list
}

// refuseSharedFiles refuses, before any work is done, a file that a verb would write and was told to write or to
// read by another name too: one of the two would be lost. A brain that a training goes on from may be written in its
// place, also where it is the opponent. A device or a pipe has nothing to lose.
func refuseSharedFiles(l *lab.Lab, c *cobra.Command, words []string) error {
	files := namedFiles(l, c, words)
	resumed := func(to namedFile) bool {
		return to.by == "--out" && slices.ContainsFunc(files,
			func(f namedFile) bool { return f.by == "--resume" && isSameFile(to.path, f.path) })
	}
	for _, to := range files {
		if _, direct, err := resolveTarget(to.path); !to.written || direct || err != nil {
			continue
		}
		for _, other := range files {
			goesOn := (other.by == "--resume" || other.by == "--against") && resumed(to)
			if other.by != to.by && isSameFile(to.path, other.path) && !goesOn {
				return fmt.Errorf("%s: %s %s: %s names that file too; name another", c.Name(), to.by, to.path, other.by)
			}
		}
	}
	return nil
}

// isSameFile reports whether two paths name one file, through links too. An empty path names none.
func isSameFile(one, other string) bool {
	if one == "" || other == "" {
		return false
	}
	a, errA := os.Stat(one)
	b, errB := os.Stat(other)
	if errA == nil && errB == nil {
		return os.SameFile(a, b)
	}
	return pathWithoutLinks(one) == pathWithoutLinks(other)
}

// pathWithoutLinks returns the one name of a path from the root, without links on its way; that of a file that is
// not there yet, too.
func pathWithoutLinks(path string) string {
	for range 40 { // links may go in circles
		to, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	if at, err := filepath.EvalSymlinks(path); err == nil {
		path = at
	} else if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	if at, err := filepath.Abs(path); err == nil {
		path = at
	}
	return path
}

// resolveTarget returns the file that path stands for, which is another one where it
// is a link, and whether it is a device or a pipe, which is written to as it is
// and never replaced.
func resolveTarget(path string) (at string, direct bool, err error) {
	at = path
	if linked, err := filepath.EvalSymlinks(path); err == nil {
		at = linked
	}
	info, err := os.Stat(at)
	switch {
	case err != nil: // a new one; what is wrong shows when it is made
		return at, false, nil
	case info.IsDir():
		return "", false, fmt.Errorf("%s is a folder; name a file", path)
	}
	return at, !info.Mode().IsRegular(), nil
}

// writeError tells of an error of the disk with the name that was given, not the one beside it.
func writeError(path string, err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: it can't be written: %w", path, p.Err)
	}
	return err
}
