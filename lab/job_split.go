package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"oxo"
	"oxo/board"
	"oxo/prove"
	"oxo/prove/verify"
)

// splitProof is a prove job whose parts are the positions after each move from
// the root, one of each class under the symmetries that keep the root. In each
// stage every position that is still open is searched for a number of nodes
// that grows fourfold from stage to stage, until they decide the root; then
// their certificates become one.
type splitProof[P oxo.Position[P]] struct {
	*bound[P]
	args  ProveArgs
	root  prove.Game
	start P
	kids  []kid
}

// kid is a position after a move, which stands for the moves of its class.
type kid struct {
	square int
	class  map[int][]uint8 // for each square of the class, an automorphism that carries it to square
}

// Bounds of the searches of a stage.
const (
	splitNodes  = 1 << 16
	splitRounds = 12 // then a last one without a bound
)

func (b *bound[P]) splitJob(a ProveArgs, root prove.Game) (labour, error) {
	if root.Rules.Place != board.Own {
		return nil, fmt.Errorf("split: proofs of %s are not split, since its marks are shared; leave it out", b.Spec)
	}
	p, err := parse(b.Game, a.Position)
	if err != nil {
		return nil, err
	}
	j := &splitProof[P]{bound: b, args: a, root: root, start: p}
	perms := keeping(root)
	seen := map[int]bool{}
	for _, m := range p.Moves(nil) {
		if p.Play(m).Outcome() != oxo.Ongoing {
			return nil, errors.New("split: a move ends the game, so that there is nothing to split; leave it out")
		}
		square := int(m)
		if seen[square] {
			continue
		}
		k := kid{square, orbit(square, perms, root.Board.N)}
		for s := range k.class {
			seen[s] = true
		}
		j.kids = append(j.kids, k)
	}
	return j, nil
}

// keeping returns generators of automorphisms that keep the marks of g.
func keeping(g prove.Game) [][]uint8 {
	var list [][]uint8
	for _, images := range g.Board.Group().Generators() {
		keeps := true
		perm := make([]uint8, len(images))
		for i, to := range images {
			perm[i] = uint8(to)
			for _, marks := range g.Marks {
				keeps = keeps && marks.Has(i) == marks.Has(to)
			}
		}
		if keeps {
			list = append(list, perm)
		}
	}
	return list
}

// orbit returns, for each square that the permutations carry to square, a
// product of them that does.
func orbit(square int, perms [][]uint8, n int) map[int][]uint8 {
	same := make([]uint8, n)
	for i := range same {
		same[i] = uint8(i)
	}
	found := map[int][]uint8{square: same}
	for queue := []int{square}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		for _, p := range perms {
			for from, to := range p { // p carries from to at: first p, then on to square
				if int(to) != at || found[from] != nil {
					continue
				}
				product := make([]uint8, n)
				for i := range product {
					product[i] = found[at][p[i]]
				}
				found[from] = product
				queue = append(queue, from)
			}
		}
	}
	return found
}

// after returns the position after a kid's move, as a game to prove.
func (j *splitProof[P]) after(k kid) prove.Game {
	g := j.root
	g.Marks[g.Turn] = g.Marks[g.Turn].With(k.square)
	g.Turn = g.Turn.Other()
	return g
}

// splitInput is the input of a part: which kid to search, −1 the root itself,
// and for how many nodes, 0 for no bound.
type splitInput struct {
	Kid   int    `json:"kid"`
	Nodes uint64 `json:"nodes"`
}

// splitOutput is what is known of a position.
type splitOutput struct {
	Value oxo.Outcome `json:"value"` // Ongoing while it is open
	Nodes uint64      `json:"nodes"`
	Proof []byte      `json:"proof,omitempty"`
}

// known puts together what the parts found: the latest of each kid, the root's
// where it was searched, and all nodes.
func (j *splitProof[P]) known(outputs Outputs) (kids []splitOutput, root *splitOutput, nodes uint64, err error) {
	kids = make([]splitOutput, len(j.kids))
	for stage := range outputs.Stages() {
		parts := j.parts(kids)
		for i := range outputs.Parts(stage) {
			data, err := outputs.Output(stage, i)
			if err != nil {
				return nil, nil, 0, err
			}
			var out splitOutput
			if err := json.Unmarshal(data, &out); err != nil {
				return nil, nil, 0, err
			}
			nodes += out.Nodes
			if i >= len(parts) || parts[i] < 0 {
				root = &out
			} else {
				kids[parts[i]] = out
			}
		}
	}
	return kids, root, nodes, nil
}

// parts lists the kids that a stage searches: those that are open; the root
// itself, as −1, where they are decided but their proofs could not be joined.
func (j *splitProof[P]) parts(kids []splitOutput) []int {
	if value, _ := j.decided(kids); value != oxo.Ongoing {
		return []int{-1}
	}
	var list []int
	for i, k := range kids {
		if k.Value == oxo.Ongoing {
			list = append(list, i)
		}
	}
	return list
}

// decided returns the value of the root as far as the kids decide it, and the
// kid that a side that is to move plays for it.
func (j *splitProof[P]) decided(kids []splitOutput) (value oxo.Outcome, best int) {
	value, best = oxo.WinFor(j.root.Turn.Other()), 0
	for i, k := range kids {
		switch k.Value {
		case oxo.WinFor(j.root.Turn):
			return k.Value, i
		case oxo.Ongoing:
			value = oxo.Ongoing
		case oxo.Drawn:
			if value == oxo.WinFor(j.root.Turn.Other()) {
				value, best = oxo.Drawn, i
			}
		}
	}
	return value, best
}

func (j *splitProof[P]) stage(stage int, before Outputs) ([]Part, error) {
	kids, root, nodes, err := j.known(before)
	if err != nil || root != nil {
		return nil, err
	}
	if value, _ := j.decided(kids); value != oxo.Ongoing {
		if _, err := j.join(kids); err == nil {
			return nil, nil
		}
	}
	bound := uint64(splitNodes) << (2 * stage)
	if stage >= splitRounds {
		bound = 0
	}
	if j.args.Nodes > 0 {
		if nodes >= j.args.Nodes {
			return nil, nil
		}
		if left := j.args.Nodes - nodes; bound == 0 || bound > left {
			bound = left
		}
	}
	if stage > splitRounds {
		return nil, nil // the limits of time ended what was left
	}
	var parts []Part
	for _, i := range j.parts(kids) {
		in, name := splitInput{i, bound}, "the position itself"
		if i < 0 {
			in.Nodes = j.args.Nodes
		} else {
			name = fmt.Sprintf("after %s, round %d", j.FormatMove(j.start, oxo.Move(j.kids[i].square)), stage+1)
		}
		input, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		parts = append(parts, Part{Name: name, Size: 1, Input: input})
	}
	return parts, nil
}

func (j *splitProof[P]) run(ctx context.Context, task Task, r *reporter) ([]byte, error) {
	var in splitInput
	if err := readArgs(task.Part.Input, &in); err != nil {
		return nil, err
	}
	if in.Kid < -1 || in.Kid >= len(j.kids) {
		return nil, fmt.Errorf("there is no move %d", in.Kid)
	}
	g := j.root
	if in.Kid >= 0 {
		g = j.after(j.kids[in.Kid])
	}
	o, err := j.args.options()
	if err != nil {
		return nil, err
	}
	opt := prove.Options{Time: o.Time, Nodes: in.Nodes, Memory: o.Memory, All: o.All, Workers: 1,
		Progress: proofTold(ctx, r, task.Part.Name+": "), Grace: proofGrace}
	if task.Checkpoint != nil {
		opt.Resume = bytes.NewReader(task.Checkpoint)
	}
	result, err := prove.Prove(ctx, g, opt)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	out := splitOutput{Value: result.Value, Nodes: result.Nodes}
	if result.Proof != nil && result.Value != oxo.Ongoing {
		var file bytes.Buffer
		if _, err := result.Proof.WriteTo(&file); err != nil {
			return nil, err
		}
		out.Proof = file.Bytes()
	}
	return json.Marshal(out)
}

func (j *splitProof[P]) finished(p Part, output []byte) (Report, error) {
	var out splitOutput
	if err := json.Unmarshal(output, &out); err != nil {
		return Report{}, err
	}
	value := out.Value.String()
	if out.Value == oxo.Ongoing {
		value = "open"
	}
	return Report{Done: 1, Total: 1, Line: fmt.Sprintf("%s: %s, %d nodes", p.Name, value, out.Nodes)}, nil
}

func (j *splitProof[P]) sum(reports []Report) (string, any) {
	line := ""
	for _, r := range reports {
		if r.Line != "" {
			line = r.Line
		}
	}
	return line, nil
}

func (j *splitProof[P]) merge(outputs Outputs, create Create) (any, error) {
	kids, root, nodes, err := j.known(outputs)
	if err != nil {
		return nil, err
	}
	value, _ := j.decided(kids)
	var proof []byte
	switch {
	case root != nil:
		value, proof = root.Value, root.Proof
	case value != oxo.Ongoing:
		if proof, err = j.join(kids); err != nil {
			return nil, err
		}
	}
	r := &ProveResult{Game: j.Spec, Position: j.Format(j.start), Value: value.String(), Proved: value.String(), Nodes: nodes}
	if value == oxo.Ongoing {
		r.Value, r.Proved = "unknown", "unknown"
	}
	if proof != nil {
		p, err := prove.Read(proof)
		if err != nil {
			return nil, err
		}
		for _, c := range p.Claims {
			r.ProofNodes += len(c.Nodes)
		}
		if err := create.write(ProofFile, proof); err != nil {
			return nil, err
		}
	}
	return timeless(r)
}

// errSplit says that the kids' certificates do not make one.
var errSplit = errors.New("the certificates of the moves do not make one of the position")

// join makes one certificate of those of the kids, and checks it.
func (j *splitProof[P]) join(kids []splitOutput) ([]byte, error) {
	value, best := j.decided(kids)
	mover := j.root.Turn
	whole := &prove.Proof{Game: j.root}
	if value != oxo.WinFor(mover.Other()) {
		// The mover's side: its move, and then as the kid's certificate has it.
		p, err := prove.Read(kids[best].Proof)
		if err != nil {
			return nil, err
		}
		whole.Perms = p.Perms
		c, ok := strategyOf(p, mover, value == oxo.WinFor(mover))
		if !ok || c.Nodes[0].Kind != prove.Wait {
			return nil, errSplit
		}
		c.Nodes[0].Kind, c.Nodes[0].Square = prove.Move, j.kids[best].square
		whole.Claims = append(whole.Claims, c)
	}
	if value != oxo.WinFor(mover) {
		c, err := j.answers(kids, whole, value)
		if err != nil {
			return nil, err
		}
		whole.Claims = append(whole.Claims, c)
	}
	var file bytes.Buffer
	if _, err := whole.WriteTo(&file); err != nil {
		return nil, err
	}
	if r := verify.Check(bytes.NewReader(file.Bytes())); !r.OK || r.Value != value.String() {
		return nil, fmt.Errorf("%w: %s", errSplit, r.Reason)
	}
	return file.Bytes(), nil
}

// answers makes the claim of the side that answers every move, of the claims of
// all kids. Their permutations are added to those of the whole.
func (j *splitProof[P]) answers(kids []splitOutput, whole *prove.Proof, value oxo.Outcome) (prove.Claim, error) {
	seat := j.root.Turn.Other()
	all := prove.Claim{Seat: seat, Wins: value == oxo.WinFor(seat), Nodes: []prove.Node{{Kind: prove.Wait}}}
	numbers := map[string]int{}
	perm := func(p []uint8) int {
		n, ok := numbers[string(p)]
		if !ok {
			n = len(whole.Perms)
			numbers[string(p)] = n
			whole.Perms = append(whole.Perms, p)
		}
		return n
	}
	for i, p := range whole.Perms {
		numbers[string(p)] = i
	}
	for i, k := range kids {
		p, err := prove.Read(k.Proof)
		if err != nil {
			return all, err
		}
		c, ok := strategyOf(p, seat, all.Wins)
		if !ok || i > 0 && c.Relaxed != all.Relaxed || all.Wins && !c.Wins && j.root.Rules.Full == oxo.Drawn {
			return all, errSplit
		}
		all.Relaxed = c.Relaxed
		all.Wins = all.Wins && c.Wins // without draws not to lose is to win
		if len(whole.Perms) == 0 {
			perm(p.Perms[0]) // the identity comes first
		}
		base := len(all.Nodes)
		for square := range j.root.Board.N {
			if to := j.kids[i].class[square]; to != nil {
				all.Nodes[0].Replies = append(all.Nodes[0].Replies, prove.ReplyNode{Square: square, Perm: perm(to), Node: base})
			}
		}
		for _, node := range c.Nodes {
			replies := make([]prove.ReplyNode, len(node.Replies))
			for n, r := range node.Replies {
				replies[n] = prove.ReplyNode{Square: r.Square, Perm: perm(p.Perms[r.Perm]), Node: r.Node + base}
			}
			node.Replies = replies
			if node.End == prove.Mirrored {
				node.Perm = perm(p.Perms[node.Perm])
			}
			all.Nodes = append(all.Nodes, node)
		}
	}
	slices.SortFunc(all.Nodes[0].Replies, func(a, b prove.ReplyNode) int { return a.Square - b.Square })
	return all, nil
}

// strategyOf returns a claim of a seat that has a strategy: one that it wins, or
// that it does not lose, where there is one, else the other.
func strategyOf(p *prove.Proof, seat oxo.Seat, wins bool) (prove.Claim, bool) {
	var other prove.Claim
	found := false
	for _, c := range p.Claims {
		if c.Seat != seat || len(c.Nodes) == 0 {
			continue
		}
		if c.Wins == wins {
			return c, true
		}
		other, found = c, true
	}
	return other, found
}
