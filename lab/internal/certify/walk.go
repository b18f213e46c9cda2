package certify

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"oxo"
	"oxo/board"
	"oxo/games/kind"
	"oxo/lab/internal/game"
	"oxo/prove/certificate"
	"oxo/prove/moves"
)

// Walk is a game against the strategy of a proof.
type Walk struct {
	Info  game.Info  `json:"info"`
	Start string     `json:"start"`
	Seat  string     `json:"seat" enum:"first,second" doc:"whom the strategy plays"`
	Wins  bool       `json:"wins" doc:"whether it claims to win; else not to lose"`
	Plies int        `json:"plies,omitempty" doc:"within which it wins, or does not lose, from where the proof begins; 0 where the claim is of the whole game"`
	Over  bool       `json:"over" doc:"whether these plies were played and the claim was kept; the walk ends there, even if the game does not"`
	Moves []string   `json:"moves" doc:"of both sides"`
	Notes []string   `json:"notes" doc:"for each move why the proof plays it; empty for those of the other side"`
	State game.State `json:"state"`
	Owned [][]int    `json:"owned"`
}

// Strategy is that of a proof for one side, in text. Both kinds of strategies have it: those with a
// node for each position, and those that are moves alone.
type Strategy interface {
	Turn() oxo.Seat // whose move it is
	Seat() oxo.Seat
	Wins() bool
	Plies() int // of which the claim speaks, 0 for the whole game
	// playOwnMove makes the strategy's move, and says why.
	playOwnMove() (move, why string, err error)
	// playReply makes a move of the other side.
	playReply(move string) error
}

// repeatable is a strategy of which again returns another one, as it begins.
type repeatable interface{ copyFromStart() Strategy }

// strategyOf returns the strategy of a side; without a side that of the one that the proof claims most
// for. Reading a strategy of moves takes a while, so it is kept, and each walk has a copy that begins
// at its start.
func (c *Certificate) strategyOf(seat string) (Strategy, error) {
	if c.Proof.ByMoves() {
		claim, err := c.StrongestMoveClaim(seat)
		if err != nil {
			return nil, err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.byMove[claim] == nil {
			s, err := checkableOf(c.game).MoveStrategy(c.Summary.Position, claim, c.Room)
			if err != nil {
				return nil, err
			}
			c.byMove[claim] = s.(repeatable)
		}
		return c.byMove[claim].copyFromStart(), nil
	}
	w, err := c.strategyWalker(seat)
	return &squareWalker{w, c.game.Info().Squares, c.Proof.Game.Rules.Place == board.Either}, err
}

// Walk plays the replies against the strategy of a side, which answers each of them. Without a side it
// is the one that the proof claims most for. Replies are moves in text. The walk ends with the game,
// with the replies, or with the plies of the claim; a reply that is left over is an error.
func (c *Certificate) Walk(seat string, replies []string) (*Walk, error) {
	w, err := c.strategyOf(seat)
	if err != nil {
		return nil, err
	}
	s, err := c.game.NewSession(game.SessionOptions{First: game.Human, Second: game.Human,
		Position: c.Summary.Position})
	if err != nil {
		return nil, err
	}
	info := c.game.Info()
	// There may be many winning sets, of which a walk shows only those that are owned.
	info.Lines, info.Bars = nil, nil
	out := &Walk{Info: info, Start: c.Summary.Position, Seat: w.Seat().String(), Wins: w.Wins(), Plies: w.Plies(),
		Moves: []string{}, Notes: []string{}, Owned: [][]int{}}
	for !s.Over() {
		if out.Over = !w.Wins() && w.Plies() > 0 && len(out.Moves) >= w.Plies(); out.Over {
			break
		}
		note := ""
		if w.Turn() == w.Seat() {
			var move string
			if move, note, err = w.playOwnMove(); err == nil {
				err = s.Move(move)
			}
		} else {
			if len(replies) == 0 {
				break
			}
			if err := s.Move(replies[0]); err != nil {
				return nil, fmt.Errorf("reply %d: %w", len(out.Moves)+1, err)
			}
			made := s.Record().Moves
			err = w.playReply(made[len(made)-1])
			replies = replies[1:]
		}
		if err != nil {
			return nil, err
		}
		// Moves are noted as the game writes them, which need not be how they came.
		out.Moves, out.Notes = s.Record().Moves, append(out.Notes, note)
	}
	if len(replies) > 0 && out.Over {
		return nil, fmt.Errorf("reply %q comes after the %d plies of the claim", replies[0], out.Plies)
	}
	if len(replies) > 0 {
		return nil, fmt.Errorf("reply %q comes after the end of the game", replies[0])
	}
	out.State = s.State()
	out.Owned = s.CompletedSetSquares()
	return out, nil
}

// squareWalker is the strategy of a proof about squares.
type squareWalker struct {
	*certificate.Walker
	squares []kind.Square
	either  bool // whether a move names its mark
}

// Plies returns 0, as claims of such strategies speak of the whole game.
func (w *squareWalker) Plies() int { return 0 }

// playOwnMove makes the strategy's move, and says why it is made.
func (w *squareWalker) playOwnMove() (move, why string, err error) {
	m, why, err := w.PlayMove()
	if err != nil {
		return "", "", err
	}
	name := w.squares[board.Square(m)].Name
	if w.either {
		// Bit 8 of the walker's move says which mark, 0 for X.
		name = "xo"[m>>8:][:1] + "@" + name
	}
	return name, why, nil
}

// playReply takes in a reply of the other side.
func (w *squareWalker) playReply(reply string) error {
	name := kind.SquareOf(reply)
	move := slices.IndexFunc(w.squares, func(q kind.Square) bool { return q.Name == name })
	if strings.HasPrefix(reply, "o@") {
		move |= 1 << 8
	}
	return w.PlayReply(oxo.Move(move))
}

// moveWalker is the strategy of a proof by moves alone, and a walk along it: p is where the walk is, and start
// where the proof begins. What it embeds is not changed by a walk, and is shared by all of them.
type moveWalker[P oxo.Position[P]] struct {
	moves.Answers[P]
	g        *oxo.Game[P]
	start, p P
	claim    *certificate.Claim
}

// NewMoveWalker returns the strategy of a claim by moves alone about a position, which s answers for.
func NewMoveWalker[P oxo.Position[P]](g *oxo.Game[P], s moves.Answers[P], position string,
	claim *certificate.Claim) (Strategy, error) {
	p, err := g.Parse(position)
	return &moveWalker[P]{s, g, p, p, claim}, err
}

func (w *moveWalker[P]) Turn() oxo.Seat { return w.p.Turn() }
func (w *moveWalker[P]) Seat() oxo.Seat { return w.claim.Seat }
func (w *moveWalker[P]) Wins() bool     { return w.claim.Wins }
func (w *moveWalker[P]) Plies() int     { return boundedPlies(w.claim, w.g.MaxPlies) }

// copyFromStart returns the strategy at the start of the proof.
func (w *moveWalker[P]) copyFromStart() Strategy {
	begun := *w
	begun.p = begun.start
	return &begun
}

// playOwnMove makes the strategy's move, and says why it is made.
func (w *moveWalker[P]) playOwnMove() (move, why string, err error) {
	m, listed, err := w.Move(w.p)
	if err != nil {
		return "", "", err
	}
	text, kept := w.g.FormatMove(w.p, m), w.Kept(w.p)
	w.p = w.p.Play(m)
	switch {
	case listed:
	case kept:
		return text, "any move does", nil
	default:
		return text, "follows the other side's marks, or completes a line", nil
	}
	return text, "the proof's move", nil
}

// playReply takes in a reply of the other side.
func (w *moveWalker[P]) playReply(reply string) error {
	m, err := w.g.ParseMove(w.p, reply)
	if err == nil {
		w.p = w.p.Play(m)
	}
	return err
}

// StrongestMoveClaim returns the claim, by moves alone, about a side, or without one the claim that says most.
// A claim to win says more than one not to lose. The error says that there is none about that side.
func (c *Certificate) StrongestMoveClaim(seat string) (*certificate.Claim, error) {
	var best *certificate.Claim
	for i := range c.Proof.Claims {
		claim := &c.Proof.Claims[i]
		if seat != "" && seat != claim.Seat.String() {
			continue
		}
		if best == nil || claim.Wins && !best.Wins {
			best = claim
		}
	}
	if best == nil {
		return nil, fmt.Errorf("the proof has no strategy for the %s player", seat)
	}
	return best, nil
}

// boundedPlies returns how many plies a claim by moves alone speaks of, 0 where that is the whole game.
func boundedPlies(c *certificate.Claim, gamePlies int) (plies int) {
	if !c.Wins && c.Plies >= gamePlies {
		return 0
	}
	return c.Plies
}

// StrongestClaim returns whose strategy claims most, whether it wins, and how many plies the claim speaks of, 0 for the
// whole game. The error is of a proof without a strategy.
func (c *Certificate) StrongestClaim() (seat oxo.Seat, wins bool, plies int, err error) {
	if c.Proof.ByMoves() {
		claim, err := c.StrongestMoveClaim("")
		if err != nil {
			return 0, false, 0, err
		}
		return claim.Seat, claim.Wins, boundedPlies(claim, mostPlies(c.Proof)), nil
	}
	w, err := c.strategyWalker("")
	if err != nil {
		return 0, false, 0, err
	}
	return w.Seat(), w.Wins(), 0, nil
}

// mostPlies returns how many squares the game of a proof by moves alone has to mark, which it does not outlast; 0 of a
// race, which need not end.
func mostPlies(p *certificate.Proof) int {
	switch {
	case p.Game.Nine != nil:
		return len(p.Game.Nine.Marks)
	case p.Game.Race != nil:
		return 0
	}
	return p.Game.Board.N
}

// strategyWalker returns the strategy of a seat; of either, where none is named, that which claims most.
func (c *Certificate) strategyWalker(seat string) (*certificate.Walker, error) {
	var best *certificate.Walker
	for _, s := range []oxo.Seat{oxo.First, oxo.Second} {
		w, err := certificate.NewWalker(c.Proof, s)
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
