package service

import (
	"context"
	"errors"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"golang.org/x/time/rate"
)

// Pace is how often something may be done: so many times a second, and more at
// once after a pause.
type Pace struct{ PerSecond, AtOnce float64 }

// The limits of one visitor.
var (
	openPace    = Pace{20, 400}      // games and bots that one address opens
	botPace     = Pace{50, 1500}     // games that one bot opens
	RequestPace = Pace{1000, 5000}   // requests of any kind from one address elsewhere
	BringPace   = Pace{1. / 600, 20} // files that one address elsewhere brings, to be kept for good
)

// Limiter lets each of those that it knows by a key, such as an address, do
// something at a pace.
type Limiter struct {
	Pace

	mu     sync.Mutex
	limits map[string]*rate.Limiter
}

// NewLimiter makes a limiter of that pace for each key.
func NewLimiter(p Pace) *Limiter {
	return &Limiter{Pace: p, limits: map[string]*rate.Limiter{}}
}

// maxLimits is when those that may do as much as ever, which say nothing, are thrown away.
const maxLimits = 10_000

// Allow reports whether somebody may do it now, and counts it.
// A refusal costs nothing: who waits for a moment may do it again.
func (l *Limiter) Allow(key string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.limits) >= maxLimits {
		maps.DeleteFunc(l.limits, func(_ string, one *rate.Limiter) bool { return one.Tokens() >= l.AtOnce })
	}
	one := l.limits[key]
	if one == nil {
		one = rate.NewLimiter(rate.Limit(l.PerSecond), int(l.AtOnce))
		l.limits[key] = one
	}
	return one.Allow()
}

// LimitCreation turns away who opens too much: a bot by its name, anybody else by
// their address; and everybody where the store is full.
func (s *Base) LimitCreation(ctx huma.Context, next func(huma.Context)) {
	limits, key := s.OpenLimit, AskerOf(ctx.Context()).Address
	if v, err := s.Identify(ctx.Context(), Auth{ctx.Header("Authorization")}); err == nil && v.Bot != "" {
		limits, key = s.BotLimit, v.Bot
	}
	err := s.CheckStoreSpace(ctx.Context())
	if !limits.Allow(key) {
		err = BusyProblem("opened.fast", 1)
	}
	if err == nil {
		next(ctx)
		return
	}
	status := http.StatusServiceUnavailable
	if p, ok := errors.AsType[huma.StatusError](err); ok {
		status = p.GetStatus()
	}
	if h, ok := errors.AsType[huma.HeadersError](err); ok {
		ctx.SetHeader("Retry-After", h.GetHeaders().Get("Retry-After"))
	}
	_ = huma.WriteErr(s.API, ctx, status, err.Error(), err) // a reader that has gone needs no answer
}

// CheckStoreSpace is an error where the store holds as much as it may, or does not answer. A full one says no time to
// come again: room is made only as things are removed.
func (s *Base) CheckStoreSpace(ctx context.Context) error {
	if s.Most == 0 {
		return nil
	}
	size, err := s.Store.UsedBytes(ctx)
	if err != nil {
		return s.StoreProblem(err, "")
	}
	full := size >= s.Most
	if s.wasFull.Swap(full) != full {
		s.Log.Warn("store", "full", full, "bytes", size, "most", s.Most)
	}
	if full {
		return NewProblem(http.StatusServiceUnavailable, "store.full")
	}
	return nil
}

// ClientAddress returns the address that a request comes from: where a proxy on this
// machine passes it on, the one that the proxy names. Of IPv6 it is the network,
// in which a visitor has as many addresses as he likes.
func ClientAddress(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	if IsLoopback(host) {
		all := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
		if at, ok := parseAddress(all[len(all)-1]); ok {
			return networkOf(at)
		}
	}
	at, ok := parseAddress(host)
	if !ok {
		return host
	}
	return networkOf(at)
}

// networkOf returns an address, or of IPv6 the network that it is in.
func networkOf(at netip.Addr) string {
	if at = at.Unmap(); at.Is4() || at.IsLoopback() {
		return at.String()
	}
	return netip.PrefixFrom(at.WithZone(""), network).Masked().String()
}

// parseAddress reads an IP address as proxies write it: also with a port, in brackets, or with a zone.
func parseAddress(text string) (at netip.Addr, ok bool) {
	text = strings.TrimSpace(text)
	if p, err := netip.ParseAddrPort(text); err == nil {
		return p.Addr(), true
	}
	at, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	return at, err == nil
}

// network is how many bits of an IPv6 address a visitor can't choose.
const network = 64

// IsProxied reports whether a proxy has passed a request on.
func IsProxied(r *http.Request) bool {
	return r.Header.Get("X-Forwarded-For") != "" || r.Header.Get("Forwarded") != "" || r.Header.Get("Via") != ""
}

// IsEncrypted reports whether a request came by TLS, here or to a proxy on this machine
// that says so.
func IsEncrypted(r *http.Request) bool {
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	return r.TLS != nil || IsLoopback(host) && strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https")
}

// IsLoopback reports whether an address is this machine's to itself.
func IsLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}
