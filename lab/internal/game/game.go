// Package game says what a game is once the type of its positions is erased: the interface
// Game, what is asked of it and what it answers, all of it text, and the lab that opens one.
package game

import (
	"context"
	"io"
	"net"
	"strings"

	"oxo"
	"oxo/arena"
	"oxo/drop"
	"oxo/engine"
	"oxo/games/kind"
	"oxo/learn"
	"oxo/learn/exam"
	"oxo/learn/limit"
	"oxo/learn/show"
	"oxo/message"
	"oxo/prove/certificate"
	"oxo/solve/tiers"
)

// Game is a game opened by its spec, whatever its type of positions. Its methods,
// and those of the values that they return, speak text and are safe for
// concurrent use.
type Game interface {
	// Info returns what the game is: its canonical spec, rules and squares.
	Info() Info
	// Parse returns the state of the position in that text, the start for empty
	// text; the error says why it is no position of this game.
	Parse(position string) (State, error)
	// NewSession begins a game between the players that the options name.
	NewSession(o SessionOptions) (Session, error)
	// Solving returns exact counts and values of the game.
	Solving() Solving
	// Judging returns what is known of single positions, from the best source.
	Judging() Judging
	// Searching returns searches of single positions.
	Searching() Searching
	// Proving returns proofs about the game, or an error that says why there can
	// be none.
	Proving() (Proving, error)
	// Learning returns learners of the game, and exams.
	Learning() Learning
	// Contesting returns matches and tournaments, and play with other programs.
	Contesting() Contesting
	// Records returns what can be done with the score sheets of played games.
	Records() Records
}

// Solving is what is known exactly of a game: its size and its values.
type Solving interface {
	// TakeCensus takes the game's census, up to maxClassesPerPly, until ctx is done.
	TakeCensus(ctx context.Context, maxClassesPerPly int) *CountResult
	// Perft counts the sequences of exactly depth moves.
	Perft(ctx context.Context, depth int) (*PerftResult, error)
	// SearchTreeBounds compares bounds of the game's size with its true size, as far as
	// ctx and the limit allow. The error says that it has no squares.
	SearchTreeBounds(ctx context.Context, maxClassesPerPly int) (*BoundsResult, error)
	// Plan says how Solve would solve, or why it would refuse.
	Plan(o SolveOptions) (*Plan, error)
	// Solve solves a position exactly, or as far as can be: its result says how. What is
	// planned by tiers it refuses: that is done in parts.
	Solve(ctx context.Context, o SolveOptions) (*SolveResult, error)
	// LookUpSolution reads a position's value from a file that Solve, or a solution by
	// tiers, wrote.
	LookUpSolution(ctx context.Context, solution io.Reader, position string) (*SolveResult, error)
	// ReplyMap returns the map of optimal play of a seat from a position. The error says
	// that the game is too large for one, or can't be drawn so.
	ReplyMap(ctx context.Context, position string, seat oxo.Seat) (*ReplyMap, error)
	// ReadTallies reads how games end below each move of a position from a table that
	// the player winratio keeps.
	ReadTallies(table io.Reader, position string) ([]GamesBelow, error)
	// NewBookMaker makes a book of the game, in which marks fall, of so many plies, with next with bits for those one
	// ply later.
	NewBookMaker(plies int, next bool, o drop.SolverOptions) (*drop.BookMaker, error)
	// Tiers takes the game apart by numbers of marks, into slices that take so
	// many bytes of memory.
	Tiers(memory int64) (*tiers.Space, error)
	// FromTiers returns what the start is worth by the tables of all tiers.
	FromTiers(values *tiers.Values) (*SolveResult, error)
}

// Searching is what is looked up in the tree below a position.
type Searching interface {
	// Search runs one algorithm on one position.
	Search(ctx context.Context, o SearchOptions) (*SearchResult, error)
	// Ablate runs all combinations of algorithm, memory, symmetry and order.
	Ablate(ctx context.Context, o AblateOptions) (*AblateResult, error)
}

// Proving is what can be proved of a positional game without chance.
type Proving interface {
	// ProofRoot returns the position as the prover reads it, and its text. A claim that can't be asked is refused.
	ProofRoot(o ProveOptions) (root certificate.Setup, text string, err error)
	// Prove proves the value of a position.
	Prove(ctx context.Context, o ProveOptions) (*ProveResult, error)
	// Checked has the checker look at a proof of root that was just found, so that
	// what is wrong is never reported.
	Checked(ctx context.Context, root certificate.Setup, p *certificate.Proof) error
	// CheckForeignProof is the result of a proof of root that was found elsewhere: what its
	// certificate shows, and nothing where there is none. Told is what is said of it, claim what
	// was asked, empty for none.
	CheckForeignProof(ctx context.Context, root certificate.Setup, told *ProveResult, claim string,
		certificate []byte) (*ProveResult, error)
}

// Learning is what can be learned of a game, and how well a player knows it.
type Learning interface {
	// Inexact returns why the game has no exams in which nothing is sampled, nil
	// where it has them; ctx's error where that ends before it is known.
	Inexact(ctx context.Context) error
	// ReadBrain reads a brain and refuses one of another game, at once.
	ReadBrain(data []byte) (*learn.Brain, error)
	// NewOrResumedTrainer returns a learner that has played no game, or the one of a brain.
	// The error is a [Fault] of the option that it is about.
	NewOrResumedTrainer(ctx context.Context, o TrainOptions) (*learn.Trainer, error)
	// BeginLesson begins a game that a person teaches a trainer's learner.
	BeginLesson(ctx context.Context, t *learn.Trainer) (Lesson, error)
	// PrepareMeasures prepares what a learning curve shows of each trainer.
	PrepareMeasures(ctx context.Context) (func(t *learn.Trainer) learn.Measure, error)
	// GradeExactly examines what a trainer has learned; nil where exams are not exact.
	GradeExactly(ctx context.Context, t *learn.Trainer) (*exam.Exam, error)
	// Brain returns what a trainer has learned, to be kept.
	Brain(t *learn.Trainer) (*learn.Brain, error)
	// ExamPlayer grades a player exactly. The error says that the game has too many
	// positions, or that the player chooses by more than the position.
	ExamPlayer(ctx context.Context, player string) (*exam.Exam, error)
	// LimitsOfFeatures says what the weighted sums of a learner's features can play, however it is taught;
	// of what is claimed, if that is not nil, why it does not hold.
	LimitsOfFeatures(ctx context.Context, learner string, claimed *limit.Limits) (*limit.Limits, error)
	// ExamBySampleOrMatches grades a player by positions that a solver judges, or else by matches.
	ExamBySampleOrMatches(ctx context.Context, player string, o SampleOptions) (*SampledExam, error)
	// GradeBySample grades what a trainer has learned by positions that a solver judges; nil
	// where there is none.
	GradeBySample(ctx context.Context, t *learn.Trainer) (*exam.Sampled, error)
	// LearnerCatalogue lists what can be learned, how, and against whom.
	LearnerCatalogue() *Catalogue
	// ShowBrain says what a brain has learned, with at most so many positions.
	ShowBrain(brain []byte, most int) (*show.Shown, error)
	// LookWithBrain says what a brain makes of a position.
	LookWithBrain(ctx context.Context, brain []byte, position string) (*learn.Look, error)
}

// Contesting is play of players against one another.
type Contesting interface {
	// Offered lists the players that are offered by name and says which of them don't play
	// the game: at once, by a guess where it would have to be solved to know.
	Offered() []OfferedPlayer
	// NewContest sets up games between players. The error is a [Fault] of the
	// option that it is about.
	NewContest(o ContestOptions) (Contest, error)
	// NewEngine returns the game with a player for the text protocols.
	NewEngine(ctx context.Context, player string) (engine.Engine, error)
	// HostQuiz plays one game of the quiz's protocol with programs that connect.
	HostQuiz(ctx context.Context, guests [2]QuizGuest, player, hello string) (*oxo.Record, error)
}

// QuizGuest waits for a program of the quiz to connect.
type QuizGuest func(ctx context.Context) (net.Conn, error)

// Records is what can be done with score sheets of the game.
type Records interface {
	// CheckSheet replays a sheet by the rules.
	CheckSheet(s *arena.Sheet) error
	// PositionsOfSheet returns the positions before the first move and after each.
	PositionsOfSheet(s *arena.Sheet) ([]State, error)
	// ExportSheet writes a sheet in a format of other programs: sgf or psq.
	ExportSheet(w io.Writer, s *arena.Sheet, format string) error
}

// Fault is an error about one field of a request.
type Fault struct {
	Field string // its name in JSON, with the index of an element, as in players[1]
	Err   error
}

// Error says what is wrong.
func (f *Fault) Error() string { return f.Err.Error() }

// Unwrap returns what is wrong.
func (f *Fault) Unwrap() error { return f.Err }

// FaultOf makes an error one about a field, unless it is nil.
func FaultOf(field string, err error) error {
	if err == nil {
		return nil
	}
	return &Fault{field, err}
}

// Info says what a game is.
type Info struct {
	Spec     string        `json:"spec"`
	Title    string        `json:"title"`
	Rules    string        `json:"rules"` // how it is played, in a few sentences
	Identity string        `json:"-"`     // tells the game from all others, in files
	Start    string        `json:"start"`
	Squares  []kind.Square `json:"squares,omitempty"` // in the order of a position's text; none for trees
	kind.Look
	Seats      [2]string `json:"seats"`           // what the two sides are called
	Lines      [][]int   `json:"lines,omitempty"` // the winning sets of a positional game, by the order of Squares
	Chance     bool      `json:"chance"`
	Loopy      bool      `json:"loopy"`
	Positional bool      `json:"positional"`
	// Bars are of Lines; Turns is for programs that follow the game by themselves.
	Bars       [][]int     `json:"bars,omitempty" doc:"for each winning set, the squares that its owner must not have"`
	Turns      *kind.Turns `json:"turns,omitempty" doc:"what comes of a move, where a program can know it without asking"`
	MaxPlies   int         `json:"max_plies"` // 0 if loopy
	Symmetries string      `json:"symmetries"`

	Evaluations []string `json:"evaluations,omitempty" doc:"how searches can judge positions at a depth limit, the usual one first"`

	Said message.Said `json:"said,omitempty" doc:"the messages of the texts here, by field: keys and arguments, for other languages"`
}

// Extent is how many columns, rows and levels the squares take; all are 0 where there are none.
func (i *Info) Extent() (cols, rows, levels int) {
	for _, s := range i.Squares {
		cols, rows, levels = max(cols, s.Col+1), max(rows, s.Row+1), max(levels, s.Level+1)
	}
	return cols, rows, levels
}

// Messages returns the messages of some fields, such as the title, of those that have any.
func (i *Info) Messages(fields ...string) message.Said {
	said := message.Said{}
	for _, field := range fields {
		if list := i.Said[field]; list != nil {
			said[field] = list
		}
	}
	return said
}

// State is a position in text.
type State struct {
	Position string   `json:"position"`
	Turn     string   `json:"turn" enum:"first,second,chance" doc:"whose move it is"`
	Result   string   `json:"result" enum:"first,second,draw,*" doc:"* while play goes on"`
	Moves    []string `json:"moves" doc:"the legal ones"`
	Payoff   *float64 `json:"payoff,omitempty" doc:"to First, at the end of a game that has payoffs"`
}

// Held returns about how many bytes of memory a game has come to hold: its winning
// sets, and what was worked out of its positions.
func Held(g Game) int64 { return g.(interface{ Held() int64 }).Held() }

// RowsOfThree are the rows of a board of nine squares.
var RowsOfThree = [8][3]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}}

// Signs are the signs on the squares in a position, in their order: x, o or a dot. Slashes only divide its rows.
func (i *Info) Signs(position string) string {
	word, _, _ := strings.Cut(position, " ")
	return strings.ReplaceAll(word, "/", "")
}

// ActiveBoard is which of nine boards the next move of a position is in, from 0; −1 for any. The text counts from 1.
func (i *Info) ActiveBoard(position string) int {
	if words := strings.Fields(position); len(words) > 2 && len(words[2]) == 1 && "1" <= words[2] && words[2] <= "9" {
		return int(words[2][0] - '1')
	}
	return -1
}

// BoardOwners says who owns each of nine boards: by the position's fourth word where it
// has one, else by its rows of three.
// It is nine letters, x, o or a dot, one for each board.
func (i *Info) BoardOwners(position string) string {
	words := strings.Fields(position)
	if len(words) > 3 && len(words[3]) == 9 && strings.Trim(words[3], "xo.") == "" {
		return words[3]
	}
	var boards [9][9]byte
	marks := i.Signs(position)
	for k, s := range i.Squares[:min(len(i.Squares), len(marks))] {
		boards[s.Row/3*3+s.Col/3][s.Row%3*3+s.Col%3] = marks[k]
	}
	own := []byte(".........")
	for k, board := range boards {
		for _, row := range RowsOfThree {
			if m := board[row[0]]; (m == 'x' || m == 'o') && board[row[1]] == m && board[row[2]] == m {
				own[k] = m
			}
		}
	}
	return string(own)
}
