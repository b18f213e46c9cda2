package ninenet

import "oxo/games/ultimate"

// SampleJudgement is what a net thinks that a position with something on the boards and nothing else
// is worth to the side to move, which may move anywhere.
type SampleJudgement struct {
	On    string
	Worth float64
}

// JudgeSamples returns what the net thinks of some positions that show what it goes by.
func (t *Net) JudgeSamples() (list []SampleJudgement) {
	say := func(on string, f func(n *nineBoards)) {
		n := nineBoards{here: 1<<9 - 1, any: true}
		f(&n)
		n.setBigBoardFeatures()
		win, loss := t.logOdds(&n)
		list = append(list, SampleJudgement{on, worthFromLogOdds(ultimate.New(0).Start.Turn(), win, loss, 0)})
	}
	say("nothing", func(*nineBoards) {})
	for _, b := range []struct {
		name string
		at   int
	}{{"the centre", 4}, {"a corner", 0}, {"a side", 1}} {
		say(b.name+" board won", func(n *nineBoards) { n.closed[b.at] = ownBoard })
		say(b.name+" board lost", func(n *nineBoards) { n.closed[b.at] = theirBoard })
		say(b.name+" board closed without a row", func(n *nineBoards) { n.closed[b.at] = deadBoard })
	}
	say("two boards of a row won", func(n *nineBoards) { n.closed[0], n.closed[1] = ownBoard, ownBoard })
	say("two boards of a row lost", func(n *nineBoards) { n.closed[0], n.closed[1] = theirBoard, theirBoard })
	say("two boards of a row won, the third closed", func(n *nineBoards) {
		n.closed[0], n.closed[1], n.closed[2] = ownBoard, ownBoard, deadBoard
	})
	return list
}
