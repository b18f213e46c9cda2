package engine

import (
	"fmt"
	"slices"
	"sync"
	"time"
)

// Keeper keeps programs after their game for the next one that is to be played with them, as managers of tournaments
// do: [New] takes one where it can. Kept are those that have done nothing wrong, and of which the protocol has a word
// for another game or needs none. The zero value is empty; a nil Keeper keeps nothing.
type Keeper struct {
	mu     sync.Mutex
	kept   []*keptProgram // the one that has waited longest first
	closed bool
	ending sync.WaitGroup
}

// keptProgram is a program between two games. key says which games it is for.
type keptProgram struct {
	key, protocol, farewell string
	conn                    *Conn
	expiry                  *time.Timer
}

// The most programs that wait for a game, and for how long they do.
const (
	// Each is a process that may hold a table of its size in memory.
	mostKept = 16
	keptFor  = time.Minute
)

// keptKey is the key of programs that can take each other's games.
// It has what a program was told at its start and is not told again: its game, its rule and its memory.
func keptKey(command, game string, o ClientOptions) string {
	return fmt.Sprintf("%q %s %d %d", command, game, o.Rule, o.Limit.Memory)
}

// keep takes a program over, and reports whether it does. It ends the one that has waited longest where too many wait.
func (k *Keeper) keep(p *keptProgram) bool {
	if k == nil || p.key == "" {
		return false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed {
		return false
	}
	k.kept = append(k.kept, p)
	p.expiry = time.AfterFunc(keptFor, func() { k.end(p) })
	if len(k.kept) > mostKept {
		k.endLocked(k.kept[0])
	}
	return true
}

// take hands out the program of that key that was kept last, nil where there is none.
func (k *Keeper) take(key string) *keptProgram {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for i, p := range slices.Backward(k.kept) {
		if p.key == key {
			k.kept = slices.Delete(k.kept, i, i+1)
			p.expiry.Stop()
			return p
		}
	}
	return nil
}

// end ends programs, unless they have been taken.
func (k *Keeper) end(programs ...*keptProgram) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.endLocked(programs...)
}

// endLocked is end where mu is held. It does not wait for the programs.
func (k *Keeper) endLocked(programs ...*keptProgram) {
	for _, p := range programs {
		if i := slices.Index(k.kept, p); i >= 0 {
			k.kept = slices.Delete(k.kept, i, i+1)
			p.expiry.Stop()
			k.ending.Go(func() { endProgram(p.conn, p.farewell) })
		}
	}
}

// endIdlePrograms ends the programs that wait, for what they hold is wanted elsewhere.
func (k *Keeper) endIdlePrograms() {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.endLocked(slices.Clone(k.kept)...)
}

// Close ends the programs that wait for a game, and waits until they have ended. No others are kept from then on.
func (k *Keeper) Close() {
	k.mu.Lock()
	k.closed = true
	k.endLocked(slices.Clone(k.kept)...)
	k.mu.Unlock()
	k.ending.Wait()
}
