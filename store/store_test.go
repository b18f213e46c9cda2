package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(victim); dir != "" {
		die(dir)
	}
	goleak.VerifyTestMain(m)
}

func open(t testing.TB, dir string) *Store {
	t.Helper()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// errorOf is the error of a call that returns a number too.
func errorOf(_ int, err error) error { return err }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestGames(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a folder?with=odd&signs%20#")
	s := open(t, dir)
	must(t, s.AddGame("g", "open", []byte(`{"a":1}`)))
	must(t, s.AddGame("h", "open", []byte(`{}`)))
	if err := s.AddGame("g", "open", []byte(`{}`)); err == nil {
		t.Error("a game was added twice")
	}
	if err := s.AddGame("i", "lost", []byte(`{}`)); err == nil {
		t.Error("a state that does not exist was accepted")
	}
	must(t, s.SaveGame("g", "playing", []byte(`{"a":2}`)))
	if err := s.SaveGame("none", "over", []byte(`{}`)); !errors.Is(err, ErrNotFound) {
		t.Errorf("saving a game that does not exist: %v", err)
	}
	must(t, s.AddMove("g", 0, "a1", time.Second, 2*time.Second))
	must(t, s.AddMove("g", 1, "b2", 3*time.Second, 4*time.Second))
	for _, ply := range []int{0, 1, 3, -1} {
		if err := s.AddMove("g", ply, "c3", 0, 0); err == nil {
			t.Errorf("ply %d was accepted after ply 1", ply)
		}
	}
	if err := s.AddMove("none", 0, "a1", 0, 0); err == nil {
		t.Error("a move was added to no game")
	}
	must(t, s.Close())
	s = open(t, dir)
	doc, moves, clocks, err := s.Game(t.Context(), "g")
	if err != nil || string(doc) != `{"a":2}` || !slices.Equal(moves, []string{"a1", "b2"}) ||
		clocks[len(moves)-1] != [2]time.Duration{3 * time.Second, 4 * time.Second} {
		t.Errorf("game: %s %v %v %v", doc, moves, clocks, err)
	}
	if _, _, _, err := s.Game(t.Context(), "none"); !errors.Is(err, ErrNotFound) {
		t.Errorf("no game: %v", err)
	}
	if ids, err := s.Games(t.Context(), "open", 10); err != nil || !slices.Equal(ids, []string{"h"}) {
		t.Errorf("open games: %v %v", ids, err)
	}
	must(t, s.CheckHealth(t.Context()))
}

func TestBots(t *testing.T) {
	s := open(t, t.TempDir())
	must(t, s.AddBot("deep", "t1", []byte("hash1"), "play"))
	if err := s.AddBot("deep", "t2", []byte("hash2"), "play"); !errors.Is(err, ErrTaken) {
		t.Errorf("a name twice: %v", err)
	}
	for _, name := range []string{"De-ep", "deep.", "d_e.e-p"} {
		if err := s.AddBot(name, "t2", []byte("hash2"), "play"); !errors.Is(err, ErrTaken) {
			t.Errorf("%s beside deep: %v", name, err)
		}
	}
	must(t, s.AddToken("deep", "t2", []byte("hash2"), "play challenge"))
	if err := s.AddToken("nobody", "t3", []byte("hash3"), "play"); err == nil {
		t.Error("a token for nobody")
	}
	if bot, made, scopes, err := s.Token(t.Context(), []byte("hash2")); bot != "deep" || made == 0 ||
		scopes != "play challenge" || err != nil {
		t.Errorf("token: %s %d %s %v", bot, made, scopes, err)
	}
	if err := s.Revoke("other", "t1"); !errors.Is(err, ErrNotFound) {
		t.Errorf("another's token: %v", err)
	}
	must(t, s.Revoke("deep", "t1"))
	if _, _, _, err := s.Token(t.Context(), []byte("hash1")); !errors.Is(err, ErrNotFound) {
		t.Errorf("a revoked token: %v", err)
	}
	if _, _, _, err := s.Token(t.Context(), []byte("hash2")); err != nil {
		t.Errorf("the other token: %v", err)
	}
}

// TestCutMoves leaves the first moves of a game, to which others are added.
// TestNameOfRemovedBot: a name is free again once nothing is kept that would be the next bot's.
func TestNameOfRemovedBot(t *testing.T) {
	s := open(t, t.TempDir())
	must(t, s.AddBot("deep", "t1", []byte("hash1"), "play"))
	must(t, s.AddJob("j", "bot deep", "done", []byte(`{}`)))
	must(t, s.AddBrain("wise", []byte(`{"owner":"bot deep"}`), []byte{1}))
	must(t, s.AddBrain("odd", []byte(`x`), []byte{1}))
	must(t, s.Drop("bot", "deep"))
	for _, kind := range [][2]string{{"job", "j"}, {"brain", "wise"}} {
		if err := s.AddBot("deep", "t2", []byte("hash2"), "play"); !errors.Is(err, ErrTaken) {
			t.Errorf("while there is a %s: %v", kind[0], err)
		}
		must(t, s.Drop(kind[0], kind[1]))
	}
	must(t, s.AddBot("deep", "t2", []byte("hash2"), "play"))
}

func TestCutMoves(t *testing.T) {
	s := open(t, t.TempDir())
	must(t, s.AddGame("g", "playing", []byte("{}")))
	for ply, m := range []string{"a", "b", "c", "d"} {
		must(t, s.AddMove("g", ply, m, time.Duration(ply)*time.Second, time.Minute))
	}
	must(t, s.CutMoves("g", 2))
	must(t, s.AddMove("g", 2, "e", 9*time.Second, time.Minute))
	if _, moves, clocks, err := s.Game(t.Context(), "g"); err != nil || strings.Join(moves, "") != "abe" ||
		len(clocks) != 3 || clocks[2][0] != 9*time.Second {
		t.Errorf("%v, %v, %v", moves, clocks, err)
	}
	if s.CutMoves("g", 4) == nil || s.CutMoves("h", 0) == nil {
		t.Error("moves that are not there are left")
	}
	must(t, s.CutMoves("g", 0))
	if _, moves, _, err := s.Game(t.Context(), "g"); err != nil || len(moves) != 0 {
		t.Errorf("%v, %v", moves, err)
	}
}

// TestManyWriters has a failing write among many that don't fail.
func TestManyWriters(t *testing.T) {
	s := open(t, t.TempDir())
	var wait sync.WaitGroup
	for i := range 50 {
		wait.Go(func() {
			id := fmt.Sprint("g", i)
			if err := s.AddGame(id, "playing", []byte("{}")); err != nil {
				t.Error(err)
			}
			for ply := range 20 {
				if err := s.AddMove(id, ply, "x", 0, 0); err != nil {
					t.Error(err)
				}
				if err := s.AddMove(id, ply, "y", 0, 0); err == nil {
					t.Error("a ply twice")
				}
			}
		})
	}
	wait.Wait()
	for i := range 50 {
		if _, moves, _, err := s.Game(t.Context(), fmt.Sprint("g", i)); err != nil || len(moves) != 20 ||
			strings.Join(moves, "") != strings.Repeat("x", 20) {
			t.Errorf("game %d: %v %v", i, moves, err)
		}
	}
	must(t, s.Close())
	if err := s.AddGame("late", "open", nil); err == nil {
		t.Error("a closed store took a game")
	}
}

func TestExportImportBackup(t *testing.T) {
	s := open(t, t.TempDir())
	must(t, s.AddGame("g", "playing", []byte(`{"name":"a\nb"}`)))
	must(t, s.AddMove("g", 0, "a1", time.Second, 0))
	must(t, s.AddBot("deep", "t1", []byte{0, 255, 1}, "play"))
	must(t, s.Revoke("deep", "t1"))
	must(t, s.AddToken("deep", "t2", []byte{7}, "play"))
	must(t, s.AddJob("j", "me", "running", []byte(`{}`)))
	must(t, s.PutBlob("j", "output/0/0", []byte{0, 200}))
	must(t, s.AddLine("j", 1, []byte(`{}`)))
	must(t, s.AddBrain("clever", []byte(`{}`), []byte{3}))
	var first, second bytes.Buffer
	must(t, errorOf(s.Export(t.Context(), &first)))
	other := open(t, t.TempDir())
	if n, err := other.Import(bytes.NewReader(first.Bytes()), false); err != nil || n != 9 {
		t.Fatalf("import: %d rows, %v", n, err)
	}
	must(t, errorOf(other.Export(t.Context(), &second)))
	if first.String() != second.String() || strings.Count(first.String(), "\n") != 10 {
		t.Errorf("exported, imported and exported again:\n%s\n%s", &first, &second)
	}
	if n, err := other.Import(bytes.NewReader(first.Bytes()), false); err != nil || n != 0 {
		t.Errorf("imported again: %d rows, %v", n, err)
	}
	third := open(t, t.TempDir())
	for _, bad := range []string{`{"table":"sqlite_master","row":{}}`, `{"table":"games","row":{"id; DROP":"x"}}`, `{"table":"games","row":{"id":1.5}}`, "x", `{"table":"games","row":{}}`,
		`{"table":"bots","rOw":{"name":"a","made":1}}`, `{"table":"bots","row":{"name":"a","made":1},"more":1}`,
		`{"table":"bots","row":{"name":"a","made":1,"made":2}}`, `{"table":"bots","row":{"name":"a","made":1}} {}`,
		`{"table":"tokens","row":{"id":"a","bot":"deep","hash":{"base65":""},"scopes":"","made":1}}`} {
		if _, err := third.Import(strings.NewReader(strings.SplitN(first.String(), "\n", 2)[0]+"\n"+
			bad), true); err == nil {
			t.Errorf("%s was imported", bad)
		}
		if ids, _ := third.Games(t.Context(), "playing", 1); len(ids) > 0 {
			t.Fatal("half of an import stayed")
		}
	}
	// What was cut at the end of a line, edited, or written twice is refused, and the first may be taken on purpose.
	lines := strings.SplitAfter(strings.TrimSuffix(first.String(), "\n"), "\n")
	for text, want := range map[string]string{
		strings.Join(lines[:9], ""): "it has no end line",
		strings.Join(lines[:3], ""): "it has no end line",
		"":                          "it has no end line",
		strings.Replace(first.String(), "a1", "a2", 1):       "line 10: the rows are not as they were written",
		strings.Join(lines[:8], "") + lines[9]:               "line 9: 9 rows were written and 8 are here",
		first.String() + lines[0]:                            "line 11: there is something after the end line",
		strings.Replace(first.String(), `"end"`, `"END"`, 1): `line 10: unknown field "END"`,
	} {
		if _, err := third.Import(strings.NewReader(text), false); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q, wanted %s: %v", text, want, err)
		}
	}
	if n, err := third.Import(strings.NewReader(strings.Join(lines[:9], "")), true); err != nil || n != 9 {
		t.Errorf("without an end line, on purpose: %d rows, %v", n, err)
	}
	dir := t.TempDir()
	must(t, s.Backup(t.Context(), filepath.Join(dir, "oxo.db")))
	var copied bytes.Buffer
	must(t, errorOf(open(t, dir).Export(t.Context(), &copied)))
	if copied.String() != first.String() {
		t.Errorf("backup: %s", &copied)
	}
}

// TestSize: the size grows with what is kept, and what is dropped leaves room for
// what comes after it.
func TestSize(t *testing.T) {
	s := open(t, t.TempDir())
	size := func() int64 {
		t.Helper()
		n, err := s.UsedBytes(t.Context())
		must(t, err)
		return n
	}
	const much = 1 << 20
	fill := func(id string) {
		must(t, s.AddJob(id, "somebody", "running", []byte("{}")))
		must(t, s.PutBlob(id, "data", make([]byte, much)))
	}
	before := size()
	fill("a")
	full := size()
	if full < before+much || full > before+2*much {
		t.Errorf("%d bytes became %d with %d more", before, full, much)
	}
	must(t, s.DropJob("a"))
	if n := size(); n >= before+much/2 {
		t.Errorf("%d bytes, %d of them dropped, are still %d", full, much, n)
	}
	fill("b")
	if n := size(); n != full {
		t.Errorf("%d bytes in the place of as many that were dropped are %d", n, full)
	}
}

// TestNewerFile refuses a file of a version to come.
func TestNewerFile(t *testing.T) {
	dir := t.TempDir()
	must(t, open(t, dir).Close())
	db, err := sql.Open("sqlite", filepath.Join(dir, "oxo.db"))
	must(t, err)
	_, err = db.ExecContext(context.Background(), "PRAGMA user_version = 99")
	must(t, errors.Join(err, db.Close()))
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "99") {
		t.Errorf("opened: %v", err)
	}
}
