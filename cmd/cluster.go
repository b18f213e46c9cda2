package cmd

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"oxo/cluster"
	"oxo/cluster/broker"
	"oxo/lab"
)

// natsFlags say how to reach the cluster's server. All but the address are paths of files; an empty one is of a
// file that is not needed.
type natsFlags struct {
	url                string
	token, creds, nkey string
	ca, cert, key      string
}

// usualNATS is where a cluster's server on this machine is found.
const usualNATS = "nats://127.0.0.1:4222"

// addFlags adds the flags of a cluster's address and of who asks there.
func (n *natsFlags) addFlags(f *pflag.FlagSet, usual string) {
	if env := os.Getenv("OXO_NATS"); env != "" {
		usual = env
	}
	f.StringVar(&n.url, "nats", usual,
		"the server's address, or several with commas between them; OXO_NATS sets it too")
	n.addKeyFlags(f)
}

// addFlagsOfOn adds the flags by which a verb that a cluster carries out shows who asks.
func (n *natsFlags) addFlagsOfOn(f *pflag.FlagSet) {
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	n.addKeyFlags(own)
	own.VisitAll(func(flag *pflag.Flag) { flag.Usage = "with --on: " + flag.Usage })
	f.AddFlagSet(own)
}

// addKeyFlags adds the flags by which somebody shows who asks.
func (n *natsFlags) addKeyFlags(f *pflag.FlagSet) {
	f.StringVar(&n.token, "nats-token", "", "a file with the token that the server asks for, or with a key")
	f.StringVar(&n.creds, "creds", "", "a file with NATS credentials")
	f.StringVar(&n.nkey, "nkey", "", "a file with the seed of an NKey")
	f.StringVar(&n.ca, "tls-ca", "", "the certificates that the server's is checked against, a PEM file")
	f.StringVar(&n.cert, "tls-cert", "", "the certificate to show, a PEM file")
	f.StringVar(&n.key, "tls-key", "", "its key, a PEM file")
}

// clusterConfig reads the files that the flags name. That files of credentials are there is checked at once;
// what is wrong in them, the server says.
func (n *natsFlags) clusterConfig() (cluster.Config, error) {
	o := cluster.Config{URL: n.url, Creds: n.creds, NKey: n.nkey, Version: buildVersion()}
	var err error
	if o.Token, err = readSecret(n.token); err != nil {
		return o, err
	}
	for _, path := range []string{n.creds, n.nkey} {
		if path == "" {
			continue
		}
		if _, err := os.Stat(path); err != nil {
			return o, err
		}
	}
	o.TLS, err = n.tlsConfig()
	return o, err
}

// tlsConfig returns the configuration of TLS that the flags ask for, nil for none. The same certificates
// serve a client, which shows one, and a server in this process, which demands one of clients where an
// authority is given.
func (n *natsFlags) tlsConfig() (*tls.Config, error) {
	if n.ca == "" && n.cert == "" && n.key == "" {
		return nil, nil
	}
	t := &tls.Config{MinVersion: tls.VersionTLS12}
	if n.ca != "" {
		pem, err := os.ReadFile(n.ca)
		if err != nil {
			return nil, err
		}
		t.RootCAs = x509.NewCertPool()
		if !t.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("--tls-ca %s: there is no certificate in it", n.ca)
		}
		// A server in this process checks clients by the same authority.
		t.ClientCAs = t.RootCAs
	}
	if n.cert != "" || n.key != "" {
		pair, err := tls.LoadX509KeyPair(n.cert, n.key)
		if err != nil {
			return nil, fmt.Errorf("--tls-cert and --tls-key: %w", err)
		}
		t.Certificates = []tls.Certificate{pair}
	}
	return t, nil
}

// readSecret reads a file with a word that nobody should see on a command line. White space around it
// is taken off; an empty file is refused, as it would mean no secret at all.
func readSecret(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	text := strings.TrimSpace(string(data))
	if text == "" {
		return "", fmt.Errorf("%s is empty", path)
	}
	return text, nil
}

// connect opens the cluster that the flags name, for the caller to close. change may set what only some verbs want,
// such as looking on without beginning a cluster.
func (n *natsFlags) connect(ctx context.Context, change func(*cluster.Config)) (*cluster.Cluster, error) {
	if n.url == "" {
		return nil, errors.New("--nats is empty: give the address of a cluster's server, such as 127.0.0.1:4222")
	}
	o, err := n.clusterConfig()
	if err != nil {
		return nil, err
	}
	if change != nil {
		change(&o)
	}
	return cluster.Open(ctx, o)
}

// buildVersion says which program this is: results are the same where it is the same, its compiler and
// the kind of processor too, as they round sums differently. A program that was not built from a
// commit is told by its own bytes. A cluster refuses processes of another version than the one that it
// runs.
func buildVersion() string {
	if m := programVersion(); m.Commit != unknownCommit && !m.modified {
		return fmt.Sprintf("%s-%s-%s-%s", version, m.Commit[:min(12, len(m.Commit))], runtime.Version(), runtime.GOARCH)
	}
	path, err := os.Executable()
	program, unread := os.ReadFile(path)
	if err != nil || unread != nil {
		return version
	}
	sum := sha256.Sum256(program)
	return fmt.Sprintf("%s-built-%x", version, sum[:6])
}

// hosting is what oxo serve does for a cluster, by its flags: nats names a server of somebody else's, and with
// embedded there is one in this process, as o says. Keys are a file's path until the server starts.
type hosting struct {
	nats     natsFlags
	embedded bool
	adopt    bool
	replicas int
	o        broker.Config
	keys     string
	beat     time.Duration
}

// addFlags adds the flags of a cluster's server in this process.
func (h *hosting) addFlags(f *pflag.FlagSet) {
	h.nats.addFlags(f, "")
	f.BoolVar(&h.embedded, "cluster", false, "start a NATS server in this process, for workers and jobs")
	f.StringVar(&h.o.Addr, "cluster-addr", "127.0.0.1:4222",
		"where workers reach it; port 0 takes a free one; beyond this machine --nats-token or --cluster-keys is needed")
	f.StringVar(&h.keys, "cluster-keys", "",
		"a file with keys of who may watch, submit or work only: ROLE:NAME:SECRET, one a line; see docs/cluster.md")
	bytesVar(f, &h.o.MaxStore, "cluster-store", 0,
		"most that its files may take, such as 10GB (default what the disk has)")
	f.StringVar(&h.o.Name, "cluster-node", "", "its name among several servers of one cluster")
	f.StringVar(&h.o.ClusterName, "cluster-name", "", "the name of a cluster of several servers")
	f.StringVar(&h.o.RouteAddr, "cluster-route-addr", "127.0.0.1:6222",
		"where the other servers of the cluster reach it")
	f.StringSliceVar(&h.o.Routes, "cluster-routes", nil, "HOST:PORT of the other servers, with commas between them")
	f.DurationVar(&h.beat, "cluster-heartbeat", 0,
		"how long a worker may be silent before its parts go to others (default 10s; set when the cluster begins)")
	f.IntVar(&h.replicas, "cluster-replicas", 0,
		"on how many servers everything is kept (default three where there are several; set when the cluster begins)")
	f.BoolVar(&h.adopt, "adopt", false, "go on with unfinished jobs of another version")
}

// check refuses flags of a cluster that is neither started nor joined, so that none is left out in silence.
func (h *hosting) check(f *pflag.FlagSet) error {
	if h.embedded {
		return nil
	}
	err := refuseFlags(f, "serve", "is of the server that --cluster starts; give both", "cluster-addr", "cluster-keys",
		"cluster-store", "cluster-node", "cluster-name", "cluster-route-addr", "cluster-routes")
	if err != nil || h.nats.url != "" {
		return err
	}
	return refuseFlags(f, "serve", "is of a cluster; it goes with --cluster or --nats ADDRESS", "cluster-heartbeat",
		"cluster-replicas", "adopt")
}

// joinCommand is the command by which a worker joins the server of this process at that URL. What it has to show there,
// and this process has not, is written in capitals.
func (h *hosting) joinCommand(url string) string {
	command := "oxo worker --nats " + url
	switch {
	case h.nats.token != "":
		command += " --nats-token " + h.nats.token
	case h.keys != "":
		command += " --nats-token KEY"
	}
	if h.nats.cert != "" {
		command += " --tls-ca " + cmp.Or(h.nats.ca, "CA")
		if h.nats.ca != "" {
			command += " --tls-cert CERTIFICATE --tls-key CERTIFICATE-KEY"
		}
	}
	if h.nats.token == "" && h.keys != "" {
		command += "   # KEY: a file with a line of " + h.keys + " that begins with work"
	}
	return command
}

// workerCommand is the command by which a worker joins the cluster that the flags reach. What it has to show there may
// be other than what is shown here, and is written in capitals.
func (n *natsFlags) workerCommand() string {
	command := "oxo worker --nats " + n.url
	for _, shown := range []struct{ flag, given, as string }{
		{"nats-token", n.token, "KEY"}, {"creds", n.creds, "CREDENTIALS"}, {"nkey", n.nkey, "SEED"},
		{"tls-ca", n.ca, n.ca}, {"tls-cert", n.cert, "CERTIFICATE"}, {"tls-key", n.key, "CERTIFICATE-KEY"},
	} {
		if shown.given != "" {
			command += " --" + shown.flag + " " + shown.as
		}
	}
	return command
}

// readKeyFile reads a file of keys, a key a line with what its owner may do; there is none where the path is empty.
func readKeyFile(path string) ([]broker.Key, error) {
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return broker.ParseKeys(string(text))
}

// host is a cluster that is served. Server is nil where the NATS server is another process, and stop is nil until
// leads, which coordinates jobs, has begun.
type host struct {
	*cluster.Cluster
	server *broker.Server
	leads  sync.WaitGroup
	stop   context.CancelFunc
}

// joinLimit is how long a server waits for the others of its cluster.
const joinLimit = 2 * time.Minute

// roomEvery is how often a full store is asked whether it has room again.
const roomEvery = 10 * time.Second

// startOrJoin starts or joins the cluster; nil where none is asked for. With --cluster a NATS server
// starts in this process, with its files below data; with --nats the cluster is another's. Either way
// this process then coordinates jobs but carries out no parts. Where several servers make up one
// cluster, the first may start before there is a majority, so opening is tried again until joinLimit. A
// full store is told and no error, so that jobs can be removed.
func (h *hosting) startOrJoin(ctx context.Context, known lab.Lab, data string, tell func(string)) (_ *host,
	err error) {
	if !h.embedded && h.nats.url == "" {
		return nil, nil
	}
	o, err := h.nats.clusterConfig()
	if err != nil {
		return nil, fmt.Errorf("serve: %w", err)
	}
	o.Upgrade, o.Adopt, o.Heartbeat, o.Replicas = true, h.adopt, h.beat, h.replicas
	o.Lab = known
	on := &host{}
	if h.embedded {
		if on.server, err = h.startServer(data, &o); err != nil {
			return nil, err
		}
	}
	on.Cluster, err = cluster.Open(ctx, o)
	for limit := time.Now().Add(joinLimit); err != nil && !errors.Is(err, broker.ErrFull) && h.o.ClusterName != "" &&
		ctx.Err() == nil && time.Now().Before(limit); {
		time.Sleep(time.Second) // until enough of the other servers are there
		on.Cluster, err = cluster.Open(ctx, o)
	}
	if on.server != nil && errors.Is(err, broker.ErrFull) {
		tell("jobs are not led: " + err.Error() + "; then start this server anew")
		return on, nil
	}
	if err == nil {
		err = on.RequestMissingCoordinators(ctx)
	}
	full := errors.Is(err, broker.ErrFull)
	if full {
		tell(err.Error())
	} else if err != nil {
		on.Close()
		return nil, fmt.Errorf("serve: %w", err)
	}
	on.lead(ctx, cluster.WorkOptions{LeadOnly: true, Tell: tell, Node: h.o.Name}, full)
	return on, nil
}

// startServer starts the NATS server of this process, and has o lead to it.
func (h *hosting) startServer(data string, o *cluster.Config) (s *broker.Server, err error) {
	if h.nats.url != "" && os.Getenv("OXO_NATS") == "" {
		return nil, errors.New("serve: --cluster starts a server and --nats names another; give one of them")
	}
	h.o.Dir, h.o.Token = filepath.Join(data, "cluster"), o.Token
	if h.nats.cert != "" {
		h.o.TLS = o.TLS
		if h.nats.ca != "" {
			h.o.TLS.ClientAuth = tls.RequireAndVerifyClientCert
		}
	}
	if h.o.Keys, err = readKeyFile(h.keys); err != nil {
		return nil, fmt.Errorf("serve: --cluster-keys %s: %w", h.keys, err)
	}
	if s, err = broker.Serve(h.o); err != nil {
		return nil, fmt.Errorf("serve: --cluster-addr: %w", err)
	}
	// The server of this process is spoken to within it, not over the network.
	o.Server, o.URL = s, ""
	return s, nil
}

// lead begins to coordinate jobs. Where the store was full, it goes on to ask for the coordinators that may be
// missing until there is room.
func (o *host) lead(ctx context.Context, as cluster.WorkOptions, full bool) {
	// Coordinators outlive the caller's context, as Close ends them before the connection goes.
	ctx, o.stop = context.WithCancel(context.WithoutCancel(ctx))
	o.leads.Go(func() {
		if err := o.Work(ctx, as); ctx.Err() == nil {
			as.Tell(err.Error())
		}
	})
	if !full {
		return
	}
	o.leads.Go(func() {
		for tick := time.Tick(roomEvery); ; {
			select {
			case <-ctx.Done():
				return
			case <-tick:
				if o.RequestMissingCoordinators(ctx) == nil {
					return
				}
			}
		}
	})
}

// Close leaves the cluster, and ends its server where it is this process's. The coordinators end
// first, then the connection, last the server.
func (o *host) Close() {
	if o.stop != nil {
		o.stop()
		o.leads.Wait()
	}
	if o.Cluster != nil {
		o.Cluster.Close()
	}
	if o.server != nil {
		o.server.Close()
	}
}
