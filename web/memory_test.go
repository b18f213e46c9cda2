package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

var (
	errNotFound = errors.New("not found")
	errTaken    = errors.New("taken")
)

// memory is a store that forgets all at the end of a test.
type memory struct {
	mu                   sync.Mutex
	broken               bool // refuses all writes
	saveless, chanceless bool // refuses changes of games, refuses every second move

	slow   time.Duration // that a new game takes
	order  []string
	games  map[string]*memoryGame
	tokens map[string][3]string // by hash: bot, id, scopes
	bots   map[string]int64     // when each was made
	made   int64                // of the last one
	files  []memoryFile         // the latest first
	memoryJobs
}

type memoryFile struct {
	kind, name string
	doc, data  []byte
}

type memoryGame struct {
	state  string
	doc    []byte
	moves  []string
	clocks [][2]time.Duration
}

func newMemory() *memory {
	return &memory{games: map[string]*memoryGame{}, tokens: map[string][3]string{}, bots: map[string]int64{}}
}

// hosted gives a server a store.
func hosted(m *memory) func(*Config) {
	return func(o *Config) { o.Store, o.NotFound, o.Taken = m, errNotFound, errTaken }
}

// write does a write, unless the store is broken.
func (m *memory) write(do func() error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.broken {
		return errors.New("the disk is full")
	}
	return do()
}

func (m *memory) UsedBytes(context.Context) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.broken {
		return 0, errors.New("the disk is gone")
	}
	return int64(len(m.games) + len(m.bots) + len(m.jobs) + len(m.files)), nil
}

func (m *memory) AddGame(id, state string, doc []byte) error {
	time.Sleep(m.slow)
	return m.write(func() error {
		m.games[id] = &memoryGame{state: state, doc: doc}
		m.order = append(m.order, id)
		return nil
	})
}

func (m *memory) SaveGame(id, state string, doc []byte) error {
	return m.write(func() error {
		g, ok := m.games[id]
		if m.saveless {
			return errors.New("the disk is full")
		}
		if !ok {
			return errNotFound
		}
		g.state, g.doc = state, doc
		return nil
	})
}

func (m *memory) AddMove(id string, ply int, move string, first, second time.Duration) error {
	return m.write(func() error {
		g := m.games[id]
		if m.chanceless && ply%2 == 1 {
			return errors.New("the disk is full")
		}
		if g == nil || len(g.moves) != ply {
			return fmt.Errorf("ply %d is not the next", ply)
		}
		g.moves, g.clocks = append(g.moves, move), append(g.clocks, [2]time.Duration{first, second})
		return nil
	})
}

func (m *memory) CutMoves(id string, plies int) error {
	return m.write(func() error {
		g := m.games[id]
		if g == nil || len(g.moves) < plies {
			return fmt.Errorf("there are no %d moves", plies)
		}
		g.moves, g.clocks = g.moves[:plies], g.clocks[:plies]
		return nil
	})
}

func (m *memory) Game(_ context.Context, id string) ([]byte, []string, [][2]time.Duration, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	g, ok := m.games[id]
	if !ok {
		return nil, nil, nil, errNotFound
	}
	return g.doc, slices.Clone(g.moves), slices.Clone(g.clocks), nil
}

func (m *memory) Games(_ context.Context, state string, limit int) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var ids []string
	for _, id := range m.order {
		if m.games[id].state == state && len(ids) < limit {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

func (m *memory) AddBot(name, id string, hash []byte, scopes string) error {
	return m.write(func() error {
		if m.bots[name] > 0 {
			return errTaken
		}
		m.made = max(m.made+1, time.Now().UnixMilli())
		m.bots[name] = m.made
		m.tokens[string(hash)] = [3]string{name, id, scopes}
		return nil
	})
}

func (m *memory) AddToken(bot, id string, hash []byte, scopes string) error {
	return m.write(func() error {
		m.tokens[string(hash)] = [3]string{bot, id, scopes}
		return nil
	})
}

func (m *memory) Token(_ context.Context, hash []byte) (string, int64, string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, ok := m.tokens[string(hash)]
	if !ok {
		return "", 0, "", errNotFound
	}
	return t[0], m.bots[t[0]], t[2], nil
}

func (m *memory) Revoke(bot, id string) error {
	return m.write(func() error {
		for hash, t := range m.tokens {
			if t[0] == bot && t[1] == id {
				delete(m.tokens, hash)
				return nil
			}
		}
		return errNotFound
	})
}

func (m *memory) AddFileIfAbsent(kind, name string, doc, data []byte) error {
	return m.write(func() error {
		for _, f := range m.files {
			if f.kind == kind && f.name == name {
				return nil
			}
		}
		// a copy, as a store keeps: the bytes of a request are used again after it
		m.files = append([]memoryFile{{kind, name, bytes.Clone(doc), bytes.Clone(data)}}, m.files...)
		return nil
	})
}

func (m *memory) AddOrReplaceFile(kind, name string, doc, data []byte) error {
	if err := m.write(func() error {
		m.files = slices.DeleteFunc(m.files, func(f memoryFile) bool { return f.kind == kind && f.name == name })
		return nil
	}); err != nil {
		return err
	}
	return m.AddFileIfAbsent(kind, name, doc, data)
}

func (m *memory) File(_ context.Context, kind, name string) ([]byte, []byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range m.files {
		if f.kind == kind && f.name == name {
			return f.doc, f.data, nil
		}
	}
	return nil, nil, errNotFound
}

func (m *memory) Files(_ context.Context, kind string, limit int) ([][]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var docs [][]byte
	for _, f := range m.files {
		if f.kind == kind && len(docs) < limit {
			docs = append(docs, f.doc)
		}
	}
	return docs, nil
}

func (m *memory) CheckHealth(context.Context) error { return nil }
