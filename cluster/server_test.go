package cluster

import (
	"strings"
	"testing"

	"oxo/cluster/blob"
	"oxo/cluster/broker"
)

// TestAddressTaken starts a server where another one listens.
func TestAddressTaken(t *testing.T) {
	t.Parallel()
	addr := strings.TrimPrefix(serve(t).URL(), "nats://")
	s, err := broker.Serve(broker.Config{Dir: t.TempDir(), Addr: addr})
	if err == nil {
		s.Close()
		t.Fatal("two servers listen at the same address")
	}
	if text := err.Error(); !strings.Contains(text, addr) || !strings.Contains(text, "give another HOST:PORT") {
		t.Error(err)
	}
}

// TestLeaderAnswers checks that jobs, outputs and files are asked for at the streams'
// leaders only, where they were made otherwise, too; who only looks on changes
// nothing.
func TestLeaderAnswers(t *testing.T) {
	t.Parallel()
	s := serve(t)
	c := open(t, Config{Server: s})
	direct := func(name string) bool {
		t.Helper()
		stream, err := c.js.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		return stream.CachedInfo().Config.AllowDirect
	}
	for _, name := range []string{broker.DoneStream, "KV_" + broker.JobsBucket, blob.StreamName(broker.FileBucket)} {
		if direct(name) {
			t.Errorf("any server answers for %s", name)
		}
		stream, err := c.js.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		before := stream.CachedInfo().Config
		before.AllowDirect = true
		if _, err := c.js.UpdateStream(t.Context(), before); err != nil {
			t.Fatal(err)
		}
		open(t, Config{Server: s, Look: true})
		if !direct(name) {
			t.Errorf("%s was changed by one who looks on", name)
		}
		again := open(t, Config{Server: s})
		if direct(name) {
			t.Errorf("any server still answers for %s", name)
		}
		if items, err := again.fetchItems(t.Context(), "oxo.done.none.0.0.1.W"); items != nil || err != nil {
			t.Errorf("outputs that are not there, of who changed %s: %v %v", name, items, err)
		}
	}
}
