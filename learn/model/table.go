package model

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"oxo"
	"oxo/learn/option"
	"oxo/learn/show"
	"oxo/learn/space"
	"oxo/message"
)

// tabular is the hypothesis that keeps a worth for every board or every move. With boards it is that of Schroeder's
// answer to Ruby Quiz 11 (2004), mended; with moves that of tabular Q-learning.
//
// A board is worth what it is to the side that has just moved, so that one table serves both seats without mixing
// signs; each is learned once a game; and what was never tried counts like any other.
type tabular struct {
	tableOptions
	space *space.Space
	slot  []int32 // where the worth of a node, or of an edge, is kept
	worth []float64
}

// tableOptions are what a spec says of a table, of worths of boards or of moves.
type tableOptions struct {
	benchOptions
	classes bool
	alpha   float64
	initial float64
}

// readTable reads the options of the kind table, whose usual ones are those of the program that it is from.
func readTable(o *option.Reader) any {
	t := tableOptions{benchOptions: benchOptions{judges: entries, gamma: 1}}
	t.reward = readRewards(o, "100", "50", "-1000")
	t.factor = o.Number("factor", "0.5", 0, 1, "what the step is multiplied by for each position further back")
	t.twice = o.Word("visits", "once", "how often a game teaches a board: once, or twice as Schröder's program did",
		"once", "twice") == "twice"
	t.explore = readExploreOptions(o, "0.3")
	t.both = o.Word("learn", "both", "whose positions are learned: own, or both sides'", "own", "both") == "both"
	t.readMerge(o)
	t.cut = o.Word("tries", "skip", "positions before a move that was tried out: learn or skip", "learn",
		"skip") == "skip"
	t.readTargetOptions(o, "outcome", "0", false)
	t.alpha = o.Number("alpha", "1", 0, 1, "α, the size of the step at a game's last position")
	return t
}

// readQ reads the options of the kind q.
func readQ(o *option.Reader) any {
	t := tableOptions{benchOptions: benchOptions{judges: moves, target: "best", depth: 1}}
	t.reward = readRewards(o, "1", "0", "-1")
	t.alpha = o.Number("alpha", "1", 0, 1, "α, the size of a step")
	t.gamma = o.Number("gamma", "1", 0, 1, "γ, what a turn's delay leaves of a worth")
	t.initial = o.Number("initial", "-0.01", -1e6, 1e6, "the worth of a move not yet tried")
	t.explore = readExploreOptions(o, "0.3")
	if t.both = o.Word("next", "other",
		"whose best next move a move is judged by: one's own, after the reply that came, or the other side's "+
			"(minimax-Q)",
		"own", "other") == "other"; t.both {
		t.target = "search"
	}
	t.forward = o.Word("order", "backward", "the order in which a game's moves are learned", "forward",
		"backward") == "forward"
	t.readMerge(o)
	return t
}

// readMerge reads whether positions of a class share a worth.
func (t *tableOptions) readMerge(o *option.Reader) {
	t.classes = o.Word("merge", "classes", "what symmetry merges: none, or positions of a class", "none",
		"classes") == "classes"
}

// buildTable gives every board or move the initial worth; a space that has not all positions is an error.
func buildTable(s *space.Space, open any, _ *rand.Rand) (*Learner, error) {
	o := open.(tableOptions)
	t := &tabular{tableOptions: o, space: s}
	what := "a worth"
	if o.judges == moves {
		what = "a worth of every move"
	}
	if err := s.RequireComplete(what); err != nil {
		return nil, err
	}
	if o.judges == moves {
		t.slot = moveSlots(s, o.classes)
	} else {
		t.slot = boardSlots(s, o.classes)
	}
	t.worth = make([]float64, len(t.slot))
	t.resetWorths()
	return newValueLearner(s, o.benchOptions, t), nil
}

// resetWorths has nothing learned.
func (t *tabular) resetWorths() {
	for i := range t.worth {
		t.worth[i] = t.initial
	}
}

// boardSlots returns each node itself or the representative of its class.
func boardSlots(s *space.Space, classes bool) []int32 {
	slot := make([]int32, s.Len())
	for n := range slot {
		slot[n] = int32(n)
		if classes {
			slot[n] = int32(s.Class(space.Node(n)))
		}
	}
	return slot
}

// moveSlots returns each edge itself or one of its class.
func moveSlots(s *space.Space, classes bool) []int32 {
	slot := make([]int32, s.EdgeCount())
	for n := range s.Len() {
		node := space.Node(n)
		holder := s.Class(node)
		own, _ := s.Edges(node)
		first, _ := s.Edges(holder)
		for e, c := range s.Children(node) {
			i := own + int32(e)
			slot[i] = i
			if classes {
				slot[i] = first + int32(s.EdgeTo(holder, s.Class(c)))
			}
		}
	}
	return slot
}

// worthAt returns where the worth of a node, or of its move e, is kept.
func (t *tabular) worthAt(n space.Node, e int32) *float64 {
	if t.judges == moves {
		from, _ := t.space.Edges(n)
		return &t.worth[t.slot[from+e]]
	}
	return &t.worth[t.slot[n]]
}

func (t *tabular) value(n space.Node, e int32, _ oxo.Seat) float64 { return *t.worthAt(n, e) }

// Learn moves the worth α·Rate of the way to the target.
func (t *tabular) Learn(e Example) {
	v := t.worthAt(e.Node, e.Edge)
	rate := t.alpha * e.Rate
	*v = (1-rate)**v + rate*e.Target
}

func (t *tabular) finishGame(int) {}

// tableSaved is a table in a brain: the worths by position.
type tableSaved struct {
	Worth map[string]json.RawMessage `json:"worth"` // of a board a number, of moves a list in their order
	Games int                        `json:"games"`
}

// eachLearned calls see for each node and where its worths are kept, if one of them was learned.
func (t *tabular) eachLearned(see func(n space.Node, from, to int32)) {
	for n := range space.Node(t.space.Len()) {
		from, to := int32(n), int32(n)+1
		if t.judges == moves {
			from, to = t.space.Edges(n)
		}
		for i := from; i < to; i++ {
			if t.worth[i] != t.initial {
				see(n, from, to)
				break
			}
		}
	}
}

// save leaves out positions whose worths are all the initial one.
func (t *tabular) save(games int) any {
	worth := map[string]any{}
	t.eachLearned(func(n space.Node, from, to int32) {
		if worth[t.space.Format(n)] = t.worth[from:to]; t.judges != moves {
			worth[t.space.Format(n)] = t.worth[from]
		}
	})
	return map[string]any{"worth": worth, "games": games}
}

// restore reads what save wrote, of the same game and the same options; a position that the space
// has not is an error. It returns how many games were played.
func (t *tabular) restore(data json.RawMessage) (games int, err error) {
	var saved tableSaved
	if err := json.Unmarshal(data, &saved); err != nil {
		return 0, err
	}
	t.resetWorths()
	for text, worth := range saved.Worth {
		n, err := t.space.Find(text)
		if err != nil {
			return 0, fmt.Errorf("a worth of %w", err)
		}
		if t.judges != moves {
			err = json.Unmarshal(worth, &t.worth[n])
		} else {
			from, to := t.space.Edges(n)
			own := t.worth[from:to]
			var list []float64
			if err = json.Unmarshal(worth, &list); err == nil && len(list) != len(own) {
				err = fmt.Errorf("%q has %d moves, not %d", text, len(own), len(list))
			}
			copy(own, list)
		}
		if err != nil {
			return 0, err
		}
	}
	return saved.Games, nil
}

func (t *tabular) Check() error { return nil }
func (t *tabular) Bytes() int64 { return int64(4*len(t.slot) + 8*len(t.worth)) }

// Show lists what was learned, the positions or moves of the most worth first.
func (t *tabular) Show(most int) show.Shown {
	var list []show.Valued
	s, what := t.space, "brain.positions"
	movers := lastMovers(s)
	t.eachLearned(func(n space.Node, from, to int32) {
		if t.judges != moves {
			list = append(list, show.Valued{Position: s.Format(n), Seat: movers[n].String(), Worth: t.worth[n]})
			return
		}
		for i := from; i < to; i++ {
			if v := t.worth[i]; v != t.initial {
				list = append(list, show.Valued{Position: s.Format(n), Move: s.FormatMove(n, int(i-from)),
					Seat: s.Turn(n).String(), Worth: v})
			}
		}
	})
	if t.judges == moves {
		what = "brain.moves"
	}
	shown := show.Shown{Positions: mostWorth(list, most)}
	shown.Tell(message.Of(what, message.Args{"n": len(list)}))
	return shown
}

// lastMovers returns of each position who moved to it.
func lastMovers(s *space.Space) []oxo.Seat {
	mover := make([]oxo.Seat, s.Len())
	for n := range space.Node(s.Len()) {
		for _, c := range s.Children(n) {
			mover[c] = s.Turn(n)
		}
	}
	return mover
}

func (t *tabular) Probes() (of string, names []string, take func() []float64) { return "", nil, nil }
