package studio_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// answered reports whether nothing was asked of the server for half a second.
const answered = `performance.now() - Math.max(...performance.getEntriesByType("resource").map(e => e.responseEnd)) > 500`

// still is the shift up to which parts that come late count as still.
const still = 0.002

// stillness are addresses whose parts come one after another, and what is there when all have come.
var stillness = []struct{ address, shows string }{
	{"play?game=race:3", `document.querySelector(".gallery")`},
	{"play?game=race:3&first=human&second=human", `document.querySelector(".gallery")`},
	{"play?game=ttt%2Border", `document.querySelector(".gallery")`},
	{"play?game=notthere", `document.querySelector(".gallery")`},
	{"play?first=human&second=perfect&moves=a1,b2,c3,a2,b1,c2", `/Try again from move/.test(document.querySelector(".page").textContent)`},
	{"explore?game=race:3", `document.querySelector("#census")`},
	{"explore?game=plane:projective,2", `document.querySelector("#census")`},
	{"explore?game=tree:three-ply", `document.querySelector("#census")`},
	{"explore?game=ttt&moves=a1,b2", `document.querySelector("#census")`},
	{"explore?game=connect4", `document.querySelector("#census")`},
	{"proofs?id=ttt", `document.querySelector(".side-part")`},
	{"proofs?id=ultimate-open", `document.querySelector(".side-part")`},
}

// TestLatePartsMoveNothing opens links from a server each of whose answers is late, those about games the latest: what
// comes late has its place before.
func TestLatePartsMoveNothing(t *testing.T) {
	h := newHost(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/games"), strings.HasSuffix(r.URL.Path, "/game"):
			time.Sleep(400 * time.Millisecond)
		case strings.Contains(r.URL.Path, "/api/"):
			time.Sleep(100 * time.Millisecond)
		}
		h.now.Load().ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	for _, d := range []device{phone, desktop} {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, server, d, "claims")
			b.expectRefusals()
			for _, p := range stillness {
				b.open(p.address)
				b.until("all of "+p.address, p.shows)
				b.until("all is answered", answered)
				if shift := eval[float64](b, "window.shifted"); shift > still {
					t.Errorf("%s: the layout jumps by %.4f: %s", p.address, shift,
						eval[string](b, `window.shifts.join("; ")`))
				}
			}
		})
	}
}
