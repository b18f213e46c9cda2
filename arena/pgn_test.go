package arena_test

import (
	"context"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"oxo"
	"oxo/arena"
)

func write(t testing.TB, s *arena.Sheet) string {
	t.Helper()
	var b strings.Builder
	if err := arena.WriteSheet(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func read(t testing.TB, text string) *arena.Sheet {
	t.Helper()
	s, err := arena.NewSheetReader(strings.NewReader(text)).Next()
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return s
}

// golden is a game as it must be written.
const golden = `[Game "mnk:3,3,3"]
[Variant "tic-tac-toe"]
[Date "2026.01.31"]
[First "perfect"]
[Second "engine:./a \"b\" \\c"]
[Result "1-0"]
[TimeControl "5s+100ms"]
[Termination "illegal"]
[Opening "b2"]
[Axis "a1 is bottom left"]
[Seed "7"]
[Final "x../.x./..o o"]
[Reason "it said [z9]"]

1. b2 c1 {-0.25/4 0.012s}
2. a3 {+1!/5 1.5s, the only move} 1-0

`

func goldenSheet() *arena.Sheet {
	return &arena.Sheet{
		Record: oxo.Record{Game: "mnk:3,3,3", Date: "2026-01-31", First: "perfect", Second: `engine:./a "b" \c`, Seed: 7,
			Moves: []string{"b2", "c1", "a3"}, Final: "x../.x./..o o", Result: "first", Termination: oxo.EndIllegal},
		Title: "tic-tac-toe", TimeControl: "5s+100ms", Opening: 1, Reason: "it said [z9]",
		Notes: []arena.Note{{}, {Value: -0.25, Depth: 4, Time: 12 * time.Millisecond, Scored: true, Timed: true},
			{Value: 1, Depth: 5, Time: 1500 * time.Millisecond, Scored: true, Exact: true, Timed: true,
				Text: "the only move"}},
	}
}

func TestSheetText(t *testing.T) {
	if got := write(t, goldenSheet()); got != golden {
		t.Errorf("written:\n%s", got)
	}
	if got := read(t, golden); !reflect.DeepEqual(got, goldenSheet()) {
		t.Errorf("read: %+v", got)
	}
	if _, _, err := arena.Replay(ttt(t), goldenSheet()); err != nil {
		t.Error(err)
	}
}

// TestSheetDates reads days as others write them, and writes them again; what is no day is passed over.
func TestSheetDates(t *testing.T) {
	for text, want := range map[string]string{
		"": "", `[Date "2026.01.31"] `: "2026-01-31", `[Date "1979.12.??"] `: "1979-12-??",
		`[Date "1952.??.??"] `: "1952-??-??", `[Date "????.??.??"] `: "", `[Date "a Monday"] `: "",
	} {
		s := read(t, `[Game "ttt"] `+text+"b2 *")
		if s.Date != want {
			t.Errorf("%s is read as %q", text, s.Date)
		}
		if again := read(t, write(t, s)); again.Date != want {
			t.Errorf("%s becomes %q", text, again.Date)
		}
		var b strings.Builder
		known, _, _ := strings.Cut(want, "-?")
		if err := arena.WriteSGF(&b, s, arena.Grid{Cols: 3, Rows: 3}); err != nil ||
			strings.Contains(b.String(), "DT[") != (want != "") || !strings.Contains(b.String(), known+"]") {
			t.Errorf("%s in SGF: %s, %v", text, b.String(), err)
		}
	}
}

func TestSheetsInManyForms(t *testing.T) {
	for text, want := range map[string]string{
		"[Game \"ttt\"]\n1.b2 a1 2.c1 *":                                              "b2 a1 c1",
		"[Game \"ttt\"] b2 a1 c1 *":                                                   "b2 a1 c1",
		"[ECO \"C20\"]\r\n[Game \"ttt\"]\r\n1. b2 1... a1 ; a remark\n*":              "b2 a1",
		"[Game \"ttt\"]\n{before} 1. b2{after}a1{-/0 0s}*":                            "b2 a1",
		"[Game \"plane:affine,3\"]\n[Start \"\"]\n1. 4 9 2. 2 *":                      "4 9 2",
		"[Game \"tree:x\"]\n[Opening \"\\\"go left\\\"\"] \"go left\" \"1.\" \"*\" *": "go left 1. *",
	} {
		s := read(t, text)
		if got := strings.Join(s.Moves, " "); got != want || s.Result != "*" {
			t.Errorf("%q: moves %q, result %s", text, got, s.Result)
		}
		if again := read(t, write(t, s)); !reflect.DeepEqual(again.Moves, s.Moves) || again.Opening != s.Opening {
			t.Errorf("%q: moves %q after a round trip", text, again.Moves)
		}
	}
}

func TestSheetReaderErrors(t *testing.T) {
	const tags = "[Game \"ttt\"]\n"
	for text, want := range map[string]string{
		"hello":                                  "tag Game is missing",
		"\n(;FF[4]GM[4]SZ[3];B[bb])":             "this is an SGF file, which is written",
		"{\"journal\":1,\"tournament\":\"x\"}\n": "this is the journal of a contest",
		"Piskvorky 3x3, 11:11, 0\n2,2,0\n":       "this is a file of Piskvork's, which is written",
		"[Game":                                  "a name and a value",
		"[Game \"x":                              "closing quote",
		"[Game \"x\"":                            "] is missing",
		tags + tags:                              "line 2: tag Game is there twice",
		tags:                                     "ends without a result",
		tags + "1. a1":                           "ends without a result",
		tags + "1. a1 [":                         "among the moves",
		tags + "1. a1 (1. b2) *":                 "variations",
		tags + "x. a1 *":                         `move 1: "x." is no number`,
		tags + "[FEN \"x\"]\n*":                  "tag FEN is not read; the position that a game starts from",
		tags + "1... a1 2. c3 *":                 "move 1: \"1...\" is the number of a move of the second side",
		tags + "1. a1 2. b2 2... c3 *":           "move 3: its number is 2, not 3: a move is missing",
		tags + "1. a1 b2 3.c3 *":                 "move 3: its number is 3, not 2: a move is missing",
		tags + "[Termination \"foo\"]\n*":        "\"foo\"; terminations are normal, time",
		tags + "a1 {open":                        "} is missing",
		tags + "[Result \"won\"]\n*":             `"won"; results are`,
		tags + "[Result \"1-0\"]\n*":             "tag Result says first, the end of the moves *",
		tags + "[Seed \"-1\"]\n*":                "must be a number",
		tags + "[Axis \"a1 is top left\"]\n*":    "only \"a1 is bottom left\" is read",
		tags + "[Opening \"a2\"] a1 *":           "not how the moves begin",
		tags + "\"a1 *":                          "move 1: \"a1 *\": the closing quote",
		tags + strings.Repeat("x", 70000) + "*":  "too long",
		"[Game \"" + strings.Repeat("x", 70000):  "too long",
		tags + strings.Repeat("x ", 70000):       "more than 65536 moves",
	} {
		s, err := arena.NewSheetReader(strings.NewReader(text)).Next()
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "game 1: line ") {
			t.Errorf("%.60q: %+v, error %v; want %q", text, s, err, want)
		}
	}
}

func TestReadSheetsChecksTheMoves(t *testing.T) {
	g := ttt(t)
	rules := func(s *arena.Sheet) error {
		if s.Game != "ttt" {
			return errors.New("no such game")
		}
		return arena.ReplayCheck(g)(s)
	}
	const good = "[Game \"ttt\"]\n1. b2 a1 2. b1 b3 *\n"
	list, err := arena.ReadSheets(strings.NewReader(good+good), "", rules)
	if err != nil || len(list) != 2 {
		t.Fatalf("%d sheets, %v", len(list), err)
	}
	for text, want := range map[string]string{
		good + "[Game \"ttt\"] b2 b2 *":        `game 2: move 2 by second: move "b2": that square is taken`,
		"[Game \"ttt\"] b2 z9 *":               `move 2 by second: move "z9": no such square`,
		"[Game \"go\"] *":                      "game 1: no such game",
		"[Game \"ttt\"] a1 a2 b1 b2 c1 c2 1-0": `move 6, "c2": the game is over`,
		"[Game \"ttt\"] a1 a2 b1 b2 c1 0-1": "the result is second, but after the last " +
			"move it is first",
		"[Game \"ttt\"] [Termination \"normal\"] a1 *": "the game is not over",
		"[Game \"ttt\"] [Termination \"illegal\"] a1 1/2-1/2": "the result is 1/2-1/2, but with the termination " +
			"illegal it is 1-0 or 0-1",
		"[Game \"ttt\"] [Termination \"time\"] a1 *":                     "the termination time it is 1-0 or 0-1",
		"[Game \"ttt\"] [Termination \"agreed\"] a1 1-0":                 "with the termination agreed it is",
		"[Game \"ttt\"] [Termination \"adjudicated\"] a1 *":              "termination adjudicated it is 1-0",
		"[Game \"ttt\"] [Final \"x../.../... o\"] a1 *":                  `the moves lead to ".../.../x.. o"`,
		"[Game \"ttt\"] [Start \"xx./.../... o\"] a1 *":                  "start: ",
		"[Game \"ttt\"] [Start \"x../.../... o\"] b2 a3 *":               "move 2 by first",
		"[Game \"ttt\"] [Start \"x../.../... o\"] [Result \"*\"] b2 x *": "move 2 by first",
	} {
		if _, err := arena.ReadSheets(strings.NewReader(text), "", rules); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// A sheet that can't be read, or breaks the rules, takes no other one with it.
func TestEachSheet(t *testing.T) {
	g := ttt(t)
	rules := arena.ReplayCheck(g)
	const good = "[Game \"ttt\"]\n[Seed \"1\"]\n\n1. b2 a1 {[not a tag]}\n2. b1 b3 *\n\n"
	for _, bad := range []string{
		"[Game \"ttt\"] b2 b2 *\n",
		"[Game \"ttt\"] b2 z9 *\n",
		"[Game \"ttt\"]\n[Termination \"foo\"]\n[Seed \"2\"]\n\n1. b2 a1\n2. b1 b3 *\n",
		"[Game \"ttt\"] [Termination \"foo\"] b2 a1 *\n",
		"[Game \"ttt]\n[Seed \"2\"]\n\n1. b2 a1\n2. b1 b3 *\n",
		"[Game \"ttt\"\n[Seed \"2\"]\n1. b2 a1 *\n",
		"[Game ttt]\n[Seed \"2\"]\n\n1. b2 a1 *\n",
		"[Game \"ttt\"]\n1. b2 a1\n\n",
		"[Game \"ttt\"]\n1. b2 [%clk 1] a1 *\n\n",
		"[Game \"ttt\"]\n1. b2 (1. a1\n b3) a1 *\n",
		"[Seed \"2\"]\n\n1. b2 a1 *\n",
		"hello\n",
	} {
		var told []string
		for s, err := range arena.EachSheet(strings.NewReader(good+bad+good), "", rules) {
			if (s == nil) == (err == nil) {
				t.Errorf("%q: sheet %v and error %v", bad, s, err)
			}
			if told = append(told, "good"); err != nil {
				told[len(told)-1], _, _ = strings.Cut(err.Error(), ":")
			}
		}
		if got := strings.Join(told, ", "); got != "good, game 2, good" {
			t.Errorf("%q: %s", bad, got)
		}
	}
	count := 0
	for _, err := range arena.EachSheet(io.MultiReader(strings.NewReader(good), errorReader{}), "", rules) {
		if count++; count > 2 || (err != nil) != (count == 2) {
			t.Fatalf("game %d: %v", count, err)
		}
	}
}

// Games as they are played survive a round trip.
func TestPlayedGamesRoundTrip(t *testing.T) {
	tour := tournament(t, three(), 10)
	tour.Referee.Time = arena.TimeControl{Move: time.Hour}
	var all strings.Builder
	var want []*arena.Sheet
	tour.Workers = 1
	_, sheets := runSheets(t, tour)
	for _, s := range sheets {
		for i := range s.Notes {
			s.Notes[i].Time = s.Notes[i].Time.Round(time.Microsecond)
		}
		want = append(want, s)
		if err := arena.WriteSheet(&all, s); err != nil {
			t.Error(err)
		}
	}
	rules := arena.ReplayCheck(tour.Referee.Game)
	got, err := arena.ReadSheets(strings.NewReader(all.String()), "", rules)
	if err != nil || len(got) != len(want) {
		t.Fatalf("%d sheets of %d, %v", len(got), len(want), err)
	}
	for i := range got {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("%+v\nis read as %+v", want[i], got[i])
		}
	}
}

func FuzzReadSheet(f *testing.F) {
	f.Add(golden)
	f.Add("[Game \"ttt\"]\n1. b2 {x} {+0.5/2 0.25s, y{} a1 ; z}\n*")
	f.Add("[Game \"t\\\"\\\\\"][Opening \"\\\"a b\\\" c\"] \"a b\" c 1.d \"\" *")
	f.Add("[Game \"\xff\x01é\"] \x02é {\x00 } 0-1 [Game")
	g := ttt(f)
	f.Fuzz(func(t *testing.T, text string) {
		in := arena.NewSheetReader(strings.NewReader(text))
		for {
			s, err := in.Next()
			if err != nil {
				return
			}
			once := write(t, s)
			if twice := write(t, read(t, once)); twice != once {
				t.Errorf("%q\nis read and written as %q,\nthen as %q", text, once, twice)
			}
			arena.Replay(g, s)
		}
	})
}

func TestSheetReaderReportsItsSource(t *testing.T) {
	failing := io.MultiReader(strings.NewReader("[Game \"ttt\"] a1 "), errorReader{})
	if _, err := arena.NewSheetReader(failing).Next(); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
	if err := arena.WriteSheet(brokenWriter{}, goldenSheet()); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
}

var errBroken = errors.New("broken")

type errorReader struct{}

func (errorReader) Read([]byte) (int, error) { return 0, errBroken }

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestSGF(t *testing.T) {
	s := goldenSheet()
	s.Moves = []string{"b2", "c1", "a3"}
	var b strings.Builder
	if err := arena.WriteSGF(&b, s, arena.Grid{Cols: 3, Rows: 4, Kind: 4}); err != nil {
		t.Fatal(err)
	}
	want := `(;FF[4]CA[UTF-8]AP[oxo]GM[4]SZ[3:4]GN[mnk\:3,3,3]PB[perfect]PW[engine\:./a "b" \\c]RE[B+F]DT[2026-01-31]OT[5s+100ms]` +
		"\n;B[bc];W[cd]C[-0.25/4 0.012s];B[ab]C[+1!/5 1.5s, the only move])\n"
	if b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}

func TestPSQ(t *testing.T) {
	s := goldenSheet()
	s.Termination, s.Second = oxo.EndTime, "5 in a row"
	var b strings.Builder
	if err := arena.WritePSQ(&b, s, arena.Grid{Cols: 15, Rows: 15}); err != nil {
		t.Fatal(err)
	}
	want := "Piskvorky 15x15, 11:11, 0\n2,14,0\n3,15,12\n1,13,1500\nperfect\nhomo-2 5 in a row\n15\n"
	if b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}

func TestExportsRefuse(t *testing.T) {
	grid := arena.Grid{Cols: 3, Rows: 3}
	for name, c := range map[string]struct {
		change func(*arena.Sheet)
		grid   arena.Grid
		want   string
	}{
		"start":  {func(s *arena.Sheet) { s.Start = "x" }, grid, "empty board"},
		"square": {func(s *arena.Sheet) { s.Moves[1] = "d1" }, grid, `move 2, "d1"`},
		"mark":   {func(s *arena.Sheet) { s.Moves[0] = "x@a1" }, grid, `move 1, "x@a1"`},
	} {
		s := goldenSheet()
		c.change(s)
		for _, export := range []func(io.Writer, *arena.Sheet, arena.Grid) error{arena.WriteSGF, arena.WritePSQ} {
			if err := export(io.Discard, s, c.grid); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: error %v, want %q", name, err, c.want)
			}
		}
	}
	if err := arena.WriteSGF(io.Discard, goldenSheet(), arena.Grid{Cols: 60, Rows: 9}); err == nil {
		t.Error("a grid of 60 columns is written")
	}
}

func TestGridSquares(t *testing.T) {
	g := arena.Grid{Cols: 30, Rows: 12}
	for name, want := range map[string][2]int{"a1": {0, 11}, "a12": {0, 0}, "z3": {25, 9}, "aa1": {26, 11},
		"ad12": {29, 0}} {
		if col, row, ok := g.ParseSquare(name); !ok || col != want[0] || row != want[1] {
			t.Errorf("%s is %d, %d, %v; want %v", name, col, row, ok, want)
		}
	}
	for _, name := range []string{"", "a", "1", "a0", "a13", "ae1", "A1", "a01", "a-1", "é1", "zzzzzzzzzzzzzzzzzz1",
		"a99999999999999999999"} {
		if col, row, ok := g.ParseSquare(name); ok {
			t.Errorf("%q is %d, %d", name, col, row)
		}
	}
}

func TestSheetOfAGameFromAPosition(t *testing.T) {
	g := ttt(t)
	opening, err := arena.ParseOpening(g, "x../.o./... x")
	if err != nil {
		t.Fatal(err)
	}
	r := arena.Referee[pos]{Game: g}
	played, err := r.Play(context.Background(), [2]oxo.Player[pos]{first, first}, opening, 1)
	if err != nil {
		t.Fatal(err)
	}
	s := read(t, write(t, played.Sheet(g, [2]string{"A", "B"}, arena.TimeControl{})))
	if s.Start != "x../.o./... x" {
		t.Errorf("start %q", s.Start)
	}
	if _, _, err := arena.Replay(g, s); err != nil {
		t.Error(err)
	}
}

// TestReadSheetsOfPlainMoves reads moves as people write them, of the game that is known: with numbers or
// without, by commas, with a result or none. Where it is not, the error shows both forms.
func TestReadSheetsOfPlainMoves(t *testing.T) {
	g := ttt(t)
	rules := arena.ReplayCheck(g)
	for text, want := range map[string]string{
		"1. b2 a3 2. c3 a1 3. a2":      "b2 a3 c3 a1 a2 *",
		"1. b2 2. a3 3. c3":            "b2 a3 c3 *",
		"b2 a3\nc3 {good} a1 a2":       "b2 a3 c3 a1 a2 *",
		"b2,a3, c3,a1":                 "b2 a3 c3 a1 *",
		"1.b2 a1 2.b1 a2 3.b3":         "b2 a1 b1 a2 b3 first",
		"b2 a1 0-1":                    "b2 a1 second",
		"[First \"ann\"] b2":           "b2 *",
		"[Game \"ttt\"]\n1. b2 a1 *\n": "b2 a1 *",
	} {
		list, err := arena.ReadSheets(strings.NewReader(text), "ttt", rules)
		if err != nil || len(list) != 1 {
			t.Errorf("%q: %d sheets, %v", text, len(list), err)
			continue
		}
		if got := strings.Join(append(list[0].Moves, list[0].Result), " "); got != want || list[0].Game != "ttt" {
			t.Errorf("%q: %q of %q, want %q", text, got, list[0].Game, want)
		}
	}
	for text, want := range map[string]string{"1. b2 zz9": `"zz9"`, "b2 a1 b2": `move 3 by first: move "b2"`} {
		if _, err := arena.ReadSheets(strings.NewReader(text), "ttt", rules); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	_, err := arena.ReadSheets(strings.NewReader("1. b2 a3"), "", rules)
	if !errors.Is(err, arena.ErrNoGame) || !strings.Contains(err.Error(), "1. b2 a3 2. c3 *;") ||
		!strings.Contains(err.Error(), "as in 1. b2 a3 2. c3,") {
		t.Errorf("%v", err)
	}
}

// TestNotesWithoutTime: where nobody took the time a note says none, and nothing where there is nothing else to say.
func TestNotesWithoutTime(t *testing.T) {
	s := goldenSheet()
	s.Moves, s.Result, s.Final, s.Termination = s.Moves[:2], "", "", ""
	s.Notes = []arena.Note{{}, {Value: 0.5, Depth: 3, Scored: true}}
	text := write(t, s)
	if !strings.Contains(text, "b2 c1 {+0.5/3}") {
		t.Errorf("written as %s", text)
	}
	if n := read(t, text).Notes; len(n) != 2 || n[0] != (arena.Note{}) || n[1] != s.Notes[1] {
		t.Errorf("%s is read as %+v", text, n)
	}
}
