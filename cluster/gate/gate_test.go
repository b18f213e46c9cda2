package gate

import (
	"context"
	"testing"
	"testing/synctest"
)

// TestGate sees that parts of a higher priority do not wait for those of a lower
// one, and that each priority by itself fills all slots and no more.
func TestGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(2)
		closed := func(level int) bool {
			ctx, cancel := context.WithCancel(t.Context())
			failed := make(chan error, 1)
			go func() { failed <- g.WaitForTurn(ctx, level) }()
			synctest.Wait()
			select {
			case <-failed:
				cancel()
				return false
			default:
			}
			cancel()
			return <-failed != nil
		}
		g.Enter(2)
		g.Enter(2)
		if !closed(2) || closed(1) || closed(0) {
			t.Error("two low parts keep others than low ones out, or not even these")
		}
		g.Enter(1)
		if closed(1) || closed(0) || !closed(2) {
			t.Error("a normal part beside low ones")
		}
		g.Enter(0)
		if !closed(1) || closed(0) {
			t.Error("a high part counts for normal ones, and high ones still fit")
		}
		waiting := make(chan error, 1)
		go func() { waiting <- g.WaitForTurn(t.Context(), 1) }()
		synctest.Wait()
		g.Leave(0)
		if err := <-waiting; err != nil {
			t.Error(err)
		}
	})
}
