package web

import (
	"net"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// How many games and bots one address may open.
const (
	opensPerSecond = 20
	opensAtOnce    = 400
)

// limiter lets each address do something so many times a second, and more at
// once after a pause: a bucket of tokens for each.
type limiter struct {
	rate, burst float64

	mu      sync.Mutex
	buckets map[string]bucket
}

type bucket struct {
	tokens float64
	at     time.Time
}

func newLimiter(rate, burst float64) *limiter {
	return &limiter{rate: rate, burst: burst, buckets: map[string]bucket{}}
}

// maxBuckets is when full buckets, which say nothing, are thrown away.
const maxBuckets = 10_000

// allow takes a token of an address, if it has one.
func (l *limiter) allow(address string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if len(l.buckets) >= maxBuckets {
		for a, b := range l.buckets {
			if l.fill(b, now) >= l.burst {
				delete(l.buckets, a)
			}
		}
	}
	b, ok := l.buckets[address]
	if !ok {
		b = bucket{l.burst, now}
	}
	b = bucket{l.fill(b, now), now}
	allowed := b.tokens >= 1
	if allowed {
		b.tokens--
	}
	l.buckets[address] = b
	return allowed
}

func (l *limiter) fill(b bucket, now time.Time) float64 {
	return min(l.burst, b.tokens+now.Sub(b.at).Seconds()*l.rate)
}

// limited turns away addresses that open too much.
func (s *Server) limited(ctx huma.Context, next func(huma.Context)) {
	address, _, err := net.SplitHostPort(ctx.RemoteAddr())
	if err != nil {
		address = ctx.RemoteAddr()
	}
	if !s.opens.allow(address) {
		ctx.SetHeader("Retry-After", "1")
		_ = huma.WriteErr(s.api, ctx, 429, "too many games or bots from one address") // a reader that has gone needs no answer
		return
	}
	next(ctx)
}
