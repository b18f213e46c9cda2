package game

import "strings"

// RowsOfThree are the rows of a board of nine squares.
var RowsOfThree = [8][3]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}}

// Signs are the signs on the squares in a position, in their order: x, o or a dot. Slashes only divide its rows.
func (i *Info) Signs(position string) string {
	word, _, _ := strings.Cut(position, " ")
	return strings.ReplaceAll(word, "/", "")
}

// ActiveBoard is which of nine boards the next move of a position is in, from 0; −1 for any. The text counts from 1.
func (i *Info) ActiveBoard(position string) int {
	if words := strings.Fields(position); len(words) > 2 && len(words[2]) == 1 && "1" <= words[2] && words[2] <= "9" {
		return int(words[2][0] - '1')
	}
	return -1
}

// BoardOwners says who owns each of nine boards: by the position's fourth word where it
// has one, else by its rows of three.
// It is nine letters, x, o or a dot, one for each board.
func (i *Info) BoardOwners(position string) string {
	words := strings.Fields(position)
	if len(words) > 3 && len(words[3]) == 9 && strings.Trim(words[3], "xo.") == "" {
		return words[3]
	}
	var boards [9][9]byte
	marks := i.Signs(position)
	for k, s := range i.Squares[:min(len(i.Squares), len(marks))] {
		boards[s.Row/3*3+s.Col/3][s.Row%3*3+s.Col%3] = marks[k]
	}
	own := []byte(".........")
	for k, board := range boards {
		for _, row := range RowsOfThree {
			if m := board[row[0]]; (m == 'x' || m == 'o') && board[row[1]] == m && board[row[2]] == m {
				own[k] = m
			}
		}
	}
	return string(own)
}
