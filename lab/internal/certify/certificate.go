// Package certify has certificates checked, opens those that hold, and plays their strategies.
package certify

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unsafe"

	"oxo"
	"oxo/board"
	"oxo/lab/internal/game"
	"oxo/message"
	"oxo/prove/certificate"
	"oxo/prove/moves"
	"oxo/prove/verify"
)

// Certificate is a proof that was read from a file and holds. It is safe for concurrent use: only byMove changes,
// and mu guards that. Each claim's strategy of moves is read when it is first played.
type Certificate struct {
	Summary CertificateSummary
	Proof   *certificate.Proof
	Room    moves.Room // for strategies of moves that are read
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
	Seats    [2]string     `json:"seats" doc:"what the two sides are called"`
	Said     message.Said  `json:"said,omitempty" doc:"the messages of the texts here, by field: keys, for other languages"`
	Position string        `json:"position" doc:"where the proof begins"`
	Start    bool          `json:"start" doc:"whether that is the game's start"`
	Value    string        `json:"value" doc:"first, second, draw or unknown"`
	Claims   []ClaimOfSeat `json:"claims" doc:"what it says of each side"`
	Nodes    int           `json:"nodes" doc:"positions in the strategies, up to symmetry"`
	Bytes    int           `json:"bytes" doc:"of its file"`
	Shows    string        `json:"shows" doc:"what it shows, as oxo verify reads a claim"`
	Method   string        `json:"method" doc:"how oxo prove finds such proofs"`
	Begins   []string      `json:"begins,omitempty" doc:"the moves that its strategy begins with; none where the other side begins, or where it is by moves alone"`
	Repeat   string        `json:"-"` // the command that looks for it again, empty where there is none
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

	// Where the proof's start is all of the strategy, as pairs, and the potential outside them, settle it.
	AtStart bool   `json:"at_start,omitempty" doc:"whether pairs and the potential settle the proof's start, so that no reply needs to be played"`
	Pairs   int    `json:"pairs,omitempty" doc:"how many pairs do"`
	Sum     string `json:"sum,omitempty" doc:"the potential there and the most that a move adds to it, a fraction below 1"`
}

// VerifyAndOpen reads a certificate, a file of size bytes, that shows what is asked, and refuses any other. Its
// game need not be one that can be opened: the certificate describes it. Its nodes come to lie on the
// disk of the limits.
func VerifyAndOpen(ctx context.Context, games Games, file io.ReaderAt, size int64, q Question) (*Certificate, error) {
	v, err := Verify(ctx, games, file, size, q)
	if err != nil {
		return nil, err
	}
	return v.openCertificate(file, size, q.Limits)
}

// VerifyAndOpenFor reads a certificate about any position of a game that is open. It is checked like any
// other: that the game is open saves only finding it by the file's name for it.
func VerifyAndOpenFor(ctx context.Context, g game.Game, file io.ReaderAt, size int64,
	limits Limits) (*Certificate, error) {
	own, err := checkableOf(g).CheckerSetup("")
	if err != nil {
		return nil, err
	}
	v, err := checkCertificate(ctx, nil, file, size, verify.Question{Game: own, Anywhere: true}, g, limits)
	if err != nil {
		return nil, err
	}
	return v.openCertificate(file, size, limits)
}

// What a position takes of a certificate that is played, in bytes, and what all of them may
// take where nothing else is said.
const (
	nodeBytes  = 600
	moveBytes  = 60  // where the strategies are moves alone
	nineBytes  = 160 // where they are moves on nine boards
	mostPlayed = 1 << 30
)

// openCertificate reads the certificate that the verdict is about, to be played; one that the verdict refuses is an
// error. Where there is no disk, it may take as much memory as the limits say, a gigabyte where that is 0. The file
// is read a second time, by the reader that plays, and both readers must have seen the same game: the checker's
// reader shares no code with it.
func (v *Verdict) openCertificate(file io.ReaderAt, size int64, limits Limits) (*Certificate, error) {
	switch {
	case v.Limited:
		return nil, fmt.Errorf("the certificate was not checked to its end, which is no verdict: %s", v.Reason)
	case !v.OK, v.Parts > 1:
		return nil, fmt.Errorf("the certificate is refused: %s", cmp.Or(v.Reason, "only a part of it was checked"))
	}
	each := int64(nodeBytes)
	if v.byMoves {
		each = bytesPerMove(v.checked.Nine != nil)
	}
	most := cmp.Or(limits.Memory, mostPlayed)
	if int64(v.Nodes)*each > most && limits.Disk == nil {
		return nil, fmt.Errorf("the certificate is refused: its %d positions are more than can be played in %d MB",
			v.Nodes, most>>20)
	}
	p, err := certificate.Read(file, size, limits.Disk)
	if err != nil {
		return nil, err
	}
	// What was checked and what is played must be about the same game, marks and turn.
	if err := ToCheckerSetup(&p.Game).FirstDifference(&v.checked); err != nil {
		return nil, fmt.Errorf("the certificate is read in two ways: %w", err)
	}
	c, err := newCertificate(v.game, p, limits)
	if err != nil {
		return nil, err
	}
	c.Summary.Named, c.Summary.Position, c.Summary.Start = v.Named, v.Position, v.Start
	c.Summary.Value, c.Summary.Bytes = v.Value, int(size)
	c.summarizeStrategy()
	return c, nil
}

// OpenTrusted opens a certificate about the start of g that is known to hold. Nothing is checked but
// that the file describes g. It is for the certificates that are part of the program, each of which a
// test has checked, and spares players the time of a check.
func OpenTrusted(g game.Game, data []byte, limits Limits) (*Certificate, error) {
	own, err := checkableOf(g).CheckerSetup("")
	if err != nil {
		return nil, err
	}
	p, err := certificate.Read(bytes.NewReader(data), int64(len(data)), limits.Disk)
	if err == nil {
		err = ToCheckerSetup(&p.Game).FirstDifference(own)
	}
	if err != nil {
		return nil, err
	}
	c, err := newCertificate(g, p, limits)
	if err != nil {
		return nil, err
	}
	s := &c.Summary
	s.Named, s.Position, s.Start, s.Value, s.Bytes = true, g.Info().Start, true, "draw", len(data)
	for _, claim := range p.Claims {
		if claim.Wins {
			// A claim to win decides the value.
			s.Value = claim.Seat.String()
		}
	}
	if p.Game.Board != nil && p.Game.Rules.Full != oxo.Drawn && s.Value == "draw" {
		s.Value = p.Claims[0].Seat.String() // who does not lose wins
	}
	c.summarizeStrategy()
	return c, nil
}

// newCertificate returns a proof of g with what it says of itself. What only a check of it tells, as where it
// begins and what value it shows, is left to the caller.
func newCertificate(g game.Game, p *certificate.Proof, limits Limits) (*Certificate, error) {
	info := g.Info()
	c := &Certificate{Proof: p, game: g, byMove: map[*certificate.Claim]repeatable{},
		Room: moves.Room{Memory: cmp.Or(limits.Memory, mostPlayed), Disk: limits.Disk}}
	c.held = c.proofBytes()
	c.Summary = CertificateSummary{Game: info.Spec, Title: info.Title, Seats: info.Seats,
		Said: info.Messages("title", "seats"), Method: proofMethodText(p), Claims: []ClaimOfSeat{}}
	for i := range p.Claims {
		claim, err := summarizeClaim(&p.Claims[i])
		if err != nil {
			return nil, err
		}
		c.Summary.Nodes += claim.Nodes
		c.Summary.Claims = append(c.Summary.Claims, claim)
	}
	return c, nil
}

// proofMethodText says how oxo prove finds proofs of that form, in words for people. It goes by what the certificate
// holds, as the file itself says nothing of how it was found.
func proofMethodText(p *certificate.Proof) string {
	switch {
	case !hasStrategy(p):
		return "strategy stealing"
	case p.Game.Nine != nil:
		return "proof-number search for plain moves"
	case p.Game.Race != nil:
		return "retrograde analysis, which gives each move its rank"
	case p.ByMoves():
		return "the exact solver chooses the moves; follow-up and zugzwang end the strategy"
	case p.Game.Rules.Place == board.Own && p.Game.Board.Below == nil && p.Game.Rules.Name != board.Misere.Name:
		return "proof-number search with threats, pairs and zones"
	}
	return "proof-number search"
}

// hasStrategy reports whether there is a claim with a strategy, which can be played. Strategy stealing shows that
// there is one without saying which.
func hasStrategy(p *certificate.Proof) bool {
	return slices.ContainsFunc(p.Claims, func(c certificate.Claim) bool { return !c.Stealing })
}

// summarizeStrategy sets how the strategy begins, where reading it takes no while, and what the proof shows. The
// summary has its other fields by then.
func (c *Certificate) summarizeStrategy() {
	if !c.Proof.ByMoves() {
		if w, err := c.Walk("", nil); err == nil { // else there is none
			c.Summary.Begins = w.Moves
		}
		for k := range c.Summary.Claims {
			c.Summary.Claims[k].describeStart(c.Proof)
		}
	}
	c.Summary.setClaimAndCommand(c.Proof)
}

// describeStart says by what the start is settled, where a strategy is that alone.
func (c *ClaimOfSeat) describeStart(p *certificate.Proof) {
	if c.Nodes != 1 || c.Wins || c.Pairings+c.Potential != 1 {
		return
	}
	w, err := certificate.NewWalker(p, oxo.SeatNamed(c.Seat))
	if err != nil {
		return
	}
	pairs, potential, ok := w.Settled()
	if c.AtStart, c.Pairs = ok, pairs; potential > 0 {
		c.Sum = new(big.Rat).SetFloat64(potential).RatString()
	}
}

// setClaimAndCommand sets the claim and the command that looks for the proof again, where its game can be opened by
// name and the search for it comes to an end. Claims of moves alone are bounded by a number of plies, as in first<=43
// or first>27; a bound that is the length of the whole game is left out. The summary has its other fields by then.
func (s *CertificateSummary) setClaimAndCommand(p *certificate.Proof) {
	c := s.Claims[0]
	switch {
	case s.Value != "unknown" && !(c.Wins && p.ByMoves()):
		s.Shows = s.Value
	case c.Wins:
		s.Shows = fmt.Sprintf("%s<=%d", c.Seat, c.Plies)
	case p.ByMoves() && c.Plies < mostPlies(p):
		s.Shows = fmt.Sprintf("%v>%d", oxo.SeatNamed(c.Seat).Other(), c.Plies)
	default:
		s.Shows = "not-lose:" + c.Seat
	}
	if !s.Named || s.Value == "unknown" && !p.ByMoves() {
		return // a search cut off at the same place is all that would give it
	}
	s.Repeat = "oxo prove " + shellQuoted(s.Game)
	if !s.Start {
		s.Repeat += " --position " + shellQuoted(s.Position)
	}
	if p.ByMoves() && (s.Value == "unknown" || p.Game.Nine != nil) {
		s.Repeat += " --claim " + shellQuoted(s.Shows)
	}
}

// shellQuoted writes a word as a shell reads it. A word of letters, digits and harmless signs stays as it
// is, any other stands in single quotes.
func shellQuoted(word string) string {
	if strings.IndexFunc(word, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(":,+=._/-", r)
	}) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Commands returns the commands that find the certificate again, in a file of that name, and that check it. The
// first one is empty where no search finds it again.
func (s *CertificateSummary) Commands(file string) (prove, verify string) {
	verify = "oxo verify " + shellQuoted(file)
	if !s.Named {
		return "", verify
	}
	if s.Repeat != "" {
		prove = s.Repeat + " --out " + shellQuoted(file)
	}
	verify += " --game " + shellQuoted(s.Game)
	if !s.Start {
		verify += " --position " + shellQuoted(s.Position)
	}
	return prove, verify + " --claim " + shellQuoted(s.Shows)
}

// Held returns about how many bytes of memory the certificate takes, its game included.
func (c *Certificate) Held() int64 { return c.held + game.Held(c.game) }

// bytesPerMove returns about how many bytes a move of a strategy takes in memory, in a game of nine boards or
// another.
func bytesPerMove(nineBoards bool) int64 {
	if nineBoards {
		return nineBytes
	}
	return moveBytes
}

// proofBytes returns about how many bytes of memory the proof takes. Moves of strategies are on disk
// where there is one, and then take about a byte each for what finds them.
func (c *Certificate) proofBytes() (bytes int64) {
	p, each := c.Proof, int64(1)
	if c.Room.Disk == nil {
		each = bytesPerMove(p.Game.Nine != nil)
	}
	for _, claim := range p.Claims {
		bytes += each * int64(len(claim.Moves))
	}
	if p.Game.Board == nil {
		return bytes
	}
	for _, line := range p.Game.Board.Lines {
		bytes += int64(unsafe.Sizeof(line)) + 8*int64(line.Need.Len()) // it is listed at each of its squares
	}
	bytes += int64(len(p.Perms)) * int64(p.Game.Board.N+24)
	for _, claim := range p.Claims {
		bytes += claim.Nodes.MemoryBytes()
	}
	return bytes
}

// summarizeClaim describes a claim, and counts by what the nodes of its strategy end. A node that is won by
// continuous threats carries their line; the others end with a pairing, a potential or a settled
// board, or go on.
func summarizeClaim(c *certificate.Claim) (ClaimOfSeat, error) {
	out := ClaimOfSeat{Seat: c.Seat.String(), Wins: c.Wins, Plies: c.Plies, Nodes: c.Nodes.Len() + len(c.Moves)}
	for k := range c.Nodes.Len() {
		n, err := c.Nodes.At(k)
		switch {
		case err != nil:
			return out, err
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
	return out, nil
}

// Game returns the game that the certificate is of.
func (c *Certificate) Game() game.Game { return c.game }
