package oxo

import "context"

// Player chooses moves. A player may remember things from move to move, so
// each game is played by players of its own; a player is used by one goroutine
// at a time.
type Player[P Position[P]] interface {
	// Choose returns a legal move in p, where it is the player's turn. It
	// returns early, with the best move found, when ctx is done.
	Choose(ctx context.Context, p P) (Choice, error)
}

// Choice is a move and what its chooser can say about it.
type Choice struct {
	Move  Move
	Score float64 // worth to the chooser, 1 a sure win and -1 a sure loss, where Scored
	Depth int     // plies looked ahead, 0 if the player does not search
	Nodes uint64  // positions visited, 0 if the player does not search
	// Scored says that Score holds an estimate, Exact that it is the truth.
	Scored, Exact bool
	// Resign says that the player gives the game up instead of moving.
	Resign bool
}

// Starter is an optional ability of a player: before anybody moves it is told where a
// game begins and which seat it has, and refuses a game that it can't play.
type Starter[P Position[P]] interface {
	Start(ctx context.Context, p P, seat Seat) error
}

// Policy is an optional ability of a player: its choice is drawn from a
// distribution that depends on the position alone, which can then be examined
// exactly.
type Policy[P Position[P]] interface {
	// Policy sets w[i] to the probability of moves[i], the legal moves of p;
	// the probabilities sum to 1. len(w) == len(moves).
	Policy(p P, moves []Move, w []float64)
}
