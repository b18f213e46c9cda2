//go:build unix

package web

import (
	"fmt"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// BenchmarkOpenGame opens games where so many others are open. The kept bytes are what a
// game takes from then on, with what the test's store has of it.
func BenchmarkOpenGame(b *testing.B) {
	held := func() (m runtime.MemStats) {
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m
	}
	spent := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	for _, games := range []int{10, 10_000, 50_000} {
		b.Run(fmt.Sprint(games), func(b *testing.B) {
			open := lobbyOf(b, games)
			before, begin := held(), spent()
			b.ReportAllocs()
			for b.Loop() {
				open()
			}
			b.ReportMetric((spent()-begin).Seconds()*1000/float64(b.N), "cpu-ms/op")
			b.ReportMetric(float64(int64(held().HeapAlloc-before.HeapAlloc))/float64(b.N), "kept-B/op")
		})
	}
}
