package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"oxo/lab"
)

// TestClusterVerbs starts a server and a worker as people do, submits jobs,
// looks at them and fetches their results.
func TestClusterVerbs(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	var over sync.WaitGroup
	defer over.Wait()
	defer stop()
	begin := func(args ...string) map[string]any {
		t.Helper()
		r, w := io.Pipe()
		var errs bytes.Buffer
		over.Go(func() {
			status := run(ctx, args, strings.NewReader(""), w, &errs)
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
	oxo := func(want int, args ...string) (string, string) {
		t.Helper()
		var out, errs bytes.Buffer
		if got := run(ctx, args, strings.NewReader(""), &out, &errs); got != want {
			t.Fatalf("%v: status %d, not %d: %s%s", args, got, want, &out, &errs)
		}
		return out.String(), errs.String()
	}
	url := begin("serve", "--cluster", "--cluster-addr", "127.0.0.1:0", "--addr", "127.0.0.1:0", "--data", t.TempDir(), "--json")["nats"].(string)
	begin("worker", "--nats", url, "--slots", "2", "--json")

	folder := filepath.Join(t.TempDir(), "result")
	text, _ := oxo(exitDone, "submit", "tournament", "perfect", "random", "--games", "40", "--seed", "3", "--out", folder, "--nats", url, "--json")
	var got struct {
		Result lab.TournamentSummary
		Files  []string
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil || got.Result.Games != 40 || len(got.Files) != 2 {
		t.Errorf("%s: %v", text, err)
	}
	if _, err := os.Stat(filepath.Join(folder, "games.journal")); err != nil {
		t.Error(err)
	}
	direct, _ := oxo(exitDone, "tournament", "perfect", "random", "--games", "40", "--seed", "3", "--json")
	var same lab.TournamentSummary
	if err := json.Unmarshal([]byte(direct), &same); err != nil || same.Rows[0].Score != got.Result.Rows[0].Score {
		t.Errorf("submitted %s, direct %s", text, direct)
	}
	for _, verb := range []string{"tournament", "match"} { // people read of both what the verb itself says
		words := []string{verb, "perfect", "random", "--games", "40", "--seed", "3"}
		here, _ := oxo(exitDone, words...)
		there, _ := oxo(exitDone, append([]string{"submit", "--nats", url}, words...)...)
		if rest, ok := strings.CutPrefix(there, strings.Replace(here, "on ttt", "on mnk:3,3,3", 1)); !ok || !strings.HasPrefix(rest, "1 file more") {
			t.Errorf("submitted:\n%sdirect:\n%s", there, here)
		}
	}
	oxo(exitDone, "submit", "prove", "mnk:4,3,3", "--out", folder, "--nats", url)
	oxo(exitDone, "verify", filepath.Join(folder, "proof.cert"))

	// A strong solution goes by tiers where it can, and says so.
	for _, c := range []struct {
		words []string
		tiers bool
	}{
		{[]string{"mnk:3,3,2"}, true}, {[]string{"mnk:3,3,2", "--memory", "64MB"}, true},
		{[]string{"mnk:3,3,2", "--tiers=false"}, false}, {[]string{"race:5"}, false}, {[]string{"mnk:3,3,2", "--limit", "100000"}, false},
	} {
		result, said := oxo(exitDone, append([]string{"submit", "solve", "--strong", "--out", folder, "--nats", url, "--json"}, c.words...)...)
		if strings.Contains(result, `"tiers":`) != c.tiers || strings.Contains(said, "by tiers") != c.tiers {
			t.Errorf("%v: %s%s", c.words, said, result)
		}
	}

	// A brain that goes on there is the one that goes on here.
	half, whole := filepath.Join(folder, "half"), filepath.Join(folder, "whole")
	oxo(exitDone, "train", "menace", "--game", "ttt+misere", "--against", "random", "--games", "30", "--seed", "4", "--out", half)
	oxo(exitDone, "train", "--resume", half, "--games", "20", "--out", whole)
	oxo(exitDone, "submit", "train", "--resume", half, "--games", "20", "--out", folder, "--nats", url)
	one, err := os.ReadFile(whole)
	other, err2 := os.ReadFile(filepath.Join(folder, "run-1.brain"))
	if err != nil || err2 != nil || !bytes.Equal(one, other) {
		t.Errorf("%d and %d bytes, %v, %v", len(one), len(other), err, err2)
	}

	id, _ := oxo(exitDone, "submit", "train", "table", "--games", "1000000000", "--detach", "--nats", url)
	id = strings.TrimSpace(id)
	oxo(exitDone, "jobs", "priority", id, "low", "--nats", url)
	oxo(exitDone, "jobs", "cancel", id, "--nats", url)
	if _, why := oxo(exitRefuse, "jobs", "watch", id, "--nats", url); !strings.Contains(why, "cancelled") {
		t.Error(why)
	}
	oxo(exitRefuse, "jobs", "result", id, "--nats", url)
	if said, _ := oxo(exitDone, "jobs", "remove", id, "--nats", url, "--json"); !strings.Contains(said, `"removed":true`) {
		t.Error(said)
	}
	if _, why := oxo(exitRefuse, "jobs", "watch", id, "--nats", url); !strings.Contains(why, "no such job") {
		t.Error(why)
	}
	list, _ := oxo(exitDone, "jobs", "--nats", url)
	if !strings.Contains(list, "tournament done") || !strings.Contains(list, "2 slots") || !strings.Contains(list, "prove      done") {
		t.Error(list)
	}
}
