package arena_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"oxo"
	"oxo/arena"
	"oxo/board"
	"oxo/games/grid"
	"oxo/games/race"
)

// mnk returns the game of k in a row on an m×n board.
func mnk(t testing.TB, m, n, k int, r board.Rules) *oxo.Game[board.Pos64] {
	b, err := grid.New(grid.Shape{Cols: m, Rows: n, Run: k})
	if err != nil {
		t.Fatal(err)
	}
	return board.Game64(fmt.Sprintf("mnk:%d,%d,%d", m, n, k), "row game", b, r)
}

func ttt(t testing.TB) *oxo.Game[board.Pos64] { return mnk(t, 3, 3, 3, board.Normal) }

type pos = board.Pos64

// player is a player made of a function.
type player func(ctx context.Context, p pos) (oxo.Choice, error)

func (f player) Choose(ctx context.Context, p pos) (oxo.Choice, error) { return f(ctx, p) }

// first plays the first legal move.
var first = player(func(_ context.Context, p pos) (oxo.Choice, error) {
	return oxo.Choice{Move: p.Moves(nil)[0]}, nil
})

func random(seed uint64) player {
	r := rand.New(rand.NewPCG(seed, 0))
	var moves []oxo.Move
	return func(_ context.Context, p pos) (oxo.Choice, error) {
		moves = p.Moves(moves[:0])
		return oxo.Choice{Move: moves[r.IntN(len(moves))]}, nil
	}
}

type fault struct{ how string }

func (f fault) Error() string       { return "it went wrong" }
func (f fault) Termination() string { return f.how }

func TestRefereeEndsGames(t *testing.T) {
	g := ttt(t)
	at := func(p pos, c oxo.Choice, err error) player {
		return func(_ context.Context, now pos) (oxo.Choice, error) {
			if now == p {
				return c, err
			}
			return first(context.Background(), now)
		}
	}
	after := g.Start.Play(0)
	for _, c := range []struct {
		name          string
		first, second oxo.Player[pos]
		outcome       oxo.Outcome
		how, reason   string
		plies         int
	}{
		{"to the end", first, first, oxo.FirstWins, oxo.EndNormal, "", 7},
		{"resigning", at(g.Start, oxo.Choice{Resign: true}, nil), first, oxo.SecondWins, oxo.EndResigned, "", 0},
		{"taken square", first, at(after, oxo.Choice{Move: 0}, nil), oxo.FirstWins, oxo.EndIllegal,
			"not legal in x../.../...", 1},
		{"no such square", first, at(after, oxo.Choice{Move: oxo.NoMove}, nil), oxo.FirstWins, oxo.EndIllegal, "65535",
			1},
		{"error", at(g.Start, oxo.Choice{}, errors.New("out of ink")), first, oxo.SecondWins, oxo.EndCrashed,
			"out of ink", 0},
		{"fault", first, at(after, oxo.Choice{}, fmt.Errorf("engine: %w", fault{oxo.EndTime})), oxo.FirstWins,
			oxo.EndTime, "engine: it went wrong", 1},
	} {
		r := arena.Referee[pos]{Game: g}
		got, err := r.Play(context.Background(), [2]oxo.Player[pos]{c.first, c.second}, arena.NoOpening(g), 1)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got.Outcome != c.outcome || got.Termination != c.how || !strings.Contains(got.Reason, c.reason) ||
			len(got.Plies) != c.plies {
			t.Errorf("%s: %v by %s (%q) after %d plies, want %v by %s (%q) after %d",
				c.name, got.Outcome, got.Termination, got.Reason, len(got.Plies), c.outcome, c.how, c.reason, c.plies)
		}
	}
}

func TestRefereeWritesDown(t *testing.T) {
	g := ttt(t)
	r := arena.Referee[pos]{Game: g}
	opening, err := arena.ParseOpening(g, "b2 a1")
	if err != nil {
		t.Fatal(err)
	}
	played, err := r.Play(context.Background(), [2]oxo.Player[pos]{first, first}, opening, 9)
	if err != nil {
		t.Fatal(err)
	}
	s := played.Sheet(g, [2]string{"A", "B"}, arena.TimeControl{})
	if got, want := strings.Join(s.Moves, " "), "b2 a1 a3 b3 c3 a2 c2 b1 c1"; got != want {
		t.Errorf("moves %s, want %s", got, want)
	}
	if s.Result != "first" || s.Opening != 2 || s.Final != "xox/oxx/oox o" || len(s.Notes) != 9 || s.Notes[1].Timed ||
		!s.Notes[2].Timed {
		t.Errorf("sheet %+v", s)
	}
	if ply := played.Plies[0]; len(played.Plies) != 7 || ply.Seat != oxo.First || ply.Move != 0 {
		t.Errorf("plies %+v", played.Plies)
	}
	positions, moves, err := arena.Replay(g, s)
	if err != nil || len(positions) != 10 || len(moves) != 9 || positions[9] != played.Final {
		t.Errorf("replayed to %d positions, %v", len(positions), err)
	}
}

func TestRefereeAdjudicates(t *testing.T) {
	g := ttt(t)
	r := arena.Referee[pos]{Game: g, Adjudicate: func(p pos) (oxo.Outcome, bool) {
		return oxo.Drawn, len(p.Moves(nil)) == 4
	}}
	got, err := r.Play(context.Background(), [2]oxo.Player[pos]{first, first}, arena.NoOpening(g), 1)
	if err != nil || got.Outcome != oxo.Drawn || got.Termination != oxo.EndSolved || len(got.Plies) != 5 {
		t.Errorf("%v by %s after %d plies, %v", got.Outcome, got.Termination, len(got.Plies), err)
	}
	known := oxo.Drawn // from the start, until there are six squares left
	r.Adjudicate = func(p pos) (oxo.Outcome, bool) {
		if len(p.Moves(nil)) == 6 {
			known = oxo.WinFor(oxo.First)
		}
		return known, true
	}
	got, err = r.Play(context.Background(), [2]oxo.Player[pos]{first, first}, arena.NoOpening(g), 1)
	if err != nil || got.Outcome != known || got.Termination != oxo.EndSolved || len(got.Plies) != 3 {
		t.Errorf("%v by %s after %d plies, %v", got.Outcome, got.Termination, len(got.Plies), err)
	}
}

func TestRefereeDrawsChanceFromTheSeed(t *testing.T) {
	rules := board.Normal
	rules.Slip = 0.5
	g := mnk(t, 3, 3, 3, rules)
	play := func(seed uint64) string {
		r := arena.Referee[pos]{Game: g}
		got, err := r.Play(context.Background(), [2]oxo.Player[pos]{first, first}, arena.NoOpening(g), seed)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(got.Sheet(g, [2]string{}, arena.TimeControl{}).Moves, " ")
	}
	games := map[string]bool{}
	for seed := range uint64(20) {
		one, again := play(seed), play(seed)
		if one != again {
			t.Errorf("seed %d gives two games", seed)
		}
		games[one] = true
	}
	if len(games) < 15 {
		t.Errorf("20 seeds give %d games", len(games))
	}
}

// TestRefereeDrawsChanceByTheOdds: over many seeds chance does each thing about as
// often as the game says.
func TestRefereeDrawsChanceByTheOdds(t *testing.T) {
	rules := board.Normal
	rules.Slip = 0.25
	g := mnk(t, 3, 3, 3, rules)
	r := arena.Referee[pos]{Game: g}
	drawn := map[oxo.Move]float64{}
	const games = 4000
	p := g.Start
	for seed := range uint64(games) {
		got, err := r.Play(context.Background(), [2]oxo.Player[pos]{first, first}, arena.NoOpening(g), seed)
		if err != nil {
			t.Fatal(err)
		}
		p = g.Start.Play(got.Plies[0].Move)
		drawn[got.Plies[1].Move]++
	}
	for _, m := range p.Moves(nil) {
		odds := g.Odds(p, m)
		if n := drawn[m] / games; math.Abs(n-odds) > 4*math.Sqrt(odds*(1-odds)/games) {
			t.Errorf("%s: %v of the games, and its odds are %v", g.FormatMove(p, m), n, odds)
		}
		delete(drawn, m)
	}
	if len(drawn) > 0 {
		t.Errorf("chance did what it cannot do: %v", drawn)
	}
}

func TestRefereeEndsCircles(t *testing.T) {
	g, err := race.New(9)
	if err != nil {
		t.Fatal(err)
	}
	r := arena.Referee[race.Pos]{Game: g}
	circle := circling{g}
	got, err := r.Play(context.Background(), [2]oxo.Player[race.Pos]{circle, circle}, arena.NoOpening(g), 1)
	if err != nil || got.Outcome != oxo.Drawn || got.Termination != oxo.EndSolved || len(got.Plies) != 10_000 ||
		!strings.Contains(got.Reason, "10000") {
		t.Errorf("%v by %s (%s) after %d plies, %v", got.Outcome, got.Termination, got.Reason, len(got.Plies), err)
	}
}

// circling steps so that the game never ends: back to where it came from.
type circling struct{ g *oxo.Game[race.Pos] }

func (c circling) Choose(_ context.Context, p race.Pos) (oxo.Choice, error) {
	moves := p.Moves(nil)
	m := moves[0]
	if p.Turn() == oxo.Second {
		m = moves[len(moves)-1]
	}
	return oxo.Choice{Move: m}, nil
}

func TestRefereeStopsWithItsContext(t *testing.T) {
	g := ttt(t)
	ctx, cancel := context.WithCancel(context.Background())
	stopping := player(func(ctx context.Context, p pos) (oxo.Choice, error) {
		cancel()
		return first(ctx, p)
	})
	r := arena.Referee[pos]{Game: g}
	got, err := r.Play(ctx, [2]oxo.Player[pos]{stopping, first}, arena.NoOpening(g), 1)
	if !errors.Is(err, context.Canceled) || got.Termination != oxo.EndAbandoned || got.Outcome != oxo.Ongoing {
		t.Errorf("%v by %s, %v", got.Outcome, got.Termination, err)
	}
}

// slow thinks that long about every move and, if it looks at the clock, notes
// what it shows.
type slow struct {
	think time.Duration
	left  []time.Duration
}

func (s *slow) Choose(ctx context.Context, p pos) (oxo.Choice, error) {
	time.Sleep(s.think)
	return first(ctx, p)
}

type looking struct{ *slow }

func (l looking) Clock(own, _, _, _ time.Duration) { l.left = append(l.left, own) }

func TestClocks(t *testing.T) {
	g := ttt(t)
	const ms = time.Millisecond
	for _, c := range []struct {
		name   string
		time   arena.TimeControl
		margin time.Duration
		think  time.Duration
		how    string
		plies  int
	}{
		{"no clock", arena.TimeControl{}, 0, time.Hour, oxo.EndNormal, 7},
		{"in time", arena.TimeControl{Move: 20 * ms}, 0, 20 * ms, oxo.EndNormal, 7},
		{"late", arena.TimeControl{Move: 20 * ms}, 0, 21 * ms, oxo.EndTime, 0},
		{"within the margin", arena.TimeControl{Move: 20 * ms}, ms, 21 * ms, oxo.EndNormal, 7},
		{"over the margin", arena.TimeControl{Move: 20 * ms}, ms, 22 * ms, oxo.EndTime, 0},
		{"bank runs out", arena.TimeControl{Bank: 20 * ms}, 0, 9 * ms, oxo.EndTime, 4},
		{"increment keeps it up", arena.TimeControl{Bank: 20 * ms, Increment: 9 * ms}, 0, 9 * ms, oxo.EndNormal, 7},
		{"time for the first move", arena.TimeControl{Move: 8 * ms, First: 20 * ms}, 0, 9 * ms, oxo.EndTime, 2},
		{"bank is enough, the move is not", arena.TimeControl{Bank: 200 * ms, Move: 8 * ms}, 0, 9 * ms, oxo.EndTime, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := arena.Referee[pos]{Game: g, Time: c.time, Margin: c.margin}
			player := &slow{think: c.think}
			opponent := &slow{}
			got, err := r.Play(context.Background(), [2]oxo.Player[pos]{player, opponent}, arena.NoOpening(g), 1)
			if err != nil || got.Termination != c.how || len(got.Plies) != c.plies {
				t.Errorf("%s: %s (%s) after %d plies, %v; want %s after %d", c.name, got.Termination, got.Reason,
					len(got.Plies), err, c.how, c.plies)
			}
			if c.how == oxo.EndTime && got.Outcome != oxo.SecondWins {
				t.Errorf("%s: outcome %v", c.name, got.Outcome)
			}
		})
	}
}

func TestClockIsShownToThoseWhoLook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := ttt(t)
		r := arena.Referee[pos]{Game: g, Time: arena.TimeControl{Bank: time.Minute, Increment: time.Second}}
		l := looking{&slow{think: 10 * time.Second}}
		if _, err := r.Play(context.Background(), [2]oxo.Player[pos]{l, first}, arena.NoOpening(g), 1); err != nil {
			t.Fatal(err)
		}
		if got, want := fmt.Sprint(l.left), "[1m0s 51s 42s 33s]"; got != want {
			t.Errorf("clocks show %s, want %s", got, want)
		}
	})
}

// An empty bank is not mistaken for none.
func TestAnEmptyBankIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := ttt(t)
		r := arena.Referee[pos]{Game: g, Time: arena.TimeControl{Bank: time.Second}, Margin: time.Minute}
		l := looking{&slow{think: 2 * time.Second}}
		if _, err := r.Play(context.Background(), [2]oxo.Player[pos]{l, first}, arena.NoOpening(g), 1); err != nil {
			t.Fatal(err)
		}
		if got, want := fmt.Sprint(l.left), "[1s 1ns 1ns 1ns]"; got != want {
			t.Errorf("clocks show %s, want %s", got, want)
		}
	})
}

func TestOthersGetAShareOfTheirTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := ttt(t)
		var shares []time.Duration
		begun := time.Now()
		thinker := player(func(ctx context.Context, p pos) (oxo.Choice, error) {
			now := time.Now()
			<-ctx.Done()
			shares = append(shares, time.Since(now))
			return first(ctx, p)
		})
		r := arena.Referee[pos]{Game: g, Time: arena.TimeControl{Bank: 25 * time.Second}}
		got, err := r.Play(context.Background(), [2]oxo.Player[pos]{thinker, first}, arena.NoOpening(g), 1)
		if err != nil || got.Termination != oxo.EndNormal {
			t.Fatal(got.Termination, err)
		}
		if shares[0] != time.Second || shares[1] != 960*time.Millisecond || time.Since(begun) > 4*time.Second {
			t.Errorf("shares %v", shares)
		}
	})
}

func TestTimeControlText(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"-", "-"}, {"", "-"}, {"100ms/move", "100ms/move"}, {"5m", "5m0s"}, {"5m+2s", "5m0s+2s"},
		{"30s/move,5m+0s", "5m0s,30s/move"},
		{"1s/first,100ms/move", "100ms/move,1s/first"},
	} {
		got, err := arena.ParseTimeControl(c.text)
		if err != nil || got.String() != c.want || got.Check() != nil {
			t.Errorf("%q is read as %v, %v", c.text, got, err)
		}
		again, err := arena.ParseTimeControl(got.String())
		if err != nil || again != got {
			t.Errorf("%q is read as %v, %v", got, again, err)
		}
	}
	for _, text := range []string{"x", "-5s", "0s", "0s/move", "5s+", "+5s", "5s,6s", "1s/move,2s/move", "5s+-1s",
		"5s/game", ",", "1s/first", "1s/first,2s/first,1s/move"} {
		if got, err := arena.ParseTimeControl(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		} else if !strings.Contains(err.Error(), "100ms/move") {
			t.Errorf("%q: %v does not say what is accepted", text, err)
		}
	}
	for _, c := range []arena.TimeControl{{Move: -1}, {Bank: -1}, {Increment: 1}, {First: 1}, {First: -1, Move: 1}} {
		if c.Check() == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
}

func BenchmarkReferee(b *testing.B) {
	g := ttt(b)
	for _, c := range []struct {
		name string
		time arena.TimeControl
	}{{"no clock", arena.TimeControl{}}, {"clock", arena.TimeControl{Bank: time.Hour}}} {
		b.Run(c.name, func(b *testing.B) {
			r := arena.Referee[pos]{Game: g, Time: c.time}
			players := [2]oxo.Player[pos]{random(1), random(2)}
			plies := 0
			for b.Loop() {
				got, err := r.Play(context.Background(), players, arena.NoOpening(g), 1)
				if err != nil {
					b.Fatal(err)
				}
				plies += len(got.Plies)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(plies), "ns/move")
		})
	}
}

func FuzzParseTimeControl(f *testing.F) {
	for _, text := range []string{"-", "5m+2s,30s/move", "100ms/move,1s/first", "1h+", "+", "9999999h", "0s"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := arena.ParseTimeControl(text)
		if err != nil {
			return
		}
		if again, err := arena.ParseTimeControl(c.String()); err != nil || again != c || c.Check() != nil {
			t.Errorf("%q is read as %v and then as %v, %v", text, c, again, err)
		}
	})
}
