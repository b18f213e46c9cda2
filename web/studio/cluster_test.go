package studio_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"oxo/web"
)

// pretended is a cluster with some jobs; what it says is what the package
// cluster says.
type pretended struct {
	mu    sync.Mutex
	ended []string
}

const pretendedSnapshot = `{"version":"1","jobs":[
 {"id":"tournament1","job":{"verb":"tournament","game":"mnk:5,5,4","seed":8},"priority":"normal","state":"STATE","created":"2026-01-02T15:04:05Z",
  "status":{"id":"tournament1","stage":0,"parts":400,"done":100,"queued":16,"aside":0,"rate":12.5,"left":24,"report":{"done":2500,"total":10000,"line":"2500 of 10000 games, rows scores 1400.5 of 2500"}}},
 {"id":"proof1","job":{"verb":"prove","game":"qubic","seed":0},"priority":"low","state":"done","created":"2026-01-02T14:04:05Z","ended":"2026-01-02T14:30:00Z","files":[{"name":"proof.cert","size":9000}]},
 {"id":"train1","job":{"verb":"train","game":"ttt","seed":1},"priority":"normal","state":"failed","created":"2026-01-02T13:04:05Z","ended":"2026-01-02T13:05:00Z",
  "error":"1 of 400 parts could not be carried out; the first, run 7: a weight is infinite","aside":[{"stage":0,"index":6,"name":"run 7","error":"a weight is infinite"}]}],
 "workers":[{"id":"w1","host":"alpha","version":"1","slots":4,"since":"2026-01-02T12:00:00Z","parts":1234,"failed":0,"busy":99.5,"doing":["tournament1 games 101 to 104"]},
  {"id":"w2","host":"beta","version":"1","slots":1,"since":"2026-01-02T12:00:01Z","parts":77,"failed":3,"busy":50,"doing":null},
  {"id":"s","host":"gamma","version":"1","slots":0,"since":"2026-01-02T12:00:02Z","parts":0,"failed":0,"busy":0,"doing":null}],
 "queue":{"waiting":{"high":0,"normal":11,"low":0},"underway":{"high":0,"normal":5,"low":0},"bytes":123456}}`

func (p *pretended) Measure(func(name, help string, value float64, label ...string)) {}

func (p *pretended) Snapshot(context.Context) (any, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	state := "running"
	if len(p.ended) > 0 {
		state = "cancelled"
	}
	return json.RawMessage(strings.Replace(pretendedSnapshot, "STATE", state, 1)), nil
}

func (p *pretended) End(_ context.Context, job string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if job != "tournament1" || len(p.ended) > 0 {
		return errors.New("the job is over already")
	}
	p.ended = append(p.ended, job)
	return nil
}

// clusterServer serves the studio with a cluster; local as on the machine of
// the person who looks.
func clusterServer(t *testing.T, local bool) (*httptest.Server, *pretended) {
	t.Helper()
	p := &pretended{}
	return newHostWith(t, func(o *web.Config) { o.Local, o.Cluster, o.OpenMetrics = local, p, !local }).server, p
}

// TestCluster looks at the jobs and the workers of a cluster and cancels a job,
// on both sizes and a phone on its side.
func TestCluster(t *testing.T) {
	for _, d := range append(bothSizes(), lying) {
		t.Run(d.String(), func(t *testing.T) {
			server, p := clusterServer(t, true)
			b := newTab(t, server, d, "#/play")
			b.says("nav", "Cluster")
			b.click("the page of the cluster",
				`[...document.querySelectorAll("nav a")].find(e => e.textContent === "Cluster")`)
			b.says(".main-part", "100 of 400 parts, 13 a second, 24 s left")
			b.says(".main-part", "Qubic")
			b.says(".side-part", "1,234 parts done")
			b.says(".side-part", "77 parts done, 3 failed")
			b.until("processes that only lead are no workers",
				`!document.querySelector(".side-part").textContent.includes("gamma")`)
			b.sound("cluster")
			b.click("the job that failed",
				`[...document.querySelectorAll(".shelf a")].find(e => e.textContent.includes("Training"))`)
			b.says(".failure", "1 of 400 parts could not be carried out")
			b.sound("cluster-failed")
			b.click("the list", `document.querySelector(".lead a")`)
			b.click("the job that runs", `[...document.querySelectorAll(".shelf a")].find(e => e.textContent.includes("Tournament"))`)
			b.says(".statusline", "100 of 400 parts")
			b.says(".main-part", "rows scores 1400.5 of 2500")
			b.until("the bar is at a quarter", `document.querySelector("progress").position === 0.25`)
			b.sound("cluster-job")
			b.press("Cancel…")
			b.press("Let it go on")
			b.press("Cancel…")
			b.press("Cancel it for good")
			b.says(".statusline", "Cancelled")
			b.until("there is nothing more to cancel",
				`![...document.querySelectorAll("button")].some(e => e.textContent.includes("Cancel"))`)
			p.mu.Lock()
			defer p.mu.Unlock()
			if len(p.ended) != 1 {
				t.Errorf("cancelled: %v", p.ended)
			}
		})
	}
}

// TestClusterByKeyboard cancels a job without a mouse.
func TestClusterByKeyboard(t *testing.T) {
	server, _ := clusterServer(t, true)
	b := newTab(t, server, phone, "#/cluster")
	b.says(".main-part", "100 of 400 parts")
	b.focus(`[...document.querySelectorAll(".shelf a")].find(e => e.textContent.includes("Tournament"))`)
	b.keys(kb.Enter)
	b.says(".statusline", "100 of 400 parts")
	b.focus(button("Cancel…"))
	b.keys(kb.Enter)
	b.focus(button("Cancel it for good"))
	b.keys(" ")
	b.says(".statusline", "Cancelled")
}

// TestClusterElsewhere sees that visitors look on, where they may, and cancel nothing, and that
// without a cluster there is no page of it.
func TestClusterElsewhere(t *testing.T) {
	server, _ := clusterServer(t, false)
	plain := newServer(t)
	b := newTab(t, server, desktop, "#/cluster?job=tournament1")
	b.says(".main-part", "oxo jobs cancel tournament1")
	b.until("nothing can be cancelled", `!document.querySelector(".main-part button")`)
	b.open("#/cluster?job=none")
	b.says(".failure", "There is no such job.")
	b.sound("cluster-none")
	other := anotherTab(t, plain, desktop, "#/explore")
	other.says("h1", "Explore")
	other.until("the games are known", `document.querySelectorAll("select option").length > 3`)
	other.until("there is no page of a cluster",
		`![...document.querySelectorAll("nav a")].some(e => e.textContent === "Cluster")`)
}

// TestNoCluster follows a link to the page of a cluster where there is none.
func TestNoCluster(t *testing.T) {
	b := newTab(t, newServer(t), phone, "#/search")
	b.expectRefusals()
	b.open("#/cluster")
	b.says(".failure", "This server has no cluster.")
}
