package web

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"oxo/lab"
	"oxo/web/puzzles"
)

// TestPuzzlesAPI draws puzzles, tries moves, is told answers and rated.
func TestPuzzlesAPI(t *testing.T) {
	x := newTester(t)
	var all, some puzzles.PuzzlesReply
	x.answered(200, "GET", api+"puzzles", nil, &all)
	if all.Count != len(lab.CarriedPuzzles("", "")) || len(all.Games) < 20 || all.Puzzle == nil {
		t.Fatalf("%d puzzles of %d games", all.Count, len(all.Games))
	}
	x.answered(200, "GET", api+"puzzles?game=mnk:4,4,4&theme=fork&near=900", nil, &some)
	if some.Puzzle == nil || some.Puzzle.Game != "mnk:4,4,4" || some.Puzzle.Theme != "fork" ||
		len(some.Puzzle.Hints) < 2 {
		t.Fatalf("%+v", some.Puzzle)
	}
	x.answered(200, "GET", api+"puzzles?game=qubic", nil, &some)
	if some.Count < 100 || some.Puzzle == nil {
		t.Errorf("of a game by another name: %d", some.Count)
	}
	var none puzzles.PuzzlesReply
	x.answered(200, "GET", api+"puzzles?game=ttt%2Bwild", nil, &none)
	if none.Count != 0 || none.Puzzle != nil {
		t.Errorf("of a game without: %d, %+v", none.Count, none.Puzzle)
	}
	x.fault(422, "GET", api+"puzzles?game=chess", nil)
	var day, again puzzles.DailyReply
	x.answered(200, "GET", api+"puzzles/daily", nil, &day)
	x.answered(200, "GET", api+"puzzles/daily", nil, &again)
	if day.Puzzle.ID != again.Puzzle.ID && day.Day == again.Day {
		t.Errorf("two puzzles of one day: %s, %s", day.Puzzle.ID, again.Puzzle.ID)
	}
	x.answered(200, "GET", api+"puzzles/daily?day=2026-02-28", nil, &day)
	past := time.Date(2026, 2, 28, 12, 0, 0, 0, time.UTC)
	if day.Day != "2026-02-28" || day.Puzzle.ID != lab.DailyPuzzle(past).ID {
		t.Errorf("the puzzle of a past day: %+v", day)
	}
	x.fault(422, "GET", api+"puzzles/daily?day=2026-02-29", nil)
	x.fault(422, "GET", api+"puzzles/daily?day="+time.Now().AddDate(0, 0, 2).Format(time.DateOnly), nil)
	z := lab.CarriedPuzzles("mnk:4,4,4+misere", "save")[0]
	at := api + "puzzles/" + z.ID
	var shown puzzles.PuzzleView
	x.answered(200, "GET", at, nil, &shown)
	if shown.Position != z.Position || shown.Goal == "" {
		t.Errorf("%+v", shown)
	}
	g, err := x.server.Games.Open(z.Game)
	if err != nil {
		t.Fatal(err)
	}
	state, _ := g.Parse(z.Position)
	for _, m := range state.Moves {
		var r puzzles.AnswerReply
		x.answered(200, "POST", at+"/answer", object{"move": m}, &r)
		if r.Right != (m == z.Answer) || (r.Answer != "") != r.Right || r.Says == "" || r.Solver != nil {
			t.Errorf("%s of %s: %+v", m, z.Answer, r)
		}
	}
	var refused []string
	for _, m := range state.Moves {
		if m == z.Answer {
			continue
		}
		var r puzzles.AnswerReply
		x.answered(200, "POST", at+"/answer", object{"move": m, "refused": refused}, &r)
		refused = append(refused, m)
		if last := r.Hints[len(r.Hints)-1]; !strings.Contains(last, z.Answer) ||
			slices.ContainsFunc(refused, func(m string) bool { return strings.Contains(last, m) }) {
			t.Errorf("%s is right, %v were refused; the hint: %s", z.Answer, refused, last)
		}
	}
	x.fault(404, "GET", api+"puzzles/none", nil)
	x.fault(404, "POST", api+"puzzles/none/answer", object{})
	x.fault(422, "POST", at+"/answer", object{"move": "z9"})
	x.fault(422, "GET", api+"puzzles?theme=chess", nil)
	x.fault(422, "GET", api+"puzzles?theme=win-5", nil)
	won := 0
	for moves := 1; moves <= 4; moves++ {
		x.answered(200, "GET", fmt.Sprintf("%spuzzles?theme=win-%d", api, moves), nil, &some)
		won += some.Count
		if z, _ := lab.CarriedPuzzle(some.Puzzle.ID); z.Theme != "win" || min(z.Plies/2+1, 4) != moves {
			t.Errorf("a win in %d moves: %+v", moves, z)
		}
	}
	if won != len(lab.CarriedPuzzles("", "win")) {
		t.Errorf("%d wins in so many moves", won)
	}
	x.fault(422, "GET", api+"puzzles/sheet?theme=chess", nil)
	x.fault(404, "GET", api+"puzzles/sheet?game=ttt%2Bwild", nil)
	x.fault(422, "GET", api+"puzzles?near=-1", nil)
	if first := all.Games[0]; first.Game != "mnk:3,3,3" || !first.Known || all.Games[len(all.Games)-1].Known {
		t.Errorf("the first game is %+v", first)
	}
	for range 20 { // of 35, those that are about as hard
		x.answered(200, "GET", api+"puzzles?game=connect4&theme=win&difficulty=easier", nil, &some)
		before := *some.Puzzle
		x.answered(200, "GET", api+"puzzles?game=connect4&theme=win&difficulty=harder&but="+before.ID, nil, &some)
		if before.Rating > 900 || some.Puzzle.Rating < 1000 || some.Puzzle.ID == before.ID {
			t.Errorf("an easier one is rated %d, a harder one %d", before.Rating, some.Puzzle.Rating)
		}
	}
	x.answered(200, "GET", api+"puzzles?known=true", nil, &some)
	if some.Count == 0 || some.Count >= all.Count || !lab.IsPlainGame(some.Puzzle.Game) ||
		lab.OrderOfKnownGame(some.Puzzle.Game) < 0 {
		t.Errorf("of well-known games: %d of %d, %+v", some.Count, all.Count, some.Puzzle)
	}
}

// TestDaily: the daily puzzles of Mondays are of games as everybody knows them, and hard ones are set on Sundays alone.
// Every day has one, the same at all hours, and none comes again for two years.
func TestDaily(t *testing.T) {
	var l lab.Lab
	seen := map[string]bool{}
	begin := time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)
	for day := range 730 {
		at := begin.AddDate(0, 0, day)
		z := lab.DailyPuzzle(at)
		if seen[z.ID] {
			t.Fatalf("%s comes again on day %d", z.ID, day)
		}
		seen[z.ID] = true
		if late := lab.DailyPuzzle(at.Add(23 * time.Hour)); late.ID != z.ID {
			t.Errorf("day %d has two puzzles, %s and %s", day, z.ID, late.ID)
		}
		if z.Rating < 800 || z.Rating >= 1600 != (at.Weekday() == time.Sunday) {
			t.Errorf("day %d: %s, rated %d", day, z.Theme, z.Rating)
		}
		if at.Weekday() != time.Monday {
			continue
		}
		g, err := l.Game(z.Game)
		if err != nil {
			t.Fatal(err)
		}
		if i := g.Info(); i.Unseen || i.Shape != "" || z.Theme == "avoid" ||
			strings.Contains(strings.TrimSuffix(z.Game, "+gravity"), "+") {
			t.Errorf("%s is no game that everybody knows", z.Game)
		}
	}
}

// TestDifficulty draws puzzles that are easier and harder than those for a new solver.
func TestDifficulty(t *testing.T) {
	x := newTester(t)
	for difficulty, between := range map[string][2]int{"easier": {0, 850}, "": {800, 1050}, "harder": {1050, 1400}} {
		for range 5 {
			var r puzzles.PuzzlesReply
			x.answered(200, "GET", api+"puzzles?difficulty="+difficulty, nil, &r)
			if z := r.Puzzle; z == nil || z.Rating < between[0] || z.Rating > between[1] {
				t.Errorf("%q: %+v, want a rating in %v", difficulty, z, between)
			}
		}
	}
	x.fault(422, "GET", api+"puzzles?difficulty=hard", nil)
}

// TestRaceRepeatsNothing: of the puzzles that are to be left out none is drawn, and their games are mixed, also where
// the solver has tried puzzles of all games that many know.
func TestRaceRepeatsNothing(t *testing.T) {
	x := solverOn(t, newMemory(), aKey)
	tried := map[string]bool{}
	for _, z := range lab.CarriedPuzzles("", "") {
		if lab.OrderOfKnownGame(z.Game) >= 0 && !tried[z.Game] {
			tried[z.Game] = true
			x.try(&z, object{"first": true})
		}
	}
	var seen []string
	games := map[string]int{}
	for n := range 24 {
		var r puzzles.PuzzlesReply
		x.answered(200, "GET", fmt.Sprintf("%spuzzles?known=true&near=%d&but=%s", api, 800+60*n,
			strings.Join(seen, ",")), nil, &r)
		if slices.Contains(seen, r.Puzzle.ID) {
			t.Errorf("%s comes again", r.Puzzle.ID)
		}
		seen = append(seen, r.Puzzle.ID)
		games[r.Puzzle.Game]++
	}
	for game, n := range games {
		if n > 10 || len(games) < 5 {
			t.Errorf("%d of 24 are of %s: %v", n, game, games)
		}
	}
}

// TestNewcomersVariety: who has tried nothing and goes on to the next puzzle, again and again, is set easy ones of
// several games on flat boards that many know, none of them twice; the first is of tic-tac-toe.
func TestNewcomersVariety(t *testing.T) {
	x := newTester(t)
	var seen []string
	games := map[string]int{}
	for n := range 25 {
		var r puzzles.PuzzlesReply
		x.answered(200, "GET", api+"puzzles?but="+strings.Join(seen, ","), nil, &r)
		z := r.Puzzle
		if slices.Contains(seen, z.ID) || z.Rating > 1200 || !strings.HasPrefix(z.Game, "mnk:") ||
			lab.OrderOfKnownGame(z.Game) < 0 || n == 0 && z.Game != "mnk:3,3,3" {
			t.Errorf("number %d is %s of %s, rated %d", n, z.ID, z.Game, z.Rating)
		}
		seen = append(seen, z.ID)
		games[z.Game]++
	}
	for game, n := range games {
		if n > 12 || len(games) < 4 {
			t.Errorf("%d of 25 are of %s: %v", n, game, games)
		}
	}
	// Of fewer than those that were set the latest do not come again.
	few := lab.CarriedPuzzles("mnk:7,6,4+gravity", "fork")
	seen = nil
	for _, z := range few {
		seen = append(seen, z.ID)
	}
	for range 10 {
		var r puzzles.PuzzlesReply
		x.answered(200, "GET", api+"puzzles?game=connect4&theme=fork&but="+strings.Join(seen, ","), nil, &r)
		if slices.Index(seen, r.Puzzle.ID) >= len(seen)-len(seen)/2 {
			t.Errorf("%s was number %d of %d", r.Puzzle.ID, slices.Index(seen, r.Puzzle.ID), len(seen))
		}
	}
}

// TestRaceBeginsEasily: the first puzzle of a race is one of the easiest there are.
func TestRaceBeginsEasily(t *testing.T) {
	x := newTester(t)
	for range 20 {
		var r puzzles.PuzzlesReply
		x.answered(200, "GET", api+"puzzles?known=true&near=800&least=0", nil, &r)
		if r.Puzzle.Rating > 860 {
			t.Errorf("%s of %s is rated %d", r.Puzzle.ID, r.Puzzle.Game, r.Puzzle.Rating)
		}
	}
}

// TestSlowerWin: a win that is slower than asked for is no miss at once, but at the second time.
func TestSlowerWin(t *testing.T) {
	x := solverOn(t, newMemory(), aKey)
	z := &lab.Puzzle{ID: "03b43cfe31ac"} // in which a2 and b2 win two plies later than d1
	r := x.try(z, object{"move": "a2", "first": true})
	if r.Right || !r.Slower || r.Solver != nil {
		t.Errorf("the first slower win: %+v", r)
	}
	r = x.try(z, object{"move": "b2", "first": true, "refused": []string{"a2"}})
	if r.Solver == nil || r.Solver.Tried != 1 {
		t.Errorf("the second one: %+v", r)
	}
	x.answered(200, "POST", api+"puzzles/"+z.ID+"/answer", object{}, &r)
	if strings.Join(r.Line, " ") != "d1 a4 d3" || !strings.Contains(r.Says, "Then a4, d3.") {
		t.Errorf("the answer: %+v", r)
	}
}

// TestRefuted: how a wrong move is answered is told and shown, unless the reply is on the square of the answer: then it
// is told once the puzzle is solved.
func TestRefuted(t *testing.T) {
	x := newTester(t)
	shown, later := 0, 0
	for _, z := range lab.CarriedPuzzles("mnk:4,4,3", "fork") {
		g, err := x.server.Games.Open(z.Game)
		if err != nil {
			t.Fatal(err)
		}
		s, err := g.Parse(z.Position)
		if err != nil {
			t.Fatal(err)
		}
		wrong := s.Moves[0]
		if wrong == z.Answer {
			continue
		}
		r := x.try(&z, object{"move": wrong})
		if len(r.Refuted) > 0 {
			shown++
			if slices.Contains(r.Refuted, z.Answer) {
				t.Errorf("%s: %v gives away %s", z.ID, r.Refuted, z.Answer)
			}
		}
		if r.Later != "" {
			later++
			if r.Refuted != nil || !strings.HasPrefix(r.Later, "After "+wrong+" play goes on "+z.Answer) {
				t.Errorf("%s: %+v", z.ID, r.Tried)
			}
		}
	}
	if shown == 0 || later == 0 {
		t.Errorf("%d are shown, %d are told later", shown, later)
	}
}

// TestSpread: no two puzzles on a sheet are of one game where there are games enough.
func TestSpread(t *testing.T) {
	x := newTester(t)
	for _, c := range []struct {
		query string
		games int
	}{{"count=24", 24}, {"", 4}, {"count=6&game=mnk:4,4,4", 1}, {"count=6&near=900", 6}} {
		page := x.ask("GET", api+"puzzles/sheet?"+c.query, nil).Body.String()
		if n := strings.Count(page, `<p class="rules"><b>`); n != c.games {
			t.Errorf("%q: the rules of %d games, want %d", c.query, n, c.games)
		}
	}
	for _, query := range []string{"game=ttt&count=12", "game=ttt&count=12&near=1200"} { // most are blocks and wins
		page := x.ask("GET", api+"puzzles/sheet?"+query, nil).Body.String()
		for theme, most := range map[string]int{"win at once.": 5, "rated 800": 9} {
			if n := strings.Count(page, theme); n == 0 || n > most {
				t.Errorf("%q: %d of 12 %s", query, n, theme)
			}
		}
	}
	sheet := func() string { return x.ask("GET", api+"puzzles/sheet?seed=7", nil).Body.String() }
	if first, again := sheet(), sheet(); first != again {
		t.Error("a sheet loaded again has other puzzles")
	}
}

// TestPuzzleGoesOn plays forks to the end: a first try counts once the win is there, and a wrong move on the way counts
// as one.
func TestPuzzleGoesOn(t *testing.T) {
	x := solverOn(t, newMemory(), aKey)
	list := lab.CarriedPuzzles("mnk:4,4,4", "fork")[20:]
	g, err := x.server.Games.Open(list[0].Game)
	if err != nil {
		t.Fatal(err)
	}
	for tries, solved := range []int{1, 1} {
		z := &list[tries]
		r := x.try(z, object{"move": z.Answer, "first": true})
		if !r.Right || r.Next == nil || r.Reply == "" || r.Solver != nil ||
			!strings.Contains(r.Next.Goal, "go on") {
			t.Fatalf("%s: %+v", z.Position, r)
		}
		line := []string{z.Answer, r.Reply}
		last := newTester(t).try(z, object{"line": line}) // told to somebody else
		if last.Answer == "" || last.Right {
			t.Fatalf("%s %v: %+v", z.Position, line, last)
		}
		body := object{"line": line, "first": true, "move": last.Answer}
		if tries == 1 {
			left, err := lab.PuzzleAfterLine(g, z, line)
			if err != nil {
				t.Fatal(err)
			}
			s, err := g.Parse(left.Position)
			if err != nil {
				t.Fatal(err)
			}
			body["move"] = s.Moves[slices.IndexFunc(s.Moves, func(m string) bool { return m != last.Answer })]
		}
		r = x.try(z, body)
		if r.Right != (tries == 0) || r.Next != nil || r.Reply != "" || (r.Hints != nil) == r.Right ||
			r.Solver == nil || r.Solver.Tried != tries+1 || r.Solver.Solved != solved {
			t.Errorf("%s %v: %+v", z.Position, body, r)
		}
	}
	x.fault(422, "POST", api+"puzzles/"+list[0].ID+"/answer", object{"line": []string{"a1"}})
}
