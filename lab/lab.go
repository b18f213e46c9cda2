// Package lab is the waist of oxo. Above it everything is text: a game's spec,
// a position, a move, a player's spec, a seed. Below it everything is concrete
// and generic over the position type, which is erased in one place, [bind].
// The command line, the studio and workers all do their work through it, and
// the same request with the same seed gives the same answer on each.
//
// [Lab.Game] opens a game by its spec; the methods of [Game] are what can be done
// with it. [Lab.Work] understands a [Job], work in text that can be split into
// parts and carried out anywhere, and [Lab.RunJob] carries it out here.
package lab

import (
	"context"
	"errors"
	"io"
	"net"
	"time"

	"oxo"
	"oxo/arena"
	"oxo/board"
	"oxo/engine"
	"oxo/games/kind"
	"oxo/learn"
	"oxo/prove/verify"
)

// Lab opens games and players by their specs. The zero value reads no files.
type Lab struct {
	// Kinds are the kinds of games that it opens; nil stands for those of [BuiltIn].
	Kinds []Kind

	// ReadFile reads a file that a spec names. Where it is nil, specs that
	// name files are refused.
	ReadFile func(path string) ([]byte, error)

	// ReadBrain reads the brain that a player's spec names, where that is not
	// a file's path.
	ReadBrain func(name string) ([]byte, error)

	// WriteFile writes a file whole or not at all. Where it is nil, players
	// that keep a file are refused.
	WriteFile func(path string, data []byte) error

	// Commands allows players that are commands to be run. Their programs must
	// be here, unless the games are played Elsewhere. Those that are just
	// starting are waited for no longer than until Ending is done, where that
	// is not nil.
	Commands  bool
	Elsewhere bool
	Ending    context.Context

	// Invite opens a game with a program that plays from elsewhere, which a
	// player's spec names. Where it is nil, such players are refused.
	Invite func(ctx context.Context, name string, g GuestGame) (Guest, error)

	// Enumerable is the most positions of a game that learners are examined on
	// and keep tables of; 0 is 3,000,000.
	Enumerable int
}

func (l *Lab) readFile(path string) ([]byte, error) {
	switch {
	case path == "":
		return nil, errors.New("the path of a file is missing")
	case l.ReadFile == nil:
		return nil, errors.New("files can't be opened here")
	}
	return l.ReadFile(path)
}

// Game is a game opened by its spec. Its methods speak text and are safe for
// concurrent use.
type Game interface {
	Info() Info
	Held() int64 // about how many bytes of memory it has come to hold
	Parse(position string) (State, error)

	Count(ctx context.Context, limit int) *CountResult
	Perft(ctx context.Context, depth int) (*PerftResult, error)
	Solve(ctx context.Context, o SolveOptions) (*SolveResult, error)
	Lookup(solution io.Reader, position string) (*SolveResult, error)
	Search(ctx context.Context, o SearchOptions) (*SearchResult, error)
	Ablate(ctx context.Context, o AblateOptions) (*AblateResult, error)
	Bounds(ctx context.Context, limit int) (*BoundsResult, error)
	Place(marks [2]board.Set) (position string, err error)
	Prove(ctx context.Context, o ProveOptions) (*ProveResult, error)
	Train(ctx context.Context, o TrainOptions) (*TrainResult, error)
	Curve(ctx context.Context, o TrainOptions, runs, workers int) (*learn.Curve, error)
	CurveLines(ctx context.Context, o TrainOptions) ([]string, error)
	Exam(ctx context.Context, player string) (*learn.Exam, error)
	ExamBySample(ctx context.Context, player string, games int, seed uint64) (*SampledExam, error)
	Learners(ctx context.Context) *Catalogue
	ShowBrain(data []byte, most int) (*learn.Shown, error)
	Look(ctx context.Context, brain []byte, position string) (*learn.Look, error)
	Tournament(ctx context.Context, o TournamentOptions) (*arena.Standings, error)
	CheckSheet(s *arena.Sheet) error
	Trail(s *arena.Sheet) ([]State, error)
	Export(w io.Writer, s *arena.Sheet, format string) error
	Review(ctx context.Context, s *arena.Sheet, perMove time.Duration) ([]Judgement, error)
	Evals() [][2]string
	Engine(ctx context.Context, player string) (engine.Game, error)
	HostQuiz(ctx context.Context, c net.Conn, theyFirst bool, player, hello string) (*oxo.Record, error)
	NewSession(o SessionOptions) (Session, error)
	Threats(position string) (*ThreatResult, error)

	// provable returns a position as the checker of proofs sees it; empty is the start.
	provable(position string) (*verify.Game, error)
}

// Info says what a game is.
type Info struct {
	Spec       string        `json:"spec"`
	Title      string        `json:"title"`
	Rules      string        `json:"rules"` // how it is played, in a few sentences
	Identity   string        `json:"-"`     // tells the game from all others, in files
	Start      string        `json:"start"`
	Squares    []kind.Square `json:"squares,omitempty"` // in the order of a position's text; none for trees
	Drawn      kind.Drawing  `json:"drawn" enum:"grid,levels,nine,points,tree"`
	Falls      bool          `json:"falls,omitempty"`  // marks fall to the lowest free square
	Unseen     bool          `json:"unseen,omitempty"` // the winning sets can't be guessed from the board
	Seats      [2]string     `json:"seats"`            // what the two sides are called
	Lines      [][]int       `json:"lines,omitempty"`  // the winning sets of a positional game, by the order of Squares
	Chance     bool          `json:"chance"`
	Loopy      bool          `json:"loopy"`
	Positional bool          `json:"positional"`
	MaxPlies   int           `json:"max_plies"` // 0 if loopy
	Symmetries string        `json:"symmetries"`
}

// State is a position in text.
type State struct {
	Position string   `json:"position"`
	Turn     string   `json:"turn"`             // first, second or chance
	Result   string   `json:"result"`           // first, second, draw, or * while play goes on
	Moves    []string `json:"moves"`            // the legal ones
	Payoff   *float64 `json:"payoff,omitempty"` // to First, at the end of a game that has payoffs
}

// parse reads a position; empty text is the start.
func parse[P oxo.Position[P]](g *oxo.Game[P], text string) (P, error) {
	if text == "" {
		return g.Start, nil
	}
	return g.Parse(text)
}
