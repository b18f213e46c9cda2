package certify

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"oxo"
	"oxo/board"
	"oxo/games/file"
	"oxo/games/kind"
	"oxo/lab/internal/game"
	"oxo/lab/internal/nine"
	"oxo/prove/certificate"
	"oxo/prove/moves"
	"oxo/prove/verify"
)

// Limits bound the work of a check.
type Limits = verify.Limits

// Scratch is room on disk for what memory does not hold. Limits have what makes it, nil where there is none.
type Scratch = verify.Scratch

// Question is what a certificate is asked to show. The zero value asks whether what it
// says of itself is so.
type Question struct {
	Game     string // the game's spec; empty: the game that the file describes
	Position string // of that game; empty: its start
	Anywhere bool   // any position of the game will do
	Claim    string // see [verify.ParseClaim]; empty: whatever the file claims

	Part, Parts int // to look at one part only, see [verify.Question]

	Limits   Limits
	Progress func(share float64) // is told how much of the file was read, where it is not nil
}

// Verdict is the answer to a question about a certificate.
type Verdict struct {
	OK       bool    `json:"ok" doc:"whether the certificate shows what is asked; of a part, whether this part holds"`
	Game     string  `json:"game" doc:"the game's spec; of one that can't be opened by its name, as the file has it"`
	Named    bool    `json:"named" doc:"whether the file was found to describe the game of that name"`
	Position string  `json:"position" doc:"what the claims are about, with the side to move; empty where the game can't have it"`
	Claim    string  `json:"claim" doc:"what the file claims, in words"`
	Value    string  `json:"value" doc:"first, second, draw or unknown, as of a part"`
	Nodes    int     `json:"nodes" doc:"positions in the strategies, up to symmetry"`
	Replies  uint64  `json:"replies" doc:"of the other side that were looked at"`
	Seconds  float64 `json:"seconds"`
	Reason   string  `json:"reason,omitempty" doc:"why the certificate does not show what is asked"`
	Limited  bool    `json:"limited,omitempty" doc:"the check was given up at a limit, which is no verdict"`
	Part     int     `json:"part,omitempty" doc:"which part was looked at, where not the whole"`
	Parts    int     `json:"parts,omitempty" doc:"of how many, which show the claim only together"`

	Start      bool   `json:"-"` // whether Position is the game's start
	Described  string `json:"-"` // the game of the file in words: its size, its marks, who is to move
	Unreadable bool   `json:"-"` // whether it is no whole certificate

	game    game.Game // the one of the file; nil where the answer is no
	checked verify.Setup
	byMoves bool // whether the strategies are moves alone
}

// Games opens the games that certificates are about.
type Games interface {
	// Game opens a game by its spec.
	Game(spec string) (game.Game, error)
	// Described opens a game by a spec that a certificate has, and no file for it.
	Described(spec string) (game.Game, error)
	// Positional returns a positional game of that design.
	Positional(d *kind.Design) game.Game
}

// Verify has the checker answer a question about a certificate, a file of size bytes.
// It is the only way by which a certificate comes to be believed here. The checker shares
// nothing with the prover but the description of boards, and compares the file with
// the game built from the spec. The error is of a question that makes no sense, or of a
// context that was done before there was an answer.
func Verify(ctx context.Context, games Games, file io.ReaderAt, size int64, q Question) (*Verdict, error) {
	asked, g, err := readQuestion(games, q)
	if err != nil {
		return nil, err
	}
	q.Limits.Progress = q.Progress
	return checkCertificate(ctx, games, file, size, asked, g, q.Limits)
}

// checkCertificate is Verify of a question that has been read, about a game g; nil for the one that the file describes,
// for which games opens it. The file's game is opened by its spec where that names a game of the same rules, else as a
// game without a name. A claim about a position that the game can't have is refused whatever the file shows.
func checkCertificate(ctx context.Context, games Games, file io.ReaderAt, size int64, asked verify.Question,
	g game.Game, limits Limits) (*Verdict, error) {
	begin := time.Now()
	r, err := verify.Check(ctx, file, size, asked, limits)
	if err != nil {
		return nil, err
	}
	v := &Verdict{OK: r.OK, Game: truncateName(r.Game.Spec), Claim: r.Claim, Value: r.Value, Nodes: r.Nodes,
		Replies: r.Checks,
		Seconds: time.Since(begin).Seconds(), Reason: r.Reason, Unreadable: r.Unreadable, Limited: r.Limited,
		game: g, checked: r.Game, byMoves: r.ByMoves, Part: asked.Part, Parts: asked.Parts}
	if r.Game.Board == nil && r.Game.Nine == nil && r.Game.Race == nil {
		return v, nil
	}
	v.Described = describeSetup(&r.Game, r.Game.Board)
	switch {
	// A game that was given is the file's where the check says so; else it is looked for by the file's name.
	case g != nil:
		v.Named = r.OK
	case r.OK:
		g, v.Named, err = openDescribedGame(games, &r.Game)
	default:
		// A refused file opens no game, but whether it has the name of the game that it describes can be told.
		_, v.Named, _ = openDescribedGame(games, &r.Game)
	}
	if v.Named && g != nil {
		// The squares are named as in the game of that name, where the file has its name right.
		if own, err := checkableOf(g).CheckerSetup(""); err == nil {
			v.Described = describeSetup(&r.Game, own.Board)
		}
	}
	if err == nil {
		err = v.setCheckedPosition(g)
	}
	if err != nil && v.OK {
		v.OK, v.Reason = false, err.Error()
	}
	return v, nil
}

// CheckOwn has the checker look at a proof about a position of g that was just found, so that what is
// wrong is never reported. The certificate is written and read back as a file would be, so that a
// fault in writing is found too. It is checked to its end even where ctx is done.
func CheckOwn(ctx context.Context, g game.Game, root certificate.Setup, p *certificate.Proof, limits Limits) (*Verdict,
	error) {
	file, err := certificate.Disk(limits.Disk).Create()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	size, err := p.WriteTo(file)
	if err != nil {
		return nil, err
	}
	// The search may have ended because its context is done; the check is short.
	v, err := checkCertificate(context.WithoutCancel(ctx), nil, file, size,
		verify.Question{Game: ToCheckerSetup(&root)}, g, limits)
	if err == nil && !v.OK {
		err = fmt.Errorf("%s: a fault in the prover: its own certificate is refused: %s", g.Info().Spec, v.Reason)
	}
	return v, err
}

// CheckForeign returns what a certificate about a position of g shows that somebody else has made. It
// is checked in memory: the server bounds the size of what workers send.
func CheckForeign(ctx context.Context, g game.Game, root certificate.Setup, data []byte) (*Verdict, error) {
	v, err := checkCertificate(ctx, nil, bytes.NewReader(data), int64(len(data)),
		verify.Question{Game: ToCheckerSetup(&root)}, g, Limits{})
	if err == nil && !v.OK {
		err = fmt.Errorf("a certificate that a worker sent is refused: %s", v.Reason)
	}
	return v, err
}

// ForeignShows reports whether a certificate about a position of g that somebody else has made shows the claim; see
// [CheckForeign] and [verify.ParseClaim].
func ForeignShows(ctx context.Context, g game.Game, root certificate.Setup, data []byte, claim string) (bool, error) {
	asked := verify.Question{Game: ToCheckerSetup(&root)}
	var err error
	if asked.Claim, err = verify.ParseClaim(claim); err != nil {
		return false, err
	}
	v, err := checkCertificate(ctx, nil, bytes.NewReader(data), int64(len(data)), asked, g, Limits{})
	return err == nil && v.OK, err
}

// ProvedText says in words what the certificate shows. Where strategies are moves alone the claim itself
// is said, with its plies; else the value that follows from the claims.
func (v *Verdict) ProvedText() string {
	switch {
	case v.Value == "unknown", v.byMoves && v.Value != "draw":
		return v.Claim
	case v.Value == "draw":
		return "nobody loses"
	}
	return v.Value + " wins"
}

// readQuestion reads a question. The game is nil where the question names none. A position without a
// game is refused, as its text means nothing then.
func readQuestion(games Games, q Question) (asked verify.Question, g game.Game, err error) {
	asked.Part, asked.Parts = q.Part, q.Parts
	if q.Claim != "" {
		if asked.Claim, err = verify.ParseClaim(q.Claim); err != nil {
			return asked, nil, err
		}
	}
	if q.Game == "" {
		if q.Position != "" {
			return asked, nil, fmt.Errorf("position %q: say of which game, by its spec", q.Position)
		}
		return asked, nil, nil
	}
	if g, err = games.Game(q.Game); err != nil {
		return asked, nil, err
	}
	asked.Game, err = checkableOf(g).CheckerSetup(q.Position)
	asked.Anywhere = q.Anywhere
	return asked, g, err
}

// QuestionsOfClaim returns what has to be shown for a claim, see [verify.ParseClaim]; none for an empty one.
// A draw, and a claim without a side, asks of each side whether it does not lose. Plies beyond the
// game's length are cut to it; of a game without one, gamePlies is 0, and so are plies that are left open.
func QuestionsOfClaim(claim string, gamePlies int) (asked []moves.Question, err error) {
	if claim == "" {
		return nil, nil
	}
	c, err := verify.ParseClaim(claim)
	if err != nil {
		return nil, err
	}
	seat, wins, within := c.Asks()
	if within == 0 || gamePlies > 0 && within > gamePlies {
		within = gamePlies
	}
	for s := range 2 {
		if seat < 0 || seat == s {
			asked = append(asked, moves.Question{Seat: oxo.Seat(s), Wins: wins && seat >= 0, Plies: within})
		}
	}
	return asked, nil
}

// WeighClaim reports whether what is known for certain of a position makes a claim about it true, or false; see
// [verify.ParseClaim].
func WeighClaim(claim string, k *game.Known) (holds, refuted bool) {
	c, err := verify.ParseClaim(claim)
	if err != nil {
		return false, false
	}
	seat, wins, within := c.Asks()
	lo, hi := k.Lo, k.Hi // what the position is worth to the seat
	if seat == int(oxo.Second) {
		lo, hi = -hi, -lo
	}
	most := k.Within // plies to a win, 0 where no bound is known
	if k.Plies != nil {
		most = *k.Plies
	}
	soon := within == 0 || 0 < most && most <= within
	late := k.Plies != nil && within > 0 && *k.Plies > within
	switch {
	case seat < 0:
		return lo == 0 && hi == 0, lo > 0 || hi < 0
	case wins:
		return lo == 1 && soon, hi < 1 || late
	}
	return lo >= 0 || late, hi == -1 && soon // where late nobody has won by then
}

// ClaimPlies returns the number of plies that a claim is about, 0 where it is about the whole game.
func ClaimPlies(claim string) (int, error) {
	c, err := verify.ParseClaim(claim)
	if err != nil {
		return 0, err
	}
	_, _, within := c.Asks()
	return within, nil
}

// WeighClaimByValue reports whether a position's value, first, second, draw or unknown, makes a claim about it true, or
// false.
func WeighClaimByValue(claim, value string) (holds, refuted bool) {
	k := game.Known{Lo: -1, Hi: 1}
	switch value {
	case "first":
		k.Lo = 1
	case "second":
		k.Hi = -1
	case "draw":
		k.Lo, k.Hi = 0, 0
	}
	return WeighClaim(claim, &k)
}

// setCheckedPosition says in text where the claims begin, in g, and refuses a position that g can't have.
// The text is read back and compared with what was checked, so that the position that people are shown
// is the one of the file.
func (v *Verdict) setCheckedPosition(g game.Game) error {
	if g == nil {
		return nil
	}
	info := g.Info()
	if v.Named {
		v.Game = info.Spec
	}
	text, err := checkableOf(g).SetupText(&v.checked)
	if err == nil {
		var own *verify.Setup
		if own, err = checkableOf(g).CheckerSetup(text); err == nil {
			err = v.checked.FirstDifference(own)
		}
	}
	if err != nil {
		name := info.Spec
		if !v.Named {
			name = "the game that it describes"
		}
		return fmt.Errorf("%s can't have the position that it is about (%s): %w", name, v.Described, err)
	}
	v.game, v.Position, v.Start = g, text, text == info.Start
	return nil
}

// openDescribedGame opens the game that a file describes. The name that the file gives it proves
// nothing, and opens no file: hasItsName says that the game of that name is the one described. It refuses a
// file that gives it the name of another game. Of a game without a name of its own, such as one of a
// file that is not there, the game is built from the description.
func openDescribedGame(games Games, of *verify.Setup) (g game.Game, hasItsName bool, err error) {
	if g, err := games.Described(of.Spec); err == nil {
		// The name is believed only where its game has the board and the rules that the file describes.
		own, err := checkableOf(g).CheckerSetup("")
		if err == nil {
			err = of.FirstRulesDifference(own)
		}
		if err != nil {
			return nil, false, fmt.Errorf("it calls its game %s and describes another: %w", g.Info().Spec, err)
		}
		g, err = games.Game(of.Spec) // which took no file
		return g, err == nil, err
	}
	switch {
	case of.Nine != nil:
		spec, err := nine.GameSpec(of.Nine)
		if err == nil {
			g, err = games.Game(spec)
		}
		return g, false, err
	case of.Race != nil:
		g, err = games.Game(fmt.Sprintf("race:%d", of.Race.Squares))
		return g, false, err
	}
	rules := board.Rules{Place: board.Placement(of.Place), Tested: of.Tested, Full: oxo.Outcome(of.Full)}
	for seat, done := range of.Done {
		rules.Done[seat] = oxo.Outcome(done)
	}
	if rules.Name, err = nameOfRules(rules); err != nil {
		return nil, false, err
	}
	s := kind.Settings{Rules: rules, Gravity: of.Board.Below != nil}
	d := file.Design("", fmt.Sprintf("a game that calls itself %q", truncateName(of.Spec)), of.Board, s)
	d.Spec = unnamed + s.Suffix()
	return games.Positional(&d), false, nil
}

// unnamed begins the spec of a game that a certificate describes and that has no spec of its
// own: no kind of games is called that.
const unnamed = "described"

// describeSetup says in words what game a file describes, and which position of it, by the
// names that squares have on a board.
func describeSetup(g *verify.Setup, squareNames *board.Board) string {
	switch {
	case g.Nine != nil:
		return nine.DescribePosition(g.Nine)
	case g.Race != nil:
		return fmt.Sprintf("a race on %d squares, X on %d, O on %d, the %v side to move", g.Race.Squares,
			g.Race.Tokens[0]+1, g.Race.Tokens[1]+1, oxo.Seat(g.Race.Turn))
	}
	text := fmt.Sprintf("%d squares and %d winning sets", g.Board.N, len(g.Board.Lines))
	if g.Board.Below != nil {
		text += ", marks fall"
	}
	for k, marks := range g.Marks {
		text += fmt.Sprintf(", %s on %s", [2]string{"X", "O"}[k], verify.SquareNames(squareNames, marks))
	}
	return text + fmt.Sprintf(", the %v side to move", oxo.Seat(g.Turn))
}

// truncateName returns a name from outside as text of at most 100 bytes, of which what is no text is replaced by
// question marks.
func truncateName(name string) string { return strings.ToValidUTF8(name[:min(len(name), 100)], "?") }

// nameOfRules returns the option that names the rules. A certificate has rules as numbers: whose
// complete sets end the game, how, and what a full board means.
func nameOfRules(r board.Rules) (string, error) {
	for _, known := range board.AllRules {
		if sameRules(known, r) {
			return known.Name, nil
		}
	}
	return "", fmt.Errorf("its rules are none of those of positional games: %s", strings.Join(kind.RuleWords(), ", "))
}

// sameRules reports whether the rules say the same, whatever they are called. What would be done for a seat whose
// sets are not tested makes no difference.
func sameRules(a, b board.Rules) bool {
	for seat, tested := range a.Tested {
		if tested && a.Done[seat] != b.Done[seat] {
			return false
		}
	}
	return a.Tested == b.Tested && a.Full == b.Full && a.Place == b.Place && a.Slip == b.Slip
}

// ToCheckerSetup returns a game to prove as the checker sees it, whose types are its own, so that it shares no code
// with the prover. Boards are shared, and not changed.
func ToCheckerSetup(g *certificate.Setup) *verify.Setup {
	switch {
	case g.Nine != nil:
		return nine.CheckerSetup(g)
	case g.Race != nil:
		r := &verify.Race{Squares: g.Race.Squares, Turn: int(g.Turn)}
		for seat, square := range g.Race.Tokens {
			r.Tokens[seat] = int(square)
		}
		return &verify.Setup{Spec: g.Spec, Race: r}
	}
	of := &verify.Setup{Spec: g.Spec, Board: g.Board, Tested: g.Rules.Tested, Place: int(g.Rules.Place),
		Full: int(g.Rules.Full), Marks: g.Marks, Turn: int(g.Turn)}
	for seat, done := range g.Rules.Done {
		of.Done[seat] = int(done)
	}
	return of
}

// Checkable is a game as the checker sees it. All games implement it, and refuse where nothing can be proved about
// them. CheckerSetup returns a position of the game, the start where the text is empty, and SetupText writes a position
// that the checker has as the game does.
type Checkable interface {
	CheckerSetup(position string) (*verify.Setup, error)
	SetupText(of *verify.Setup) (position string, err error)
	// MoveStrategy returns the strategy of a claim by moves alone about a position, which comes to lie in the room.
	MoveStrategy(position string, c *certificate.Claim, room moves.Room) (Strategy, error)
}

// checkableOf returns g as the checker sees it. Every game of this module has that method; it is not
// part of game.Game, so that those outside need not know of certificates.
func checkableOf(g game.Game) Checkable { return g.(interface{ Checkable() Checkable }).Checkable() }
