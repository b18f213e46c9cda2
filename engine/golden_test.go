package engine_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"oxo"
	"oxo/engine"
	"oxo/games/ultimate"
	"oxo/machine"
)

// session runs a server over a script of input lines and compares what it says
// with the wanted lines.
func session(t *testing.T, serve func(ctx context.Context, in *strings.Reader, out *strings.Builder) error, script,
	want string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		if err := serve(context.Background(), strings.NewReader(script), &out); err != nil {
			t.Fatal(err)
		}
		if out.String() != want {
			t.Errorf("session of\n%s\nanswers\n%s\nwant\n%s", script, out.String(), want)
		}
	})
}

func ugi(ctx context.Context, in *strings.Reader, out *strings.Builder) error {
	return engine.ServeUGI(ctx, in, out, firstMover(tttGame()), "mnk:3,3,3", nil, about)
}

// most is how many mebibytes the machine has.
var most = strconv.FormatInt(machine.Memory()>>20, 10)

const move = "info depth 3 score cp 191 value +0.5000 time 0 nodes 7 pv "

func TestUGISessions(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{"ugi\nisready\nquit\nisready\n",
			"id name tester 1\nid author nobody\noption name game type string default mnk:3,3,3\noption name hash " +
				"type spin default 0 min 0 max " + most + "\nugiok\nreadyok\n"},
		{"position startpos\nquery p1turn\nquery gameover\nquery result\ngo depth 4\n",
			"response true\nresponse false\nresponse none\n" + move + "a3\nbestmove a3\n"},
		{"position startpos moves a3 b2\ngo movetime 100\n", move + "b3\nbestmove b3\n"},
		{"position fen x../.o./... x moves c1\nquery p1turn\ngo p1time 1000 p2time 1000 p1inc 10 p2inc 10\n",
			"response false\n" + move + "b3\nbestmove b3\n"},
		{"position fen xxx/oo./... o\nquery gameover\nquery result\nquery p1turn\ngo\n",
			"response true\nresponse p1win\nresponse false\ninfo string go: the game is over\nbestmove (none)\n"},
		{"position fen xox/xxo/oxo o\nquery result\n", "response draw\n"},
		{"go infinite\nisready\nstop\nisready\n", "readyok\n" + move + "a3\nbestmove a3\nreadyok\n"},
		{"go infinite\n", move + "a3\nbestmove a3\n"},
		{"stop\nponderhit\n\r\n\rposition\nposition startpos moves a3 a3\nposition fen nonsense\nquery " +
			"mood\ngo depth\ngo depth x\n",
			"info string \"ponderhit\" is no command; there are ugi, isready, uginewgame, setoption, position, go, " +
				"stop, query and quit\n" +
				"info string position \"\": write startpos or fen POSITION, then moves MOVE… if there are any; this " +
				"program goes on with .../.../... x\n" +
				"info string move 2: move \"a3\": that square is taken; this program goes on with .../.../... x\n" +
				"info string position \"nonsense\": it needs 3 rows of 3, joined with /, not 1; this program " +
				"goes on with .../.../... x\n" +
				"info string query \"mood\": there are gameover, p1turn and result\n" +
				"info string go: depth needs a number\n" + move + "a3\nbestmove a3\n" +
				"info string go: depth \"x\" is no number\n" + move + "a3\nbestmove a3\n"},
		{"go movetime -5\ngo depth 3 movetime\ngo nodes depth 3\ngo nodes 0 depth 99999999999999999999\n" +
			"go winc -1 wtime -100 btime 100\ngo ponder wtime 100 btime 100\ngo searchmoves a1 b2\ngo p2time 100\n" +
			"go wtime 1000 btime 1000 winc 10 binc 10 movestogo 5\n",
			strings.ReplaceAll("info string go: movetime -5: at least 0 is needed\n*"+
				"info string go: movetime needs a number\n*info string go: nodes needs a number\n*"+
				"info string go: nodes 0: at least 1 is needed\n*info string go: winc -1: at least 0 is needed\n*"+
				"info string go: \"ponder\" is not understood; there are infinite, movetime, depth, nodes, movestogo, "+
				"and p1time, p2time, p1inc, p2inc, also called wtime, btime, winc, binc\n*"+
				"info string go: \"searchmoves a1 b2\" is not understood; there are infinite, movetime, depth, nodes, "+
				"movestogo, and p1time, p2time, p1inc, p2inc, also called wtime, btime, winc, binc\n*"+
				"info string go: p1time, the clock of the side to move, is missing\n**",
				"*", move+"a3\nbestmove a3\n")},
		{"position startpos moves a3\nposition fen xxx\ngo\n",
			"info string position \"xxx\": it needs 3 rows of 3, joined with /, not 1; this program goes on with " +
				"x../.../... o\n" + move + "b3\nbestmove b3\n"},
		{"setoption name game value ultimate\nsetoption name hash value 16\nposition startpos moves " +
			"a1\nuginewgame\nquery p1turn\n",
			"info string this program plays mnk:3,3,3\nresponse true\n"},
		{"setoption x\nsetoption game mnk:3,3,3\nsetoption name hash\nsetoption name hash value abc\nsetoption " +
			"name hash value -1\nsetoption name hash value 8796093022207\nsetoption name hash value " +
			"8796093022208\nsetoption name Hash value " + most + "\nsetoption name nonsense value 1\n",
			"info string setoption \"x\": write name game value SPEC, or name hash value MEBIBYTES\n" +
				"info string setoption \"game mnk:3,3,3\": write name game value SPEC, or name hash value " +
				"MEBIBYTES\n" +
				"info string setoption \"name hash\": write name game value SPEC, or name hash value MEBIBYTES\n" +
				"info string setoption: hash \"abc\": a number of mebibytes from 0 to " + most + " is needed\n" +
				"info string setoption: hash \"-1\": a number of mebibytes from 0 to " + most + " is needed\n" +
				"info string setoption: hash \"8796093022207\": this machine has " + most + " MB\n" +
				"info string setoption: hash \"8796093022208\": a number of mebibytes from 0 to " + most +
				" is needed\n" +
				"info string setoption: no option is called \"nonsense\"; there are game and hash\n"},
	} {
		session(t, ugi, c.script, c.want)
		session(t, ugi, strings.ReplaceAll(c.script, "\n", "\r\n"), c.want)
		session(t, ugi, strings.ReplaceAll(c.script, "\n", "\r"), c.want)
	}
}

// TestUGILimits: what is said of depth, nodes and memory reaches the player.
func TestUGILimits(t *testing.T) {
	var limits []engine.Limit
	g := engine.NewEngine(tttGame(), func(limit engine.Limit, _ func(oxo.Choice, []oxo.Move)) (oxo.Player[pos], error) {
		limits = append(limits, limit)
		return chooser[pos](firstMove[pos]), nil
	})
	serve := func(ctx context.Context, in *strings.Reader, out *strings.Builder) error {
		return engine.ServeUGI(ctx, in, out, g, "mnk:3,3,3", nil, about)
	}
	session(t, serve, "go depth 3\nsetoption name hash value 16\ngo nodes "+
		"500\nsetoption name hash value 7\ngo movetime 10\n",
		strings.Repeat(move+"a3\nbestmove a3\n", 3))
	want := []engine.Limit{{Depth: 3}, {Nodes: 500, Memory: 16 << 20}, {Memory: 7 << 20}}
	for len(limits) > 0 && limits[0] == (engine.Limit{}) {
		limits = limits[1:] // a first one, to see that there is a player
	}
	if !slices.Equal(limits, want) {
		t.Errorf("players within %+v, want %+v", limits, want)
	}
}

// TestReadyBeforeAsked: whatever a player plays by is read before the protocol
// lets anybody ask for a move, and again where another game begins; a move with
// the same limit makes no other player.
func TestReadyBeforeAsked(t *testing.T) {
	for _, c := range []struct {
		name   string
		serve  func(ctx context.Context, in *strings.Reader, out *strings.Builder, g engine.Engine) error
		script string
		want   string
	}{
		{"ugi", func(ctx context.Context, in *strings.Reader, out *strings.Builder, g engine.Engine) error {
			return engine.ServeUGI(ctx, in, out, g, "mnk:3,3,3", nil, about)
		}, "isready\ngo\nstop\nuginewgame\nisready\ngo\n",
			"made\nreadyok\nmove\n" + move + "a3\nbestmove a3\nmade\nreadyok\nmove\n" + move + "a3\nbestmove a3\n"},
		{"ugi with a hash", func(ctx context.Context, in *strings.Reader, out *strings.Builder, g engine.Engine) error {
			return engine.ServeUGI(ctx, in, out, g, "mnk:3,3,3", nil, about)
		}, "setoption name hash value 1\nisready\ngo\n", "made\nmade\nreadyok\nmove\n" + move + "a3\nbestmove a3\n"},
		{"codingame", func(ctx context.Context, in *strings.Reader, out *strings.Builder, g engine.Engine) error {
			return engine.ServeCodinGame(ctx, in, out, g, nil)
		}, "-1 -1 1 0 0", "made\nmove\n0 0\n"},
		{"gomocup", func(ctx context.Context, in *strings.Reader, out *strings.Builder, g engine.Engine) error {
			return engine.ServeGomocup(ctx, in, out,
				engine.Gomocup{Open: func(int, int, bool) (engine.Engine, error) { return g, nil }})
		}, "START 3\nBEGIN\n", "made\nOK\nmove\n0,0\n"},
	} {
		serve := func(ctx context.Context, in *strings.Reader, out *strings.Builder) error {
			g := engine.NewEngine(tttGame(), func(engine.Limit, func(oxo.Choice, []oxo.Move)) (oxo.Player[pos], error) {
				out.WriteString("made\n")
				return chooser[pos](func(ctx context.Context, p pos) (oxo.Choice, error) {
					out.WriteString("move\n")
					return firstMove(ctx, p)
				}), nil
			})
			return c.serve(ctx, in, out, g)
		}
		t.Run(c.name, func(t *testing.T) { session(t, serve, c.script, c.want) })
	}
}

// TestUGIGame changes the game, and keeps it where another can't be had.
func TestUGIGame(t *testing.T) {
	open := func(spec string) (engine.Engine, error) {
		if spec != "mnk:5,5,5" {
			return nil, fmt.Errorf("no game is called %q", spec)
		}
		return openRows(5, 5, false)
	}
	serve := func(ctx context.Context, in *strings.Reader, out *strings.Builder) error {
		return engine.ServeUGI(ctx, in, out, firstMover(tttGame()), "mnk:3,3,3", open, about)
	}
	session(t, serve, "position startpos moves a3\nsetoption name game value mnk:3,3,3\nquery p1turn\nsetoption name "+
		"game value mnk:5,5,5\nquery p1turn\n"+
		"setoption name game value chess\nposition startpos moves e5\nugi\ngo\n",
		"response false\nresponse true\ninfo string no game is called \"chess\"; this program goes on with mnk:5,5,5\n"+
			"id name tester 1\nid author nobody\noption name game type string default mnk:5,5,5\noption name hash "+
			"type spin default 0 min 0 max "+most+"\nugiok\n"+
			move+"a5\nbestmove a5\n")
}

// TestGomocupMemory: a manager's limit of memory reaches the player as far as the machine has so much.
func TestGomocupMemory(t *testing.T) {
	var limits []engine.Limit
	open := func(_, _ int, _ bool) (engine.Engine, error) {
		return engine.NewEngine(tttGame(), func(limit engine.Limit, _ func(oxo.Choice, []oxo.Move)) (oxo.Player[pos],
			error) {
			limits = append(limits, limit)
			return chooser[pos](firstMove[pos]), nil
		}), nil
	}
	serve := func(ctx context.Context, in *strings.Reader, out *strings.Builder) error {
		return engine.ServeGomocup(ctx, in, out, engine.Gomocup{Open: open, About: about})
	}
	session(t, serve, "INFO max_memory 83886080\nSTART 3\nINFO max_memory 99999999999999\nRESTART\n"+
		"INFO max_memory 9223372036854775807\nRESTART\nINFO max_memory -1\nRESTART\n", "OK\nOK\nOK\nOK\n")
	want := []engine.Limit{{Memory: 80 << 20}, {Memory: machine.Memory()}, {Memory: machine.Memory()}, {}}
	if !slices.Equal(limits, want) {
		t.Errorf("the player got %v, want %v", limits, want)
	}
}

func gomocup(ctx context.Context, in *strings.Reader, out *strings.Builder) error {
	return engine.ServeGomocup(ctx, in, out, engine.Gomocup{Open: openRows, About: about})
}

func TestGomocupSessions(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{"ABOUT\nSTART 6\nBEGIN\nTURN 1,0\nTURN 5,5\nEND\nBEGIN\n",
			"name=\"tester\", version=\"1\", author=\"nobody\", country=\"\", " +
				"www=\"\"\nOK\n0,0\n2,0\n3,0\n"},
		{"start 6\nturn 0,0\n", "OK\n1,0\n"},
		{"RECTSTART 7,5\nTURN 6,4\nTAKEBACK 0,0\nTAKEBACK 6,4\nTURN 0,0\nRESTART\nBEGIN\n",
			"OK\n0,0\nOK\nOK\n1,0\nOK\n0,0\n"},
		{"START 5\nBOARD\n0,0,2\n1,0,1\n2,2,2\nDONE\n", "OK\n2,0\n"},
		{"START 5\nBOARD\n0,0,1\n1,0,2\nDONE\nTURN 3,0\n", "OK\n2,0\n4,0\n"},
		{"START 5\nBOARD\nDONE\n", "OK\n0,0\n"},
		{"START 5\nSUGGEST\nPLAY 4,4\nTURN 0,0\n", "OK\nSUGGEST 0,0\n4,4\n1,0\n"},
		{"INFO timeout_turn 1000\nINFO timeout_match 60000\nINFO time_left -5\nINFO max_memory 1000000\nINFO " +
			"game_type 1\nINFO folder /tmp\nINFO moon 7\nINFO rule 1\nINFO\nSTART 5\nINFO time_left 2147483647\nINFO " +
			"timeout_turn 0\nBEGIN\n", "OK\n0,0\n"},
		{"START 5\nBOARD\n0,0,1\nEND\nBEGIN\n", "OK\n"},
		{"START 5\nINFO rule 5\nBEGIN\nTURN 0,0\nSUGGEST\nBOARD\nDONE\nSTART 6\nINFO rule 1\nTURN 0,0\n", "OK\n" +
			strings.Repeat("ERROR rule 5 is not played here: Renju; there are 0, five or more in a row win, and 1, "+
				"exactly five\n", 5) + "1,0\n"},
		{"INFO rule 2\nSTART 5\nINFO rule 8\nSTART 5\nINFO rule 16\nSTART 5\nINFO rule -1\nSTART 5\nINFO rule " +
			"256\nSTART 5\nINFO rule 0\nSTART 5\n",
			"ERROR rule 2 is not played here: a match that goes on from the board of the last game; there are 0, " +
				"five or more in a row win, and 1, exactly five\n" +
				"ERROR rule 8 is not played here: Caro; there are 0, five or more in a row win, and 1, exactly five\n" +
				"ERROR rule 16 is not played here: unknown; there are 0, five or more in a row win, and 1, exactly " +
				"five\n" +
				"ERROR rule -1 is not played here: unknown; there are 0, five or more in a row win, and 1, exactly " +
				"five\n" +
				"ERROR rule 256 is not played here: unknown; there are 0, five or more in a row win, and 1, exactly " +
				"five\nOK\n"},
		// five for the opponent: nothing is left to play; then the board is as before
		{"START 5\nBOARD\n0,0,2\n1,0,2\n2,0,2\n3,0,2\n4,0,2\n0,4,1\n1,4,1\n2,4,1\n3,4,1\nDONE\nBEGIN\n",
			"OK\nERROR the game is over\n0,0\n"},
		{"BEGIN\nTURN 1,1\nBOARD\n0,0,1\nDONE\nSTART 4\nSTART x\nSTART -1\nSTART 100\nSTART 2012110817000\nRECTSTART " +
			"5\nRECTSTART 5,x\nPONDER\n",
			"ERROR BEGIN before START\nERROR TURN before START\nERROR BOARD before START\nERROR a board of 4×4 is " +
				"not played here\n" +
				"ERROR START \"x\": the size of the board is needed, as in START 20\nERROR a board of -1×-1 is " +
				"not played here\nERROR a board of 100×100 is not played here\nERROR a board of " +
				"2012110817000×2012110817000 is not played here\n" +
				"ERROR RECTSTART: \"5\" is not two numbers\nERROR RECTSTART: \"5,x\" is not two numbers\nUNKNOWN " +
				"command\n"},
		{"START 5\nTURN 5,0\nTURN 0\nTURN 0,0\nTURN 0,0\nTURN 1,0\nBEGIN\nTAKEBACK 9,9\nPLAY 0,0\nTURN 2,0\n",
			"OK\nERROR TURN: 5,0 is off the board\nERROR TURN: \"0\" is not two numbers\n1,0\nERROR TURN: 0,0 is " +
				"taken\nERROR TURN: 1,0 is taken\n" +
				"ERROR BEGIN on a board that is not empty\nERROR TAKEBACK: 9,9 is off the board\nERROR PLAY: 0,0 is " +
				"taken\n3,0\n"},
		{"START 5\nBOARD\n0,0\n0,0,1\nDONE\nBOARD\n0,0,3\nDONE\nBOARD\n0,0,2\n0,0,2\nDONE\n" +
			"BOARD\n0,9,2\nDONE\nBOARD\n0,0,1\nDONE\nBOARD\n0,0,2\n0,1,2\nDONE\nBEGIN\n",
			"OK\nERROR BOARD: \"0,0\": a square is mine, 1, or the opponent's, 2\nERROR BOARD: \"0,0,3\": a square " +
				"is mine, 1, or the opponent's, 2\n" +
				"ERROR BOARD: \"0,0,2\": that square is there twice\nERROR BOARD: \"0,9,2\": 0,9 is off the board\n" +
				"ERROR with 1 marks of mine and 0 of the opponent's it is not my turn\nERROR with 0 marks of mine " +
				"and 2 of the opponent's it is not my turn\n0,0\n"},
	} {
		session(t, gomocup, c.script, c.want)
		session(t, gomocup, strings.ReplaceAll(c.script, "\n", "\r\n"), c.want)
		session(t, gomocup, strings.ReplaceAll(c.script, "\n", "\r"), c.want)
	}
}

func codingame(ctx context.Context, in *strings.Reader, out *strings.Builder) error {
	return engine.ServeCodinGame(ctx, in, out, firstMover(ultimate.New(0)), func(text string) {
		fmt.Fprintln(out, "note:", text)
	})
}

func TestCodinGameSessions(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		// we begin in the top left corner, are answered there and sent to
		// the top middle board
		{"-1 -1\n2\n4 4\n0 0\n0 1\n3\n0 3\n0 4\n0 5\n", "0 0\n0 3\n"},
		// the opponent begins in the centre
		{"4 4\n8\n3 3\n3 4\n3 5\n4 3\n4 5\n5 3\n5 4\n5 5\n", "3 3\n"},
		// our move is not listed: one that is gets played
		{"-1 -1\n1\n8 8\n8 7\n1\n6 4\n",
			"note: the referee does not list a9\n8 8\nnote: the referee does not list d3\n6 4\n"},
		// the referee breaks the rules: the list is followed
		{"4 4\n1\n3 3\n0 8\n1\n5 5\n1 1\n1\n7 7\n",
			"3 3\nnote: move 1: move \"i9\" is in board 3: play in board 1\n5 5\nnote: move 1: move \"i9\" is in " +
				"board 3: play in board 1\n7 7\n"},
	} {
		session(t, codingame, c.script, c.want)
	}
	for script, want := range map[string]string{
		"x": "no number", "4 4 0": "0 legal moves", "4 4 99999": "legal moves", "4 4 1 2 z": `"z" is no number`,
	} {
		var out strings.Builder
		err := codingame(context.Background(), strings.NewReader(script), &out)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", script, err, want)
		}
	}
}

// peer plays the other side of a connection: lines that begin with "> " must
// come, the others are sent. What comes instead is reported.
func peer(t *testing.T, conn net.Conn, script string) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer conn.Close()
		in := bufio.NewReader(conn)
		for line := range strings.SplitSeq(strings.TrimSpace(script), "\n") {
			if want, isIn := strings.CutPrefix(line, "> "); isIn {
				got, err := in.ReadString('\n')
				if got != want+"\n" {
					t.Errorf("%q comes (%v), want %q", got, err, want)
					return
				}
			} else if _, err := fmt.Fprintf(conn, "%s\r\n", strings.TrimPrefix(line, "< ")); err != nil {
				t.Errorf("%q can't be sent: %v", line, err)
				return
			}
		}
	}()
	return done
}

// dialogue lets the client make moves against the script and returns them.
func dialogue[P oxo.Position[P]](t *testing.T, g *oxo.Game[P], protocol, script string, o engine.ClientOptions,
	play func(p engine.Program[P])) {
	t.Helper()
	ours, theirs := net.Pipe()
	done := peer(t, theirs, script)
	p, err := engine.Greet(context.Background(), g, engine.NewConn(ours), protocol, o)
	if err != nil {
		t.Fatal(err)
	}
	play(p)
	p.Close()
	<-done
}

func choose[P oxo.Position[P]](t *testing.T, g *oxo.Game[P], p oxo.Player[P], position, want string) oxo.Choice {
	t.Helper()
	at := g.Start
	if position != "" {
		var err error
		if at, err = g.Parse(position); err != nil {
			t.Fatal(err)
		}
	}
	c, err := p.Choose(context.Background(), at)
	if err != nil {
		t.Fatalf("in %s: %v", position, err)
	}
	if got := g.FormatMove(at, c.Move); got != want {
		t.Errorf("in %s: %s, want %s", position, got, want)
	}
	return c
}

func TestUGIClientDialogue(t *testing.T) {
	g := tttGame()
	dialogue(t, g, "ugi", `
> ugi
< id name other
< ugiok
> setoption name game value mnk:3,3,3
> setoption name hash value 2
> uginewgame
> isready
< readyok
> position fen .../.../... x
> go depth 5
< info depth 4 score cp 0 nodes 12 pv b2 a1 depth 9
< bestmove b2
> position fen o../.x./... x
> go p1time 5000 p2time 4000 p1inc 100 p2inc 100 movetime 300 depth 5
< info depth x value 7 nodes -1 cp nan
< info string depth 8
< info depth 6 value +0.7500 nodes 99
< bestmove a1 ponder a2
> position fen o../.x./x.. o
> go p1time 3000 p2time 2000 p1inc 0 p2inc 0 depth 5
< bestmove c3
> quit
`, engine.ClientOptions{Limit: engine.Limit{Depth: 5, Memory: 2 << 20}}, func(p engine.Program[pos]) {
		if c := choose(t, g, p, "", "b2"); c.Depth != 4 || c.Nodes != 12 || !c.Scored || c.Score != 0 {
			t.Errorf("%+v", c)
		}
		p.Clock(5*time.Second, 4*time.Second, 100*time.Millisecond, 300*time.Millisecond)
		if c := choose(t, g, p, "o../.x./... x", "a1"); c.Depth != 6 || c.Nodes != 99 || c.Score != 0.75 {
			t.Errorf("%+v", c)
		}
		p.Clock(2*time.Second, 3*time.Second, 0, 0)
		choose(t, g, p, "o../.x./x.. o", "c3")
	})
}

func TestGomocupClientDialogue(t *testing.T) {
	g := rows(6, 5, 5, false)
	dialogue(t, g, "gomocup", `
> RECTSTART 6,5
< MESSAGE hello
< OK
> INFO max_memory 0
> INFO game_type 1
> INFO rule 1
> INFO timeout_turn 1000
> INFO timeout_match 0
> INFO time_left 2147483647
> BEGIN
< DEBUG thinking
< 2,1
> INFO timeout_turn 200
> INFO time_left 5000
> TURN 3,1
< SUGGEST 0,0
> PLAY 0,0
< 0,0
> INFO timeout_turn 4000
> INFO time_left 4000
> RESTART
> BOARD
> 0,0,1
> 1,0,2
> 5,4,1
> 2,0,2
> DONE
< 4,4
> INFO time_left 4000
> RESTART
> BEGIN
< 0,0
> INFO time_left 4000
> RESTART
> BOARD
> 0,0,2
> 1,0,1
> 2,0,2
> DONE
< 3,0
> END
`, engine.ClientOptions{Rule: 1}, func(p engine.Program[pos]) {
		choose(t, g, p, "", "c4")
		p.Clock(5*time.Second, 5*time.Second, 0, 200*time.Millisecond)
		choose(t, g, p, "....../..xo../....../....../...... x", "a5")
		p.Clock(4*time.Second, 5*time.Second, 0, 0)
		choose(t, g, p, "xoo.../....../....../....../.....x x", "e1")
		choose(t, g, p, "", "a5")
		choose(t, g, p, "xox.../....../....../....../...... o", "d5")
	})
}

func TestUnknownWordMeansGomocup(t *testing.T) {
	g := rows(5, 5, 5, false)
	dialogue(t, g, "", "> ugi\n< UNKNOWN command\n> START 5\n< OK\n> INFO max_memory 0\n> INFO game_type 1\n> INFO "+
		"rule 0\n> END\n", engine.ClientOptions{}, func(engine.Program[pos]) {})
}

func TestCodinGameClientDialogue(t *testing.T) {
	g := ultimate.New(0)
	dialogue(t, g, "codingame", strings.ReplaceAll(`
> 0 0
> 8
> 0 1
> 0 2
> 1 0
> 1 1
> 1 2
> 2 0
> 2 1
> 2 2
< 1 1
> 5 5
> 9
> 6 6
> 6 7
> 6 8
> 7 6
> 7 7
> 7 8
> 8 6
> 8 7
> 8 8
<  8  8`, "\r", ""), engine.ClientOptions{}, func(p engine.Program[ultimate.Pos]) {
		start, err := g.ParseMove(g.Start, "a9")
		if err != nil {
			t.Fatal(err)
		}
		at := g.Start.Play(start)
		c, err := p.Choose(context.Background(), at)
		if err != nil || g.FormatMove(at, c.Move) != "b8" {
			t.Fatalf("%s, %v", g.FormatMove(at, c.Move), err)
		}
		at = at.Play(c.Move)
		answer, err := g.ParseMove(at, "f4")
		if err != nil {
			t.Fatal(err)
		}
		at = at.Play(answer)
		if c, err = p.Choose(context.Background(), at); err != nil || g.FormatMove(at, c.Move) != "i1" {
			t.Fatalf("%s, %v", g.FormatMove(at, c.Move), err)
		}
	})
}

func TestQuizServerDialogue(t *testing.T) {
	g := tttGame()
	ours, theirs := net.Pipe()
	done := peer(t, theirs, `
< hello from the server
< O 3x3
> hello from oxo
< ___ _X_ ___
< move
> 0,0
< move
> 0,1
< _O_ _X_ ___
< O__ _X_ X__
< move
> 0,1
< OO__X_X_X
< mo ve
> 0,2
< O OO _X_ X_X
< win`)
	r, err := engine.PlayQuiz(context.Background(), engine.NewConn(ours), firstMover(g), "hello from oxo", time.Second)
	<-done
	want := engine.QuizResult{Server: "hello from the server", Seat: oxo.Second, Final: "ooo/.x./x.x o", Value: oxo.Win}
	if err != nil || r != want {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestQuizClientDialogue(t *testing.T) {
	g := tttGame()
	ours, theirs := net.Pipe()
	done := peer(t, theirs, `
> hello
> X 3x3
< I am a learner
> ___ ___ ___
> move
< 1,1
> ___ _X_ ___
> O__ _X_ ___
> move
< 1,1
> move
< 1 1
> move
< left
> move
<  0 , 2
> O_X _X_ ___
> O_X _X_ O__
> lose`)
	q, err := hostQuiz(context.Background(), g, engine.NewConn(ours), oxo.First, "hello", engine.ClientOptions{})
	if err != nil || q.Name != "I am a learner" {
		t.Fatal(q, err)
	}
	choose(t, g, q, "", "b2")
	choose(t, g, q, "o../.x./... x", "c3")
	last, err := g.Parse("o.x/.x./o.. x")
	if err != nil {
		t.Fatal(err)
	}
	if err := q.End(last, oxo.Loss); err != nil {
		t.Error(err)
	}
	<-done
	q.Close()
}
