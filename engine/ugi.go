package engine

import (
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

// ServeUGI plays the game for a program that speaks UGI, the Universal Game
// Interface (kz04px/cutegames, ugi.md), which is UCI without chess: ugi,
// isready, uginewgame, setoption, position, go, stop, query and quit. It
// returns at quit or at the end of the input, after the last answer. Commands
// that make no sense are answered with an info string and change nothing; of go
// what is understood holds, and bestmove is said in any case.
// The option game names another game, which open opens; where open is nil, there
// is only one.
//
// In info lines, value is what the position is worth to the side to move, from
// -1 to 1, and score cp the same as Elo: 400 are odds of ten to one.
func ServeUGI(ctx context.Context, r io.Reader, w io.Writer, game Engine, spec string,
	open func(spec string) (Engine, error), about About) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &ugiServer{game: game, spec: spec, open: open, about: about, out: &output{w: w}}
	defer func() { s.game.Reset() }()
	s.preparePlayer()
	lines := readLines(ctx, r)
	for quit := false; !quit && s.out.firstError() == nil; {
		select {
		case line, ok := <-lines:
			if !ok {
				s.finishThinking()
				return s.out.firstError()
			}
			quit = s.handleLine(ctx, line)
		case <-ctx.Done():
			s.busy.stop()
			return ctx.Err()
		}
	}
	s.busy.stop()
	return s.out.firstError()
}

// ugiServer is our side of UGI.
// One goroutine reads and answers. Another thinks about a move: busy is what it thinks about, or did last.
// The goroutine that thinks is handed the position and the limits; of the fields it uses the game and out alone.
type ugiServer struct {
	game     Engine
	spec     string
	open     func(spec string) (Engine, error)
	about    About
	out      *output
	position string // empty is the start
	limit    Limit
	busy     *thinking
	alone    time.Duration // how long it goes on once the input has ended
}

// finishThinking lets the last move be thought about to its end, where that is near.
func (s *ugiServer) finishThinking() {
	if s.busy == nil {
		return
	}
	select {
	case <-s.busy.finished():
	case <-time.After(s.alone):
		s.busy.stop()
	}
}

// handleLine carries out a line, and reports whether it is quit.
// What is thought about is ended before the position or the game changes, and by the next go.
func (s *ugiServer) handleLine(ctx context.Context, line string) (quit bool) {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest = strings.TrimSpace(rest)
	var err error
	switch word {
	case "ugi":
		s.out.say("id name %s %s", s.about.Name, s.about.Version)
		s.out.say("id author %s", s.about.Author)
		s.out.say("option name game type string default %s", s.spec)
		s.out.say("option name hash type spin default 0 min 0 max %d", machine.Memory()>>20)
		s.out.say("ugiok")
	case "isready":
		if s.busy == nil {
			s.preparePlayer()
		}
		s.out.say("readyok")
	case "uginewgame":
		s.busy.stop()
		s.busy, s.position = nil, ""
		s.game.Reset()
		s.preparePlayer()
	case "setoption":
		err = s.setOption(rest)
	case "position":
		s.busy.stop()
		s.busy = nil
		if err = s.setPosition(rest); err != nil {
			err = fmt.Errorf("%w; this program goes on with %s", err, s.positionText())
		}
	case "go":
		s.busy.stop()
		s.busy = nil
		s.handleGo(ctx, rest)
	case "stop":
		s.busy.stop()
		s.busy = nil
	case "query":
		err = s.query(rest)
	case "quit":
		return true
	case "":
	default:
		err = fmt.Errorf("%.40q is no command; there are ugi, isready, uginewgame, setoption, position, go, "+
			"stop, query and quit", word)
	}
	if err != nil {
		s.out.say("info string %v", err)
	}
	return false
}

// setOption reads "name N value V".
// The hash is in mebibytes, no more than the machine has.
// Names of options are read in any case, and their values as they are.
func (s *ugiServer) setOption(rest string) error {
	fields := strings.Fields(rest)
	if len(fields) != 4 || fields[0] != "name" || fields[2] != "value" {
		return fmt.Errorf("setoption %.60q: write name game value SPEC, or name hash value MEBIBYTES", rest)
	}
	switch strings.ToLower(fields[1]) {
	case "hash":
		mb, err := strconv.ParseUint(fields[3], 10, 43)
		if err != nil {
			return fmt.Errorf("setoption: hash %.40q: a number of mebibytes from 0 to %d is needed", fields[3],
				machine.Memory()>>20)
		}
		if err := machine.CheckMemory(int64(mb) << 20); err != nil {
			return fmt.Errorf("setoption: hash %.40q: %w", fields[3], err)
		}
		s.limit.Memory = int64(mb) << 20
	case "game":
		return s.setGame(fields[3])
	default:
		return fmt.Errorf("setoption: no option is called %.40q; there are game and hash", fields[1])
	}
	return nil
}

// setGame plays another game from now on; it goes on with its own where the
// other can't be opened.
func (s *ugiServer) setGame(spec string) error {
	if spec == s.spec {
		return nil
	}
	if s.open == nil {
		return fmt.Errorf("this program plays %s", s.spec)
	}
	game, err := s.open(spec)
	if err != nil {
		return fmt.Errorf("%v; this program goes on with %s", err, s.spec)
	}
	s.busy.stop()
	s.game.Reset()
	s.game, s.spec, s.position, s.busy = game, spec, "", nil
	s.preparePlayer()
	return nil
}

// preparePlayer has the player read what it plays by before it is asked for a move.
func (s *ugiServer) preparePlayer() {
	if err := s.game.Ready(s.limit); err != nil {
		s.out.say("info string %v", err)
	}
}

// setPosition reads "startpos" or "fen P", and "moves M…". It leaves the
// position as it was after an error.
func (s *ugiServer) setPosition(rest string) error {
	fields := strings.Fields(rest)
	var from, moves []string
	for i, f := range fields {
		if f == "moves" {
			fields, moves = fields[:i], fields[i+1:]
			break
		}
	}
	switch {
	case len(fields) == 1 && fields[0] == "startpos":
	case len(fields) > 1 && fields[0] == "fen":
		from = fields[1:]
	default:
		return fmt.Errorf("position %.60q: write startpos or fen POSITION, then moves MOVE… if there are any", rest)
	}
	state, err := s.game.State(strings.Join(from, " "), moves...)
	if err == nil {
		s.position = state.Position
	}
	return err
}

// positionText returns the position as the game writes it, also that of the start.
func (s *ugiServer) positionText() string {
	state, err := s.game.State(s.position)
	if err != nil {
		return s.position
	}
	return state.Position
}

// query answers a question about the position.
// A question is answered from the position that was set last, whether or not it is thought about.
func (s *ugiServer) query(question string) error {
	state, err := s.game.State(s.position)
	if err != nil {
		return err
	}
	switch question {
	case "gameover":
		s.out.say("response %t", state.Outcome != oxo.Ongoing)
	case "p1turn":
		s.out.say("response %t", state.Turn == oxo.First)
	case "result":
		s.out.say("response %s", ugiResults[state.Outcome])
	default:
		return fmt.Errorf("query %.40q: there are gameover, p1turn and result", question)
	}
	return nil
}

// ugiResults are the words of UGI for how a game stands.
var ugiResults = map[oxo.Outcome]string{
	oxo.Ongoing: "none", oxo.FirstWins: "p1win", oxo.SecondWins: "p2win", oxo.Drawn: "draw",
}

// overhead is taken off a time limit, for the way there and back; at most a
// tenth of it is.
// A scheduler that is busy can take that long to hand a line over.
const overhead = 10 * time.Millisecond

// usualTime is the time for a move where go names no limit that is understood; the client asks for as much.
const usualTime = time.Second

// goLimits is what a go command asks for.
// left and inc are by seat; clocks says which clocks were named.
// A seat that has no clock named has none, whatever its left and inc are.
type goLimits struct {
	limit     Limit
	time      time.Duration // 0 is without end
	infinite  bool
	left, inc [2]time.Duration
	clocks    [2]bool
	moves     int64 // to be made with what is left; 0 is not known
}

// goNumbers are the words of go that a number follows, with the least that is taken. A clock may have run out.
var goNumbers = map[string]int64{
	"p1time": math.MinInt64, "p2time": math.MinInt64, "wtime": math.MinInt64, "btime": math.MinInt64,
	"p1inc": 0, "p2inc": 0, "winc": 0, "binc": 0, "movestogo": 0, "movetime": 0, "depth": 1, "nodes": 1,
}

// isGoWord reports whether a word of go is understood, and is no number.
func isGoWord(word string) bool {
	_, takesNumber := goNumbers[word]
	return takesNumber || word == "infinite"
}

// parseGo reads the words of a go command. What is wrong is told, and the others hold.
// Numbers come in milliseconds, plies, positions or moves.
func parseGo(rest string) (g goLimits, wrong []error) {
	var unknown []string
	fields := strings.Fields(rest)
	for i := 0; i < len(fields); i++ {
		name := fields[i]
		switch {
		case name == "infinite":
			g.infinite = true
			continue
		case !isGoWord(name):
			unknown = append(unknown, name)
			continue
		}
		if i+1 == len(fields) || isGoWord(fields[i+1]) {
			wrong = append(wrong, fmt.Errorf("go: %s needs a number", name))
			continue
		}
		i++
		n, err := strconv.ParseInt(fields[i], 10, 64)
		switch {
		case err != nil && !errors.Is(err, strconv.ErrRange):
			wrong = append(wrong, fmt.Errorf("go: %s %.40q is no number", name, fields[i]))
		case n < goNumbers[name]:
			wrong = append(wrong, fmt.Errorf("go: %s %d: at least %d is needed", name, n, goNumbers[name]))
		default:
			g.set(name, n)
		}
	}
	if len(unknown) > 0 {
		wrong = append(wrong, fmt.Errorf("go: %.60q is not understood; there are infinite, movetime, depth, nodes, "+
			"movestogo, and p1time, p2time, p1inc, p2inc, also called wtime, btime, winc, binc",
			strings.Join(unknown, " ")))
	}
	return g, wrong
}

// set takes a word of go and its number. White, as in wtime, is First.
// A clock that has run out counts as one millisecond left; no time is above 2⁴⁰ ms, which is 35 years.
func (g *goLimits) set(name string, n int64) {
	ms := time.Duration(min(max(n, 1), 1<<40)) * time.Millisecond
	seat := oxo.First
	if name[:2] == "p2" || name[0] == 'b' {
		seat = oxo.Second
	}
	switch name {
	case "p1time", "p2time", "wtime", "btime":
		g.left[seat], g.clocks[seat] = ms, true
	case "p1inc", "p2inc", "winc", "binc":
		g.inc[seat] = min(time.Duration(n), 1<<40) * time.Millisecond
	case "movestogo":
		g.moves = n
	case "movetime":
		g.time = ms
	case "depth":
		g.limit.Depth = int(min(n, math.MaxInt32))
	case "nodes":
		g.limit.Nodes = uint64(n)
	}
}

// chooseTime sets the time for a move of the seat. A clock gives a share of itself, and the time of a move bounds it.
// Where something was wrong and no limit is left, it is the usual time.
func (g *goLimits) chooseTime(seat oxo.Seat, wrong bool) {
	if g.clocks[seat] {
		part := moveShare(g.left[seat], g.inc[seat], g.moves)
		if g.time == 0 || part < g.time {
			g.time = part
		}
	}
	if wrong && g.time == 0 && g.limit == (Limit{}) {
		g.time = usualTime
	}
	g.time -= min(g.time/10, overhead)
}

// handleGo begins to think about the position, within the limits of the line. Whatever is wrong, bestmove is said.
func (s *ugiServer) handleGo(ctx context.Context, rest string) {
	g, wrong := parseGo(rest)
	state, err := s.game.State(s.position)
	switch {
	case err != nil:
	case state.Outcome != oxo.Ongoing:
		err = errors.New("go: the game is over")
	case state.Turn == oxo.Chance:
		err = errors.New("go: chance is to act")
	case g.clocks[state.Turn.Other()] && !g.clocks[state.Turn]:
		wrong = append(wrong, fmt.Errorf("go: p%dtime, the clock of the side to move, is missing", state.Turn+1))
	}
	for _, w := range wrong {
		s.out.say("info string %v", w)
	}
	if err != nil {
		s.sayNoMove(err)
		return
	}
	g.chooseTime(state.Turn, len(wrong) > 0)
	// How long it goes on when the input ends depends on what would end it otherwise.
	switch {
	case g.infinite:
		s.alone = 0
	case g.limit != (Limit{}):
		s.alone = longAlone
	default:
		s.alone = timeAfterInputEnds(g.time)
	}
	g.limit.Memory = s.limit.Memory
	var thought context.Context
	var cancel context.CancelFunc
	if g.time == 0 || g.infinite {
		thought, cancel = context.WithCancel(ctx)
	} else {
		thought, cancel = context.WithTimeout(ctx, g.time)
	}
	t := &thinking{cancel, make(chan struct{})}
	s.busy = t
	position := s.position
	go func() {
		defer close(t.done)
		defer cancel()
		s.think(thought, position, g)
	}()
}

// think says the best move in the position. A player that can't keep to the limits does without them.
// The second try, without the limit, is bounded by usualTime where nothing else bounds it.
func (s *ugiServer) think(ctx context.Context, position string, g goLimits) {
	r, err := s.game.Think(ctx, position, g.limit, s.sayInfo)
	if unbound := (Limit{Memory: g.limit.Memory}); err != nil && g.limit != unbound && ctx.Err() == nil {
		s.out.say("info string %v; this program thinks without that limit", err)
		if !g.infinite && g.time == 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, usualTime)
			defer cancel()
		}
		r, err = s.game.Think(ctx, position, unbound, s.sayInfo)
	}
	if err != nil {
		s.sayNoMove(err)
		return
	}
	// The answer to go infinite is not given before it is stopped.
	if g.infinite {
		<-ctx.Done()
	}
	s.sayInfo(r)
	s.out.say("bestmove %s", r.Move)
}

// sayNoMove answers go where there is no move, and says why.
func (s *ugiServer) sayNoMove(err error) {
	s.out.say("info string %v", err)
	s.out.say("bestmove (none)")
}

// sayInfo tells how far thinking has come.
// It is called by the goroutine that thinks.
// Positions a second, nps, are left out where no time has passed.
func (s *ugiServer) sayInfo(r Report) {
	text := "info"
	if r.Depth > 0 {
		text += fmt.Sprintf(" depth %d", r.Depth)
	}
	if r.Scored {
		text += fmt.Sprintf(" score cp %d value %+.4f", toCentipawns(r.Score), r.Score)
	}
	text += fmt.Sprintf(" time %d nodes %d", r.Time.Milliseconds(), r.Nodes)
	if r.Nodes > 0 && r.Time > 0 {
		text += fmt.Sprintf(" nps %.0f", float64(r.Nodes)/r.Time.Seconds())
	}
	if len(r.Line) > 0 {
		text += " pv " + strings.Join(r.Line, " ")
	}
	s.out.say("%s", text)
}

// toCentipawns turns a value from -1 to 1 into Elo, at most 10,000 either way.
// A value of 1 or −1 is 10,000 or −10,000.
func toCentipawns(value float64) int {
	elo := 400 * math.Log10((1+value)/(1-value))
	if math.IsNaN(elo) {
		return 0
	}
	return int(math.Round(min(max(elo, -10_000), 10_000)))
}

// fromCentipawns is the inverse of toCentipawns: it returns a value from -1 to 1.
func fromCentipawns(elo float64) float64 { return 2/(1+math.Pow(10, -elo/400)) - 1 }
