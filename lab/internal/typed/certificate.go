package typed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"oxo"
	"oxo/board"
	"oxo/games/kind"
	"oxo/prove/certificate"
)

// Certificate is a proof that was read from a file and holds. It is safe for
// concurrent use.
type Certificate struct {
	Summary CertificateSummary
	proof   *certificate.Proof
	game    Game
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

// Certificate reads a certificate that shows what is asked, and refuses any other. Its
// game need not be one that the lab can open: the certificate describes it.
func (l *Lab) Certificate(ctx context.Context, data []byte, q Question) (*Certificate, error) {
	v, err := l.VerifyBytes(ctx, data, q)
	if err != nil {
		return nil, err
	}
	return v.openCertificate(data, q.Limits.Memory)
}

// What a position takes of a certificate that is played, in bytes, and what all of them may
// take where nothing else is said.
const (
	nodeBytes  = 600
	mostPlayed = 1 << 30
)

// openCertificate reads the certificate that the verdict is about, to be played, in so many
// bytes of memory; 0 is a gigabyte.
func (v *Verdict) openCertificate(data []byte, most int64) (*Certificate, error) {
	if !v.OK {
		return nil, fmt.Errorf("the certificate is refused: %s", v.Reason)
	}
	if most = cmp.Or(most, mostPlayed); int64(v.Nodes)*nodeBytes > most {
		return nil, fmt.Errorf("the certificate is refused: its %d positions are more than can be played in %d MB",
			v.Nodes, most>>20)
	}
	p, err := certificate.Read(data)
	if err != nil {
		return nil, err
	}
	if err := toCheckerGame(&p.Game).Differs(&v.checked); err != nil {
		return nil, fmt.Errorf("the certificate is read in two ways: %w", err)
	}
	info := v.game.Info()
	c := &Certificate{proof: p, game: v.game, held: proofBytes(p)}
	c.Summary = CertificateSummary{Game: info.Spec, Named: v.Named, Title: info.Title, Position: v.Position,
		Start: v.Start, Value: v.Value, Nodes: v.Nodes,
		Bytes: len(data), Claims: []ClaimOfSeat{}}
	for i := range p.Claims {
		c.Summary.Claims = append(c.Summary.Claims, claimOf(&p.Claims[i]))
	}
	return c, nil
}

// Held returns about how many bytes of memory the certificate takes.
func (c *Certificate) Held() int64 { return c.held + Held(c.game) }

func proofBytes(p *certificate.Proof) (bytes int64) {
	if p.Game.Nine != nil {
		for _, claim := range p.Claims {
			bytes += nodeBytes / 2 * int64(len(claim.Moves))
		}
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

// Walk is a game against the strategy of a proof.
type Walk struct {
	Info  Info     `json:"info"`
	Start string   `json:"start"`
	Seat  string   `json:"seat" enum:"first,second" doc:"whom the strategy plays"`
	Wins  bool     `json:"wins" doc:"whether it claims to win; else not to lose"`
	Moves []string `json:"moves" doc:"of both sides"`
	Notes []string `json:"notes" doc:"for each move why the proof plays it; empty for those of the other side"`
	State State    `json:"state"`
	Owned []int    `json:"owned"`
}

// Walk plays the replies against the strategy of a side, which answers each of
// them. Without a side it is the one that the proof claims most for.
func (c *Certificate) Walk(seat string, replies []string) (*Walk, error) {
	if c.proof.Game.Nine != nil {
		return c.walkNine(seat, replies)
	}
	w, err := c.walker(seat)
	if err != nil {
		return nil, err
	}
	s, err := c.game.NewSession(SessionOptions{First: Human, Second: Human, Position: c.Summary.Position})
	if err != nil {
		return nil, err
	}
	info := c.game.Info()
	info.Lines = nil
	out := &Walk{Info: info, Start: c.Summary.Position, Seat: w.Seat().String(), Wins: w.Wins(), Moves: []string{},
		Notes: []string{}, Owned: []int{}}
	for !s.Over() {
		note := ""
		if w.Turn() == w.Seat() {
			move, why, err := w.Play()
			if err != nil {
				return nil, err
			}
			if err := s.Move(c.moveName(info, move)); err != nil {
				return nil, err
			}
			note = why
		} else {
			if len(replies) == 0 {
				break
			}
			if err := s.Move(replies[0]); err != nil {
				return nil, fmt.Errorf("reply %d: %w", len(out.Moves)+1, err)
			}
			moves := s.Record().Moves
			reply := moves[len(moves)-1]
			name := reply[strings.Index(reply, "@")+1:]
			move := slices.IndexFunc(info.Squares, func(q kind.Square) bool { return q.Name == name })
			if strings.HasPrefix(reply, "o@") {
				move |= 1 << 8
			}
			if err := w.Reply(oxo.Move(move)); err != nil {
				return nil, err
			}
			replies = replies[1:]
		}
		out.Moves, out.Notes = s.Record().Moves, append(out.Notes, note)
	}
	if len(replies) > 0 {
		return nil, fmt.Errorf("reply %q comes after the end of the game", replies[0])
	}
	out.State = s.State()
	if owned := s.Owned(); owned != nil {
		out.Owned = owned
	}
	return out, nil
}

// moveName says a move of the proof's game.
func (c *Certificate) moveName(info Info, move oxo.Move) string {
	name := info.Squares[board.Square(move)].Name
	if c.proof.Game.Rules.Place == board.Either {
		name = "xo"[move>>8:][:1] + "@" + name
	}
	return name
}

// Game returns the game that the certificate is of.
func (c *Certificate) Game() Game { return c.game }

// Seat returns the side whose strategy claims most.
func (c *Certificate) Seat() (oxo.Seat, error) {
	if c.proof.Game.Nine != nil {
		claim, err := c.nineClaim("")
		if err != nil {
			return 0, err
		}
		return claim.Seat, nil
	}
	w, err := c.walker("")
	if err != nil {
		return 0, err
	}
	return w.Seat(), nil
}

func (c *Certificate) walker(seat string) (*certificate.Walker, error) {
	var best *certificate.Walker
	for _, s := range []oxo.Seat{oxo.First, oxo.Second} {
		w, err := certificate.NewWalker(c.proof, s)
		if err != nil || seat != "" && seat != s.String() {
			continue
		}
		if best == nil || w.Wins() && !best.Wins() {
			best = w
		}
	}
	if best == nil {
		return nil, errors.New("the proof has no strategy for that side: strategy stealing shows its claim")
	}
	return best, nil
}
