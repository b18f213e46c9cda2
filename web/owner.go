package web

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strings"
	"time"
)

// What a cookie's secret is called, and how long a browser keeps it.
const (
	visitorCookie = "oxo_visitor"
	visitorPrefix = "oxo_visitor_"
	visitorStays  = 400 * 24 * time.Hour
)

// Visitor is the part of a request that says whose jobs it is about: a bot's
// token, or else a cookie that the server gives to those who come without.
type Visitor struct {
	Auth
	Cookie string `cookie:"oxo_visitor" maxLength:"100" doc:"given by the first answer that makes something to keep"`
}

// owner tells whose jobs a request is about: a bot's, a person's by the cookie,
// or nobody's yet, which is empty. A cookie that the server has not made is nobody's.
func (s *base) owner(ctx context.Context, v Visitor) (string, error) {
	if v.Authorization != "" {
		who, err := s.bot(ctx, v.Auth, scopeJobs)
		return "bot " + who.bot, err
	}
	secret, ok := strings.CutPrefix(v.Cookie, visitorPrefix)
	if !ok {
		return "", nil
	}
	owner := "person " + hex.EncodeToString(hashOf(v.Cookie))
	if s.bans.has("visitor", owner) {
		return "", errBanned
	}
	drawn, seal, sealed := strings.Cut(secret, ".")
	if sealed {
		right, err := s.seal(ctx, drawn)
		if err != nil || !hmac.Equal([]byte(seal), []byte(right)) {
			return "", err
		}
		return owner, nil
	}
	kept, err := s.store.Jobs(ctx, owner, 1) // an older server's is known by what it was given for
	if err != nil {
		return "", s.failed(err, "")
	}
	if len(kept) == 0 {
		owner = ""
	}
	return owner, nil
}

// newcomer makes an owner of somebody who has no cookie yet.
func (s *base) newcomer(ctx context.Context) (owner string, cookie http.Cookie, err error) {
	drawn := rand.Text()
	seal, err := s.seal(ctx, drawn)
	secret := visitorPrefix + drawn + "." + seal
	return "person " + hex.EncodeToString(hashOf(secret)), http.Cookie{Name: visitorCookie, Value: secret, Path: root,
		MaxAge: int(visitorStays.Seconds()), HttpOnly: true, Secure: askerOf(ctx).tls, SameSite: http.SameSiteStrictMode}, err
}

// The file that keeps the key of the seals.
const (
	kindKey    = "key"
	visitorKey = "visitors"
)

// seal is what only this server can add to the text of a cookie.
func (s *base) seal(ctx context.Context, text string) (string, error) {
	s.keyMu.Lock()
	defer s.keyMu.Unlock()
	if s.key == nil {
		_, key, err := s.store.File(ctx, kindKey, visitorKey)
		if errors.Is(err, s.errs.notFound) {
			key = []byte(rand.Text() + rand.Text())
			err = s.store.AddFile(kindKey, visitorKey, []byte("{}"), key)
		}
		if err != nil {
			return "", s.failed(err, "")
		}
		s.key = key
	}
	m := hmac.New(sha256.New, s.key)
	m.Write([]byte(text))
	return hex.EncodeToString(m.Sum(nil)[:16]), nil
}
