package oxo

import (
	"strings"
	"unicode"
)

// IsPrintable reports whether a name, of a game or of a player, consists of characters that can be seen, and of blanks.
func IsPrintable(name string) bool {
	return !strings.ContainsFunc(name, func(c rune) bool {
		return !unicode.IsPrint(c) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, c) || c == emptyBraille
	})
}

// emptyBraille is the Braille pattern without dots, which Unicode has among the symbols.
const emptyBraille = '\u2800'
