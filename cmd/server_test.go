package cmd

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"oxo/web/client"
)

// slowest is how long a server or a bot may take to do something, on the
// slowest machine that runs the tests.
const slowest = 2 * time.Minute

// running is an oxo serve in a process of its own.
type running struct {
	client.Client // to anybody's URL
	process       *exec.Cmd
	said          *strings.Builder // on stderr, once it has ended
}

// startServer starts oxo serve on a free port and waits until it listens.
func startServer(data string, flags ...string) (*running, error) {
	s := &running{process: exec.Command("oxo",
		append([]string{"serve", "--addr", "127.0.0.1:0", "--data", data, "--json"}, flags...)...),
		said: &strings.Builder{}}
	s.process.Stderr = s.said
	out, err := s.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	var first struct{ Address string }
	if err := json.NewDecoder(bufio.NewReader(out)).Decode(&first); err != nil {
		_ = s.process.Wait() // the error is what was read
		return nil, err
	}
	s.URL = first.Address
	return s, nil
}

// kill ends the server without a word, as a power cut would.
func (s *running) kill() {
	_ = s.process.Process.Kill() // it may have ended by itself
	_ = s.process.Wait()
}

// stop ends it as Ctrl-C does.
func (s *running) stop() error {
	if err := s.process.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	return s.process.Wait()
}

// TestServerSays: the log has when a server starts, what it takes up, and when it stops.
func TestServerSays(t *testing.T) {
	data := t.TempDir()
	s, err := startServer(data, "--log", "info")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"msg":"games taken up","open":0,"playing":0}`, `"msg":"start","address":"` + s.URL +
		`","version":"`, `"data":"` + data + `"`, `"msg":"stop","reason":"`} {
		if !strings.Contains(s.said.String(), want) {
			t.Errorf("no %s in %s", want, s.said)
		}
	}
}

// attended waits until a bot of that name is connected.
func attended(ctx context.Context, c client.Client, name string) error {
	for {
		var list struct{ Bots []string }
		if err := c.Do(ctx, http.MethodGet, "/bots", nil, &list); err != nil || slices.Contains(list.Bots, name) {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// server starts a server of the folder data; its address is then $server.
func server(ts *testscript.TestScript, _ bool, args []string) {
	s, err := startServer(ts.MkAbs("data"), args...)
	ts.Check(err)
	ts.Defer(s.kill)
	ts.Setenv("server", strings.TrimSuffix(s.URL, "/"))
}

// attendedBot waits until a bot is connected to $server.
func attendedBot(ts *testscript.TestScript, _ bool, args []string) {
	ctx, cancel := context.WithTimeout(context.Background(), slowest)
	defer cancel()
	ts.Check(attended(ctx, client.Client{URL: ts.Getenv("server")}, args[0]))
}
