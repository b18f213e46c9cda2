// Package show is what learners say of what they have learned, for people and programs: [Shown] is filled in by a
// learner, written as text by its String, and as JSON as it is.
package show

import (
	"fmt"
	"math"
	"strings"

	"oxo/learn/regress"
	"oxo/message"
)

// Shown is what a learner has learned, for people and programs. What a kind of learner does not have is left out.
// Summary and Rules are English, and Said has the messages that they were made of, under "summary" and "rules", in
// the same order.
type Shown struct {
	Summary   []string `json:"summary" doc:"what is said of it as a whole"`
	Weights   []Weight `json:"weights,omitempty" doc:"weights of features, of one that has them"`
	Boxes     []Box    `json:"boxes,omitempty" doc:"matchboxes: a position of each class, and its beads"`
	Positions []Valued `json:"positions,omitempty"`
	Rules     []string `json:"rules,omitempty" doc:"what a tree says of boards, in sentences"`
	Last      []Step   `json:"last,omitempty" doc:"the moves of the last game that was learned from"`

	Said message.Said `json:"said,omitempty" doc:"the messages of the summary and the rules: keys and arguments, for other languages"`
}

// Tell adds what messages say to the summary, a line each, and keeps the messages for other languages.
func (s *Shown) Tell(list ...message.Message) { s.addMessages(&s.Summary, "summary", list) }

// TellRules adds what a tree's rules say of boards, one sentence each, in the order of the list.
func (s *Shown) TellRules(list []regress.Rule) {
	said := make([]message.Message, len(list))
	for i, r := range list {
		said[i] = ruleMessage(r)
	}
	s.addMessages(&s.Rules, "rules", said)
}

// addMessages adds messages to a field, whose name in JSON is given too, as English text, and to Said under that name.
func (s *Shown) addMessages(field *[]string, name string, list []message.Message) {
	for _, m := range list {
		*field = append(*field, words.Say(m))
	}
	if s.Said == nil {
		s.Said = message.Said{}
	}
	s.Said[name] = append(s.Said[name], list...)
}

// Weight is a feature's weight, beside the one that least squares gives over
// all examples where they were collected.
type Weight struct {
	Feature string   `json:"feature" doc:"what is weighed"`
	Weight  float64  `json:"weight" doc:"its weight"`
	Fitted  *float64 `json:"least_squares,omitempty" doc:"its weight by least squares over all examples, where they were kept"`
}

// Box is a matchbox: a position, one of its class, and its beads.
type Box struct {
	Position string  `json:"position"`
	Turn     string  `json:"turn" enum:"first,second,chance" doc:"whose move it is"`
	Stage    int     `json:"stage" doc:"the mover's how many-th move it is for, from 1"`
	Beads    []Beads `json:"beads" doc:"the beads of each move"`
}

// Beads are the beads of one colour, which stands for a move. A move is drawn as often as its beads are among all
// that lie in the box, so more beads make it more likely.
type Beads struct {
	Move  string `json:"move"`
	Beads int    `json:"beads" doc:"how many"`
}

// Valued is a position, or a move in it, and what it is thought to be worth to a seat. The scale is the learner's
// own, as what it counts a win for differs.
type Valued struct {
	Position string  `json:"position"`
	Move     string  `json:"move,omitempty"`
	Seat     string  `json:"seat" doc:"to whom"`
	Worth    float64 `json:"worth" doc:"what it is thought to be worth"`
}

// number is a number as four decimals show it: what is rounded to zero has no sign, as adding 0 turns −0 into 0.
func number(x float64) float64 { return math.Round(x*1e4)/1e4 + 0 }

// String draws it as text: the summary, then a line for each weight, rule, box and valued position. Steps are left
// out.
func (s Shown) String() string {
	var b strings.Builder
	for _, line := range s.Summary {
		fmt.Fprintln(&b, line)
	}
	for _, w := range s.Weights {
		fmt.Fprintf(&b, "%12.4f  %s", number(w.Weight), w.Feature)
		if w.Fitted != nil {
			fmt.Fprintf(&b, "  (least squares %.4f)", number(*w.Fitted))
		}
		fmt.Fprintln(&b)
	}
	for _, r := range s.Rules {
		fmt.Fprintln(&b, r)
	}
	for _, x := range s.Boxes {
		fmt.Fprintf(&b, "%s ", x.Position)
		for _, c := range x.Beads {
			fmt.Fprintf(&b, " %s=%d", c.Move, c.Beads)
		}
		fmt.Fprintln(&b)
	}
	for _, v := range s.Positions {
		fmt.Fprintf(&b, "%12.4f  to %-6s  %s %s\n", number(v.Worth), v.Seat, v.Position, v.Move)
	}
	return b.String()
}

// Step is a move of a game and the box that it was drawn from, by its place in the list of boxes, from 0; null
// where it came from none.
type Step struct {
	Position string `json:"position"`
	Turn     string `json:"turn" enum:"first,second,chance" doc:"whose move it is"`
	Move     string `json:"move"`
	Learner  bool   `json:"learner" doc:"whether the learner made it"`
	Box      *int   `json:"box,omitempty" doc:"the number of the matchbox that was opened"`
}
