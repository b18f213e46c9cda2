package lab_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"oxo"
	"oxo/games/race"
	"oxo/lab"
	"oxo/prove/certificate"
)

// racePositions lists positions of races in which play goes on: the start of each up to 40 squares, and of races of up
// to eight squares all that play leads to.
func racePositions(t *testing.T) (specs, positions []string) {
	for n := race.MinSquares; n <= 40; n++ {
		g, err := race.New(n)
		if err != nil {
			t.Fatal(err)
		}
		specs, positions = append(specs, g.Spec), append(positions, g.Format(g.Start))
		for code := range uint64(2 * n * n) {
			if p, ok := g.Decode(code); n <= 8 && ok && p != g.Start && p.Outcome() == oxo.Ongoing {
				specs, positions = append(specs, g.Spec), append(positions, g.Format(p))
			}
		}
	}
	return specs, positions
}

// TestRacesSequential proves races from their starts and from all positions of small ones: who wins and within how
// many plies are what the solver says, no fewer plies are shown, and both checkers accept each certificate. A walk
// against it ends within them.
func TestRacesSequential(t *testing.T) {
	l := &lab.Lab{}
	dir := t.TempDir()
	args, want := []string{"../examples/checker/checker.mjs"}, []string{}
	r := rand.New(rand.NewPCG(3, 40))
	specs, positions := racePositions(t)
	for k, spec := range specs {
		g, err := l.Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		proofs, err := g.Proving()
		if err != nil {
			t.Fatal(err)
		}
		at := positions[k]
		found, err := proofs.Prove(t.Context(), lab.ProveOptions{Position: at})
		if err != nil || found.Proof == nil || found.Position != at {
			t.Fatalf("%s, %s: %+v, %v", spec, at, found, err)
		}
		exact, err := g.Solving().Solve(t.Context(), lab.SolveOptions{Position: at})
		if err != nil {
			t.Fatal(err)
		}
		plies := *exact.Remoteness
		if found.Value != exact.Value || found.Proved != fmt.Sprintf("%s wins within %d plies", exact.Value, plies) {
			t.Errorf("%s, %s: %+v, where it is %s in %d", spec, at, found, exact.Value, plies)
		}
		var file bytes.Buffer
		if _, err := found.Proof.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		for claim, shown := range map[string]bool{"": true, exact.Value: true, "not-lose:" + exact.Value: true,
			fmt.Sprintf("%s<=%d", exact.Value, plies): true, fmt.Sprintf("%s<=%d", exact.Value, plies-1): false,
			"draw": false} {
			if claim == exact.Value+"<=0" {
				continue
			}
			v, err := l.VerifyBytes(t.Context(), file.Bytes(), lab.Question{Game: spec, Position: at, Claim: claim})
			if err != nil || v.OK != shown || v.Position != at {
				t.Errorf("%s, %s, %s: %+v, %v", spec, at, claim, v, err)
			}
		}
		path := filepath.Join(dir, fmt.Sprintf("%d.proof", k))
		if err := os.WriteFile(path, file.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		args, want = append(args, path), append(want, exact.Value)
		c, err := l.Certificate(t.Context(), bytes.NewReader(file.Bytes()), int64(file.Len()), lab.Question{})
		if err != nil {
			t.Fatal(err)
		}
		w, replies := randomWalk(t, c, r)
		if w.State.Result != exact.Value || len(w.Moves) > plies {
			t.Errorf("%s, %s, %v: %s after %d plies, where it wins within %d", spec, at, replies, w.State.Result,
				len(w.Moves), plies)
		}
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node here, which the second checker needs; ./check installs it")
	}
	out, err := exec.Command(node, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	if len(lines) != len(want) || len(want) < 140 {
		t.Fatalf("%d verdicts of %d files", len(lines), len(want))
	}
	for i, line := range lines {
		var v struct {
			OK              bool
			Value, Position string
		}
		row, turn, _ := strings.Cut(positions[i], " ")
		at := row + ", " + map[string]string{"x": "first", "o": "second"}[turn] + " to move"
		if err := json.Unmarshal(line, &v); err != nil || !v.OK || v.Value != want[i] || v.Position != at {
			t.Errorf("%s, %s: %s, %v", specs[i], positions[i], line, err)
		}
	}
}

// TestRaceNames: the name that a certificate of a race gives its game is believed only where it is that game's, and a
// position is refused to which no play of the game leads.
func TestRaceNames(t *testing.T) {
	l := &lab.Lab{}
	write := func(name string, tokens [2]uint8, plies int, moves ...uint8) []byte {
		claim := certificate.Claim{Wins: true, Plies: plies, Moves: moves}
		for k := range moves {
			claim.Ranks = append(claim.Ranks, plies-2*k)
		}
		p := certificate.Proof{Game: certificate.Setup{Spec: name, Race: &certificate.Race{Squares: 4, Tokens: tokens}},
			Claims: []certificate.Claim{claim}}
		var file bytes.Buffer
		if _, err := p.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		return file.Bytes()
	}
	for name, says := range map[string]string{
		"race:4": "", "my race": "",
		"race:5":   "it calls its game race:5 and describes another: its row has 4 squares",
		"ultimate": "its game is a race, and the one that is asked for is one of nine boards",
		"ttt":      "its game is a race, and the one that is asked for is one of squares and winning sets",
	} {
		v, err := l.VerifyBytes(t.Context(), write(name, [2]uint8{0, 3}, 3, 1, 3), lab.Question{})
		if err != nil || v.OK != (says == "") || v.Named != (name == "race:4") || !strings.Contains(v.Reason, says) ||
			v.Described != "a race on 4 squares, X on 1, O on 4, the first side to move" {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
	v, err := l.VerifyBytes(t.Context(), write("race:4", [2]uint8{2, 1}, 1, 3), lab.Question{})
	if err != nil || v.OK || !strings.Contains(v.Reason, "race:4 can't have the position that it is about") {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestRaceNotLost plays at random against a strategy that does not lose, which need not win either.
func TestRaceNotLost(t *testing.T) {
	c := certificateFor(t, "race:9", lab.ProveOptions{Claim: "not-lose:second"})
	if c == nil || c.Summary.Shows != "not-lose:second" || c.Summary.Claims[0].Plies != 0 ||
		c.Summary.Repeat != "oxo prove race:9 --claim not-lose:second" {
		t.Fatalf("%+v", c.Summary)
	}
	if w, err := c.Walk("second", []string{"2", "3"}); err != nil || w.Wins || w.Plies != 0 ||
		!slices.Contains(w.Notes, "the proof's move") {
		t.Errorf("%+v, %v", w, err)
	}
	if none := certificateFor(t, "race:9", lab.ProveOptions{Claim: "not-lose:first"}); none != nil {
		t.Errorf("%+v", none.Summary)
	}
}
