package typed

import (
	"os"
	"strings"
	"testing"

	"oxo/lab/internal/game"
	"oxo/search"
)

// TestEvals checks which evaluation each search gets where none is named.
func TestEvals(t *testing.T) {
	l := &game.Lab{Kinds: BuiltInKinds(), ReadFile: func(path string) ([]byte, error) {
		switch path {
		case "good.net":
			return os.ReadFile("../../../eval/ninenet/ultimate.net")
		case "bad.net":
			return []byte("net"), nil
		}
		return nil, os.ErrNotExist
	}}
	for _, c := range []struct {
		game, player string
		refused      string // "" where it is not
	}{
		{"ultimate", "mcts:sims=10", ""},
		{"ultimate", "mcts:sims=10,eval=net", ""},
		{"ultimate", "mcts:sims=10,rave=100", ""},
		{"ultimate", "mcts:sims=10,rave=100,eval=net", "random games"},
		{"ultimate", "mcts:sims=10,eval=good.net", ""},
		{"ultimate", "alphabeta:depth=2,eval=good.net", ""},
		{"ultimate", "mcts:sims=10,eval=bad.net", "bytes"},
		{"ultimate", "mcts:sims=10,eval=other.net", "not exist"},
		{"ultimate", "mcts:sims=10,eval=rows", "none, net, weger"},
		{"ttt", "mcts:sims=10,eval=good.net", "nine boards"},
		{"ttt", "mcts:sims=10,eval=rows,temperature=0.2,memory=1M,reuse=no,proof=no", ""},
		{"ttt", "mcts:sims=10,temperature=0", "above 0"},
		{"ttt", "mcts:sims=10,temperature=NaN", "above 0"},
		{"ttt", "mcts:sims=10,explore=Inf", "above 0"},
		{"ttt", "mcts:sims=10,memory=64", "such as 64M"},
		{"ttt", "mcts:sims=10,memory=99999999M", "this machine has"},
		{"ttt", "mcts:sims=10,workers=1000000000", "1024 cores at most"},
		{"ttt", "mcts:sims=10,memory=9999999999999M", "such as 64M"},
		{"ttt", "mcts:sims=10,memory=64G", "in mebibytes such as 64M is needed, at most"},
		{"ttt", "mcts:sims=10,proof=maybe", "yes or no"},
		{"ultimate", "mcts:sims=10,dfpn=0.3,workers=2", ""},
		{"ttt", "mcts:sims=10,eval=none,dfpn=0", ""},
		{"ttt", "mcts:sims=10,dfpn=-1", "from 0, for none, to 1000"},
		{"ttt", "mcts:sims=10,dfpn=NaN", "from 0, for none, to 1000"},
		{"ttt", "mcts:sims=10,dfpn=1,proof=no", "with proven values"},
		{"ttt+slip=0.1", "mcts:sims=10,dfpn=1", "chance"},
		{"ttt", "mcts:sims=10,reuse=", "needs a value"},
		{"ttt", "mcts:eval=rows", "needs a limit"},
	} {
		g, err := l.Game(c.game)
		if err != nil {
			t.Fatal(err)
		}
		_, err = g.NewSession(game.SessionOptions{First: c.player, Second: "random"})
		switch {
		case c.refused == "" && err != nil:
			t.Errorf("%s on %s: %v", c.player, c.game, err)
		case c.refused != "" && (err == nil || !strings.Contains(err.Error(), c.refused)):
			t.Errorf("%s on %s: error %v, want one that says %q", c.player, c.game, err, c.refused)
		}
	}
	for spec, guided := range map[string]bool{"ultimate": true, "ultimate+most": true, "meta": true, "mnk:5,5,4": false,
		"race:4": false} {
		g, err := l.Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		r, err := g.Searching().Search(t.Context(), game.SearchOptions{Algorithm: string(search.MCTS), Sims: 2})
		if err != nil {
			t.Fatal(err)
		}
		// With an evaluation the first simulation makes the root's children and
		// the second those of one of them.
		if r.Stored > 15 != guided {
			t.Errorf("%s: %d nodes after two simulations", spec, r.Stored)
		}
	}
}
