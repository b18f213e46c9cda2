package engine_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"oxo"
	"oxo/arena"
	"oxo/engine"
	"oxo/games/ultimate"
)

// quick are the options of tests in which a program never answers.
var quick = engine.ClientOptions{MoveTime: 20 * time.Millisecond, Wait: 100 * time.Millisecond}

// patient are those of tests in which it answers.
var patient = engine.ClientOptions{MoveTime: time.Minute, Wait: time.Minute, Startup: time.Minute}

// against plays a game of our first-mover against a program.
func against[P oxo.Position[P]](t *testing.T, g *oxo.Game[P], command string, seat oxo.Seat,
	o engine.ClientOptions) *arena.Played[P] {
	t.Helper()
	p, err := engine.New(context.Background(), g, command, o)
	if err != nil {
		t.Fatal(err)
	}
	players := [2]oxo.Player[P]{chooser[P](firstMove[P]), chooser[P](firstMove[P])}
	players[seat] = p
	r := arena.Referee[P]{Game: g}
	played, err := r.Play(context.Background(), players, arena.NoOpening(g), 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if err := p.Close(); err != nil {
		t.Errorf("closed again: %v", err)
	}
	return played
}

// Programs of ours, as other people's, play whole games in both seats.
func TestProgramsPlay(t *testing.T) {
	for _, seat := range []oxo.Seat{oxo.First, oxo.Second} {
		for _, protocol := range []string{"", "ugi:"} {
			got := against(t, tttGame(), protocol+command("ugi"), seat, patient)
			if got.Termination != oxo.EndNormal || got.Outcome != oxo.FirstWins || len(got.Plies) != 7 {
				t.Errorf("ugi: %v by %s (%s)", got.Outcome, got.Termination, got.Reason)
			}
			if ply := got.Plies[seat]; ply.Depth != 3 || ply.Nodes != 7 || ply.Score != 0.5 {
				t.Errorf("ugi: %+v", ply)
			}
		}
		for _, protocol := range []string{"", "gomocup:"} {
			got := against(t, rows(7, 6, 5, false), protocol+command("gomocup"), seat, patient)
			if got.Termination != oxo.EndNormal {
				t.Errorf("gomocup: %v by %s (%s)", got.Outcome, got.Termination, got.Reason)
			}
		}
		got := against(t, ultimate.New(0), "codingame:"+command("codingame"), seat, patient)
		if got.Termination != oxo.EndNormal {
			t.Errorf("codingame: %v by %s (%s)", got.Outcome, got.Termination, got.Reason)
		}
	}
}

// A hostile program loses its game and nothing else happens.
func TestHostilePrograms(t *testing.T) {
	for _, c := range []struct {
		mode, how, why string
		o              engine.ClientOptions
	}{
		{"sleep", oxo.EndTime, "did not answer in time", quick},
		{"stays", oxo.EndTime, "did not answer in time", quick},
		{"deaf", oxo.EndTime, "did not answer in time", quick},
		{"leave", oxo.EndCrashed, "has ended", patient},
		{"complain", oxo.EndCrashed, `its error output ends with "no \x1b[31mweights here"`, patient},
		{"garbage", oxo.EndIllegal, "without a move", patient},
		{"illegal", oxo.EndIllegal, `"z99"`, patient},
		{"chatter", oxo.EndIllegal, "talks without answering", patient},
		{"long", oxo.EndIllegal, "more than 65536 bytes", patient},
	} {
		t.Run(c.mode, func(t *testing.T) {
			t.Parallel()
			got := against(t, tttGame(), "ugi:"+command(c.mode), oxo.Second, c.o)
			if got.Termination != c.how || got.Outcome != oxo.FirstWins || !strings.Contains(got.Reason, c.why) {
				t.Errorf("%v by %s (%s), want %s (%s)", got.Outcome, got.Termination, got.Reason, c.how, c.why)
			}
		})
	}
}

// Programs that don't even greet are told so.
func TestProgramsThatDoNotStart(t *testing.T) {
	short := engine.ClientOptions{Startup: 100 * time.Millisecond}
	for command, want := range map[string]string{
		"/no/such/program":                "no such file",
		`"unclosed`:                       `closing " is missing`,
		"":                                "the command is empty",
		"ugi:":                            "the command is empty",
		command("exit"):                   "has ended",
		command("silent"):                 "did not answer in time",
		command("flood"):                  "talks without answering",
		command("huge"):                   "more than 65536 bytes",
		"ugi:" + command("silent"):        "waiting for ugiok",
		"gomocup:" + command("silent"):    "waiting for OK",
		"gomocup:" + command("exit"):      "has ended",
		"ugi:" + command("gomocup"):       "waiting for ugiok",
		"gomocup:" + command("gomocup"):   "4×4",
		"gomocup:" + command("codingame"): "waiting for OK",
	} {
		o := short
		if strings.Contains(want, "talks") || strings.Contains(want, "bytes") || strings.Contains(want, "ended") ||
			strings.Contains(want, "×") {
			o = patient
		}
		t.Run("", func(t *testing.T) {
			t.Parallel()
			p, err := engine.New(context.Background(), rows(4, 4, 4, false), command, o)
			if err == nil {
				p.Close()
				t.Errorf("%s starts", command)
			} else if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want %q", command, err, want)
			}
		})
	}
}

// The child of a program that has ended dies with the game: its connection to
// us closes.
func TestForkedChildrenAreKilled(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	p, err := engine.New(context.Background(), tttGame(), "ugi:"+command("fork", listener.Addr().String()), quick)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Choose(context.Background(), tttGame().Start); err == nil {
		t.Error("it makes a move")
	}
	// The child reads its own input to the end before it connects; its input
	// is nothing.
	child, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(child)
	if line, err := in.ReadString('\n'); line != "here\n" {
		t.Fatalf("the child says %q, %v", line, err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if rest, err := io.ReadAll(in); err != nil && !strings.Contains(err.Error(), "reset") || len(rest) > 0 {
		t.Errorf("the child says %q, %v", rest, err)
	}
}

// A tournament with hostile programs goes on to its end.
func TestTournamentWithHostilePrograms(t *testing.T) {
	g := tttGame()
	program := func(name, command string, o engine.ClientOptions) arena.Entrant[pos] {
		return arena.Entrant[pos]{Name: name, New: func(oxo.Seat, uint64) (oxo.Player[pos], error) {
			return engine.New(context.Background(), g, command, o)
		}}
	}
	tour := &arena.Tournament[pos]{
		Referee: arena.Referee[pos]{Game: g}, Pairs: 1, Workers: 2,
		Entrants: []arena.Entrant[pos]{
			program("good", command("ugi"), patient), program("garbage", "ugi:"+command("garbage"), patient),
			program("absent", "/no/such/program", patient), program("leave", "ugi:"+command("leave"), patient),
		},
	}
	s, err := tour.Run(context.Background())
	if err != nil || s.Games != 12 {
		t.Fatalf("%d games, %v", s.Games, err)
	}
	if good := s.Score(0); good.Wins != 6 || s.Faults[0].Sum() != 0 || s.Faults[2].Crashed == 0 ||
		s.Faults[1].Illegal == 0 {
		t.Errorf("score %+v, faults %+v", good, s.Faults)
	}
}

// A clock of the referee rules over the options.
func TestProgramsLoseOnTime(t *testing.T) {
	g := tttGame()
	p, err := engine.New(context.Background(), g, "ugi:"+command("sleep"), patient)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	r := arena.Referee[pos]{Game: g, Time: arena.TimeControl{Move: 30 * time.Millisecond}, Margin: 40 *
		time.Millisecond}
	got, err := r.Play(context.Background(), [2]oxo.Player[pos]{p, chooser[pos](firstMove[pos])}, arena.NoOpening(g), 1)
	if err != nil || got.Termination != oxo.EndTime || got.Outcome != oxo.SecondWins {
		t.Errorf("%v by %s (%s), %v", got.Outcome, got.Termination, got.Reason, err)
	}
}

func TestInterruptionIsNoFault(t *testing.T) {
	g := tttGame()
	p, err := engine.New(context.Background(), g, "ugi:"+command("sleep"), patient)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(30*time.Millisecond, cancel)
	if _, err := p.Choose(ctx, g.Start); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestCodinGameNeedsTheStart(t *testing.T) {
	g := ultimate.New(0)
	p, err := engine.New(context.Background(), g, "codingame:"+command("codingame"), patient)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	at := g.Start
	for range 2 {
		at = at.Play(at.Moves(nil)[0])
	}
	if _, err := p.Choose(context.Background(), at); err == nil || !strings.Contains(err.Error(), "without openings") {
		t.Errorf("error %v", err)
	}
}

func TestSplitCommand(t *testing.T) {
	for text, want := range map[string][]string{
		"a":                      {"a"},
		"  ./a  -b\tc ":          {"./a", "-b", "c"},
		`"a b" 'c "d"' e\ f ""`:  {"a b", `c "d"`, "e f", ""},
		`a"b"c'd' \\ "\"" '\' x`: {"abcd", `\`, `"`, `\`, "x"},
	} {
		got, err := engine.SplitCommand(text)
		if err != nil || fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Errorf("%s is split to %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "  ", `"a`, `'a`, `a\`} {
		if got, err := engine.SplitCommand(text); err == nil {
			t.Errorf("%s is split to %q", text, got)
		}
	}
}

func TestProtocolWords(t *testing.T) {
	for text, want := range map[string][2]string{
		"gomocup:./brain": {"gomocup", "./brain"}, "ugi:x y": {"ugi", "x y"},
		"codingame:python3 a.py": {"codingame", "python3 a.py"},
		"./a":                    {"", "./a"}, "c:/a": {"", "c:/a"}, "ugi": {"", "ugi"},
	} {
		protocol, rest := engine.SplitProtocol(text)
		if protocol != want[0] || rest != want[1] {
			t.Errorf("%s: %q, %q", text, protocol, rest)
		}
	}
	ours, theirs := net.Pipe()
	defer theirs.Close()
	if _, err := engine.Greet(context.Background(), tttGame(), engine.NewConn(ours), "uci", patient); err == nil ||
		!strings.Contains(err.Error(), "ugi, gomocup") {
		t.Errorf("protocol uci: %v", err)
	}
}

func TestNoFilesAreLeftOpen(t *testing.T) {
	count := func() int {
		list, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Logf("open files can't be counted here: %v", err)
		}
		return len(list)
	}
	against(t, tttGame(), "ugi:"+command("leave"), oxo.First, patient)
	before := count()
	for range 5 {
		against(t, tttGame(), "ugi:"+command("garbage"), oxo.First, patient)
		engine.New(context.Background(), tttGame(), "/no/such/program", patient)
	}
	if after := count(); after > before {
		t.Errorf("%d files are open, %d before", after, before)
	}
}
