package cmd

import (
	"context"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// shortOfFiles is a listener that can't accept the first connections.
type shortOfFiles struct {
	net.Listener
	failures int
}

func (l *shortOfFiles) Accept() (net.Conn, error) {
	if l.failures > 0 {
		l.failures--
		return nil, &net.OpError{Op: "accept", Err: syscall.EMFILE}
	}
	return l.Listener.Accept()
}

// TestQuizWelcome: the quiz's server outlives a lack of files, and serves no
// more connections at a time than it has places for.
func TestQuizWelcome(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer context.AfterFunc(ctx, func() { l.Close() })()
	var errs strings.Builder
	var served, most, firsts atomic.Int32
	leave := make(chan struct{})
	done := make(chan error)
	go func() {
		a := &app{printer: printer{errs: &errs}}
		done <- a.acceptPlayers(ctx, &shortOfFiles{l, 2}, func(c net.Conn, first bool) {
			if now := served.Add(1); now > most.Load() {
				most.Store(now)
			}
			if first {
				firsts.Add(1)
			}
			<-leave
			served.Add(-1)
		})
	}()
	const guests = mostGuests + 10
	var conns []net.Conn
	for range guests {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, c)
	}
	for served.Load() < mostGuests {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(50 * time.Millisecond) // in which more could come
	close(leave)
	for _, c := range conns {
		if _, err := c.Read(make([]byte, 1)); err != io.EOF {
			t.Errorf("a connection ends with %v", err)
		}
		c.Close()
	}
	cancel()
	if err := <-done; err != nil || most.Load() != mostGuests || firsts.Load() != guests/2 {
		t.Errorf("%v; %d at a time, %d first", err, most.Load(), firsts.Load())
	}
	if got := errs.String(); strings.Count(got, "too many open files") != 1 {
		t.Errorf("it says %q", got)
	}
}
