package studio_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"testing"
)

// linked are opponents that links name: those that play, and with those that are refused
// what the refusal must say.
var linked = []struct{ page, game, spec, refused string }{
	{"learn", "ttt", "random", ""},
	{"learn", "ttt", "itself", ""},
	{"learn", "ttt", "pool", ""},
	{"learn", "ttt", "pool:random|level:1", ""},
	{"learn", "ttt", "static:features=counts,weights=0/1/-1/5/-5,depth=1", ""},
	{"learn", "ttt", "static:features=wins,weights=0/1/-1,depth=2", ""},
	{"learn", "ttt", "minimax:depth=2", ""},
	{"learn", "ttt", "minimax:depth=3,decay=0.9", ""},
	{"learn", "ttt", "minimax:depth=1,eval=rows", ""},
	{"learn", "ttt", "alphabeta:nodes=50", ""},
	{"learn", "ttt", "alphabeta:depth=3", ""},
	{"learn", "ttt", "mcts:sims=20", ""},
	{"learn", "ttt", "mcts:sims=10,explore=2.83,eval=none,proof=no", ""},
	{"learn", "ttt", "level:2", ""},
	{"learn", "ttt", "heuristic:slips=published", ""},
	{"learn", "ttt", "heuristic:slips=fork+corner", ""},
	{"learn", "ttt", "winratio:order=losses+wins", ""},
	{"learn", "ttt", "perfect", ""},
	{"learn", "meta", "static:depth=1", ""},
	{"learn", "meta", "static:weights=3/2/0.5/0.5/0.5/0.5,depth=1", ""},
	{"learn", "mnk:4,4,4", "rows", ""},
	{"learn", "ttt", "itslef", `"itslef"; there are`},
	{"learn", "ttt", "minimax", `"minimax": it needs a limit, such as`},
	{"learn", "ttt", "minimax:depth=x", "depth=x: a whole number"},
	{"learn", "ttt", "mcts:sims", `"sims" needs a value, as in`},
	{"learn", "ttt", "static:features=nope", `"nope" is no feature; there are`},
	{"learn", "ttt", "static:features=counts,weights=1/x", "weights=1/x: it must be"},
	{"learn", "ttt", "static:features=counts,weights=1/2", "take 5 weights, not 2"},
	{"learn", "ttt", "human", "human players can't be asked for here; there are"},
	{"learn", "ttt", "engine:ls", "engine players can't be asked for here; there are"},
	{"learn", "ttt", "brain:none", `brain "none"`},
	{"learn", "ttt", "heuristic:slips=zzz", `"zzz": there are`},
	{"learn", "ttt", "pool:itself|random", "its members are players, which itself is not"},
	{"learn", "ttt", "pool:random|rnadom", `"rnadom"; there are`},
	{"learn", "ttt", "level:9", `"9": a whole number from 1`},
	{"learn", "ttt", "random:x=1", `"x=1": it takes no options`},
	{"learn", "ttt", "minimax:depth=2,eval=nope", `"nope": for mnk:3,3,3 it is`},
	{"learn", "ttt", "mcts:sims=20,colour=red", `"colour"; options are`},
	{"learn", "mnk:9,9,5", "optimal", "solve mnk:9,9,5"},
	{"learn", "meta", "rows", "which are nothing to want in meta"},
	{"play", "ttt", "static:features=counts,weights=0/1/-1/5/-5,depth=1", ""},
	{"play", "ttt", "minimax:depth=9,decay=0.9", ""},
	{"play", "ttt", "mcts:sims=15,explore=1", ""},
	{"play", "ttt", "heuristic:slips=seat", ""},
	{"play", "meta", "static:weights=3/1/0.5/0.5/0.5/0.5,depth=2", ""},
	{"play", "mnk:4,3,3", "alphabeta:depth=2", ""},
	{"play", "ttt", "minmax:depth=2", `"minmax"; there are`},
	{"play", "ttt", "static:depth=2,features=weger", `"weger" is no feature; there are`},
	{"play", "ttt", "alphabeta:depth=0", "depth=0: a whole number"},
	{"play", "ttt", "winratio:order=won+lots", `"lots"`},
	{"play", "meta", "heuristic", "which are nothing to want in meta"},
	{"teach", "ttt", "level:1", ""},
	{"teach", "ttt", "minimax:depth=1", ""},
	{"teach", "ttt", "static:features=counts,weights=0/1/-1/5/-5,depth=1", ""},
	{"teach", "ttt", "itslef", `"itslef"; there are`},
	{"teach", "ttt", "rows:n=1", `"n=1": it takes no options`},
}

// asked notes the players that a browser asks a server for.
type asked struct {
	mu      sync.Mutex
	players []string
}

func (a *asked) reset() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	was := a.players
	a.players = nil
	return was
}

// listen passes requests on to a handler.
func (a *asked) listen(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			body, err := io.ReadAll(r.Body)
			var said struct {
				Player string
				Args   struct{ Against string }
			}
			if err == nil && json.Unmarshal(body, &said) == nil && said.Player+said.Args.Against != "" {
				a.mu.Lock()
				a.players = append(a.players, said.Player+said.Args.Against)
				a.mu.Unlock()
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
		}
		h.ServeHTTP(w, r)
	})
}

// TestLinkedOpponents: the opponent that a link names is the one that the server is asked
// for, and it plays or is refused by its word with what is accepted; none is replaced.
func TestLinkedOpponents(t *testing.T) {
	if len(linked) < 50 {
		t.Fatalf("%d links; at least 50 are wanted", len(linked))
	}
	h := newHost(t)
	var heard asked
	h.server.Config.Handler = heard.listen(h.server.Config.Handler)
	b := newTab(t, h.server, desktop, "learn")
	b.expectRefusals()
	substituted := 0
	for _, l := range linked {
		what := fmt.Sprintf("%s of %s against %s", l.page, l.game, l.spec)
		played := b.openLinked(l.page, l.game, l.spec)
		if l.refused != "" {
			b.until(what+" is refused", fmt.Sprintf(
				`[...document.querySelectorAll(".failure")].some(e => e.textContent.toLowerCase().includes(%s.toLowerCase()))`, quote(l.refused)))
		} else {
			b.until(what+" goes on", played)
		}
		said := heard.reset()
		if len(said) == 0 {
			t.Errorf("%s: nobody was asked for", what)
		}
		for _, player := range said {
			if player != l.spec {
				substituted++
				t.Errorf("%s: asked for %s", what, player)
			}
		}
	}
	if by := eval[string](b, `new URLSearchParams(location.search).get("by")`); by != linked[len(linked)-1].spec {
		t.Errorf("the last link became one of %s", by)
	}
	t.Logf("%d links, %d substituted opponents", len(linked), substituted)
}

// signed tells that there is a mark on the board.
const signed = `document.querySelector(".cell .sign")`

// openLinked opens a link with an opponent and has it play; it returns the script that
// tells that it did.
func (b *tab) openLinked(page, game, spec string) (played string) {
	b.Helper()
	query := "?game=" + url.QueryEscape(game)
	spec = url.QueryEscape(spec)
	switch page {
	case "learn":
		b.open("learn" + query + "&learner=lms&games=2&runs=1&exam=2&pace=0&against=" + spec)
		b.until("the opponents are offered", `document.querySelector("#against option:nth-child(2)")`)
		b.press("Start")
		return `document.querySelector(".statusline")?.textContent.includes("finished")`
	case "play":
		b.open("play" + query + "&first=" + spec + "&second=human")
		return signed
	default:
		id := eval[string](b, fmt.Sprintf(`fetch("api/v1/pupils", {method: "POST", headers: {"Content-Type": "application/json"},
			body: JSON.stringify({game: %s, learner: "table", seats: "second"})}).then(r => r.json()).then(p => p.id)`,
			quote(game)))
		b.open("teach" + query + "&pupil=" + id + "&by=" + spec)
		b.until("all players are known", `document.querySelector("#by-forms option")`)
		b.press("One move")
		return signed
	}
}

// TestLinkedLearners: a learner, option or head start that a link names is not replaced
// either.
func TestLinkedLearners(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "learn")
	b.expectRefusals()
	for address, refused := range map[string]string{
		"learn?learner=tabel":                           "“tabel”; there are menace",
		"learn?game=meta&learner=menace":                "this game has too many",
		"learn?learner=lms:features=nope":               `"nope" is no feature; there are`,
		"learn?learner=lms:features=wins%2Bforks*trun":  `"trun" is no feature; there are`,
		"learn?learner=table:colour=3":                  `unknown option "colour"; options are`,
		"learn?learner=table:learn=nobody":              "learn=nobody: it must be one of",
		"learn?learner=lms:features=counts,weights=1/2": "5 features of counts, which are",
		"learn?learner=table&start=middle":              `"middle": there are`,
		"learn?learner=table&seats=both":                `"both": they are`,
		"teach?learner=tabel":                           "“tabel”; there are menace",
		"teach?learner=menace:colour=3":                 `unknown option "colour"; options are`,
		"teach?head=lots":                               "“lots”; there are more",
	} {
		b.open(address)
		b.until("the learners are there", `document.querySelectorAll("#learner option").length > 5`)
		eval[bool](b, button("Start")+`?.click() ?? true`) // where it is not pale already
		b.says(".failure", refused)
	}
}
