// Package certify has certificates checked, opens those that hold, and plays their strategies.
package certify

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"
	"unicode"
	"unsafe"

	"oxo"
	"oxo/board"
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

	mu     sync.Mutex
	byMove map[*certificate.Claim]repeatable // strategies of moves that were read
}

// CertificateSummary says what a proof is of and what it claims.
type CertificateSummary struct {
	Game     string        `json:"game"`
	Named    bool          `json:"named" doc:"whether game is the spec of a game that can be opened"`
	Title    string        `json:"title" doc:"the game's title"`
	Position string        `json:"position" doc:"where the proof begins"`
	Start    bool          `json:"start" doc:"whether that is the game's start"`
	Value    string        `json:"value" doc:"first, second, draw or unknown"`
	Claims   []ClaimOfSeat `json:"claims" doc:"what it says of each side"`
	Nodes    int           `json:"nodes" doc:"positions in the strategies, up to symmetry"`
	Bytes    int           `json:"bytes" doc:"of its file"`
	Shows    string        `json:"shows" doc:"what it shows, as oxo verify reads a claim"`
	Method   string        `json:"method" doc:"how oxo prove finds such proofs"`
	Repeat   string        `json:"-"` // the command that looks for it again; empty where its game can't be opened by name
}

// Search says what the search for a proof took.
type Search struct {
	Nodes   uint64  `json:"nodes" doc:"positions searched"`
	Seconds float64 `json:"seconds" doc:"processor time; 0 where it is not known, or less than 0.005"`
}

// ClaimOfSeat is what a proof says about one side, and how.
type ClaimOfSeat struct {
	Seat  string `json:"seat" enum:"first,second" doc:"the side"`
	Wins  bool   `json:"wins" doc:"that it wins, not only that it does not lose"`
	Plies int    `json:"plies,omitempty" doc:"where the strategy is of moves alone: within how many plies"`
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
	moveBytes  = 60  // where the strategies are moves alone
	nineBytes  = 160 // where they are moves on nine boards
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
		each = bytesOfMove(v.checked.Nine != nil)
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
	c := newCertificate(v.game, p)
	c.Summary.Named, c.Summary.Position, c.Summary.Start = v.Named, v.Position, v.Start
	c.Summary.Value, c.Summary.Bytes = v.Value, len(data)
	c.Summary.describe(p)
	return c, nil
}

// OpenTrusted opens a certificate about the start of g that is known to hold.
func OpenTrusted(g game.Game, data []byte) (*Certificate, error) {
	own, err := checkableOf(g).CheckerGame("")
	if err != nil {
		return nil, err
	}
	p, err := certificate.Read(data)
	if err == nil {
		err = ToCheckerGame(&p.Game).Differs(own)
	}
	if err != nil {
		return nil, err
	}
	c := newCertificate(g, p)
	s := &c.Summary
	s.Named, s.Position, s.Start, s.Value, s.Bytes = true, g.Info().Start, true, "draw", len(data)
	for _, claim := range p.Claims {
		if claim.Wins {
			s.Value = claim.Seat.String()
		}
	}
	if p.Game.Rules.Full != oxo.Drawn && s.Value == "draw" && p.Game.Nine == nil {
		s.Value = p.Claims[0].Seat.String() // who does not lose wins
	}
	s.describe(p)
	return c, nil
}

// newCertificate returns a proof of g with what it says of itself.
func newCertificate(g game.Game, p *certificate.Proof) *Certificate {
	info := g.Info()
	c := &Certificate{Proof: p, game: g, held: proofBytes(p), byMove: map[*certificate.Claim]repeatable{}}
	c.Summary = CertificateSummary{Game: info.Spec, Title: info.Title, Method: methodOf(p), Claims: []ClaimOfSeat{}}
	for i := range p.Claims {
		claim := claimOf(&p.Claims[i])
		c.Summary.Nodes += claim.Nodes
		c.Summary.Claims = append(c.Summary.Claims, claim)
	}
	return c
}

// methodOf says how oxo prove finds proofs of that form.
func methodOf(p *certificate.Proof) string {
	switch {
	case p.Game.Nine != nil:
		return "proof-number search for plain moves"
	case p.ByMoves():
		return "the exact solver chooses the moves; follow-up and zugzwang end the strategy"
	case p.Game.Rules.Place == board.Own && p.Game.Board.Below == nil && p.Game.Rules.Name != board.Misere.Name:
		return "proof-number search with threats, pairs and zones"
	}
	return "proof-number search"
}

// describe sets the claim and the command that looks for the proof again.
func (s *CertificateSummary) describe(p *certificate.Proof) {
	c, squares := s.Claims[0], 81
	if p.Game.Nine == nil {
		squares = p.Game.Board.N
	}
	switch {
	case s.Value != "unknown" && !(c.Wins && p.ByMoves()):
		s.Shows = s.Value
	case c.Wins:
		s.Shows = fmt.Sprintf("%s<=%d", c.Seat, c.Plies)
	case p.ByMoves() && c.Plies < squares:
		s.Shows = fmt.Sprintf("%s>%d", otherSeat(c.Seat), c.Plies)
	default:
		s.Shows = "not-lose:" + c.Seat
	}
	if !s.Named {
		return
	}
	s.Repeat = "oxo prove " + quoted(s.Game)
	if !s.Start {
		s.Repeat += " --position " + quoted(s.Position)
	}
	if p.ByMoves() && (s.Value == "unknown" || p.Game.Nine != nil) {
		s.Repeat += " --claim " + quoted(s.Shows)
	}
}

func otherSeat(seat string) string {
	if seat == oxo.First.String() {
		return oxo.Second.String()
	}
	return oxo.First.String()
}

// quoted writes a word as a shell reads it.
func quoted(word string) string {
	if strings.IndexFunc(word, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(":,+=._/-", r)
	}) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\\''`) + "'"
}

// Commands returns the commands that find the certificate again, in a file of that name, and that check it.
func (s *CertificateSummary) Commands(file string) (prove, verify string) {
	verify = "oxo verify " + quoted(file)
	if s.Repeat == "" {
		return "", verify
	}
	verify += " --game " + quoted(s.Game)
	if !s.Start {
		verify += " --position " + quoted(s.Position)
	}
	return s.Repeat + " --out " + quoted(file), verify + " --claim " + quoted(s.Shows)
}

// Held returns about how many bytes of memory the certificate takes.
func (c *Certificate) Held() int64 { return c.held + game.Held(c.game) }

func bytesOfMove(nine bool) int64 {
	if nine {
		return nineBytes
	}
	return moveBytes
}

func proofBytes(p *certificate.Proof) (bytes int64) {
	for _, claim := range p.Claims {
		bytes += bytesOfMove(p.Game.Nine != nil) * int64(len(claim.Moves))
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
	out := ClaimOfSeat{Seat: c.Seat.String(), Wins: c.Wins, Plies: c.Plies, Nodes: len(c.Nodes) + len(c.Moves)}
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
