package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"oxo/arena"
	webjobs "oxo/web/jobs"
)

// TestTournament follows a tournament to its end and opens its games.
func TestTournament(t *testing.T) {
	m := newMemory()
	x := newTester(t, hosted(m))
	j := x.addJob(object{"verb": "tournament", "game": "ttt", "seed": 5,
		"args": object{"players": []string{"heuristic", "random", "rows"}, "games": 10, "openings": 1}})
	last, _ := x.follow(j.ID, func(v webjobs.JobView) bool { return webjobs.Over(v.State) })
	if last.State != webjobs.Done {
		t.Fatalf("%+v", last)
	}
	var s webjobs.Standings
	x.answered(200, "GET", api+"jobs/"+j.ID+"/standings", nil, &s)
	if s.Games != 30 || s.Total != 30 || len(s.Rows) != 3 || s.Rows[0].Name != "heuristic" || s.Rows[0].Games != 20 ||
		s.Rows[0].Error <= 0 || len(s.Rows[0].Cross) != 3 {
		t.Errorf("standings: %+v", s)
	}
	var g webjobs.ContestGames
	x.answered(200, "GET", api+"jobs/"+j.ID+"/games?most=5&skip=10", nil, &g)
	if g.Count != 30 || len(g.Games) != 5 || g.Games[0].Number != 20 || g.Games[0].Opening != 1 {
		t.Errorf("games: %+v", g)
	}
	var p PositionReply
	x.answered(200, "POST", api+"position", object{"game": g.Games[0].Game, "moves": g.Games[0].Moves}, &p)
	if p.State.Result != g.Games[0].Result {
		t.Errorf("the game ends with %s, listed is %s", p.State.Result, g.Games[0].Result)
	}
	x.answered(200, "GET", api+"jobs/"+j.ID+"/games?skip=1000", nil, &g)
	if len(g.Games) != 0 {
		t.Errorf("beyond the last: %+v", g)
	}
	w := x.ask("GET", api+"jobs/"+j.ID+"/sheets", nil)
	var read SheetReply
	x.answered(200, "POST", api+"sheets", object{"text": w.Body.String()}, &read)
	if len(read.Games) != 30 || len(read.Bad) > 0 || read.Games[19].Seed == 0 || read.Games[19].First == "" ||
		!strings.HasPrefix(w.Header().Get("Content-Disposition"), "attachment") {
		t.Errorf("score sheets: %d %v, %d games, %v", w.Code, w.Header(), len(read.Games), read.Bad)
	}
	y := newTester(t, hosted(m)) // somebody else, after a restart
	y.answered(200, "GET", api+"jobs/"+j.ID+"/standings", nil, &s)
	if s.Games != 30 {
		t.Errorf("for somebody else: %+v", s)
	}
	x.fault(404, "GET", api+"jobs/none/standings", nil)
	x.fault(404, "GET", api+"jobs/none/games", nil)
	x.fault(404, "GET", api+"jobs/none/sheets", nil)
	x.fault(422, "POST", api+"jobs",
		object{"verb": "tournament", "game": "ttt", "args": object{"players": []string{"random", "nobody"}}})
}

// TestJournalOnce reads the games of a finished tournament once.
func TestJournalOnce(t *testing.T) {
	m := newMemory()
	x := newTester(t, hosted(m))
	j := x.addJob(object{"verb": "tournament", "game": "ttt", "seed": 5,
		"args": object{"players": []string{"heuristic", "random"}, "games": 6}})
	x.follow(j.ID, func(v webjobs.JobView) bool { return webjobs.Over(v.State) })
	at := api + "jobs/" + j.ID + "/games"
	var g, page webjobs.ContestGames
	x.answered(200, "GET", at, nil, &g)
	if err := m.PutBlob(j.ID, webjobs.BlobFile+"games.journal", []byte("hello\n")); err != nil {
		t.Fatal(err)
	}
	for skip := range 8 {
		x.answered(200, "GET", fmt.Sprintf("%s?most=2&skip=%d", at, skip), nil, &page)
		if want := g.Games[min(skip, 6):min(skip+2, 6)]; page.Count != 6 || fmt.Sprint(page.Games) != fmt.Sprint(want) {
			t.Errorf("after %d games: %+v, want %+v", skip, page, want)
		}
	}
	y := newTester(t, hosted(m))
	y.fault(409, "GET", at, nil)
	y.fault(409, "GET", api+"jobs/"+j.ID+"/sheets", nil)
}

// TestTournamentUnderWay shows a tournament that is paused in the middle.
func TestTournamentUnderWay(t *testing.T) {
	x := newTester(t, hosted(newMemory()))
	j := x.addJob(object{"verb": "tournament", "game": "mnk:4,4,4", "seed": 5,
		"args": object{"players": []string{"mcts:sims=50", "random"}, "games": 4000, "chunk": 2}})
	x.follow(j.ID, func(v webjobs.JobView) bool { return v.Done >= 4 })
	x.answered(200, "POST", api+"jobs/"+j.ID+"/pause", nil, &j)
	var s webjobs.Standings
	x.answered(200, "GET", api+"jobs/"+j.ID+"/standings", nil, &s)
	if s.Games < 4 || s.Games >= 4000 || s.Total != 4000 {
		t.Errorf("standings: %d of %d", s.Games, s.Total)
	}
	var g webjobs.ContestGames
	x.answered(200, "GET", api+"jobs/"+j.ID+"/games", nil, &g)
	if g.Count < 2 || g.Count > s.Games {
		t.Errorf("%d games are listed, %d have ended", g.Count, s.Games)
	}
	x.answered(200, "POST", api+"jobs/"+j.ID+"/cancel", nil, nil)
}

// ending is a store in which a tournament comes to its end between the listing
// of what it has put down and the reading of it.
type ending struct{ *memory }

func (e ending) Blobs(ctx context.Context, job string) ([]string, []int, error) {
	names, sizes, err := e.memory.Blobs(ctx, job)
	if data, gone := e.Blob(ctx, job, "output/0"); gone == nil {
		err = errors.Join(err, e.PutBlob(job, webjobs.BlobFile+"games.journal", data), e.DropBlobs(job, "output/0"))
	}
	return names, sizes, err
}

// TestTournamentEnds asks for the games of a tournament in the moment in which
// what its parts have put out gives way to the file of all.
func TestTournamentEnds(t *testing.T) {
	m := newMemory()
	x := newTester(t, hosted(m))
	j := x.addJob(object{"verb": "tournament", "game": "ttt", "seed": 5,
		"args": object{"players": []string{"heuristic", "random"}, "games": 2}})
	x.follow(j.ID, func(v webjobs.JobView) bool { return webjobs.Over(v.State) })
	x.server.Close() // the job's last deed is to drop what its parts have put out
	data, err := m.Blob(t.Context(), j.ID, webjobs.BlobFile+"games.journal")
	if err := errors.Join(err, m.PutBlob(j.ID, "output/0", data),
		m.DropBlobs(j.ID, webjobs.BlobFile+"games.journal")); err != nil {
		t.Fatal(err)
	}
	y := newTester(t, func(o *Config) { o.Store, o.NotFound, o.Taken = ending{m}, errNotFound, errTaken })
	var g webjobs.ContestGames
	y.answered(200, "GET", api+"jobs/"+j.ID+"/games", nil, &g)
	if g.Count != 2 {
		t.Errorf("%d games of 2", g.Count)
	}
	if _, err := m.Blob(t.Context(), j.ID, "output/0"); err == nil {
		t.Error("what the part put out is still there")
	}
}

// TestStandingsOnce rates the players of a tournament behind the gate, and again
// only where more games have ended.
func TestStandingsOnce(t *testing.T) {
	x := newTester(t, hosted(newMemory()), func(o *Config) { o.Workers = 1 })
	j := x.addJob(object{"verb": "tournament", "game": "ttt", "seed": 5,
		"args": object{"players": []string{"heuristic", "random", "rows"}, "games": 10}})
	x.follow(j.ID, func(v webjobs.JobView) bool { return webjobs.Over(v.State) })
	full := func() func() {
		leave, err := x.server.Heavy.Enter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		x.server.Heavy.Slots = 0 // so that whoever waits is turned away
		return func() { x.server.Heavy.Slots = 1; leave() }
	}
	at := api + "jobs/" + j.ID + "/standings"
	leave := full()
	x.fault(429, "GET", at, nil)
	leave()
	var s, again webjobs.Standings
	x.answered(200, "GET", at, nil, &s)
	leave = full()
	x.answered(200, "GET", at, nil, &again)
	if fmt.Sprint(s) != fmt.Sprint(again) || s.Games != 30 {
		t.Errorf("%+v, and again %+v", s, again)
	}
	set := func(d arena.Standings) {
		job, err := x.server.scheduler.Find(t.Context(), j.ID)
		if err != nil {
			t.Fatal(err)
		}
		if err := job.Change(func(p *webjobs.Record) error {
			p.Report.Data, err = json.Marshal(d)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	cross := [][]arena.Score{{{}, {Wins: 20, Pairs: arena.Pairs{4: 10}}}, {{Losses: 20, Pairs: arena.Pairs{0: 10}}, {}}}
	set(arena.Standings{Names: []string{"a", "b"}, Games: 20, Total: 20, Cross: cross,
		Faults: make([]arena.Faults, 2)})
	x.fault(429, "GET", at, nil)
	leave()
	x.answered(200, "GET", at, nil, &s)
	if s.Games != 20 || s.Rows[0].Name != "a" || s.Rows[0].Rating < 100 {
		t.Errorf("after more games: %+v", s)
	}

	const players = 100
	large := arena.Standings{Names: make([]string, players), Games: 1, Cross: make([][]arena.Score, players),
		Faults: make([]arena.Faults, players)}
	for i := range players {
		large.Names[i] = fmt.Sprint(i)
		large.Cross[i] = make([]arena.Score, players)
		for k := range players {
			large.Cross[i][k] = arena.Score{Wins: i % 7, Losses: k % 5, Pairs: arena.Pairs{0: k % 5, 4: i % 7}}
		}
	}
	set(large)
	x.server.Longest = time.Nanosecond
	x.fault(503, "GET", at, nil)
	defer full()()
	x.fault(503, "GET", at, nil)
}
