package typed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"oxo"
	"oxo/board"
	"oxo/lines"
	"oxo/search"
	"oxo/search/mcts"
)

// SearchOptions say how to search, in the words of the command line. Empty
// words stand for none, natural order, and no early stop.
type SearchOptions struct {
	Position  string
	Algorithm string  // with options of its own, as in mcts:rave=300
	Depth     int     // 0 to the end
	Memo      string  // none, level=L or all
	Symmetry  string  // none, first or all
	Order     string  // natural, killers or best
	Stop      string  // best: stop where the value can't get better
	Deepen    string  // search to depth 1, 2, and so on: yes, no, or empty for where it pays
	Eval      string  // how to judge positions at the depth limit
	Draw      float64 // what a draw is worth to First, between -1 and 1
	Sims      int
	Time      time.Duration
	MultiPV   int
	Seed      uint64
	Workers   int
	MaxNodes  uint64

	// Trace asks for the search tree as JSON and as an SVG drawing.
	Trace bool
	// TraceNodes is how many of its nodes are kept; 0 is 2,000.
	TraceNodes int
	// Progress is told of the best lines so far.
	Progress func(*SearchResult)
}

// Algorithms lists the names of the search algorithms.
func Algorithms() []string {
	var list []string
	for _, a := range search.Algorithms {
		list = append(list, string(a))
	}
	return list
}

// SearchResult is what a search found.
type SearchResult struct {
	Game      string       `json:"game"`
	Position  string       `json:"position"`
	Algorithm string       `json:"algorithm"`
	Value     *float64     `json:"value"`            // payoff to First; null where it is the textbook's "?"
	Result    string       `json:"result,omitempty"` // first, second or draw, where the value is exact
	Exact     bool         `json:"exact"`
	Complete  bool         `json:"complete"` // false where a limit ended the search
	Move      string       `json:"move"`     // empty where there is none to choose
	PV        []string     `json:"pv"`
	Depth     int          `json:"depth"`              // plies looked ahead; 0 to the end
	Deepened  bool         `json:"deepened,omitempty"` // by searches to lesser depths before
	Nodes     uint64       `json:"nodes"`
	Evaluated []float64    `json:"evaluated,omitempty"` // leaves in order, for trees
	Pruned    []float64    `json:"pruned,omitzero"`     // leaves never looked at, for trees: an empty list where there are none
	Stored    int          `json:"stored"`
	Lines     []SearchLine `json:"lines,omitempty"`
	Seconds   float64      `json:"seconds"`

	TraceJSON []byte `json:"-"`
	TraceSVG  []byte `json:"-"`
}

// SearchLine is one of the best moves.
type SearchLine struct {
	Move   string   `json:"move"`
	Value  float64  `json:"value"`
	PV     []string `json:"pv"`
	Visits uint64   `json:"visits,omitempty"`
}

// Search searches a position.
func (f searching[P]) Search(ctx context.Context, o SearchOptions) (*SearchResult, error) {
	p, err := parse(f.b.Game, o.Position)
	if err != nil {
		return nil, err
	}
	if o.Algorithm == "" {
		o.Algorithm = f.defaultAlgorithm(o)
	}
	name, _, _ := strings.Cut(o.Algorithm, ":")
	a, err := search.ParseAlgorithm(name)
	if err != nil {
		return nil, err
	}
	so, err := f.searchOptions(o)
	if err != nil {
		return nil, err
	}
	if a == search.AlphaBeta && f.searchesLikePlayer(o) {
		return f.searchLines(ctx, p, o)
	}
	if o.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.Time)
		defer cancel()
	}
	if so.Deepen, err = shouldDeepen(o, a, &so); err != nil {
		return nil, err
	}
	f.completeOptions(&so, p, o)
	g, err := f.gameWithDraw(o.Draw, a)
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	if o.Progress != nil {
		so.Progress = func(r search.Result) { o.Progress(f.searchResult(p, a, &r, so.Deepen, begin)) }
	}
	if a == search.Minimax && f.b.Loopy() && o.Depth == 0 {
		r, err := search.LoopAware(ctx, g, p, so)
		if err != nil {
			return nil, err
		}
		out := f.searchResult(p, a, &r.Result, so.Deepen, begin)
		if !r.Known {
			out.Value, out.Move, out.Result, out.Exact = nil, "", "?", false
		}
		return out, writeTrace(so.Trace, out)
	}
	r, err := search.Search(ctx, g, p, a, so)
	if err != nil {
		return nil, err
	}
	out := f.searchResult(p, a, &r, so.Deepen, begin)
	return out, writeTrace(so.Trace, out)
}

// gameWithDraw returns the game that is searched where a draw is worth that much to First.
func (f searching[P]) gameWithDraw(worth float64, a search.Algorithm) (*oxo.Game[P], error) {
	switch {
	case worth == 0:
		return f.b.Game, nil
	case !(-1 < worth && worth < 1):
		return nil, fmt.Errorf("draw %v: it is worth more than a loss, -1, and less than a win, 1", worth)
	case f.b.Payoff != nil:
		return nil, fmt.Errorf("draw %v: %s has payoffs of its own", worth, f.b.Spec)
	case !a.HasDepth():
		return nil, fmt.Errorf("draw %v: %s counts wins, draws and losses as 1, 0 and -1", worth, a)
	}
	return f.b.WithDraw(worth), nil
}

// completeOptions completes the options of a search by what it searches.
func (f searching[P]) completeOptions(so *search.Options[P], p P, o SearchOptions) {
	so.Lines = o.MultiPV
	so.Leaves = f.b.board == nil && f.b.Payoff != nil
	if o.Trace {
		so.Trace = &search.Tracer[P]{Max: o.TraceNodes}
	}
	if t, ok := any(p).(interface{ Known() oxo.Interval }); ok {
		known := t.Known()
		so.Bounds = &known
	}
	if view, ok := any(p).(board.Positional); ok && so.Memory == search.OneLevel {
		x, o := view.Marks() // levels are counted from the empty board
		so.Level = max(0, so.Level-x.Len()-o.Len())
	}
}

// defaultAlgorithm returns the algorithm for who names none.
func (f searching[P]) defaultAlgorithm(o SearchOptions) string {
	switch {
	case f.b.Odds != nil:
		return string(search.Expectiminimax)
	case f.b.Loopy() && o.Depth == 0 && o.Time == 0:
		return string(search.Minimax)
	}
	return string(search.AlphaBeta)
}

// searchesLikePlayer reports whether alphabeta searches by lines, as the player of that
// name does here: where nothing is asked that only the textbook's knows.
func (f searching[P]) searchesLikePlayer(o SearchOptions) bool {
	none := func(word string) bool { return word == "" || word == "none" || word == "natural" }
	return f.b.searchesByLines() && o.Algorithm == string(search.AlphaBeta) && none(o.Memo) && none(o.Symmetry) &&
		none(o.Order) &&
		none(o.Stop) && o.Deepen == "" && o.Eval == "" && o.MultiPV == 0 && !o.Trace && o.Draw == 0
}

// searchLines has the player that searches by lines choose.
func (f searching[P]) searchLines(ctx context.Context, p P, o SearchOptions) (*SearchResult, error) {
	if o.Sims > 0 {
		return nil, fmt.Errorf("%s on %s: it runs no simulations", o.Algorithm, f.b.Spec)
	}
	begin := time.Now()
	var line []oxo.Move
	player, err := newLinesPlayer(f.b, lines.Options{Depth: o.Depth, Nodes: o.MaxNodes, Time: o.Time,
		Report: func(_ oxo.Choice, pv []oxo.Move) { line = pv }}, o.Seed)
	if err != nil {
		return nil, err
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
	return f.searchResult(p, search.AlphaBeta, &r, false, begin), nil
}

// shouldDeepen says whether a search goes to lesser depths first: where it is asked for, and else
// where there is a clock to stop it, or where what it remembers of lesser depths tells
// which moves to try first, so that a window is narrow sooner.
func shouldDeepen[P oxo.Position[P]](o SearchOptions, a search.Algorithm, so *search.Options[P]) (bool, error) {
	switch o.Deepen {
	case "":
		return a.HasDepth() && o.Time > 0 || a.Windowed() && o.Depth > 0 && so.Eval != nil &&
			so.Memory == search.Everything && so.Order == search.Best, nil
	case "yes":
		return true, nil
	case "no":
		return false, nil
	}
	return false, fmt.Errorf("deepen %q: it is yes or no", o.Deepen)
}

// writeTrace adds the recorded tree, if there is one, to the result.
func writeTrace[P oxo.Position[P]](t *search.Tracer[P], out *SearchResult) error {
	if t == nil {
		return nil
	}
	var data, svg bytes.Buffer
	err := errors.Join(t.JSON(&data), t.SVG(&svg))
	out.TraceJSON, out.TraceSVG = data.Bytes(), svg.Bytes()
	return err
}

func (f searching[P]) searchOptions(o SearchOptions) (so search.Options[P], err error) {
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
			return so, fmt.Errorf("memo %q: the level must be a whole number, 0 or more", o.Memo)
		}
	default:
		return so, fmt.Errorf("memo %q: it is none, level=L or all", o.Memo)
	}
	if so.Symmetry, err = parseWord("symmetry", o.Symmetry, search.NoSymmetry, search.FirstMove,
		search.AllMoves); err != nil {
		return so, err
	}
	if so.Order, err = parseWord("order", o.Order, search.Natural, search.Killers, search.Best); err != nil {
		return so, err
	}
	switch o.Stop {
	case "", "none":
	case "best":
		so.Stop = true
	default:
		return so, fmt.Errorf("stop %q: it is none or best", o.Stop)
	}
	name, args, _ := strings.Cut(o.Algorithm, ":")
	if err := algorithmOptions(&so, name, args); err != nil {
		return so, fmt.Errorf("algorithm %q: %w", o.Algorithm, err)
	}
	proofs := name == string(search.MCTS) && !so.NoProof && !strings.Contains(args, "dfpn=")
	return so, f.b.setEval(&so, search.Algorithm(name), o.Eval, proofs)
}

// algorithmOptions reads an algorithm's own options, as the player of the same
// name has them. Only mcts has some.
func algorithmOptions[P oxo.Position[P]](so *search.Options[P], name, args string) error {
	var accepted []string
	switch name {
	case string(search.AlphaBeta):
		accepted = []string{"plain"}
	case string(search.MCTS):
		accepted = []string{"explore", "temperature", "contempt", "rave", "proof", "dfpn", "memory"}
	}
	values, err := keyValues(args, accepted...)
	if err != nil {
		return err
	}
	if plain := values["plain"]; plain != "" {
		if plain != "yes" {
			return fmt.Errorf("option plain=%s: it is yes, or left out", plain)
		}
		delete(values, "plain")
	}
	for key, value := range values {
		if err := setOption(so, nil, key, value); err != nil {
			return fmt.Errorf("option %s=%s: %w", key, value, err)
		}
	}
	return nil
}

// parseWord returns the value that the word names; an empty word names the first.
func parseWord[T fmt.Stringer](what, word string, values ...T) (T, error) {
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
	return values[0], fmt.Errorf("%s %q: it is %s", what, word, strings.Join(names, ", "))
}

func (f searching[P]) searchResult(p P, a search.Algorithm, r *search.Result, deepened bool,
	begin time.Time) *SearchResult {
	value := r.Value
	out := &SearchResult{
		Game: f.b.Spec, Position: f.b.Format(p), Algorithm: string(a), Value: &value, Exact: r.Exact(),
		Complete: r.Complete,
		Deepened: deepened, PV: f.formatLine(p, r.PV), Depth: r.Depth, Nodes: r.Nodes, Stored: r.Stored,
		Seconds: time.Since(begin).Seconds(),
	}
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
		out.Lines = append(out.Lines, SearchLine{f.b.FormatMove(p, l.Move), l.Value, f.formatLine(p, l.PV), l.Visits})
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

// AblateOptions bound the searches of an ablation.
type AblateOptions struct {
	Position string
	Depth    int
	Eval     string
	Stop     string
	MaxNodes uint64 // for each row; 0 for DefaultAblateNodes
	Row      func(AblateRow)
}

// DefaultAblateNodes is where a row of an ablation is given up.
const DefaultAblateNodes = 50_000_000

// AblateResult is what each combination of algorithm, memory, symmetry and
// order costs.
type AblateResult struct {
	Game     string      `json:"game"`
	Position string      `json:"position"`
	Depth    int         `json:"depth"` // 0 to the end
	Rows     []AblateRow `json:"rows"`
	Seconds  float64     `json:"seconds"`
}

// AblateRow is the cost of one combination. Ratio is the nodes over those of
// plain minimax; it is null where either was given up.
type AblateRow struct {
	Algorithm string   `json:"algorithm"`
	Memory    string   `json:"memory"`
	Symmetry  string   `json:"symmetry"`
	Order     string   `json:"order"`
	Nodes     uint64   `json:"nodes"`
	Stored    int      `json:"stored"`
	Seconds   float64  `json:"seconds"`
	Value     *float64 `json:"value"`
	Ratio     *float64 `json:"ratio"`
	Complete  bool     `json:"complete"`
}

// Ablate measures what pruning, memory, symmetry and order are worth.
func (f searching[P]) Ablate(ctx context.Context, o AblateOptions) (*AblateResult, error) {
	p, err := parse(f.b.Game, o.Position)
	if err != nil {
		return nil, err
	}
	a := search.DefaultAblation(f.b.Game)
	if a.Base, err = f.searchOptions(SearchOptions{Depth: o.Depth, Eval: o.Eval, Stop: o.Stop,
		MaxNodes: o.MaxNodes}); err != nil {
		return nil, err
	}
	if a.Base.MaxNodes == 0 {
		a.Base.MaxNodes = DefaultAblateNodes
	}
	a.Now = time.Now
	if o.Row != nil {
		a.Row = func(r search.AblationRow) { o.Row(ablateRow(r)) }
	}
	begin := time.Now()
	rows, err := search.Ablate(ctx, f.b.Game, p, a)
	if err != nil {
		return nil, err
	}
	out := &AblateResult{Game: f.b.Spec, Position: f.b.Format(p), Depth: o.Depth, Rows: []AblateRow{},
		Seconds: time.Since(begin).Seconds()}
	for _, r := range rows {
		out.Rows = append(out.Rows, ablateRow(r))
	}
	return out, nil
}

func ablateRow(r search.AblationRow) AblateRow {
	row := AblateRow{Algorithm: string(r.Algorithm), Memory: r.Memory.String(), Symmetry: r.Symmetry.String(),
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
