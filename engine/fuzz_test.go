package engine_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"oxo"
	"oxo/engine"
	"oxo/games/ultimate"
)

// clean reports a server's answer that no client could read.
func clean(t *testing.T, script, out string) {
	t.Helper()
	if out != "" && !strings.HasSuffix(out, "\n") || strings.Contains(out, "\n\n") {
		t.Errorf("%q is answered %q", script, out)
	}
}

func FuzzServeUGI(f *testing.F) {
	f.Add("ugi\nisready\nposition startpos moves a1\ngo depth 3\nquery result\nquit\n")
	f.Add("position fen x../.o./... x moves c1 a1\rgo p1time 10 p2inc -5\r\nstop\ngo infinite")
	f.Add("position fen moves\ngo movetime 99999999999999999999\nsetoption name hash value 7\n\x00\xff")
	f.Fuzz(func(t *testing.T, script string) {
		var out bytes.Buffer
		if err := engine.ServeUGI(context.Background(), strings.NewReader(script), &out, firstMover(tttGame()),
			"mnk:3,3,3", nil, about); err != nil {
			t.Error(err)
		}
		clean(t, script, out.String())
	})
}

func FuzzServeGomocup(f *testing.F) {
	f.Add("START 5\nBEGIN\nTURN 1,1\nTAKEBACK 0,0\nEND\n")
	f.Add("RECTSTART 6,5\nBOARD\n1,1,2\nDONE\nINFO time_left -9\nRESTART\nSUGGEST\nPLAY 1,1\nINFO rule 1\nBEGIN")
	f.Add("START 5\r\nTURN 9999999999999999999,1\rBOARD\nx\nTURN -1,-1\nABOUT\n")
	f.Fuzz(func(t *testing.T, script string) {
		var out bytes.Buffer
		if err := engine.ServeGomocup(context.Background(), strings.NewReader(script), &out,
			engine.Gomocup{Open: openRows}); err != nil {
			t.Error(err)
		}
		clean(t, script, out.String())
	})
}

func FuzzServeCodinGame(f *testing.F) {
	f.Add("-1 -1\n2\n4 4\n0 0\n0 1\n3\n0 3\n0 4\n0 5\n")
	f.Add("9 9 1 -5 700 3 3 1 2 2")
	game := firstMover(ultimate.New(0))
	f.Fuzz(func(t *testing.T, script string) {
		var out bytes.Buffer
		engine.ServeCodinGame(context.Background(), strings.NewReader(script), &out, game, nil)
		clean(t, script, out.String())
	})
}

// listener is a connection on which what we say is forgotten.
type listener struct{ net.Conn }

func (listener) Write(p []byte) (int, error) { return len(p), nil }

// talk makes a connection on which the other side says the script and closes.
func talk(t *testing.T, script string) *engine.Conn {
	ours, theirs := net.Pipe()
	go func() {
		io.WriteString(theirs, script)
		theirs.Close()
	}()
	t.Cleanup(func() { ours.Close() })
	return engine.NewConn(listener{ours})
}

// FuzzClients lets programs say anything: a client answers with a legal move
// or an error.
func FuzzClients(f *testing.F) {
	for _, script := range []string{
		"ugiok\nreadyok\ninfo depth 3 score cp 5 value 2 pv\nbestmove b2\nbestmove a1\n",
		"UNKNOWN\nOK\n1,1\nSUGGEST 1,1\n2,2", "2 2\n0 0",
		"bestmove", "OK\n9,9", "-1 -1", "ERROR", "ugiok\rreadyok\rbestmove  ", "hello\n1 1\nx\n2 2", "\x00\n\xff",
	} {
		f.Add(script)
	}
	g, u := tttGame(), ultimate.New(0)
	o := engine.ClientOptions{MoveTime: time.Second, Wait: time.Second, Startup: time.Second}
	f.Fuzz(func(t *testing.T, script string) {
		for _, protocol := range []string{"", "ugi", "gomocup"} {
			if p, err := engine.Greet(context.Background(), g, talk(t, script), protocol, o); err == nil {
				answers(t, g, p)
			}
		}
		if p, err := engine.Greet(context.Background(), u, talk(t, script), "codingame", o); err == nil {
			answers(t, u, p)
		}
		if q, err := hostQuiz(context.Background(), g, talk(t, script), oxo.First, "hello", o); err == nil {
			answers(t, g, q)
		}
		engine.PlayQuiz(context.Background(), talk(t, script), firstMover(g), "hello", time.Second)
	})
}

// answers asks for the first moves of a game.
func answers[P oxo.Position[P]](t *testing.T, g *oxo.Game[P], p oxo.Player[P]) {
	t.Helper()
	for _, at := range []P{g.Start, g.Start.Play(0).Play(g.Start.Play(0).Moves(nil)[0])} {
		c, err := p.Choose(context.Background(), at)
		if err != nil {
			continue
		}
		if _, err := g.ParseMove(at, g.FormatMove(at, c.Move)); err != nil {
			t.Errorf("in %s: move %d: %v", g.Format(at), c.Move, err)
		}
		if c.Score < -1 || c.Score > 1 || c.Depth < 0 {
			t.Errorf("in %s: %+v", g.Format(at), c)
		}
	}
}

func FuzzSplitCommand(f *testing.F) {
	f.Add(`a "b c" 'd' \e`)
	f.Add(`"`)
	f.Fuzz(func(t *testing.T, text string) {
		words, err := engine.SplitCommand(text)
		if err != nil {
			return
		}
		// words in single quotes are read as they are
		quoted := ""
		for _, w := range words {
			quoted += " '" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		again, err := engine.SplitCommand(quoted)
		if err != nil || !slices.Equal(again, words) {
			t.Errorf("%q is split to %q, and that to %q, %v", text, words, again, err)
		}
	})
}
