package store

import (
	"fmt"
	"sync/atomic"
	"testing"
)

// BenchmarkAddMove writes the moves of many games at once, each durable before
// it is acknowledged.
func BenchmarkAddMove(b *testing.B) {
	s := open(b, b.TempDir())
	var games atomic.Int64
	b.SetParallelism(100)
	b.RunParallel(func(pb *testing.PB) {
		id := fmt.Sprint("g", games.Add(1))
		if err := s.AddGame(id, "playing", []byte("{}")); err != nil {
			b.Error(err)
		}
		for ply := 0; pb.Next(); ply++ {
			if err := s.AddMove(id, ply, "e5", 0, 0); err != nil {
				b.Error(err)
			}
		}
	})
}
