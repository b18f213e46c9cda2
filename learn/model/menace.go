package model

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"

	"oxo"
	"oxo/learn/option"
	"oxo/learn/space"
)

// menace is Michie's engine of matchboxes ("Trial and error", Penguin Science Survey 1961; "Experiments on the
// mechanization of game-learning", The Computer Journal 6, 1963, p. 232): a box for each position in which the engine
// chooses, with beads for its moves; it draws a bead, and after the game adds beads to the boxes it used or takes some.
//
// A position with a single move has no box. Box numbers and bead places are
// worked out once for the whole space, so that a game is a walk over arrays.
type menace struct {
	menaceOptions
	space   *space.Space
	boxOf   []int32 // of each node, -1 for none
	edgeAt  []int32 // edgeAt[place[n]+k] is the edge of n that bead colour k stands for
	place   []int32
	holder  []space.Node // of each box, the node that it is shown as
	from    []int32      // of each box, where its beads begin; one more at the end
	beads   []int32
	total   []int32 // beads in each box
	stage   []int32 // of each box, the mover's how many-th move it is, from 0
	refills int
	filled  []int32 // boxes filled again in the game under way
}

// menaceOptions are the options that readMenace explains: initial in beads by stage, rare a share of the fullest.
type menaceOptions struct {
	initial []float64
	change  [3]int32 // for a loss, draw and win
	merge   string
	empty   string
	rare    float64
	explore exploration
}

// readMenace takes for usual, as Michie did, what he did; else what ends well: a machine that can't die, tries moves
// out, fears losses and has no use for beads that are left over.
func readMenace(o *option.Reader) any {
	loss, empty, epsilon, rare := "-10", "refill", "0.3", "0.5"
	if o.Word("as", "ours", "what the other options are unless given: ours, or michie's of 1961, which may die", "ours",
		"michie") == "michie" {
		loss, empty, epsilon, rare = "-1", "resign", "0", "0"
	}
	m := menaceOptions{
		initial: o.Numbers("beads", "4/3/2/1", 1, 1e6, 64,
			"beads a colour at the engine's first, second … move, the last for all later ones"),
	}
	for _, beads := range m.initial {
		if beads != float64(int(beads)) {
			o.Refuse("beads", option.Plain(beads), "whole numbers: a bead can't be cut")
		}
	}
	m.change[2] = int32(o.Integer("win", "3", -1000, 1000, "beads added to each box used when it wins"))
	m.change[1] = int32(o.Integer("draw", "1", -1000, 1000, "beads added when it draws"))
	m.change[0] = int32(o.Integer("loss", loss, -1000, 1000, "beads added when it loses"))
	m.merge = o.Word("merge", "moves", "what symmetry merges: moves in boxes of classes, only the boxes, or nothing",
		"moves", "boxes", "none")
	m.empty = o.Word("empty", empty, "what an empty box does: resign, or refill with its first beads", "resign",
		"refill")
	m.rare = o.Number("rare", rare, 0, 1,
		"in earnest a colour of fewer beads than this share of the fullest colour's is not drawn")
	m.explore = readExploreOptions(o, epsilon)
	return m
}

// buildMenace fills the boxes of all positions; a space that has not all of them is an error.
func buildMenace(s *space.Space, o any, _ *rand.Rand) (*Learner, error) {
	if err := s.RequireComplete("boxes"); err != nil {
		return nil, err
	}
	m := &menace{menaceOptions: o.(menaceOptions), space: s}
	m.makeBoxes()
	return &Learner{m, (*menaceCritic)(m), m, m}, nil
}

// makeBoxes makes a box for each position with a choice, or for each class of them, and fills it.
func (m *menace) makeBoxes() {
	s := m.space
	n := s.Len()
	m.boxOf, m.place = make([]int32, n), make([]int32, n)
	depth := depths(s)
	boxes := map[space.Node]int32{}
	for i := range n {
		node := space.Node(i)
		m.boxOf[i], m.place[i] = -1, int32(len(m.edgeAt))
		if s.Over(node) || s.Turn(node) == oxo.Chance || len(s.Children(node)) < 2 {
			continue
		}
		holder := node
		if m.merge != "none" {
			holder = s.Class(node)
		}
		colours := m.beadClasses(holder)
		b, ok := boxes[holder]
		if !ok {
			b = int32(len(m.holder))
			boxes[holder] = b
			m.holder = append(m.holder, holder)
			m.from = append(m.from, int32(len(m.beads)))
			m.stage = append(m.stage, depth[i]/2)
			m.beads = append(m.beads, make([]int32, len(colours))...)
			m.total = append(m.total, 0)
		}
		m.boxOf[i] = b
		m.edgeAt = m.matchEdges(m.edgeAt, node, colours)
	}
	m.from = append(m.from, int32(len(m.beads)))
	for b := range m.holder {
		m.fillBox(int32(b))
	}
}

// depths returns in how few plies each node can be reached, not counting what chance does.
func depths(s *space.Space) []int32 {
	depth := make([]int32, s.Len())
	met := make([]bool, s.Len())
	met[s.Start] = true
	for n := range s.Len() {
		ply := int32(1)
		if s.Turn(space.Node(n)) == oxo.Chance {
			ply = 0
		}
		// Nodes are numbered by rising depth.
		for _, c := range s.Children(space.Node(n)) {
			if !met[c] {
				met[c], depth[c] = true, depth[n]+ply
			}
		}
	}
	return depth
}

// beadClasses returns, for each bead colour of a box, the class of the position that its move leads to.
func (m *menace) beadClasses(holder space.Node) []space.Node {
	var list []space.Node
	seen := map[space.Node]bool{}
	for _, c := range m.space.Children(holder) {
		class := m.space.Class(c)
		if m.merge == "none" {
			class = c
		}
		if m.merge == "moves" && seen[class] {
			continue
		}
		seen[class] = true
		list = append(list, class)
	}
	return list
}

// matchEdges appends, for each colour, an edge of n to a position of that class, each edge used once.
func (m *menace) matchEdges(list []int32, n space.Node, colours []space.Node) []int32 {
	children := m.space.Children(n)
	used := make([]bool, len(children))
	for _, colour := range colours {
		for e, c := range children {
			if m.merge != "none" {
				c = m.space.Class(c)
			}
			if c == colour && !used[e] {
				used[e] = true
				list = append(list, int32(e))
				break
			}
		}
	}
	return list
}

// fillBox puts the first beads into box b.
func (m *menace) fillBox(b int32) {
	k := min(int(m.stage[b]), len(m.initial)-1)
	m.total[b] = 0
	for i := m.from[b]; i < m.from[b+1]; i++ {
		m.beads[i] = int32(m.initial[k])
		m.total[b] += m.beads[i]
	}
}

// mostBeads is the most that a box holds.
const mostBeads = 1 << 30

// Choose draws a bead.
func (m *menace) Choose(n space.Node, r *rand.Rand) Choice {
	b := m.boxOf[n]
	if b < 0 {
		return Choice{Edge: 0}
	}
	if m.total[b] == 0 {
		if m.empty == "resign" {
			return Choice{Edge: -1}
		}
		m.fillBox(b)
		m.refills++
		m.filled = append(m.filled, b)
	}
	if epsilon := m.explore.currentRate(); epsilon > 0 && r.Float64() < epsilon {
		k := r.IntN(int(m.from[b+1] - m.from[b]))
		return Choice{Edge: m.edgeAt[int(m.place[n])+k], Explores: true, Leaf: space.None}
	}
	x := int32(r.Uint64() >> 33 * uint64(m.total[b]) >> 31)
	for k, beads := range m.beads[m.from[b]:m.from[b+1]] {
		if x -= beads; x < 0 {
			return Choice{Edge: m.edgeAt[int(m.place[n])+k]}
		}
	}
	panic("a box holds fewer beads than were counted")
}

func (m *menace) Snapshot() { m.filled = m.filled[:0] }

// Rollback empties again the boxes that were filled since Snapshot.
func (m *menace) Rollback() {
	for _, b := range m.filled {
		clear(m.beads[m.from[b]:m.from[b+1]])
		m.total[b] = 0
		m.refills--
	}
}

// Odds gives each move its share of the beads, rare colours left out.
func (m *menace) Odds(n space.Node, w []float64) {
	clear(w)
	b := m.boxOf[n]
	if b < 0 {
		w[0] = 1
		return
	}
	beads := m.beads[m.from[b]:m.from[b+1]]
	fullest := slices.Max(beads)
	least, total := max(1, m.rare*float64(fullest)), 0.0
	if fullest == 0 && m.empty == "refill" { // with as many of each colour
		least = 0
	}
	share := func(c int32) float64 {
		switch {
		case float64(c) < least:
			return 0
		case fullest == 0:
			return 1
		}
		return float64(c)
	}
	for _, c := range beads {
		total += share(c)
	}
	for k, c := range beads {
		if v := share(c); v > 0 {
			w[m.edgeAt[int(m.place[n])+k]] += v / total
		}
	}
}

// menaceCritic turns the end of a game into beads for every box used.
type menaceCritic menace

// LearnGame goes back from the last move and teaches each box that the learner used, down to the move tried out last.
func (c *menaceCritic) LearnGame(t *Trace, g Generalizer) {
	c.explore.games++
	for i := len(t.Choices) - 1; i >= 0; i-- {
		n := t.Nodes[i]
		seat := c.space.Turn(n)
		if seat != oxo.Chance && t.Learner[seat] && c.boxOf[n] >= 0 {
			g.Learn(Example{Node: n, Edge: t.Choices[i].Edge, Seat: seat,
				Target: float64(c.change[1+t.Outcome.Value(seat)])})
		}
		if t.Choices[i].Explores {
			return
		}
	}
}

// Learn changes the number of beads of the colour drawn by Target; there are never fewer than none.
func (m *menace) Learn(e Example) {
	b := m.boxOf[e.Node]
	place := m.place[e.Node]
	for i := m.from[b]; i < m.from[b+1]; i++ {
		if m.edgeAt[place+i-m.from[b]] == e.Edge {
			change := min(max(int32(e.Target), -m.beads[i]), mostBeads-m.total[b])
			m.beads[i] += change
			m.total[b] += change
			return
		}
	}
}

// countBoxes returns the number of boxes in which a seat moves, and of their beads.
func (m *menace) countBoxes(seat oxo.Seat) (boxes, beads int) {
	for b, n := range m.holder {
		if m.space.Turn(n) == seat {
			boxes++
			beads += int(m.total[b])
		}
	}
	return boxes, beads
}

// menaceSaved is the machine in a brain: under each box's position its beads by colour, and how many were refilled.
type menaceSaved struct {
	Boxes   map[string][]int32 `json:"boxes"`
	Refills int                `json:"refills"`
}

// Save has every box, also those that nothing was learned in.
func (m *menace) Save() any {
	saved := menaceSaved{map[string][]int32{}, m.refills}
	for b, n := range m.holder {
		saved.Boxes[m.space.Format(n)] = m.beads[m.from[b]:m.from[b+1]]
	}
	return saved
}

// Load refuses a brain that lacks a box, and numbers of beads below zero or in sum above mostBeads.
func (m *menace) Load(data json.RawMessage) error {
	var saved menaceSaved
	if err := json.Unmarshal(data, &saved); err != nil {
		return err
	}
	for b, n := range m.holder {
		beads := saved.Boxes[m.space.Format(n)]
		own := m.beads[m.from[b]:m.from[b+1]]
		if len(beads) != len(own) {
			return fmt.Errorf("the box of %q has %d colours of beads, not %d", m.space.Format(n), len(beads), len(own))
		}
		m.total[b] = 0
		for k, c := range beads {
			if c < 0 || m.total[b] > mostBeads-c {
				return fmt.Errorf("the box of %q has %d beads of a colour", m.space.Format(n), c)
			}
			own[k] = c
			m.total[b] += c
		}
	}
	m.refills = saved.Refills
	return nil
}

func (m *menace) Check() error { return nil }

func (m *menace) Bytes() int64 {
	return int64(4 * (2*len(m.boxOf) + len(m.edgeAt) + 4*len(m.holder) + len(m.beads)))
}
