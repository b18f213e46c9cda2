package oxo

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsPrintable reports whether a name, of a game or of a player, consists of characters that can be seen, and of blanks.
func IsPrintable(name string) bool { return !strings.ContainsFunc(name, isUnseen) }

// isUnseen reports whether a character is neither seen nor the blank of ASCII.
func isUnseen(c rune) bool {
	return !unicode.IsPrint(c) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, c) || c == emptyBraille
}

// maxSeatName is how many characters the name of who plays has at most.
const maxSeatName = 40

// ShortenName returns a name from elsewhere as one of a seat: without what is not seen, and with an ellipsis for what
// is beyond maxSeatName.
func ShortenName(name string) string {
	list := []rune(strings.TrimSpace(strings.Map(func(c rune) rune {
		switch {
		case unicode.IsSpace(c):
			return ' '
		case isUnseen(c):
			return -1
		}
		return c
	}, name)))
	if len(list) > maxSeatName {
		return string(list[:maxSeatName-1]) + "…"
	}
	return string(list)
}

// emptyBraille is the Braille pattern without dots, which Unicode has among the symbols.
const emptyBraille = '\u2800'

// maxText is how many characters a name, or another text in a game's file, has at most.
const maxText = 100

// CheckLength refuses a text that is longer than maxText, without repeating it; field says what it is.
func CheckLength(field, text string) error {
	if n := utf8.RuneCountInString(text); n > maxText {
		return fmt.Errorf("field %q has %d characters: want %d at most", field, n, maxText)
	}
	return nil
}
