package web

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	webjobs "oxo/web/jobs"
	"oxo/web/live"
)

// program is a bot of a test: it accepts challenges and plays each game by its
// stream.
type program struct {
	*tester
	token  string
	events *listener
	move   func(v live.View) string // none to say nothing any more

	wait  sync.WaitGroup
	mu    sync.Mutex
	ended []live.View
}

// newProgram makes a bot.
func newProgram(x *tester, name string, move func(live.View) string) *program {
	x.Helper()
	var made live.TokenReply
	x.answered(200, "POST", api+"bots", object{"name": name}, &made)
	return &program{tester: x.as(made.Token), token: made.Token, move: move}
}

// connect has the bot take part from now on.
func (p *program) connect() {
	p.events = p.listen(api + "bots/stream")
	p.wait.Go(func() {
		for line := range p.events.lines {
			var e live.BotEvent
			if strings.TrimSpace(line) == "" || json.Unmarshal([]byte(line), &e) != nil {
				continue
			}
			switch e.Type {
			case live.EventChallenge:
				p.ask("POST", api+"sessions/"+e.Session.ID+"/accept", object{})
			case live.EventGameStart:
				p.wait.Go(func() { p.play(e.Session.ID) })
			case live.EventGameEnd:
				p.mu.Lock()
				p.ended = append(p.ended, e.Session)
				p.mu.Unlock()
			}
		}
	})
	synctest.Wait()
}

func (p *program) play(id string) {
	l := p.listen(api + "sessions/" + id + "/stream?format=ndjson")
	defer l.leave()
	for line := range l.lines {
		var v live.View
		if strings.TrimSpace(line) == "" || json.Unmarshal([]byte(line), &v) != nil {
			continue
		}
		if v.State == live.StateOver {
			return
		}
		if v.Turn != v.You || len(v.Legal) == 0 {
			continue
		}
		switch m := p.move(v); m {
		case "leave":
			return
		case "resign":
			p.ask("POST", api+"sessions/"+id+"/resign", nil)
		case "wait":
		default:
			p.ask("POST", api+"sessions/"+id+"/move", object{"move": m, "ply": v.Ply})
		}
	}
}

// quit cuts the bot off.
func (p *program) quit() {
	p.events.leave()
	p.wait.Wait()
}

func firstLegal(v live.View) string { return v.Legal[0] }

// contest asks for a tournament of two games between each two.
func contest(players ...string) object {
	return object{"verb": "tournament", "game": "ttt", "seed": 3,
		"args": object{"players": players, "games": 2, "time_control": "1m+1s"}}
}

// row is how a player of a tournament stands.
type row struct {
	games, points, time, crashed int
	fault                        string // the last
}

// rows reads how a tournament stands, by player.
func (t *tester) rows(id string) map[string]row {
	t.Helper()
	var s webjobs.Standings
	t.answered(200, "GET", api+"jobs/"+id+"/standings", nil, &s)
	rows := map[string]row{}
	if len(s.Rows) == 0 {
		t.Fatal("nobody is in the table")
	}
	for _, r := range s.Rows {
		rows[r.Name] = row{r.Games, int(r.Score), r.Faults.Time, r.Faults.Crashed, r.Faults.Last}
	}
	return rows
}

// TestBotsInTournament has two connected bots meet each other and a player.
func TestBotsInTournament(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := newTester(t, hosted(newMemory()))
		deep, meek := newProgram(x, "deep", firstLegal),
			newProgram(x, "meek", func(live.View) string { return "resign" })
		deep.connect()
		if at, _ := x.fault(422, "POST", api+"jobs", contest("bot:deep", "bot:meek")); at != "body.args.players[1]" {
			t.Errorf("a bot that is not connected: the fault is at %s", at)
		}
		meek.connect()
		for _, body := range []object{
			{"verb": "tournament", "game": "ttt", "args": object{"players": []string{"bot:deep", "random"}}},
			{"verb": "tournament", "game": "ttt", "args": object{"players": []string{"bot:deep", "random"},
				"time_control": "100ms/move"}},
		} {
			if at, _ := x.fault(422, "POST", api+"jobs", body); at != "body.args.time_control" {
				t.Errorf("without a bank: the fault is at %s", at)
			}
		}
		x.fault(422, "POST", api+"jobs",
			object{"verb": "train", "game": "ttt", "args": object{"learner": "table", "against": "bot:deep"}})
		x.fault(422, "POST", api+"choose", object{"game": "ttt", "player": "bot:deep"})

		j := x.addJob(contest("bot:deep", "bot:meek", "rows"))
		x.finish(j.ID)
		synctest.Wait()
		rows := x.rows(j.ID)
		for name, row := range rows {
			if row.games != 4 || row.time != 0 || row.crashed != 0 {
				t.Errorf("%s: %+v", name, row)
			}
		}
		if rows["bot:meek"].points != 0 || rows["bot:deep"].points < 2 {
			t.Errorf("%+v", rows)
		}
		var g webjobs.ContestGames
		x.answered(200, "GET", api+"jobs/"+j.ID+"/games", nil, &g)
		plies := 0
		for _, game := range g.Games {
			if game.First == "rows" && game.Second == "bot:deep" {
				plies = len(game.Moves)
			}
		}
		deep.quit()
		meek.quit()
		if len(deep.ended) != 3 || len(meek.ended) != 4 { // meek resigned one before deep was asked
			t.Fatalf("%d and %d games ended", len(deep.ended), len(meek.ended))
		}
		for _, v := range deep.ended {
			if v.Contest != j.ID || v.State != live.StateOver || v.Result == "*" {
				t.Errorf("%+v", v)
			}
			// Its game begins with its own first move.
			if v.Termination == "normal" && v.You == "second" && v.Ply != plies-1 {
				t.Errorf("it was told %d of %d moves: %+v", v.Ply, plies, v)
			}
		}
		if n := len(x.server.lobby.All()); n != 0 {
			t.Errorf("%d games are left", n)
		}
	})
}

// TestBotLeavesTournament has one bot leave in its first game, one say nothing,
// and one decline: they lose their games by faults, and the rest goes on.
func TestBotLeavesTournament(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := newTester(t, hosted(newMemory()))
		deep := newProgram(x, "deep", firstLegal)
		mute := newProgram(x, "mute", func(live.View) string { return "wait" })
		gone := newProgram(x, "gone", func(live.View) string { return "leave" })
		deep.connect()
		mute.connect()
		gone.connect()
		j := x.addJob(contest("bot:deep", "bot:mute", "bot:gone", "random"))
		begin := time.Now()
		time.Sleep(time.Minute)
		gone.quit()
		x.finish(j.ID)
		rows := x.rows(j.ID)
		if r := rows["bot:mute"]; r.games != 6 || r.time+r.crashed < 4 || r.time == 0 {
			t.Errorf("mute: %+v", r)
		}
		if r := rows["bot:gone"]; r.games != 6 || r.crashed < 4 {
			t.Errorf("gone: %+v", r)
		}
		if r := rows["bot:deep"]; r.games != 6 || r.points < 4 || r.time+r.crashed != 0 {
			t.Errorf("deep: %+v", r)
		}
		if took := time.Since(begin); took > 20*time.Minute {
			t.Errorf("it took %v", took)
		}
		deep.quit()
		mute.quit()
	})
}

// TestBotsAfterRestart closes the server in the middle of a game of a
// tournament: the game is broken off, and played anew once the bot is back.
func TestBotsAfterRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		x := newTester(t, hosted(m))
		slow := func(v live.View) string {
			time.Sleep(5 * time.Second)
			return v.Legal[0]
		}
		deep := newProgram(x, "deep", slow)
		deep.connect()
		j := x.addJob(contest("bot:deep", "random"))
		time.Sleep(12 * time.Second)
		x.server.Close()
		deep.quit()
		synctest.Wait()

		y := newTester(t, hosted(m))
		again := &program{tester: y.as(deep.token), token: deep.token, move: slow}
		time.Sleep(10 * time.Second) // so long it takes to come back
		again.connect()
		y.finish(j.ID)
		synctest.Wait()
		for name, r := range y.rows(j.ID) {
			if r.games != 2 || r.time+r.crashed != 0 {
				t.Errorf("%s: %+v", name, r)
			}
		}
		broken := 0
		for _, id := range m.order {
			var v live.View
			y.answered(200, "GET", api+"sessions/"+id, nil, &v)
			if v.State != live.StateOver {
				t.Errorf("left over: %+v", v)
			}
			if v.Result == "*" {
				broken++
			}
		}
		if broken != 1 || len(m.order) != 3 {
			t.Errorf("%d of %d games were broken off: %+v", broken, len(m.order), y.rows(j.ID))
		}
		again.quit()

		// Paused and resumed likewise.
		third := &program{tester: y.as(deep.token), token: deep.token, move: slow}
		third.connect()
		k := y.addJob(contest("bot:deep", "random"))
		time.Sleep(7 * time.Second)
		y.answered(200, "POST", api+"jobs/"+k.ID+"/pause", nil, nil)
		y.answered(200, "POST", api+"jobs/"+k.ID+"/resume", nil, nil)
		y.finish(k.ID)
		if r := y.rows(k.ID)["bot:deep"]; r.games != 2 || r.crashed != 0 {
			t.Errorf("after a pause: %+v", r)
		}
		third.quit()
	})
}
