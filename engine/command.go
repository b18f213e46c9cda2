package engine

import (
	"errors"
	"fmt"
	"strings"
)

// SplitCommand splits a command into words at blanks. Quotes, single or
// double, keep blanks; a backslash outside single quotes takes the next
// character as it is.
// There is at least one word. No shell is asked, so that nothing else in a command has a meaning.
func SplitCommand(command string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord, quote, escaped := false, rune(0), false
	for _, c := range command {
		switch {
		case escaped:
			word.WriteRune(c)
			escaped = false
		case c == '\\' && quote != '\'':
			inWord, escaped = true, true
		case quote != 0:
			if c == quote {
				quote = 0
			} else {
				word.WriteRune(c)
			}
		case c == '\'' || c == '"':
			inWord, quote = true, c
		case c == ' ' || c == '\t' || c == '\n':
			if inWord {
				words = append(words, word.String())
				word.Reset()
			}
			inWord = false
		default:
			inWord = true
			word.WriteRune(c)
		}
	}
	switch {
	case quote != 0:
		return nil, fmt.Errorf("command %q: the closing %c is missing", command, quote)
	case escaped:
		return nil, fmt.Errorf("command %q: nothing follows the last backslash", command)
	}
	if inWord {
		words = append(words, word.String())
	}
	if len(words) == 0 {
		return nil, errors.New("the command is empty")
	}
	return words, nil
}
