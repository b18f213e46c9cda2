package studio_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"oxo/board"
	"oxo/lab"
)

// replay is the program under Node that plays the games of a file by the page's own rules and
// writes what it comes to.
const replay = `
import { readFileSync } from "node:fs";
import { playedOut } from "./src/plain";
const games = JSON.parse(readFileSync(process.argv[2], "utf8"));
console.log(JSON.stringify(games.map(({ info, state, moves }) => {
	const start = { info, state, trail: [state.position], owned: [], last: "" };
	let p = start;
	const each = moves.map((move) => (p = playedOut(p, info, [move])));
	return [...each, playedOut(start, info, moves)].map((p) => p && { state: p.state, owned: p.owned });
})));
`

// played is a position as both sides tell it.
type played struct {
	State lab.State `json:"state"`
	Owned [][]int   `json:"owned"`
}

// TestPlain compares what the page makes of moves with what the server does, in random games of every game that it
// follows by itself.
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
	for _, spec := range followedGames(t) {
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
				positions = append(positions, played{session.State(), session.CompletedSetSquares()})
			}
			games, want = append(games, one), append(want, positions)
		}
	}
	if len(games) < 160 {
		t.Fatalf("only %d games are followed", len(games))
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
		for k, w := range append(positions, positions[len(positions)-1]) { // at last all moves at once
			wanted, _ := json.Marshal(w)
			found, _ := json.Marshal(got[i][k])
			if string(wanted) != string(found) {
				t.Fatalf("%s after %v:\n%s by the server\n%s by the page", games[i].Info.Spec,
					games[i].Moves[:min(k+1, len(positions))], wanted, found)
			}
		}
	}
}

// followedGames are the offered games that a page can follow by itself, and one of each rule that there is.
func followedGames(t *testing.T) []string {
	t.Helper()
	oxo := &lab.Lab{}
	specs := []string{"ultimate+most", "ultimate+open", "ultimate+most+open", "mnk:6,6,4+exact", "cube:3,3+gravity",
		"mnk:5,4,3+gravity+misere", "mnk:4,4,3+gravity+wild", "mnk:19,19,5+order", "mnk:17,17,6+exact"}
	for _, r := range board.AllRules[1:] {
		specs = append(specs, "mnk:4,3,3+"+r.Name)
	}
	for _, k := range oxo.ListKinds() {
		for _, o := range k.Offers {
			specs = append(specs, o.Spec)
		}
	}
	return slices.DeleteFunc(specs, func(spec string) bool {
		g, err := oxo.Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		return g.Info().Turns == nil
	})
}

// TestOthersAreAsked says which offered games only the server follows: where chance is drawn, marks move, or the game
// is a tree of its own.
func TestOthersAreAsked(t *testing.T) {
	oxo := &lab.Lab{}
	for _, k := range oxo.ListKinds() {
		for _, o := range k.Offers {
			g, err := oxo.Game(o.Spec)
			if err != nil {
				t.Fatal(err)
			}
			i := g.Info()
			if follows := i.Turns != nil; follows == (i.Chance || i.Loopy || i.Drawn == "tree") {
				t.Errorf("%s is followed by the page: %v", o.Spec, follows)
			}
		}
	}
}
