package cmd

import (
	"context"
	"fmt"
	"io"
	"net"
	"regexp"
	"strconv"
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

// TestGomocupBoards: boards of up to 448 squares are played to their last column, as docs/arena.md says, and others
// are refused.
func TestGomocupBoards(t *testing.T) {
	for start, want := range map[string]string{
		"START 21":        "OK",
		"START 22":        "ERROR .* at most 448 squares",
		"RECTSTART 64,7":  "OK",
		"RECTSTART 100,2": "OK",
		"RECTSTART 500,2": "ERROR .* at most 448 squares",
		"RECTSTART 400,1": "ERROR .* fit both ways",
		"START 4":         "ERROR .* does not fit",
	} {
		cols := strings.Split(strings.Fields(start)[1], ",")[0]
		last, err := strconv.Atoi(cols)
		if err != nil {
			t.Fatal(err)
		}
		if want == "OK" {
			want = fmt.Sprintf(`OK\n%d,0\nOK\n\d+,\d+\n$`, last-1)
		}
		// O has four in a row at the right end, of which only the last square is left.
		script := fmt.Sprintf("%s\nINFO timeout_turn 0\nBOARD\n", start)
		for i := range 4 {
			script += fmt.Sprintf("%d,0,2\n%d,%d,1\n", last-2-i, []int{last - 6, 0, 2, 4}[i], min(i, 1))
		}
		script += fmt.Sprintf("DONE\nRESTART\nTURN %d,0\nEND\n", last-1)
		var out, errs strings.Builder
		if status := runCommandLine(t.Context(), []string{"engine", "gomocup"}, strings.NewReader(script), &out,
			&errs); status != exitDone {
			t.Errorf("%s: status %d: %s", start, status, errs.String())
		}
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("%s is answered\n%s\nwant %s", start, out.String(), want)
		}
	}
}
