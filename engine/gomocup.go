package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"oxo"
	"oxo/machine"
)

// Gomocup says what ServeGomocup plays.
type Gomocup struct {
	// Open opens the game on a board of that size, where five in a row win, or
	// exactly five where exact. An error is told to the manager.
	Open func(cols, rows int, exact bool) (Engine, error)

	About About
}

// margin is taken off every time limit, for the way to the manager and back. At most a fifth
// of a limit is taken off.
// Managers measure until the answer has come, and a brain that is late loses the game.
const margin = 30 * time.Millisecond

// maxWaiting is how many lines are read ahead while a move is thought about.
// A manager that sends more meanwhile has its pipe filled up, and waits.
const maxWaiting = 1 << 8

// maxSide bounds the boards that are asked for.
// It is only against numbers without meaning: Open says which boards there are.
const maxSide = 1000

// noLimit is how the manager writes that there is no limit on the match.
const noLimit = math.MaxInt32

// ServeGomocup plays for a manager that speaks Gomocup's protocol (P.
// Laštovička, "Gomoku AI protocol"): START, RECTSTART, RESTART, BEGIN, TURN,
// BOARD … DONE, TAKEBACK, PLAY, SUGGEST, INFO, ABOUT and END. It returns at
// END or at the end of the input, after the last answer. Anything else is
// answered with UNKNOWN or ERROR and changes nothing.
func ServeGomocup(ctx context.Context, r io.Reader, w io.Writer, o Gomocup) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &gomocupServer{Gomocup: o, out: &output{w: w}, turn: 30 * time.Second}
	defer func() {
		if s.game != nil {
			s.game.Reset()
		}
	}()
	lines := readLines(ctx, r)
	var waiting []string        // what came while it was thinking
	var enough <-chan time.Time // when it is to answer, where the input has ended
	for s.out.firstError() == nil {
		// Lines are carried out in their order, and only while nothing is thought about.
		if s.busy == nil && len(waiting) > 0 {
			line := waiting[0]
			waiting = waiting[1:]
			if end := s.handleLine(ctx, line); end {
				return s.out.firstError()
			}
			continue
		}
		if lines == nil && s.busy == nil {
			return s.out.firstError()
		}
		// Nothing more is read where too much waits.
		in := lines
		if len(waiting) > maxWaiting {
			in = nil
		}
		select {
		case line, ok := <-in:
			switch {
			// The input has ended; the last answer is still given.
			case !ok:
				lines, s.alone = nil, true
				enough = time.After(timeAfterInputEnds(s.limit))
			case s.busy != nil && len(waiting) == 0 && strings.EqualFold(strings.TrimSpace(line), "END"):
				s.busy.stop()
				return s.out.firstError()
			default:
				waiting = append(waiting, line)
			}
		case <-enough:
			s.busy.stop()
		case <-s.busy.finished():
			s.busy, enough = nil, nil
			s.applyAnswer()
		case <-ctx.Done():
			s.busy.stop()
			return ctx.Err()
		}
	}
	s.busy.stop()
	return s.out.firstError()
}

// gomocupServer is our side of Gomocup's protocol: what the manager has said so far.
// cells are the marks of the board by rows from the top, mine, theirs or empty each. answer is written by the
// goroutine that thinks, and read when busy.done is closed.
type gomocupServer struct {
	Gomocup
	out   *output
	game  Engine // nil before START
	grid  grid
	exact bool  // the rule of the game
	rule  int64 // the rule that the manager named
	cells []byte
	board []string // the lines since BOARD, while it lasts
	lists bool     // whether BOARD … DONE is being read

	turn, match, left time.Duration // limits; match and left are 0 for none
	leftKnown         bool
	memory            int64

	busy   *thinking
	limit  time.Duration // of what is thought about
	answer string        // the square that was thought of
	alone  bool          // the input has ended
}

// The marks of a board: ours, the opponent's and nobody's.
const (
	mine   = 'm'
	theirs = 't'
	empty  = '.'
)

// handleLine carries out a line, or tells why it is not, and reports whether it was END.
// Between BOARD and DONE every line is one of the board; what is too long for one is cut.
func (s *gomocupServer) handleLine(ctx context.Context, line string) (end bool) {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	word, rest = strings.ToUpper(word), strings.TrimSpace(rest)
	var err error
	switch {
	case word == "END":
		return true
	case !s.lists:
		err = s.handleCommand(ctx, word, rest)
	case word == "DONE":
		s.lists = false
		err = s.setBoardAndThink(ctx)
	case len(s.board) <= maxSide*maxSide:
		s.board = append(s.board, line[:min(len(line), 80)])
	}
	if err != nil {
		s.out.say("ERROR %v", err)
	}
	return false
}

// handleCommand carries out a command that is no line of a board.
func (s *gomocupServer) handleCommand(ctx context.Context, word, rest string) error {
	switch word {
	case "START":
		n, err := strconv.Atoi(rest)
		if err != nil {
			return fmt.Errorf("START %.40q: the size of the board is needed, as in START 20", rest)
		}
		return s.openGame(n, n)
	case "RECTSTART":
		cols, rows, err := parsePair(rest, ",")
		if err != nil {
			return fmt.Errorf("RECTSTART: %v", err)
		}
		return s.openGame(cols, rows)
	case "INFO":
		s.setInfo(rest)
	case "ABOUT":
		s.out.say(`name="%s", version="%s", author="%s", country="", www=""`, s.About.Name, s.About.Version,
			s.About.Author)
	case "BOARD":
		s.lists, s.board = true, nil
	case "RESTART", "BEGIN", "TURN", "PLAY", "TAKEBACK", "SUGGEST":
		if s.game == nil {
			return fmt.Errorf("%s before START", word)
		}
		return s.handleGameCommand(ctx, word, rest)
	default:
		s.out.say("UNKNOWN command")
	}
	return nil
}

// openGame opens a game of that size, or says why there is none.
// The game before goes on where the new one can't be opened.
// It answers OK once the player is ready.
func (s *gomocupServer) openGame(cols, rows int) error {
	if err := s.checkRule(); err != nil {
		return err
	}
	exact := s.rule&1 != 0
	if min(cols, rows) < 1 || max(cols, rows) > maxSide {
		return fmt.Errorf("a board of %d×%d is not played here", cols, rows)
	}
	game, err := s.Open(cols, rows, exact)
	if err != nil {
		return err
	}
	if s.game != nil {
		s.game.Reset()
	}
	s.game, s.grid, s.exact = game, grid{cols, rows}, exact
	return s.startNewGame()
}

// clear begins with an empty board.
func (s *gomocupServer) clear() {
	s.cells = []byte(strings.Repeat(string(empty), s.grid.cols*s.grid.rows))
	s.game.Reset()
}

// startNewGame begins another game, and answers when the player is ready for it.
func (s *gomocupServer) startNewGame() error {
	s.clear()
	if err := s.game.Ready(Limit{Memory: s.memory}); err != nil {
		return err
	}
	s.out.say("OK")
	return nil
}

// checkRule refuses rules that are not played here: of those that the manager can
// add up, exactly five in a row, 1, is the only one that is.
// The manager's number is a sum of powers of two; 2 and above are not played here.
func (s *gomocupServer) checkRule() error {
	if s.rule&^1 == 0 {
		return nil
	}
	names := map[int64]string{2: "a match that goes on from the board of the last game", 4: "Renju", 8: "Caro"}
	return fmt.Errorf("rule %d is not played here: %s; there are 0, five or more in a row win, and 1, exactly five",
		s.rule, cmp.Or(names[s.rule&^1], "unknown"))
}

// handleGameCommand carries out a command of a game that has begun.
// PLAY answers the square that it was given, as the protocol wants our moves told.
func (s *gomocupServer) handleGameCommand(ctx context.Context, word, rest string) error {
	switch word {
	case "RESTART":
		return s.startNewGame()
	case "BEGIN", "SUGGEST":
		if word == "BEGIN" && strings.Trim(string(s.cells), string(empty)) != "" {
			return errors.New("BEGIN on a board that is not empty")
		}
		return s.startThinking(ctx, word == "SUGGEST")
	}
	i, err := s.parseSquare(rest)
	if err != nil {
		return fmt.Errorf("%s: %v", word, err)
	}
	taken := s.cells[i] != empty
	switch {
	case word == "TAKEBACK" && !taken:
		return fmt.Errorf("TAKEBACK: %s is empty", rest)
	case word == "TAKEBACK":
		s.cells[i] = empty
		s.out.say("OK")
	case taken:
		return fmt.Errorf("%s: %s is taken", word, rest)
	case word == "PLAY":
		s.cells[i] = mine
		s.out.say("%s", rest)
	default:
		s.cells[i] = theirs
		if err := s.startThinking(ctx, false); err != nil {
			s.cells[i] = empty
			return err
		}
	}
	return nil
}

// parseSquare reads "column,row".
func (s *gomocupServer) parseSquare(text string) (int, error) {
	col, row, err := parsePair(text, ",")
	if err != nil {
		return 0, err
	}
	if !s.grid.contains(col, row) {
		return 0, fmt.Errorf("%d,%d is off the board", col, row)
	}
	return row*s.grid.cols + col, nil
}

// setBoardAndThink takes the lines of BOARD … DONE and thinks.
// With an error the board stays as it was.
func (s *gomocupServer) setBoardAndThink(ctx context.Context) error {
	if s.game == nil {
		return errors.New("BOARD before START")
	}
	before := s.cells
	s.clear()
	// Each line is a square and whose mark is on it.
	for _, line := range s.board {
		at, who, err := splitBoardLine(line)
		var i int
		if err == nil {
			i, err = s.parseSquare(at)
		}
		if err == nil && s.cells[i] != empty {
			err = errors.New("that square is there twice")
		}
		if err != nil {
			s.cells = before
			return fmt.Errorf("BOARD: %.40q: %v", line, err)
		}
		s.cells[i] = who
	}
	err := s.startThinking(ctx, false)
	if err != nil {
		s.cells = before
	}
	return err
}

// splitBoardLine splits "column,row,whose".
// who is mine or theirs; at is not looked at.
func splitBoardLine(line string) (at string, who byte, err error) {
	line = strings.TrimSpace(line)
	i := strings.LastIndexByte(line, ',')
	if i < 0 {
		return "", 0, errors.New("column,row,whose is needed")
	}
	switch strings.TrimSpace(line[i+1:]) {
	case "1":
		return line[:i], mine, nil
	case "2":
		return line[:i], theirs, nil
	}
	return "", 0, errors.New("a square is mine, 1, or the opponent's, 2")
}

// positionText writes the board as the game does. The side that we have is told by
// the numbers of marks, as it is our turn.
func (s *gomocupServer) positionText() (string, error) {
	own, other := strings.Count(string(s.cells), string(mine)), strings.Count(string(s.cells), string(theirs))
	side, opponent := byte('x'), byte('o')
	switch other - own {
	case 0:
	case 1:
		side, opponent = 'o', 'x'
	default:
		return "", fmt.Errorf("with %d marks of mine and %d of the opponent's it is not my turn", own, other)
	}
	marks := make([]byte, len(s.cells))
	for i, c := range s.cells {
		switch c {
		case mine:
			c = side
		case theirs:
			c = opponent
		}
		marks[i] = c
	}
	return s.grid.formatPosition(marks, side), nil
}

// startThinking begins to think about our move; the error says why it does not. A suggestion is not played.
// The answer is written by another goroutine, and is put on the board by applyAnswer once that has ended.
func (s *gomocupServer) startThinking(ctx context.Context, suggest bool) error {
	if err := s.checkRule(); err != nil {
		return err
	}
	// The manager may name the rule after START.
	if exact := s.rule&1 != 0; exact != s.exact {
		game, err := s.Open(s.grid.cols, s.grid.rows, exact)
		if err != nil {
			return err
		}
		s.game.Reset()
		s.game, s.exact = game, exact
	}
	position, err := s.positionText()
	if err != nil {
		return err
	}
	state, err := s.game.State(position)
	if err != nil {
		return err
	}
	if state.Outcome != oxo.Ongoing {
		return errors.New("the game is over")
	}
	if s.limit = s.moveBudget(); s.alone {
		s.limit = timeAfterInputEnds(s.limit)
	}
	thought, cancel := context.WithTimeout(ctx, s.limit)
	t := &thinking{cancel, make(chan struct{})}
	s.busy, s.answer = t, ""
	limit := Limit{Memory: s.memory}
	game := s.game
	go func() {
		defer close(t.done)
		defer cancel()
		r, err := game.Think(thought, position, limit, nil)
		var col, row int
		if err == nil {
			col, row, err = s.grid.parseSquare(r.Move)
		}
		switch {
		case err != nil:
			s.out.say("ERROR %v", err)
		case suggest:
			s.out.say("SUGGEST %d,%d", col, row)
		default:
			s.answer = fmt.Sprintf("%d,%d", col, row)
			s.out.say("%s", s.answer)
		}
	}()
	return nil
}

// applyAnswer puts the move that was thought of on the board.
// A suggestion, or an error, left no answer.
func (s *gomocupServer) applyAnswer() {
	if s.answer != "" {
		i, _ := s.parseSquare(s.answer) // it is a square of the grid
		s.cells[i] = mine
	}
}

// setInfo takes "INFO key value". Keys that are not known are passed over, as the
// protocol wants it.
// Times come in milliseconds, max_memory in bytes, where 0 is no limit.
func (s *gomocupServer) setInfo(rest string) {
	key, value, _ := strings.Cut(rest, " ")
	n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
	if err != nil {
		return
	}
	// Far numbers are cut to what a duration can hold.
	ms := time.Duration(min(max(n, -1<<40), 1<<40)) * time.Millisecond
	switch strings.ToLower(key) {
	case "timeout_turn":
		s.turn = max(ms, 0)
	case "timeout_match":
		s.match = max(ms, 0)
	case "time_left":
		s.left, s.leftKnown = ms, n != noLimit
	case "max_memory":
		s.memory = min(max(n, 0), machine.Memory())
	case "rule":
		s.rule = n
	}
}

// moveBudget is the time for the next move: the turn's limit, or a share of what
// is left for the match if that is less. No time for a turn means as fast as
// can be.
// What time_left says takes precedence over the match's whole time.
func (s *gomocupServer) moveBudget() time.Duration {
	const fast = 10 * time.Millisecond
	limit := s.turn
	left, limited := s.left, s.leftKnown
	if !limited && s.match > 0 {
		left, limited = s.match, true
	}
	if limited {
		limit = min(limit, moveShare(max(left, 0), 0, 0))
	}
	limit -= min(limit/5, margin)
	return max(limit, fast)
}
