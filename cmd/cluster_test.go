package cmd

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/spf13/cobra"

	"oxo/cluster"
	"oxo/cluster/broker"
)

// TestClusterVerbsSequential starts a server and a worker as people do, gives them
// work by the verbs themselves, looks at the jobs and fetches their results.
func TestClusterVerbsSequential(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	var over sync.WaitGroup
	defer over.Wait()
	defer stop()
	begin := func(args ...string) map[string]any {
		t.Helper()
		r, w := io.Pipe()
		var errs bytes.Buffer
		over.Go(func() {
			status := runCommandLine(ctx, args, strings.NewReader(""), w, &errs)
			w.Close()
			if ctx.Err() == nil {
				t.Errorf("%v ended with status %d: %s", args, status, &errs)
			}
		})
		var said map[string]any
		if err := json.NewDecoder(r).Decode(&said); err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		go io.Copy(io.Discard, r)
		return said
	}
	typed := ""
	oxo := func(want int, args ...string) (string, string) {
		t.Helper()
		var out, errs bytes.Buffer
		if got := runCommandLine(ctx, args, strings.NewReader(typed), &out, &errs); got != want {
			t.Fatalf("%v: status %d, not %d: %s%s", args, got, want, &out, &errs)
		}
		return out.String(), errs.String()
	}
	url := begin("serve", "--cluster", "--cluster-addr", "127.0.0.1:0", "--addr", "127.0.0.1:0", "--data", t.TempDir(),
		"--json")["nats"].(string)
	told, errs := io.Pipe()
	over.Go(func() {
		defer errs.Close()
		if got := runCommandLine(ctx, []string{"train", "menace", "--games", "9", "--on", url}, strings.NewReader(""),
			io.Discard, errs); got != exitDone {
			t.Errorf("what waited for a worker: status %d", got)
		}
	})
	waits := bufio.NewReader(told)
	line, err := waits.ReadString('\n')
	if err != nil || line != "oxo: no worker is there; the job waits for one: oxo worker --nats "+url+"\n" {
		t.Errorf("without a worker: %q, %v", line, err)
	}
	go io.Copy(io.Discard, waits)
	begin("worker", "--nats", url, "--slots", "2", "--json")

	// Every verb says and makes there what it does here, byte for byte.
	half := filepath.Join(t.TempDir(), "half")
	oxo(exitDone, "train", "menace", "--game", "ttt+misere", "--against", "random", "--games", "30", "--seed", "4",
		"--out", half)
	seconds := regexp.MustCompile(`"seconds":[0-9.e-]+|"file":"[^"]*"|[0-9.]+ s\b|/\S*made`)
	for _, words := range [][]string{
		{"tournament", "perfect", "random", "rows", "--games", "40", "--seed", "3", "--save"},
		{"match", "perfect", "random", "--games", "40", "--sprt", "0,5", "--save"},
		{"train", "menace", "--against", "perfect", "--games", "60", "--runs", "3", "--out"},
		{"train", "table", "--games", "60", "--seats", "first", "--curve"},
		{"train", "--resume", half, "--games", "20", "--out"},
		{"tune", "mcts:sims=10,explore={c}", "--constant", "c=0.1,0.05,3", "--iterations", "2", "--games", "4",
			"--check", "8", "--path"},
		{"prove", "mnk:4,3,3", "--split", "--out"},
		{"prove", "mnk:4,4,4+gravity", "--claim", "draw", "--out"},
		{"prove", "ultimate+open", "--claim", "first>17", "--out"},
		{"solve", "mnk:3,3,2", "--strong", "--tiers", "--out"},
		{"solve", "--game", "race:5", "--strong", "--out"},
		{"solve", "ttt", "--position", "x../.../... o"},
	} {
		for _, kind := range []string{"--json", "--json=false"} {
			here, there := filepath.Join(t.TempDir(), "made"), filepath.Join(t.TempDir(), "made")
			run := func(path string, more ...string) string {
				all := append(append([]string{}, words...), kind)
				if strings.HasPrefix(words[len(words)-1], "--") {
					all = append(append(append([]string{}, words...), path), kind)
				}
				text, _ := oxo(exitDone, append(all, more...)...)
				return seconds.ReplaceAllString(text, "_")
			}
			if one, other := run(here), run(there, "--on", url); one != other {
				t.Errorf("%v %s: here\n%sthere\n%s", words, kind, one, other)
			}
			one, errOne := os.ReadFile(here)
			other, errOther := os.ReadFile(there)
			if !bytes.Equal(one, other) || (errOne == nil) != (errOther == nil) ||
				strings.HasPrefix(words[len(words)-1], "--") && len(one) == 0 {
				t.Errorf("%v: made %d bytes here and %d there, %v, %v", words, len(one), len(other), errOne, errOther)
			}
		}
	}

	// A claim that is not so ends there as it does here.
	if said, _ := oxo(exitNo, "prove", "mnk:4,4,4+gravity", "--claim", "first", "--on", url); !strings.Contains(said,
		"nothing: first: it is not so") {
		t.Error(said)
	}

	// A strong solution that takes long goes by tiers where it can.
	for _, c := range []struct {
		words []string
		tiers bool
	}{
		{[]string{"mnk:4,4,4"}, true}, {[]string{"mnk:3,3,2", "--tiers", "--memory", "64MB"}, true},
		{[]string{"mnk:3,3,2"}, false}, {[]string{"race:5"}, false},
	} {
		made := filepath.Join(t.TempDir(), "made.oxo")
		result, _ := oxo(exitDone, append([]string{"solve", "--strong", "--out", made, "--on", url, "--json"},
			c.words...)...)
		if strings.Contains(result, `"tiers":`) != c.tiers {
			t.Errorf("%v: %s", c.words, result)
		}
	}

	id, _ := oxo(exitDone, "train", "table", "--games", "1000000000", "--detach", "--on", url)
	id = strings.TrimSpace(id)
	oxo(exitDone, "jobs", "priority", id, "low", "--nats", url)
	oxo(exitDone, "jobs", "cancel", id, "--nats", url)
	if _, why := oxo(exitRefuse, "jobs", "watch", id, "--nats", url); !strings.Contains(why, "cancelled") {
		t.Error(why)
	}
	oxo(exitRefuse, "jobs", "result", id, "--nats", url)
	if said, _ := oxo(exitDone, "jobs", "remove", id, "--nats", url, "--json"); !strings.Contains(said,
		`"removed":true`) {
		t.Error(said)
	}
	if _, why := oxo(exitRefuse, "jobs", "watch", id, "--nats", url); !strings.Contains(why, "no such job") {
		t.Error(why)
	}
	typed = `{"verb":"match","game":"ttt","args":{"players":["perfect","random"],"games":4},"seed":1}`
	written := filepath.Join(t.TempDir(), "job.json")
	if err := os.WriteFile(written, []byte(typed), 0o644); err != nil {
		t.Fatal(err)
	}
	oxo(exitDone, "jobs", "add", written, "--nats", url)
	id, _ = oxo(exitDone, "jobs", "add", "-", "--nats", url)
	id = strings.TrimSpace(id)
	oxo(exitDone, "jobs", "watch", id, "--nats", url)
	folder := filepath.Join(t.TempDir(), "result")
	if said, _ := oxo(exitDone, "jobs", "result", id, "--nats", url, "--out", folder); !strings.Contains(said,
		"perfect against random") {
		t.Error(said)
	}
	if _, err := os.Stat(filepath.Join(folder, "games.journal")); err != nil {
		t.Error(err)
	}
	list, _ := oxo(exitDone, "jobs", "--nats", url)
	if !strings.Contains(list, "tournament done") || !strings.Contains(list, "2 slots") ||
		!strings.Contains(list, "prove      done") {
		t.Error(list)
	}
}

// TestServeFullStore starts a server anew whose store is full: it answers all the same and says what to
// do, and a job can be cancelled and removed.
func TestServeFullStore(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	var over sync.WaitGroup
	begin := func(errs io.Writer) (url string, stop func()) {
		ctx, cancel := context.WithCancel(t.Context())
		r, w := io.Pipe()
		over.Go(func() {
			words := []string{"serve", "--cluster", "--cluster-addr", "127.0.0.1:0", "--cluster-store", "1MB", "--addr",
				"127.0.0.1:0", "--data", data, "--json"}
			runCommandLine(ctx, words, strings.NewReader(""), w, errs)
			w.Close()
		})
		var said struct{ NATS string }
		if err := json.NewDecoder(r).Decode(&said); err != nil {
			t.Errorf("the server does not begin: %v", err)
		}
		return said.NATS, func() { cancel(); over.Wait() }
	}
	oxo := func(args ...string) string {
		var out, errs bytes.Buffer
		if got := runCommandLine(t.Context(), args, strings.NewReader(""), &out, &errs); got != exitDone {
			t.Errorf("%v: status %d: %s", args, got, &errs)
		}
		return strings.TrimSpace(out.String())
	}
	url, stop := begin(io.Discard)
	id := oxo("match", "random", "heuristic", "--games", "24000", "--detach", "--on", url)
	conn, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	js, err := jetstream.New(conn)
	for n := 0; err == nil && n < 1000; n++ {
		_, err = js.Publish(t.Context(), fmt.Sprintf("oxo.done.%s.9.%d", id, n), []byte(rand.Text()+
			strings.Repeat(".", 4000)))
	}
	conn.Close()
	stop()
	if err == nil {
		t.Fatal("the store does not get full")
	}
	var errs bytes.Buffer
	url, stop = begin(&errs)
	if list := oxo("jobs", "--nats", url); !strings.Contains(list, id) {
		t.Error(list)
	}
	oxo("jobs", "cancel", id, "--nats", url)
	oxo("jobs", "remove", id, "--nats", url)
	stop()
	if !strings.Contains(errs.String(), "--cluster-store") {
		t.Errorf("it says %q", errs.String())
	}
}

// TestFlagsOfOn sees that verbs that a cluster carries out list the flags by which they show who asks.
func TestFlagsOfOn(t *testing.T) {
	t.Parallel()
	for _, verb := range []string{"match", "tournament", "tune", "train", "prove", "solve"} {
		var out bytes.Buffer
		runCommandLine(t.Context(), []string{verb, "--help"}, strings.NewReader(""), &out, io.Discard)
		for _, flag := range []string{"nats-token", "creds", "nkey", "tls-ca", "tls-cert", "tls-key"} {
			if !regexp.MustCompile("--" + flag + " string +with --on: ").MatchString(out.String()) {
				t.Errorf("%s does not tell of --%s", verb, flag)
			}
		}
	}
}

// startQueue starts a server with keys, if there are some, and a process of its cluster.
func startQueue(t *testing.T, keys []broker.Key) *broker.Server {
	t.Helper()
	s, err := broker.Serve(broker.Config{Dir: t.TempDir(), Addr: "127.0.0.1:0", Keys: keys})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	c, err := cluster.Open(t.Context(), cluster.Config{Server: s, Version: buildVersion()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return s
}

// TestWorkerWithoutRight has a worker show a key that may only watch: it is refused before it says that
// it works.
func TestWorkerWithoutRight(t *testing.T) {
	t.Parallel()
	const key = "watch:wall:0123456789abcdef"
	keys, err := broker.ParseKeys(key)
	if err != nil {
		t.Fatal(err)
	}
	s := startQueue(t, keys)
	path := filepath.Join(t.TempDir(), "wall.key")
	if err := os.WriteFile(path, []byte(key), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	got := runCommandLine(t.Context(), []string{"worker", "--nats", s.URL(), "--nats-token", path},
		strings.NewReader(""), &out, &errs)
	if got != exitRefuse || out.Len() > 0 || !strings.Contains(errs.String(), "the key of wall may watch") {
		t.Errorf("status %d, %q, %q", got, &out, &errs)
	}
}

// TestSilentServer sees that the words about a server that did not answer say which one it is.
func TestSilentServer(t *testing.T) {
	t.Parallel()
	s := startQueue(t, nil)
	n := natsFlags{url: s.URL()}
	silent := func(context.Context, *cluster.Cluster, []string) error {
		return fmt.Errorf("the queue: %w", context.DeadlineExceeded)
	}
	verb := &cobra.Command{}
	verb.SetContext(t.Context())
	if err := n.readOnly(silent)(verb, nil); err == nil || !strings.Contains(err.Error(), s.URL()) ||
		!strings.Contains(err.Error(), "does not answer") {
		t.Error(err)
	}
}
