package typed

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"oxo/engine"
	"oxo/lab/internal/game"
)

// program plays over the quiz's protocol as its message says, and nothing of ours:
// it makes the given moves in turn, each as often as it is asked, and returns all
// that it was told.
func program(c net.Conn, moves ...string) []string {
	defer c.Close()
	var told []string
	in := bufio.NewReader(c)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return told
		}
		line = strings.Join(strings.Fields(line), "")
		told = append(told, line)
		switch {
		case len(told) == 2: // mark and size
			fmt.Fprint(c, "a program\n")
		case line == "move" && len(moves) == 0:
			return told
		case line == "move":
			fmt.Fprint(c, moves[0]+"\r\n")
			moves = moves[1:]
		}
	}
}

// arrived is a guest who is there.
func arrived(c net.Conn) game.QuizGuest {
	return func(context.Context) (net.Conn, error) { return c, nil }
}

// TestQuizMeeting: two programs meet at our server; each is told every state, its
// own end, and nothing where the game is drawn or the other one was never there.
func TestQuizMeeting(t *testing.T) {
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("ttt")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		first, second string // their moves
		result        string // of the record; empty where a program leaves
		ends          [2]string
		states        int // that each was told
	}{
		{"0,0 0,1 0,2", "1,1 2,2", "first", [2]string{"win", "lose"}, 6},
		{"0,0|\t0 , 1 |2,2", "1,0 1,1 1,2", "second", [2]string{"lose", "win"}, 7},
		{"0,0|0,1|1,2|2,0|2,2", "0,2 1,0 1,1 2,1", "draw", [2]string{"X_", "X_"}, 10},
		{"5,5|1 1|1,1|0,0", "1,1 0,1 2,2", "", [2]string{"move", "win"}, 0},
	} {
		var conns [2]net.Conn
		var told [2]chan []string
		for i, moves := range []string{c.first, c.second} {
			ours, theirs := net.Pipe()
			conns[i], told[i] = ours, make(chan []string, 1)
			list := strings.Split(moves, "|")
			if !strings.Contains(moves, "|") {
				list = strings.Fields(moves)
			}
			go func() { told[i] <- program(theirs, list...) }()
		}
		guests := [2]game.QuizGuest{arrived(conns[0]), arrived(conns[1])}
		r, err := g.Contesting().HostQuiz(t.Context(), guests, "", "welcome")
		switch {
		case (err != nil) != (c.result == ""):
			t.Errorf("%s against %s: %v", c.first, c.second, err)
		case err == nil && (r.Result != c.result || r.First != "a program" || r.Second != "a program"):
			t.Errorf("%s against %s: record %+v", c.first, c.second, r)
		}
		for i := range told {
			lines := <-told[i]
			states := 0
			for _, line := range lines {
				if len(line) == 9 && strings.Trim(line, "_XO") == "" {
					states++
				}
			}
			if lines[0] != "welcome" || lines[1] != [2]string{"X3x3", "O3x3"}[i] || lines[2] != "_________" ||
				c.states > 0 && states != c.states {
				t.Errorf("program %d of %s against %s is told %q", i, c.first, c.second, lines)
			}
			if last := lines[len(lines)-1]; last != c.ends[i] &&
				!(c.ends[i] == "X_" && !strings.Contains(last, "_") && strings.HasPrefix(last, "X")) {
				t.Errorf("program %d of %s against %s is last told %q, want %s", i, c.first, c.second, last, c.ends[i])
			}
		}
	}
}

// server hosts one game against a connected program as the message says, and plays
// the first free square for O. It writes boards in one word and a word in two.
func server(c net.Conn) string {
	defer c.Close()
	in := bufio.NewReader(c)
	board := []byte("_________")
	fmt.Fprint(c, "a server\nX 3x3\n")
	if _, err := in.ReadString('\n'); err != nil {
		return err.Error()
	}
	for ply := range 9 {
		fmt.Fprintf(c, "%s \n", board)
		if ply%2 == 1 {
			board[strings.IndexByte(string(board), '_')] = 'O'
		} else {
			fmt.Fprint(c, "mo ve\n")
			row, col := 0, 0
			line, err := in.ReadString('\n')
			if err != nil {
				return err.Error()
			}
			if n, err := fmt.Sscanf(line, "%d,%d\n", &row, &col); n != 2 || board[3*row+col] != '_' {
				return fmt.Sprintf("%q: %v", line, err)
			}
			board[3*row+col] = 'X'
		}
		for _, l := range []string{"012", "345", "678", "036", "147", "258", "048", "246"} {
			if m := board[l[0]-'0']; m != '_' && m == board[l[1]-'0'] && m == board[l[2]-'0'] {
				fmt.Fprintf(c, "%s\n%s\n", board, map[byte]string{'X': "win", 'O': "lose"}[m])
				return string(m)
			}
		}
	}
	return "draw"
}

// TestQuizVisit: our program at a server that was written from the message alone.
func TestQuizVisit(t *testing.T) {
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("ttt")
	if err != nil {
		t.Fatal(err)
	}
	played, err := g.Contesting().NewEngine(t.Context(), "perfect")
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := net.Pipe()
	end := make(chan string, 1)
	go func() { end <- server(theirs) }()
	r, err := engine.PlayQuiz(t.Context(), engine.NewConn(ours), played, "oxo", time.Second)
	ours.Close()
	if got := <-end; err != nil || r.Value.String() != map[string]string{"X": "win", "draw": "draw"}[got] {
		t.Errorf("the server says %q, we %v, %v", got, r.Value, err)
	}
}
