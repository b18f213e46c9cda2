package typed

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"oxo/lab/internal/certify"
	"oxo/lab/internal/game"
	"oxo/lab/internal/opened"
)

// TestCarriedProofs: the checker accepts every proof that the program has with it, each is
// found by the game that it is about, and says of itself what the checker does. The judge believes them
// unchecked.
func TestCarriedProofs(t *testing.T) {
	t.Parallel()
	files, err := os.ReadDir("../opened/proofs")
	if err != nil || len(files) != len(opened.Carried) {
		t.Fatalf("%d files, %d proofs: %v", len(files), len(opened.Carried), err)
	}
	for i := range opened.Carried {
		of := &opened.Carried[i]
		g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game(of.Game)
		if err != nil {
			t.Fatal(err)
		}
		if opened.FindCarriedProof(g.Info().Spec, g.Info().Identity) != of ||
			opened.FindCarriedProof(of.FileID()) != of {
			t.Errorf("%s: its game does not find it", of.Game)
		}
		c, err := of.Open(g, certify.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		_, command := c.Summary.Commands("f")
		_, claim, _ := strings.Cut(command, "--claim ")
		v, err := certify.Verify(t.Context(), CertificateGames(&game.Lab{Kinds: BuiltInKinds()}),
			bytes.NewReader(of.Data()),
			int64(len(of.Data())), certify.Question{Game: of.Game, Claim: strings.Trim(claim, "'")})
		if err != nil {
			t.Fatal(err)
		}
		if s := c.Summary; !v.OK || s.Value != v.Value || s.Nodes != v.Nodes || s.Position != v.Position || !s.Start ||
			s.Bytes != len(of.Data()) {
			t.Errorf("%s: %s: %s: it says %+v, and the checker %+v", of.Game, command, v.Reason, s, v)
		}
	}
}

// carriedWithin is how many seconds of processor time a proof took that [TestCarriedAgain] finds again.
var carriedWithin = 0.5

// TestCarriedAgain finds the proofs again that the program has with it: the same bytes, after as
// many positions.
func TestCarriedAgain(t *testing.T) {
	for i := range opened.Carried {
		of := &opened.Carried[i]
		if of.Seconds > carriedWithin {
			continue
		}
		g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game(of.Game)
		if err != nil {
			t.Fatal(err)
		}
		proving, err := g.Proving()
		if err != nil {
			t.Fatal(err)
		}
		o := game.ProveOptions{Memory: 256 << 20, Workers: 1}
		switch of.Flags {
		case "":
		case "--memory 1GB":
			o.Memory = 1 << 30
		case "--claim 'first<=43'":
			o.Claim = "first<=43"
		default:
			t.Fatalf("%s: what does %s ask for?", of.Game, of.Flags)
		}
		r, err := proving.Prove(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if _, err := r.Proof.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(file.Bytes(), of.Data()) || r.Nodes != of.Nodes {
			t.Errorf("oxo prove %s %s --out %s.proof finds another proof, after %d positions: carry it", of.Game,
				of.Flags, of.FileID(), r.Nodes)
		}
	}
}

// TestCarriedProofKnownForNothing: what a proof shows that the program has with it is told without a budget.
func TestCarriedProofKnownForNothing(t *testing.T) {
	j, err := aGame(t, "ultimate+open").Judging().Judge(t.Context(), game.JudgeOptions{}, nil)
	if err != nil || j.Value != "first" || j.Within != 43 {
		t.Errorf("%+v, %v: want a win of First within 43 plies", j.Known, err)
	}
}
