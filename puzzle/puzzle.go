// Package puzzle finds positions in which exactly one move is right, says what shows
// that, checks it by a second search, and rates puzzles and those who solve them.
//
// A [Miner] looks for puzzles of a game in games that players play against one another.
// What it says of a move is certain: it asks a judge of exact sources only. The
// collection that the program carries is [Carried]; [Rating] is a solver's.
package puzzle

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
)

// Puzzle is a position with exactly one right move.
type Puzzle struct {
	ID       string `json:"id" doc:"the puzzle's name, the same wherever it is found"`
	Game     string `json:"game"`
	Position string `json:"position"`
	Theme    Theme  `json:"theme" doc:"what is asked for: win, fork, only, block, save or avoid"`
	Answer   string `json:"answer" doc:"the only right move"`
	Plies    int    `json:"plies" doc:"to the end of a win, the answer counted; 0 where there is none or it is not known"`
	Rating   int    `json:"rating" doc:"how hard it is"`
	Unique   Claim  `json:"unique" doc:"in what way every other move is worse: wins, draws, fastest or survives"`
	Shown    string `json:"shown" doc:"what shows that: end, reply, solution, falling or near; a second search has agreed"`
}

// Theme is what a puzzle asks for.
type Theme string

// The themes.
const (
	Win   Theme = "win"   // win, in a number of moves
	Fork  Theme = "fork"  // make two threats at once
	Only  Theme = "only"  // the only move that keeps a far win
	Block Theme = "block" // stop what the other side would win with at once
	Save  Theme = "save"  // the only move that keeps a draw
	Avoid Theme = "avoid" // the only move that keeps the worth where some lose by ending the game
)

// Themes lists the themes.
func Themes() []Theme { return []Theme{Win, Fork, Only, Block, Save, Avoid} }

// ThemeOf reads a theme; empty text is none.
func ThemeOf(text string) (Theme, error) {
	if t := Theme(text); text == "" || slices.Contains(Themes(), t) {
		return t, nil
	}
	return "", fmt.Errorf("theme %q: there is none; the themes are %v", text, Themes())
}

// Claim is in what way every other move is certainly worse than the answer.
type Claim string

// The claims.
const (
	Wins     Claim = "wins"     // the answer wins, no other move does
	Draws    Claim = "draws"    // the answer draws, every other move loses
	Fastest  Claim = "fastest"  // the answer wins in so many plies, every other move later or not at all
	Survives Claim = "survives" // every other move loses at once, the answer does not
)

// idBytes is how many bytes of the digest an identity has.
const idBytes = 6

// Identity names the puzzle of a position; it is the same wherever it is found.
func Identity(game, position string) string {
	sum := sha256.Sum256([]byte(game + "\n" + position))
	return hex.EncodeToString(sum[:idBytes])
}

// Moves is how many moves of its own side a win takes, the answer counted.
func (z *Puzzle) Moves() int { return (z.Plies + 1) / 2 }

// howSoon says in how many moves a win is to be had, or in how many plies where the other
// side makes the last one.
func (z *Puzzle) howSoon() string {
	switch {
	case z.Plies == 1:
		return "at once"
	case z.Plies%2 == 0:
		return fmt.Sprintf("in %d plies", z.Plies)
	}
	return fmt.Sprintf("in %d moves", z.Moves())
}

// Goal says what is to be found; side is to move.
func (z *Puzzle) Goal(side string) string {
	switch z.Theme {
	case Win:
		return fmt.Sprintf("%s to move: win %s.", side, z.howSoon())
	case Fork:
		return side + " to move: make two threats at once."
	case Only:
		return side + " to move: one move wins in the end."
	case Block:
		return side + " to move: block or lose."
	case Save:
		return side + " to move: save the draw."
	case Avoid:
		return side + " to move: do not complete it, and do not lose."
	}
	return side + " to move."
}

// Others says in what way every other move is worse.
func (z *Puzzle) Others() string {
	switch {
	case z.Unique == Survives:
		return "Every other move loses at once."
	case z.Unique == Draws:
		return "Every other move loses."
	case z.Unique == Fastest:
		return fmt.Sprintf("No other move wins %s.", z.howSoon())
	}
	return "No other move wins."
}

// Hint says in words what to look for.
func (z *Puzzle) Hint(side, other string) string {
	switch z.Theme {
	case Win:
		if z.Plies == 1 {
			return side + " can end the game with this move."
		}
		return fmt.Sprintf("Look at moves that %s must answer: the win takes %d plies.", other, z.Plies)
	case Fork:
		return fmt.Sprintf("After the right move %s could stop one threat, but %s has a second one.", other, side)
	case Only:
		return fmt.Sprintf("Ask of each move what %s could do against it; one leaves nothing.", other)
	case Block:
		return fmt.Sprintf("See what %s would win with if it were to move now.", other)
	case Save:
		return fmt.Sprintf("All moves but one let %s win. Find what %s wants to do.", other, other)
	case Avoid:
		return fmt.Sprintf("Leave out the moves that end the game against %s; of the others one does not lose.", side)
	}
	return ""
}
