package opened

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"strings"

	"oxo"
	"oxo/board"
	"oxo/games/race"
	"oxo/games/ultimate"
	"oxo/judge"
	"oxo/lab/internal/certify"
	"oxo/lab/internal/game"
	"oxo/lab/internal/nine"
	"oxo/prove/certificate"
	"oxo/prove/columns"
	"oxo/prove/moves"
	"oxo/prove/verify"
)

// KnownStrategies returns the positions of the proofs of the game that the program has with it, which
// TestCarriedProofs checks, and of those that the lab is given, each checked. They are read
// once. The result is nil for games without proofs. A file that is refused shows nothing and is passed
// over; the error is that of ctx, after which they are read again.
func (b *TypedGame[P]) KnownStrategies(ctx context.Context) (*judge.Strategies[P], error) {
	k := &b.Knowing
	k.mu.Lock()
	defer k.mu.Unlock()
	_, nines := any(b).(*TypedGame[ultimate.Pos])
	if k.strategies != nil || b.Board == nil && !nines || b.Odds != nil {
		return k.strategies, nil
	}
	own, err := b.CheckerSetup("")
	if err != nil {
		return nil, nil
	}
	all := judge.NewStrategies(b.Game)
	all.Marks = func(p P) int { return CountMarks(b, p) }
	var files [][]byte
	if c := FindCarriedProof(b.Spec, b.Identity); c != nil {
		switch data := c.Data(); {
		case nines || certificate.OfColumns(data):
			files = append(files, data)
		default:
			p, err := certificate.Read(bytes.NewReader(data), int64(len(data)), nil)
			if err == nil {
				err = certify.ToCheckerSetup(&p.Game).FirstDifference(own)
			}
			if err != nil {
				return nil, err
			}
			all.AddProof(p, b.positionWithMarks)
		}
	}
	if b.Lab.Proofs != nil {
		files = append(files, b.Lab.Proofs(b.Spec)...)
	}
	for _, data := range files {
		if certificate.OfColumns(data) && len(data) > mostJudged {
			continue // the solver of falling marks is as quick
		}
		c, err := certify.VerifyAndOpenFor(ctx, b.Erased, bytes.NewReader(data), int64(len(data)), certify.Limits{})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		switch {
		case err != nil: // one that is refused shows nothing
		case c.Proof.ByMoves():
			b.addMoveProof(all, c)
		default:
			all.AddProof(c.Proof, b.positionWithMarks)
		}
	}
	k.strategies = all
	return all, nil
}

// addMoveProof takes up the positions of a checked proof by moves: of its claims that a side wins, or
// never loses. That there is no win within so many plies says nothing of what a position is worth.
// Ends notes within how many marks on the board a side wins, from which the distance follows at any
// later position.
func (b *TypedGame[P]) addMoveProof(all *judge.Strategies[P], c *certify.Certificate) {
	g := b.ProvableByMoves()
	p, err := b.Game.Parse(c.Summary.Position)
	if g == nil || err != nil {
		return
	}
	for i := range c.Proof.Claims {
		claim := &c.Proof.Claims[i]
		if !claim.Wins && claim.Plies < g.MaxPlies {
			continue
		}
		q := moves.Question{Seat: claim.Seat, Wins: claim.Wins, Plies: claim.Plies}
		if s, err := g.ReadStrategy(p, q, claim.Moves, c.Room); err == nil {
			_ = s.EachPosition(func(p P) { all.AddLowerBound(p, claim.Seat, claim.Wins) }) // followed already
			if claim.Wins {
				all.Ends[claim.Seat] = max(all.Ends[claim.Seat], claim.Plies+CountMarks(b, p))
			}
		}
	}
}

// NineBoardsAtHand is KnownStrategies of games of nine boards where they have been read, or are only those that the
// program has with the game, which takes a moment once; else nil.
func NineBoardsAtHand[P oxo.Position[P]](ctx context.Context, b *TypedGame[P]) (*judge.Strategies[P], error) {
	k := &b.Knowing
	k.mu.Lock()
	read := k.strategies
	k.mu.Unlock()
	switch {
	case b.Board != nil:
		return nil, nil
	case read != nil, FindCarriedProof(b.Spec, b.Identity) == nil,
		b.Lab.Proofs != nil && len(b.Lab.Proofs(b.Spec)) > 0:
		return read, nil
	}
	return b.KnownStrategies(ctx)
}

// UnprovableError says that proofs want another kind of game.
func UnprovableError[P oxo.Position[P]](b *TypedGame[P]) error {
	if b.Lines != nil {
		return b.NoBoardError("proofs")
	}
	return fmt.Errorf("proofs are of games with squares and winning sets, of nine boards, and of races; %s is none",
		b.Spec)
}

// CountMarks returns how many marks there are in a position of a board, or of nine.
func CountMarks[P oxo.Position[P]](b *TypedGame[P], p P) int {
	board, _, _ := strings.Cut(b.Format(p), " ")
	return strings.Count(board, "x") + strings.Count(board, "o")
}

// mostJudged is how many bytes a certificate of columns may have whose positions the judge keeps: a
// position takes a third of a byte there and some 200 once it is read.
const mostJudged = 32 << 10

// positionWithMarks returns the position with these marks, and refuses one in which another
// side is to move.
func (b *TypedGame[P]) positionWithMarks(marks [2]board.Set, turn oxo.Seat) (P, error) {
	p, err := b.Game.Parse(b.Board.Format(marks[0], marks[1]))
	if err == nil && p.Turn() != turn {
		err = fmt.Errorf("%s: %v is to move there", b.Format(p), p.Turn())
	}
	return p, err
}

// ProvableByMoves returns what proofs by moves alone ask of the game, of nine boards or one of columns; nil
// for any other. P is compared with the two types of positions that have such proofs.
func (b *TypedGame[P]) ProvableByMoves() *moves.Provable[P] {
	switch g := any(b.Game).(type) {
	case *oxo.Game[ultimate.Pos]:
		return any(nine.NewProvableGame(g)).(*moves.Provable[P])
	case *oxo.Game[board.Pos64]:
		if c := b.ColumnGame(); c != nil {
			return any(c.Provable).(*moves.Provable[P])
		}
	}
	return nil
}

// IsRace reports whether the game is a race, in which play can go in circles and proofs have ranks.
func IsRace[P oxo.Position[P]](b *TypedGame[P]) bool {
	_, ok := any(b).(*TypedGame[race.Pos])
	return ok
}

// ReadMoveStrategy returns the strategy of a claim by moves alone about a position, which comes to lie in the room.
func ReadMoveStrategy[P oxo.Position[P]](b *TypedGame[P], position string, c *certificate.Claim,
	room moves.Room) (moves.Answers[P], error) {
	p, err := b.Game.Parse(position)
	if err != nil {
		return nil, err
	}
	var s moves.Answers[P]
	if g := b.ProvableByMoves(); IsRace(b) {
		s, err = moves.ReadRanked(b.Game, p, c.Seat, c.Moves)
	} else if g == nil {
		err = fmt.Errorf("%s has no proofs by moves alone", b.Spec)
	} else {
		s, err = g.ReadStrategy(p, moves.Question{Seat: c.Seat, Wins: c.Wins, Plies: c.Plies}, c.Moves, room)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// ColumnGame returns what proofs ask of a game of columns, nil for any other.
func (b *TypedGame[P]) ColumnGame() *columns.ColumnGame {
	g, ok := any(b.Game).(*oxo.Game[board.Pos64])
	if !ok || b.Odds != nil {
		return nil
	}
	c, _ := columns.New(g)
	return c
}

// MoveStrategy returns the strategy of a claim by moves alone about a position.
func (b *TypedGame[P]) MoveStrategy(position string, c *certificate.Claim, room moves.Room) (certify.Strategy, error) {
	s, err := ReadMoveStrategy(b, position, c, room)
	if err != nil {
		return nil, err
	}
	return certify.NewMoveWalker(b.Game, s, position, c)
}

// SetupText writes the position of a game as the checker sees it.
func (b *TypedGame[P]) SetupText(of *verify.Setup) (string, error) {
	var text string
	switch {
	case of.Nine != nil:
		text = nine.PositionText(of.Nine)
	case of.Race != nil:
		text = fmt.Sprintf("(%d,%d) %c", of.Race.Tokens[0]+1, of.Race.Tokens[1]+1, "xo"[of.Race.Turn])
	case b.Board == nil:
		return "", fmt.Errorf("%s has no squares to mark", b.Spec)
	default:
		text = b.Board.Format(of.Marks[0], of.Marks[1])
	}
	p, err := b.Game.Parse(text)
	if err != nil {
		return "", err
	}
	return b.Format(p), nil
}

// CheckerSetup returns a position of the game as the checker sees it, or why nothing can be
// proved about it.
func (b *TypedGame[P]) CheckerSetup(position string) (*verify.Setup, error) {
	g, err := b.ProvableSetup(position)
	if err != nil {
		return nil, err
	}
	return certify.ToCheckerSetup(&g), nil
}

// ProvableSetup returns a position as a game to prove, or why it can't be proved. The setup has the
// whole board, the rules and the marks, from which a certificate describes the game to a reader that
// does not know its spec.
func (b *TypedGame[P]) ProvableSetup(position string) (certificate.Setup, error) {
	p, err := ParseOrStart(b.Game, position)
	if err != nil {
		return certificate.Setup{}, game.FaultOf("position", err)
	}
	switch p := any(p).(type) {
	case ultimate.Pos:
		return certificate.Setup{Spec: b.Spec, Nine: nine.CertificatePosition(p), Turn: p.Turn()}, nil
	case race.Pos:
		n, tokens := p.Row()
		at := &certificate.Race{Squares: n, Tokens: [2]uint8{uint8(tokens[0] - 1), uint8(tokens[1] - 1)}}
		return certificate.Setup{Spec: b.Spec, Race: at, Turn: p.Turn()}, nil
	}
	view, ok := any(p).(board.Positional)
	switch {
	case !ok:
		return certificate.Setup{}, UnprovableError(b)
	case b.Odds != nil:
		return certificate.Setup{}, errors.New("proofs are of games without chance")
	}
	first, second := view.Marks()
	g := certificate.Setup{Spec: b.Spec, Board: view.Board(), Rules: view.Rules(), Marks: [2]board.Set{first, second},
		Turn: p.Turn()}
	return g, g.CheckProvable()
}

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
