package drop_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/drop"
	"oxo/games/cube"
	"oxo/games/grid"
)

// small returns a board for books, and its game.
func small(t testing.TB, r board.Rules) (*board.Board, *oxo.Game[board.Pos64]) {
	b := must(t)(grid.New(grid.Shape{Cols: 4, Rows: 4, Run: 3, Gravity: true}))
	return b, board.Game64("mnk:4,4,3+gravity", "g", b, r)
}

// write makes a book and returns it as a file, and what was kept on the way.
func write(t testing.TB, b *board.Board, r board.Rules, plies int, next bool, workers int) (file, kept []byte) {
	t.Helper()
	m, err := drop.NewBookMaker("game", b, r, plies, next, drop.SolverOptions{Bytes: 1 << 16, Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Make(ctx, func(piece []byte) error { kept = append(kept, piece...); return nil }); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := m.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), kept
}

// TestBook compares answers out of books with those of a search, from the start
// on and past the book's last ply, and counts what is stored.
func TestBook(t *testing.T) {
	boards := []*board.Board{must(t)(cube.New(3, 2, true)), scattered(t, rand.New(rand.NewPCG(8, 8)), 12)}
	grid, _ := small(t, board.Normal)
	for i, b := range append(boards, grid, grid) {
		next := i != 3
		for _, rules := range sides() {
			file, _ := write(t, b, rules, 5, next, 1)
			if again, _ := write(t, b, rules, 5, next, 2); !bytes.Equal(again, file) {
				t.Errorf("board %d, %q: two workers make another book", i, rules.Name)
			}
			book, err := drop.ReadBook(bytes.NewReader(file), b, rules)
			if err != nil {
				t.Fatal(err)
			}
			with, err := drop.New(b, rules, drop.SolverOptions{Bytes: 1 << 16, Book: book})
			if err != nil {
				t.Fatal(err)
			}
			without, err := drop.New(b, rules, drop.SolverOptions{Bytes: 1 << 16})
			if err != nil {
				t.Fatal(err)
			}
			g := board.Game64("g", "g", b, rules)
			later, positions, seen := 0, 0, map[board.Pos64]bool{}
			classes := map[board.Pos64]bool{}
			var walk func(p board.Pos64, ply int)
			walk = func(p board.Pos64, ply int) {
				if seen[p] || p.Outcome() != oxo.Ongoing {
					return
				}
				seen[p] = true
				_, got, err1 := with.Moves(ctx, p)
				_, want, err2 := without.Moves(ctx, p)
				if err1 != nil || err2 != nil || fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("board %d, %q, %s: with the book %v, %v, without %v, %v", i, rules.Name, g.Format(p), got,
						err1, want, err2)
				}
				if ply == 5 {
					positions++
					classes[g.Representative(p)] = true
				}
				for _, m := range p.Moves(nil) {
					after := p.Play(m)
					if ply < 5 {
						walk(after, ply+1)
						continue
					}
					if after.Outcome() == oxo.Ongoing {
						_, got, err1 := with.Moves(ctx, after)
						_, want, err2 := without.Moves(ctx, after)
						if err1 != nil || err2 != nil || fmt.Sprint(got) != fmt.Sprint(want) {
							t.Errorf("board %d, %q, %s: a ply later %v, %v, without %v, %v", i, rules.Name,
								g.Format(after), got, err1, want, err2)
						}
					}
					if verdict, ok := with.BookVerdict(after); ok && after.Outcome() == oxo.Ongoing {
						later++
						if want, err := without.Solve(ctx, after); err != nil || verdict != want {
							t.Errorf("board %d, %q, %s: %v by a bit, want %v, %v", i, rules.Name, g.Format(after),
								verdict, want, err)
						}
					}
				}
			}
			walk(g.Start, 0)
			if book.Positions != positions || book.Stored != len(classes) || positions < 10 {
				t.Errorf("board %d, %q: %d positions in %d classes, want %d in %d", i, rules.Name, book.Positions,
					book.Stored, positions, len(classes))
			}
			if later > 0 != next {
				t.Errorf("board %d, %q: bits %v, %d positions a ply later are told", i, rules.Name, next, later)
			}
		}
	}
}

// TestBookRefused changes, cuts and exchanges books.
func TestBookRefused(t *testing.T) {
	b, _ := small(t, board.Normal)
	file, _ := write(t, b, board.Normal, 4, false, 1)
	for k := 0; k < len(file); k += 1 + k/40 {
		changed := bytes.Clone(file)
		changed[k] ^= 4
		if _, err := drop.ReadBook(bytes.NewReader(changed), b, board.Normal); err == nil {
			t.Errorf("a book with byte %d changed is taken", k)
		}
		if _, err := drop.ReadBook(bytes.NewReader(file[:k]), b, board.Normal); err == nil {
			t.Errorf("a book of its first %d bytes is taken", k)
		}
	}
	book, err := drop.ReadBook(bytes.NewReader(file), b, board.Normal)
	if err != nil {
		t.Fatal(err)
	}
	other := must(t)(grid.New(grid.Shape{Cols: 4, Rows: 4, Run: 4, Gravity: true}))
	for name, err := range map[string]error{
		"read by other rules": second(drop.ReadBook(bytes.NewReader(file), b, board.Misere)),
		"read of a board":     second(drop.ReadBook(bytes.NewReader(file), other, board.Normal)),
		"used by other rules": second(drop.New(b, board.Maker, drop.SolverOptions{Book: book})),
		"used on a board":     second(drop.New(other, board.Normal, drop.SolverOptions{Book: book})),
	} {
		if err == nil || !strings.Contains(err.Error(), "another game") {
			t.Errorf("%s: %v", name, err)
		}
	}
	qubic := must(t)(cube.New(4, 3, true))
	for name, err := range map[string]error{
		"too many plies": second(drop.NewBookMaker("g", b, board.Normal, 13, false, drop.SolverOptions{})),
		"below 0":        second(drop.NewBookMaker("g", b, board.Normal, -1, false, drop.SolverOptions{})),
		"too large":      second(drop.NewBookMaker("g", qubic, board.Normal, 2, false, drop.SolverOptions{})),
	} {
		if err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

// TestBookBitsMiscounted reads a book that says of the next ply's positions that they are more or fewer than they
// are: its bits tell nothing.
func TestBookBitsMiscounted(t *testing.T) {
	b, g := small(t, board.Normal)
	file, _ := write(t, b, board.Normal, 4, true, 1)
	book, err := drop.ReadBook(bytes.NewReader(file), b, board.Normal)
	if err != nil {
		t.Fatal(err)
	}
	said := fmt.Appendf(nil, `"next":%d`, book.Next)
	read := 0
	for _, n := range []int{book.Next - 1, book.Next, book.Next + 1} {
		body := bytes.Replace(file[:len(file)-32], said, fmt.Appendf(nil, `"next":%d`, n), 1)
		other, err := drop.ReadBook(bytes.NewReader(drop.Sealed(body)), b, board.Normal)
		if err != nil {
			continue // another number of bytes
		}
		read++
		s, err := drop.New(b, board.Normal, drop.SolverOptions{Bytes: 1 << 16, Book: other})
		if err != nil {
			t.Fatal(err)
		}
		told := 0
		var walk func(p board.Pos64, ply int)
		walk = func(p board.Pos64, ply int) {
			if _, ok := s.BookVerdict(p); ok && ply == 5 {
				told++
			}
			for _, m := range p.Moves(nil) {
				if ply < 5 {
					walk(p.Play(m), ply+1)
				}
			}
		}
		walk(g.Start, 0)
		// Wins at once need no bit.
		if told > 0 != (n == book.Next) {
			t.Errorf("%d positions instead of %d: %d are told", n, book.Next, told)
		}
	}
	if read < 2 {
		t.Error("all other numbers are refused")
	}
}

// TestBookResumed stops the making of a book after each piece, and damages what was kept.
func TestBookResumed(t *testing.T) {
	b, _ := small(t, board.Normal)
	file, kept := write(t, b, board.Normal, 6, false, 1)
	for k := 0; k <= len(kept); k += 31 {
		for _, flip := range []bool{false, true} {
			m, err := drop.NewBookMaker("game", b, board.Normal, 6, false, drop.SolverOptions{Bytes: 1 << 16})
			if err != nil {
				t.Fatal(err)
			}
			start := bytes.Clone(kept[:k])
			if flip && k > 300 {
				start[k-1] ^= 1
			}
			whole, err := m.Resume(start)
			if err != nil {
				t.Fatal(err)
			}
			after := bytes.Clone(start[:whole])
			if err := m.Make(ctx, func(piece []byte) error {
				after = append(after,
					piece...)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if err := m.Write(&out); err != nil || !bytes.Equal(out.Bytes(), file) || !bytes.Equal(after, kept) {
				t.Errorf("resumed after %d bytes, the last changed %v: another book, %v", k, flip, err)
			}
		}
	}
	var fewer bytes.Buffer
	m, err := drop.NewBookMaker("game", b, board.Normal, 5, false, drop.SolverOptions{Bytes: 1 << 16})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Resume(kept); err != nil {
		t.Errorf("a book of fewer plies: %v", err)
	}
	want, _ := write(t, b, board.Normal, 5, false, 1)
	if err := errors.Join(m.Make(ctx, func([]byte) error { return errors.New("there is work left") }),
		m.Write(&fewer)); err != nil || !bytes.Equal(fewer.Bytes(), want) {
		t.Errorf("a book of fewer plies out of a longer one: %v", err)
	}
	misere, err := drop.NewBookMaker("game", b, board.Misere, 6, false, drop.SolverOptions{Bytes: 1 << 16})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := misere.Resume(kept); err == nil {
		t.Error("unfinished work on a book of another game is taken")
	}
	if m, err = drop.NewBookMaker("game", b, board.Normal, 5, false, drop.SolverOptions{Bytes: 1 << 16}); err != nil {
		t.Fatal(err)
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	if err := m.Make(stopped, func([]byte) error { return nil }); err == nil || m.Write(new(bytes.Buffer)) == nil {
		t.Errorf("a book that was stopped is written, %v", err)
	}
}

// deadline is a context that ends after it was asked so many times.
type deadline struct {
	context.Context
	left int
}

func (d *deadline) Err() error {
	if d.left--; d.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestBookStopped stops the making of a book after every so many positions: each that was solved is kept, and
// the book comes out the same.
func TestBookStopped(t *testing.T) {
	b, _ := small(t, board.Normal)
	file, _ := write(t, b, board.Normal, 4, false, 1)
	var kept []byte
	for stops := 0; ; stops++ {
		m, err := drop.NewBookMaker("game", b, board.Normal, 4, false, drop.SolverOptions{Bytes: 1 << 16})
		if err != nil {
			t.Fatal(err)
		}
		whole, err := m.Resume(kept)
		if err != nil || whole != len(kept) {
			t.Fatalf("%d of %d bytes are whole, %v", whole, len(kept), err)
		}
		before, _ := m.Done()
		err = m.Make(&deadline{ctx, 3}, func(piece []byte) error {
			kept = append(kept, piece...)
			return nil
		})
		done, all := m.Done()
		if err == nil {
			var out bytes.Buffer
			if err := m.Write(&out); err != nil || !bytes.Equal(out.Bytes(), file) || stops < all/8 {
				t.Errorf("after %d stops another book, %v", stops, err)
			}
			return
		}
		if done <= before || done > before+3 {
			t.Fatalf("%d positions before, %d after", before, done)
		}
	}
}

// FuzzReadBook reads books of which the checksum is right.
func FuzzReadBook(f *testing.F) {
	b, g := small(f, board.Normal)
	file, kept := write(f, b, board.Normal, 2, true, 1)
	f.Add(file[:len(file)-32], kept)
	f.Add([]byte("oxo book 1\n{}\n"), []byte("oxo unfinished book 2\n"))
	f.Fuzz(func(t *testing.T, body, kept []byte) {
		book, err := drop.ReadBook(bytes.NewReader(drop.Sealed(body)), b, board.Normal)
		if err == nil {
			if _, err := json.Marshal(book.BookHeader); err != nil {
				t.Error(err)
			}
			s, err := drop.New(b, board.Normal, drop.SolverOptions{Bytes: 1 << 10, Book: book})
			if err != nil {
				t.Fatal(err)
			}
			for p, ply := g.Start, 0; ply < 6 && p.Outcome() == oxo.Ongoing; ply++ {
				s.BookVerdict(p)
				p = p.Play(p.Moves(nil)[0])
			}
		}
		m, err := drop.NewBookMaker("game", b, board.Normal, 2, false, drop.SolverOptions{Bytes: 1 << 10})
		if err != nil {
			t.Fatal(err)
		}
		whole, err := m.Resume(kept)
		if done, all := m.Done(); err == nil && (whole > len(kept) || done > all) {
			t.Errorf("%d of %d bytes are whole, %d of %d positions done", whole, len(kept), done, all)
		}
	})
}
