package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/spf13/cobra"

	"oxo/cluster/monitor"
	"oxo/store"
	"oxo/web"
)

// serveVerb returns the verb that serves the studio and the API.
func serveVerb(a *app) *cobra.Command {
	var addr, data, level string
	o := web.Config{Scratch: newScratchFile}
	var h hosting
	c := &cobra.Command{
		Use:   "serve",
		Short: "open the studio and the HTTP API",
		Long: "open the studio and the HTTP API, by default for this machine alone.\nGames between visitors are " +
			"kept in the data folder and go on after a restart.",
		Example: "  oxo serve\n  oxo serve --addr 0.0.0.0:8210 --log info\n  oxo serve --host oxo.example.org   # " +
			"behind a proxy on this machine",
		Args: exactArgs(),
		RunE: func(c *cobra.Command, _ []string) error {
			data = cmp.Or(data, defaultDataDir())
			log, err := a.logger(level)
			if err := cmp.Or(err, h.check(c.Flags()), checkServeFlags(o)); err != nil {
				return err
			}
			o.Log = log
			l, err := net.Listen("tcp", addr)
			if err != nil {
				return fmt.Errorf("serve: --addr %s: %w; give another HOST:PORT", addr, err)
			}
			return a.serve(c.Context(), l, data, o, &h)
		},
	}
	c.Flags().StringVar(&data, "data", "", "the folder that games and bots are kept in (default "+defaultDataDir()+")")
	bytesVar(c.Flags(), &o.MaxStored, "data-size", 10<<30,
		"what the games, bots and jobs kept there may take: then they go on, and nothing new is opened")
	c.Flags().StringVar(&addr, "addr", "127.0.0.1:8210", "the address to listen on; port 0 takes a free one")
	c.Flags().StringVar(&level, "log", "warn",
		"what to log on stderr: debug, info (every request), warn or error; with --json as JSON")
	c.Flags().StringSliceVar(&o.Hosts, "host", nil, "a name that a proxy on this machine is reached by and passes on")
	c.Flags().IntVar(&o.MaxGames, "games", 50_000, "how many games may be open or played at a time")
	c.Flags().DurationVar(&o.JobTime, "job-time", 24*time.Hour,
		"how long a job of somebody elsewhere may run, 0 for any time")
	c.Flags().BoolVar(&o.OpenMetrics, "open-metrics", false,
		"show /metrics and the cluster to all, not to this machine alone")
	h.addFlags(c.Flags())
	return c
}

// checkServeFlags refuses what no server can go by: less than one game, a time below 0, and names of hosts with more
// than the name.
func checkServeFlags(o web.Config) error {
	if o.MaxGames < 1 {
		return fmt.Errorf("serve: --games %d: a whole number from 1 on is accepted", o.MaxGames)
	}
	if o.JobTime < 0 {
		return fmt.Errorf("serve: --job-time %v: a time such as 24h is accepted, or 0 for any", o.JobTime)
	}
	for _, host := range o.Hosts {
		if _, err := netip.ParseAddr(host); err != nil && !hostName.MatchString(host) {
			return fmt.Errorf("serve: --host %q: a name or an address alone is accepted, such as oxo.example.org", host)
		}
	}
	return nil
}

// hostName is what a name that a server is reached by looks like.
var hostName = regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?$`)

// defaultDataDir is where people's data goes on this system.
func defaultDataDir() string {
	if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
		return filepath.Join(dir, "oxo")
	}
	if home, err := os.UserHomeDir(); err == nil && runtime.GOOS != "windows" && runtime.GOOS != "darwin" {
		return filepath.Join(home, ".local", "share", "oxo")
	}
	if dir, err := os.UserConfigDir(); err == nil {
		return filepath.Join(dir, "oxo")
	}
	return "oxo-data"
}

// logger writes lines of at least that level to stderr.
func (a *app) logger(level string) (*slog.Logger, error) {
	var least slog.Level
	if err := least.UnmarshalText([]byte(level)); err != nil {
		return nil, fmt.Errorf("serve: --log %s: a level is debug, info, warn or error", level)
	}
	o := &slog.HandlerOptions{Level: least}
	if a.json {
		return slog.New(slog.NewJSONHandler(a.errs, o)), nil
	}
	return slog.New(slog.NewTextHandler(a.errs, o)), nil
}

// newHTTPServer returns the server of a handler, with limits of how long headers may take.
func newHTTPServer(h http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 32 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn)}
}

// serve answers on l until ctx is done. The data folder is locked first, as one server alone may have
// it. At the end open requests have five seconds before connections are cut.
func (a *app) serve(ctx context.Context, l net.Listener, data string, o web.Config, h *hosting) (err error) {
	defer l.Close() // a server that has begun closes it itself
	release, err := store.LockFolder(data)
	if err != nil {
		return fmt.Errorf("serve: --data: %w", err)
	}
	defer func() { err = errors.Join(err, release()) }()
	kept, err := store.Open(data)
	if err != nil {
		return fmt.Errorf("serve: --data %s: %w", data, err)
	}
	defer func() { err = errors.Join(err, kept.Close()) }()
	log := o.Log
	on, err := h.startOrJoin(ctx, a.lab.Bare(), data, func(line string) { log.Warn("cluster", "said", line) })
	if err != nil {
		return err
	}
	at, _ := l.Addr().(*net.TCPAddr)
	o.Local, o.Version = at != nil && at.IP.IsLoopback(), version
	o.Store, o.NotFound, o.Taken, o.Damaged = kept, store.ErrNotFound, store.ErrTaken, store.ErrDamaged
	o.Orders = orders{kept}
	if on != nil {
		defer on.Close()
	}
	if on != nil && on.Cluster != nil {
		o.Cluster = monitor.Collector{Cluster: on.Cluster}
	}
	o.Lab = *a.lab
	s, err := web.New(o)
	if err != nil {
		return err
	}
	defer s.Close()
	server := newHTTPServer(s, log)
	server.RegisterOnShutdown(s.Close) // ends the streams, for which it would wait
	said := map[string]string{"address": "http://" + reachableAddress(l.Addr()) + "/"}
	if on != nil && on.server != nil {
		said["nats"] = reachableURL(on.server.URL())
	}
	err = a.answer(said, func() {
		a.printf("oxo is at %s\n", said["address"])
		if said["nats"] != "" {
			a.printf("workers join with: %s\n", h.joinCommand(said["nats"]))
		}
	})
	if err != nil {
		return err
	}
	log.Info("start", "address", said["address"], "version", version, "data", data)
	defer func() { log.Info("stop", "reason", cmp.Or(err, context.Cause(ctx))) }()
	go tuneGarbageCollector(ctx)
	checking, stop := context.WithCancel(ctx)
	checked := make(chan struct{})
	go func() { defer close(checked); checkStoreDaily(checking, kept, log) }()
	defer func() { stop(); <-checked }()
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(web.LimitConns(l)) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	err = server.Shutdown(patience)
	if errors.Is(err, context.DeadlineExceeded) {
		err = server.Close()
	}
	return err
}

// checkEvery is how often all that is kept is looked through.
const checkEvery = 24 * time.Hour

// checkStoreDaily looks through all that is kept, now and every day, and logs what is
// damaged.
func checkStoreDaily(ctx context.Context, s *store.Store, log *slog.Logger) {
	tick := time.Tick(checkEvery)
	for {
		found, err := s.CheckIntegrity(ctx)
		if err != nil && ctx.Err() == nil {
			log.Error("store", "check", err)
		}
		for _, d := range found {
			log.Error("store", "damaged", d.String())
		}
		select {
		case <-tick:
		case <-ctx.Done():
			return
		}
	}
}

// tuneGarbageCollector has the garbage collector come more often while little memory is in
// use: a thousand games then need half as much. Work that needs a lot is not
// slowed down by that.
func tuneGarbageCollector(ctx context.Context) {
	if os.Getenv("GOGC") != "" { // somebody knows better
		return
	}
	const little = 128 << 20
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	tick := time.Tick(2 * time.Second)
	for {
		metrics.Read(sample)
		percent := 25
		if sample[0].Value.Uint64() > little {
			percent = 100
		}
		debug.SetGCPercent(percent)
		select {
		case <-tick:
		case <-ctx.Done():
			debug.SetGCPercent(100)
			return
		}
	}
}

// reachableAddress is an address as others on the network reach it: where it is all of this machine's, the first of
// these that is no loopback.
func reachableAddress(addr net.Addr) string {
	at, err := netip.ParseAddrPort(addr.String())
	if err != nil || !at.Addr().IsUnspecified() {
		return addr.String()
	}
	own, err := net.InterfaceAddrs()
	if err != nil {
		return addr.String()
	}
	for _, a := range own {
		p, err := netip.ParsePrefix(a.String())
		if err == nil && p.Addr().Is4() && !p.Addr().IsLoopback() && !p.Addr().IsLinkLocalUnicast() {
			return netip.AddrPortFrom(p.Addr(), at.Port()).String()
		}
	}
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), at.Port()).String()
}

// reachableURL is the URL of a server of this process as others on the network reach it.
func reachableURL(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return text
	}
	if at, err := netip.ParseAddrPort(u.Host); err == nil {
		u.Host = reachableAddress(net.TCPAddrFromAddrPort(at))
	}
	return u.String()
}
