package engine

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"oxo"
)

// gomocupPlayer is a brain that speaks Gomocup's protocol.
// A board is a text of a sign for each square, rows from the top: . for a free one, x and o.
type gomocupPlayer[P oxo.Position[P]] struct {
	client[P]
	grid  grid
	known string // the squares as the brain has them; empty before its first move
	turn  int64  // its last timeout_turn
}

// greetGomocup begins the first game with a brain, on a board of the game's size.
// The game must be on a grid.
func greetGomocup[P oxo.Position[P]](ctx context.Context, c client[P]) (Program[P], error) {
	g, err := gridOf(c.game)
	if err != nil {
		return nil, err
	}
	start := fmt.Sprintf("START %d", g.cols)
	if g.cols != g.rows {
		start = fmt.Sprintf("RECTSTART %d,%d", g.cols, g.rows)
	}
	return beginGomocup(ctx, c, start)
}

// beginGomocup begins a game with a brain by that command, and tells it memory and rule.
// That the brain refuses its size is a fault.
// Memory is in bytes, 0 for no limit; game type 1 is a game against another brain.
func beginGomocup[P oxo.Position[P]](ctx context.Context, c client[P], start string) (Program[P], error) {
	g, err := gridOf(c.game)
	if err != nil {
		return nil, err
	}
	if err := c.conn.Send(ctx, start); err != nil {
		return nil, err
	}
	_, err = awaitAnswer(ctx, c.conn, func(line string) (struct{}, bool, error) {
		switch word, rest, _ := strings.Cut(line, " "); strings.ToUpper(word) {
		case "OK":
			return struct{}{}, true, nil
		case "ERROR", "UNKNOWN":
			return struct{}{}, true, illegalMove("it answers %s with %s %.60q", start, word, rest)
		}
		return struct{}{}, false, nil
	})
	if err != nil {
		return nil, fmt.Errorf("waiting for OK: %w", err)
	}
	c.protocol, c.farewell, c.fit = "gomocup", "END", true
	return &gomocupPlayer[P]{client: c, grid: g}, c.conn.Send(ctx,
		fmt.Sprintf("INFO max_memory %d", c.options.Limit.Memory), "INFO game_type 1",
		fmt.Sprintf("INFO rule %d", c.options.Rule))
}

// Choose sends what happened and waits for coordinates.
// After the move known is the board with it.
func (b *gomocupPlayer[P]) Choose(ctx context.Context, p P) (oxo.Choice, error) {
	ctx, cancel := b.moveContext(ctx)
	defer cancel()
	_, cells, err := readGrid(b.game.Format(p))
	if err != nil {
		return oxo.Choice{}, err
	}
	if err := b.conn.Send(ctx, append(b.limitLines(), b.boardChangeLines(p, cells)...)...); err != nil {
		return oxo.Choice{}, err
	}
	m, err := awaitAnswer(ctx, b.conn, func(line string) (oxo.Move, bool, error) { return b.parseReply(ctx, p, line) })
	if err != nil {
		return oxo.Choice{}, err
	}
	if _, b.known, err = readGrid(b.game.Format(p.Play(m))); err != nil {
		return oxo.Choice{}, err
	}
	b.fit = true
	return oxo.Choice{Move: m}, nil
}

// limitLines tells the clocks: the match's before the first move, the move's where
// it has changed, and what is left.
// Times are in milliseconds; what is left is noLimit where there is no clock.
func (b *gomocupPlayer[P]) limitLines() []string {
	var lines []string
	if turn := b.maxMoveTime().Milliseconds(); b.known == "" || turn != b.turn {
		lines = append(lines, fmt.Sprintf("INFO timeout_turn %d", turn))
		b.turn = turn
	}
	if b.known == "" {
		lines = append(lines, fmt.Sprintf("INFO timeout_match %d", b.own.Milliseconds()))
	}
	left := int64(noLimit)
	if b.own > 0 {
		left = b.own.Milliseconds()
	}
	return append(lines, fmt.Sprintf("INFO time_left %d", left))
}

// boardChangeLines writes how the board became what it is: BEGIN on an empty one, TURN
// after one move of the opponent, else BOARD with all marks, in turns.
// After a game in which the brain was told of moves, RESTART comes before BEGIN or BOARD.
func (b *gomocupPlayer[P]) boardChangeLines(p P, cells string) []string {
	own, other := byte('x'), byte('o')
	if p.Turn() == oxo.Second {
		own, other = other, own
	}
	b.known = cmp.Or(b.known, strings.Repeat(".", len(cells)))
	begun := strings.Trim(b.known, ".") != ""
	if strings.Trim(cells, ".") == "" {
		if begun {
			return []string{"RESTART", "BEGIN"}
		}
		return []string{"BEGIN"}
	}
	// changed is the one square that is new, by a mark of the opponent; any other change needs the whole board.
	changed := -1
	for i := range cells {
		if cells[i] == b.known[i] {
			continue
		}
		if changed >= 0 || b.known[i] != '.' || cells[i] != other {
			return b.wholeBoardLines(cells, own, begun)
		}
		changed = i
	}
	if changed < 0 {
		return b.wholeBoardLines(cells, own, begun)
	}
	return []string{"TURN " + b.coordinates(changed)}
}

// coordinates writes the square i as column,row, from 0 at the top left.
func (b *gomocupPlayer[P]) coordinates(i int) string {
	return fmt.Sprintf("%d,%d", i%b.grid.cols, i/b.grid.cols)
}

// wholeBoardLines returns the lines that tell the whole board, after RESTART where a game has begun.
func (b *gomocupPlayer[P]) wholeBoardLines(cells string, own byte, begun bool) []string {
	var lines []string
	if begun {
		lines = append(lines, "RESTART")
	}
	lines = append(lines, "BOARD")
	var marks [2][]string // of x and of o
	for i := range cells {
		if cells[i] == '.' {
			continue
		}
		whose := 2
		if cells[i] == own {
			whose = 1
		}
		side := 0
		if cells[i] == 'o' {
			side = 1
		}
		marks[side] = append(marks[side], fmt.Sprintf("%s,%d", b.coordinates(i), whose))
	}
	// X and O take turns in the list, as a brain may take it for the course of the game.
	for i, x := range marks[0] {
		lines = append(lines, x)
		if i < len(marks[1]) {
			lines = append(lines, marks[1][i])
		}
	}
	return append(lines, "DONE")
}

// parseReply reads a line of the brain. A suggestion is accepted.
// The second result is whether it was the answer; other lines are passed over. A suggestion is taken by telling the
// brain to play it.
func (b *gomocupPlayer[P]) parseReply(ctx context.Context, p P, line string) (move oxo.Move, isAnswer bool,
	err error) {
	word, rest, _ := strings.Cut(line, " ")
	switch strings.ToUpper(word) {
	case "MESSAGE", "DEBUG", "OK":
		return oxo.NoMove, false, nil
	case "ERROR", "UNKNOWN":
		return oxo.NoMove, true, illegalMove("it answers %s %.60q", word, rest)
	case "SUGGEST":
		if _, _, err := parsePair(rest, ","); err != nil {
			return oxo.NoMove, true, illegalMove("it suggests %v", err)
		}
		return oxo.NoMove, false, b.conn.Send(ctx, "PLAY "+rest)
	}
	col, row, err := parsePair(line, ",")
	if err != nil {
		return oxo.NoMove, true, illegalMove("it answers %v", err)
	}
	if !b.grid.contains(col, row) {
		return oxo.NoMove, true, illegalMove("it answers %d,%d, which is off the board", col, row)
	}
	m, err := b.parseMove(p, b.grid.squareName(col, row))
	return m, true, err
}
