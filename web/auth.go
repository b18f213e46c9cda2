package web

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Secrets say by their first letters what they are for.
const (
	tokenPrefix  = "oxo_bot_"
	keyPrefix    = "oxo_seat_"
	invitePrefix = "oxo_invite_"
)

// What a bot's token may be used for.
const (
	scopePlay      = "play"      // moves, and the streams
	scopeChallenge = "challenge" // opening, accepting and declining games
	scopeTokens    = "tokens"    // making and revoking tokens
	scopeJobs      = "jobs"      // long work, and brains
)

var allScopes = []string{scopePlay, scopeChallenge, scopeTokens, scopeJobs}

// newSecret draws a secret, of which only the hash is kept.
func newSecret(prefix string) (secret string, hash []byte) {
	secret = prefix + rand.Text()
	return secret, hashOf(secret)
}

// newID draws a public name.
func newID() string { return strings.ToLower(rand.Text()[:16]) }

func hashOf(secret string) []byte {
	h := sha256.Sum256([]byte(secret))
	return h[:]
}

// visitor is who sends a request.
type visitor struct {
	bot    string // its name, if it is one
	scopes []string
	key    []byte // hash of a seat's key, if that was sent
}

// Auth is the part of a request that says who sends it.
type Auth struct {
	Authorization string `header:"Authorization" doc:"Bearer and a bot's token or a seat's key"`
}

// who tells the visitor by a secret; without one it is anybody.
func (s *base) who(ctx context.Context, a Auth) (visitor, error) {
	if a.Authorization == "" {
		return visitor{}, nil
	}
	secret, ok := strings.CutPrefix(a.Authorization, "Bearer ")
	switch {
	case ok && strings.HasPrefix(secret, keyPrefix):
		return visitor{key: hashOf(secret)}, nil
	case ok && strings.HasPrefix(secret, tokenPrefix):
		bot, scopes, err := s.tokens.find(ctx, s.store, hashOf(secret))
		if errors.Is(err, s.errs.notFound) {
			return visitor{}, refuse(401, "the token is unknown or revoked")
		}
		if err != nil {
			return visitor{}, s.failed(err, "")
		}
		if s.bans.has("bot", bot) {
			return visitor{}, errBanned
		}
		return visitor{bot: bot, scopes: strings.Fields(scopes)}, nil
	}
	return visitor{}, refuse(401, "authorization: Bearer and a bot's token or a seat's key is needed")
}

// mostTokens is how many tokens a tokens remembers.
const mostTokens = 20_000

// tokens remembers whose tokens are valid, so that a move needs no look into
// the store.
type tokens struct {
	mu      sync.Mutex
	known   map[string][2]string // bot and scopes, by hash
	revoked int                  // how often something was
}

// find returns what the store's Token does.
func (t *tokens) find(ctx context.Context, kept Store, hash []byte) (bot, scopes string, err error) {
	t.mu.Lock()
	found, ok := t.known[string(hash)]
	revoked := t.revoked
	t.mu.Unlock()
	if ok {
		return found[0], found[1], nil
	}
	if bot, scopes, err = kept.Token(ctx, hash); err != nil {
		return "", "", err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.revoked == revoked { // else it may have been this one
		if len(t.known) >= mostTokens || t.known == nil {
			t.known = map[string][2]string{}
		}
		t.known[string(hash)] = [2]string{bot, scopes}
	}
	return bot, scopes, nil
}

// forget is called when a token has been revoked.
func (t *tokens) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.revoked++
	t.known = nil
}

// bot tells a bot that may do something.
func (s *base) bot(ctx context.Context, a Auth, scope string) (visitor, error) {
	v, err := s.who(ctx, a)
	switch {
	case err != nil:
		return v, err
	case v.bot == "":
		return v, refuse(401, "a bot's token is needed")
	}
	return v, v.may(scope)
}

// may refuses a bot whose token is not for that.
func (v visitor) may(scope string) error {
	if v.bot != "" && !slices.Contains(v.scopes, scope) {
		return refuse(403, "the token is not for that: it lacks the scope "+scope)
	}
	return nil
}

// bans are who is turned away, by kind and id.
type bans struct {
	mu  sync.RWMutex
	who map[[2]string]bool
}

// has reports whether somebody is turned away.
func (b *bans) has(kind, id string) bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.who[[2]string{kind, id}]
}

func (b *bans) set(kind, id string, banned bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.who == nil {
		b.who = map[[2]string]bool{}
	}
	b.who[[2]string{kind, id}] = banned
}

// errBanned is what somebody reads who is turned away.
var errBanned = refuse(http.StatusForbidden, "the operator of this server has turned you away")
