package prove

import (
	"bufio"
	"encoding/gob"
	"errors"
	"io"
	"math"
	"slices"

	"oxo"
	"oxo/prove/certificate"
)

// Round makes a search one of several that share the work of a proof in rounds
// and see nothing of one another meanwhile, as on several machines. In each
// round every search begins with what all those of earlier rounds have found,
// and those of one round begin below different positions: each takes the others
// before it to be where they begin, and the numbers of these positions for worse
// than they are, as the searches of a team do.
type Round struct {
	// Before is what the searches of earlier rounds put out, in the same order
	// for every search.
	Before []io.Reader

	Place int    // among the searches of the round, from 0
	Nodes uint64 // positions to search in this round; [Result].Nodes then is how many that were

	// Found gets what this search found, where that does not decide the value:
	// the positions that are new or of which more is known than before.
	Found io.Writer
}

// joinEarlierRounds takes over what was found in earlier rounds, and bounds this one.
// A search that is resumed has taken them over already, and they are part of its state.
func (r *Round) joinEarlierRounds(j *proofRun) error {
	if j.opt.Resume == nil {
		for _, state := range r.Before {
			if err := j.joinCheckpoint(state); err != nil {
				return err
			}
		}
		j.start = j.result.Nodes
	}
	if r.Nodes > 0 && r.Nodes < math.MaxUint64-j.start {
		j.opt.Nodes = min(j.opt.Nodes, j.start+r.Nodes)
	}
	return nil
}

// joinCheckpoint adds what another search found in an earlier round.
// It is refused where it is of another game or of other options. What another search knows for
// certain closes questions here; of what is open, the entries are merged into the tables.
func (j *proofRun) joinCheckpoint(r io.Reader) error {
	in := gob.NewDecoder(bufio.NewReader(r))
	var c checkpoint
	if err := in.Decode(&c); err != nil {
		return err
	}
	if c.Version != 1 || c.Game != j.game.Digest() {
		return errors.New("what was found is of another game")
	}
	if !c.isConsistent() {
		return errDamaged
	}
	j.resumed = true
	j.result.Nodes += c.Nodes
	if c.isAheadOf(j) {
		j.budget, j.at, j.left = c.Budget, c.At, c.Left
	}
	if err := j.joinClaims(in, &c); err != nil {
		return err
	}
	for _, s := range c.Questions {
		q, err := j.findOrAddQuestion(s)
		if err != nil {
			return err
		}
		q.closed = q.closed || s.Closed
	}
	for _, q := range j.questions {
		q.closed = q.closed || j.wins[q.seat] != open
		if q.closed {
			q.search = nil
		}
	}
	if j.at > len(j.questions) {
		return errDamaged
	}
	return j.joinTables(in, &c)
}

// joinTables adds what another search has in its tables.
// The stream has the entries of one question after the other, so that those of a closed one have to
// be read too.
func (j *proofRun) joinTables(in *gob.Decoder, c *checkpoint) error {
	for _, s := range c.Questions {
		if !s.Begun {
			continue
		}
		q, err := j.findOrAddQuestion(s)
		if err != nil {
			return err
		}
		if q.closed {
			if err := skipEntries(in, s); err != nil {
				return err
			}
			continue
		}
		if q.search == nil {
			if err := j.beginSearch(q); err != nil {
				return err
			}
		}
		if err := q.search.joinEntries(in, s); err != nil {
			return err
		}
	}
	return nil
}

// isAheadOf reports whether the rounds of questions have come further than j's.
func (c *checkpoint) isAheadOf(j *proofRun) bool {
	switch {
	case c.Budget != j.budget:
		return c.Budget > j.budget
	case c.At != j.at:
		return c.At > j.at
	case j.left == 0: // it has not had its turn
		return c.Left > 0
	}
	return c.Left > 0 && c.Left < j.left
}

// findOrAddQuestion returns the question that was saved. One that a narrow one was
// widened to is added.
func (j *proofRun) findOrAddQuestion(s savedQuestion) (*question, error) {
	t := task{seat: oxo.Seat(s.Seat), relaxed: s.Relaxed, width: s.Width, defends: s.Hold, mirror: s.Mirror}
	for _, q := range j.questions {
		if q.task == t {
			return q, nil
		}
	}
	narrow := t == task{seat: t.seat, width: t.width} && t.width > 0 && t.width <= j.game.Board.N
	if !narrow || t.seat != oxo.First && t.seat != oxo.Second {
		return nil, errors.New("what was found is of other options")
	}
	return j.addQuestion(t, nil), nil
}

// joinClaims takes over the claims about what was open so far.
// Of what both found the own claim stays, so that a strategy is written down once.
func (j *proofRun) joinClaims(in *gob.Decoder, c *checkpoint) error {
	found, err := j.readFoundProof(in, c)
	if err != nil {
		return err
	}
	for seat, verdict := range c.Wins {
		if verdict == open || j.wins[seat] != open {
			continue
		}
		j.wins[seat] = verdict
		whose := oxo.Seat(seat)
		if verdict == disproved {
			whose = whose.Other()
		}
		for _, claim := range found.Claims {
			if claim.Seat != whose || claim.Wins != (verdict == proved) {
				continue
			}
			if claim.Nodes, err = j.renumberPerms(found, claim.Nodes); err != nil {
				return err
			}
			j.claims = append(j.claims, claim)
			break
		}
	}
	return nil
}

// renumberPerms returns the nodes of another proof with the permutations numbered as here.
// A certificate has one list of permutations, to which all its nodes refer by number.
func (j *proofRun) renumberPerms(of *certificate.Proof, nodes *certificate.Nodes) (*certificate.Nodes, error) {
	out, err := certificate.NewNodes(j.opt.Disk, false)
	if err != nil {
		return nil, err
	}
	for k := range nodes.Len() {
		n, err := nodes.At(k)
		if err != nil {
			return nil, err
		}
		n.Perm = j.renumberPerm(of, n.Perm)
		for i := range n.Replies {
			n.Replies[i].Perm = j.renumberPerm(of, n.Replies[i].Perm)
		}
		out.Add(n)
	}
	return out, out.Finish()
}

// renumberPerm is the number here of a permutation of another proof.
// A number below 0 or beyond the list stands for none and stays as it is.
func (j *proofRun) renumberPerm(of *certificate.Proof, perm int) int {
	if perm < 0 || perm >= len(of.Perms) {
		return perm
	}
	return j.perms.numberOrAdd(slices.Clone(of.Perms[perm]))
}

// skipEntries reads the entries of a question that is settled.
func skipEntries(in *gob.Decoder, s savedQuestion) error {
	return forEachEntry(in, s, func(savedEntry) error { return nil })
}

// joinEntries takes over the entries of another search of the same question.
// They are old: Found is to have only what this search adds to them.
func (s *search[S, Q]) joinEntries(in *gob.Decoder, q savedQuestion) error {
	s.pn, s.dn, s.nodes = q.PN, q.DN, max(s.nodes, q.Nodes)
	return forEachEntry(in, q, func(x savedEntry) error {
		e, err := restoreEntry[S](x)
		if err == nil {
			e.fresh = false
			s.table.mergeEntry(e)
		}
		return err
	})
}

// mergeEntry keeps e unless more is known already of its position.
// What is decided is never given up, and of what is not that stays which more work went into.
func (t *table[S]) mergeEntry(e entry[S]) {
	if old, ok := t.probe(e.key); ok && (old.pn == 0 || old.dn == 0 || e.pn != 0 && e.dn != 0 && old.work > e.work) {
		return
	}
	t.put(e)
}

// setSearchesBefore says how many searches of the round are before this one.
// So many paths are entered before it begins, each as if somebody searched there.
func (s *search[S, Q]) setSearchesBefore(ahead int) { s.ahead = ahead }

// countBestPathAsSearched enters, for good, the positions that another search would begin with:
// from the start on the likeliest child each time, as far as the table goes.
func (s *search[S, Q]) countBestPathAsSearched() {
	p, side := s.root, s.turn
	key, perm := s.canonical(&p, side, &s.none)
	if perm != 0 {
		p = s.permutedState(&p, perm)
	}
	for depth := 0; ; depth++ {
		e, ok := s.table.probe(key)
		if !ok {
			return
		}
		kids := s.emptyChildren(depth)
		if side == attacker {
			kids = s.generateAttackerMoves(&p, s.relevantAttackSquares(e, &p), kids)
		} else {
			kids = s.generateDefenderReplies(&p, e.replies, kids)
		}
		var best *child
		least := uint32(infinite)
		for k := range kids {
			c := &kids[k]
			number := c.pn
			if side == defender {
				number = c.dn
			}
			if v := s.virtualNumber(c.key, number); v < least {
				best, least = c, v
			}
		}
		if best == nil {
			return
		}
		s.countSearchesBelow(best.key, 1)
		s.playToChild(&p, side, best)
		key, side = best.key, side^1
	}
}
