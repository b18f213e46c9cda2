package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// asProgram makes this test's own binary the program.
const asProgram = "OXO_LIBRARY_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
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

// TestServe: a server offers the game, and its player moves there.
func TestServe(t *testing.T) {
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
		{"/api/v1/judge", `{"game":"roam","position":"xx./oo./.x. o","time_ms":1000}`, `"value":"second"`},
	} {
		var r *http.Response
		if c.body == "" {
			r, err = http.Get(at + c.path)
		} else {
			r, err = http.Post(at+c.path, "application/json", strings.NewReader(c.body))
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
	end()
	if err := server.Wait(); err != nil && ctx.Err() == nil {
		t.Error(err)
	}
}
