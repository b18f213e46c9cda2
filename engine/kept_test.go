package engine

import (
	"bufio"
	"fmt"
	"net"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestKeeperLimits: programs wait for a minute, and no more than 16 of them; the one that was kept last is taken first.
func TestKeeperLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var k Keeper
		var ended atomic.Int32
		put := func(key, name string) {
			ours, theirs := net.Pipe()
			go func() {
				for in := bufio.NewScanner(theirs); in.Scan(); {
					if in.Text() != "quit" {
						t.Errorf("a program that ends is told %q", in.Text())
					}
				}
				ended.Add(1)
			}()
			if !k.keep(&keptProgram{key: key, protocol: name, farewell: "quit", conn: NewConn(ours)}) {
				t.Errorf("%s is not kept", name)
			}
		}
		check := func(want int32) {
			t.Helper()
			synctest.Wait()
			if n := ended.Load(); n != want {
				t.Errorf("%d programs have ended, want %d", n, want)
			}
		}
		put("a", "first")
		put("b", "other")
		time.Sleep(keptFor / 2)
		put("a", "second")
		if p := k.take("a"); p == nil || p.protocol != "second" {
			t.Errorf("%+v is taken", p)
		} else {
			defer p.conn.Close()
		}
		if p := k.take("c"); p != nil {
			t.Errorf("%+v is taken for c", p)
		}
		check(0)
		time.Sleep(keptFor)
		check(2)
		for i := range mostKept + 3 {
			put(fmt.Sprint(i), "many")
		}
		check(5)
		k.endIdlePrograms()
		check(5 + mostKept)
		put("a", "last")
		k.Close()
		check(6 + mostKept)
		if k.keep(&keptProgram{key: "a"}) {
			t.Error("a closed keeper keeps a program")
		}
	})
}
