package game

import "strings"

// RowsOfThree are the rows of a board of nine squares.
var RowsOfThree = [8][3]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}}

// BoardOwners says who owns each of nine boards: by the position's fourth word where it
// has one, else by its rows of three.
// It is nine letters, x, o or a dot, one for each board.
func (i *Info) BoardOwners(position string) string {
	words := strings.Fields(position)
	if len(words) > 3 && len(words[3]) == 9 && strings.Trim(words[3], "xo.") == "" {
		return words[3]
	}
	var boards [9][9]byte
	word, _, _ := strings.Cut(position, " ")
	marks := strings.ReplaceAll(word, "/", "")
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
