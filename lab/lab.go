// Package lab is the waist of oxo. Above it everything is text: a game's spec,
// a position, a move, a player's spec, a seed. Below it everything is concrete
// and generic over the position type, which is erased in one place, the package
// lab/internal/typed. The command line, the studio and workers all do their work
// through it, and the same request with the same seed gives the same answer on
// each.
//
// [Lab.Game] opens a game by its spec; the methods of [Game] are what can be done
// with it, a subject each. Work that takes long, can be split into parts and
// carried out anywhere is in lab/jobs.
package lab

import (
	"context"
	"io"
	"io/fs"

	"oxo"
	"oxo/arena"
	"oxo/games/kind"
	"oxo/lab/internal/typed"
)

// Lab opens games and players by their specs. The zero value reads no files.
type Lab typed.Lab

// What games are, and what can be done with one.
type (
	Game       = typed.Game
	Solving    = typed.Solving
	Searching  = typed.Searching
	Judging    = typed.Judging
	Proving    = typed.Proving
	Learning   = typed.Learning
	Contesting = typed.Contesting
	Records    = typed.Records
	Fault      = typed.Fault

	Info   = typed.Info
	Square = kind.Square
	State  = typed.State
	Kind   = typed.Kind
)

// What is asked of a game, and what is answered.
type (
	SessionOptions = typed.SessionOptions
	Session        = typed.Session
	Lesson         = typed.Lesson
	CountResult    = typed.CountResult
	ByResult       = typed.ByResult
	PerftResult    = typed.PerftResult
	BoundsResult   = typed.BoundsResult
	SolveOptions   = typed.SolveOptions
	SolveResult    = typed.SolveResult
	Plan           = typed.Plan
	Estimate       = typed.Estimate
	Going          = typed.Going
	Worth          = typed.Worth
	Known          = typed.Known
	Judged         = typed.Judged
	JudgedMove     = typed.JudgedMove
	JudgeOptions   = typed.JudgeOptions
	Review         = typed.Review
	SetThrough     = typed.SetThrough
	GamesBelow     = typed.GamesBelow
	SearchOptions  = typed.SearchOptions
	SearchResult   = typed.SearchResult
	AblateOptions  = typed.AblateOptions
	AblateResult   = typed.AblateResult
	AblateRow      = typed.AblateRow
	ProveOptions   = typed.ProveOptions
	ProveResult    = typed.ProveResult
	TrainOptions   = typed.TrainOptions
	SampledExam    = typed.SampledExam
	Catalogue      = typed.Catalogue
	LearnerForm    = typed.LearnerForm
	Offer          = typed.Offer
	BrainFacts     = typed.BrainFacts
	ContestOptions = typed.ContestOptions
	Contest        = typed.Contest
	Range          = typed.Range
	Guest          = typed.Guest
	GuestGame      = typed.GuestGame
	Judgement      = typed.Judgement
	Question       = typed.Question
	Verdict        = typed.Verdict
	Limits         = typed.Limits
	Certificate    = typed.Certificate
	Walk           = typed.Walk

	CertificateSummary = typed.CertificateSummary
)

// What is taught, and what is shown of that.
type (
	Trainer    = typed.Trainer
	Tally      = typed.Tally
	Step       = typed.Step
	Considered = typed.Considered
	Taught     = typed.Taught
)

// Itself is the opponent's spec of a learner that plays both sides.
const Itself = typed.Itself

// Human is the player's spec of a person: whoever runs a session moves for it.
const Human = typed.Human

const DefaultAblateNodes = typed.DefaultAblateNodes

// Memory that a solution takes, and a part of one by tiers, unless told otherwise.
const (
	UsualMemory = typed.UsualMemory
	TierMemory  = typed.TierMemory
)

// ErrNoPolicy is wrapped by errors about players that can't be examined exactly.
var ErrNoPolicy = typed.ErrNoPolicy

// Methods of a [Plan]: of work in parts, and of a table of all positions in memory.
const (
	ByTiers = typed.ByTiers
	ByTable = typed.ByTable
)

// ErrTooLarge is wrapped by errors about games that are too large to be solved
// at once.
var ErrTooLarge = typed.ErrTooLarge

// Game opens the game of that spec. The error names the word that is wrong and
// what is accepted.
func (l *Lab) Game(text string) (Game, error) { return (*typed.Lab)(l).Game(text) }

// Games lists the kinds of games, each name once.
func (l *Lab) Games() []Kind { return (*typed.Lab)(l).Games() }

// KindOf returns the kind of that name, or the error that says which there are.
func (l *Lab) KindOf(name string) (Kind, error) { return (*typed.Lab)(l).KindOf(name) }

// KindOfFile returns the kind of game that a JSON object holds: the first that
// has one of its fields, or else the last that files can hold.
func (l *Lab) KindOfFile(data []byte) (Kind, error) { return (*typed.Lab)(l).KindOfFile(data) }

// BuiltIn lists the kinds of games that oxo has.
func BuiltIn() []Kind { return typed.BuiltIn() }

// KindOf returns the kind of games whose positions are of type P.
func KindOf[P oxo.Position[P]](k kind.Of[P]) Kind { return typed.KindOf(k) }

// PositionalKind returns the kind of games with squares and winning sets.
func PositionalKind(k kind.Positional) Kind { return typed.PositionalKind(k) }

// PlayerForms lists how players are named.
func PlayerForms() [][2]string { return typed.PlayerForms() }

// Algorithms lists the names of the search algorithms.
func Algorithms() []string { return typed.Algorithms() }

// ReadBrainFacts reads what a brain is.
func ReadBrainFacts(data []byte) (BrainFacts, error) { return typed.ReadBrainFacts(data) }

// Carried are the proofs that the program has with it, in the folder proofs.
func Carried() fs.FS { return typed.Carried }

// NoHints says that the judge is not asked in games with others.
func NoHints() string { return typed.NoHints() }

// Held returns about how many bytes of memory a game has come to hold.
func Held(g Game) int64 { return typed.Held(g) }

// Verify has the checker answer a question about a certificate, a file of size bytes.
// It is the only way by which a certificate comes to be believed here. The error is of a
// question that makes no sense, or of a context that was done before there was an answer.
func (l *Lab) Verify(ctx context.Context, file io.ReaderAt, size int64, q Question) (*Verdict, error) {
	return (*typed.Lab)(l).Verify(ctx, file, size, q)
}

// VerifyBytes is Verify of a certificate in memory.
func (l *Lab) VerifyBytes(ctx context.Context, data []byte, q Question) (*Verdict, error) {
	return (*typed.Lab)(l).VerifyBytes(ctx, data, q)
}

// Certificate reads a certificate that shows what is asked, and refuses any other. Its
// game need not be one that the lab can open: the certificate describes it.
func (l *Lab) Certificate(ctx context.Context, data []byte, q Question) (*Certificate, error) {
	return (*typed.Lab)(l).Certificate(ctx, data, q)
}

// Sheet is a score sheet: a game as it was played and what was noted beside it.
type Sheet = arena.Sheet

// WriteSheet writes a score sheet as [Lab.ReadSheets] reads it.
func WriteSheet(w io.Writer, s *Sheet) error { return arena.WriteSheet(w, s) }

// ReadSheets reads score sheets of any games and replays them by their rules.
func (l *Lab) ReadSheets(r io.Reader) ([]*Sheet, error) {
	return arena.ReadSheets(r, func(spec string) (func(*arena.Sheet) error, error) {
		g, err := l.Game(spec)
		if err != nil {
			return nil, err
		}
		return g.Records().CheckSheet, nil
	})
}
