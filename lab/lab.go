// Package lab is the waist of oxo. Above it everything is text: a game's spec,
// a position, a move, a player's spec, a seed. Below it everything is concrete
// and generic over the position type, which is erased in one place, the package
// lab/internal/typed. The command line, the studio and workers all do their work
// through it, and the same request with the same seed gives the same answer on
// each.
//
// [Lab.Game] opens a game by its spec; the methods of [Game] are what can be done
// with it, a subject each. [Lab.Add] adds games, players and learners to oxo's own.
// Work that takes long, can be split into parts and carried out anywhere is in lab/jobs.
package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"iter"

	"oxo"
	"oxo/arena"
	"oxo/games/kind"
	"oxo/judge"
	"oxo/lab/internal/certify"
	"oxo/lab/internal/game"
	"oxo/lab/internal/opened"
	"oxo/lab/internal/players"
	"oxo/lab/internal/typed"
	"oxo/learn"
	"oxo/learn/model"
	"oxo/learn/show"
	"oxo/message"
)

// Lab opens games and players by their specs. The zero value reads no files.
type Lab game.Lab

// withDefaultKinds returns the lab with the kinds of [BuiltIn] where it names none.
func (l *Lab) withDefaultKinds() *game.Lab {
	if l.Kinds != nil {
		return (*game.Lab)(l)
	}
	with := game.Lab(*l)
	with.Kinds = BuiltIn()
	return &with
}

// What games are, and what can be done with one. Methods and fields are with what a name stands for.
type (
	// Game is an interface; it leads to the next five, which have the methods: go doc oxo/lab/internal/game.Game
	Game       = game.Game
	Solving    = game.Solving
	Judging    = game.Judging
	Proving    = game.Proving
	Learning   = game.Learning
	Contesting = game.Contesting
	Fault      = game.Fault

	Info  = game.Info
	State = game.State
	Kind  = game.Kind
)

// What a program adds to a lab: a [Kind], a [Player] or a [Learner], whose fields are with what the name stands for.
type (
	Part    = game.Part
	Player  = game.AnyPlayer
	Learner = game.Learner
)

// Add adds kinds of games, players and learners to those of the lab, which are oxo's own where it names none. The
// error says what is wrong with one, as [Lab.Check] does.
func (l *Lab) Add(parts ...Part) error {
	l.Kinds = l.withDefaultKinds().Kinds
	if err := (*game.Lab)(l).Add(parts...); err != nil {
		return err
	}
	return l.Check()
}

// Check says what is wrong with the kinds, players and learners of the lab, nil where nothing is: a name that is
// taken, or what one lacks.
func (l *Lab) Check() error { return players.Check((*game.Lab)(l)) }

// Bare returns a lab that knows the same games, players and learners, and reads no files.
func (l *Lab) Bare() Lab { return Lab{Kinds: l.Kinds, Players: l.Players, Learners: l.Learners} }

// What is asked of a game, and what is answered. Fields and methods are with what a name stands for.
type (
	// SessionOptions and Session are games under way: go doc oxo/lab/internal/game.Session
	SessionOptions = game.SessionOptions
	Session        = game.Session
	Lesson         = game.Lesson
	CountResult    = game.CountResult
	ByResult       = game.ByResult
	PerftResult    = game.PerftResult
	BoundsResult   = game.BoundsResult
	SolveOptions   = game.SolveOptions
	SolveResult    = game.SolveResult
	Worth          = game.Worth
	Plan           = game.Plan
	Going          = game.Going
	ReplyMap       = game.ReplyMap
	Known          = game.Known
	Judged         = game.Judged
	Said           = message.Said
	JudgedMove     = game.JudgedMove
	JudgeOptions   = game.JudgeOptions
	Review         = game.Review
	GamesBelow     = game.GamesBelow
	SearchOptions  = game.SearchOptions
	SearchResult   = game.SearchResult
	SearchLine     = game.SearchLine
	SearchTree     = game.SearchTree
	TraceNode      = game.TraceNode
	Simulations    = game.Simulations
	ToldSimulation = game.ToldSimulation
	TriedMove      = game.TriedMove
	AblateOptions  = game.AblateOptions
	AblateResult   = game.AblateResult
	AblateRow      = game.AblateRow
	ProveOptions   = game.ProveOptions
	ProveResult    = game.ProveResult
	// TrainOptions are of Learning.NewOrResumedTrainer: go doc oxo/lab/internal/game.TrainOptions
	TrainOptions   = game.TrainOptions
	SampledExam    = game.SampledExam
	SampleOptions  = game.SampleOptions
	Catalogue      = game.Catalogue
	Basis          = game.Basis
	LearnerForm    = game.LearnerForm
	OfferedPlayer  = game.OfferedPlayer
	QuizGuest      = game.QuizGuest
	BrainFacts     = game.BrainFacts
	ContestOptions = game.ContestOptions
	Contest        = game.Contest
	Range          = game.Range
	Guest          = game.Guest
	GuestGame      = game.GuestGame
	Judgement      = game.Judgement
	Question       = certify.Question
	Verdict        = certify.Verdict
	Limits         = certify.Limits
	Scratch        = certify.Scratch
	File           = game.File
	Certificate    = certify.Certificate
	Walk           = certify.Walk

	CertificateSummary = certify.CertificateSummary
	ProofSearch        = certify.Search
	CarriedProof       = opened.CarriedProof

	PlayerDescription = players.Description
)

// What is taught, and what is shown of that.
type (
	Trainer    = learn.Trainer
	Tally      = learn.Tally
	Step       = show.Step
	Considered = learn.Considered
	Term       = learn.Term
	Taught     = learn.Taught
)

// RowsOfThree are the rows of a board of nine squares.
var RowsOfThree = game.RowsOfThree

// UsualTraining is how a learner is trained where nobody says otherwise.
var UsualTraining = game.Usual

// Itself is the opponent's spec of a learner that plays both sides.
const Itself = learn.Itself

// Human is the player's spec of a person: whoever runs a session moves for it.
const Human = game.Human

// TopLevel is the number of the strongest opponent for people; the first is 1.
const TopLevel = game.TopLevel

const DefaultAblateNodes = game.DefaultAblateNodes

// TierMemory is what a part of a solution by tiers takes unless told otherwise.
const TierMemory = game.TierMemory

// ErrNoPolicy is wrapped by errors about players that can't be examined exactly.
var ErrNoPolicy = game.ErrNoPolicy

// Methods of a [Plan]: of work in parts, and of a table of all positions in memory.
const (
	ByTiers = game.ByTiers
	ByTable = game.ByTable
)

// Game opens the game of that spec. The error names the word that is wrong and
// what is accepted.
func (l *Lab) Game(text string) (Game, error) { return l.GameWithin(context.Background(), text) }

// GameWithin is Game, unless ctx is done before the game's symmetries are found.
func (l *Lab) GameWithin(ctx context.Context, text string) (Game, error) {
	if err := l.Check(); err != nil {
		return nil, err
	}
	return l.withDefaultKinds().GameWithin(ctx, text)
}

// ErrMemory is the cause of the end of work that took more memory than its budget.
var ErrMemory = oxo.ErrMemory

// KnownForCertain returns what is certain of a position whose worth other work leaves open, and the same in
// words and as messages; nil where nothing is. It takes about as many positions as the other work did, within limits
// that nobody notices.
func KnownForCertain(ctx context.Context, g Judging, position string, work uint64) (known *Known, text string,
	said Said) {
	return game.KnownForCertain(ctx, g, position, work)
}

// WeighClaim reports whether what is known for certain of a position makes a claim about it true, or false.
func WeighClaim(claim string, k *Known) (holds, refuted bool) { return certify.WeighClaim(claim, k) }

// WithBudget returns a context for work whose tables and frontiers may take so many bytes.
func WithBudget(ctx context.Context, bytes int64) (context.Context, *oxo.Budget) {
	return oxo.WithMemoryBudget(ctx, bytes)
}

// TitleOf is what a game is called over a page: the name by which it is offered, else its title; it begins with a
// capital.
func (l *Lab) TitleOf(g Game) string { return l.withDefaultKinds().TitleOf(g) }

// NamesFile reports whether a spec is of a kind whose games may be in files.
func (l *Lab) NamesFile(spec string) bool { return l.withDefaultKinds().NamesFile(spec) }

// ListKinds lists the kinds of games, each name once.
func (l *Lab) ListKinds() []Kind { return l.withDefaultKinds().ListKinds() }

// KindOf returns the kind of that name, or the error that says which there are.
func (l *Lab) KindOf(name string) (Kind, error) { return l.withDefaultKinds().KindOf(name) }

// ParseLearner reads a learner's spec. The error says which word is wrong.
func (l *Lab) ParseLearner(spec string) (model.Spec, error) {
	return l.withDefaultKinds().ParseLearner(spec)
}

// KindOfFile returns the kind of game that a JSON object holds: the first that
// has one of its fields, or else the last that files can hold.
func (l *Lab) KindOfFile(data []byte) (Kind, error) { return l.withDefaultKinds().KindOfFile(data) }

// BuiltIn lists the kinds of games that oxo has.
func BuiltIn() []Kind { return typed.BuiltInKinds() }

// KindOf returns the kind of games whose positions are of type P.
func KindOf[P oxo.Position[P]](k kind.Of[P]) Kind { return typed.KindOf(k) }

// PositionalKind returns the kind of games with squares and winning sets.
func PositionalKind(k kind.Positional) Kind { return typed.PositionalKind(k) }

// RefusalWords returns what is said in English of players and learners that don't take a game, by key.
func RefusalWords() message.Table { return game.RefusalWords() }

// PlayerKinds lists the kinds of players of all games: people, oxo's own, and those that the lab has more.
func (l *Lab) PlayerKinds() []PlayerDescription { return players.Kinds((*game.Lab)(l)) }

// PlayerKind returns the kind of the player of that spec, empty of one that only one game knows.
func (l *Lab) PlayerKind(spec string) PlayerDescription {
	k, _ := players.Describe((*game.Lab)(l), spec)
	return k
}

// PlayerFile returns the file that a player's spec names.
func (l *Lab) PlayerFile(spec string) players.File { return players.FileOf((*game.Lab)(l), spec) }

// EvalFile returns the file that an evaluation's name stands for, empty where it is none's, and whether it is a brain.
func EvalFile(eval string) (path string, brain bool) { return players.EvalFile(eval) }

// LearnerForms lists the kinds of learners.
func (l *Lab) LearnerForms() []model.Form { return model.Forms(l.Learners...) }

// AlgorithmNames lists the names of the search algorithms.
func AlgorithmNames() []string { return game.AlgorithmNames() }

// ReadBrainFacts reads what a brain is.
func ReadBrainFacts(data []byte) (BrainFacts, error) { return game.ReadBrainFacts(data) }

// Carried are the proofs that the program has with it. OpenCarriedCertificate opens one of them.
func Carried() []CarriedProof { return opened.Carried }

// OpenCarriedCertificate opens a proof within the lab's limits of memory and disk.
func (l *Lab) OpenCarriedCertificate(c *CarriedProof) (*Certificate, error) {
	g, err := l.Game(c.Game)
	if err != nil {
		return nil, err
	}
	return c.Open(g, Limits{Memory: l.ProofMemory, Disk: l.Scratch})
}

// CarriedNamed returns the proof that the program has with it of that game or id, nil for none.
func CarriedNamed(name string) *CarriedProof { return opened.FindCarriedProof(name) }

// NoHints says that the judge is not asked in games with others.
func NoHints() string { return judge.Say(judge.NoHints()) }

// Held returns about how many bytes of memory a game has come to hold.
func Held(g Game) int64 { return game.Held(g) }

// Verify has the checker answer a question about a certificate, a file of size bytes.
// It is the only way by which a certificate comes to be believed here. The error is of a
// question that makes no sense, or of a context that was done before there was an answer.
func (l *Lab) Verify(ctx context.Context, file io.ReaderAt, size int64, q Question) (*Verdict, error) {
	return certify.Verify(ctx, typed.CertificateGames(l.withDefaultKinds()), file, size, q)
}

// VerifyBytes is Verify of a certificate in memory.
func (l *Lab) VerifyBytes(ctx context.Context, data []byte, q Question) (*Verdict, error) {
	return l.Verify(ctx, bytes.NewReader(data), int64(len(data)), q)
}

// Certificate reads a certificate, a file of size bytes, that shows what is asked, and refuses any other. Its
// game need not be one that the lab can open: the certificate describes it.
func (l *Lab) Certificate(ctx context.Context, file io.ReaderAt, size int64, q Question) (*Certificate, error) {
	return certify.VerifyAndOpen(ctx, typed.CertificateGames(l.withDefaultKinds()), file, size, q)
}

// Sheet is a score sheet: a game as it was played and what was noted beside it.
type Sheet = arena.Sheet

// Note is what is noted beside a move on a score sheet, TimeControl the time that players have.
type (
	Note        = arena.Note
	TimeControl = arena.TimeControl
)

// ErrNoGame says that a score sheet does not name its game.
var ErrNoGame = arena.ErrNoGame

// WriteSheet writes a score sheet as [Lab.EachSheet] reads it.
func WriteSheet(w io.Writer, s *Sheet) error { return arena.WriteSheet(w, s) }

// mostCarried is how long the text of a game's file may be that a score sheet carries, in bytes.
const mostCarried = 60_000

// EmbedGameFiles has score sheets of a game that a file describes carry that file, so that they can be read without it.
// A file that is too long or can't be read is left out.
func (l *Lab) EmbedGameFiles(sheets ...*Sheet) {
	for _, s := range sheets {
		path := l.gameFilePath(s.Game)
		if path == "" {
			continue
		}
		data, err := (*game.Lab)(l).ReadNamedFile(path)
		var line bytes.Buffer
		if err == nil {
			err = json.Compact(&line, bytes.TrimPrefix(data, []byte("\ufeff")))
		}
		if err == nil && line.Len() <= mostCarried {
			s.File = line.String()
		}
	}
}

// gameFilePath returns the path of the file that describes the game of a spec, empty for games without one.
func (l *Lab) gameFilePath(spec string) string {
	for _, k := range l.withDefaultKinds().Kinds {
		if k.Name == kind.KindNameIn(spec) && k.File != nil {
			return k.Split(spec).Args
		}
	}
	return ""
}

// FileNamedBy returns the path of the file that a score sheet takes its game from and does not carry, empty where
// there is none.
func (l *Lab) FileNamedBy(s *Sheet) (path string) {
	if s.File != "" || l.gameFilePath(s.Game) == "" {
		return ""
	}
	asked := *l
	asked.ReadFile = func(at string) ([]byte, error) { // not for trees that are built in
		path = at
		return nil, fs.ErrNotExist
	}
	_, _ = asked.Game(s.Game)
	return path
}

// useEmbeddedFile has the lab take the file of a score sheet's game from the sheet where it carries one: that is the
// game that was played, whatever is in the file now.
// All other files are read as before.
func (l *Lab) useEmbeddedFile(s *Sheet) {
	path := l.gameFilePath(s.Game)
	if path == "" || s.File == "" {
		return
	}
	before := game.Lab(*l)
	l.ReadFile = func(at string) ([]byte, error) {
		if at == path {
			return []byte(s.File), nil
		}
		return before.ReadNamedFile(at)
	}
}

// EachSheet yields the score sheets of a text, of any games, replayed by their rules, or for one that can't be read
// what is wrong with it. Moves that name no game are of the one that is given; without one they are refused, with
// [ErrNoGame]. The file of a game that a sheet carries is what the lab reads from then on; others are read by the
// lab's ReadFile, and errors say that a sheet named them.
func (l *Lab) EachSheet(r io.Reader, game string) iter.Seq2[*Sheet, error] {
	return arena.EachSheet(r, game, func(s *arena.Sheet) error {
		l.useEmbeddedFile(s)
		g, err := l.Game(s.Game)
		if path := l.FileNamedBy(s); err != nil && path != "" && s.Game != game {
			return fmt.Errorf("it names the file %s and does not carry it: %w", path, err)
		}
		if err != nil {
			return err
		}
		return g.Records().CheckSheet(s)
	})
}
