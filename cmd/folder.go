package cmd

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"oxo/lab/jobs"
)

// jobFolder keeps a job that runs on this machine in a folder, a file a key, so
// that it can be stopped and gone on with.
type jobFolder string

// openFolder makes the folder, or goes on with the job that it is of.
func openFolder(path string, j jobs.Job) (jobFolder, error) {
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
		return "", fmt.Errorf("the folder %s is of another job, %s; remove it, or go on with that one", path, before)
	case before != nil:
		return f, nil
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		return "", err
	}
	return f, f.Save("job", text)
}

func (f jobFolder) path(key string) string { return filepath.Join(string(f), filepath.FromSlash(key)) }

// Load returns what was saved; nil where there is nothing.
func (f jobFolder) Load(key string) ([]byte, error) {
	data, err := os.ReadFile(f.path(key))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// Save writes a file, or takes it away where data is nil.
func (f jobFolder) Save(key string, data []byte) error {
	path := f.path(key)
	if data == nil {
		return f.remove(path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return writeWhole(path, data)
}

func (f jobFolder) remove(path string) error {
	if err := os.Remove(path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// folderShelf is the shelf in such a folder.
type folderShelf struct{ jobFolder }

func (s folderShelf) shelf(name string) string { return s.path("shelf/" + name) }

// Put writes a table.
func (s folderShelf) Put(name string, data []byte) error {
	return s.Save("shelf/"+name, data)
}

// Get reads a table into buf where it is large enough.
func (s folderShelf) Get(name string, buf []byte) ([]byte, error) {
	f, err := os.Open(s.shelf(name))
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
	_, err = io.ReadFull(f, buf)
	return buf, err
}

// Drop removes a table.
func (s folderShelf) Drop(name string) error { return s.remove(s.shelf(name)) }
