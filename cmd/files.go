package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// writeWhole writes a file whole or not at all: beside its target, then
// renamed.
func writeWhole(path string, data []byte) error {
	return writeWith(path, func(f *os.File) error {
		_, err := f.Write(data)
		return err
	})
}

func writeWith(path string, write func(f *os.File) error) error {
	at, direct, err := target(path)
	if err != nil {
		return err
	}
	var f *os.File
	if direct {
		f, err = os.OpenFile(at, os.O_WRONLY, 0)
	} else {
		f, err = os.CreateTemp(filepath.Dir(at), "."+filepath.Base(at)+".*")
	}
	if err != nil {
		return named(path, err)
	}
	if direct {
		return errors.Join(write(f), f.Close())
	}
	defer os.Remove(f.Name()) // fails once renamed
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	if err := f.Sync(); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Chmod(f.Name(), 0o644); err != nil {
		return err
	}
	return os.Rename(f.Name(), at)
}

// writable refuses a file that can't be written, before the work begins.
func writable(path string) error {
	at, direct, err := target(path)
	if err != nil || direct {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(at), ".oxo.*")
	if err != nil {
		return named(path, err)
	}
	f.Close()
	return os.Remove(f.Name())
}

// target returns the file that path stands for, which is another one where it
// is a link, and whether it is a device or a pipe, which is written to as it is
// and never replaced.
func target(path string) (at string, direct bool, err error) {
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

// named tells of an error with the name that was given, not the one beside it.
func named(path string, err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("%s: it can't be written: %w", path, err)
}
