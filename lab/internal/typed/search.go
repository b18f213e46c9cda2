package typed

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"oxo"
	"oxo/board"
	"oxo/lab/internal/game"
	"oxo/lab/internal/opened"
	"oxo/lab/internal/players"
	"oxo/lines"
	"oxo/search"
	"oxo/search/mcts"
)

// Search searches a position, and where that leaves its worth open says what the judge knows for certain. The error is
// a [game.Fault] where one of the options is to blame.
func (f searching[P]) Search(ctx context.Context, o game.SearchOptions) (*game.SearchResult, error) {
	r, err := f.runSearch(ctx, o)
	if err != nil || o.Draw != 0 {
		return r, faultOfOption(err)
	}
	r.AskBeside(ctx, f.b.Erased, o.Position)
	return r, nil
}

// faultOfOption makes an error of a search about one option an error about the field of that name.
func faultOfOption(err error) error {
	if o, ok := errors.AsType[*search.OptionError](err); ok {
		return game.FaultOf(o.Option, err)
	}
	return err
}

// runSearch reads the options, chooses between the textbook's searches and the one by lines, and runs it.
func (f searching[P]) runSearch(ctx context.Context, o game.SearchOptions) (*game.SearchResult, error) {
	p, err := opened.ParseOrStart(f.b.Game, o.Position)
	if err != nil {
		return nil, game.FaultOf("position", err)
	}
	if o.Algorithm == "" {
		o.Algorithm = f.defaultAlgorithm(o)
	}
	name, _, _ := strings.Cut(o.Algorithm, ":")
	a, err := search.ParseAlgorithm(name)
	if err != nil {
		return nil, game.FaultOf("algorithm", err)
	}
	so, err := f.parseSearchOptions(o)
	if err != nil {
		return nil, err
	}
	if a == search.AlphaBeta && p.Outcome() == oxo.Ongoing && f.usesLineSearch(o) {
		return f.searchLines(ctx, p, o)
	}
	ctx, cancel := oxo.WithTimeLimit(ctx, o.Time)
	defer cancel()
	if o.MultiPV > 1 && a.Proves() {
		return nil, game.FaultOf("multipv", fmt.Errorf("multipv %d: %s finds one move; alphabeta, mcts and others "+
			"value several", o.MultiPV, a))
	}
	if so.Deepen, err = shouldDeepen(o, a, &so); err != nil {
		return nil, err
	}
	f.limitEndlessSearch(&so, a, p, o)
	f.addPositionOptions(&so, p, o)
	if err := f.addExactWorth(ctx, &so, p); err != nil {
		return nil, err
	}
	g, err := f.gameWithDrawWorth(o.Draw, a, &so)
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	if o.Progress != nil {
		so.Progress = func(r search.Result) { o.Progress(f.describeSearchResult(p, a, &r, &so, begin)) }
	}
	r := search.LoopResult{Known: true}
	if a == search.Minimax && f.b.Loopy() && o.Depth == 0 {
		r, err = search.SearchLoopAware(ctx, g, p, so)
	} else {
		r.Result, err = search.Search(ctx, g, p, a, so)
	}
	if err != nil {
		return nil, err
	}
	out := f.describeSearchResult(p, a, &r.Result, &so, begin)
	if !r.Known {
		out.Value, out.Certain, out.Move, out.Result, out.Exact = nil, nil, "", "?", false
	}
	return out, addTrace(&so, out)
}

// addExactWorth adds what positions are worth where the order of moves asks for it. It refuses games that can't be
// solved at once.
func (f searching[P]) addExactWorth(ctx context.Context, so *search.Options[P], p P) error {
	if so.Order < search.Perfect {
		return nil
	}
	s, err := f.b.SolutionHolding(ctx, p, 0, opened.AtOnce)
	if err == nil && s == nil && p.Outcome() == oxo.Ongoing {
		err = errors.New("it goes by exact values, and this is too large to be solved at once")
	}
	if err != nil {
		return game.FaultOf("order", fmt.Errorf("order %s: %w", so.Order, err))
	}
	so.Worth = func(q P) float64 {
		v, _ := s.At(q)
		return v.Expected
	}
	return nil
}

// gameWithDrawWorth returns the game that is searched where a draw is worth that much to First. It refuses
// a worth where draws are worth something else already, or the algorithm can't take it.
func (f searching[P]) gameWithDrawWorth(drawWorth float64, a search.Algorithm,
	so *search.Options[P]) (*oxo.Game[P], error) {
	switch {
	case drawWorth == 0:
		return f.b.Game, nil
	case !(-1 < drawWorth && drawWorth < 1):
		return nil, game.FaultOf("draw", fmt.Errorf("draw %v: it is worth more than a loss, -1, and less than "+
			"a win, 1", drawWorth))
	case f.b.Payoff != nil:
		return nil, game.FaultOf("draw", fmt.Errorf("draw %v: %s has payoffs of its own", drawWorth, f.b.Spec))
	case !a.HasDepth():
		return nil, game.FaultOf("draw", fmt.Errorf("draw %v: %s counts wins, draws and losses as 1, 0 and -1",
			drawWorth, a))
	}
	so.Score = nil                                              // a draw is worth no points
	so.Bounds = cmp.Or(so.Bounds, &oxo.Interval{Lo: -1, Hi: 1}) // wins and losses are worth what they were
	return f.b.WithDrawPayoff(drawWorth), nil
}

// addPositionOptions completes the options of a search by what it searches. Bounds that the position
// itself knows narrow the first window. A level of memory is counted from the position that is
// searched.
func (f searching[P]) addPositionOptions(so *search.Options[P], p P, o game.SearchOptions) {
	so.Lines = o.MultiPV
	so.Leaves = f.b.Board == nil && f.b.Payoff != nil
	if o.Trace {
		so.Trace = &search.Tracer[P]{Max: o.TraceNodes}
	}
	so.Bounds = cmp.Or(so.Bounds, opened.KnownBounds(p))
	if view, ok := any(p).(board.Positional); ok && so.Memory == search.OneLevel {
		x, o := view.Marks() // levels are counted from the empty board
		so.Level = max(0, so.Level-x.Len()-o.Len())
	}
}

// defaultAlgorithm returns the algorithm for who names none.
func (f searching[P]) defaultAlgorithm(o game.SearchOptions) string {
	switch {
	case f.b.Odds != nil:
		return string(search.Expectiminimax)
	case f.b.Loopy() && o.Depth == 0 && o.Time == 0:
		return string(search.Minimax)
	}
	return string(search.AlphaBeta)
}

// usesLineSearch reports whether alphabeta searches by lines, as the player of that
// name does here: where nothing is asked that only the textbook's knows.
func (f searching[P]) usesLineSearch(o game.SearchOptions) bool {
	none := func(word string) bool { return word == "" || word == "none" || word == "natural" }
	return f.b.SearchesByLines() && o.Algorithm == string(search.AlphaBeta) && none(o.Memo) && none(o.Symmetry) &&
		none(o.Order) && none(o.Stop) && o.Deepen == "" && o.Eval == "" && o.MultiPV == 0 && !o.Trace && o.Draw == 0
}

// usualNodes is how many nodes a search without a limit has in a game too large for its end: some seconds.
const usualNodes = 10_000_000

// mostSlips is the most moves that a position with chance may have for the whole tree below it to
// be searched without memory.
const mostSlips = 7

// mostKept is the most moves that it may have for all positions that follow to be remembered unasked:
// some 400,000 of 12 squares.
const mostKept = 12

// limitEndlessSearch has a search that would hardly ever come to an end deepen and stop, at the number of positions
// that it was given or a usual one, or remember all where that brings it to its end and no memory is named.
func (f searching[P]) limitEndlessSearch(so *search.Options[P], a search.Algorithm, p P, o game.SearchOptions) {
	if o.Depth > 0 || o.Time > 0 || !a.HasDepth() || f.b.Loopy() {
		return
	}
	moves := len(p.Moves(nil))
	slips := f.b.Odds != nil && so.Memory != search.Everything && moves > mostSlips
	switch {
	case o.MaxNodes > 0:
		so.Deepen = so.Deepen || o.Deepen == "" && f.b.RefuseTooLarge(p, opened.AtOnce) != nil
	case slips && o.Memo == "" && moves <= mostKept:
		so.Memory = search.Everything
	case slips || f.b.RefuseTooLarge(p, opened.AtOnce) != nil:
		so.MaxNodes, so.Deepen = usualNodes, o.Deepen != "no"
	}
}

// usualLineNodes is how many positions a search by lines without a limit looks at: a second or two.
const usualLineNodes = 1_000_000

// searchLines has the player that searches by lines choose. The value is the score of the player,
// squeezed between the payoffs, and exact only where threats have shown it.
func (f searching[P]) searchLines(ctx context.Context, p P, o game.SearchOptions) (*game.SearchResult, error) {
	if o.Sims > 0 {
		return nil, game.FaultOf("sims", fmt.Errorf("%s on %s: it runs no simulations", o.Algorithm, f.b.Spec))
	}
	if o.Workers > 1 {
		return nil, game.FaultOf("workers", fmt.Errorf("%s on %s: %w", o.Algorithm, f.b.Spec, search.ErrOneCore))
	}
	if o.Depth == 0 && o.MaxNodes == 0 && o.Time == 0 {
		o.MaxNodes = usualLineNodes
	}
	begin := time.Now()
	var line []oxo.Move
	player, err := players.NewLinesPlayer(f.b, lines.PlayerOptions{Depth: o.Depth, Nodes: o.MaxNodes, Time: o.Time,
		JudgeForced: true, Report: func(_ oxo.Choice, pv []oxo.Move) { line = pv }}, cmp.Or(o.Seed, 1))
	if err != nil {
		return nil, game.FaultOf("game", fmt.Errorf("%s on %s: %w", o.Algorithm, f.b.Spec, err))
	}
	c, err := player.Choose(ctx, p)
	if err != nil {
		return nil, err
	}
	r := search.Result{Move: c.Move, Value: c.Score, Score: c.Score, Depth: c.Depth, Nodes: c.Nodes, PV: line,
		Complete: c.Exact || c.Depth == o.Depth && o.Depth > 0}
	if p.Turn() == oxo.Second {
		r.Value = -r.Value
	}
	if r.Proven = (oxo.Interval{Lo: -1, Hi: 1}); c.Exact {
		r.Proven = oxo.Interval{Lo: r.Value, Hi: r.Value}
	}
	if len(line) == 0 || line[0] != c.Move {
		r.PV = []oxo.Move{c.Move}
	}
	return f.describeSearchResult(p, search.AlphaBeta, &r, &search.Options[P]{EvalName: "lines"}, begin), nil
}

// shouldDeepen says whether a search goes to lesser depths first: where it is asked for, and else
// where there is a clock to stop it, or where what it remembers of lesser depths tells
// which moves to try first, so that a window is narrow sooner.
func shouldDeepen[P oxo.Position[P]](o game.SearchOptions, a search.Algorithm, so *search.Options[P]) (bool, error) {
	switch o.Deepen {
	case "":
		return a.HasDepth() && o.Time > 0 || a.Windowed() && o.Depth > 0 && so.Eval != nil &&
			so.Memory == search.Everything && so.Order == search.Best, nil
	case "yes":
		return true, nil
	case "no":
		return false, nil
	}
	return false, game.FaultOf("deepen", fmt.Errorf("deepen %q: it is yes or no", o.Deepen))
}

// addTrace adds the recorded tree, if there is one, to the result. Scores replace values in it where
// the evaluation has them.
func addTrace[P oxo.Position[P]](so *search.Options[P], out *game.SearchResult) error {
	t := so.Trace
	if t == nil {
		return nil
	}
	if so.Score != nil {
		t.ShowScores(so.Score)
	}
	var data, svg bytes.Buffer
	err := errors.Join(t.WriteJSON(&data), t.WriteSVG(&svg))
	out.TraceJSON, out.TraceSVG = data.Bytes(), svg.Bytes()
	out.Tree = &game.SearchTree{Passes: t.Passes, Omitted: t.Omitted - t.OmittedCuts, Simulations: t.Simulations}
	return err
}

// parseSearchOptions reads the words of a search into options; the error names the word and what it may be, and is a
// [game.Fault] of it.
func (f searching[P]) parseSearchOptions(o game.SearchOptions) (so search.Options[P], err error) {
	so.Depth, so.MaxNodes = o.Depth, o.MaxNodes
	so.Sampling = mcts.Sampling{Sims: o.Sims, Seed: o.Seed, Workers: o.Workers}
	level, isLevel := strings.CutPrefix(o.Memo, "level=")
	switch {
	case o.Memo == "" || o.Memo == "none":
	case o.Memo == "all":
		so.Memory = search.Everything
	case isLevel:
		so.Memory = search.OneLevel
		if so.Level, err = strconv.Atoi(level); err != nil || so.Level < 0 {
			return so, game.FaultOf("memo", fmt.Errorf("memo %q: the level must be a whole number, 0 or more", o.Memo))
		}
	default:
		return so, game.FaultOf("memo", fmt.Errorf("memo %q: it is none, level=L or all", o.Memo))
	}
	if so.Symmetry, err = parseEnumWord("symmetry", o.Symmetry, search.NoSymmetry, search.FirstMove,
		search.AllMoves); err != nil {
		return so, err
	}
	if so.Order, err = parseEnumWord("order", o.Order, search.Natural, search.Killers, search.Best,
		search.Perfect, search.Worst); err != nil {
		return so, err
	}
	so.Stop = o.Stop == "best"
	switch o.Stop {
	case "", "none", "best":
	case "open":
		so.Bounds = &search.Unbounded
	default:
		return so, game.FaultOf("stop", fmt.Errorf("stop %q: it is none, best or open", o.Stop))
	}
	name, args, _ := strings.Cut(o.Algorithm, ":")
	if err := players.ReadAlgorithmOptions(&so, name, args); err != nil {
		return so, game.FaultOf("algorithm", fmt.Errorf("algorithm %q: %w", o.Algorithm, err))
	}
	proofs := name == string(search.MCTS) && !so.NoProof && !strings.Contains(args, "dfpn=")
	return so, game.FaultOf("eval", players.SetAndLoadEval(f.b, &so, search.Algorithm(name), o.Eval, proofs))
}

// parseEnumWord returns the value that the word of a field names; an empty word names the first.
func parseEnumWord[T fmt.Stringer](what, word string, values ...T) (T, error) {
	if word == "" {
		return values[0], nil
	}
	var names []string
	for _, v := range values {
		if v.String() == word {
			return v, nil
		}
		names = append(names, v.String())
	}
	return values[0], game.FaultOf(what, fmt.Errorf("%s %q: it is %s", what, word, strings.Join(names, ", ")))
}

// describeSearchResult says a result in text. Exact results of games with wins, draws and losses alone have a
// winner; estimates have the evaluation's score beside them, where a search did not go to the end. Proof numbers that
// have not decided estimate nothing, and the move that they look at is no better than another.
func (f searching[P]) describeSearchResult(p P, a search.Algorithm, r *search.Result, so *search.Options[P],
	begin time.Time) *game.SearchResult {
	value := r.Value
	out := &game.SearchResult{
		Game: f.b.Spec, Position: f.b.Format(p), Algorithm: string(a), Noise: r.Noise, Exact: r.Exact(),
		Complete: r.Complete, Stopped: r.Stopped,
		Deepened: so.Deepen, Depth: r.Depth, Nodes: r.Nodes, Stored: r.Stored, PV: []string{},
		Over: p.Outcome() != oxo.Ongoing, Seconds: time.Since(begin).Seconds()}
	if n := r.Numbers; n != nil {
		out.Numbers = &game.ProofNumbers{Winner: n.Winner.String(), Proof: n.Proof, Disproof: n.Disproof}
	}
	switch {
	case r.Exact():
		out.Value, out.Certain = &value, &value
	case a.Proves():
		return out
	default:
		out.Value = &value
		// A search to the end has judged nothing: of what it has not searched it knows nothing.
		if toEnd := a.HasDepth() && r.Depth == 0 && so.Eval != nil; !toEnd {
			out.Eval = so.EvalName
		}
	}
	out.PV = f.formatLine(p, r.PV)
	score := func(v float64) *float64 {
		if so.Score == nil || out.Eval == "" || !(-1 < v && v < 1) || r.Exact() {
			return nil
		}
		v = so.Score(v)
		return &v
	}
	out.Score = score(value)
	if r.Move != oxo.NoMove {
		out.Move = f.b.FormatMove(p, r.Move)
	}
	if r.Exact() && f.b.Payoff == nil && f.b.Odds == nil {
		switch out.Result = "draw"; value { // worth 0 unless another worth is asked for
		case 1:
			out.Result = "first"
		case -1:
			out.Result = "second"
		}
	}
	for _, l := range r.Evaluated {
		out.Evaluated = append(out.Evaluated, l.Value)
	}
	if len(r.Evaluated) > 0 {
		out.Pruned = []float64{}
	}
	for _, l := range r.Pruned {
		out.Pruned = append(out.Pruned, l.Value)
	}
	for _, l := range r.Lines {
		out.Lines = append(out.Lines, game.SearchLine{Move: f.b.FormatMove(p, l.Move), Value: l.Value,
			Noise: l.Noise, Score: score(l.Value), PV: f.formatLine(p, l.PV), Visits: l.Visits})
	}
	return out
}

// formatLine writes moves that follow one another from p.
func (f searching[P]) formatLine(p P, moves []oxo.Move) []string {
	texts := []string{}
	for _, m := range moves {
		texts = append(texts, f.b.FormatMove(p, m))
		p = p.Play(m)
	}
	return texts
}

// Ablate measures what pruning, memory, symmetry and order are worth. Each row is one combination;
// rows that reach the limit of nodes are given up and have neither value nor ratio.
func (f searching[P]) Ablate(ctx context.Context, o game.AblateOptions) (*game.AblateResult, error) {
	p, err := opened.ParseOrStart(f.b.Game, o.Position)
	if err != nil {
		return nil, err
	}
	a := search.AllCombinations(f.b.Game)
	if a.Base, err = f.parseSearchOptions(game.SearchOptions{Depth: o.Depth, Eval: o.Eval, Stop: o.Stop,
		MaxNodes: cmp.Or(o.MaxNodes, game.DefaultAblateNodes)}); err != nil {
		return nil, err
	}
	a.Base.Bounds = cmp.Or(a.Base.Bounds, opened.KnownBounds(p))
	a.Base.Deepen, a.Now = o.Deepen, time.Now
	if o.Begin != nil {
		a.Begin = func(r search.AblationRow, at, of int) { o.Begin(describeAblationRow(r), at, of) }
	}
	begin := time.Now()
	rows, of, err := search.Ablate(ctx, f.b.Game, p, a)
	if err != nil {
		return nil, faultOfOption(err)
	}
	out := &game.AblateResult{Game: f.b.Spec, Position: f.b.Format(p), Depth: o.Depth, Stop: cmp.Or(o.Stop, "none"),
		Deepened: o.Deepen, Rows: []game.AblateRow{}, Of: of, Seconds: time.Since(begin).Seconds()}
	out.SetWindow(a.Base.FirstWindow(f.b.Game, a.Algorithms[len(a.Algorithms)-1]))
	for _, r := range rows {
		out.Rows = append(out.Rows, describeAblationRow(r))
	}
	return out, nil
}

// describeAblationRow says a row in text.
func describeAblationRow(r search.AblationRow) game.AblateRow {
	row := game.AblateRow{Algorithm: string(r.Algorithm), Memory: r.Memory.String(), Symmetry: r.Symmetry.String(),
		Order: r.Order.String(),
		Nodes: r.Nodes, Stored: r.Stored, Seconds: r.Duration.Seconds(), Complete: r.Complete}
	if r.Complete {
		row.Value = &r.Value
	}
	if r.Ratio != 0 {
		row.Ratio = &r.Ratio
	}
	return row
}
