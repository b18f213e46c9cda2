package typed

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"oxo"
	"oxo/games/ultimate"
	"oxo/prove"
	"oxo/prove/certificate"
	"oxo/prove/moves"
	"oxo/prove/verify"
)

// nineBoards returns what proofs ask of a game of nine boards, nil for any other game.
func nineBoards[P oxo.Position[P]](b *bound[P]) *moves.Game[ultimate.Pos] {
	own, ok := any(b).(*bound[ultimate.Pos])
	if !ok {
		return nil
	}
	row := certificateOf(own.Start).Goal == certificate.Row
	return &moves.Game[ultimate.Pos]{
		Game: own.Game,
		Form: func(p ultimate.Pos) (string, int) {
			form, symmetry := certificateOf(p).Form()
			return string(form[:]), symmetry
		},
		Turn: func(symmetry int, m oxo.Move) oxo.Move {
			return oxo.Move(certificate.TurnSquare(symmetry, uint8(m)))
		},
		Needs: func(p ultimate.Pos, seat oxo.Seat) int {
			if !row {
				return 0 // the number of boards wins, too
			}
			return own.Outlook(p, seat)
		},
		Gains: func(p, q ultimate.Pos) bool { return p.Owned(p.Turn()) != q.Owned(p.Turn()) },
	}
}

// certificateOf returns a position of nine boards as certificates have it.
func certificateOf(p ultimate.Pos) *certificate.Nine {
	n := &certificate.Nine{Open: p.Rules()&ultimate.Open != 0, Active: uint8(p.Active() + 1)}
	switch r := p.Rules(); {
	case r&ultimate.Most != 0:
		n.Goal = certificate.RowOrMost
	case r&^ultimate.Open != 0:
		n.Goal = certificate.Most
	}
	for seat := range uint8(2) {
		owned := p.Owned(oxo.Seat(seat))
		for b := range 9 {
			if owned>>b&1 != 0 {
				n.Owner[b] = 1 + seat
			}
			cells := p.Cells(oxo.Seat(seat), b)
			for c := range 9 {
				if cells>>c&1 != 0 {
					n.Marks[9*b+c] = 1 + seat
				}
			}
		}
	}
	return n
}

// questionOfNine returns a position of nine boards as the checker sees it.
func questionOfNine(g *certificate.Game) *verify.Game {
	n := g.Nine
	return &verify.Game{Spec: g.Spec, Nine: &verify.Nine{Goal: int(n.Goal), Open: n.Open, Marks: n.Marks,
		Owner: n.Owner, Active: int(n.Active), Turn: int(g.Turn)}}
}

// nineText writes a position of nine boards as its game reads it: nine rows from the top, the
// side to move, the active board, and the owners where won boards stay open.
func nineText(n *verify.Nine) string {
	mark := func(who uint8) byte { return ".xo"[who] }
	var text strings.Builder
	for row := range 9 {
		if row > 0 {
			text.WriteByte('/')
		}
		for column := range 9 {
			text.WriteByte(mark(n.Marks[9*(row/3*3+column/3)+row%3*3+column%3]))
		}
	}
	active := byte('-')
	if n.Active > 0 {
		active = byte('0' + n.Active)
	}
	fmt.Fprintf(&text, " %c %c", "xo"[n.Turn], active)
	if n.Open {
		text.WriteByte(' ')
		for _, owner := range n.Owner {
			text.WriteByte(mark(owner))
		}
	}
	return text.String()
}

// nineSpec returns the spec of the game of nine boards of these rules.
func nineSpec(n *verify.Nine) (string, error) {
	spec := "ultimate"
	switch certificate.NineGoal(n.Goal) {
	case certificate.RowOrMost:
		spec += "+most"
	case certificate.Most:
		if spec = "meta"; n.Open {
			return "", errors.New("its game of nine boards counts them and leaves won ones open: there is none such")
		}
	}
	if n.Open {
		spec += "+open"
	}
	return spec, nil
}

// describeNine says in words what game of nine boards a file describes, and which position.
func describeNine(n *verify.Nine) string {
	wins := map[certificate.NineGoal]string{certificate.Row: "three in a row win",
		certificate.RowOrMost: "three in a row win, else more", certificate.Most: "more win"}
	text := "nine boards of which " + wins[certificate.NineGoal(n.Goal)]
	if n.Open {
		text += ", won ones stay open"
	}
	count := 0
	for _, mark := range n.Marks {
		if mark != 0 {
			count++
		}
	}
	return fmt.Sprintf("%s, %d marks, the %v side to move", text, count, oxo.Seat(n.Turn))
}

// questionsOf returns what has to be shown for a claim, see [verify.ParseClaim]; none for
// an empty one.
func questionsOf(claim string, plies int) (asked []moves.Question, err error) {
	if claim == "" {
		return nil, nil
	}
	c, err := verify.ParseClaim(claim)
	if err != nil {
		return nil, err
	}
	seat, wins, within := c.Asks()
	if within == 0 || within > plies {
		within = plies
	}
	for s := range 2 {
		if seat < 0 || seat == s {
			asked = append(asked, moves.Question{Seat: oxo.Seat(s), Wins: wins && seat >= 0, Plies: within})
		}
	}
	return asked, nil
}

// proveNine proves the value of a position of a game of nine boards, or a claim about it.
func (f proving[P]) proveNine(ctx context.Context, g *moves.Game[ultimate.Pos], o ProveOptions) (*ProveResult, error) {
	root, at, err := f.Root(o.Position)
	if err != nil {
		return nil, err
	}
	if o.Checkpoint != nil || o.Resume != nil {
		return nil, errors.New("proofs of games of nine boards keep no work to go on from")
	}
	asked, err := questionsOf(o.Claim, g.MaxPlies)
	if err != nil {
		return nil, fault("claim", err)
	}
	p, err := g.Parse(at)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	mo := moves.Options{Time: o.Time, Nodes: o.Nodes, Memory: o.Memory, All: o.All}
	if o.Progress != nil {
		mo.Progress = func(m moves.Progress) {
			o.Progress(prove.Progress{Question: m.Question.String(), Proof: m.Proof, Disproof: m.Disproof, Nodes: m.Nodes,
				Elapsed: time.Since(began), Memory: m.Memory})
		}
	}
	found, err := moves.Prove(ctx, g, p, asked, mo)
	if err != nil {
		return nil, err
	}
	r := &ProveResult{Game: f.b.Spec, Position: at, Value: "unknown", Proved: "nothing", Nodes: found.Nodes}
	if found.No != nil {
		r.Proved = fmt.Sprintf("nothing: %v", found.No)
	}
	if len(found.Claims) > 0 {
		r.Proof = &certificate.Proof{Game: root}
		for _, c := range found.Claims {
			r.Proof.Claims = append(r.Proof.Claims, claimOfMoves(c))
		}
		v, err := f.Checked(ctx, root, r.Proof)
		if err != nil {
			return nil, err
		}
		r.shown(v)
	}
	r.Seconds = time.Since(began).Seconds()
	return r, nil
}

func claimOfMoves(c moves.Claim) certificate.Claim {
	out := certificate.Claim{Seat: c.Seat, Wins: c.Wins, Plies: c.Plies, Moves: make([]uint8, len(c.Moves))}
	for i, m := range c.Moves {
		out.Moves[i] = uint8(m)
	}
	return out
}
