package cmd

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"oxo/lab/jobs"
)

// jobFolder keeps a job that runs on this machine in a folder, a file a key, so that it can be stopped and gone on
// with. It is the path of the folder, and every file in it is sealed.
type jobFolder string

// openJobFolder makes the folder, or goes on with the job that it is of. A folder is there with its job
// or not at all, however a run is killed. The job is written first, in a folder beside it that is then
// renamed. A folder of another job is refused, and so is one that holds anything that is not oxo's.
func openJobFolder(path string, j jobs.Job) (jobFolder, error) {
	text, err := json.Marshal(j)
	if err != nil {
		return "", err
	}
	f := jobFolder(path)
	before, err := f.Load("job")
	switch {
	case err != nil:
		return "", err
	case before != nil && !bytes.Equal(before, text):
		return "", fmt.Errorf("the folder %s is of another job%s; go on with that one, or remove it", path,
			jobDifference(before, j))
	case before != nil:
		return f, nil
	}
	dir, release, err := makeTempFolder(path)
	if err != nil {
		return "", err
	}
	defer release()
	beside := filepath.Join(dir, "new")
	if err := os.Mkdir(beside, 0o777); err != nil {
		return "", err
	}
	if err := jobFolder(beside).Save("job", text); err != nil {
		return "", err
	}
	// A folder without a job, of a run that was killed as it began, holds nothing that is
	// whole. Where it holds anything else, renaming fails.
	for _, name := range unfinishedIn(path) {
		if err := os.Remove(name); err != nil {
			return "", err
		}
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("the folder %s is of no job; name another file, or remove it", path)
	}
	return f, os.Rename(beside, path)
}

// jobDifference says in what a job that is kept differs from the one that is asked for; nothing where what is kept is
// no job of oxo's.
func jobDifference(kept []byte, asked jobs.Job) string {
	var is jobs.Job
	if json.Unmarshal(kept, &is) != nil {
		return ""
	}
	if is.Verb != asked.Verb || is.Game != asked.Game {
		return fmt.Sprintf(", %s %s", is.Verb, is.Game)
	}
	v, err := jobs.FindVerb(is.Verb)
	if err != nil {
		return ""
	}
	isArgs, askedArgs := v.DefaultArgs(), v.DefaultArgs()
	if json.Unmarshal(is.Args, isArgs) != nil || json.Unmarshal(asked.Args, askedArgs) != nil {
		return ""
	}
	var texts []string
	ofKept, ofAsked := reflect.ValueOf(isArgs).Elem(), reflect.ValueOf(askedArgs).Elem()
	for _, arg := range v.Arguments() {
		one, other := ofKept.Field(arg.Field), ofAsked.Field(arg.Field)
		if !reflect.DeepEqual(one.Interface(), other.Interface()) {
			texts = append(texts, fmt.Sprintf("%s %s instead of %s", arg.Name, argumentText(one), argumentText(other)))
		}
	}
	return ", with " + strings.Join(texts, ", ")
}

// argumentText writes the value of an argument; what is not given is none.
func argumentText(v reflect.Value) string {
	if v.IsZero() {
		return "none"
	}
	return fmt.Sprint(v.Interface())
}

// unfinishedIn returns the files of a folder that were not finished, whatever
// version has begun them.
func unfinishedIn(dir string) []string {
	older, _ := filepath.Glob(filepath.Join(dir, ".job.*")) // the patterns are right
	left, _ := filepath.Glob(filepath.Join(dir, part+"job.*"))
	return append(older, left...)
}

// makeTempFolder makes a folder beside a path, for its owner alone, for what is renamed to it once it is whole, and
// returns what removes the rest of it. Beside it means on the same disk, where renaming is one step.
func makeTempFolder(path string) (dir string, release func(), err error) {
	removeUnfinished(filepath.Dir(path))
	if dir, err = os.MkdirTemp(filepath.Dir(path), part+filepath.Base(path)+".*"); err != nil {
		return "", nil, err
	}
	unlock, err := lockFolder(dir) // tells removeUnfinished that somebody is at it
	if err != nil {
		return "", nil, errors.Join(err, os.Remove(dir))
	}
	return dir, func() {
		unlock()
		os.RemoveAll(dir) // what a failure has left
	}, nil
}

// remove removes the folder: as one whose job is done it is gone at once. It is renamed first, so that a run that
// is killed meanwhile leaves nothing that looks like a job.
func (f jobFolder) remove() error {
	dir, release, err := makeTempFolder(string(f))
	if err != nil {
		return err
	}
	defer release()
	return os.Rename(string(f), filepath.Join(dir, "done"))
}

// path is the file of a key; a slash in the key is a folder in it.
func (f jobFolder) path(key string) string { return filepath.Join(string(f), filepath.FromSlash(key)) }

// Load returns what was saved; nil where there is nothing.
func (f jobFolder) Load(key string) ([]byte, error) {
	data, err := readSealed(f.path(key))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// Save writes the file of a key, or takes it away where data is nil. A file is replaced whole or not at all.
func (f jobFolder) Save(key string, data []byte) error {
	path := f.path(key)
	if data == nil {
		return removeIfThere(path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return writeSealed(path, data)
}

// removeIfThere removes a file, or finds that there is none.
func removeIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// folderBlobs keeps tables, which are large, in such a folder too, each under its name.
type folderBlobs struct{ jobFolder }

// blobPath is where a table is kept: below shelf, beside the job's own keys.
func (s folderBlobs) blobPath(name string) string { return s.path("shelf/" + name) }

// Put writes a table.
func (s folderBlobs) Put(name string, data []byte) error {
	return s.Save("shelf/"+name, data)
}

// Get reads a table into buf where it is large enough, else into a new slice. A damaged table is an error.
func (s folderBlobs) Get(name string, buf []byte) ([]byte, error) {
	f, err := os.Open(s.blobPath(name))
	if err != nil {
		return nil, err
	}
	defer f.Close() // it was only read
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if int64(cap(buf)) < info.Size() {
		buf = make([]byte, info.Size())
	}
	buf = buf[:info.Size()]
	if _, err = io.ReadFull(f, buf); err != nil {
		return nil, err
	}
	return unseal(f.Name(), buf)
}

// Drop removes a table.
func (s folderBlobs) Drop(name string) error { return removeIfThere(s.blobPath(name)) }

// lateFolder keeps a job of one part in memory, and in a folder from its first
// checkpoint on, so that short work leaves nothing on disk.
type lateFolder struct {
	jobs.MemoryStore
	path   string
	job    jobs.Job
	folder jobFolder // empty until there is one
	saved  time.Time // when its last checkpoint was, by this run or another
}

// Load returns what was saved, also by an earlier run.
func (f *lateFolder) Load(key string) ([]byte, error) {
	if f.folder == "" {
		if _, err := os.Stat(f.path); err != nil {
			return f.MemoryStore.Load(key)
		}
		if err := f.open(); err != nil {
			return nil, err
		}
	}
	return f.folder.Load(key)
}

// Save saves; nil takes away. Before the first checkpoint all stays in memory; a folder that can't be
// made is no reason to stop the work.
func (f *lateFolder) Save(key string, data []byte) error {
	if f.folder == "" && (data == nil || !strings.HasPrefix(key, "checkpoint/") || f.open() != nil) {
		return f.MemoryStore.Save(key, data) // where nothing can be written the work goes on all the same
	}
	err := f.folder.Save(key, data)
	if err == nil && data != nil {
		f.saved = time.Now()
	}
	return err
}

// open makes the folder, or goes on with the one that an earlier run of the same job has left.
func (f *lateFolder) open() (err error) {
	// A folder of another job is an error here too.
	f.folder, err = openJobFolder(f.path, f.job)
	f.saved = time.Now()
	return err
}
