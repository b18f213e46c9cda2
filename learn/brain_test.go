package learn

import (
	"bytes"
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"oxo"
	"oxo/games/meta"
	"oxo/learn/space"
)

var everyLearner = []string{
	"menace", "menace:as=michie", "menace:as=michie,merge=none,empty=refill", "table:epsilon=0.2,to=0.01,over=500",
	"table:merge=classes,learn=both,tries=skip",
	"lms:eta=0.001", "lms:features=squares,fit=exact", "td-leaf:features=threats,depth=1,play=2,average=20",
	"lms:features=twelve,target=outcome,epsilon=0.1", "td", "td:features=counts,states=before",
	"q", "q:merge=classes,order=backward,initial=1", "td-leaf:features=counts,depth=2",
	"td-leaf:features=threats,depth=1,rule=tdleaf,win=3,sum=0,epsilon=0.1",
	"evolve:size=4,rounds=3", "evolve:size=4,rounds=3,rivals=population", "nearest", "tree:least=3",
	"lms:features=threats^2", "table:target=successor,lambda=0.5", "nearest:target=outcome",
	"ntuple:tuples=lines,sides=alike", "net:tuples=squares,layers=3/2,over=9,to=0.5",
}

// brainOf returns the trainer's brain as bytes, less what legitimately differs.
func brainOf(t *testing.T, l *Trainer) []byte {
	t.Helper()
	b, err := l.Brain("ttt", "ttt")
	if err != nil {
		t.Fatal(err)
	}
	data, err := b.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestResume: every learner, stopped and brought back from its file, comes to
// the very same brain as if it had never stopped.
func TestResume(t *testing.T) {
	a := ttt(t)
	x := examiner(t, a)
	for _, text := range everyLearner {
		for _, plan := range []Plan{{Against: Itself, Start: "mix"}, {Against: "heuristic", Start: "retry+2"},
			{Against: Itself, Start: "untried"}} {
			var opponent Opponent
			if plan.Against != Itself {
				opponent = NewMixOpponent(a.Space, x.Heuristic())
			}
			whole, err := New(a.Space, spec(t, text), plan, opponent, 3)
			if err != nil {
				t.Fatal(err)
			}
			run(t, whole, 150)
			half := brainOf(t, whole)
			run(t, whole, 1)
			next := brainOf(t, whole)
			run(t, whole, 172)
			b, err := ReadBrain(half)
			if err != nil {
				t.Fatal(err)
			}
			again, err := Resume(a.Space, b, opponent)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if !bytes.Equal(brainOf(t, again), half) {
				t.Errorf("%s against %s: reading and writing a brain changes it", text, plan.Against)
			}
			run(t, again, 1)
			if !bytes.Equal(brainOf(t, again), next) {
				t.Errorf("%s against %s: a game after resuming the brain is another one", text, plan.Against)
			}
			run(t, again, 172)
			if !bytes.Equal(brainOf(t, again), brainOf(t, whole)) {
				t.Errorf("%s against %s: after resuming the brain is another one", text, plan.Against)
			}
			if whole.Tally().Games != 323 {
				t.Errorf("%s: %+v, want 323 games", text, whole.Tally())
			}
			if s := again.Show(3).String(); len(s) < 20 {
				t.Errorf("%s shows %q", text, s)
			}
		}
	}
}

// TestResumeExplored: the same on a game too large to enumerate, with its
// positions forgotten at different times.
func TestResumeExplored(t *testing.T) {
	g := meta.New()
	for _, text := range []string{"td-leaf:depth=2", "td:features=weger,epsilon=0.05",
		"evolve:features=weger,size=3,rounds=1"} {
		plan := Plan{Against: Itself, Start: "retry+3"}
		whole, err := New(space.NewLazyGraph(g).Space, spec(t, text), plan, nil, 5)
		if err != nil {
			t.Fatal(err)
		}
		run(t, whole, 3)
		b, err := ReadBrain(brainOf(t, whole))
		if err != nil {
			t.Fatal(err)
		}
		again, err := Resume(space.NewLazyGraph(g).Space, b, nil)
		if err != nil {
			t.Fatal(err)
		}
		run(t, whole, 3)
		run(t, again, 1)
		forget(t, again)
		run(t, again, 2)
		if !bytes.Equal(brainOf(t, again), brainOf(t, whole)) {
			t.Errorf("%s: after resuming the brain is another one", text)
		}
	}
}

// forget empties the trainer's space as shrinkSpace does.
func forget(t *testing.T, l *Trainer) {
	t.Helper()
	s := l.space
	kept := l.saveLastGame()
	s.Forget()
	var err error
	if l.last, err = l.restoreLastGame(kept); err != nil {
		t.Fatal(err)
	}
	if s.Len() > 1000 {
		t.Errorf("%d positions after forgetting", s.Len())
	}
}

// TestNoBrain: what is wrong is said without the names that the program has for it.
func TestNoBrain(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "it is no brain: it is empty",
		`{"format":"oxo brain",`:     "it is no brain: it is cut short",
		"[]":                         "it is no brain: the whole is a JSON array",
		`{"tally":{"games":"many"}}`: "it is no brain: tally.games is a JSON string",
		"X wins":                     "it is no brain: it is not JSON: invalid character",
	} {
		if _, err := ReadBrain([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestBrainRefused(t *testing.T) {
	a := ttt(t)
	l := trainer(t, a.Space, "menace", Plan{}, nil, 1)
	good := string(brainOf(t, l))
	for _, c := range []struct{ old, new, want string }{
		{`"version": 1`, `"version": 2`, "version 2"},
		{`"version": 1`, `"version": 0`, "never was"},
		{`"oxo brain"`, `"brain"`, "no brain"},
		{`{`, `[`, "no brain"},
		{`"learner": "menace"`, `"learner": "mence"`, "mence"},
		{`"key": "win"`, `"key": "wine"`, "wine"},
		{`"... o"`, `"..y o"`, ""},
		{`"games": 0`, `"games": -1`, "-1 games"},
		{`"games": 0`, `"games": 9223372036854775807`, "9223372036854775807 games"},
		{`"chance": "`, `"chance": "AAAA`, "chance"},
		{`"boxes": {`, `"cases": {`, "colours"},
		{`"boxes": {`, `"boxes": 3, "cases": {`, "the brain's memory: boxes is a JSON number"},
	} {
		b, err := ReadBrain([]byte(strings.Replace(good, c.old, c.new, 1)))
		if err == nil {
			_, err = Resume(a.Space, b, nil)
		}
		if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s instead of %s: error %v, want one about %q", c.new, c.old, err, c.want)
		}
	}
	evolved := string(brainOf(t, trainer(t, a.Space, "evolve:size=2,rounds=3", Plan{}, nil, 1)))
	for _, game := range []string{"-1", "6"} { // a generation has the games 0 to 5
		b, err := ReadBrain([]byte(strings.Replace(evolved, `"game": 0`, `"game": `+game, 1)))
		if err == nil {
			_, err = Resume(a.Space, b, nil)
		}
		if err == nil || !strings.Contains(err.Error(), "game "+game) {
			t.Errorf("game %s of a generation: error %v", game, err)
		}
	}
	net := string(brainOf(t, trainer(t, a.Space, "net:tuples=squares,layers=3/2", Plan{}, nil, 1)))
	for _, c := range []struct{ old, new, want string }{
		{`"weights": "`, `"weights": "AAAAAAAA+H8A`, "bytes of weights"},
		{`"rows": 36`, `"rows": 37`, "37 rows, not 36"},
		{`"squares": "`, `"squares": "?`, "brain"},
		{`"value": "squares"`, `"value": "rows"`, `"rows" is no kind`},
		{`"value": "squares"`, `"value": "lines"`, "rows, not"},
	} {
		b, err := ReadBrain([]byte(strings.Replace(net, c.old, c.new, 1)))
		if err == nil {
			_, err = Resume(a.Space, b, nil)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s instead of %s: error %v, want one about %q", c.new, c.old, err, c.want)
		}
	}
	b, err := ReadBrain([]byte(good))
	if err != nil {
		t.Fatal(err)
	}
	if err := b.CheckIdentity("mnk:4,4,4"); err == nil || !strings.Contains(err.Error(), "ttt") {
		t.Errorf("a brain for ttt is taken for mnk:4,4,4: %v", err)
	}
	if err := b.CheckIdentity("ttt"); err != nil {
		t.Error(err)
	}
}

func FuzzReadBrain(f *testing.F) {
	a := ttt(f)
	for _, text := range everyLearner {
		l := trainer(f, a.Space, text, Plan{}, nil, 1)
		run(f, l, 2)
		b, err := l.Brain("ttt", "ttt")
		if err != nil {
			f.Fatal(err)
		}
		if len(b.Memory) > 5000 {
			continue
		}
		data, err := b.Bytes()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := ReadBrain(data)
		if err != nil || len(data) > 20000 {
			return
		}
		if l, err := OpenBrain(a.Space, b); err == nil {
			l.Mix(t.Context(), nil)
			l.Show(5)
			_ = l.Run(t.Context(), 3, nil) // it may run off to infinity
		}
	})
}

// TestMind: a brain as a player draws by its policy, and resigns where a box
// is empty.
func TestPlayer(t *testing.T) {
	a := ttt(t)
	l := trainer(t, a.Space, "menace:as=michie", Plan{}, nil, 1)
	b, err := l.Brain("ttt", "ttt")
	if err != nil {
		t.Fatal(err)
	}
	opened, err := OpenBrain(a.Space, b)
	if err != nil {
		t.Fatal(err)
	}
	p := NewPlayer(a, opened, opened.rand)
	counts := map[oxo.Move]int{}
	for range 3000 {
		c, err := p.Choose(context.Background(), a.Game.Start)
		if err != nil || c.Resign {
			t.Fatal(c, err)
		}
		counts[c.Move]++
	}
	for move, n := range counts {
		if n < 800 || n > 1200 {
			t.Errorf("move %d chosen %d times of 3000, want about 1000", move, n)
		}
	}
	var boxes struct {
		Boxes   map[string][]int32 `json:"boxes"`
		Refills int                `json:"refills"`
	}
	if err := json.Unmarshal(b.Memory, &boxes); err != nil {
		t.Fatal(err)
	}
	clear(boxes.Boxes[a.Format(a.Start)])
	if b.Memory, err = json.Marshal(boxes); err != nil {
		t.Fatal(err)
	}
	if err := opened.memory.Load(b.Memory); err != nil {
		t.Fatal(err)
	}
	if c, err := p.Choose(context.Background(), a.Game.Start); err != nil || !c.Resign {
		t.Errorf("with an empty first box: %+v %v, want resignation", c, err)
	}
	x := examiner(t, a)
	if e := graded(t, x, opened); e.AsFirst.VsRandom.Loss != 1 || e.AsFirst.Mistakes != 1 {
		t.Errorf("exam of a player that resigns at once: %+v", e.AsFirst)
	}
	over := a.Game.Start
	for _, move := range []oxo.Move{0, 3, 1, 4, 2} {
		over = over.Play(move)
	}
	if _, err := p.Choose(context.Background(), over); err == nil {
		t.Error("a move is chosen when the game is over")
	}
}

// TestUsualFeatures: a learner that was not told what to go by goes by what the
// game has.
func TestUsualFeatures(t *testing.T) {
	board, nine := ttt(t).Space, space.NewLazyGraph(meta.New()).Space
	for _, c := range []struct {
		space      *space.Space
		text, want string
	}{
		{board, "td", "threats"}, {board, "lms", "threats"}, {board, "lms:features=wins", "wins"},
		{nine, "td", "weger"}, {nine, "lms", "weger"},
	} {
		l := trainer(t, c.space, c.text, Plan{}, nil, 1)
		run(t, l, 3)
		b, err := ReadBrain(brainOf(t, l))
		if err != nil {
			t.Fatal(err)
		}
		again, err := Resume(c.space, b, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range []*Trainer{l, again} {
			if got := l.Show(0).Summary[0]; !strings.Contains(got, " of the features "+c.want+";") {
				t.Errorf("%s goes by %s, not %s", c.text, got, c.want)
			}
		}
	}
}

// TestBrainOverflow: a brain with a number so large that sums of it are none is refused, whatever has learned it.
func TestBrainOverflow(t *testing.T) {
	a := ttt(t)
	for text, number := range map[string]*regexp.Regexp{
		"lms": regexp.MustCompile(`("weights":\s*\{\s*"[^"]*":\s*)[-.e0-9]+`),
		"td":  regexp.MustCompile(`("weights":\s*\{\s*"[^"]*":\s*)[-.e0-9]+`),
		"td-leaf:features=counts,depth=1,average=1": regexp.MustCompile(`("sum":\s*\{\s*"[^"]*":\s*)[-.e0-9]+`),
		"evolve:size=2,rounds=3":                    regexp.MustCompile(`("population":\s*\[\s*\[\s*)[-.e0-9]+`),
		"nearest":                                   regexp.MustCompile(`("sum":\s*)[-.e0-9]+`),
	} {
		l := trainer(t, a.Space, text, Plan{}, nil, 1)
		run(t, l, 5)
		good := string(brainOf(t, l))
		bad := number.ReplaceAllString(good, "${1}1e300")
		for file, refused := range map[string]bool{good: false, bad: true} {
			b, err := ReadBrain([]byte(file))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Resume(a.Space, b, nil); (err != nil) != refused {
				t.Errorf("%s: refused %v, with %v, want %v:\n%.300s", text, err != nil, err, refused, file)
			}
		}
	}
}
