package lab

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"
)

// firstFree is a guest that plays the first free square of ttt, and counts how
// often it is told that it is over.
type firstFree struct {
	taken  map[string]bool
	closed int
}

func (g *firstFree) Choose(_ context.Context, since []string, _, _ time.Duration) (string, time.Duration, error) {
	for _, m := range since {
		g.taken[m] = true
	}
	for _, m := range strings.Fields("a3 b3 c3 a2 b2 c2 a1 b1 c1") {
		if !g.taken[m] {
			g.taken[m] = true
			return m, 0, nil
		}
	}
	return "", 0, nil
}

func (g *firstFree) End([]string, string, string, string) {}

func (g *firstFree) Close() error { g.closed++; return nil }

// TestHostQuizEnds: when the game is over, or the program has gone, the player
// against it, which may be another program, is ended too.
func TestHostQuizEnds(t *testing.T) {
	for _, leaves := range []bool{false, true} {
		own := &firstFree{taken: map[string]bool{}}
		l := &Lab{Invite: func(_ context.Context, _ string, g GuestGame) (Guest, error) {
			own.taken["b2"] = true // the position has it
			return own, nil
		}}
		g, err := l.Game("ttt")
		if err != nil {
			t.Fatal(err)
		}
		ours, theirs := net.Pipe()
		go func() {
			defer theirs.Close()
			moves := strings.Fields("1,1 2,0 0,2 2,2 1,0 0,1 1,2 2,1")
			for in := bufio.NewScanner(theirs); in.Scan(); {
				switch {
				case in.Text() == "X 3x3":
					fmt.Fprintln(theirs, "hello")
				case in.Text() != "move":
				case len(moves) == 0 || leaves && len(moves) < 7:
					return
				default:
					fmt.Fprintln(theirs, strings.Replace(moves[0], ",", " ", 1))
					moves = moves[1:]
				}
			}
		}()
		r, err := g.HostQuiz(t.Context(), ours, true, "bot:own", "welcome")
		if leaves != (err != nil) {
			t.Errorf("the program leaves: %v; record %+v, error %v", leaves, r, err)
		}
		if own.closed != 1 {
			t.Errorf("the program leaves: %v; the player against it was closed %d times, want once", leaves, own.closed)
		}
	}
}
