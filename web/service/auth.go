package service

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
)

// Secrets say by their first letters what they are for.
const (
	TokenPrefix  = "oxo_bot_"
	KeyPrefix    = "oxo_seat_"
	InvitePrefix = "oxo_invite_"
)

// What a bot's token may be used for.
const (
	ScopePlay      = "play"      // moves, and the streams
	ScopeChallenge = "challenge" // opening, accepting and declining games
	ScopeTokens    = "tokens"    // making and revoking tokens
	ScopeJobs      = "jobs"      // long work, and brains
)

// AllScopes are what a token is for that is made without saying.
var AllScopes = []string{ScopePlay, ScopeChallenge, ScopeTokens, ScopeJobs}

// NewSecret draws a secret, of which only the hash is kept.
func NewSecret(prefix string) (secret string, hash []byte) {
	secret = prefix + rand.Text()
	return secret, HashOf(secret)
}

// NewID draws a public name.
func NewID() string { return strings.ToLower(rand.Text()[:16]) }

// HashOf returns what is kept of a secret.
func HashOf(secret string) []byte {
	h := sha256.Sum256([]byte(secret))
	return h[:]
}

// Identity is who sends a request.
// The zero value is anybody. Nobody is a bot and has a key in one request.
type Identity struct {
	Bot    string // its name, if it is one
	Made   int64  // when that bot was made, by which it is another than one of the same name that was removed
	Scopes []string
	Key    []byte // hash of a seat's key, if that was sent
}

// Auth is the part of a request that says who sends it.
type Auth struct {
	Authorization string `header:"Authorization" doc:"Bearer and a bot's token or a seat's key"`
}

// Identify tells the visitor by a secret; without one it is anybody.
// A key is not looked up here: whose seat it opens is for the game to say.
func (s *Base) Identify(ctx context.Context, a Auth) (Identity, error) {
	if a.Authorization == "" {
		return Identity{}, nil
	}
	secret, ok := strings.CutPrefix(a.Authorization, "Bearer ")
	switch {
	case ok && strings.HasPrefix(secret, KeyPrefix):
		return Identity{Key: HashOf(secret)}, nil
	case ok && strings.HasPrefix(secret, TokenPrefix):
		v, err := s.Tokens.find(ctx, s.Store, HashOf(secret))
		if errors.Is(err, s.Errs.NotFound) {
			return Identity{}, NewProblem(401, "token.unknown")
		}
		if err != nil {
			return Identity{}, s.StoreProblem(err, "")
		}
		AskerOf(ctx).Noted.Note("bot "+v.Bot, "")
		if s.Bans.Has("bot", v.Bot) {
			return Identity{}, ErrBanned
		}
		return v, nil
	}
	return Identity{}, NewProblem(401, "token.or-key")
}

// IsStill reports whether who asks is let in still, as the same: a stream goes on for a token that is
// good, and for nobody who is turned away.
func (s *Base) IsStill(ctx context.Context, v Identity, a Auth) bool {
	now, err := s.Identify(ctx, a)
	return err == nil && now.Bot == v.Bot && now.Made == v.Made && !s.IsAddressBanned(ctx)
}

// IsAddressBanned reports whether a request comes from an address that is turned away.
func (s *Base) IsAddressBanned(ctx context.Context) bool {
	return s.Bans.Has("address", AskerOf(ctx).Address)
}

// mostTokens is how many tokens a tokens remembers.
const mostTokens = 20_000

// tokens remembers whose tokens are valid, so that a move needs no look into
// the store.
type tokens struct {
	mu      sync.Mutex
	known   map[string]Identity // by hash
	revoked int                 // how often something was
}

// find returns whose token has that hash, with the error of the store's Token.
// Where they are too many, all are forgotten and learned anew.
func (t *tokens) find(ctx context.Context, kept Store, hash []byte) (Identity, error) {
	t.mu.Lock()
	found, ok := t.known[string(hash)]
	revoked := t.revoked
	t.mu.Unlock()
	if ok {
		return found, nil
	}
	bot, made, scopes, err := kept.Token(ctx, hash)
	if err != nil {
		return Identity{}, err
	}
	found = Identity{Bot: bot, Made: made, Scopes: strings.Fields(scopes)}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.revoked == revoked { // else it may have been this one
		if len(t.known) >= mostTokens || t.known == nil {
			t.known = map[string]Identity{}
		}
		t.known[string(hash)] = found
	}
	return found, nil
}

// ForgetAll is called when a token has been revoked.
func (t *tokens) ForgetAll() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.revoked++
	t.known = nil
}

// RequireBot tells a bot that may do something.
func (s *Base) RequireBot(ctx context.Context, a Auth, scope string) (Identity, error) {
	v, err := s.Admit(ctx, a, scope)
	if err == nil && v.Bot == "" {
		err = NewProblem(401, "token.needed")
	}
	return v, err
}

// Admit tells a visitor who may do something: anybody, but for bots whose token is not for that.
func (s *Base) Admit(ctx context.Context, a Auth, scope string) (Identity, error) {
	v, err := s.Identify(ctx, a)
	if err == nil {
		err = v.CheckScope(scope)
	}
	return v, err
}

// CheckScope refuses a bot whose token is not for that.
func (v Identity) CheckScope(scope string) error {
	if v.Bot != "" && !slices.Contains(v.Scopes, scope) {
		return NewProblem(403, "token.scope", "scope", scope)
	}
	return nil
}

// bans are who is turned away, by kind and by [BanKey].
type bans struct {
	mu   sync.RWMutex
	who  map[[2]string]bool
	nets map[netip.Prefix]bool // of addresses; those of one address, or of IPv6 one network, are in who
}

// BanKey returns by what somebody is known who is turned away: a bot by its name without
// case, an address of IPv6 by its network, and a range of addresses by the prefix that they have.
func BanKey(kind, id string) (string, error) {
	switch kind {
	case "bot":
		return strings.ToLower(id), nil
	case "address":
		if p, err := netip.ParsePrefix(id); err == nil {
			return prefixKey(p)
		}
		at, ok := parseAddress(id)
		if !ok {
			return "", fmt.Errorf("%q is no address, such as 192.0.2.7, 192.0.2.0/24, 2001:db8::7 or 2001:db8::/32", id)
		}
		return networkOf(at), nil
	}
	return id, nil
}

// shortest is how many bits a prefix that is turned away has at least: a slip must not turn all away.
const shortest = 8

// prefixKey is the key of a range of addresses.
func prefixKey(p netip.Prefix) (string, error) {
	if p.Addr().Is4In6() && p.Bits() >= 96 {
		p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96)
	}
	switch {
	case p.Bits() < shortest:
		return "", fmt.Errorf("%s is too much: a prefix has at least %d bits", p, shortest)
	case p.IsSingleIP() || p.Addr().Is6() && p.Bits() >= network:
		return networkOf(p.Addr()), nil
	}
	return p.Masked().String(), nil
}

// Has reports whether somebody is turned away.
func (b *bans) Has(kind, id string) bool {
	if kind == "bot" {
		id = strings.ToLower(id)
	}
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.who[[2]string{kind, id}] || kind == "address" && len(b.nets) > 0 && b.hasRange(id)
}

// hasRange reports whether an address, or a network of IPv6, is in a range that is turned away.
func (b *bans) hasRange(id string) bool {
	text, _, _ := strings.Cut(id, "/")
	at, err := netip.ParseAddr(text)
	if err != nil {
		return false
	}
	for bits := shortest; bits < min(at.BitLen(), network); bits++ {
		if p, err := at.Prefix(bits); err == nil && b.nets[p] {
			return true
		}
	}
	return false
}

// Set turns somebody away, or lets them in again.
func (b *bans) Set(kind, key string, banned bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p, err := netip.ParsePrefix(key); kind == "address" && err == nil && (p.Addr().Is4() || p.Bits() < network) {
		b.nets[p] = banned
	} else {
		b.who[[2]string{kind, key}] = banned
	}
}

// ErrBanned is what somebody reads who is turned away.
var ErrBanned = NewProblem(http.StatusForbidden, "banned")
