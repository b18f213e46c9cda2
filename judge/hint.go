package judge

import (
	"slices"
	"strings"

	"oxo"
	"oxo/message"
)

// NameHint names a move to play and says how sure that is. The message's key tells how sure it is:
// which where the move is certainly best, which.search and which.estimate where it is only guessed,
// which.open where nothing is known.
func (v *Voice[P]) NameHint(p P, a *Answer) message.Message {
	switch {
	case a.Over:
		return message.Of("over", nil)
	case a.Turn == oxo.Chance || a.Hint < 0:
		return message.Of("chance", nil)
	}
	h := &a.Moves[a.Hint]
	args := message.Args{"move": v.Game.FormatMove(p, h.Move), "n": h.Estimate.Searched}
	best := a.BestMoves()
	switch {
	case len(a.Moves) == 1:
		return message.Of("which.only", args)
	case len(best) == len(a.Moves) && !pliesMatter(v.Game):
		return message.Of("which.all", args)
	case a.Proven() && a.SeenBy(a.Turn).Hi <= a.whole.SeenBy(a.Turn).Lo+rounding:
		return v.nameLostHint(p, a, args)
	case len(best) == len(a.Moves) && !a.Timed && a.SeenBy(a.Turn).Lo > 0:
		return message.Of("which.all.win", args)
	case len(best) == len(a.Moves):
		return message.Of("which.all", args)
	case v.mustPlay(a):
		return message.Of("which.must", args)
	case len(best) > 0 && v.winsOpen(a) && a.pliesAfter(a.Hint) < unknownLength:
		args["plies"] = pliesMessage(a.pliesAfter(a.Hint) + 1)
		return message.Of("which.within", args)
	case len(best) > 0 && v.winsOpen(a):
		return message.Of("which.wins", args)
	case len(best) > 0:
		return message.Of("which", args)
	case h.Proven():
		return message.Of("which.sure", args)
	case slices.Contains(a.movesKeepingBound(), a.Hint):
		return message.Of("which.holds", args)
	case a.prefer == a.Hint:
		if n := max(h.Estimate.Searched, a.Estimate.Searched); n > 0 {
			args["n"] = n
			return message.Of("which.search.n", args)
		}
		return message.Of("which.search", args)
	case h.Estimate.Searched > 0:
		return message.Of("which.estimate", args)
	}
	return message.Of("which.open", args)
}

// mustPlay reports whether every move but the hint's loses at once, and that one does not, nor wins at once.
func (v *Voice[P]) mustPlay(a *Answer) bool {
	losing := a.movesWhere(func(i int) bool {
		o := &a.Moves[i]
		return o.Timed && o.Plies <= 1 && o.SeenBy(a.Turn).Hi <= -1
	})
	h := &a.Moves[a.Hint]
	return pliesMatter(v.Game) && len(losing) == len(a.Moves)-1 && !slices.Contains(losing, a.Hint) &&
		(!h.Timed || h.Plies > 0)
}

// nameLostHint names a move to play where every move loses, and what is known of how long it holds out.
func (v *Voice[P]) nameLostHint(p P, a *Answer, args message.Args) message.Message {
	h := &a.Moves[a.Hint]
	if a.Timed && h.Timed && h.Plies+1 == a.Plies {
		if len(a.BestMoves()) == len(a.Moves) {
			return message.Of("which.lost.all", args)
		}
		return message.Of("which.longest", args)
	}
	// The hint is played on the square with which the other side, as is shown, would win after each of these.
	stopped := a.movesWhere(func(i int) bool { return i != a.Hint && a.winningReply(i) == h.Move })
	if len(stopped) > 0 {
		args["moves"] = v.anyOfMoves(p, a, stopped)
		return message.Of("which.stops", args)
	}
	if len(a.BestMoves()) < len(a.Moves) {
		return message.Of("which.lost.may", args)
	}
	return message.Of("which.lost.open", args)
}

// mostSets is how many winning sets are named of several that are threatened.
const mostSets = 3

// mostNamed is how many moves are named before the others are counted.
const mostNamed = 5

// formatMoves joins moves of p.
func (v *Voice[P]) formatMoves(p P, a *Answer, indices []int) any {
	var texts []string
	for k, i := range indices {
		if k == mostNamed {
			return message.Of("and-more", message.Args{"moves": strings.Join(texts, ", "), "n": len(indices) - k})
		}
		texts = append(texts, v.Game.FormatMove(p, a.Moves[i].Move))
	}
	return strings.Join(texts, ", ")
}

// anyOfMoves joins moves of p in a sentence that is true of each.
func (v *Voice[P]) anyOfMoves(p P, a *Answer, indices []int) any {
	n := len(indices) - 1
	if n < 1 || n >= mostNamed { // of more the others are counted
		return v.formatMoves(p, a, indices)
	}
	return message.Of("or", message.Args{"moves": v.formatMoves(p, a, indices[:n]),
		"last": v.Game.FormatMove(p, a.Moves[indices[n]].Move)})
}

// ExplainHint says why the hint's move is to be played: what the position is worth, what the move
// leads to, what is as good, and what one worse move would do. Nothing is said twice: where the move's
// reason is that of the position, or the estimate is the same, it is left out. Of the worse moves the
// first in the order of the moves is named.
func (v *Voice[P]) ExplainHint(p P, a *Answer) []message.Message {
	switch {
	case a.Over:
		return v.ExplainWorth(p, a)
	case a.Turn == oxo.Chance || a.Hint < 0:
		return append(v.ExplainWorth(p, a), v.NameHint(p, a))
	}
	h := &a.Moves[a.Hint]
	list := v.plainReason(p, a)
	ends := h.Timed && h.Plies == 0 // which the move's reason says too
	shown := func(source string) bool { return source == Certificate || source == Proof }
	// Then the move's reason is the position's.
	same := h.Proven() && (h.Source == a.Source || ends || shown(h.Source) && shown(a.Source) && h.Holding == nil)
	// A reason that the position has and the move lacks is told with the position, whatever the sources.
	holds := a.Holding != nil && h.Holding == nil
	list = append(list, v.ongoingWorth(p, a, !same || holds)...)
	which := v.NameHint(p, a)
	if a.Estimate.Searched > 0 { // which is the hint's
		switch which.Key {
		case "which.search.n":
			which.Key = "which.search"
		case "which.estimate":
			which.Key = "which.maybe"
		}
	}
	list = append(list, which)
	list = append(list, v.hintReasons(p, a, same && holds)...)
	best := a.BestMoves()
	lost := pliesMatter(v.Game) && a.SeenBy(a.Turn).Hi <= -1
	if len(best) > 1 && len(best) < len(a.Moves) && (h.Timed || !a.Timed && !lost) { // else how good they are is open
		others := slices.DeleteFunc(best, func(i int) bool { return i == a.Hint })
		also := "also"
		if v.winsOpen(a) {
			also = "also.wins"
		}
		list = append(list, message.Of(also, message.Args{"moves": v.formatMoves(p, a, others)}))
	}
	// One of the worse moves is explained, as an example of what goes wrong otherwise.
	for i := range a.Moves {
		if i != a.Hint && (a.GivesAway(i) || a.leadsToWorst(i) && !h.Proven()) {
			worse := v.ExplainMove(p, a, i)
			if how, ok := worse[0].Args["how"].(message.Message); ok && strings.Contains(v.Say(list...), v.Say(how)) {
				worse[0].Key = "not" // the same shows it
			}
			list = append(list, worse...)
			break
		}
	}
	return list
}

// plainReason says what anybody can see of the hint's move: that the other side would else win at once there, and how
// many sets it threatens to complete; nothing where it does neither, or is known to lose. A reply that wins after at
// least half of the other moves is taken for a threat that was there before them.
func (v *Voice[P]) plainReason(p P, a *Answer) []message.Message {
	if a.leadsToWorst(a.Hint) {
		return nil
	}
	h := &a.Moves[a.Hint]
	args := message.Args{"move": v.Game.FormatMove(p, h.Move), "side": v.side(a.Turn.Other())}
	stopped := len(a.movesWhere(func(i int) bool {
		o := &a.Moves[i]
		return i != a.Hint && o.Timed && o.Plies == 1 && a.winningReply(i) == h.Move
	}))
	var list []message.Message
	if stopped > 0 && 2*stopped >= len(a.Moves)-1 {
		list = append(list, message.Of("plain.stops", args))
	}
	if v.namesDoubleThreat(p.Play(h.Move), a.Turn, args) {
		list = append(list, message.Of("plain.double", args))
	}
	return list
}

// namesDoubleThreat reports whether seat threatens to complete several sets at once in q, in which the other side is
// to move, and puts them into args.
func (v *Voice[P]) namesDoubleThreat(q P, seat oxo.Seat, args message.Args) bool {
	if v.Sets == nil || q.Outcome() != oxo.Ongoing || q.Turn() != seat.Other() {
		return false
	}
	sets := v.threatenedSetNames(q, seat)
	if len(sets) > 1 {
		args["n"], args["sets"] = len(sets), message.List(sets[:min(len(sets), mostSets)])
	}
	return len(sets) > 1
}

// winsOpen reports whether the side to move certainly wins, and how soon is not known, in a game in which that counts.
func (v *Voice[P]) winsOpen(a *Answer) bool {
	return pliesMatter(v.Game) && !a.Timed && a.Turn != oxo.Chance && a.SeenBy(a.Turn).Lo >= 1-rounding
}

// hintReasons is [Voice.ExplainMove] of the hint's move where that is named and what the position is worth was said:
// its worth is not said again, be it known or estimated, nor that it is not known. ReasonSaid says that the reason
// was said too.
func (v *Voice[P]) hintReasons(p P, a *Answer, reasonSaid bool) []message.Message {
	h := &a.Moves[a.Hint]
	known := a.Proven() && h.Proven()
	list := v.ExplainMove(p, a, a.Hint)
	switch how, ok := list[0].Args["how"].(message.Message); {
	case known && ok && !reasonSaid:
		list[0] = how
	case known, !h.Proven() && h.Estimate.Searched > 0, v.MoveVerdict(a, a.Hint).Key == "v.open":
		return list[1:]
	}
	return list
}

// ExplainMove says what a move leads to, what shows it, and what it does. The first message is about what it leads
// to, and has the reason under how where there is one.
func (v *Voice[P]) ExplainMove(p P, a *Answer, i int) []message.Message {
	o := &a.Moves[i]
	args := message.Args{"move": v.Game.FormatMove(p, o.Move), "verdict": v.MoveVerdict(a, i)}
	said := message.Of("not", args)
	if o.Proven() {
		if how, ok := v.reasonMessage(p.Play(o.Move), &o.Known); ok {
			args["how"] = how
			if said = message.Of("not.how", args); how.Key == "by.reply" || how.Key == "by.end.line" {
				said.Key = "not.line"
			}
		}
	}
	return append([]message.Message{said}, v.moveEffects(p, o.Move)...)
}

// moveEffects says what a move does beside what is seen on the board.
func (v *Voice[P]) moveEffects(p P, m oxo.Move) []message.Message {
	if v.Remarks == nil {
		return nil
	}
	return v.Remarks(p, m)
}

// zugzwangMessage says that the side to move loses at once only as it has to move: whatever it plays, the
// replies with which the other side wins were not to be had before. It is only asked where marks fall:
// there a mark may open the square above it to the other side.
func (v *Voice[P]) zugzwangMessage(p P) []message.Message {
	if p.Outcome() != oxo.Ongoing || p.Turn() == oxo.Chance {
		return nil
	}
	other := p.Turn().Other()
	moves := p.Moves(nil)
	for _, m := range moves {
		q := p.Play(m)
		if q.Outcome() != oxo.Ongoing || q.Turn() != other {
			return nil
		}
		// opened says that the other side has a winning reply. Each such reply must be one that p did not have.
		opened := false
		for _, r := range q.Moves(nil) {
			if q.Play(r).Outcome() != oxo.WinFor(other) {
				continue
			}
			if slices.Contains(moves, r) {
				return nil
			}
			opened = true
		}
		if !opened {
			return nil
		}
	}
	return []message.Message{message.Of("zugzwang", message.Args{"side": v.side(p.Turn()), "other": v.side(other)})}
}

// ExplainAllowedWin says what a move has let the side do that is to move in p after it, which certainly wins
// there; nothing where it does not. The most telling reason is given alone: a win at once and the sets
// that it completes, two threats at once, a line of threats, the plies, else what shows it.
func (v *Voice[P]) ExplainAllowedWin(p P, a *Answer) []message.Message {
	if a.Over || a.Turn == oxo.Chance || !pliesMatter(v.Game) || a.SeenBy(a.Turn).Lo < 1 {
		return nil
	}
	args := message.Args{"side": v.side(a.Turn), "plies": pliesMessage(a.Plies)}
	// A win at once is the plainest reason.
	if won := a.winsAtOnce(); len(won) > 0 {
		m := a.Moves[won[0]].Move
		args["move"] = v.Game.FormatMove(p, m)
		if sets := v.completedSetNames(p.Play(m)); len(sets) > 0 {
			args["sets"] = message.List(sets)
			return []message.Message{message.Of("lets.sets", args)}
		}
		return []message.Message{message.Of("lets.once", args)}
	}
	best := a.BestMoves()
	if len(best) == 0 {
		return nil
	}
	o := &a.Moves[best[0]]
	args["move"] = v.Game.FormatMove(p, o.Move)
	// Where no move wins at once, two threats that one reply can't stop are the next plain reason.
	if v.namesDoubleThreat(p.Play(o.Move), a.Turn, args) {
		return []message.Message{message.Of("lets.double", args)}
	}
	switch {
	case o.Source == Threats && len(o.Line) > 0:
		args["line"] = v.toldLine(p, append([]oxo.Move{o.Move}, o.Line...))
		return []message.Message{message.Of("lets.threats", args)}
	case a.Timed:
		return []message.Message{message.Of("lets.in", args)}
	}
	args["in"] = ""
	list := []message.Message{message.Of("lets", args)}
	if how, ok := v.reasonMessage(p, &a.Known); ok {
		if how.Key == "by.threats" {
			how.Args["line"] = v.toldLine(p, a.Line)
		}
		list = append(list, how)
	}
	return list
}

// completedSetNames names the winning sets that the last move completed in p; nil where the game names none.
func (v *Voice[P]) completedSetNames(p P) []string {
	if v.Sets == nil {
		return nil
	}
	return v.Sets(p)
}

// threatenedSetNames names, for each move by which seat threatens to complete sets at once in q, in which the other
// side is to move, one of those sets; nothing where a reply stops all of them, or ends the game.
func (v *Voice[P]) threatenedSetNames(q P, seat oxo.Seat) (names []string) {
	// count is by winning move the number of replies after which it wins, and completed the sets that it completes
	// after the first of them: naming them looks at all sets. order has these moves as they were found, so that the
	// same position has the same answer every time.
	count, completed := map[oxo.Move]int{}, map[oxo.Move][]string{}
	var order []oxo.Move
	replies := q.Moves(nil)
	for _, reply := range replies {
		r := q.Play(reply)
		if r.Outcome() != oxo.Ongoing || r.Turn() != seat {
			return nil
		}
		found := false
		for _, m := range r.Moves(nil) {
			s := r.Play(m)
			if s.Outcome() != oxo.WinFor(seat) {
				continue
			}
			found = true
			if !slices.Contains(replies, m) { // the reply opens it
				continue
			}
			if count[m] == 0 {
				order, completed[m] = append(order, m), v.completedSetNames(s)
			}
			count[m]++
		}
		if !found {
			return nil
		}
	}
	// A move that wins after less than half of the replies is no threat of the position but a reply's mistake.
	for _, m := range order {
		if sets := completed[m]; len(sets) > 0 && 2*count[m] >= len(replies) {
			names = append(names, sets[0])
		}
	}
	return names
}
