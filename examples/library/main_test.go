package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
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

	"example.org/library/roam"
)

// asProgram makes this test's own binary the program.
const asProgram = "OXO_LIBRARY_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		cmd.Main(append(badGames(), lab.KindOf(roam.Kind))...)
	}
	os.Exit(m.Run())
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

// TestVerbs: the game is one as all others are, for every verb.
func TestVerbs(t *testing.T) {
	brain := filepath.Join(t.TempDir(), "roam.brain")
	for _, c := range []struct{ args, want string }{
		{"games roam", "three marks each"},
		{"games", "three marks each, which move when they are placed"},
		{"games --json", `"spec":"roam"`},
		{"solve roam --json", `"value":"draw"`},
		{"solve roam --position xx./oo./.x._o --json", `"value":"second"`},
		{"search roam --algorithm alphabeta --depth 4 --json", `"nodes":`},
		{"perft roam 5 --json", `"leaves":15120`},
		{"play roam --first centre --second random --seed 1 --json", `"game":"roam"`},
		{"match centre random --game roam --games 20 --seed 1 --json", `"wins":`},
		{"train menace --game roam --against centre --games 50 --seed 1 --out " + brain + " --json", `"games":50`},
		{"exam centre --game roam --json", `"mistakes":`},
		{"exam brain:" + brain + " --game roam --json", `"mistakes":`},
	} {
		args := strings.Fields(c.args)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "_", " ")
		}
		var errs bytes.Buffer
		run := command(t.Context(), t, args...)
		run.Stderr = &errs
		if out, err := run.Output(); err != nil || !strings.Contains(string(out), c.want) {
			t.Errorf("%s: %v, %s%s; want %s", c.args, err, out, &errs, c.want)
		}
	}
	if out, err := command(t.Context(), t, "play", "ttt", "--first", "centre", "--second",
		"random").CombinedOutput(); err == nil {
		t.Errorf("a player of roam plays tic-tac-toe: %s", out)
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
	} {
		out, err := command(t.Context(), t, strings.Fields(c.args)...).CombinedOutput()
		if err == nil || !bytes.Contains(out, []byte(c.want)) || bytes.Contains(out, []byte("goroutine")) {
			t.Errorf("%s: %v, %s; want %s", c.args, err, out, c.want)
		}
	}
}

// TestServe: a server offers the game, and its player moves there.
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
	// So do the two jobs.
	for want := []string{"panic: the player fell over", "panic: the game fell over"}; len(want) > 0; {
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
