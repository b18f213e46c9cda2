package typed

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"oxo"
	"oxo/arena"
	"oxo/board"
	"oxo/judge"
	"oxo/message"
	"oxo/solve"
)

// Judging is what is known of single positions, from the best source there is.
type Judging interface {
	Puzzling
	// Judge says what is known of a position and its moves within the budget. Tell,
	// where it is not nil, is told of each better answer.
	Judge(ctx context.Context, o JudgeOptions, tell func(*Judged)) (*Judged, error)
	// Review judges every move of a game, from the last to the first, so long for each
	// position as the options say.
	Review(ctx context.Context, r oxo.Record, o JudgeOptions, tell func(*Judgement)) (*Review, error)
	// Sets names the winning sets through a square, with the marks on them.
	Sets(position, square string) ([]SetThrough, error)
	// Prepare solves the whole game, or counts how all games of it end, as a player of
	// that spec needs. The error says why that can't be done at once.
	Prepare(ctx context.Context, player string) error
}

// JudgeOptions say what to judge and how much work that may be: in positions, so that
// the same question has the same answer, or in time; none of both asks for what is known
// for nothing.
type JudgeOptions struct {
	Position string
	Nodes    uint64
	Time     time.Duration
}

func (o *JudgeOptions) budget() judge.Budget { return judge.Budget{Nodes: o.Nodes, Time: o.Time} }

// Known is what is known of a position: where its worth to First lies, and why.
type Known struct {
	Lo       float64  `json:"lo" doc:"the least that the position can be worth to the first side"`
	Hi       float64  `json:"hi" doc:"the most; equal to lo where the worth is known"`
	Value    string   `json:"value,omitempty" doc:"first, second or draw, where that is known"`
	Plies    *int     `json:"plies,omitempty" doc:"to the end under best play, where that is known"`
	Source   string   `json:"source,omitempty" doc:"what shows the interval; empty where nothing is known"`
	Line     []string `json:"line,omitempty" doc:"moves that show it"`
	Estimate *float64 `json:"estimate,omitempty" doc:"a guess of the worth to the first side inside the interval, where it is no single value"`
	Noise    float64  `json:"noise,omitempty" doc:"the guess's standard error, as far as chance in the search leaves one"`
	Searched uint64   `json:"searched,omitempty" doc:"positions or simulated games behind the guess"`
}

// JudgedMove is a move and what is known of the position after it.
type JudgedMove struct {
	Move string `json:"move"`
	Known
	Text  string `json:"text" doc:"its worth to the mover in words"`
	Short string `json:"short" doc:"the same for a small square: + wins and − loses in so many plies, = draws; ≥ does not lose, ≤ does not win; a number is an estimate"`
	Shade string `json:"shade" enum:"good,even,bad,none"`
	Best  bool   `json:"best" doc:"no move is better, for certain"`
	Gives bool   `json:"gives,omitempty" doc:"another move is better, for certain"`
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
}

// Judgement is what a move of a game did.
type Judgement struct {
	Ply     int      `json:"ply"` // from 1
	Move    string   `json:"move"`
	Turn    string   `json:"turn" enum:"first,second,chance"`
	Before  Known    `json:"before"`
	After   Known    `json:"after"`
	Certain bool     `json:"certain" doc:"whether it is certain that the move gave something away, or that it did not"`
	Gave    bool     `json:"gave" doc:"it gave something away: probably, where that is not certain"`
	Better  []string `json:"better"`
	Why     string   `json:"why,omitempty" doc:"what it gave away and let the other side do, in words"`
	Says    string   `json:"says" doc:"what the position after it is worth, in words"`
}

// Review is what the moves of a game did.
type Review struct {
	Game    string      `json:"game"`
	Moves   []Judgement `json:"moves"`
	Start   Known       `json:"start"` // before the first move
	Says    string      `json:"start_says" doc:"what that position is worth, in words"`
	Summary string      `json:"summary"`
}

// SetThrough is a winning set.
type SetThrough struct {
	Squares []string `json:"squares"`
	First   int      `json:"first" doc:"marks of the first side on it"`
	Second  int      `json:"second"`
	Open    bool     `json:"open" doc:"not both sides have a mark on it"`
}

// NoHints says that the judge is not asked in games with others.
func NoHints() string { return judge.Say(message.Of("no-hints", nil)) }

type judging[P oxo.Position[P]] struct{ b *typedGame[P] }

func (b *typedGame[P]) Judging() Judging { return judging[P]{b} }

// Judge judges a position.
func (f judging[P]) Judge(ctx context.Context, o JudgeOptions, tell func(*Judged)) (*Judged, error) {
	p, err := parse(f.b.Game, o.Position)
	if err != nil {
		return nil, fault("position", err)
	}
	begin := time.Now()
	j, _ := f.b.openJudge()
	var told func(*judge.Answer)
	if tell != nil {
		told = func(a *judge.Answer) { tell(f.describeAnswer(p, a, begin)) }
	}
	a, err := j.Ask(ctx, p, o.budget(), nil, told)
	return f.describeAnswer(p, a, begin), err
}

// describeKnown says what is known of p in text.
func (f judging[P]) describeKnown(p P, k *judge.Known) Known {
	out := Known{Lo: clampFinite(k.Lo), Hi: clampFinite(k.Hi), Source: k.Source}
	if k.Proven() {
		out.Hi = out.Lo
		if f.b.Odds == nil && f.b.Payoff == nil {
			out.Value = resultOfWorth(out.Lo)
		}
		if k.Timed {
			plies := k.Plies
			out.Plies = &plies
		}
	}
	_, v := f.b.openJudge()
	if len(k.Line) > 0 {
		out.Line = v.Names(p, k.Line)
	}
	if e := k.Estimate; e.Searched > 0 {
		out.Estimate, out.Noise, out.Searched = &e.Value, e.Noise, e.Searched
	}
	return out
}

// resultOfWorth names the result that a worth is.
func resultOfWorth(v float64) string {
	switch {
	case v > 0:
		return oxo.FirstWins.String()
	case v < 0:
		return oxo.SecondWins.String()
	}
	return oxo.Drawn.String()
}

// clampFinite keeps a bound that nobody knows in what JSON can say.
func clampFinite(v float64) float64 { return max(-math.MaxFloat64, min(math.MaxFloat64, v)) }

// describeAnswer says an answer in text.
func (f judging[P]) describeAnswer(p P, a *judge.Answer, begin time.Time) *Judged {
	_, v := f.b.openJudge()
	out := &Judged{Game: f.b.Spec, Position: f.b.Format(p), Turn: p.Turn().String(), Known: f.describeKnown(p,
		&a.Known),
		Moves: []JudgedMove{}, Done: a.Done}
	best := a.Best()
	order := make([]int, len(a.Moves))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return a.Compare(x, y) })
	for _, i := range order {
		m := JudgedMove{Move: f.b.FormatMove(p, a.Moves[i].Move),
			Known: f.describeKnown(p.Play(a.Moves[i].Move), &a.Moves[i].Known),
			Text:  judge.Say(v.Verdict(a, i)), Best: slices.Contains(best, i), Gives: a.GivesAway(i)}
		m.Short, m.Shade = v.Short(a, i)
		out.Moves = append(out.Moves, m)
	}
	if a.Hint >= 0 {
		out.Hint, out.Certain = f.b.FormatMove(p, a.Moves[a.Hint].Move), slices.Contains(best, a.Hint)
	}
	out.Standing, out.Which, out.Why = judge.Say(v.Standing(p, a)...), judge.Say(v.NameHint(p, a)),
		judge.Say(v.ExplainHint(p, a)...)
	for _, l := range a.LeftOut {
		out.LeftOut = append(out.LeftOut, l.Source+": "+l.Err.Error())
	}
	out.Seconds = time.Since(begin).Seconds()
	return out
}

// Review judges the moves of a game.
func (f judging[P]) Review(ctx context.Context, r oxo.Record, o JudgeOptions, tell func(*Judgement)) (*Review, error) {
	positions, moves, err := arena.Replay(f.b.Game, &arena.Sheet{Record: r})
	if err != nil {
		return nil, err
	}
	j, v := f.b.openJudge()
	say := func(i int, r *judge.Reviewed) *Judgement {
		p, next := positions[i], positions[i+1]
		out := &Judgement{Ply: i + 1, Move: f.b.FormatMove(p, r.Move), Turn: p.Turn().String(),
			Before: f.describeKnown(p, &r.Before.Known),
			After:  f.describeKnown(next, &r.After.Known), Certain: r.Certain, Gave: r.Gave, Better: []string{},
			Why:  judge.Say(v.Remark(p, next, r)...),
			Says: judge.Say(v.Standing(next, r.After)...)}
		for _, b := range r.Better {
			out.Better = append(out.Better, f.b.FormatMove(p, r.Before.Moves[b].Move))
		}
		return out
	}
	var told func(int, *judge.Reviewed)
	if tell != nil {
		told = func(i int, r *judge.Reviewed) { tell(say(i, r)) }
	}
	list, err := j.Review(ctx, positions, moves, o.budget(), told)
	if err != nil {
		return nil, err
	}
	out := &Review{Game: f.b.Spec, Moves: []Judgement{}, Summary: judge.Say(judge.Summary(list)...)}
	for i := range list {
		out.Moves = append(out.Moves, *say(i, &list[i]))
	}
	if len(list) > 0 {
		out.Start, out.Says = out.Moves[0].Before, judge.Say(v.Standing(positions[0], list[0].Before)...)
	}
	return out, nil
}

// Prepare works out what a player knows of the whole game.
func (f judging[P]) Prepare(ctx context.Context, player string) error {
	if name, options, _ := strings.Cut(player, ":"); name == "winratio" {
		if strings.Contains(options, "table=") {
			return nil // it is in a file
		}
		_, err := f.b.tallyGames(ctx)
		return err
	}
	_, err := f.b.solveWhole(ctx)
	if errors.Is(err, solve.ErrTooLarge) && f.b.ensureDropSolver() == nil {
		return nil // where marks fall, players search
	}
	return err
}

// Sets names the winning sets through a square.
func (f judging[P]) Sets(position, square string) ([]SetThrough, error) {
	p, err := parse(f.b.Game, position)
	if err != nil {
		return nil, fault("position", err)
	}
	if f.b.lines == nil {
		return nil, errors.New("there are no winning sets in " + f.b.Spec)
	}
	at := slices.Index(f.b.squareNames(), strings.ToLower(square))
	if at < 0 {
		return nil, fault("square", errors.New("square \""+square+"\": there is none; they are "+f.b.squareNames()[0]+
			" to "+f.b.squareNames()[len(f.b.squareNames())-1]))
	}
	list := []SetThrough{}
	for _, line := range f.b.lines {
		if !slices.Contains(line, at) {
			continue
		}
		s := SetThrough{Squares: []string{}}
		for _, sq := range line {
			s.Squares = append(s.Squares, f.b.view.Squares[sq].Name)
			switch f.b.mark(p, sq) {
			case 0:
				s.First++
			case 1:
				s.Second++
			}
		}
		slices.SortFunc(s.Squares, compareSquareNames)
		s.Open = s.First == 0 || s.Second == 0
		list = append(list, s)
	}
	return list, nil
}

func (b *typedGame[P]) squareNames() []string {
	names := make([]string, len(b.view.Squares))
	for i, s := range b.view.Squares {
		names[i] = s.Name
	}
	return names
}

// setName names a winning set by its squares.
func (b *typedGame[P]) setName(l board.Line) string {
	var names []string
	for _, sq := range l.Need.Squares() {
		names = append(names, b.board.Names[sq])
	}
	if slices.SortFunc(names, compareSquareNames); len(names) > 5 {
		names = []string{names[0] + " to " + names[len(names)-1]}
	}
	return strings.Join(names, "–")
}

// compareSquareNames orders names of squares: by letter, then a2 before a10.
func compareSquareNames(a, b string) int {
	return cmp.Or(cmp.Compare(strings.TrimRight(a, "0123456789"), strings.TrimRight(b, "0123456789")),
		cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// completedSets names the winning sets that are complete in p.
func (b *typedGame[P]) completedSets(p P) []string {
	x, o := any(p).(board.Positional).Marks()
	var sets []string
	for _, l := range b.board.Lines {
		if l.Owned(x) || l.Owned(o) {
			sets = append(sets, b.setName(l))
		}
	}
	return sets
}
