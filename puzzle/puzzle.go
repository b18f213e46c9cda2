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
	"strings"
)

// Puzzle is a position with exactly one right move, or of a mistake with several: all that keep what it is worth. Its
// text is in the game's own terms; what is asked in words follows from Theme, Plies and Unique.
type Puzzle struct {
	ID       string     `json:"id" doc:"the puzzle's name, the same wherever it is found"`
	Game     string     `json:"game"`
	Position string     `json:"position"`
	Theme    Theme      `json:"theme" doc:"what is asked for: win, fork, only, block, save or avoid"`
	Answer   string     `json:"answer" doc:"the only right move, or one of several"`
	Also     []string   `json:"also,omitempty" doc:"of a mistake: the other right moves"`
	Plies    int        `json:"plies" doc:"to the end of a win, the answer counted; 0 where there is none or it is not known"`
	Rating   int        `json:"rating" doc:"how hard it is"`
	Unique   Uniqueness `json:"unique" doc:"in what way every other move is worse: wins, draws, fastest or survives"`
	Shown    string     `json:"shown" doc:"what shows that: end, reply, solution, falling or near; a second search has agreed"`
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

// ParseTheme reads a theme; empty text is none.
// Any other text is an error that lists the themes.
func ParseTheme(text string) (Theme, error) {
	if t := Theme(text); text == "" || slices.Contains(Themes(), t) {
		return t, nil
	}
	return "", fmt.Errorf("theme %q: there is none; the themes are %s", text, strings.Trim(fmt.Sprint(Themes()), "[]"))
}

// Uniqueness is in what way every other move is certainly worse than the answer.
type Uniqueness string

// The claims.
const (
	Wins     Uniqueness = "wins"     // the answer wins, no other move does
	Draws    Uniqueness = "draws"    // the answer draws, every other move loses
	Fastest  Uniqueness = "fastest"  // the answer wins in so many plies, every other move later or not at all
	Survives Uniqueness = "survives" // every other move loses at once, the answer does not
	Several  Uniqueness = ""         // nothing: other moves may do as well, where a puzzle goes on
)

// idBytes is how many bytes of the digest an identity has.
const idBytes = 6

// identity names the puzzle of a position; it is the same wherever it is found. It is 12 hexadecimal
// digits of the SHA-256 of game and position.
func identity(game, position string) string {
	sum := sha256.Sum256([]byte(game + "\n" + position))
	return hex.EncodeToString(sum[:idBytes])
}

// IsRight reports whether a move is the answer, or right too.
func (z *Puzzle) IsRight(move string) bool { return move == z.Answer || slices.Contains(z.Also, move) }

// IsAkin reports whether two puzzles look like positions of one played game: where both have a mark on a square it is
// the same, and one has all marks of the other, or all but a few.
func (z *Puzzle) IsAkin(to *Puzzle) bool {
	const few = 6
	a, _, _ := strings.Cut(z.Position, " ")
	b, _, _ := strings.Cut(to.Position, " ")
	if z.Game != to.Game || len(a) != len(b) {
		return false
	}
	var common, onlyA, onlyB int
	for i := range len(a) {
		switch {
		case a[i] == '/' || a[i] == '.' && b[i] == '.':
		case b[i] == '.':
			onlyA++
		case a[i] == '.':
			onlyB++
		case a[i] != b[i]:
			return false
		default:
			common++
		}
	}
	return onlyA == 0 || onlyB == 0 || onlyA+onlyB <= min(few, common/2)
}

// Apart returns the puzzles in such an order that those come first that are akin to none before them, else in the
// order that they have.
// Only as many as are asked for are compared.
func Apart(list []Puzzle, count int) []Puzzle {
	var first, rest []Puzzle
	for i := range list {
		if len(first) >= count {
			return append(append(first, rest...), list[i:]...)
		}
		if slices.ContainsFunc(first, func(z Puzzle) bool { return z.IsAkin(&list[i]) }) {
			rest = append(rest, list[i])
		} else {
			first = append(first, list[i])
		}
	}
	return append(first, rest...)
}

// Moves is how many moves of its own side a win takes, the answer counted.
// It is 0 where Plies is.
func (z *Puzzle) Moves() int { return (z.Plies + 1) / 2 }
