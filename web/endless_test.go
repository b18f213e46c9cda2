package web

import (
	"encoding/json"
	"testing"
	"time"

	webjobs "oxo/web/jobs"
)

// TestEndlessThought: a player, an opponent and a learner that would think for
// years are stopped when their time is up or their job is cancelled.
func TestEndlessThought(t *testing.T) {
	x := newTester(t, hosted(newMemory()))
	x.server.Longest = time.Millisecond
	var chosen ChooseReply
	x.answered(200, "POST", api+"choose",
		object{"game": "mnk:15,15,5", "player": "static:features=wins,weights=1/1/-1,depth=100", "seed": 1}, &chosen)
	if chosen.Move == "" {
		t.Error("no move was chosen")
	}
	for _, args := range []object{
		{"learner": "td-leaf:features=wins,depth=20", "against": "itself"},
		{"learner": "lms:features=wins", "against": "static:features=wins,weights=1/1/-1,depth=100"},
		{"learner": "lms:features=wins", "against": "mcts:time=10000h"},
	} {
		j := x.addJob(object{"verb": "train", "game": "mnk:15,15,5", "args": args})
		x.follow(j.ID, func(j webjobs.JobView) bool { return j.State == webjobs.Running })
		var now webjobs.JobView
		if x.answered(200, "POST", api+"jobs/"+j.ID+"/cancel", nil, &now); now.State != webjobs.Cancelled {
			t.Errorf("%v: the job is %s", args, now.State)
		}
	}
}

// steinerCopies is a game of so many Steiner triple systems of 15 points side by side,
// whose symmetries are many and whose canonical forms take for ever.
func steinerCopies(copies int) string {
	const m = 5 // Bose's construction
	var sets [][]int
	for c := range copies {
		point := func(x, i int) int { return 3*m*c + i*m + x + 1 }
		for x := range m {
			sets = append(sets, []int{point(x, 0), point(x, 1), point(x, 2)})
			for y := range x {
				for i := range 3 {
					sets = append(sets, []int{point(x, i), point(y, i), point((x+y)*(m+1)/2%m, (i+1)%3)})
				}
			}
		}
	}
	text, _ := json.Marshal(object{"squares": 3 * m * copies, "winning": sets})
	return string(text)
}

// bring brings a game whose symmetries take seconds to find under the race detector, which
// a request may not take, and returns its spec.
func (t *tester) bring(file string) string {
	t.Helper()
	longest := t.server.Longest
	t.server.Longest = time.Minute
	defer func() { t.server.Longest = longest }()
	var f GameFile
	t.answered(200, "POST", api+"games/files", object{"file": file}, &f)
	return f.Spec
}

// TestEndlessSymmetriesSequential: a brought game whose canonical forms take for ever holds no slot
// for longer than its time, whatever is asked of it.
func TestEndlessSymmetriesSequential(t *testing.T) {
	x := newTester(t, hosted(newMemory()))
	game := x.bring(steinerCopies(17))
	x.server.Longest = 300 * time.Millisecond // the judge has begun by then
	x.ask("POST", api+"choose", object{"game": game, "player": "level:5", "seed": 1})
	x.server.Longest = time.Millisecond
	for _, player := range []string{"winratio", "perfect", "optimal", "level:5"} {
		x.ask("POST", api+"choose", object{"game": game, "player": player, "seed": 1})
	}
	x.ask("POST", api+"search", object{"game": game, "algorithm": "alphabeta", "symmetry": "all",
		"memo": "all", "depth": 3})
	x.ask("POST", api+"judge", object{"game": game, "time_ms": 1})
	x.ask("POST", api+"ablate", object{"game": game, "depth": 3})
	x.ask("POST", api+"count", object{"game": game})
	for _, g := range []interface{ Load() (int, int) }{x.server.Heavy, x.server.Alone, x.server.Brief} {
		if running, waiting := g.Load(); running+waiting != 0 {
			t.Errorf("%d requests compute and %d wait", running, waiting)
		}
	}
}
