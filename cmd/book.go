package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"oxo/drop"
	"oxo/lab"
)

// bookVerb returns the verb that makes a book of the first plies of a game in which marks fall.
func bookVerb(a *app) *cobra.Command {
	var out string
	var memory int64
	var plies, workers int
	var next bool
	c := &cobra.Command{
		Use:   "book GAME",
		Short: "make a book: the exact worth of every position so many plies into a game in which marks fall",
		Long: "make a book: the exact worth of every position so many plies into a game in which marks fall.\n" +
			"Stopped by Ctrl-C, the same command goes on from there: what it has found is in FILE.part. A kill costs " +
			"the last 32 positions.",
		Example: "  oxo book mnk:5,4,4+gravity --plies 6 --out 544.book\n  oxo book mnk:7,6,4+gravity --plies 2 " +
			"--memory 2GB --out 764.book",
		Args: exactArgs("GAME"),
		RunE: a.withGame(func(c *cobra.Command, g lab.Game, _ []string) error {
			switch {
			case out == "":
				return errors.New("book: --out FILE: say where the book is to be written")
			case workers < 0:
				return fmt.Errorf("book: --workers %d: it must be at least 1", workers)
			case workers == 0:
				workers = runtime.NumCPU()
			}
			if _, err := os.Stat(out); err == nil {
				return fmt.Errorf("book: --out %s: the file is there already; remove it, or name another", out)
			}
			begin := time.Now()
			m, err := g.Solving().NewBookMaker(plies, next, drop.SolverOptions{Bytes: int(memory), Workers: workers})
			if err != nil {
				return fmt.Errorf("book: %w", err)
			}
			longer, err := a.makeBook(c.Context(), m, out+".part")
			if err != nil {
				return err
			}
			if err := writeAtomicallyWith(out, func(f *os.File) error { return m.Write(f) }); err != nil {
				return err
			}
			size, err := os.Stat(out)
			if err != nil {
				return err
			}
			if longer {
				fmt.Fprintf(a.errs, "oxo: %s.part has work on a book of more plies and is kept\n", out)
			} else if err := os.Remove(out + ".part"); err != nil {
				return err
			}
			bits := ""
			if m.Next > 0 {
				bits = ", a bit for each of " + groupThousands(uint64(m.Next)) + " a ply later"
			}
			return a.answerf(bookAnswer{m.Positions, m.Stored, m.Next, size.Size(), time.Since(begin).Seconds()},
				"%s: %s after %s, %s stored%s, %s bytes in %s\n", m.Game, countOf(m.Positions, "position", "positions"),
				countOf(plies, "ply", "plies"), groupThousands(uint64(m.Stored)), bits,
				groupThousands(uint64(size.Size())), out)
		}),
	}
	c.Flags().StringVar(&out, "out", "", "the file of the book")
	annotateFiles(c.Flags(), fileWritten, "out")
	c.Flags().IntVar(&plies, "plies", 8, "after how many plies the stored positions are")
	c.Flags().BoolVar(&next, "next", false, "also a bit for each position one ply later: whether it is worth just the "+
		"least that the book leaves it (three to four times the work)")
	bytesVar(c.Flags(), &memory, "memory", 256<<20, "how much memory the search may use for its table")
	c.Flags().IntVar(&workers, "workers", 0, "positions at once (default one a core)")
	return c
}

// makeBook makes a book, and keeps what is found on the way in the file part. The file is cut back to
// the last whole piece before work goes on, as a run that was killed may have left half of one, and
// each piece is on disk before the next is begun. It reports whether the file has work on a longer book as
// well, which is left in it.
func (a *app) makeBook(ctx context.Context, m *drop.BookMaker, part string) (longerBookLeft bool, err error) {
	f, err := os.OpenFile(part, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := lockFile(f); err != nil {
		return false, fmt.Errorf("book: %s: another run is at it", part)
	}
	kept, err := os.ReadFile(part)
	if err != nil {
		return false, err
	}
	whole, err := m.Resume(kept)
	if err != nil {
		return false, fmt.Errorf("book: %s: %w; remove it, or finish that book", part, err)
	}
	if done, all := m.Done(); done == all && whole < len(kept) {
		longerBookLeft = true
	} else if err := f.Truncate(int64(whole)); err != nil {
		return false, err
	}
	if _, err := f.Seek(int64(whole), 0); err != nil {
		return false, err
	}
	defer func() {
		if done, all := m.Done(); ctx.Err() != nil {
			fmt.Fprintf(a.errs, "oxo: %s of %s positions are kept in %s; the same command goes on from there\n",
				groupThousands(uint64(done)), groupThousands(uint64(all)), part)
		}
	}()
	show, wipe := a.progressLine()
	defer wipe()
	return longerBookLeft, m.Make(ctx, func(piece []byte) error {
		done, all := m.Done()
		show("book: %s of %s positions", groupThousands(uint64(done)), groupThousands(uint64(all)))
		if _, err := f.Write(piece); err != nil {
			return err
		}
		return f.Sync()
	})
}
