package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"oxo/arena"
	"oxo/lab"
	"oxo/lab/jobs"
	"oxo/web/service"
)

// leastBank is the least time on a clock of a connected bot's.
const leastBank = time.Second

// vetConnectedBots refuses bots that are not connected, anywhere but in tournaments, and where they would have
// no clock. The other players are vetted when the job is opened.
// The error names the player by its place in the arguments.
func (s *jobsAPI) vetConnectedBots(w jobs.Job) error {
	var a struct {
		Players     []string `json:"players"`
		TimeControl string   `json:"time_control"`
	}
	_ = json.Unmarshal(w.Args, &a) // what is of another type, lab refuses
	for i, spec := range a.Players {
		name, ok := strings.CutPrefix(spec, "bot:")
		if !ok {
			continue
		}
		place := fmt.Sprintf("args.players[%d]", i)
		if !s.scheduler.bots.Listens(name) {
			return service.FieldProblem(place, spec, errors.New("no bot of that name is connected"))
		}
		if t, err := arena.ParseTimeControl(a.TimeControl); err == nil && t.Bank < leastBank {
			return service.FieldProblem("args.time_control", a.TimeControl,
				errors.New("connected bots need clocks with a bank, such as 1m+1s"))
		}
	}
	return nil
}

// labWithBots returns the lab for the job's work: in tournaments connected bots are
// among the players.
// It is a copy: the scheduler's own lab knows no connected bots.
func (j *Job) labWithBots() *lab.Lab {
	l := *j.scheduler.lab
	l.Shelfless = true
	if isContest(j.Verb) {
		l.Invite = j.inviteBot
	}
	return &l
}

// inviteBot waits for a bot to be connected and has it play a game. One that was away already and has not
// come back since is not waited for again. While it waits, and while the bot thinks, the part gives
// its processor to others.
// The context is one of the part's, with its lease. It is called by several parts at once, for each game anew.
func (j *Job) inviteBot(ctx context.Context, name string, g lab.GuestGame) (lab.Guest, error) {
	defer leaseOf(ctx).releaseMeanwhile()()
	_, missed := j.missed.Load(name)
	if err := j.scheduler.bots.Await(ctx, name, !missed); err != nil {
		if ctx.Err() == nil { // a wait that was cut short by the end of the part says nothing about the bot
			j.missed.Store(name, true)
		}
		return nil, err
	}
	j.missed.Delete(name)
	return j.scheduler.bots.Invite(ctx, j.ID, name, g,
		func(ctx context.Context) func() { return leaseOf(ctx).releaseMeanwhile() })
}
