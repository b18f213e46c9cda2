package web

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"oxo/lab"
	webjobs "oxo/web/jobs"
)

// newPupil begins to teach, and becomes its owner.
func (t *tester) newPupil(request object) webjobs.Pupil {
	t.Helper()
	w := t.ask("POST", api+"pupils", request)
	if w.Code != 200 {
		t.Fatalf("%v: %d %s", request, w.Code, w.Body)
	}
	for _, c := range w.Result().Cookies() {
		t.header.Set("Cookie", c.Name+"="+c.Value)
	}
	var p webjobs.Pupil
	t.answered(200, "GET", api+"pupils/"+lastPupil(t), nil, &p)
	return p
}

func lastPupil(t *tester) string {
	var list webjobs.PupilList
	t.answered(200, "GET", api+"pupils", nil, &list)
	return list.Pupils[0].ID
}

// teacher is how the teacher of the tests moves: anything that follows from the
// position, so that both sides win some.
func teacher(s lab.State, game int) string { return s.Moves[(7*len(s.Moves)+3*game)%len(s.Moves)] }

// taughtInLab teaches as the command line does, and returns the brain.
func taughtInLab(t *testing.T, o lab.TrainOptions, game string, head, games int) (brain []byte, moves int) {
	t.Helper()
	g, err := new(lab.Lab).Game(game)
	if err != nil {
		t.Fatal(err)
	}
	l := g.Learning()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	keep := func(o lab.TrainOptions, do func(teach func())) []byte {
		trainer, err := l.NewOrResumedTrainer(t.Context(), o)
		must(err)
		if o.Against == "itself" {
			must(trainer.Run(t.Context(), head, nil))
		}
		k := 0
		do(func() {
			s, err := l.BeginLesson(t.Context(), trainer)
			must(err)
			for !s.Over() {
				if s.Person() {
					must(s.Move(teacher(s.State(), k)))
					moves++
				} else if _, err := s.Step(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			must(s.Close())
			k++
		})
		b, err := l.Brain(trainer)
		must(err)
		data, err := b.Bytes()
		must(err)
		return data
	}
	o.Against = lab.Human
	if head > 0 {
		itself := o
		itself.Against = "itself"
		o = lab.TrainOptions{Resume: keep(itself, func(func()) {}), Against: lab.Human}
	}
	return keep(o, func(teach func()) {
		for range games {
			teach()
		}
	}), moves
}

// TestTaughtAsOnTheCommandLineSequential: twenty games by hand through the API teach exactly
// what the same moves teach elsewhere, though the server is restarted all the time.
func TestTaughtAsOnTheCommandLineSequential(t *testing.T) {
	for _, c := range []struct {
		game, learner, seats string
		head, games          int
	}{
		{"ttt", "menace:as=michie", "first", 0, 20},
		{"ttt", "menace", "alternate", 50, 20},
		{"ttt", "table", "second", 0, 20},
		{"mnk:3,3,3+misere", "lms", "alternate", 0, 5},
		{"ttt", "nearest", "alternate", 0, 5},
		{"meta", "td-leaf:depth=2", "first", 0, 2},
	} {
		t.Run(c.game+" "+c.learner, func(t *testing.T) {
			m := newMemory()
			x := newTester(t, hosted(m))
			p := x.newPupil(object{"game": c.game, "learner": c.learner, "seats": c.seats, "seed": 5, "head": c.head})
			made := 0
			for game := range c.games {
				if game > 0 {
					x.answered(200, "POST", api+"pupils/"+p.ID+"/again", object{}, &p)
				}
				for !p.Lesson.Over {
					if made++; made%9 == 0 {
						x.server.Close()
						again := newTester(t, hosted(m))
						again.header = x.header
						x = again
					}
					x.answered(200, "POST", api+"pupils/"+p.ID+"/move",
						object{"ply": p.Lesson.Ply, "move": teacher(p.Lesson.State, game)}, &p)
				}
			}
			want, moves := taughtInLab(t, lab.TrainOptions{Learner: c.learner, Seats: c.seats, Seed: 5}, c.game, c.head,
				c.games)
			got := x.ask("GET", api+"pupils/"+p.ID+"/brain", nil).Body.Bytes()
			if !bytes.Equal(got, want) || made != moves {
				t.Errorf("%d moves by hand give another brain than %d elsewhere", made, moves)
			}
			if p.Games != c.head+c.games || len(p.Results) != c.games || p.Wins+p.Draws+p.Losses != c.games {
				t.Errorf("%d games, results %q, tally %+v", p.Games, p.Results, p.Tally)
			}
			if p.Lesson.Taught == nil || len(p.Lesson.Taught.Moves) == 0 || p.Lesson.Considered == nil {
				t.Errorf("nothing is shown of what it learned: %+v", p.Lesson)
			}
			var played ChooseReply
			x.answered(200, "POST", api+"choose", object{"game": c.game, "player": "brain:" + p.ID + "/1", "seed": 1},
				&played)
			x.answered(200, "POST", api+"jobs/"+p.ID+"/save", object{"brain": "1", "name": "taught"}, nil)
			x.answered(200, "POST", api+"pupils", object{"game": c.game, "brain": "taught"}, nil)
			x.answered(204, "DELETE", api+"jobs/"+p.ID, nil, nil)
			x.answered(404, "GET", api+"pupils/"+p.ID, nil, nil)
		})
	}
}

// TestLessonsAreKept: what comes twice or late does no harm, strangers watch only, and
// who leaves in the middle finds the game again and loses none that ended.
func TestLessonsAreKept(t *testing.T) {
	m := newMemory()
	x := newTester(t, hosted(m))
	p := x.newPupil(object{"game": "ttt", "learner": "menace:as=michie", "seats": "second", "seed": 1})
	at := api + "pupils/" + p.ID
	first := object{"ply": 0, "move": "b2"}
	x.answered(200, "POST", at+"/move", first, &p)
	var twice webjobs.Pupil
	x.answered(200, "POST", at+"/move", first, &twice)
	if p.Lesson.Ply != 2 || !reflect.DeepEqual(p, twice) {
		t.Errorf("a move that comes twice: %+v, then %+v", p.Lesson, twice.Lesson)
	}
	if p.Lesson.Steps[1].Box == nil || p.Lesson.Considered.Moves[0].Odds+p.Lesson.Considered.Moves[2].Odds == 0 {
		t.Errorf("its box is not told: %+v %+v", p.Lesson.Steps, p.Lesson.Considered)
	}
	if _, says := x.fault(422, "POST", at+"/move", object{"ply": 2, "move": "b2"}); !strings.Contains(says, "b2") {
		t.Errorf("a square taken: %s", says)
	}
	x.fault(422, "POST", at+"/move", object{"ply": 2})
	x.fault(422, "POST", at+"/move", object{"ply": 2, "player": "engine:x"})
	x.fault(422, "POST", at+"/weights", object{"ply": 2, "weights": []float64{1}})
	stranger := newTester(t, hosted(m))
	stranger.answered(200, "GET", at, nil, &twice)
	if twice.Mine || !reflect.DeepEqual(twice.Lesson, p.Lesson) {
		t.Errorf("a stranger sees %+v", twice)
	}
	stranger.fault(403, "POST", at+"/move", object{"ply": 2, "player": "random"})
	x.answered(200, "POST", at+"/move", object{"ply": 2, "player": "random", "all": true}, &p)
	if !p.Lesson.Over || p.Games != 1 || len(p.Results) != 1 {
		t.Fatalf("after a whole game: %+v", p)
	}
	over := p
	x.answered(200, "POST", at+"/move", object{"ply": 4, "move": "a1"}, &p)
	if !reflect.DeepEqual(over, p) {
		t.Errorf("a move after the end changes %+v to %+v", over, p)
	}
	x.answered(200, "POST", at+"/again", object{"seats": "first"}, &p)
	if p.Lesson.Ply != 1 || p.Lesson.Seat != "first" {
		t.Errorf("the next lesson, on the other side: %+v", p.Lesson)
	}
	x.answered(200, "POST", at+"/again", object{}, &p) // gives the game up
	x.answered(200, "POST", at+"/move", object{"ply": 1, "resign": true}, &p)
	if !p.Lesson.Over || p.Games != 2 || p.Lesson.Result != "first" || !p.Lesson.Resigned || p.Results[1] != 'w' {
		t.Errorf("after the teacher gave up: %+v", p)
	}
	for field, body := range map[string]object{
		"body.game":    {"game": "chess"},
		"body.learner": {"game": "ttt", "learner": "menace:beads=0"},
		"body.start":   {"game": "ttt", "learner": "table", "start": "nowhere"},
		"body.brain":   {"game": "ttt", "brain": "none"},
	} {
		if place, says := x.fault(422, "POST", api+"pupils", body); place != field {
			t.Errorf("%v: %s: %s", body, place, says)
		}
	}
}

// TestWeightsByHand: weights that are set act on the next move, and are kept over
// the moves.
func TestWeightsByHand(t *testing.T) {
	m := newMemory()
	x := newTester(t, hosted(m))
	p := x.newPupil(object{"game": "meta", "learner": "td-leaf", "seats": "first"})
	at := api + "pupils/" + p.ID
	static := object{"player": "static:weights=3/1/0.5/0.5/0.5/0.5,depth=3"}
	ask := func(more object) {
		t.Helper()
		static["ply"] = p.Lesson.Ply
		maps.Copy(static, more)
		x.answered(200, "POST", at+"/move", static, &p)
	}
	ask(nil)
	if len(p.Lesson.Features) != 6 || len(p.Lesson.Weights) != 3 || len(p.Lesson.Considered.Terms) != 6 {
		t.Fatalf("after two moves of the learner: %+v", p.Lesson)
	}
	for i, term := range p.Lesson.Answered {
		if w := []float64{3, 1, 0.5, 0.5, 0.5, 0.5}[i]; term.Weight != w || term.Feature != p.Lesson.Features[i] {
			t.Errorf("the static player is said to have chosen by %+v", term)
		}
	}
	var shown webjobs.Pupil
	if x.answered(200, "GET", at, nil, &shown); len(shown.Lesson.Answered) != 6 {
		t.Errorf("later the static player's reasons are %+v", shown.Lesson.Answered)
	}
	if first := p.Lesson.Weights[0]; !reflect.DeepEqual(first, []float64{1, 1, 1, 1, 1, 1}) {
		t.Errorf("it begins with %v, not with ones", first)
	}
	mine := []float64{0, 0, 0, 0, 0, 6}
	x.answered(200, "POST", at+"/weights", object{"ply": p.Lesson.Ply, "weights": []float64{1, 1, 1, 1, 1, 1}}, nil)
	x.answered(200, "POST", at+"/weights", object{"ply": p.Lesson.Ply, "weights": mine}, &p)
	if last := p.Lesson.Weights[len(p.Lesson.Weights)-1]; !reflect.DeepEqual(last, mine) || len(p.Lesson.Weights) != 4 {
		t.Errorf("weights %v after they were set", p.Lesson.Weights)
	}
	x.fault(422, "POST", at+"/weights", object{"ply": p.Lesson.Ply, "depth": 21})
	x.fault(422, "POST", at+"/weights", object{"ply": p.Lesson.Ply})
	x.answered(200, "POST", at+"/weights", object{"ply": p.Lesson.Ply, "depth": 1}, &p)
	ask(nil) // its move follows from these constants and this depth
	var near, far ChooseReply
	for depth, r := range map[int]*ChooseReply{1: &near, 3: &far} {
		x.answered(200, "POST", api+"choose", object{"game": "meta", "seed": 1,
			"position": p.Lesson.Considered.Position,
			"player":   fmt.Sprintf("static:weights=0/0/0/0/0/6,depth=%d", depth)}, r)
	}
	if p.Lesson.Depth != 1 || p.Lesson.Considered.Move != near.Move || near.Move == far.Move || len(near.Terms) != 6 {
		t.Errorf("at depth %d it plays %s, the static player %+v, further %s", p.Lesson.Depth, p.Lesson.Considered.Move,
			near, far.Move)
	}
	for i, term := range p.Lesson.Considered.Terms {
		if term.Weight != mine[i] {
			t.Errorf("it is said to have chosen by %+v, not by %v", term, mine)
		}
	}
	ask(object{"all": true})
	if !p.Lesson.Over || p.Learner != "td-leaf:depth=1" {
		t.Fatalf("not over, or forgotten how far it looks: %+v", p)
	}
	var rows webjobs.WeightRows
	x.answered(200, "GET", at+"/weights", nil, &rows)
	if len(rows.Rows) != len(p.Lesson.Weights) || rows.Rows[0].Game != 1 || rows.Features[0] != "boards" {
		t.Errorf("%d rows kept of %d", len(rows.Rows), len(p.Lesson.Weights))
	}
	x.answered(http.StatusNotFound, "GET", api+"pupils/none/weights", nil, nil)
}

// TestWegerByAPI: the published series of twenty games, game by game, with enough
// points to see how a game's end changes the constants.
func TestWegerByAPI(t *testing.T) {
	x := newTester(t, hosted(newMemory()))
	p := x.newPupil(object{"game": "meta", "learner": "td-leaf:bug=published", "seats": "first"})
	at := api + "pupils/" + p.ID
	for game := range 20 {
		if game > 0 {
			x.answered(200, "POST", at+"/again", object{}, &p)
		}
		x.answered(200, "POST", at+"/move", object{"ply": p.Lesson.Ply, "player": "static:depth=3", "all": true}, &p)
	}
	if want := "lllllllllwlllllwwwww"; p.Results != want {
		t.Errorf("series %s, want %s", p.Results, want)
	}
	var rows webjobs.WeightRows
	x.answered(200, "GET", at+"/weights", nil, &rows)
	if len(rows.Rows) < 500 {
		t.Errorf("%d points, want 500", len(rows.Rows))
	}
}

// TestTaughtFromTheStart: games with a person begin at the start where a training would begin with
// random moves, after a head start too, unless another start is asked for.
func TestTaughtFromTheStart(t *testing.T) {
	for _, c := range []struct {
		more object
		ply  bool
	}{
		{object{}, false}, {object{"head": 3}, false}, {object{"start": "empty+6"}, true},
		{object{"start": "empty+6", "head": 3}, true},
	} {
		x := newTester(t, hosted(newMemory()))
		c.more["game"], c.more["learner"], c.more["seats"] = "mnk:5,5,4", "net", "second"
		p := x.newPupil(c.more)
		if board, _, _ := strings.Cut(p.Lesson.Start, " "); strings.Contains(board, "x") != c.ply {
			t.Errorf("%v: it begins at %s", c.more, p.Lesson.Start)
		}
	}
}
