package game

import (
	"errors"
	"fmt"

	"oxo/board"
	"oxo/learn/model"
	"oxo/learn/space"
	"oxo/message"
	"oxo/search"
	"oxo/solve"
)

// The errors of players for winning sets: where those are nothing to want, where marks are shared, where only one side
// wants them, where a board has more squares
// than theirs, and where there are none.
var (
	ErrUnwanted  = errors.New("it plays for winning sets, which are nothing to want in")
	ErrShared    = errors.New("it plays for winning sets of its own marks, and either mark may be placed in")
	ErrOneSided  = errors.New("it plays for winning sets for both sides, and only one side wants them in")
	ErrLarge     = fmt.Errorf("are of boards of at most %d squares", board.MaxSquares)
	ErrNoSquares = errors.New("are of games with squares and winning sets")
)

// refusals are the errors by which players and learners turn games down, with what is said of each.
var refusals = []struct {
	is           error
	key, english string
}{
	{solve.ErrTooLarge, "declined.large", "it needs the solution, and the game has too many positions to solve"},
	{solve.ErrEndless, "declined.endless", "play can go in circles, so games can't be counted"},
	{solve.ErrCircles, "declined.circles",
		"it goes by what positions are worth, and that is not worked out where circles meet chance or payoffs"},
	{space.ErrNoValues, "declined.circles", ""},
	{search.ErrChance, "declined.chance", "it does not know chance, of which this game has some"},
	{space.ErrChance, "declined.chance", ""},
	{ErrUnwanted, "declined.unwanted", "it plays for winning sets, which are nothing to want here"},
	{ErrShared, "declined.shared", "it plays for winning sets of its own marks, and here either mark may be placed"},
	{ErrOneSided, "declined.onesided", "it plays for winning sets for both sides, and here only one side wants them"},
	{ErrLarge, "declined.board", "it needs a board with winning sets, of at most 256 squares"},
	{ErrNoSquares, "declined.board", ""},
	{space.ErrNoFeatures, "declined.features", "it goes by features, which need marks of one's own"},
	{space.ErrTooMany, "declined.many", "it keeps something of every position, and this game has too many"},
	{model.ErrNoSquares, "declined.squares", "it looks at squares, which positions here have not"},
}

// RefusalWords returns what is said of refusals in English, by key.
func RefusalWords() message.Table {
	words := message.Table{}
	for _, r := range refusals {
		if r.english != "" {
			words[r.key] = r.english
		}
	}
	return words
}

// RefusalMessage returns the message of an error by which a game is turned down, under the field of the
// error; nil where it has none. The error itself is English and names the game; the message can be
// said in other languages.
func RefusalMessage(err error) message.Said {
	for _, r := range refusals {
		if errors.Is(err, r.is) {
			return message.Keyed("refused", r.key)
		}
	}
	return nil
}
