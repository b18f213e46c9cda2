package opened

import (
	"embed"
	"strings"

	"oxo/lab/internal/certify"
	"oxo/lab/internal/game"
)

//go:embed proofs/*.proof
var carriedFiles embed.FS

// CarriedProof is a proof that the program has with it.
type CarriedProof struct {
	Game  string // its spec
	Flags string // that oxo prove was given beside the game
	certify.Search
}

// Carried are the proofs that the program has with it, in the order in which they are listed.
// TestCarriedAgain finds them again. The seconds are processor time of a two-core AMD EPYC virtual machine.
var Carried = []CarriedProof{
	{"ttt", "", certify.Search{Nodes: 47}},
	{"mnk:7,6,4+gravity", "--memory 1GB", certify.Search{Nodes: 269_406_651, Seconds: 163}},
	{"cube:4,3", "", certify.Search{Nodes: 344_798, Seconds: 7.93}},
	{"ultimate+open", "--claim 'first<=43'", certify.Search{Nodes: 344_779, Seconds: 0.92}},
	{"mnk:4,3,3", "", certify.Search{Nodes: 4}},
	{"mnk:4,4,4", "", certify.Search{}},
	{"mnk:5,5,4", "", certify.Search{Nodes: 23_431, Seconds: 0.09}},
	{"mnk:6,6,4", "", certify.Search{Nodes: 648}},
	{"mnk:7,7,5", "", certify.Search{Nodes: 7_689, Seconds: 0.19}},
	{"cube:3,3", "", certify.Search{Nodes: 4}},
	{"torus:4,4,4", "", certify.Search{Nodes: 30, Seconds: 0.02}},
	{"plane:projective,2", "", certify.Search{Nodes: 4}},
	{"plane:affine,4", "", certify.Search{Nodes: 281, Seconds: 0.01}},
	{"animal:tic,4,4", "", certify.Search{Nodes: 4, Seconds: 0.01}},
	{"animal:elly,4,4", "", certify.Search{Nodes: 191, Seconds: 0.02}},
	{"animal:knobby,5,5", "", certify.Search{Nodes: 115}},
	{"animal:tippy,3,3", "", certify.Search{Nodes: 17}},
	{"mnk:5,5,4+maker", "", certify.Search{Nodes: 84}},
	{"ttt+misere", "", certify.Search{Nodes: 185, Seconds: 0.01}},
}

// FileID names the proof. It is the spec with the signs that no file's name should have turned into
// dashes.
func (c *CarriedProof) FileID() string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(":,+=", r) {
			return '-'
		}
		return r
	}, c.Game)
}

// Open opens the proof, of the game g, to be played within the limits.
func (c *CarriedProof) Open(g game.Game, limits certify.Limits) (*certify.Certificate, error) {
	o, err := certify.OpenTrusted(g, c.Data(), limits)
	if err == nil {
		o.Summary.Repeat = strings.TrimSpace("oxo prove " + c.Game + " " + c.Flags)
	}
	return o, err
}

// Data returns the proof's file.
func (c *CarriedProof) Data() []byte {
	data, err := carriedFiles.ReadFile("proofs/" + c.FileID() + ".proof")
	if err != nil {
		panic(err) // TestCarriedProofs reads each
	}
	return data
}

// FindCarriedProof returns the proof that the program has with it of the game of that spec or identity, or of
// that id; nil where it has none.
func FindCarriedProof(specsOrIDs ...string) *CarriedProof {
	for i := range Carried {
		c := &Carried[i]
		for _, name := range specsOrIDs {
			if name == c.Game || name == c.FileID() || strings.Replace(name, "mnk:3,3,3", "ttt", 1) == c.Game {
				return c
			}
		}
	}
	return nil
}
