package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"oxo/lab"
	"oxo/web/service"
)

// SearchRequest says where and how to search, in the words of the command
// line.
type SearchRequest struct {
	service.Place
	Algorithm string  `json:"algorithm" enum:"minimax,alphabeta,negamax,pvs,mtdf,expectiminimax,star1,star2,mcts,pns,dfpn"`
	Depth     int     `json:"depth,omitempty" minimum:"0" maximum:"400" doc:"plies to look ahead; 0 to the end"`
	Memo      string  `json:"memo,omitempty" doc:"none, level=L or all"`
	Symmetry  string  `json:"symmetry,omitempty" doc:"none, first or all"`
	Order     string  `json:"order,omitempty" doc:"natural, killers, best, perfect or worst"`
	Stop      string  `json:"stop,omitempty" doc:"none, best or open"`
	Deepen    string  `json:"deepen,omitempty" doc:"whether to search to depth 1, 2, … first: yes or no; without it as oxo search does"`
	Eval      string  `json:"eval,omitempty" doc:"how to judge positions at the depth limit"`
	Sims      int     `json:"sims,omitempty" minimum:"0" maximum:"2000000" doc:"simulations of mcts"`
	Explore   float64 `json:"explore,omitempty" minimum:"0" maximum:"1000" doc:"the exploration constant of mcts; 0 for the usual one"`
	Proof     string  `json:"proof,omitempty" enum:"yes,no" doc:"whether mcts proves won and lost positions; without it yes"`
	TimeMS    int     `json:"time_ms,omitempty" minimum:"0" maximum:"5000" doc:"deepen for this long; without it one search, cut off after 5 s"`
	MultiPV   int     `json:"multipv,omitempty" minimum:"0" maximum:"400" doc:"how many of the best moves to value"`
	Seed      uint64  `json:"seed,omitempty" doc:"what mcts draws from"`
	Trace     bool    `json:"trace,omitempty" doc:"whether to return the search tree"`
}

// SearchReply is what a search found.
// Trace is nil unless it was asked for.
type SearchReply struct {
	lab.SearchResult
	Trace json.RawMessage `json:"trace,omitempty" doc:"the tree, of at most 2,000 nodes, where asked for"`
}

// ChooseRequest asks a player for a move.
type ChooseRequest struct {
	service.Place
	Player string `json:"player" minLength:"1" maxLength:"200" doc:"the player's spec; not looked at where chance is to act" example:"perfect"`
	Seed   uint64 `json:"seed" doc:"what the player or chance draws from: the same question with the same seed has the same answer"`
}

// ChooseReply is the move and the position after it.
type ChooseReply struct {
	Move  string    `json:"move" doc:"empty where the player resigns"`
	Turn  string    `json:"turn" enum:"first,second,chance" doc:"who moved"`
	State lab.State `json:"state"`
	Owned [][]int   `json:"owned" doc:"complete winning sets, each as squares by their order in info.squares"`

	Terms []lab.Term `json:"terms,omitempty" doc:"why a static player moved so: features, and its weights"`
}

// AblateRequest asks what each option of search is worth.
type AblateRequest struct {
	service.Place
	Depth  int    `json:"depth,omitempty" minimum:"0" maximum:"400" doc:"plies to look ahead; 0 to the end"`
	Stop   string `json:"stop,omitempty" doc:"none, best or open"`
	Deepen bool   `json:"deepen,omitempty" doc:"whether to search to depth 1, 2, … first"`
	Eval   string `json:"eval,omitempty" doc:"how to judge positions at the depth limit"`
}

// ablateNodes is where a row of an ablation is given up.
const ablateNodes = 2_000_000

// searcher searches, and asks players for moves.
// It keeps nothing but what opened games have computed.
type searcher struct{ *service.Base }

// registerSearching registers the operations that compute.
func (s *searcher) registerSearching() {
	service.Post(s.Base, "/search", "search-position", "Search a position",
		"Values are payoffs to First. A search that is cut off says so in complete.", s.search)
	service.Post(s.Base, "/choose", "choose-move", "Let a player or chance move",
		"A player that searches has at most 5 s. Players that name files or commands are refused.", s.choose)
	service.Post(s.Base, "/ablate", "ablate-search", "Measure what pruning, memory, symmetry and order are worth",
		"A combination is given up after 2,000,000 nodes, and all after 10 s.", s.ablate)
	service.Post(s.Base, "/count", "count-game", "Count a game's positions and games",
		"By ply and in all. Of what can't be counted within 5 s, or has a ply of over 100,000 positions up to "+
			"symmetry, the plies before that, and bounds where they are known.", s.count)
}

// search answers a search of a position. One worker searches, as processors are shared with others.
// Evaluations that name files are refused.
// A search that can't be carried out is a problem of the field that is at fault.
func (s *searcher) search(ctx context.Context, in *SearchRequest) (*SearchReply, error) {
	g, t, err := s.replayForEval(ctx, in.Place, in.Eval)
	if err != nil {
		return nil, err
	}
	switch onlyMCTS := fmt.Errorf("it is for mcts, not for %s", in.Algorithm); {
	case in.Explore > 0 && in.Algorithm != "mcts":
		return nil, service.FieldProblem("explore", in.Explore, onlyMCTS)
	case in.Proof == "no" && in.Algorithm != "mcts":
		return nil, service.FieldProblem("proof", in.Proof, onlyMCTS)
	}
	given := time.Duration(in.TimeMS) * time.Millisecond
	o := lab.SearchOptions{Position: t.State().Position, Algorithm: in.algorithmWithOptions(), Depth: in.Depth,
		Memo: in.Memo, Symmetry: in.Symmetry, Order: in.Order, Stop: in.Stop, Deepen: in.Deepen, Eval: in.Eval,
		Sims: in.Sims, Time: given, MultiPV: in.MultiPV, Seed: in.Seed, Workers: 1, Trace: in.Trace}
	r, err := service.Computed(ctx, s.Base, s.Longest, given >= service.Short,
		func(ctx context.Context) (*lab.SearchResult, error) { return g.Searching().Search(ctx, o) })
	if err != nil {
		return nil, faultProblem("algorithm", err)
	}
	return &SearchReply{*r, r.TraceJSON}, nil
}

// replayForEval is [service.Base.ReplayMoves] for a search with an evaluation. One that is a file's is refused.
func (s *searcher) replayForEval(ctx context.Context, p service.Place, eval string) (
	*service.Opened, lab.Session, error) {
	g, t, _, err := s.ReplayMoves(ctx, p)
	if path, brain := lab.EvalFile(eval); err == nil && path != "" && !brain {
		err = service.FieldProblem("eval", eval, service.ErrNoFiles)
	}
	return g, t, err
}

// algorithmWithOptions returns the algorithm with its own options, as the command line has them. Only mcts takes some.
func (in *SearchRequest) algorithmWithOptions() string {
	var options []string
	if in.Proof == "no" {
		options = append(options, "proof=no")
	}
	if in.Explore > 0 {
		options = append(options, "explore="+strconv.FormatFloat(in.Explore, 'g', -1, 64))
	}
	if len(options) == 0 {
		return in.Algorithm
	}
	return in.Algorithm + ":" + strings.Join(options, ",")
}

// faultProblem is the problem of the field that an error is about, of another one where it is about none.
func faultProblem(otherwise string, err error) error {
	if f, ok := errors.AsType[*lab.Fault](err); ok {
		otherwise = f.Field
	}
	return service.FieldProblem(otherwise, nil, err)
}

// movesFast reports whether a player moves without computing at length.
// They are asked without a slot.
func (s *searcher) movesFast(g *service.Opened, player string) bool {
	k := s.Games.Lab.PlayerKind(player)
	return k.Quick || k.BySolution && g.Solved.Load()
}

// choose answers which move a player makes. Chance and players that answer at once take no slot.
// Which player is named is not looked at where chance is to act. A game that is over is a problem of the field
// moves.
func (s *searcher) choose(ctx context.Context, in *ChooseRequest) (*ChooseReply, error) {
	g, t, _, err := s.ReplayMoves(ctx, in.Place)
	if err != nil {
		return nil, err
	}
	before := t.State()
	if before.Result != "*" {
		return nil, service.FieldProblem("moves", in.Moves, errors.New("the game is over"))
	}
	if before.Turn != "chance" {
		if err := service.VetPlayer(in.Player); err != nil {
			return nil, service.FieldProblem("player", in.Player, err)
		}
	}
	var move string
	step := func(ctx context.Context) (err error) {
		t, move, err = s.PlayNextMove(ctx, g, in.Player, before, service.PlySeed(in.Seed, len(in.Moves)))
		return err
	}
	if before.Turn == "chance" || s.movesFast(g, in.Player) {
		err = step(ctx)
	} else {
		err = s.Compute(ctx, s.Longest, false, step)
	}
	if err != nil {
		return nil, service.FieldProblem("player", in.Player, err)
	}
	return &ChooseReply{Move: move, Turn: before.Turn, State: t.State(), Owned: t.CompletedSetSquares(),
		Terms: t.LastMoveTerms()}, nil
}

// ablate answers what each part of a search is worth.
// A combination that takes more than ablateNodes is given up, and the others go on.
func (s *searcher) ablate(ctx context.Context, in *AblateRequest) (*lab.AblateResult, error) {
	g, t, err := s.replayForEval(ctx, in.Place, in.Eval)
	if err != nil {
		return nil, err
	}
	o := lab.AblateOptions{Position: t.State().Position, Depth: in.Depth, Stop: in.Stop,
		Deepen: in.Deepen, Eval: in.Eval, MaxNodes: ablateNodes}
	r, err := service.Computed(ctx, s.Base, 2*s.Longest, false,
		func(ctx context.Context) (*lab.AblateResult, error) { return g.Searching().Ablate(ctx, o) })
	if err != nil {
		return nil, faultProblem("game", err)
	}
	return r, nil
}
