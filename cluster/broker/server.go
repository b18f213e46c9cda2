// Package broker is the NATS server of a cluster: how one is started in this process, what
// lies there, and who may do what.
package broker

import (
	"cmp"
	"crypto/rand"
	"crypto/tls"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// syncEvery is how often files are brought to the disk.
const syncEvery = 10 * time.Second

// Config says how to run an embedded server.
type Config struct {
	Dir   string      // the file store
	Addr  string      // HOST:PORT to listen on for workers; port 0 takes a free one; empty for this process only
	Token string      // whoever shows it may do everything; it or keys are needed beyond this machine
	Keys  []Key       // of those who may do less
	TLS   *tls.Config // for workers, and between several servers

	MaxStore int64 // bytes in the file store; 0 for as much as the disk has

	// Several servers make one cluster: all have the same ClusterName, each its
	// own Name, and Routes lead to the RouteAddr of others.
	Name        string
	ClusterName string
	RouteAddr   string
	Routes      []string
}

// Server is an embedded NATS server with JetStream.
type Server struct {
	server *server.Server
	own    string        // what this process itself shows
	ready  chan struct{} // closed when all accounts are there
}

// startLimit is how long a server may take to begin to answer.
const startLimit = 30 * time.Second

// Serve starts a server in this process. Beyond this machine it refuses to listen without a token,
// keys or certificates of clients.
func Serve(o Config) (*Server, error) {
	opts := &server.Options{
		ServerName: o.Name, JetStream: true, StoreDir: o.Dir, NoSigs: true, NoLog: true,
		JetStreamMaxStore: o.MaxStore, SyncInterval: syncEvery,
		MaxPayload: 8 << 20, TLSConfig: o.TLS, TLS: o.TLS != nil, TLSTimeout: 5,
	}
	if err := setListenAddress(opts, o); err != nil {
		return nil, err
	}
	if err := setRoutes(opts, o); err != nil {
		return nil, err
	}
	this := &Server{own: rand.Text(), ready: make(chan struct{})}
	if o.Token != "" || len(o.Keys) > 0 {
		opts.CustomClientAuthentication = newAuthenticator(this, o)
	}
	s, err := server.NewServer(opts)
	if err != nil {
		return nil, fmt.Errorf("the embedded server: %w", err)
	}
	this.server = s
	s.Start()
	err = createAccounts(s, o.Keys) // not before: then the account that all have would get no store
	close(this.ready)
	if err != nil {
		s.Shutdown()
		return nil, fmt.Errorf("the embedded server: %w", err)
	}
	if !s.ReadyForConnections(startLimit) {
		s.Shutdown()
		return nil, fmt.Errorf("the embedded server does not begin to answer at %s", o.Addr)
	}
	return this, nil
}

// setListenAddress says where the server is to be reached, if that can be. It tries the address once,
// as the server would not say why it can't have it.
func setListenAddress(opts *server.Options, o Config) (err error) {
	if o.Addr == "" {
		opts.DontListen = true
		return nil
	}
	if opts.Host, opts.Port, err = parseHostPort(o.Addr); err != nil {
		return err
	}
	if !loopback(opts.Host) && o.Token == "" && len(o.Keys) == 0 &&
		(o.TLS == nil || o.TLS.ClientAuth != tls.RequireAndVerifyClientCert) {
		return fmt.Errorf("address %s: beyond this machine a token is needed, or keys, as workers run what the "+
			"queue says", o.Addr)
	}
	if l, err := net.Listen("tcp", o.Addr); err != nil { // the server itself would only try again and again
		return fmt.Errorf("%w; give another HOST:PORT", err)
	} else if err := l.Close(); err != nil {
		return err
	}
	return nil
}

// setRoutes has the server find the others of its cluster. Servers show each other the token, and use
// the same certificates as workers do.
func setRoutes(opts *server.Options, o Config) (err error) {
	if o.ClusterName == "" {
		return nil
	}
	opts.Cluster.Name = o.ClusterName
	if opts.Cluster.Host, opts.Cluster.Port, err = parseHostPort(o.RouteAddr); err != nil {
		return err
	}
	if !loopback(opts.Cluster.Host) && o.Token == "" {
		return fmt.Errorf("route address %s: beyond this machine a token is needed", o.RouteAddr)
	}
	if o.TLS != nil {
		opts.Cluster.TLSConfig, opts.Cluster.TLSTimeout = o.TLS.Clone(), 5
	}
	if o.Token != "" {
		opts.Cluster.Username, opts.Cluster.Password = routeUser, o.Token
	}
	for _, r := range o.Routes {
		u := &url.URL{Scheme: "nats", Host: r}
		if o.Token != "" {
			u.User = url.UserPassword(routeUser, o.Token)
		}
		opts.Routes = append(opts.Routes, u)
	}
	return nil
}

// routeUser is who servers of a cluster are to each other.
const routeUser = "oxo-route"

// URL is where workers on this machine reach the server.
func (s *Server) URL() string { return s.server.ClientURL() }

// Peers is how many other servers of the cluster there are.
func (s *Server) Peers() int { return s.server.NumRoutes() }

// InProcess connects to the server without a socket, with all rights.
func (s *Server) InProcess() []nats.Option {
	return []nats.Option{nats.InProcessServer(s.server), nats.Token(s.own)}
}

// Close stops the server and waits until its files are closed.
func (s *Server) Close() {
	s.server.Shutdown()
	s.server.WaitForShutdown()
}

// parseHostPort reads HOST:PORT for the server, which takes -1 for a free port.
func parseHostPort(addr string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(addr)
	if err != nil {
		return "", 0, fmt.Errorf("address %q: give HOST:PORT", addr)
	}
	port, err = strconv.Atoi(text)
	if err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("address %q: the port must lie between 0 and 65535", addr)
	}
	port = cmp.Or(port, server.RANDOM_PORT)
	return host, port, nil
}

// loopback reports whether a host is this machine, as it is known to itself.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
