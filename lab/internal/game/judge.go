package game

import (
	"context"
	"slices"
	"time"

	"oxo"
	"oxo/arena"
	"oxo/judge"
	"oxo/message"
	"oxo/puzzle"
)

// Judging is what is known of single positions, from the best source there is.
type Judging interface {
	Puzzling
	// Judge says what is known of a position and its moves within the budget. Tell,
	// where it is not nil, is told of each better answer.
	Judge(ctx context.Context, o JudgeOptions, tell func(*Judged)) (*Judged, error)
	// ExplainMove says what one move of the position leads to, as the judge says it of a move among others: the
	// message has its verdict, and how that is shown where it is.
	ExplainMove(ctx context.Context, o JudgeOptions, move string) (message.Message, error)
	// ReviewGame judges every move of a game, from the last to the first, so long for each
	// position as the options say.
	ReviewGame(ctx context.Context, r oxo.Record, o JudgeOptions, tell func(*Judgement)) (*Review, error)
	// SetsThrough names the winning sets through a square, with the marks on them.
	SetsThrough(position, square string) ([]SetThrough, error)
	// PreparePlayer solves the whole game, or counts how all games of it end, as a player of
	// that spec needs, if it needs that at all; where the whole is too large, it solves what follows
	// the position. solved is that the solution of the whole game is at hand. The error says why
	// it can't be done at once.
	PreparePlayer(ctx context.Context, player, position string) (solved bool, err error)
}

// JudgeOptions say what to judge and how much work that may be: in positions, so that
// the same question has the same answer, or in time; none of both asks for what is known
// for nothing.
type JudgeOptions struct {
	Position string
	Nodes    uint64
	Time     time.Duration
}

// Budget returns the work as the judge reads it.
func (o *JudgeOptions) Budget() judge.Budget { return judge.Budget{Nodes: o.Nodes, Time: o.Time} }

// NodesBeside is how much of the judge is asked beside other work: enough to walk a proof to the
// position.
const NodesBeside = 20_000

// mostBeside is how much of the judge is asked beside long work: some tenths of a second.
const mostBeside = 300_000

// Beside asks the judge about a position beside a search, solution or proof that leaves it open.
func Beside(ctx context.Context, g Judging, position string) (*Judged, error) {
	return g.Judge(ctx, JudgeOptions{Position: position, Nodes: NodesBeside}, nil)
}

// AskBeside adds to what a search found what the judge knows for certain where it leaves the worth of its position
// open, the same of the moves where it values several, and how its line goes on.
func (r *SearchResult) AskBeside(ctx context.Context, g Game, position string) {
	if !r.Exact || len(r.Lines) > 1 {
		j, err := Beside(ctx, g.Judging(), position)
		if err != nil {
			return
		}
		r.addKnown(j)
	}
	switch {
	case r.Exact && r.Value != nil:
		r.continueLine(ctx, g, *r.Value)
	case r.Known != nil && r.Known.Lo == r.Known.Hi && !r.GivesAway:
		r.continueLine(ctx, g, r.Known.Lo)
	}
}

// addKnown adds what is certain of the position, where the search leaves that open, and of the moves of its lines.
func (r *SearchResult) addKnown(j *Judged) {
	for i := range r.Lines {
		if at := slices.IndexFunc(j.Moves, func(m JudgedMove) bool { return m.Move == r.Lines[i].Move }); at >= 0 {
			r.Lines[i].Known = j.Moves[at].certain()
		}
	}
	if r.Exact {
		return
	}
	r.Known, r.Standing, r.Said = j.CertainKnown()
	if r.GivesAway = j.GivesAway(r.Move); r.GivesAway {
		for _, m := range j.Moves {
			if m.Best {
				r.Better = append(r.Better, m.Move)
			}
		}
	}
	if k := r.Known; k != nil && k.Lo == k.Hi && r.Result == "" {
		r.Certain, r.Result = &k.Lo, k.Value
	}
}

// mostContinued is how often the judge is asked how a line goes on.
const mostContinued = 8

// continueLine has the line from a position of that worth go on to the end of the game, as far as the judge knows how:
// searches by proofs and by lines name their move alone. What hinders that leaves the line as far as it came.
func (r *SearchResult) continueLine(ctx context.Context, g Game, worth float64) {
	s, err := g.NewSession(SessionOptions{First: Human, Second: Human, Position: r.Position})
	if err != nil {
		return
	}
	defer s.Close()
	line, next := []string{}, r.PV
	for asked := 0; len(next) > 0; asked++ {
		for _, m := range next {
			if s.State().Turn == oxo.Chance.String() || s.Move(m) != nil {
				return
			}
			line = append(line, m)
		}
		if r.PV = line; s.Over() || asked == mostContinued {
			return
		}
		j, err := Beside(ctx, g.Judging(), s.State().Position)
		if err != nil || j.Lo != worth || j.Hi != worth {
			return
		}
		if next = j.Line; len(next) == 0 && j.Hint != "" {
			next = []string{j.Hint} // of a position that is lost, all the same
		}
	}
}

// KnownForCertain returns what is certain of a position whose worth other work leaves open, be it only where
// that lies, and the same in words and as messages; nil where nothing is. The estimate of the judge is
// taken out: what is left is a bound, or a value, with its source. The judge looks at as many positions as the other
// work did, from NodesBeside to mostBeside.
func KnownForCertain(ctx context.Context, g Judging, position string, work uint64) (known *Known, text string,
	said message.Said) {
	j, err := g.Judge(ctx, JudgeOptions{Position: position, Nodes: min(max(work, NodesBeside), mostBeside)}, nil)
	if err != nil {
		return nil, "", nil
	}
	return j.CertainKnown()
}

// CertainKnown is what KnownForCertain returns.
func (j *Judged) CertainKnown() (known *Known, text string, said message.Said) {
	if known = j.certain(); known == nil {
		return nil, "", nil
	}
	return known, j.CertainText(), message.Said{"standing": judge.WithoutEstimates(j.Said["standing"])}
}

// GivesAway reports whether another move than the given one is certainly better.
func (j *Judged) GivesAway(move string) bool {
	return slices.ContainsFunc(j.Moves, func(m JudgedMove) bool { return m.Move == move && m.Gives })
}

// CertainText is what is certain of the worth of the position, in words; empty where nothing is.
func (j *Judged) CertainText() string {
	if j.Source == "" {
		return ""
	}
	return j.Sure
}

// Known is what is known of a position: where its worth to First lies, and why.
type Known struct {
	Lo       float64  `json:"lo" doc:"the least that the position can be worth to the first side"`
	Hi       float64  `json:"hi" doc:"the most; equal to lo where the worth is known"`
	Value    string   `json:"value,omitempty" doc:"first, second or draw, where that is known"`
	Plies    *int     `json:"plies,omitempty" doc:"to the end under best play, where that is known"`
	Within   int      `json:"within,omitempty" doc:"the most plies that a win takes, where no more is known"`
	Source   string   `json:"source,omitempty" doc:"what shows the interval; empty where nothing is known"`
	Line     []string `json:"line,omitempty" doc:"moves that show it"`
	Estimate *float64 `json:"estimate,omitempty" doc:"a guess of the worth to the first side inside the interval, where it is no single value"`
	Noise    float64  `json:"noise,omitempty" doc:"the guess's standard error: how far a search with other draws would end, not how far the truth is"`
	Searched uint64   `json:"searched,omitempty" doc:"positions or simulated games behind the guess"`
}

// certain returns what is known without the estimate; nil where that is nothing.
func (k Known) certain() *Known {
	if k.Source == "" {
		return nil
	}
	k.Estimate, k.Noise, k.Searched = nil, 0, 0
	return &k
}

// JudgedMove is a move and what is known of the position after it.
type JudgedMove struct {
	Move string `json:"move"`
	Known
	Text  string `json:"text" doc:"its worth to the mover in words"`
	Short string `json:"short" doc:"the same for a small square: + wins and − loses in so many plies, = draws; ≥ does not lose, ≤ does not win; a number is an estimate"`
	Shade string `json:"shade" enum:"good,even,bad,none"`
	Best  bool   `json:"best" doc:"it keeps what the position is worth, for certain, and as far as lengths are known for as long as is best"`
	Gives bool   `json:"gives,omitempty" doc:"another move is better, for certain"`

	Said message.Said `json:"said,omitempty" doc:"the messages of the texts here, by field: keys and arguments, for other languages"`
}

// Judged is what is known of a position and its moves.
type Judged struct {
	Game     string       `json:"game"`
	Position string       `json:"position"`
	Turn     string       `json:"turn" enum:"first,second,chance"`
	Known                 // of the position
	Moves    []JudgedMove `json:"moves" doc:"best first"`
	Hint     string       `json:"hint" doc:"a move to play; empty where there is none to choose"`
	Certain  bool         `json:"certain" doc:"whether the hint is certainly best"`
	Standing string       `json:"standing" doc:"what the position is worth, in words"`
	Which    string       `json:"which" doc:"the hint in words"`
	Why      string       `json:"why" doc:"the reasons, in words"`
	LeftOut  []string     `json:"left_out,omitempty" doc:"sources that failed, and why"`
	Done     bool         `json:"done" doc:"no better answer follows"`
	Seconds  float64      `json:"seconds"`
	Said     message.Said `json:"said,omitempty" doc:"the messages of the texts here, by field: keys and arguments, for other languages"`
	Sure     string       `json:"-"` // Standing without what is an estimate
}

// Judgement is what a move of a game did.
type Judgement struct {
	Ply     int      `json:"ply"` // from 1
	Move    string   `json:"move"`
	Turn    string   `json:"turn" enum:"first,second,chance" doc:"whose move it is"`
	Before  Known    `json:"before" doc:"the value of the position before the move"`
	After   Known    `json:"after" doc:"the value after it"`
	Certain bool     `json:"certain" doc:"whether it is certain that the move gave something away, or that it did not"`
	Gave    bool     `json:"gave" doc:"it gave something away: probably, where that is not certain"`
	Missed  bool     `json:"missed" doc:"a win was certain before it, and whether it still is, is not known"`
	Better  []string `json:"better" doc:"moves known to keep what it gave away or missed, best first; else the likely better one"`
	Line    []string `json:"line" doc:"how play may go on with one of them"`
	Why     string   `json:"why" doc:"what it gave away and let the other side do, in words; empty where it gave nothing away"`
	Says    string   `json:"says" doc:"what the position after it is worth, in words"`

	Said message.Said `json:"said,omitempty" doc:"the messages of the texts here, by field: keys and arguments, for other languages"`
}

// Review is what the moves of a game did.
type Review struct {
	Game    string      `json:"game"`
	Moves   []Judgement `json:"moves"`
	Start   Known       `json:"start"` // before the first move
	Says    string      `json:"start_says" doc:"what that position is worth, in words"`
	Summary string      `json:"summary" doc:"how many moves could be judged for certain, in words"`

	Said message.Said `json:"said,omitempty" doc:"the messages of the texts here, by field: keys and arguments, for other languages"`
}

// SetThrough is a winning set.
type SetThrough struct {
	Squares []string `json:"squares"`
	First   int      `json:"first" doc:"marks of the first side on it"`
	Second  int      `json:"second"`
	Open    bool     `json:"open" doc:"not both sides have a mark on it"`
}

// Puzzling finds puzzles of the game, and checks them.
type Puzzling interface {
	// MinePuzzles looks for puzzles in games that are played for it, and tells of each. It
	// returns how many it found.
	MinePuzzles(ctx context.Context, o puzzle.MineOptions, tell func(puzzle.Puzzle)) (found int, err error)
	// MineMistakes is MinePuzzles of the positions of a played game in which another move was
	// right.
	MineMistakes(ctx context.Context, s *arena.Sheet, o puzzle.MineOptions,
		tell func(puzzle.Mistake)) (found int, err error)
	// FollowPuzzle judges a move of a puzzle that goes on, and answers it, as [puzzle.JudgeAndReply].
	FollowPuzzle(z *puzzle.Puzzle, move string, nodes int) (puzzle.Followed, error)
	// CheckPuzzle has a second search look at a puzzle, of so many positions.
	CheckPuzzle(z *puzzle.Puzzle, nodes int) error
}
