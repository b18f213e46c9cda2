package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"oxo/cluster/blob"
	"oxo/cluster/broker"
	"oxo/cluster/records"
	"oxo/lab/jobs"
)

// keyTexts are a key of each role, and a second worker's.
func keyTexts() map[string]string {
	texts := map[string]string{}
	for _, k := range []string{"watch:wall", "submit:ann", "work:bob", "work:cat", "administer:dan"} {
		_, name, _ := strings.Cut(k, ":")
		texts[name] = k + ":0123456789abcdef-" + name
	}
	return texts
}

// guarded starts a server that knows the keys.
func guarded(t *testing.T) *broker.Server {
	t.Helper()
	var lines []string
	for _, text := range keyTexts() {
		lines = append(lines, text)
	}
	keys, err := broker.ParseKeys(strings.Join(lines, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := broker.Serve(broker.Config{Dir: t.TempDir(), Addr: "127.0.0.1:0", Keys: keys, Token: "of all rights"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// TestRoles has who holds a key of each role try what there is to do.
func TestRoles(t *testing.T) {
	t.Parallel()
	s := guarded(t)
	c := open(t, Config{Server: s})
	quick := someJobs()["tournament"]
	ways := []struct {
		what string
		try  func(t *testing.T, c *Cluster) error
		may  string // whose key may do so
	}{
		{"submit", func(t *testing.T, c *Cluster) error {
			_, err := c.Submit(t.Context(), quick, SubmitOptions{})
			return err
		}, "ann dan"},
		{"cancel", func(t *testing.T, k *Cluster) error {
			_, err := k.Cancel(t.Context(), submit(t, c, endless(), ""))
			return err
		}, "ann dan"},
		{"priority", func(t *testing.T, k *Cluster) error {
			_, err := k.SetPriority(t.Context(), submit(t, c, endless(), ""), broker.High)
			return err
		}, "ann dan"},
		{"retry", func(t *testing.T, k *Cluster) error {
			id := submit(t, c, endless(), "")
			if _, err := c.Cancel(t.Context(), id); err != nil {
				return err
			}
			_, err := k.Retry(t.Context(), id)
			return err
		}, "ann dan"},
		{"work", func(t *testing.T, c *Cluster) error {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
			defer cancel()
			if err := c.Work(ctx, WorkOptions{Slots: 1}); !errors.Is(err, context.DeadlineExceeded) {
				return err
			}
			return nil
		}, "bob cat dan"},
		{"remove", func(t *testing.T, k *Cluster) error {
			id := submit(t, c, endless(), "")
			if _, err := c.Cancel(t.Context(), id); err != nil {
				return err
			}
			return k.Remove(t.Context(), id)
		}, "dan"},
		{"list", func(t *testing.T, c *Cluster) error {
			_, err := c.TakeSnapshot(t.Context())
			return err
		}, "wall ann bob cat dan"},
	}
	for name, text := range keyTexts() {
		k := open(t, Config{URL: s.URL(), Token: text})
		for _, way := range ways {
			err := way.try(t, k)
			if may := slices.Contains(strings.Fields(way.may), name); may != (err == nil) {
				t.Errorf("%s, %s: %v", name, way.what, err)
			} else if !may && !strings.Contains(err.Error(), "it takes one that may") {
				t.Errorf("%s, %s: the missing right is not named: %v", name, way.what, err)
			}
		}
	}
	for _, text := range []string{"work:bob:0123456789abcdef-cat", "administer:bob:0123456789abcdef-bob",
		"work:eve:0123456789abcdef-eve", "guess", ""} {
		fails(t, "key "+text, Config{URL: s.URL(), Token: text}, "refuses these credentials")
	}
	fails(t, "a short key", Config{URL: s.URL(), Token: "work:bob:short"}, "bob", "16 characters")
	open(t, Config{URL: s.URL(), Token: "of all rights"})
}

// TestTitles sees that lists name processes of one machine apart: by their keys, and by their nodes.
func TestTitles(t *testing.T) {
	t.Parallel()
	s := guarded(t)
	c := open(t, Config{Server: s})
	work(t, c, WorkOptions{LeadOnly: true, Name: "vm", Node: "a"})
	work(t, open(t, Config{URL: s.URL(), Token: keyTexts()["bob"]}), WorkOptions{Slots: 1, Name: "vm"})
	work(t, open(t, Config{URL: s.URL(), Token: "of all rights"}), WorkOptions{Slots: 1, Name: "vm"})
	persist(t, func() error {
		list, err := c.Workers(t.Context())
		var titles []string
		for _, w := range list {
			titles = append(titles, w.Title())
		}
		if slices.Sort(titles); err == nil && !slices.Equal(titles, []string{"vm", "vm (a)", "vm (bob)"}) {
			err = fmt.Errorf("they are called %q", titles)
		}
		return err
	})
}

// TestForged has who holds a key leave the program aside and write to the server by hand
// whatever there is, also where an answer that somebody asks for is to go: only what is the
// key's own arrives.
func TestForged(t *testing.T) {
	t.Parallel()
	s := guarded(t)
	c := open(t, Config{Server: s})
	for name, text := range keyTexts() {
		if name == "dan" {
			continue
		}
		key, _, err := broker.ParseKey(text)
		if err != nil {
			t.Fatal(err)
		}
		conn, err := nats.Connect(s.URL(), key.Login())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(conn.Close)
		role := string(key.Role)
		own := map[string]string{ // what may be written by whom
			"oxo.lead.J": "submit", "$KV.oxo-jobs.job.J": "submit", "$O.oxo-files.M.given.x": "submit",
			"oxo.part.high.J.0.0": "", "$KV.oxo-jobs.cluster.other": "", "$O.oxo-files.M.x": "",
			"oxo.done.J.0.0.1." + name: "work", "oxo.mark.J.0.0." + name: "work", "oxo.fail.J.0.0." + name: "work",
			"oxo.done.J.0.0.1.dan": "", "oxo.mark.J.0.0.dan": "", "oxo.fail.J.0.0.dan": "", "oxo.done.J.0.0.1": "",
			"$O.oxo-files.C." + name + ".x": "work", "$O.oxo-files.M.dan.x": "",
			"$KV.oxo-live.worker." + name + ".x": "work", "$KV.oxo-live.worker.dan.x": "",
		}
		for subject, by := range own {
			if got := stores(t, c, conn, subject); got != (by == role) {
				t.Errorf("%s (%s) writes %s: %v", name, role, subject, got)
			}
			wipe(t, c)
		}
		// Answers, and whatever else a server sends, go to no subject that is not the key's own.
		before := subjectsThere(t, c)
		for _, ask := range []struct{ subject, body string }{
			{"$JS.API.STREAM.INFO.OXO_DONE", ""}, {"$JS.API.DIRECT.GET.OXO_DONE.oxo.done.K.0.0.1.dan", ""},
			{"$JS.API.STREAM.MSG.GET.OXO_DONE", `{"last_by_subj":"oxo.done.K.0.0.1.dan"}`},
			{"$JS.API.CONSUMER.MSG.NEXT.OXO_WORK.normal", `{"batch":1}`}, {"oxo.done.J.0.0.1." + name, "x"},
			{"$JS.API.STREAM.PURGE.OXO_DONE", ""}, {"$JS.API.STREAM.DELETE.OXO_DONE", ""},
			{"$JS.API.STREAM.MSG.DELETE.OXO_DONE", `{"seq":1}`}, {"$JS.API.STREAM.UPDATE.OXO_DONE", `{"name":"OXO_DONE"}`},
			{"$JS.API.CONSUMER.CREATE.OXO_DONE.c.oxo.done.>", `{"stream_name":"OXO_DONE","config":{"name":"c",` +
				`"deliver_subject":"$KV.oxo-jobs.job.J","filter_subject":"oxo.done.>","ack_policy":"none"}}`},
			{"$JS.API.CONSUMER.DELETE.OXO_WORK.normal", ""}, {"oxo.forget." + name,
				`{"stream":"OXO_DONE","subject":"oxo.done.K.0.0.1.dan"}`},
		} {
			for _, to := range []string{"$KV.oxo-jobs.job.J", "oxo.done.K.0.0.2.dan", "oxo.lead.K",
				"oxo.part.high.K.0.1"} {
				if key.Role == broker.Submit && (to == "$KV.oxo-jobs.job.J" || to == "oxo.lead.K") {
					continue // who submits may write there
				}
				if err := conn.PublishRequest(ask.subject, to, []byte(ask.body)); err != nil {
					t.Fatal(err)
				}
			}
		}
		// All of them at once would be a rollup of the whole stream.
		m := nats.NewMsg("$O.oxo-files.M." + name + ".x")
		m.Header.Set(jetstream.MsgRollup, jetstream.MsgRollupAll)
		if err := errors.Join(conn.PublishMsg(m), conn.FlushTimeout(connectLimit)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(200 * time.Millisecond)
		after := subjectsThere(t, c)
		for _, subject := range after {
			if !slices.Contains(before, subject) && !strings.HasSuffix(subject, "."+name) {
				t.Errorf("%s (%s) has got %s written", name, role, subject)
			}
		}
		for _, subject := range before {
			if !slices.Contains(after, subject) {
				t.Errorf("%s (%s) has got %s removed", name, role, subject)
			}
		}
		wipe(t, c)
	}
}

// stores reports whether a message to the subject is stored.
func stores(t *testing.T, c *Cluster, conn *nats.Conn, subject string) bool {
	t.Helper()
	said, err := conn.Request(subject, []byte("{}"), 2*time.Second)
	if err != nil && !errors.Is(err, nats.ErrNoResponders) {
		t.Fatalf("%s: %v", subject, err)
	}
	there := slices.Contains(subjectsThere(t, c), subject)
	if there != (err == nil) {
		t.Errorf("%s: %v, and it is there: %v", subject, said, there)
	}
	return there
}

// subjectsThere lists the subjects of all messages on the server.
func subjectsThere(t *testing.T, c *Cluster) (all []string) {
	t.Helper()
	for _, name := range []string{broker.WorkStream, broker.DoneStream, "KV_" + broker.JobsBucket,
		"KV_" + broker.LiveBucket, blob.StreamName(broker.FileBucket)} {
		s, err := c.js.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		subjects, err := records.SubjectsOf(t.Context(), s, ">")
		if err != nil {
			t.Fatal(err)
		}
		for subject := range subjects {
			all = append(all, subject)
		}
	}
	return all
}

// wipe removes what was written, and leaves an output and a file of others.
func wipe(t *testing.T, c *Cluster) {
	t.Helper()
	err := c.work.Purge(t.Context())
	for _, clear := range []struct{ stream, subject string }{{broker.DoneStream, ">"},
		{blob.StreamName(broker.FileBucket), ">"}, {"KV_" + broker.JobsBucket, "$KV.oxo-jobs.*.J"},
		{"KV_" + broker.LiveBucket, ">"}} {
		err = errors.Join(err, c.purgeOrRequestPurge(t.Context(), clear.stream, clear.subject, 0))
	}
	_, put := c.files.Put(t.Context(), "result", strings.NewReader("x"))
	_, out := c.js.Publish(t.Context(), "oxo.done.K.0.0.1.dan", []byte("{}"))
	if err := errors.Join(err, put, out); err != nil {
		t.Fatal(err)
	}
}

// TestKeyed carries out jobs of all verbs by workers that hold keys, submitted by a key, led
// by the server; what workers leave behind goes too.
func TestKeyed(t *testing.T) {
	t.Parallel()
	s := guarded(t)
	c := open(t, Config{Server: s})
	work(t, c, WorkOptions{LeadOnly: true})
	texts := keyTexts()
	for _, name := range []string{"bob", "cat"} {
		work(t, open(t, Config{URL: s.URL(), Token: texts[name]}), WorkOptions{Slots: 1})
	}
	ann := open(t, Config{URL: s.URL(), Token: texts["ann"]})
	for name, j := range someJobs() {
		id := submit(t, ann, j, "")
		sameResult(t, open(t, Config{URL: s.URL(), Token: texts["wall"], Look: true}), id, alone(t, j))
		if err := c.Remove(t.Context(), id); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	bare(t, c, broker.WorkStream, broker.DoneStream, blob.StreamName(broker.FileBucket))
	// Both processes of a key are one: nobody repeats its own part.
	work(t, open(t, Config{URL: s.URL(), Token: texts["bob"]}), WorkOptions{Slots: 1})
	r := audited(t, c, someJobs()["tournament"], "all")
	if len(r.Audit.Wrong) > 0 || r.Audit.Repeated != r.Audit.Parts {
		t.Errorf("%+v", r.Audit)
	}
	// Ann cancels one that runs; who leads takes its parts off the server.
	id := submit(t, ann, endless(), "")
	underway(t, c, broker.Normal, 1)
	if _, err := ann.Cancel(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	bare(t, c, broker.WorkStream, broker.DoneStream)
}

// TestTakenOver has a program of another version take the cluster over: a worker of the
// former, still connected, gets nothing more and says why.
func TestTakenOver(t *testing.T) {
	t.Parallel()
	s := serve(t)
	c := open(t, Config{Server: s, Version: "one"})
	told := make(chan string, 8)
	former := open(t, Config{URL: s.URL(), Version: "one"})
	work(t, former, WorkOptions{Slots: 1, Tell: func(line string) {
		select {
		case told <- line:
		default:
		}
	}})
	c.Close()
	next := open(t, Config{Server: s, Version: "two", Upgrade: true})
	said := ""
	persist(t, func() error {
		select {
		case said = <-told:
		default:
		}
		if !strings.Contains(said, "version two") || !strings.Contains(said, "version one") {
			return fmt.Errorf("a worker of version one, to whom the cluster runs %q, said last %q",
				former.ClusterVersion(), said)
		}
		return nil
	})
	j := jobs.Job{Verb: "match", Game: "ttt", Args: json.RawMessage(`{"players":["random","rows"],"games":8}`)}
	id := submit(t, next, j, "")
	work(t, open(t, Config{URL: s.URL(), Version: "two"}), WorkOptions{Slots: 1})
	sameResult(t, next, id, alone(t, j))
	parts := []jobs.Part{{Index: 1}}
	if taskDigest("one", 0, parts) == taskDigest("two", 0, parts) {
		t.Error("an output of one version answers what another one asks")
	}
}
