package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// hour is a while of play in a store: what was acknowledged so far.
type hour struct {
	dir   string
	store *Store
	moves map[string][]string // of each game
	over  map[string]bool
	doing string // the game that was being written when something failed
}

// errOther says that a store holds something that was never put there, or lost something.
var errOther = errors.New("the store does not hold what was acknowledged")

// docOf is what a store keeps of a game.
func docOf(id string) string { return fmt.Sprintf(`{"game":%q}`, id) }

// moveOf is the move of a game at a ply.
func moveOf(id string, ply int) string { return fmt.Sprint(id, "-", ply) }

// reopen closes the store and opens it again.
func (h *hour) reopen() (err error) {
	if h.store != nil {
		err, h.store = h.store.Close(), nil
	}
	if err == nil {
		h.store, err = Open(h.dir)
	}
	return err
}

// play makes so many turns of three games at a time: a move is written and the game read.
// Games end and others begin, a job writes, and now and then the server starts anew.
func (h *hour) play(turns int) error {
	if err := h.reopen(); err != nil {
		return err
	}
	if err := h.store.AddJob("job", "owner", "running", []byte("{}")); err != nil {
		return err
	}
	for turn := range turns {
		id := fmt.Sprint("g", turn/12*3+turn%3)
		if h.moves[id] == nil {
			if err := h.begin(turn/12*3 + turn%3); err != nil {
				return err
			}
		}
		if err := h.move(id); err != nil {
			return err
		}
		var err error
		switch {
		case len(h.moves[id]) == 4:
			h.doing = id
			if err = h.store.SaveGame(id, "over", []byte(docOf(id))); err == nil {
				h.over[id] = true
			}
		case turn%6 == 3:
			err = errors.Join(h.store.PutBlob("job", "checkpoint", bytes.Repeat([]byte{byte(turn)}, 6000)),
				h.store.AddLine("job", turn, []byte("{}")))
		case turn%10 == 9:
			err = h.reopen()
		}
		if err != nil {
			return err
		}
	}
	return h.compare(h.store, false)
}

// begin opens a game.
func (h *hour) begin(n int) error {
	id := fmt.Sprint("g", n)
	h.doing = id
	err := h.store.AddGame(id, "playing", []byte(docOf(id)))
	if err == nil {
		h.moves[id] = []string{}
	}
	return err
}

// move adds a move to a game and reads it.
func (h *hour) move(id string) error {
	h.doing = id
	ply := len(h.moves[id])
	if err := h.store.AddMove(id, ply, moveOf(id, ply), 0, 0); err != nil {
		return err
	}
	h.moves[id] = append(h.moves[id], moveOf(id, ply))
	_, moves, _, err := h.store.Game(context.Background(), id)
	if err == nil && !slices.Equal(moves, h.moves[id]) {
		err = fmt.Errorf("%s has the moves %v: %w", id, moves, errOther)
	}
	return err
}

// compare says what of a store is not as it was acknowledged. With may, what was being
// written when something failed may be there or not.
func (h *hour) compare(s *Store, may bool) error {
	ctx, seen := context.Background(), map[string]string{}
	for _, state := range []string{"playing", "over"} {
		ids, err := s.Games(ctx, state, 1000)
		if err != nil {
			return err
		}
		for _, id := range ids {
			seen[id] = state
		}
	}
	for id := range h.moves {
		if seen[id] == "" {
			return fmt.Errorf("%s is lost: %w", id, errOther)
		}
	}
	for id, state := range seen {
		doc, moves, _, err := s.Game(ctx, id)
		if err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
		want, known := h.moves[id]
		pending := may && id == h.doing
		if pending && len(moves) == len(want)+1 {
			want = append(slices.Clone(want), moveOf(id, len(want)))
		}
		if !known && !pending || !slices.Equal(moves, want) || string(doc) != docOf(id) ||
			(state == "over") != h.over[id] && !pending {
			return fmt.Errorf("%s is %s and has the moves %v, not %v: %w", id, state, moves, want, errOther)
		}
	}
	return nil
}

// lost compares what remains of the store's files after a loss of power.
func (h *hour) lost(files map[string][]byte) error {
	dir := filepath.Join(h.dir, "lost")
	if _, err := os.Stat(filepath.Join(h.dir, File)); err != nil {
		return nil // it was being made
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) { // first as it was made, in a folder beside
		if filepath.Base(name) != File && filepath.Dir(name) != h.dir {
			continue // the journal of its making
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), files[name], 0o600); err != nil {
			return err
		}
	}
	s, err := Open(dir)
	if err != nil {
		return err
	}
	found, err := s.CheckIntegrity(context.Background())
	if len(found) > 0 {
		err = errors.Join(err, fmt.Errorf("damaged: %v", found))
	}
	return errors.Join(err, h.compare(s, true), s.Close(), os.RemoveAll(dir))
}

// copyOf returns what the files of a store hold.
func copyOf(dir string) map[string][]byte {
	files := map[string][]byte{}
	for _, name := range []string{File, File + "-wal"} {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
			files[filepath.Join(dir, name)] = data
		}
	}
	return files
}

// failAt plays with the n-th input or output failing, and says what of its promises the
// store breaks. It returns what failed, nothing where there is no n-th.
func failAt(dir string, turns, n int, lasting bool) (failed string, err error) {
	h := &hour{dir: dir, moves: map[string][]string{}, over: map[string]bool{}}
	defer func() {
		if h.store != nil {
			err = errors.Join(err, h.store.Close())
		}
	}()
	failing.synced = map[string][]byte{}
	failing.arm(n, lasting)
	fault := h.play(turns)
	if err := h.whileFailing(fault); err != nil {
		return "", err
	}
	synced, all := failing.onDisk(), copyOf(dir)
	if _, failed = failing.mend(); failed == "" {
		return "", fault
	}
	if fault == nil { // it was of no consequence
		return failed, h.reopenWhole()
	}
	if !strings.Contains(fault.Error(), "disk I/O error") {
		return failed, fmt.Errorf("the error says %w", fault)
	}
	if err := errors.Join(h.lost(synced), h.lost(all)); err != nil {
		return failed, fmt.Errorf("after %w, and a loss of power: %w", fault, err)
	}
	if err := h.goOn(); err != nil {
		return failed, fmt.Errorf("mended after %w: %w", fault, err)
	}
	return failed, nil
}

// whileFailing asks a store after an input or output has failed, which may fail again: it
// says nothing else than what was acknowledged, and not that it is well while it is not.
func (h *hour) whileFailing(fault error) error {
	if h.store == nil || fault == nil {
		return nil
	}
	err := h.compare(h.store, false)
	for _, never := range []error{errOther, ErrNotFound, ErrDamaged} {
		if errors.Is(err, never) {
			return fmt.Errorf("after %w: %w", fault, err)
		}
	}
	if failing.isDown() {
		if h.store.CheckHealth(context.Background()) == nil {
			return fmt.Errorf("after %w: the store says that it is well", fault)
		}
	} else if err != nil {
		return fmt.Errorf("after %w, once: %w", fault, err)
	}
	return nil
}

// goOn plays on in a store whose disk works again, and opens it again.
func (h *hour) goOn() error {
	if h.store == nil {
		if err := h.reopen(); err != nil {
			return err
		}
		if err := h.settle(); err != nil {
			return err
		}
	}
	h.store.probed = time.Time{}
	if err := h.store.CheckHealth(context.Background()); err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(h.moves)) {
		if err := h.move(id); err != nil {
			return err
		}
	}
	return h.reopenWhole()
}

// settle takes over from a store that was closed while something was written what is there.
func (h *hour) settle() error {
	if err := h.compare(h.store, true); err != nil {
		return err
	}
	_, moves, _, err := h.store.Game(context.Background(), h.doing)
	if err == nil {
		h.moves[h.doing] = moves
	} else if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// reopenWhole opens the store again: it is whole, and holds what was acknowledged.
func (h *hour) reopenWhole() error {
	if err := h.reopen(); err != nil {
		return err
	}
	found, err := h.store.CheckIntegrity(context.Background())
	if len(found) > 0 {
		err = errors.Join(err, fmt.Errorf("damaged: %v", found))
	}
	return errors.Join(err, h.compare(h.store, false))
}

// failEverywhere has each input and output of a while of play fail, once and for good.
func failEverywhere(t *testing.T, turns int) {
	must(t, failing.install())
	t.Cleanup(failing.remove)
	for _, lasting := range []bool{false, true} {
		kinds := map[string]int{}
		for n := 1; ; n++ {
			failed, err := failAt(filepath.Join(t.TempDir(), "store"), turns, n, lasting)
			if err != nil {
				t.Fatalf("%d (lasting %v), %s: %v", n, lasting, failed, err)
			}
			if failed == "" {
				break
			}
			what, name, _ := strings.Cut(failed, " of ")
			kinds[what+" of "+filepath.Base(name)]++
		}
		t.Logf("lasting %v: %v", lasting, kinds)
		for _, kind := range []string{"read", "write", "sync"} {
			for _, name := range []string{File, File + "-wal"} {
				if kinds[kind+" of "+name] == 0 {
					t.Errorf("no %s of %s has failed", kind, name)
				}
			}
		}
	}
}

// TestFailingDiskSequential: whichever input or output fails, and whether it works again or
// not, nothing that was acknowledged is lost and nothing else is there: in the store as it
// is, opened again, and after a loss of power with or without what was not synced.
func TestFailingDiskSequential(t *testing.T) { failEverywhere(t, 14) }
