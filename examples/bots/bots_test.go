package bots_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"oxo/store"
	"oxo/web"
	"oxo/web/client"
)

// slowest is how long a bot may take to start or to move, on the slowest
// machine that runs the tests.
const slowest = 2 * time.Minute

// program finds a program that runs bots, or fails and says how to get it.
func program(t *testing.T, name, debian string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("no %s found, so its bot can't be tested; install it, on Debian by: apt-get update && apt-get "+
			"install -y %s", name, debian)
	}
	return path
}

// built builds the bot in Go.
func built(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bot")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	out, err := exec.Command("go", "build", "-o", path, "./go").CombinedOutput()
	if err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

func TestBots(t *testing.T) {
	for _, c := range []struct {
		source  string
		command func(*testing.T) []string
	}{
		{"go/main.go", func(t *testing.T) []string { return []string{built(t)} }},
		{"bot.py", func(t *testing.T) []string { return []string{program(t, "python3", "python3"), "bot.py"} }},
		{"bot.mjs", func(t *testing.T) []string { return []string{program(t, "node", "nodejs"), "bot.mjs"} }},
	} {
		t.Run(c.source, func(t *testing.T) {
			source, err := os.ReadFile(c.source)
			if err != nil {
				t.Fatal(err)
			}
			if n := bytes.Count(source, []byte("\n")); n > 20 {
				t.Errorf("%d lines", n)
			}
			command := c.command(t)
			ctx, cancel := context.WithTimeout(t.Context(), slowest)
			defer cancel()
			host := serve(t)
			var made struct{ Token string }
			if err := host.Do(ctx, http.MethodPost, "/bots", map[string]string{"name": "example"}, &made); err != nil {
				t.Fatal(err)
			}
			run(t, command, host.URL, made.Token)
			attend(ctx, t, host)
			var games sync.WaitGroup
			for _, game := range []string{"ttt", "mnk:4,4,4+misere", "ttt+slip=0.3"} { // at the same time
				games.Go(func() { play(ctx, t, host, game) })
			}
			games.Wait()
		})
	}
}

// serve starts a server with a store of its own.
func serve(t *testing.T) *client.Client {
	t.Helper()
	kept, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s, err := web.New(web.Config{Local: true, Store: kept, NotFound: store.ErrNotFound, Taken: store.ErrTaken})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s)
	t.Cleanup(func() {
		s.Close()
		h.Close()
		if err := kept.Close(); err != nil {
			t.Error(err)
		}
	})
	return &client.Client{URL: h.URL}
}

// run starts a bot, which is killed when the test ends.
func run(t *testing.T, command []string, url, token string) {
	t.Helper()
	c := exec.Command(command[0], command[1:]...)
	c.Env = append(os.Environ(), "OXO_URL="+url, "OXO_TOKEN="+token)
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill() // it may have ended, which has failed the test
		_ = c.Wait()
		if t.Failed() {
			t.Logf("the bot said: %s", &said)
		}
	})
}

// attend waits until a bot is connected.
func attend(ctx context.Context, t *testing.T, host *client.Client) {
	t.Helper()
	for {
		var list struct{ Bots []string }
		if err := host.Do(ctx, http.MethodGet, "/bots", nil, &list); err != nil {
			t.Fatalf("the bot has not come: %v", err)
		}
		if slices.Contains(list.Bots, "example") {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// play challenges the bot, plays the first legal move in turn, and checks that
// the bot plays the middle one.
func play(ctx context.Context, t *testing.T, host *client.Client, game string) {
	var opened client.Opened
	ask := map[string]any{"game": game, "to": "example", "seat": "first"}
	if err := host.Do(ctx, http.MethodPost, "/sessions", ask, &opened); err != nil {
		t.Error(err)
		return
	}
	me := client.Client{URL: host.URL, Token: opened.Key}
	var last client.GameState
	err := me.Watch(ctx, opened.Session.ID, func(g client.GameState) error {
		if last.Turn == "second" && g.Ply > last.Ply && g.Moves[last.Ply] != last.Legal[len(last.Legal)/2] {
			t.Errorf("%s: ply %d: it plays %s, not the middle of %v", game, last.Ply, g.Moves[last.Ply], last.Legal)
		}
		if last = g; len(g.Legal) == 0 || g.Turn != "first" {
			return nil
		}
		return me.Move(ctx, g.ID, g.Legal[0], g.Ply)
	})
	if err != nil || last.Termination != "normal" {
		t.Errorf("%s: %v, the end: %+v", game, err, last)
	}
}
