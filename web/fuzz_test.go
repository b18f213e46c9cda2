package web

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"oxo/web/live"
	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

// operations lists a server's operations in an order that does not change.
func (s *Server) operations() []*huma.Operation {
	var list []*huma.Operation
	for _, item := range s.API.OpenAPI().Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
			if op != nil {
				list = append(list, op)
			}
		}
	}
	slices.SortFunc(list, func(a, b *huma.Operation) int { return strings.Compare(a.OperationID, b.OperationID) })
	return list
}

// FuzzRequestsSequential sends anything to every operation that the document describes,
// as anybody, as a person with a seat and as a bot, about games that are open,
// being played and not there: no answer is a 5xx, and every one is as
// described.
func FuzzRequestsSequential(f *testing.F) {
	bodies := []string{
		"", "{}", "null", "[]", `"x"`, "\xff", `{"game":"ttt"}`, `{"move":"a1","ply":0}`, `{"move":"b2","ply":1}`, `{"move":"` + strings.Repeat("z", 100) + `","ply":100000}`,
		`{"move":null,"ply":-1}`, `{"move":"a1","ply":1e99}`, `{"invite":"oxo_invite_x","name":"\u0000"}`, `{"name":"deep2","scopes":["play","play"]}`, `{"scopes":[]}`,
		`{"game":"ttt","public":true,"clock":{"bank_ms":1000,"increment_ms":-1}}`, `{"game":"ttt","to":"deep","seat":"random","clock":{"bank_ms":86400000}}`,
		`{"game":"tree:chance","public":true}`, `{"game":"race:4","position":"x..o o","seat":"second"}`, `{"name":"x","game":"file:x.json","data":"e30="}`,
		`{"game":"mnk:4,4,4","against":"random","learner":"menace","games":1}`,
	}
	var o Config
	hosted(newMemory())(&o)
	s, err := New(o)
	if err != nil {
		f.Fatal(err)
	}
	s.Close()
	for op := range s.operations() {
		for i, body := range bodies {
			if (i+op)%4 == 0 { // what is left is the fuzzer's
				f.Add(uint8(op), uint8(i), uint8(i+op), "", []byte(body))
			}
		}
		for i, query := range []string{"wait=0&after=-1", "wait=30", "format=sse&key=oxo_bot_x", "format=ndjson",
			"wait=-1", "after=9999999999999999999", "%zz", "a=b;c"} {
			if (i+op)%4 == 0 {
				f.Add(uint8(op), uint8(i), uint8(i), query, []byte("{}"))
			}
		}
	}
	f.Fuzz(func(t *testing.T, which, about, who uint8, query string, body []byte) {
		x := newTester(t, hosted(newMemory()))
		x.server.Longest = 20 * time.Millisecond
		var deep, shy live.TokenReply
		x.answered(200, "POST", api+"bots", object{"name": "deep"}, &deep)
		x.answered(200, "POST", api+"bots", object{"name": "shy", "scopes": []string{"play"}}, &shy)
		var open, playing, other live.OpenReply
		x.answered(200, "POST", api+"sessions", object{"game": "ttt", "public": true, "seat": "first"}, &open)
		x.answered(200, "POST", api+"sessions", object{"game": "ttt", "public": true, "seat": "first"}, &playing)
		x.as(deep.Token).answered(200, "POST", api+"sessions/"+playing.Session.ID+"/accept", object{}, &other)
		ids := []string{open.Session.ID, playing.Session.ID, deep.ID, "none", "../bots", "%00", strings.Repeat("x", 41)}
		secrets := []string{"", deep.Token, shy.Token, open.Key, playing.Key, service.TokenPrefix + "x", "\n"}

		all := x.server.operations()
		op := all[int(which)%len(all)]
		at := op.Path
		for i := 0; strings.Contains(at, "{"); i++ {
			begin, end := strings.Index(at, "{"), strings.Index(at, "}")
			at = at[:begin] + url.PathEscape(ids[(int(about)+i)%len(ids)]) + at[end+1:]
		}
		r := httptest.NewRequest(op.Method, at, bytes.NewReader(body))
		if op.Method == http.MethodGet { // streams and long polls end at once
			gone, cancel := context.WithCancel(t.Context())
			cancel()
			r = r.WithContext(gone)
		}
		r.URL.RawQuery, r.Host, r.RemoteAddr = query, "localhost", "127.0.0.1:4000"
		r.Header.Set("Content-Type", "application/json")
		if secret := secrets[int(who)%len(secrets)]; secret != "" {
			r.Header.Set("Authorization", "Bearer "+secret)
		}
		w := httptest.NewRecorder()
		x.server.ServeHTTP(w, r)
		kind := w.Header().Get("Content-Type")
		if w.Code >= 500 {
			t.Fatalf("%s %s?%s %q: %d %s", op.Method, at, query, body, w.Code, w.Body)
		}
		if w.Code >= 400 && (kind != "application/problem+json" || !json.Valid(w.Body.Bytes())) {
			t.Fatalf("%s %s?%s %q: %d %s %s", op.Method, at, query, body, w.Code, kind, w.Body)
		}
		if x.server.operation(r.Pattern) == op && op.Responses["200"] != nil &&
			op.Responses["200"].Content["application/x-ndjson"] == nil {
			x.conform(op, w.Code, kind, w.Body.Bytes())
		}
		if w := x.ask("GET", "/healthz", nil); w.Code != 200 {
			t.Fatalf("afterwards: %d", w.Code)
		}
	})
}
