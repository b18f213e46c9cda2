package web

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// pace is how often something may be done: so many times a second, and more at
// once after a pause.
type pace struct{ perSecond, atOnce float64 }

// The limits of one visitor.
var (
	openPace    = pace{20, 400}      // games and bots that one address opens
	botPace     = pace{50, 1500}     // games that one bot opens
	requestPace = pace{1000, 5000}   // requests of any kind from one address elsewhere
	bringPace   = pace{1. / 600, 20} // files that one address elsewhere brings, to be kept for good
)

// limiter lets each of those that it knows by a key, such as an address, do
// something at a pace: a bucket of tokens for each.
type limiter struct {
	pace

	mu      sync.Mutex
	buckets map[string]bucket
}

type bucket struct {
	tokens float64
	at     time.Time
}

func newLimiter(p pace) *limiter {
	return &limiter{pace: p, buckets: map[string]bucket{}}
}

// maxBuckets is when full buckets, which say nothing, are thrown away.
const maxBuckets = 10_000

// allow takes a token of a key's, if it has one.
func (l *limiter) allow(key string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if len(l.buckets) >= maxBuckets {
		for a, b := range l.buckets {
			if l.fill(b, now) >= l.atOnce {
				delete(l.buckets, a)
			}
		}
	}
	b, ok := l.buckets[key]
	if !ok {
		b = bucket{l.atOnce, now}
	}
	b = bucket{l.fill(b, now), now}
	allowed := b.tokens >= 1
	if allowed {
		b.tokens--
	}
	l.buckets[key] = b
	return allowed
}

func (l *limiter) fill(b bucket, now time.Time) float64 {
	return min(l.atOnce, b.tokens+now.Sub(b.at).Seconds()*l.perSecond)
}

// limited turns away who opens too much: a bot by its name, anybody else by
// their address; and everybody where the store is full.
func (s *base) limited(ctx huma.Context, next func(huma.Context)) {
	r, _ := humago.Unwrap(ctx)
	limits, key := s.opens, sender(r)
	if v, err := s.who(ctx.Context(), Auth{ctx.Header("Authorization")}); err == nil && v.bot != "" {
		limits, key = s.botOpens, v.bot
	}
	if !limits.allow(key) {
		ctx.SetHeader("Retry-After", "1")
		_ = huma.WriteErr(s.api, ctx, 429, "too many games, bots or jobs are opened from there") // a reader that has gone needs no answer
		return
	}
	if err := s.full(ctx.Context()); err != nil {
		_ = huma.WriteErr(s.api, ctx, http.StatusServiceUnavailable, err.Error()) // likewise
		return
	}
	next(ctx)
}

// full is an error where the store holds as much as it may, or does not answer.
func (s *base) full(ctx context.Context) error {
	if s.most == 0 {
		return nil
	}
	size, err := s.store.Size(ctx)
	if err != nil {
		return s.failed(err, "")
	}
	full := size >= s.most
	if s.wasFull.Swap(full) != full {
		s.log.Warn("store", "full", full, "bytes", size, "most", s.most)
	}
	if full {
		return refuse(http.StatusServiceUnavailable, "the server keeps as much as it may: what is there goes on, nothing new is opened")
	}
	return nil
}

// sender returns the address that a request comes from: where a proxy on this
// machine passes it on, the one that the proxy names. Of IPv6 it is the network,
// in which a visitor has as many addresses as he likes.
func sender(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	if isLoopback(host) {
		all := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
		if named := strings.TrimSpace(all[len(all)-1]); isAddress(named) {
			host = named
		}
	}
	at, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	if at = at.Unmap(); at.Is4() || at.IsLoopback() {
		return at.String()
	}
	return netip.PrefixFrom(at.WithZone(""), network).Masked().String()
}

func isAddress(text string) bool {
	_, err := netip.ParseAddr(text)
	return err == nil
}

// network is how many bits of an IPv6 address a visitor can't choose.
const network = 64

// proxied reports whether a proxy has passed a request on.
func proxied(r *http.Request) bool {
	return r.Header.Get("X-Forwarded-For") != "" || r.Header.Get("Forwarded") != "" || r.Header.Get("Via") != ""
}

// encrypted reports whether a request came by TLS, here or to a proxy on this machine
// that says so.
func encrypted(r *http.Request) bool {
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	return r.TLS != nil || isLoopback(host) && strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https")
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// From is the part of a request that says from where it comes.
type From struct{ address string }

// Resolve is called by huma with the request.
func (f *From) Resolve(ctx huma.Context) []error {
	r, _ := humago.Unwrap(ctx)
	f.address = sender(r)
	return nil
}

// connsEach is how many connections one address elsewhere may have.
const connsEach = 1000

// LimitConns returns the listener without what an address elsewhere has too much:
// those connections are closed at once. A proxy on this machine has as many as it likes.
func LimitConns(l net.Listener) net.Listener {
	return &connLimit{Listener: l, most: connsEach, open: map[string]int{}}
}

type connLimit struct {
	net.Listener
	most int

	mu   sync.Mutex
	open map[string]int // by address
}

// Accept waits for a connection that is allowed.
func (l *connLimit) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		from := sender(&http.Request{RemoteAddr: c.RemoteAddr().String()})
		l.mu.Lock()
		allowed := isLoopback(from) || l.open[from] < l.most
		if allowed {
			l.open[from]++
		}
		l.mu.Unlock()
		if allowed {
			return &countedConn{Conn: c, left: sync.OnceFunc(func() { l.leave(from) })}, nil
		}
		c.Close()
	}
}

func (l *connLimit) leave(from string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[from]--; l.open[from] == 0 {
		delete(l.open, from)
	}
}

// countedConn is a connection that says when it is closed.
type countedConn struct {
	net.Conn
	left func()
}

func (c *countedConn) Close() error {
	c.left()
	return c.Conn.Close()
}
