package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"oxo/cmd"
	"oxo/lab"

	"example.org/library/mean"
	"example.org/library/roam"
	"example.org/library/tight"
)

// asProgram makes this test's own binary the program, or one of refusedParts.
const asProgram = "OXO_LIBRARY_AS_PROGRAM"

func TestMain(m *testing.M) {
	as := os.Getenv(asProgram)
	if refused, ok := refusedParts[as]; ok {
		cmd.Main(refused)
	}
	if as != "" {
		cmd.Main(slices.Concat(badGames(), badParts(), []lab.Part{lab.KindOf(roam.Kind), tight.Player,
			mean.Learner})...)
	}
	os.Exit(m.Run())
}

// TestRefused: a program whose parts have names that are taken, or lack something, is told so and does nothing.
func TestRefused(t *testing.T) {
	for want := range refusedParts {
		c := command(t.Context(), t, "games")
		c.Env = append(c.Env, asProgram+"="+want)
		if out, err := c.CombinedOutput(); err == nil || c.ProcessState.ExitCode() != 2 ||
			!strings.HasPrefix(string(out), "oxo: the games, players and learners of this program: "+want) {
			t.Errorf("%v, %s; want %s", err, out, want)
		}
	}
}

func command(ctx context.Context, t *testing.T, args ...string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(ctx, self, args...)
	c.Env = append(os.Environ(), asProgram+"=yes")
	return c
}

// TestVerbs: the game, the player of all games and the learner are ones as all others are, for every verb.
func TestVerbs(t *testing.T) {
	brain, own := filepath.Join(t.TempDir(), "roam.brain"), filepath.Join(t.TempDir(), "own.brain")
	for _, c := range []struct{ args, want string }{
		{"games roam", "three marks each"},
		{"games", "three marks each, which move when they are placed"},
		{"games --json", `"spec":"roam"`},
		{"solve roam --json", `"value":"draw"`},
		{"solve roam --position xx./oo./.x._o --json", `"value":"second"`},
		{"search roam --algorithm alphabeta --depth 4 --json", `"nodes":`},
		{"perft roam 5 --json", `"leaves":15120`},
		{"play roam --first centre --second random --seed 1 --json", `"game":"roam"`},
		{"play roam --position xo./xo./.xo_x --second random --show-values", "  b1-a1 +1 "},
		{"match centre random --game roam --games 20 --seed 1 --json", `"wins":`},
		{"train menace --game roam --against centre --games 50 --seed 1 --out " + brain + " --json", `"games":50`},
		{"exam centre --game roam --json", `"mistakes":`},
		{"exam brain:" + brain + " --game roam --json", `"mistakes":`},

		{"games", "tight                                  wins where it can"},
		{"games", "mean:epsilon=0.1\n      the mean of how games ended"},
		{"games --json", `["mean:epsilon=0.1","the mean of how`},
		{"help players", "tight"},
		{"help learners", "mean: the mean of how games ended"},
		{"__complete train me", "mean:"},
		{"__complete match ti", "tight"},
		{"play ttt --first tight --second random --seed 1 --json", `"first":"tight"`},
		{"play roam --first tight --second centre --seed 1 --json", `"game":"roam"`},
		{"play tree:three-ply --first tight --second random --seed 1 --json", `"game":"tree`},
		{"play ttt+slip=0.2 --first tight --second random --seed 1 --json", `"first":"tight"`},
		{"match tight random --game mnk:15,15,5 --games 2 --seed 1 --json", `"wins":`},
		{"match tight level:2 --game ttt --games 4 --time-control 10s+1s --seed 1 --json", `"wins":`},
		{"exam tight --game ttt --json", `"exploitability":`},
		{"exam tight --game roam --json", `"mistakes":`},
		{"train mean --options --game ttt", "epsilon=0.1"},
		{"train mean --game ttt --against tight --games 300 --seed 1 --out " + own + " --json", `"games":300`},
		{"train --resume " + own + " --games 300 --out " + own + " --json", `"learner":"mean"`},
		{"train menace --game ttt --against learner:mean:epsilon=0.2 --games 50 --json", `"games":50`},
		{"train mean:epsilon=0 --game roam --games 50 --runs 2 --json", `"games":50`},
		{"exam brain:" + own + " --game ttt --json", `"exploitability":`},
		{"brain show " + own, "positions were met"},
		{"match brain:" + own + " tight --game ttt --games 4 --seed 1 --json", `"wins":`},
	} {
		args := strings.Fields(c.args)
		for i := range args {
			if args[i] != "__complete" {
				args[i] = strings.ReplaceAll(args[i], "_", " ")
			}
		}
		var errs bytes.Buffer
		run := command(t.Context(), t, args...)
		run.Stderr = &errs
		if out, err := run.Output(); err != nil || !strings.Contains(string(out), c.want) {
			t.Errorf("%s: %v, %s%s; want %s", c.args, err, out, &errs, c.want)
		}
	}
	for _, c := range []struct{ args, want string }{
		{"play ttt --first centre --second random", "centre"}, // which plays roam alone
		{"exam mean --game ttt", "no boards after moves by a weighted sum"},
	} {
		if out, err := command(t.Context(), t, strings.Fields(c.args)...).CombinedOutput(); err == nil ||
			!strings.Contains(string(out), c.want) {
			t.Errorf("%s: %v, %s; want %s", c.args, err, out, c.want)
		}
	}
}

// TestBad: what is wrong with a game or a player from outside is said, and ends no program by a panic.
func TestBad(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"solve stuck", `stuck: the position "2 made" has no moves and is not over`},
		{"match random random --game stuck --games 2", `stuck: the position "2 made" has no moves and is not over`},
		{"search stuck --algorithm mcts --sims 50", `stuck: the position "2 made" has no moves and is not over`},
		{"exam random --game stuck", `stuck: the position "2 made" has no moves and is not over`},
		{"solve endless", "the game goes on beyond its MaxPlies, which are 60"},
		{"search endless --algorithm alphabeta", "the game goes on beyond its MaxPlies, which are 60"},
		{"search endless --algorithm dfpn", "the game goes on beyond its MaxPlies, which are 60"},
		{"solve circles", "play can go in circles, which can't be solved together with chance or payoffs"},
		{"exam random --game circles", "play can go in circles with chance"},
		{"solve panics", "panic: the game fell over"},
		{"match random random --game panics --games 2", `in "2 made": panic: the game fell over`},
		{"search panics --algorithm mcts --sims 100 --workers 2", "panic: the game fell over"},
		{"match boom-playable random --game playable --games 2", `in "0 made": panic: the player fell over`},
		{"play playable --first cheat-playable --second random", "move number 77 is not legal in 0 made"},
		{"play playable --first boom-playable --second random", `in "0 made": panic: the player fell over`},

		{"play ttt --first cheats --second random", `player "cheats": move number 77 is not legal in .../.../... x`},
		{"play ttt --first booms --second random", `player "booms": in ".../.../... x": panic: the player fell over`},
		{"match booms random --games 2", "panic: the player fell over"},
		{"play ttt --first half-sure --second random",
			`player "half-sure": in ".../.../... x": the player's score is NaN`},
		{"exam half-sure", `player "half-sure": in ".../.../... x": the probabilities of the moves are not`},
		{"exam too-sure", `player "too-sure": in ".../.../... x": the probabilities of the moves are not`},
		{"exam unsure", `player "unsure": in ".../.../... x": panic: the policy fell over`},
		{"train menace --games 9 --against half-sure", `opponent "half-sure": in ".../.../... x": the probabilities`},
		{"train menace --games 9 --against booms", "panic: the player fell over"},
		// Of its games as either side that is told which fails first.
		{"exam booms", "booms against random: first to move in | random against booms: second to move in"},
		{"play ttt --first opens-nothing --second random", `player "opens-nothing": its Open returns neither`},
		{"play ttt --first opens-in-panic --second random", `player "opens-in-panic": panic: it does not open`},
		{"play ttt --first makes-nothing --second random", `player "makes-nothing": it makes no player`},
		{"play ttt --first tight:depth=2 --second random", `player "tight:depth=2": it has no options`},

		{"train chooses-in-panic --games 9", `learner "chooses-in-panic": panic: the learner fell over`},
		{"train chooses-99 --games 9", `learner "chooses-99": it chose a move that is not there: number 99 of 9`},
		{"train menace --games 9 --against learner:chooses-99", `learner "chooses-99": it chose a move that`},
		{"train odds-nan --games 9", `learner "odds-nan": in ".../.../... x": the probabilities of the moves are not`},
		{"train learns-in-panic --games 9", `learner "learns-in-panic": panic: the critic fell over`},
		{"train keeps-nan --games 9", `learner "keeps-nan": what it has learned can't be kept`},
		{"train reads-in-panic --games 9", `learner "reads-in-panic": panic: it reads nothing`},
		{"train builds-in-panic --games 9", `learner "builds-in-panic": panic: it builds nothing`},
		{"train builds-nothing --games 9", `learner "builds-nothing": its Build returns neither all four modules nor`},
		{"train builds-half --games 9", `learner "builds-half": its Build returns neither all four modules nor`},
		{"train mean:speed=1 --games 9", `learner "mean:speed=1": unknown option "speed"; options are epsilon`},
		{"train mean:epsilon=NaN --games 9", "option epsilon=NaN: it must be a number from 0 to 1"},
		{"train mean --game mnk:15,15,5 --games 9", `learner "mean": it keeps a mean for every position`},
		{"train builds-half:depth=1 --games 9", `learner "builds-half:depth=1": option "depth": it takes no options`},
	} {
		out, err := command(t.Context(), t, strings.Fields(c.args)...).CombinedOutput()
		exit, _ := errors.AsType[*exec.ExitError](err)
		if exit == nil || exit.ExitCode() != 2 && !bytes.Contains(out, []byte("\nO wins.")) ||
			!slices.ContainsFunc(strings.Split(c.want, " | "), func(want string) bool {
				return bytes.Contains(out, []byte(want))
			}) || bytes.Contains(out, []byte("goroutine")) {
			t.Errorf("%s: %v, %s; want %s", c.args, err, out, c.want)
		}
	}
}

// TestServe: a server offers the game, and its player moves there; so are the player of all games and the learner.
func TestServe(t *testing.T) {
	visitor := &http.Client{}
	visitor.Jar, _ = cookiejar.New(nil) // whose jobs are listed
	ctx, end := context.WithCancel(t.Context())
	defer end()
	server := command(ctx, t, "serve", "--addr", "127.0.0.1:0", "--data", t.TempDir())
	server.Cancel = func() error { return server.Process.Signal(os.Interrupt) }
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	at := strings.TrimRight(strings.TrimSpace(line[strings.Index(line, "http"):]), "/")
	for _, c := range []struct{ path, body, want string }{
		{"/api/v1/games", "", `"name":"Roaming marks"`},
		{"/api/v1/position", `{"game":"roam","moves":["a1","b2"]}`, `"drawn":"grid"`},
		{"/api/v1/position", `{"game":"roam"}`, `"title":[{"key":"title.roam"}]`},
		{"/api/v1/choose", `{"game":"roam","player":"centre","seed":1,"moves":["a1"]}`, `"move":"b2"`},
		{"/api/v1/players?game=roam", "", `{"spec":"centre"}`},
		{"/api/v1/games", "", `{"form":"tight","about":"wins where it can`},
		{"/api/v1/players?game=ttt", "", `{"spec":"tight"}`},
		{"/api/v1/players?game=ttt", "", `{"spec":"opens-in-panic","refused":"player \"opens-in-panic\": panic:`},
		{"/api/v1/choose", `{"game":"ttt","player":"tight","seed":1,"moves":["a1","b3","a2","c3"]}`, `"move":"a3"`},
		{"/api/v1/choose", `{"game":"ttt","player":"half-sure","seed":1}`, "the player's score is NaN"},
		{"/api/v1/learners?game=ttt", "", `"name":"mean"`},
		{"/api/v1/learners?game=ttt", "", `"spec":"tight"`},
		{"/api/v1/learners?game=ttt", "", `"refused":"learner \"builds-in-panic\": panic: it builds nothing"`},
		{"/api/v1/jobs", `{"verb":"train","game":"ttt","args":{"learner":"mean","games":50}}`, `"id":`},
		{"/api/v1/jobs", `{"verb":"train","game":"ttt","args":{"learner":"chooses-in-panic","games":50}}`, `"id":`},
		{"/api/v1/choose", `{"game":"playable","player":"cheat-playable","seed":1}`, "move number 77 is not legal"},
		{"/api/v1/choose", `{"game":"playable","player":"boom-playable","seed":1}`, "panic: the player fell over"},
		{"/api/v1/choose", `{"game":"panics","player":"mcts:sims=50","seed":1}`, "panic: the game fell over"},
		{"/api/v1/jobs", `{"verb":"match","game":"playable","args":{"players":["boom-playable","random"],"games":2}}`,
			`"id":`},
		{"/api/v1/jobs", `{"verb":"match","game":"panics","args":{"players":["random","random"],"games":2}}`, `"id":`},
		{"/api/v1/judge", `{"game":"roam","position":"xx./oo./.x. o","time_ms":1000}`, `"value":"second"`},
	} {
		var r *http.Response
		if c.body == "" {
			r, err = visitor.Get(at + c.path)
		} else {
			r, err = visitor.Post(at+c.path, "application/json", strings.NewReader(c.body))
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r.Body)
		r.Body.Close()
		lines := bytes.Split(bytes.TrimSpace(text), []byte("\n")) // of a stream the last counts
		if last := lines[len(lines)-1]; err != nil || !json.Valid(last) || !bytes.Contains(last, []byte(c.want)) {
			t.Errorf("%s: %v, %s; want %s", c.path, err, text, c.want)
		}
	}
	// So do the jobs that fail, and the one that does not is done.
	for want := []string{"panic: the player fell over", "panic: the game fell over", "panic: the learner fell over",
		`"state":"done"`}; len(want) > 0; {
		r, err := visitor.Get(at + "/api/v1/jobs")
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(r.Body)
		r.Body.Close()
		want = slices.DeleteFunc(want, func(w string) bool { return bytes.Contains(text, []byte(w)) })
		if len(want) > 0 && bytes.Count(text, []byte(`"state":"queued"`))+
			bytes.Count(text, []byte(`"state":"running"`)) == 0 {
			t.Fatalf("%s; want %s", text, want)
		}
	}
	end()
	if err := server.Wait(); err != nil && ctx.Err() == nil {
		t.Error(err)
	}
}
