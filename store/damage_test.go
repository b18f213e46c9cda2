package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// played makes a store of games of which every move is known, and closes it.
func played(t testing.TB, games, plies int) (dir string, moves map[string][]string) {
	t.Helper()
	dir, moves = t.TempDir(), map[string][]string{}
	s, err := Open(dir)
	must(t, err)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range games {
		id := fmt.Sprintf("game%04d", i)
		must(t, s.AddGame(id, "playing", fmt.Appendf(nil, `{"game":"mnk:3,3,3","seed":%d}`, i)))
		for ply := range plies {
			m := fmt.Sprintf("%c%d", 'a'+r.IntN(15), 1+r.IntN(15))
			must(t, s.AddMove(id, ply, m, 0, 0))
			moves[id] = append(moves[id], m)
		}
		must(t, s.SaveGame(id, "over", fmt.Appendf(nil, `{"game":"mnk:3,3,3","seed":%d}`, i)))
	}
	must(t, s.Close())
	return dir, moves
}

// flip opens a copy of the file in which one bit is another, and returns how many games
// are refused. No game may have other moves than it had, or another description.
func flip(t *testing.T, file []byte, moves map[string][]string, bit int) (refused int) {
	t.Helper()
	dir := t.TempDir()
	file[bit/8] ^= 1 << (bit % 8)
	err := os.WriteFile(filepath.Join(dir, File), file, 0o600)
	file[bit/8] ^= 1 << (bit % 8)
	must(t, err)
	s, err := Open(dir)
	if err != nil {
		return len(moves)
	}
	defer s.Close()
	for id, want := range moves {
		doc, got, _, err := s.Game(t.Context(), id)
		var seed int
		_, _ = fmt.Sscanf(id, "game%d", &seed)
		switch {
		case err != nil:
			refused++
		case !slices.Equal(got, want) || string(doc) != fmt.Sprintf(`{"game":"mnk:3,3,3","seed":%d}`, seed):
			t.Errorf("bit %d of byte %d: %s has %s, had %v", bit%8, bit/8, id, doc, got)
		}
	}
	return refused
}

// TestFlippedBits: of a file in which a bit is another no move is served that was not
// played, and none is left out.
func TestFlippedBitsSequentialSequential(t *testing.T) { flipBits(t, 150) }

func flipBits(t *testing.T, flips int) {
	dir, moves := played(t, 30, 40)
	file, err := os.ReadFile(filepath.Join(dir, File))
	must(t, err)
	r := rand.New(rand.NewPCG(3, 4))
	refused, hit := 0, 0
	for range flips {
		n := flip(t, file, moves, r.IntN(8*len(file)))
		if refused += n; n > 0 {
			hit++
		}
	}
	t.Logf("%d bits of %d bytes, %d of them refused something, %d games of %d in all", flips, len(file), hit, refused,
		flips*len(moves))
	if refused == 0 {
		t.Error("no bit was ever missed")
	}
}

// TestDamagedRow: a row that was changed behind the store's back is an error that says
// so, in whichever table, and CheckIntegrity and CheckHealth tell of it.
func TestDamagedRow(t *testing.T) {
	ctx := t.Context()
	for _, c := range []struct {
		name, change string
		read         func(s *Store) error
	}{
		{"move", "UPDATE moves SET move = 'c1' WHERE game = 'g' AND ply = 1", nil},
		{"clock", "UPDATE moves SET first_ms = 9 WHERE game = 'g' AND ply = 1", nil},
		{"last move lost", "DELETE FROM moves WHERE game = 'g' AND ply = 1", nil},
		{"first move lost", "DELETE FROM moves WHERE game = 'g' AND ply = 0", nil},
		{"moves exchanged", "UPDATE moves SET ply = 1 - ply + 10 WHERE game = 'g'; UPDATE moves SET ply = ply - 10",
			nil},
		{"game", "UPDATE games SET doc = '{}' WHERE id = 'g'", nil},
		{"game lost", "PRAGMA foreign_keys = 0; DELETE FROM games WHERE id = 'g'", nil},
		{"no checksum", "UPDATE games SET sum = NULL WHERE id = 'g'", nil},
		{"job", "UPDATE jobs SET doc = '{}'", func(s *Store) error { _, err := s.Job(ctx, "j"); return err }},
		{"blob", "UPDATE job_blobs SET data = x'00'",
			func(s *Store) error { _, err := s.Blob(ctx, "j", "b"); return err }},
		{"line", "UPDATE job_lines SET line = '{}'",
			func(s *Store) error { _, _, err := s.Lines(ctx, "j", 0, 9); return err }},
		{"brain", "UPDATE brains SET data = x'00'",
			func(s *Store) error { _, _, err := s.Brain(ctx, "wise"); return err }},
		{"file", "UPDATE files SET doc = '[]'",
			func(s *Store) error { _, _, err := s.File(ctx, "game", "f"); return err }},
		{"token", "UPDATE tokens SET bot = 'other'",
			func(s *Store) error { _, _, _, err := s.Token(ctx, []byte("hash")); return err }},
		{"bot of a token", "UPDATE bots SET made = made + 1",
			func(s *Store) error { _, _, _, err := s.Token(ctx, []byte("hash")); return err }},
		{"save a damaged game", "UPDATE games SET made = 1",
			func(s *Store) error { return s.SaveGame("g", "over", []byte("{}")) }},
		{"list", "UPDATE jobs SET doc = '{}'", func(s *Store) error {
			if docs, err := s.Jobs(ctx, "me", 9); err != nil || len(docs) != 0 {
				return fmt.Errorf("%s, %w", docs, err)
			}
			return s.CheckHealth(ctx)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, dir)
			must(t, s.AddGame("g", "playing", []byte(`{"a":1}`)))
			must(t, s.AddMove("g", 0, "a1", 1, 2))
			must(t, s.AddMove("g", 1, "b2", 3, 4))
			must(t, s.AddJob("j", "me", "running", []byte(`{"b":2}`)))
			must(t, s.PutBlob("j", "b", []byte{1}))
			must(t, s.AddLine("j", 1, []byte(`{"c":3}`)))
			must(t, s.AddBrain("wise", []byte(`{}`), []byte{2}))
			must(t, s.AddFileIfAbsent("game", "f", []byte(`{}`), []byte{3}))
			must(t, s.AddBot("other", "x", []byte("none"), "play"))
			must(t, s.AddBot("deep", "y", []byte("hash"), "play"))
			must(t, s.CheckHealth(ctx))
			if found, err := s.CheckIntegrity(ctx); err != nil || len(found) != 0 {
				t.Fatalf("a whole store: %v %v", found, err)
			}
			must(t, s.Close())
			db, err := openDatabase(filepath.Join(dir, File))
			must(t, err)
			_, err = db.ExecContext(ctx, c.change)
			must(t, errors.Join(err, db.Close()))
			s = open(t, dir)
			if c.read == nil {
				c.read = func(s *Store) error { _, _, _, err := s.Game(ctx, "g"); return err }
			}
			if err := c.read(s); !errors.Is(err, ErrDamaged) {
				t.Errorf("read: %v", err)
			}
			if err := s.CheckHealth(ctx); !errors.Is(err, ErrDamaged) {
				t.Errorf("ping after it was read: %v", err)
			}
			if found, err := s.CheckIntegrity(ctx); err != nil || len(found) == 0 {
				t.Errorf("check: %v %v", found, err)
			}
			if _, err := s.Export(ctx, new(strings.Builder)); !strings.Contains(c.name, "lost") &&
				!errors.Is(err, ErrDamaged) {
				t.Errorf("export: %v", err)
			}
		})
	}
}

// TestNoStore refuses what is not a store in the place of one, and says what to do.
func TestNoStore(t *testing.T) {
	for name, make := range map[string]func(file string){
		"empty":   func(file string) { must(t, os.WriteFile(file, nil, 0o600)) },
		"rubbish": func(file string) { must(t, os.WriteFile(file, []byte(strings.Repeat("x", 5000)), 0o600)) },
		"another database": func(file string) {
			db, err := openDatabase(file)
			must(t, err)
			_, err = db.Exec("CREATE TABLE t (a)")
			must(t, errors.Join(err, db.Close()))
		},
		"only its log": func(file string) { must(t, os.WriteFile(file+"-wal", []byte("x"), 0o600)) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			make(filepath.Join(dir, File))
			before, _ := os.ReadFile(filepath.Join(dir, File))
			if s, err := Open(dir); err == nil {
				s.Close()
				t.Error("it was opened")
			}
			if after, _ := os.ReadFile(filepath.Join(dir, File)); len(after) < len(before) {
				t.Error("it was changed")
			}
		})
	}
	dir := t.TempDir()
	must(t, open(t, dir).Close())
	if left, err := filepath.Glob(filepath.Join(dir, unfinished+"*")); err != nil || len(left) > 0 {
		t.Errorf("left beside a new store: %v %v", left, err)
	}
}

// TestImportRepairs: what was lost comes back from an export, and moves that are more
// than there were are counted.
func TestImportRepairs(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	must(t, s.AddGame("g", "playing", []byte(`{}`)))
	must(t, s.AddMove("g", 0, "a1", 1, 2))
	must(t, s.AddMove("g", 1, "b2", 3, 4))
	var all strings.Builder
	must(t, errorOf(s.Export(t.Context(), &all)))
	_, err := s.write.Exec("DELETE FROM moves WHERE ply = 1")
	must(t, err)
	if _, _, _, err := s.Game(t.Context(), "g"); !errors.Is(err, ErrDamaged) {
		t.Fatalf("a lost move: %v", err)
	}
	n, err := s.Import(strings.NewReader(all.String()), false)
	if _, moves, _, gone := s.Game(t.Context(), "g"); err != nil || gone != nil || n != 1 || len(moves) != 2 {
		t.Errorf("imported %d, %v: %v %v", n, err, moves, gone)
	}
	if found, err := s.CheckIntegrity(t.Context()); err != nil || len(found) != 0 {
		t.Errorf("checked: %v %v", found, err)
	}
	must(t, s.CheckHealth(t.Context()))
	fresh := open(t, t.TempDir())
	_, err = fresh.Import(strings.NewReader(all.String()), false)
	must(t, err)
	must(t, fresh.AddMove("g", 2, "c3", 5, 6))
}
