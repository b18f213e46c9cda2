package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"oxo/store"
)

// storeVerb is a verb that takes a file and works on what a server keeps, in the folder of --data. Without a file
// it is "-", for standard input or output. Only import may begin in a folder that has nothing.
func storeVerb(use, short, long, example string, args cobra.PositionalArgs,
	do func(c *cobra.Command, s *store.Store, file string) error) *cobra.Command {
	var data string
	c := &cobra.Command{
		Use: use, Short: short, Long: long, Example: example, Args: args,
		RunE: func(c *cobra.Command, args []string) error {
			file := "-"
			if len(args) > 0 {
				file = args[0]
			}
			return withStore(c.Name(), data, c.Name() != "import",
				func(s *store.Store, _ string) error { return do(c, s, file) })
		},
	}
	c.Flags().StringVar(&data, "data", "", "the server's folder (default "+defaultDataDir()+")")
	return c
}

// withStore opens what a server keeps in a folder, the usual one where that is empty, and lets do work
// on it. The verb is named in errors. errNo passes without the verb's name, as it is no failure.
func withStore(verb, data string, mustExist bool, do func(s *store.Store, data string) error) (err error) {
	data = cmp.Or(data, defaultDataDir())
	if mustExist {
		if _, err := os.Stat(filepath.Join(data, store.File)); err != nil {
			return fmt.Errorf("%s: --data %s: no server has kept anything there: %w", verb, data, errors.Unwrap(err))
		}
	}
	s, err := store.Open(data)
	if err != nil {
		return fmt.Errorf("%s: --data %s: %w", verb, data, err)
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err = do(s, data); err != nil && !errors.Is(err, errNo) {
		err = fmt.Errorf("%s: %w", verb, err)
	}
	return err
}

// exportVerb returns the verb that writes down all that a server keeps.
func exportVerb(a *app) *cobra.Command {
	c := storeVerb("export [FILE]", "write down all that a server keeps",
		"write down all that a server keeps, games, moves, bots, jobs and brains, as JSON, a row a line,\nto "+
			"standard output or a file. The server may run meanwhile: what is written is how things stood at one "+
			"moment.\nOf tokens and keys there are only hashes.",
		"  oxo export all.jsonl\n  oxo export | gzip > all.jsonl.gz", atMostArgs("FILE"),
		func(c *cobra.Command, s *store.Store, file string) error {
			if file == "-" {
				a.json = true // the rows are JSON, of which nothing is changed
				_, err := s.Export(c.Context(), a.out)
				return err
			}
			if err := checkKept(c, file); err != nil {
				return err
			}
			var n int
			err := writeAtomicallyWith(file, func(f *os.File) (err error) {
				n, err = s.Export(c.Context(), f)
				return err
			})
			if err != nil {
				return err
			}
			return a.answerf(map[string]any{"file": file, "rows": n}, "%s: %d rows\n", file, n)
		})
	return withReplaceFlag(c)
}

// withReplaceFlag gives a verb the flag that checkKept looks for.
func withReplaceFlag(c *cobra.Command) *cobra.Command {
	c.Flags().Bool("replace", false, "write FILE also where it is there already")
	return c
}

// checkKept refuses a file that is there already: it may be the only copy of what a server kept. With --replace it is
// written in its place, but never in the server's own folder. A device or a pipe has nothing to lose.
func checkKept(c *cobra.Command, file string) error {
	at, direct, err := resolveTarget(file)
	if err != nil || direct {
		return err
	}
	data, _ := c.Flags().GetString("data") // the flag is there, as is --replace
	if isBelow(at, cmp.Or(data, defaultDataDir())) {
		return fmt.Errorf("%s: it is in the server's own folder; name a file elsewhere", file)
	}
	if replace, _ := c.Flags().GetBool("replace"); replace {
		return nil
	}
	if _, err := os.Lstat(at); err == nil {
		return fmt.Errorf("%s: the file is there already; name another, or give --replace", file)
	}
	return nil
}

// isBelow reports whether a file, there or not, is in a folder or in one below it, by whatever names.
func isBelow(file, folder string) bool {
	top, err := os.Stat(folder)
	at, err2 := filepath.Abs(file)
	if err != nil || err2 != nil {
		return false
	}
	for dir := filepath.Dir(at); ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err == nil && os.SameFile(info, top) {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

// importVerb returns the verb that reads that again.
func importVerb(a *app) *cobra.Command {
	var noEnd bool
	c := storeVerb("import FILE", "add what export wrote to what a server keeps",
		"add what export wrote to what a server keeps, all or nothing. What is there already stays as it is.\nA "+
			"server that runs takes up imported games that are not over when it is started again.",
		"  oxo import all.jsonl\n  gzip -dc all.jsonl.gz | oxo import -", exactArgs("FILE"),
		func(_ *cobra.Command, s *store.Store, file string) error {
			in, err := openInput(file, a.in)
			if err != nil {
				return fmt.Errorf("%s: %w", file, errors.Unwrap(err))
			}
			defer in.Close() // it was only read
			n, err := s.Import(in, noEnd)
			if errors.Is(err, store.ErrNoEnd) {
				err = fmt.Errorf("%w; --no-end takes it as it is", err)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			return a.answerf(map[string]any{"file": file, "rows": n}, "%s: %d new rows\n", file, n)
		})
	c.Flags().BoolVar(&noEnd, "no-end", false,
		"take also a FILE without the line at its end by which it is known to be whole, as oxo wrote it before")
	return c
}

// backupVerb returns the verb that copies the store's file while a server runs.
func backupVerb(a *app) *cobra.Command {
	c := storeVerb("backup FILE", "copy all that a server keeps, while it runs",
		"copy all that a server keeps, whole as of one moment, while it runs or not.\nThe copy is a SQLite file: as "+
			store.File+" in a folder of its own it is what serve --data takes.",
		"  oxo backup oxo-2026-11-21.db", exactArgs("FILE"),
		func(c *cobra.Command, s *store.Store, file string) error {
			size, err := writeBackup(c, s, file)
			if err != nil {
				return err
			}
			return a.answerf(map[string]any{"file": file, "bytes": size}, "%s: %d bytes\n", file, size)
		})
	return withReplaceFlag(c)
}

// writeBackup writes the copy whole or not at all: beside its target, then renamed. A link stays one.
func writeBackup(c *cobra.Command, s *store.Store, file string) (size int64, err error) {
	if err := cmp.Or(checkKept(c, file), checkWritable(file)); err != nil {
		return 0, err
	}
	at, direct, err := resolveTarget(file)
	if direct {
		err = fmt.Errorf("%s: it is a device or a pipe; a backup is a file", file)
	}
	if err != nil {
		return 0, err
	}
	dir, release, err := makeTempFolder(at)
	if err != nil {
		return 0, err
	}
	defer release()
	beside := filepath.Join(dir, store.File)
	if err := s.Backup(c.Context(), beside); err != nil {
		return 0, fmt.Errorf("%s: %w", file, err)
	}
	f, err := os.OpenFile(beside, os.O_RDWR, 0)
	if err != nil {
		return 0, err
	}
	info, err := f.Stat()
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return 0, err
	}
	if err := keepMode(beside, at); err != nil {
		return 0, err
	}
	return info.Size(), os.Rename(beside, at)
}
