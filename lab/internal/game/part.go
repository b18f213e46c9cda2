package game

import (
	"fmt"

	"oxo"
	"oxo/games/kind"
	"oxo/learn/model"
)

// Part is what a program adds to oxo: a kind of games, an [AnyPlayer] or a [Learner].
type Part interface{ addTo(l *Lab) }

// AnyPlayer is a way to name a player of all games, or of those that its Open takes. Its positions are [oxo.Any], and
// the game that it is opened for is as [oxo.AnyGame] has it. A player that is an [oxo.Policy] is examined exactly.
type AnyPlayer kind.PlayerKind[oxo.Any]

// Learner is a kind of learner, by which specs of learners name it.
type Learner model.Kind

func (k Kind) addTo(l *Lab)      { l.Kinds = append(l.Kinds, k) }
func (p AnyPlayer) addTo(l *Lab) { l.Players = append(l.Players, kind.PlayerKind[oxo.Any](p)) }
func (k Learner) addTo(l *Lab)   { l.Learners = append(l.Learners, model.Kind(k)) }

// Add adds parts to the lab.
func (l *Lab) Add(parts ...Part) error {
	for i, p := range parts {
		if p == nil {
			return fmt.Errorf("what is added as number %d is nil", i+1)
		}
		p.addTo(l)
	}
	return nil
}
