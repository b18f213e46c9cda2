package cluster

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
	"oxo/cluster/broker"
	"oxo/lab"
	"oxo/lab/jobs"
)

// The test binary is also a server of a cluster and a worker, in processes that
// can be killed: see role.
const roleVar = "OXO_TEST_ROLE"

// role says what a process of the test is.
type role struct {
	URL string // of the servers

	// Alone is a job for a process that takes part in no cluster.
	Alone *jobs.Job

	// Usual says that the process is as patient as those of users are; the
	// others are made to be killed.
	Usual bool

	// Name is empty for a worker; the rest is of a server, which is one of
	// several where it has a RouteAddr.
	Name, Dir, Addr, RouteAddr string
	Routes                     []string
}

func TestMain(m *testing.M) {
	if text := os.Getenv(roleVar); text != "" {
		var r role
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			panic(err)
		}
		if err := r.play(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	// A connection that is closed right after its first asynchronous message can
	// leave this goroutine of the client's behind (nats.go 1.55): it comes to read
	// a channel that the closing has set to nil before.
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction(
		"github.com/nats-io/nats.go/jetstream.(*jetStream).resetPendingAcksOnReconnect"))
}

// play is the life of a process: until it is killed, or its parent is gone.
func (r role) play() error {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	if r.Alone != nil {
		return r.alone(ctx)
	}
	o := Config{URL: r.URL, Version: "test", Heartbeat: time.Second}
	w := WorkOptions{Slots: 1, Checkpoints: time.Second, Lost: 1000}
	if r.Usual {
		o.Heartbeat, w = 0, WorkOptions{Slots: 1}
	}
	if r.Name != "" {
		of := broker.Config{Dir: r.Dir, Addr: r.Addr, Name: r.Name}
		if r.RouteAddr != "" {
			of.ClusterName, of.RouteAddr, of.Routes = "test", r.RouteAddr, r.Routes
		}
		s, err := broker.Serve(of)
		if err != nil {
			return err
		}
		defer s.Close()
		o.Server, o.URL, w = s, "", WorkOptions{LeadOnly: true}
	}
	c, err := Open(ctx, o)
	for ; err != nil; c, err = Open(ctx, o) {
		time.Sleep(200 * time.Millisecond) // the servers are finding each other
	}
	for c.RequestMissingCoordinators(ctx) != nil {
		time.Sleep(200 * time.Millisecond) // they choose a leader
	}
	fmt.Println("ready")
	for ctx.Err() == nil {
		err = c.Work(ctx, w)
	}
	return err
}

// alone carries out a job without a cluster, with one part at a time.
func (r role) alone(ctx context.Context) error {
	fmt.Println("ready")
	_, err := jobs.Run(ctx, &lab.Lab{}, *r.Alone, jobs.RunOptions{Workers: 1})
	return err
}

// process is one that can be killed.
type process struct {
	role  role
	env   []string // besides the test's own
	cmd   *exec.Cmd
	in    io.Closer
	ready chan bool // closed when it is
}

func (p *process) start(t *testing.T) {
	t.Helper()
	text, err := json.Marshal(p.role)
	if err != nil {
		t.Fatal(err)
	}
	p.cmd = exec.Command(os.Args[0])
	p.cmd.Env = append(append(os.Environ(), roleVar+"="+string(text)), p.env...)
	p.cmd.Stderr = os.Stderr
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ready := make(chan bool)
	p.ready = ready
	go func() {
		if line, _ := bufio.NewReader(out).ReadString('\n'); strings.HasPrefix(line, "ready") {
			close(ready)
		}
	}()
}

// kill kills the process in a way that it cannot answer.
func (p *process) kill() {
	p.cmd.Process.Kill()
	p.cmd.Wait() // it was killed
	p.in.Close()
}

func (p *process) await(t *testing.T) {
	t.Helper()
	select {
	case <-p.ready:
	case <-time.After(patience):
		t.Fatal("a process does not get ready")
	}
}

var nextPort atomic.Int64

// freePorts returns ports that nothing listens on. They lie below those that
// systems give out for any free port, so that nobody else comes to have them.
func freePorts(t *testing.T, n int) []int {
	t.Helper()
	var ports []int
	for len(ports) < n {
		port := 12000 + (os.Getpid()*17+int(nextPort.Add(1)))%15000
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			continue
		}
		l.Close()
		ports = append(ports, port)
	}
	return ports
}

// threeServers starts a cluster of three servers in processes of their own.
func threeServers(t *testing.T) (servers []*process, url string) {
	t.Helper()
	ports := freePorts(t, 6)
	var urls, routes []string
	for i := range 3 {
		urls = append(urls, fmt.Sprintf("nats://127.0.0.1:%d", ports[i]))
		routes = append(routes, fmt.Sprintf("127.0.0.1:%d", ports[3+i]))
	}
	url = strings.Join(urls, ",")
	for i := range 3 {
		p := &process{role: role{URL: url, Dir: t.TempDir(), Addr: fmt.Sprintf("127.0.0.1:%d", ports[i]),
			Name: fmt.Sprintf("s%d", i+1), RouteAddr: routes[i], Routes: routes}}
		servers = append(servers, p)
		p.start(t)
	}
	t.Cleanup(func() {
		for _, p := range servers {
			p.kill()
		}
	})
	for _, p := range servers {
		p.await(t)
	}
	return servers, url
}

// leader returns the server that leads the queue's stream.
func leader(t *testing.T, c *Cluster) int {
	t.Helper()
	s, err := c.js.Stream(t.Context(), broker.WorkStream)
	if err != nil || s.CachedInfo().Cluster == nil {
		return 0
	}
	var n int
	fmt.Sscanf(s.CachedInfo().Cluster.Leader, "s%d", &n)
	return max(0, n-1)
}

// ordeal runs jobs on three servers and three workers, while workers are killed
// at random and servers, the leader first, for so many rounds, and compares the
// results with those of one core.
func ordeal(t *testing.T, jobs map[string]jobs.Job, rounds int, seed uint64) {
	servers, url := threeServers(t)
	c := open(t, Config{URL: url, Heartbeat: time.Second})
	var workers []*process
	for range 3 {
		p := &process{role: role{URL: url}}
		workers = append(workers, p)
		p.start(t)
	}
	t.Cleanup(func() {
		for _, p := range workers {
			p.kill()
		}
	})
	ids := map[string]string{}
	for name, j := range jobs {
		ids[name] = submit(t, c, j, "")
	}
	over := func() bool {
		for _, id := range ids {
			if r, _ := c.Latest(id); r == nil || !r.State.Over() {
				return false
			}
		}
		return true
	}
	r := rand.New(rand.NewPCG(seed, 0))
	for round := 0; round < rounds && !over(); round++ {
		w := workers[r.IntN(len(workers))]
		w.await(t)
		w.kill()
		if round%3 == 1 {
			k := leader(t, c)
			if round > 3 {
				k = r.IntN(len(servers))
			}
			servers[k].kill()
			time.Sleep(time.Duration(r.IntN(500)) * time.Millisecond)
			servers[k].start(t)
			w.start(t)
			servers[k].await(t)
		} else {
			w.start(t)
		}
		time.Sleep(time.Duration(200+r.IntN(300)) * time.Millisecond)
	}
	for name, id := range ids {
		sameResult(t, c, id, alone(t, jobs[name]))
	}
}

// TestKilled is the short form of the ordeal.
func TestKilled(t *testing.T) {
	t.Parallel()
	jobs := map[string]jobs.Job{
		"train":      long(6, 20_000),
		"tournament": someJobs()["tournament"],
		"test":       someJobs()["test"],
	}
	ordeal(t, jobs, 4, 1)
}
