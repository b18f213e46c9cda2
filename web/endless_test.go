package web

import (
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
