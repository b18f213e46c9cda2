// Package certify has certificates checked, opens those that hold, and plays their strategies.
package certify

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"unsafe"

	"oxo/lab/internal/game"
	"oxo/prove/certificate"
	"oxo/prove/verify"
)

// Certificate is a proof that was read from a file and holds. It is safe for
// concurrent use.
type Certificate struct {
	Summary CertificateSummary
	Proof   *certificate.Proof
	game    game.Game
	held    int64 // bytes, without the game
}

// CertificateSummary says what a proof is of and what it claims.
type CertificateSummary struct {
	Game     string        `json:"game"`
	Named    bool          `json:"named" doc:"whether game is the spec of a game that can be opened"`
	Title    string        `json:"title"`
	Position string        `json:"position" doc:"where the proof begins"`
	Start    bool          `json:"start" doc:"whether that is the game's start"`
	Value    string        `json:"value" doc:"first, second, draw or unknown"`
	Claims   []ClaimOfSeat `json:"claims"`
	Nodes    int           `json:"nodes" doc:"positions in the strategies, up to symmetry"`
	Bytes    int           `json:"bytes"`
}

// ClaimOfSeat is what a proof says about one side, and how.
type ClaimOfSeat struct {
	Seat  string `json:"seat" enum:"first,second"`
	Wins  bool   `json:"wins" doc:"that it wins, not only that it does not lose"`
	Nodes int    `json:"nodes" doc:"positions in its strategy; 0 where strategy stealing shows the claim"`

	// How many of the nodes end by what.
	Threats   int `json:"threats" doc:"nodes that are won by continuous threats"`
	Pairings  int `json:"pairings" doc:"nodes that end with a pairing"`
	Potential int `json:"potential" doc:"nodes that end by the Erdős–Selfridge potential"`
	Settled   int `json:"settled" doc:"nodes where nothing else can happen any more"`
}

// Open reads a certificate that shows what is asked, and refuses any other. Its
// game need not be one that can be opened: the certificate describes it.
func Open(ctx context.Context, games Games, data []byte, q Question) (*Certificate, error) {
	v, err := Verify(ctx, games, bytes.NewReader(data), int64(len(data)), q)
	if err != nil {
		return nil, err
	}
	return v.openCertificate(data, q.Limits.Memory)
}

// OpenAbout reads a certificate about any position of a game that is open.
func OpenAbout(ctx context.Context, g game.Game, data []byte) (*Certificate, error) {
	own, err := checkableOf(g).CheckerGame("")
	if err != nil {
		return nil, err
	}
	v, err := verifyAbout(ctx, g, data, verify.Question{Game: own, Anywhere: true})
	if err != nil {
		return nil, err
	}
	return v.openCertificate(data, 0)
}

// What a position takes of a certificate that is played, in bytes, and what all of them may
// take where nothing else is said.
const (
	nodeBytes  = 600
	moveBytes  = 300 // where the strategies are moves alone
	mostPlayed = 1 << 30
)

// openCertificate reads the certificate that the verdict is about, to be played, in so many
// bytes of memory; 0 is a gigabyte.
func (v *Verdict) openCertificate(data []byte, most int64) (*Certificate, error) {
	if !v.OK {
		return nil, fmt.Errorf("the certificate is refused: %s", v.Reason)
	}
	each := int64(nodeBytes)
	if v.byMoves {
		each = moveBytes
	}
	if most = cmp.Or(most, mostPlayed); int64(v.Nodes)*each > most {
		return nil, fmt.Errorf("the certificate is refused: its %d positions are more than can be played in %d MB",
			v.Nodes, most>>20)
	}
	p, err := certificate.Read(data)
	if err != nil {
		return nil, err
	}
	if err := ToCheckerGame(&p.Game).Differs(&v.checked); err != nil {
		return nil, fmt.Errorf("the certificate is read in two ways: %w", err)
	}
	info := v.game.Info()
	c := &Certificate{Proof: p, game: v.game, held: proofBytes(p)}
	c.Summary = CertificateSummary{Game: info.Spec, Named: v.Named, Title: info.Title, Position: v.Position,
		Start: v.Start, Value: v.Value, Nodes: v.Nodes,
		Bytes: len(data), Claims: []ClaimOfSeat{}}
	for i := range p.Claims {
		c.Summary.Claims = append(c.Summary.Claims, claimOf(&p.Claims[i]))
	}
	return c, nil
}

// Held returns about how many bytes of memory the certificate takes.
func (c *Certificate) Held() int64 { return c.held + game.Held(c.game) }

func proofBytes(p *certificate.Proof) (bytes int64) {
	for _, claim := range p.Claims {
		bytes += moveBytes * int64(len(claim.Moves))
	}
	if p.Game.Nine != nil {
		return bytes
	}
	for _, line := range p.Game.Board.Lines {
		bytes += int64(unsafe.Sizeof(line)) + 8*int64(line.Need.Len()) // it is listed at each of its squares
	}
	bytes += int64(len(p.Perms)) * int64(p.Game.Board.N+24)
	for _, claim := range p.Claims {
		for i := range claim.Nodes {
			n := &claim.Nodes[i]
			bytes += int64(unsafe.Sizeof(*n)) + int64(len(n.Line)+2*len(n.Pairs)) +
				int64(len(n.Replies))*int64(unsafe.Sizeof(certificate.ReplyNode{}))
			for _, line := range n.Threats {
				bytes += int64(len(line) + 24)
			}
		}
	}
	return bytes
}

func claimOf(c *certificate.Claim) ClaimOfSeat {
	out := ClaimOfSeat{Seat: c.Seat.String(), Wins: c.Wins, Nodes: len(c.Nodes) + len(c.Moves)}
	for i := range c.Nodes {
		switch n := &c.Nodes[i]; {
		case n.Kind == certificate.Line:
			out.Threats++
		case n.End == certificate.Pairing, n.End == certificate.Mirrored:
			out.Pairings++
		case n.End == certificate.Potential:
			out.Potential++
		case n.End == certificate.Settled:
			out.Settled++
		}
	}
	return out
}

// Game returns the game that the certificate is of.
func (c *Certificate) Game() game.Game { return c.game }
