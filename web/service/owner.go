package service

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
	VisitorCookie = "oxo_visitor"
	VisitorPrefix = "oxo_visitor_"
	visitorStays  = 400 * 24 * time.Hour
)

// Visitor is the part of a request that says whose jobs it is about: a bot's
// token, or else a cookie that the server gives to those who come without.
type Visitor struct {
	Auth
	Cookie string `cookie:"oxo_visitor" maxLength:"100" doc:"given by the first answer that makes something to keep"`
}

// OwnerOf tells whose jobs a request is about: a bot's, a person's by the cookie,
// or nobody's yet, which is empty. A cookie that the server has not made is nobody's.
func (s *Base) OwnerOf(ctx context.Context, v Visitor) (string, error) {
	if v.Authorization != "" {
		who, err := s.RequireBot(ctx, v.Auth, ScopeJobs)
		return "bot " + who.Bot, err
	}
	secret, ok := strings.CutPrefix(v.Cookie, VisitorPrefix)
	if !ok {
		return "", nil
	}
	owner := "person " + hex.EncodeToString(HashOf(v.Cookie))
	AskerOf(ctx).Noted.Note(owner, "")
	if s.Bans.Has("visitor", owner) {
		return "", ErrBanned
	}
	drawn, seal, sealed := strings.Cut(secret, ".")
	if sealed {
		right, err := s.cookieSignature(ctx, drawn)
		if err != nil || !hmac.Equal([]byte(seal), []byte(right)) {
			return "", err
		}
		return owner, nil
	}
	kept, err := s.Store.Jobs(ctx, owner, 1) // an older server's is known by what it was given for
	if err != nil || len(kept) == 0 {
		return "", s.StoreProblem(err, "")
	}
	return owner, nil
}

// EnsureOwner makes an owner of somebody who is none yet, with the cookie by which that one is
// known from then on; an owner stays who it is.
func (s *Base) EnsureOwner(ctx context.Context, owner string) (id string, cookies []http.Cookie, err error) {
	if owner != "" {
		return owner, nil, nil
	}
	drawn := rand.Text()
	seal, err := s.cookieSignature(ctx, drawn)
	if err != nil {
		return "", nil, err
	}
	secret := VisitorPrefix + drawn + "." + seal
	return "person " + hex.EncodeToString(HashOf(secret)), []http.Cookie{{Name: VisitorCookie, Value: secret,
		Path: Root, MaxAge: int(visitorStays.Seconds()), HttpOnly: true, Secure: AskerOf(ctx).tls,
		SameSite: http.SameSiteStrictMode}}, nil
}

// The file that keeps the key of the seals.
const (
	kindKey    = "key"
	visitorKey = "visitors"
)

// cookieSignature is what only this server can add to the text of a cookie.
func (s *Base) cookieSignature(ctx context.Context, text string) (mac string, err error) {
	s.keyMu.Lock()
	defer s.keyMu.Unlock()
	if s.key == nil {
		_, key, err := s.Store.File(ctx, kindKey, visitorKey)
		if errors.Is(err, s.Errs.NotFound) {
			key = []byte(rand.Text() + rand.Text())
			err = s.Store.AddFileIfAbsent(kindKey, visitorKey, []byte("{}"), key)
		}
		if err != nil {
			return "", s.StoreProblem(err, "")
		}
		s.key = key
	}
	m := hmac.New(sha256.New, s.key)
	m.Write([]byte(text))
	return hex.EncodeToString(m.Sum(nil)[:16]), nil
}
