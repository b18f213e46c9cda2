package web

import (
	"context"
	"encoding/hex"
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
// or nobody's yet, which is empty.
func (s *Server) owner(ctx context.Context, v Visitor) (string, error) {
	if v.Authorization != "" {
		who, err := s.bot(ctx, v.Auth, scopeJobs)
		return "bot " + who.bot, err
	}
	if !strings.HasPrefix(v.Cookie, visitorPrefix) {
		return "", nil
	}
	return "person " + hex.EncodeToString(hashOf(v.Cookie)), nil
}

// newcomer makes an owner of somebody who has no cookie yet.
func newcomer() (owner string, cookie http.Cookie) {
	secret, hash := newSecret(visitorPrefix)
	return "person " + hex.EncodeToString(hash), http.Cookie{Name: visitorCookie, Value: secret, Path: root,
		MaxAge: int(visitorStays.Seconds()), HttpOnly: true, SameSite: http.SameSiteStrictMode}
}
