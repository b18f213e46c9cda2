package service

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"oxo/lab"
)

// AcceptedPlayers names those that the server plays itself.
func AcceptedPlayers() []string {
	var names []string
	for _, k := range new(lab.Lab).PlayerKinds() {
		if !k.Local {
			names = append(names, k.Name)
		}
	}
	return names
}

// ErrNoFiles is the error of a player or evaluation that names a file.
var ErrNoFiles = errors.New("files can't be opened here")

// VetPlayer refuses players that would reach outside or take more than their share.
func VetPlayer(player string) error {
	name, args, _ := strings.Cut(player, ":")
	l := new(lab.Lab)
	if l.PlayerKind(player).Local {
		return fmt.Errorf("%s players can't be asked for here; there are %s", name,
			strings.Join(AcceptedPlayers(), ", "))
	}
	if f := l.PlayerFile(player); f.Option != "" && f.Path != "" && !f.Brain {
		return fmt.Errorf("option %s: %w", f.Option, ErrNoFiles)
	}
	for word := range strings.SplitSeq(args, ",") {
		if key, _, _ := strings.Cut(word, "="); key == "workers" {
			return errors.New("option workers: a player has one here")
		}
	}
	return nil
}

// solveForPlayer works out what a player needs that knows the game solved, until ctx is done: of the whole game, or
// where that is too large of what follows the position.
func (s *Base) solveForPlayer(ctx context.Context, g *Opened, player, position string) error {
	solved, err := g.Judging().PreparePlayer(ctx, player, position)
	if solved {
		g.Solved.Store(true)
	}
	return err
}

// PlySeed makes a seed of its own for each ply of a game.
func PlySeed(seed uint64, ply int) uint64 { return seed + uint64(ply+1)*0x9E3779B97F4A7C15 }

// PlayNextMove has a player, or chance, move in a position. It returns the session after the
// move, which is empty where the player resigns.
func (s *Base) PlayNextMove(ctx context.Context, g *Opened, player string, at lab.State,
	seed uint64) (t lab.Session, move string, err error) {
	o := lab.SessionOptions{Position: at.Position, First: "human", Second: "human", Seed: seed}
	switch at.Turn {
	case "first":
		o.First = player
	case "second":
		o.Second = player
	}
	if err := s.solveForPlayer(ctx, g, player, at.Position); err != nil {
		return nil, "", err
	}
	if t, err = g.NewSession(o); err != nil {
		return nil, "", err
	}
	ctx, cancel := context.WithTimeout(ctx, s.Longest)
	defer cancel()
	move, err = t.Step(ctx)
	return t, move, err
}
