package arena_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"oxo"
	"oxo/arena"
	"oxo/board"
)

// entrant plays by a function of the position and a source of chance.
func entrant(name string, choose func(p pos, r *rand.Rand) oxo.Move) arena.Entrant[pos] {
	return arena.Entrant[pos]{Name: name, New: func(_ oxo.Seat, seed uint64) (oxo.Player[pos], error) {
		r := rand.New(rand.NewPCG(seed, 0))
		return player(func(_ context.Context, p pos) (oxo.Choice, error) {
			return oxo.Choice{Move: choose(p, r)}, nil
		}), nil
	}}
}

func anyMove(p pos, r *rand.Rand) oxo.Move {
	moves := p.Moves(nil)
	return moves[r.IntN(len(moves))]
}

// winning takes a win at once where there is one.
func winning(p pos, r *rand.Rand) oxo.Move {
	for _, m := range p.Moves(nil) {
		if p.Play(m).Outcome() == oxo.WinFor(p.Turn()) {
			return m
		}
	}
	return anyMove(p, r)
}

func three() []arena.Entrant[pos] {
	return []arena.Entrant[pos]{entrant("random", anyMove), entrant("winning", winning),
		entrant("first", func(p pos, _ *rand.Rand) oxo.Move { return p.Moves(nil)[0] })}
}

func tournament(t testing.TB, entrants []arena.Entrant[pos], pairs int) *arena.Tournament[pos] {
	g := ttt(t)
	openings, err := arena.AllOpenings(g, 2)
	if err != nil {
		t.Fatal(err)
	}
	return &arena.Tournament[pos]{Referee: arena.Referee[pos]{Game: g}, Entrants: entrants, Pairs: pairs,
		Openings: openings, Seed: 11}
}

// text writes standings down without what differs from run to run.
func text(t *testing.T, s *arena.Standings) string {
	t.Helper()
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func run(t *testing.T, tour *arena.Tournament[pos]) *arena.Standings {
	t.Helper()
	s, err := tour.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTournamentIsTheSameOnAnyNumberOfWorkers(t *testing.T) {
	want := ""
	for workers := 1; workers <= 5; workers++ {
		tour := tournament(t, three(), 40)
		tour.Workers = workers
		s, sheets := runSheets(t, tour)
		got := text(t, s)
		for _, s := range sheets {
			got += fmt.Sprintln(s.First, s.Second, s.Moves, s.Result)
		}
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("%d workers: %s\nnot %s", workers, got, want)
		}
	}
}

func TestTournamentCounts(t *testing.T) {
	tour := tournament(t, three(), 40)
	type game struct{ opening, first, second string }
	seen := map[game]int{}
	cross := map[string]float64{}
	s, sheets := runSheets(t, tour)
	for _, s := range sheets {
		seen[game{strings.Join(s.Moves[:s.Opening], " "), s.First, s.Second}]++
		switch s.Result {
		case "first":
			cross[s.First+s.Second]++
		case "second":
			cross[s.Second+s.First]++
		default:
			cross[s.First+s.Second] += 0.5
			cross[s.Second+s.First] += 0.5
		}
	}
	if s.Games != 240 || s.Total != 240 {
		t.Errorf("%d of %d games", s.Games, s.Total)
	}
	for g, n := range seen {
		if seen[game{g.opening, g.second, g.first}] != n {
			t.Errorf("%+v is played %d times, with seats swapped %d times", g, n,
				seen[game{g.opening, g.second, g.first}])
		}
	}
	for i, a := range s.Names {
		for j, b := range s.Names {
			c := s.Cross[i][j]
			if i == j {
				continue
			}
			halves := 0
			for k, n := range c.Pairs {
				halves += k * n
			}
			if c.Points() != cross[a+b] || c.Games() != 80 || c.Pairs.Count() != 40 || float64(halves) != 2*c.Points() {
				t.Errorf("%s against %s: %+v, want %v points", a, b, c, cross[a+b])
			}
		}
	}
	rows, err := s.Rows(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !(rows[1].Rating > rows[0].Rating+50) || rows[1].Games != 160 || rows[1].Score != s.Score(1).Points() {
		t.Errorf("rows %+v", rows)
	}
}

func TestGauntlet(t *testing.T) {
	tour := tournament(t, three(), 5)
	tour.Gauntlet = true
	s := run(t, tour)
	if s.Games != 20 || s.Cross[1][2].Games() != 0 || s.Cross[0][1].Games() != 10 || s.Cross[0][2].Games() != 10 {
		t.Errorf("%+v", s)
	}
}

func TestMatchOfEqualsIsEven(t *testing.T) {
	first := entrant("A", func(p pos, _ *rand.Rand) oxo.Move { return p.Moves(nil)[0] })
	tour := tournament(t, []arena.Entrant[pos]{first, first}, 30)
	m := run(t, tour).Match()
	if m.Score.Points() != 30 || m.Pairs != (arena.Pairs{2: 30}) || m.Elo.Elo != 0 {
		t.Errorf("%+v", m)
	}
}

// TestFaultsAdd: counts are added up, and the later of two faults is the last.
func TestFaultsAdd(t *testing.T) {
	a, b := arena.Faults{Time: 1, Illegal: 20, Crashed: 300, Last: "a"},
		arena.Faults{Time: 4000, Illegal: 50_000, Crashed: 600_000, Last: "b"}
	if got, want := a.Add(b), (arena.Faults{Time: 4001, Illegal: 50_020, Crashed: 600_300, Last: "b"}); got != want ||
		got.Sum() != 654_321 {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := a.Add(arena.Faults{}); got != a {
		t.Errorf("%+v and nothing are %+v", a, got)
	}
}

func TestFaultsAreReportedAndTheRestGoesOn(t *testing.T) {
	broken := arena.Entrant[pos]{Name: "broken", New: func(seat oxo.Seat, _ uint64) (oxo.Player[pos], error) {
		if seat == oxo.Second {
			return nil, errors.New("engine: no such file")
		}
		return player(func(context.Context, pos) (oxo.Choice, error) { return oxo.Choice{Move: 77}, nil }), nil
	}}
	tour := tournament(t, append(three(), broken), 10)
	var keep *arena.Sheet
	s, sheets := runSheets(t, tour)
	for _, s := range sheets {
		if s.Termination == oxo.EndCrashed {
			keep = s
		}
	}
	f := s.Faults[3]
	if s.Games != s.Total || f.Illegal != 30 || f.Crashed != 30 || f.Sum() != 60 || f.Last == "" ||
		s.Score(3).Points() != 0 || s.Faults[0].Sum() != 0 {
		t.Errorf("%d games, faults %+v", s.Games, s.Faults)
	}
	if keep == nil || keep.Reason != "engine: no such file" || keep.Result != "first" ||
		len(keep.Moves) != keep.Opening {
		t.Errorf("sheet %+v", keep)
	}
}

// shortage is an error that is no player's fault.
type shortage struct{ error }

func (shortage) Shortage() bool { return true }

// Where something is wanting here, nobody has lost, and the tournament says so and
// can go on later.
func TestShortagesEndATournament(t *testing.T) {
	games := 0
	var short error
	poor := entrant("poor", anyMove)
	poor.New = func(_ oxo.Seat, seed uint64) (oxo.Player[pos], error) {
		if games++; games > 7 && short != nil {
			return nil, fmt.Errorf("start: %w", short)
		}
		return entrant("poor", anyMove).New(0, seed)
	}
	tour := tournament(t, []arena.Entrant[pos]{poor, entrant("random", anyMove)}, 20)
	tour.Workers = 1
	want := run(t, tour)
	short, games = shortage{errors.New("too many open files")}, 0
	file := &arena.MemoryFile{}
	s, err := journaled(t, tour, file)
	kept := bytes.Count(file.Data, []byte("\n")) - 1 // but for the header
	if !errors.Is(err, short) || !strings.Contains(err.Error(), "poor: start: too many open files") || kept != 7 ||
		s.Games != 7 || s.Faults[0].Sum() != 0 {
		t.Errorf("%v, %d games are kept, standings %+v", err, kept, s)
	}
	if want.Games != 40 {
		t.Errorf("%d games without a shortage", want.Games)
	}
}

// closing counts the players that are open.
type closing struct {
	player
	close func()
}

func (c closing) Close() error { c.close(); return nil }

// blamed is a player that counts the games of which it is told that it lost them by its own fault.
type blamed struct {
	player
	blames *int
}

func (b blamed) Blame() { *b.blames++ }

// TestPlayersAreBlamed: who lost by its own fault is told so, and nobody else.
func TestPlayersAreBlamed(t *testing.T) {
	var games, blames [3]int
	entrants := make([]arena.Entrant[pos], 3)
	for i := range entrants {
		choose := func(ctx context.Context, p pos) (oxo.Choice, error) {
			switch i {
			case 1:
				return oxo.Choice{Move: 77}, nil
			case 2:
				return oxo.Choice{Resign: true}, nil
			}
			return oxo.Choice{Move: p.Moves(nil)[0]}, nil
		}
		entrants[i] = arena.Entrant[pos]{Name: fmt.Sprint(i), New: func(oxo.Seat, uint64) (oxo.Player[pos], error) {
			games[i]++
			return blamed{choose, &blames[i]}, nil
		}}
	}
	tour := tournament(t, entrants, 5)
	tour.Workers = 1
	s := run(t, tour)
	for i := range entrants {
		if games[i] != 20 || blames[i] != s.Faults[i].Sum() {
			t.Errorf("player %d of %d games is blamed %d times; its faults: %+v", i, games[i], blames[i], s.Faults[i])
		}
	}
	if blames[1] < 10 {
		t.Errorf("%d blames of the player that makes no legal move", blames[1])
	}
}

func TestPlayersAreClosed(t *testing.T) {
	var mu sync.Mutex
	open, most := 0, 0
	change := func(by int) {
		mu.Lock()
		defer mu.Unlock()
		open += by
		most = max(most, open)
	}
	e := arena.Entrant[pos]{Name: "A", New: func(oxo.Seat, uint64) (oxo.Player[pos], error) {
		change(1)
		return closing{first, func() { change(-1) }}, nil
	}}
	tour := tournament(t, []arena.Entrant[pos]{e, e}, 50)
	tour.Workers = 2
	run(t, tour)
	if open != 0 || most > 4 {
		t.Errorf("%d players are open after the end, %d at once", open, most)
	}
}

func TestSPRTStopsAtTheSamePair(t *testing.T) {
	want := ""
	for _, workers := range []int{1, 2, 7} {
		tour := tournament(t, three()[:2], 5000)
		tour.SPRT = &arena.SPRT{Elo0: -50, Elo1: 0, Alpha: 0.05, Beta: 0.05}
		tour.Workers = workers
		s := run(t, tour)
		if s.Verdict != arena.AcceptElo0 || s.Games == s.Total || s.Games != 2*s.Cross[0][1].Pairs.Count() {
			t.Errorf("%d workers: %v after %d games", workers, s.Verdict, s.Games)
		}
		if want == "" {
			want = text(t, s)
		}
		if got := text(t, s); got != want {
			t.Errorf("%d workers: %s\nnot %s", workers, got, want)
		}
	}
}

func TestTournamentRefusesNonsense(t *testing.T) {
	for name, change := range map[string]func(*arena.Tournament[pos]){
		"no game":     func(x *arena.Tournament[pos]) { x.Referee.Game = nil },
		"one entrant": func(x *arena.Tournament[pos]) { x.Entrants = x.Entrants[:1] },
		"no pairs":    func(x *arena.Tournament[pos]) { x.Pairs = 0 },
		"workers":     func(x *arena.Tournament[pos]) { x.Workers = -1 },
		"margin":      func(x *arena.Tournament[pos]) { x.Referee.Margin = -1 },
		"time":        func(x *arena.Tournament[pos]) { x.Referee.Time.Increment = 1 },
		"test of many": func(x *arena.Tournament[pos]) {
			x.SPRT = &arena.SPRT{Elo0: 0, Elo1: 5, Alpha: .05,
				Beta: .05}
		},
	} {
		tour := tournament(t, three(), 1)
		change(tour)
		if s, err := tour.Run(context.Background()); err == nil {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// small is a file on a disk that is soon full.
type small struct {
	arena.MemoryFile
	most int
}

func (f *small) Write(p []byte) (int, error) {
	if len(f.Data)+len(p) > f.most {
		return 0, errors.New("the disk is full")
	}
	return f.MemoryFile.Write(p)
}

func journaled(t *testing.T, tour *arena.Tournament[pos], f arena.JournalFile) (*arena.Standings, error) {
	t.Helper()
	j, err := arena.OpenJournal(f)
	if err != nil {
		return nil, err
	}
	tour.Journal = j
	return tour.Run(context.Background())
}

// runSheets runs a tournament and returns its sheets too, by number.
func runSheets(t *testing.T, tour *arena.Tournament[pos]) (*arena.Standings, []*arena.Sheet) {
	t.Helper()
	file := &arena.MemoryFile{}
	s, err := journaled(t, tour, file)
	if err != nil {
		t.Fatal(err)
	}
	sheets, err := arena.JournalSheets(file.Data)
	if err != nil || len(sheets) != s.Games {
		t.Fatal(len(sheets), s.Games, err)
	}
	return s, sheets
}

// A journal cut anywhere goes on to the same standings, and every game is in
// it once.
func TestJournalGoesOnFromAnywhere(t *testing.T) {
	whole := &arena.MemoryFile{}
	want, err := journaled(t, tournament(t, three(), 4), whole)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(6, 6))
	for range 60 {
		cut := r.IntN(len(whole.Data) + 1)
		file := &arena.MemoryFile{Data: append([]byte(nil), whole.Data[:cut]...)}
		tour := tournament(t, three(), 4)
		before := strings.Count(string(file.Data), "\n") - 1
		played := 0
		tour.Progress = func(s *arena.Standings) { played++ }
		got, err := journaled(t, tour, file)
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if text(t, got) != text(t, want) {
			t.Errorf("cut at %d: %s\nnot %s", cut, text(t, got), text(t, want))
		}
		if played != 24-max(before, 0) {
			t.Errorf("cut at %d: %d games are played after %d", cut, played, before)
		}
		j, err := arena.OpenJournal(file)
		if err != nil || len(j.Sheets()) != 24 {
			t.Errorf("cut at %d: the journal holds %d games, %v", cut, len(j.Sheets()), err)
		}
	}
}

func TestJournalInAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	for _, pairs := range []int{2, 5, 3} { // longer, then shorter than what is there
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		s, err := journaled(t, tournament(t, three(), pairs), f)
		if err != nil || s.Games != 6*pairs {
			t.Fatalf("%d pairs: %d games, %v", pairs, s.Games, err)
		}
	}
}

func TestInterruptedTournamentGoesOn(t *testing.T) {
	want := run(t, tournament(t, three(), 100))
	file := &arena.MemoryFile{}
	j, err := arena.OpenJournal(file)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	tour := tournament(t, three(), 100)
	tour.Journal = j
	tour.Progress = func(s *arena.Standings) {
		if s.Games == 7 {
			cancel()
		}
	}
	s, err := tour.Run(ctx)
	if !errors.Is(err, context.Canceled) || s.Games < 7 {
		t.Fatalf("%d games, %v", s.Games, err)
	}
	got, err := journaled(t, tournament(t, three(), 100), file)
	if err != nil || text(t, got) != text(t, want) {
		t.Errorf("%s, %v\nnot %s", text(t, got), err, text(t, want))
	}
}

func TestJournalTroubles(t *testing.T) {
	file := &arena.MemoryFile{}
	if _, err := journaled(t, tournament(t, three(), 1), file); err != nil {
		t.Fatal(err)
	}
	other := tournament(t, three(), 1)
	other.Seed = 12
	if _, err := journaled(t, other, &arena.MemoryFile{Data: file.Data}); err == nil ||
		!strings.Contains(err.Error(), "seed 11") || !strings.Contains(err.Error(), "seed 12") {
		t.Errorf("a journal of another seed: %v", err)
	}
	lines := strings.SplitAfter(string(file.Data), "\n")
	var first struct{ Game int } // games are in the order in which they ended
	if err := json.Unmarshal([]byte(lines[1]), &first); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ data, want string }{
		"something else":   {"hello\n", "no journal"},
		"a line of it":     {"hello", "no journal"},
		"another object":   {`{"games":[1,2]}`, "no journal"},
		"another version":  {`{"journal":9,"tournament":"x"}` + "\n", "format 9"},
		"a game twice":     {lines[0] + lines[1] + lines[1], fmt.Sprintf("line 3: game %d is there twice", first.Game)},
		"a damaged line":   {lines[0] + lines[1][:20] + "\n" + lines[2], "line 2"},
		"no sheet":         {lines[0] + `{"game":1}` + "\n", "no sheet"},
		"an unknown field": {lines[0] + `{"game":1,"moon":2}` + "\n", "moon"},
		"other players":    {lines[0] + strings.Replace(lines[1], "random", "rand", 1), `"rand"`},
		"no result":        {lines[0] + strings.Replace(lines[1], `"result":"`, `"result":"x`, 1), "results are first"},
	} {
		if _, err := journaled(t, tournament(t, three(), 1), &arena.MemoryFile{Data: []byte(c.data)}); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
	if s, err := journaled(t, tournament(t, three(), 9), &small{most: 3000}); err == nil ||
		!strings.Contains(err.Error(), "disk is full") || s.Games == s.Total {
		t.Errorf("a full disk: %v", err)
	}
}

func FuzzJournal(f *testing.F) {
	f.Add([]byte(`{"journal":1,"tournament":"x"}` + "\n" + `{"game":3,"sheet":{"game":"ttt","moves":["a1"]}}` + "\n{"))
	f.Add([]byte("\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file := &arena.MemoryFile{Data: append([]byte(nil), data...)}
		j, err := arena.OpenJournal(file)
		if err != nil {
			return
		}
		again, err := arena.OpenJournal(file)
		if err != nil || len(again.Sheets()) != len(j.Sheets()) {
			t.Errorf("the second reading of %q differs: %v", data, err)
		}
	})
}

// Two players of known strength: the measured difference holds the true one.
// One side of each decided game is drawn with the odds of 100 Elo by the
// players together: a pair of entrants that resign by chance.
func TestMatchMeasuresKnownStrength(t *testing.T) {
	resigning := func(name string, chance float64) arena.Entrant[pos] {
		return arena.Entrant[pos]{Name: name, New: func(_ oxo.Seat, seed uint64) (oxo.Player[pos], error) {
			r := rand.New(rand.NewPCG(seed, 1))
			return player(func(_ context.Context, p pos) (oxo.Choice, error) {
				return oxo.Choice{Move: p.Moves(nil)[0], Resign: r.Float64() < chance}, nil
			}), nil
		}}
	}
	// A resigns at its first move with probability 1−s, else B does at once.
	s := arena.ScoreFromElo(100)
	always := resigning("B", 1)
	tour := &arena.Tournament[pos]{Referee: arena.Referee[pos]{Game: mnk(t, 5, 5, 5, board.Normal)}, Pairs: 1000,
		Seed:     3,
		Entrants: []arena.Entrant[pos]{resigning("A", 1-s), always}}
	m := run(t, tour).Match()
	// As First A wins with probability s, as Second always.
	want := arena.EloFromScore((s + 1) / 2)
	if math.Abs(m.Elo.Elo-want) > 1.5*m.Elo.Error {
		t.Errorf("measured %v ± %v, want %v", m.Elo.Elo, m.Elo.Error, want)
	}
}

func BenchmarkTournament(b *testing.B) {
	tour := tournament(b, three()[:2], 20_000)
	for b.Loop() {
		if _, err := tour.Run(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*40_000/b.Elapsed().Seconds(), "games/s")
}
