package oxo

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsPrintable reports whether a name, of a game or of a player, consists of characters that can be seen, and of blanks.
func IsPrintable(name string) bool {
	return !strings.ContainsFunc(name, func(c rune) bool {
		return !unicode.IsPrint(c) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, c) || c == emptyBraille
	})
}

// emptyBraille is the Braille pattern without dots, which Unicode has among the symbols.
const emptyBraille = '\u2800'

// MaxText is how many characters a name, or another text in a game's file, has at most.
const MaxText = 100

// CheckLength refuses a text that is longer than MaxText, without repeating it; field says what it is.
func CheckLength(field, text string) error {
	if n := utf8.RuneCountInString(text); n > MaxText {
		return fmt.Errorf("field %q has %d characters: want %d at most", field, n, MaxText)
	}
	return nil
}
