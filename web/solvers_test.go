package web

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"oxo/lab"
	"oxo/web/puzzles"
)

// solverOn is somebody with a key who solves puzzles on a server with this store.
func solverOn(t *testing.T, kept *memory, key string) *tester {
	x := newTester(t, hosted(kept))
	x.header = http.Header{"Oxo-Solver": {key}}
	return x
}

const aKey = "0123456789abcdef0123456789abcdef"

// try answers a puzzle.
func (t *tester) try(z *lab.Puzzle, body object) (r puzzles.AnswerReply) {
	t.Helper()
	t.answered(200, "POST", api+"puzzles/"+z.ID+"/answer", body, &r)
	return r
}

// solver is what is kept of who asks.
func (t *tester) solver() (who puzzles.Solver) {
	t.Helper()
	t.answered(200, "GET", api+"puzzles/solver", nil, &who)
	return who
}

// puzzleRating is what a puzzle is rated.
func (t *tester) puzzleRating(z *lab.Puzzle) int {
	t.Helper()
	var v puzzles.PuzzleView
	t.answered(200, "GET", api+"puzzles/"+z.ID, nil, &v)
	return v.Rating
}

// TestSolver rates a solver by first tries only, each once, and keeps the rating over a restart; of somebody new they
// change no puzzle's rating.
func TestSolver(t *testing.T) {
	kept := newMemory()
	x := solverOn(t, kept, aKey)
	list := slices.DeleteFunc(slices.Clone(lab.CarriedPuzzles("mnk:4,4,4", "")),
		func(z lab.Puzzle) bool { return z.GoesOn() })
	won, lost := &list[len(list)/2], &list[len(list)-1]
	before := [2]int{x.puzzleRating(won), x.puzzleRating(lost)}

	if r := x.try(won, object{"move": won.Answer}); r.Solver == nil || r.Solver.Tried != 0 {
		t.Errorf("a try that is not the first: %+v", r.Solver)
	}
	r := x.try(won, object{"move": won.Answer, "first": true})
	if s := r.Solver; s == nil || s.Rating.Rating <= lab.Newcomer().Rating || s.Tried != 1 || s.Solved != 1 ||
		s.Streak != 1 {
		t.Fatalf("%+v", r.Solver)
	}
	once := *r.Solver
	if s := x.try(won, object{"move": won.Answer, "first": true}).Solver; s.Rating != once.Rating || s.Tried != 1 {
		t.Errorf("a puzzle counts twice: %+v", s)
	}
	if s := x.try(lost, object{"first": true}).Solver; s.Rating.Rating >= once.Rating.Rating || s.Tried != 2 ||
		s.Streak != 0 || s.Best != 1 {
		t.Errorf("after a puzzle that was given up: %+v", s)
	}
	if after := [2]int{x.puzzleRating(won), x.puzzleRating(lost)}; after != before {
		t.Errorf("the puzzles were rated %v and are %v by somebody new", before, after)
	}
	again := solverOn(t, kept, aKey)
	if a, b := x.solver(), again.solver(); a.Tried != 2 || a != b {
		t.Errorf("%+v is %+v after a restart", a, b)
	}
	if s := solverOn(t, kept, "nobody who is known here").solver(); s != (puzzles.Solver{Rating: lab.Newcomer()}) {
		t.Errorf("%+v", s)
	}
	solverOn(t, kept, "short").fault(422, "GET", api+"puzzles/solver", nil)
}

// TestPuzzleRatings: a puzzle's rating changes with the tries of solvers whose rating is settled, once a day from an
// address, and is kept over a restart.
func TestPuzzleRatings(t *testing.T) {
	kept := newMemory()
	list := slices.DeleteFunc(slices.Clone(lab.CarriedPuzzles("mnk:4,4,4", "")),
		func(z lab.Puzzle) bool { return z.GoesOn() })
	x, z := solverOn(t, kept, aKey), &list[20]
	rating := x.puzzleRating(z)
	for i, c := range []struct {
		address   string
		settled   bool
		right     bool
		direction int
	}{{"198.51.100.1", false, true, 0}, {"198.51.100.1", true, true, -1}, {"198.51.100.1", true, true, 0},
		{"198.51.100.2", true, false, 1}, {"198.51.100.2", false, false, 0}} {
		x.header = http.Header{"Oxo-Solver": {fmt.Sprintf("%032d", i)}, "X-Forwarded-For": {c.address}}
		for n := 0; c.settled && n < 20; n++ {
			body := object{"first": true}
			if n%2 == 0 {
				body["move"] = list[n].Answer
			}
			x.try(&list[n], body)
		}
		body := object{"first": true}
		if c.right {
			body["move"] = z.Answer
		}
		s := x.try(z, body).Solver
		if (s.Rating.Deviation < 110) != c.settled {
			t.Fatalf("%+v: %+v", c, s)
		}
		now := x.puzzleRating(z)
		if cmp.Compare(now, rating) != c.direction {
			t.Errorf("%+v: the rating was %d and is %d", c, rating, now)
		}
		rating = now
	}
	if now := solverOn(t, kept, aKey).puzzleRating(z); now != rating {
		t.Errorf("after a restart it is %d, not %d", now, rating)
	}
}

// TestToldIsMissed: a puzzle whose answer was told before the first try, by itself or by the last hint, is missed,
// once, and no later try of it counts.
func TestToldIsMissed(t *testing.T) {
	x := solverOn(t, newMemory(), aKey)
	list := slices.DeleteFunc(slices.Clone(lab.CarriedPuzzles("mnk:4,4,4", "")),
		func(z lab.Puzzle) bool { return z.GoesOn() })[:2]
	for i := range list {
		z := &list[i]
		g, err := x.server.Games.Open(z.Game)
		if err != nil {
			t.Fatal(err)
		}
		s, err := g.Parse(z.Position)
		if err != nil {
			t.Fatal(err)
		}
		wrong := slices.DeleteFunc(s.Moves, func(m string) bool { return m == z.Answer })
		body := object{}
		if i == 1 { // the last hint has but one move left
			if r := x.try(z, object{"move": wrong[0], "refused": wrong[3:]}); r.Solver.Tried != 1 {
				t.Errorf("a hint that leaves three moves counts: %+v", r.Solver)
			}
			body = object{"move": wrong[0], "refused": wrong[1:]}
		}
		if r := x.try(z, body); r.Solver.Tried != i+1 || r.Solver.Missed != i+1 {
			t.Errorf("told by %v: %+v", body, r.Solver)
		}
		if r := x.try(z, object{"move": z.Answer, "first": true}); !r.Right || r.Solver.Tried != i+1 ||
			r.Solver.Solved != 0 || r.Solver.Rating.Rating >= lab.Newcomer().Rating {
			t.Errorf("a first try after %v: %+v", body, r.Solver)
		}
	}
}

// TestUntried draws puzzles that the solver has not tried, while there are such.
func TestUntried(t *testing.T) {
	x := solverOn(t, newMemory(), aKey)
	list := lab.CarriedPuzzles("mnk:4,3,3", "save")
	for i := range list[1:] {
		x.try(&list[i+1], object{"first": true})
	}
	for range 8 {
		var r puzzles.PuzzlesReply
		x.answered(200, "GET", api+"puzzles?game=mnk:4,3,3&theme=save", nil, &r)
		if r.Puzzle.ID != list[0].ID {
			t.Errorf("%s was drawn, which was tried", r.Puzzle.ID)
		}
	}
	x.try(&list[0], object{"first": true})
	var r puzzles.PuzzlesReply
	x.answered(200, "GET", api+"puzzles?game=mnk:4,3,3&theme=save", nil, &r)
	if r.Puzzle == nil {
		t.Error("where all were tried, none is set")
	}
}

// TestVariety: somebody new begins with easy puzzles, and what follows a puzzle is of another game
// and theme; of one game and theme there is no such choice.
func TestVariety(t *testing.T) {
	x := solverOn(t, newMemory(), aKey)
	var r puzzles.PuzzlesReply
	for range 20 {
		x.answered(200, "GET", api+"puzzles", nil, &r)
		if r.Puzzle.Rating > 1050 || lab.OrderOfKnownGame(r.Puzzle.Game) < 0 {
			t.Errorf("a first puzzle is rated %d", r.Puzzle.Rating)
		}
	}
	last := lab.CarriedPuzzles("mnk:4,4,4", "block")[0]
	x.try(&last, object{"move": last.Answer, "first": true})
	for range 20 {
		x.answered(200, "GET", api+"puzzles", nil, &r)
		if r.Puzzle.Game == last.Game || r.Puzzle.Theme == string(last.Theme) {
			t.Errorf("%s of %s follows %s of %s", r.Puzzle.Theme, r.Puzzle.Game, last.Theme, last.Game)
		}
	}
	x.answered(200, "GET", api+"puzzles?game=mnk:4,4,4&theme=block", nil, &r)
	if r.Puzzle == nil || r.Puzzle.ID == last.ID {
		t.Errorf("of the same game and theme: %+v", r.Puzzle)
	}
}

// TestMixed: where a theme ends below what is asked for, puzzles are of several games all the same, and it is said how
// hard the hardest is.
func TestMixed(t *testing.T) {
	x := solverOn(t, newMemory(), aKey)
	hardest, games := 0, map[string]bool{}
	list := lab.CarriedPuzzles("", "fork")
	for i := range list {
		hardest = max(hardest, list[i].Rating)
	}
	for range 12 {
		var r puzzles.PuzzlesReply
		x.answered(200, "GET", api+"puzzles?theme=fork&near=2200", nil, &r)
		if r.Hardest < hardest || r.Puzzle.Rating < r.Hardest-250 {
			t.Errorf("%+v, the hardest %d of %d", r.Puzzle, r.Hardest, hardest)
		}
		games[r.Puzzle.Game] = true
		x.try(&lab.Puzzle{ID: r.Puzzle.ID}, object{"first": true})
	}
	if len(games) < 4 {
		t.Errorf("twelve forks are of %v", games)
	}
	var r puzzles.PuzzlesReply
	if x.answered(200, "GET", api+"puzzles?theme=fork&near=900", nil, &r); r.Hardest != 0 {
		t.Errorf("there are harder ones than %d", r.Hardest)
	}
}

// TestHarderSteps: with a least rating no puzzle is easier, as long as there are others.
func TestHarderSteps(t *testing.T) {
	x := newTester(t)
	for least, near := 0, 800; near < 1700; near += 60 {
		var r puzzles.PuzzlesReply
		x.answered(200, "GET", fmt.Sprintf("%spuzzles?known=true&near=%d&least=%d", api, near, least), nil, &r)
		if r.Puzzle.Rating < least || lab.OrderOfKnownGame(r.Puzzle.Game) < 0 {
			t.Errorf("at least %d: %d, %s", least, r.Puzzle.Rating, r.Puzzle.Game)
		}
		least = r.Puzzle.Rating
	}
}

// TestSolvedDays counts days in a row.
func TestSolvedDays(t *testing.T) {
	x := solverOn(t, newMemory(), aKey)
	z := lab.DailyPuzzle(time.Now())
	if r := x.solve(z); r.Solver == nil || r.Solver.Days != 1 {
		t.Errorf("the puzzle of the day was solved: %+v", r.Solver)
	}
	y := solverOn(t, newMemory(), aKey)
	y.try(z, object{})
	if r := y.solve(z); r.Solver == nil || r.Solver.Days != 0 {
		t.Errorf("the answer was told before: %+v", r.Solver)
	}
}

// solve answers a puzzle to its end, by what somebody else is told.
func (t *tester) solve(z *lab.Puzzle) puzzles.AnswerReply {
	t.Helper()
	told := solverOn(t.T, newMemory(), aKey)
	for line := []string{}; ; {
		move := told.try(z, object{"line": line}).Answer
		r := t.try(z, object{"line": line, "move": move})
		if r.Next == nil {
			return r
		}
		line = append(line, move, r.Reply)
	}
}

// TestMistakes makes a puzzle of a mistake, which is answered like others and rates nobody.
func TestMistakes(t *testing.T) {
	x := solverOn(t, newMemory(), aKey)
	game := object{"game": "ttt", "moves": []string{"a1", "b2", "c1", "a3"}}
	var r puzzles.MistakesReply
	x.answered(200, "POST", api+"puzzles/mistakes", game, &r)
	if len(r.Puzzles) != 1 || r.Puzzles[0].Theme != "block" || r.Puzzles[0].Played != "a3" || r.Puzzles[0].Ply != 3 {
		t.Fatalf("%+v", r)
	}
	z := &lab.Puzzle{ID: r.Puzzles[0].ID}
	if a := x.try(z, object{"move": "a3", "first": true}); a.Right || a.Solver != nil {
		t.Errorf("the mistake once more: %+v", a)
	}
	if a := x.try(z, object{"move": "b1", "first": true}); !a.Right {
		t.Errorf("%+v", a)
	}
	// Of several right moves each is taken, and the others are told.
	wide := object{"game": "ttt", "moves": []string{"a2", "b2", "c2"}}
	x.answered(200, "POST", api+"puzzles/mistakes", wide, &r)
	if len(r.Puzzles) != 1 || r.Puzzles[0].Right != 6 || r.Puzzles[0].Goal != "X to move: save the draw. 6 moves do." ||
		r.Puzzles[0].Hints[1] != "One of a3, c2 is right." {
		t.Fatalf("%+v", r)
	}
	z.ID = r.Puzzles[0].ID
	if a := x.try(z, object{"move": "c2"}); a.Right || len(a.Hints) == 0 || a.Hints[len(a.Hints)-1] != "Right: a3." {
		t.Errorf("the mistake once more: %+v", a)
	}
	for _, move := range []string{"a1", "b3"} {
		if a := x.try(z, object{"move": move}); a.Answer != move ||
			!strings.HasPrefix(a.Says, "Right: "+move+". Right as well: a3, ") {
			t.Errorf("%s: %+v", move, a)
		}
	}
	game["seat"] = "first"
	if x.answered(200, "POST", api+"puzzles/mistakes", game, &r); len(r.Puzzles) != 0 {
		t.Errorf("the other side's mistakes: %+v", r)
	}
	x.fault(422, "POST", api+"puzzles/mistakes", object{"game": "ttt", "moves": []string{"a1", "a1"}})
	x.fault(422, "POST", api+"puzzles/mistakes", object{"game": "race:4"})
	x.fault(422, "POST", api+"puzzles/mistakes", object{"game": "ttt", "seat": "third"})
}

// TestMissed sets the puzzles that were missed once more, until the first try of another sitting is right.
func TestMissed(t *testing.T) {
	x := solverOn(t, newMemory(), aKey)
	list := slices.DeleteFunc(slices.Clone(lab.CarriedPuzzles("mnk:4,4,4", "")),
		func(z lab.Puzzle) bool { return z.GoesOn() })[:4]
	missed := map[string]bool{}
	for i := range list {
		body := object{"first": true}
		if i%2 == 0 {
			body["move"] = list[i].Answer
		} else {
			missed[list[i].ID] = true
		}
		x.try(&list[i], body)
	}
	if s := x.solver(); s.Missed != 2 {
		t.Fatalf("%+v", s)
	}
	seen := map[string]bool{}
	var r puzzles.PuzzlesReply
	for range 40 {
		but := ""
		if r.Puzzle != nil {
			but = r.Puzzle.ID
		}
		x.answered(200, "GET", api+"puzzles?missed=true&but="+but, nil, &r)
		if r.Count != 2 || !missed[r.Puzzle.ID] || r.Puzzle.ID == but {
			t.Fatalf("%d were missed; %s follows %s", r.Count, r.Puzzle.ID, but)
		}
		seen[r.Puzzle.ID] = true
	}
	if len(seen) != 2 {
		t.Errorf("only %v are set", seen)
	}
	var none puzzles.PuzzlesReply
	x.answered(200, "GET", api+"puzzles?missed=true&game=qubic", nil, &none)
	if none.Count != 0 || none.Puzzle != nil {
		t.Errorf("of another game: %d, %+v", none.Count, none.Puzzle)
	}
	z := &list[1]
	before := x.solver()
	if s := x.try(z, object{"move": z.Answer}).Solver; s.Missed != 2 {
		t.Errorf("a later try of the same sitting redoes it: %+v", s)
	}
	if s := x.try(z, object{"move": z.Answer, "again": true}).Solver; s.Missed != 1 || s.Rating != before.Rating ||
		s.Tried != before.Tried {
		t.Errorf("%+v, before %+v", s, before)
	}
	x.answered(200, "GET", api+"puzzles?missed=true", nil, &r)
	if r.Count != 1 || r.Puzzle.ID != list[3].ID {
		t.Errorf("%+v", r)
	}
}

// TestSolverReport says the rating after each try, and how the puzzles of a game went.
func TestSolverReport(t *testing.T) {
	x := solverOn(t, newMemory(), aKey)
	var r puzzles.SolverReport
	x.answered(200, "GET", api+"puzzles/solver/report", nil, &r)
	if len(r.Ratings)+len(r.Games)+len(r.Themes)+r.Begins != 0 {
		t.Errorf("of somebody new: %+v", r)
	}
	var ratings []int
	for _, c := range []struct {
		game  string
		right []bool
	}{{"mnk:4,4,4+misere", []bool{true, true, true}}, {"mnk:4,4,3+notakto", []bool{false, false}}} {
		list := lab.CarriedPuzzles(c.game, "save")
		if len(list) == 0 {
			list = lab.CarriedPuzzles(c.game, "avoid")
		}
		for i, right := range c.right {
			body := object{"first": true}
			if right {
				body["move"] = list[i].Answer
			}
			ratings = append(ratings, int(math.Round(x.try(&list[i], body).Solver.Rating.Rating)))
		}
	}
	x.answered(200, "GET", api+"puzzles/solver/report", nil, &r)
	if !slices.Equal(r.Ratings, ratings) || r.Begins != 1000 {
		t.Errorf("the ratings were 1000, %v, the report has %v, %v", ratings, r.Begins, r.Ratings)
	}
	if len(r.Games) != 2 || r.Games[0].Of != "mnk:4,4,4+misere" || r.Games[0].Solved != 3 || r.Games[1].Tried != 2 ||
		r.Games[1].Solved != 0 || r.Games[0].Rating.Rating < r.Games[1].Rating.Rating+100 {
		t.Errorf("%+v", r.Games)
	}
	tried := 0
	for _, of := range r.Themes {
		tried += of.Tried
	}
	if tried != 5 {
		t.Errorf("%+v", r.Themes)
	}
}
