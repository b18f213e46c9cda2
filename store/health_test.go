package store

import (
	"database/sql"
	"errors"
	"runtime"
	"testing"
)

// TestPingWhileDamageIsMet: the writer meets damage while CheckHealth waits for it.
func TestPingWhileDamageIsMet(t *testing.T) {
	s := open(t, t.TempDir())
	begun, release := make(chan struct{}), make(chan struct{})
	met := make(chan error)
	go func() {
		met <- s.runWrite(func(*sql.Tx) error {
			close(begun)
			<-release
			return s.noteDamage("a row")
		})
	}()
	<-begun
	pinged := make(chan error)
	go func() { pinged <- s.CheckHealth(t.Context()) }()
	for len(s.ops) == 0 {
		runtime.Gosched()
	}
	close(release)
	if err := <-met; !errors.Is(err, ErrDamaged) {
		t.Error(err)
	}
	if err := <-pinged; err != nil {
		t.Error(err)
	}
	if err := s.CheckHealth(t.Context()); !errors.Is(err, ErrDamaged) {
		t.Error(err)
	}
}
