package main

import (
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
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
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
	return os.Rename(f.Name(), path)
}

// writable refuses a file that can't be written, before the work begins.
func writable(path string) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".oxo.*")
	if err != nil {
		return err
	}
	f.Close()
	return os.Remove(f.Name())
}
