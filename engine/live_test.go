package engine_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"oxo"
	"oxo/arena"
	"oxo/engine"
)

// deepThinker thinks until it is stopped.
func deepThinker(g *oxo.Game[pos]) engine.Engine {
	return engine.NewEngine(g, func(_ engine.Limit, report func(oxo.Choice, []oxo.Move)) (oxo.Player[pos], error) {
		return chooser[pos](func(ctx context.Context, p pos) (oxo.Choice, error) {
			c, err := firstMove(ctx, p)
			report(c, []oxo.Move{c.Move, p.Play(c.Move).Moves(nil)[0]})
			<-ctx.Done()
			return c, err
		}), nil
	})
}

// live runs a server and returns what says a line to it and what reads one.
func live(t *testing.T, serve func(in io.Reader,
	out io.Writer) error) (say func(string), hear func() string, end func()) {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- serve(in, out)
		out.Close()
	}()
	lines := bufio.NewReader(fromServer)
	say = func(line string) { fmt.Fprintln(toServer, line) }
	hear = func() string {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Errorf("no line: %v", err)
		}
		return strings.TrimSuffix(line, "\n")
	}
	end = func() {
		if err := <-done; err != nil {
			t.Error(err)
		}
		toServer.Close()
	}
	return say, hear, end
}

func TestUGIThinksAndStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		say, hear, end := live(t, func(in io.Reader, out io.Writer) error {
			return engine.ServeUGI(context.Background(), in, out, deepThinker(tttGame()), "mnk:3,3,3", nil, about)
		})
		begin := time.Now()
		say("go movetime 700")
		if got := hear(); got != "info depth 3 score cp 191 value +0.5000 time 0 nodes 7 pv a3 b3" {
			t.Error(got)
		}
		hear()
		if got := hear(); got != "bestmove a3" || time.Since(begin) != 690*time.Millisecond {
			t.Errorf("%s after %v", got, time.Since(begin))
		}
		say("go p1time 50000 p2time 1 p1inc 1000")
		hear()
		hear()
		if got := hear(); got != "bestmove a3" || time.Since(begin) != 690*time.Millisecond+2740*time.Millisecond {
			t.Errorf("%s after %v", got, time.Since(begin))
		}
		say("go infinite")
		hear()
		say("isready")
		if got := hear(); got != "readyok" {
			t.Error(got)
		}
		say("stop")
		hear()
		if got := hear(); got != "bestmove a3" {
			t.Error(got)
		}
		say("go infinite")
		hear()
		go say("quit")
		hear()
		if got := hear(); got != "bestmove a3" {
			t.Error(got)
		}
		end()
	})
}

// TestUGIAnswersEveryGo: a go of which nothing is understood takes the usual time, and clocks are those of
// White and Black too, for as many moves as are said.
func TestUGIAnswersEveryGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		say, hear, end := live(t, func(in io.Reader, out io.Writer) error {
			return engine.ServeUGI(context.Background(), in, out, deepThinker(tttGame()), "mnk:3,3,3", nil, about)
		})
		for _, c := range []struct {
			command string
			want    time.Duration
		}{
			{"go depth abc", 990 * time.Millisecond},
			{"go movetime", 990 * time.Millisecond},
			{"go movetime -5", 990 * time.Millisecond},
			{"go ponder", 990 * time.Millisecond},
			{"go btime 5000", 990 * time.Millisecond}, // the clock of the other side
			{"go movetime 700 ponder", 690 * time.Millisecond},
			{"go wtime 50000 btime 1 winc 1000 binc 0", 2740 * time.Millisecond},
			{"go wtime 50000 btime 1 movestogo 5", 9990 * time.Millisecond},
			{"go wtime 50000 btime 1 movestogo 1", 44990 * time.Millisecond},
			{"go wtime 50000 btime 1 movestogo 40", 1990 * time.Millisecond},
			{"go wtime -200 btime 1", 36 * time.Microsecond},
		} {
			begin := time.Now()
			say(c.command)
			line := hear()
			for strings.HasPrefix(line, "info") {
				line = hear()
			}
			if took := time.Since(begin); line != "bestmove a3" || took != c.want {
				t.Errorf("%s: %s after %v, want %v", c.command, line, took, c.want)
			}
		}
		say("quit")
		end()
	})
}

// TestUGIWithoutRefusedLimit: a player that can't keep to a limit makes its move without it; one that fails
// has none to make.
func TestUGIWithoutRefusedLimit(t *testing.T) {
	for fails, want := range map[bool]string{
		false: "info string no depth; this program thinks without that limit\n" + move + "a3\nbestmove a3\n",
		true: "info string no depth; this program thinks without that limit\ninfo string it is ill\n" +
			"bestmove (none)\n",
	} {
		g := engine.NewEngine(tttGame(), func(limit engine.Limit, _ func(oxo.Choice, []oxo.Move)) (oxo.Player[pos],
			error) {
			if limit.Depth > 0 {
				return nil, errors.New("no depth")
			}
			return chooser[pos](func(ctx context.Context, p pos) (oxo.Choice, error) {
				if fails {
					return oxo.Choice{}, errors.New("it is ill")
				}
				return firstMove(ctx, p)
			}), nil
		})
		session(t, func(ctx context.Context, in *strings.Reader, out *strings.Builder) error {
			return engine.ServeUGI(ctx, in, out, g, "mnk:3,3,3", nil, about)
		}, "go depth 3\n", want)
	}
}

func TestGomocupKeepsItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		say, hear, end := live(t, func(in io.Reader, out io.Writer) error {
			return engine.ServeGomocup(context.Background(), in, out,
				engine.Gomocup{Open: func(c, r int, exact bool) (engine.Engine, error) {
					return deepThinker(rows(c, r, 5, exact)), nil
				}})
		})
		say("START 6")
		hear()
		turn, took := 0, time.Duration(0)
		for _, c := range []struct {
			info string
			want time.Duration
		}{
			{"timeout_turn 1000", 970 * time.Millisecond},
			{"timeout_turn 100", 80 * time.Millisecond},
			{"timeout_turn 0", 10 * time.Millisecond},
			{"timeout_turn 5000", 4970 * time.Millisecond},
			{"timeout_match 50000", 1970 * time.Millisecond},
			{"time_left 25000", 970 * time.Millisecond},
			{"time_left -100", 10 * time.Millisecond},
			{"time_left 2147483647", 1970 * time.Millisecond},
			{"timeout_match 0", 4970 * time.Millisecond},
			{"time_left 9223372036854775807", 4970 * time.Millisecond},
		} {
			say("INFO " + c.info)
			begin := time.Now()
			say(fmt.Sprintf("TURN %d,5", turn%6))
			hear()
			if took = time.Since(begin); took != c.want {
				t.Errorf("with %s it takes %v, want %v", c.info, took, c.want)
			}
			if turn++; turn%3 == 0 {
				say("RESTART")
				hear()
			}
		}
		say("TURN 0,4")
		time.Sleep(time.Second)
		begin := time.Now()
		go say("END")
		hear()
		if end(); time.Since(begin) != 0 {
			t.Errorf("it ends after %v", time.Since(begin))
		}
	})
}

// A server answers what a script asks for, but does not go on for long where its
// manager is gone.
func TestServersEndWithTheirInput(t *testing.T) {
	gomocup := func(in io.Reader, out io.Writer) error {
		return engine.ServeGomocup(context.Background(), in, out,
			engine.Gomocup{Open: func(c, r int, exact bool) (engine.Engine, error) {
				return deepThinker(rows(c, r, 5, exact)), nil
			}})
	}
	ugi := func(in io.Reader, out io.Writer) error {
		return engine.ServeUGI(context.Background(), in, out, deepThinker(tttGame()), "mnk:3,3,3", nil, about)
	}
	for _, c := range []struct {
		serve  func(in io.Reader, out io.Writer) error
		script string
		want   time.Duration
		answer string
	}{
		{ugi, "go movetime 30000\n", 29990 * time.Millisecond, "bestmove a3\n"},
		{ugi, "go movetime 3600000\n", time.Second, "bestmove a3\n"},
		{ugi, "go\n", time.Second, "bestmove a3\n"},
		{ugi, "go infinite\n", 0, "bestmove a3\n"},
		{ugi, "go depth 100\n", time.Minute, "bestmove a3\n"},
		{ugi, "go depth 5\nstop\nisready\n", 0, "readyok\n"},
		{gomocup, "START 6\nINFO timeout_turn 30000\nBEGIN\n", 29970 * time.Millisecond, "0,0\n"},
		{gomocup, "START 6\nINFO timeout_turn 3600000\nBEGIN\n", time.Second, "0,0\n"},
		{gomocup, "START 6\nINFO timeout_turn 3600000\nBEGIN\nTURN 5,5\n", 2 * time.Second, "1,0\n"},
		{gomocup, "START 6\nINFO timeout_turn 30000\nBEGIN\nTURN 5,5\n", 59940 * time.Millisecond, "1,0\n"},
		{gomocup, "START 6\n", 0, "OK\n"},
	} {
		synctest.Test(t, func(t *testing.T) {
			var out strings.Builder
			begin := time.Now()
			err := c.serve(strings.NewReader(c.script), &out)
			if took := time.Since(begin); err != nil || took != c.want || !strings.HasSuffix(out.String(), c.answer) {
				t.Errorf("%q: %v after %v, want %v; it says\n%s", c.script, err, took, c.want, out.String())
			}
		})
	}
}

func TestCodinGameKeepsItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		begin := time.Now()
		err := engine.ServeCodinGame(context.Background(), strings.NewReader("-1 -1 1 0 0\n1 1 1 0 1\n"), &out,
			deepThinker(tttGame()), nil)
		if err != nil || out.String() != "0 0\n0 1\n" || time.Since(begin) != 885*time.Millisecond {
			t.Errorf("%q after %v, %v", out.String(), time.Since(begin), err)
		}
	})
}

func TestServersStopWithTheirContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	in, toServer := io.Pipe()
	defer toServer.Close()
	cancel()
	if err := engine.ServeUGI(ctx, in, io.Discard, firstMover(tttGame()), "x", nil, about); !errors.Is(err,
		context.Canceled) {
		t.Errorf("ugi: %v", err)
	}
	if err := engine.ServeGomocup(ctx, in, io.Discard, engine.Gomocup{Open: openRows}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("gomocup: %v", err)
	}
}

// The old network play over TCP: our server's seat against our client.
func TestQuizOverTCP(t *testing.T) {
	g := tttGame()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	type result struct {
		engine.QuizResult
		err error
	}
	for _, seat := range []oxo.Seat{oxo.First, oxo.Second} {
		results := make(chan result)
		go func() {
			c, err := net.Dial("tcp", listener.Addr().String())
			if err != nil {
				results <- result{err: err}
				return
			}
			conn := engine.NewConn(c)
			defer conn.Close()
			r, err := engine.PlayQuiz(context.Background(), conn, firstMover(g), "hello, I am first", time.Minute)
			results <- result{r, err}
		}()
		c, err := listener.Accept()
		if err != nil {
			t.Fatal(err)
		}
		guest, err := hostQuiz(context.Background(), g, engine.NewConn(c), seat, "welcome", patient)
		if err != nil {
			t.Fatal(err)
		}
		players := [2]oxo.Player[pos]{chooser[pos](firstMove[pos]), chooser[pos](firstMove[pos])}
		players[seat] = guest
		r := arena.Referee[pos]{Game: g}
		played, err := r.Play(context.Background(), players, arena.NoOpening(g), 1)
		if err != nil || played.Termination != oxo.EndNormal {
			t.Fatal(played.Termination, played.Reason, err)
		}
		if err := guest.End(played.Final, played.Outcome.Value(seat)); err != nil {
			t.Error(err)
		}
		got := <-results
		want := engine.QuizResult{Server: "welcome", Seat: seat, Value: played.Outcome.Value(seat)}
		want.Final = got.Final // the side to move is told by the seat, not by the board
		if got.err != nil || got.QuizResult != want ||
			!strings.HasPrefix(g.Format(played.Final), strings.Fields(got.Final)[0]) {
			t.Errorf("%+v, %v", got.QuizResult, got.err)
		}
		guest.Close()
	}
}

func TestQuizFaults(t *testing.T) {
	for script, want := range map[string]string{
		"":                                     "waiting for hello",
		"hi\n":                                 "waiting for mark",
		"hi\nX 4x4\n":                          "X 3x3 or O 3x3",
		"hi\nZ 3x3\n":                          "X 3x3 or O 3x3",
		"hi\nX 3x3\n":                          "has ended",
		"hi\nX 3x3\nmove\n":                    "asks for a move",
		"hi\nX 3x3\n___ ___\n":                 "no board of 3×3",
		"hi\nX 3x3\nXXX OO_ ___\nmove\n":       "asks for a move",
		"hi\nX 3x3\n" + emptyBoard(12) + "win": "refuses every move",
	} {
		_, err := engine.PlayQuiz(context.Background(), talk(t, script), firstMover(tttGame()), "hello", time.Minute)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", script, err, want)
		}
	}
	q, err := hostQuiz(context.Background(), tttGame(), talk(t, "me\n"+strings.Repeat("9,9\n", 20)), oxo.First, "hello",
		patient)
	if err != nil {
		t.Fatal(err)
	}
	var f *engine.Fault
	if _, err := q.Choose(context.Background(), tttGame().Start); !errors.As(err, &f) ||
		f.Termination() != oxo.EndIllegal {
		t.Errorf("error %v", err)
	}
}

// TestQuizDraws: there is no word for a draw; the server leaves when the board is
// full, whether it has sent it or not.
func TestQuizDraws(t *testing.T) {
	for script, want := range map[string]oxo.Value{
		"hi\nX 3x3\nXOX OOX XXO\n":       oxo.Draw,
		"hi\nX 3x3\nXOXOOX_XO\nmove\n":   oxo.Draw,
		"hi\nO 3x3\nXOX OOX XXO\ndraw\n": oxo.Draw,
		"hi\nO 3x3\nXXX OO_ ___\n":       oxo.Loss,
	} {
		r, err := engine.PlayQuiz(context.Background(), talk(t, script), firstMover(tttGame()), "hello", time.Minute)
		if err != nil || r.Value != want {
			t.Errorf("%q: %v, %v, want %v", script, r.Value, err, want)
		}
	}
}

// emptyBoard asks n times for a move on the empty board.
func emptyBoard(n int) string { return "___ ___ ___\n" + strings.Repeat("move\n", n) }

// hostQuiz greets a program that has connected and sends it the board of the start.
func hostQuiz[P oxo.Position[P]](ctx context.Context, g *oxo.Game[P], conn *engine.Conn, seat oxo.Seat, hello string,
	o engine.ClientOptions) (*engine.QuizPlayer[P], error) {
	q, err := engine.GreetQuiz(ctx, g, conn, seat, hello, o)
	if err != nil {
		return nil, err
	}
	return q, q.ShowStart(ctx)
}
