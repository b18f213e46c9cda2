package studio_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"oxo/lab"
)

// replay is the program under Node that plays the games of a file by the page's own rules and
// writes what it comes to.
const replay = `
import { readFileSync } from "node:fs";
import { playedOut } from "./src/plain";
const games = JSON.parse(readFileSync(process.argv[2], "utf8"));
console.log(JSON.stringify(games.map(({ info, state, moves }) =>
	moves.map((_, i) => {
		const start = { info, state, trail: [state.position], owned: [], last: "" };
		const p = playedOut(start, info.lines, moves.slice(0, i + 1));
		return p && { state: p.state, owned: p.owned };
	}))));
`

// played is a position as both sides tell it.
type played struct {
	State lab.State `json:"state"`
	Owned []int     `json:"owned"`
}

// TestPlain compares the rules that the page knows with the server's, in random games of
// every plain game that is offered.
func TestPlain(t *testing.T) {
	oxo := &lab.Lab{}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("the rules of the page need node, which ./check installs")
	}
	type game struct {
		Info  lab.Info  `json:"info"`
		State lab.State `json:"state"`
		Moves []string  `json:"moves"`
	}
	var games []game
	var want [][]played
	for _, spec := range plainGames(t) {
		g, err := oxo.Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(4) {
			random := rand.New(rand.NewPCG(seed, 1))
			session, err := g.NewSession(lab.SessionOptions{First: lab.Human, Second: lab.Human})
			if err != nil {
				t.Fatal(err)
			}
			one, positions := game{g.Info(), session.State(), nil}, []played{}
			for s := session.State(); s.Result == "*"; s = session.State() {
				one.Moves = append(one.Moves, s.Moves[random.IntN(len(s.Moves))])
				if err := session.Move(one.Moves[len(one.Moves)-1]); err != nil {
					t.Fatal(err)
				}
				positions = append(positions, played{session.State(), append([]int{}, session.Owned()...)})
			}
			games, want = append(games, one), append(want, positions)
		}
	}
	if len(games) < 40 {
		t.Fatalf("only %d games are plain", len(games))
	}
	dir := t.TempDir()
	data, err := json.Marshal(games)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "games.json"), data, 0o644); err != nil {
		t.Fatal(err)
	}
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	built := api.Build(api.BuildOptions{
		Stdin:  &api.StdinOptions{Contents: replay, ResolveDir: here, Loader: api.LoaderTS},
		Bundle: true, Write: true, Outfile: filepath.Join(dir, "replay.mjs"), Format: api.FormatESModule,
		Platform: api.PlatformNode, TsconfigRaw: "{}",
	})
	if len(built.Errors) > 0 {
		t.Fatal(built.Errors)
	}
	out, err := exec.CommandContext(t.Context(), node, filepath.Join(dir, "replay.mjs"),
		filepath.Join(dir, "games.json")).Output()
	if err != nil {
		t.Fatal(err)
	}
	var got [][]*played
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	for i, positions := range want {
		for k, w := range positions {
			wanted, _ := json.Marshal(w)
			found, _ := json.Marshal(got[i][k])
			if string(wanted) != string(found) {
				t.Fatalf("%s after %v:\n%s by the server\n%s by the page", games[i].Info.Spec, games[i].Moves[:k+1],
					wanted, found)
			}
		}
	}
}

// plainGames are the offered games that call themselves plain.
func plainGames(t *testing.T) []string {
	t.Helper()
	oxo := &lab.Lab{}
	var specs []string
	for _, k := range oxo.Games() {
		for _, o := range k.Offers {
			g, err := oxo.Game(o.Spec)
			if err != nil {
				t.Fatal(err)
			}
			if g.Info().Plain {
				specs = append(specs, o.Spec)
			}
		}
	}
	return specs
}
