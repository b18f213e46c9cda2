package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"time"

	"oxo"
)

// ClientOptions are how a program is asked.
type ClientOptions struct {
	// MoveTime is what a program is told that it may use for a move, and Wait
	// how much longer it is waited for, where there is no clock. 0 is 1 s and
	// 5 s. Where there is a clock, it rules.
	MoveTime, Wait time.Duration

	// Limit is told to programs that can be told so.
	Limit Limit

	// Startup is how long a program may take to start and greet; 0 is 10 s.
	Startup time.Duration

	// Rule is Gomocup's number of the rule: 1 if only exactly five win.
	Rule int

	// Keeper keeps the program for another game once it is closed, and has kept it from an earlier one; nil starts
	// a program for each game.
	Keeper *Keeper
	key    string // by which it is kept; [New] sets it

	// Random draws the moves of a program that gives them weights; nil draws the first.
	Random *rand.Rand
}

// Program is a program that plays one game. The referee tells it the clocks.
// Clock is called before each Choose where there are clocks; Close ends the program.
type Program[P oxo.Position[P]] interface {
	oxo.Player[P]
	Clock(own, other, increment, move time.Duration)
	Close() error
}

// protocolWords are the ways to talk to a program, by the word that may stand before its command, as errors list
// them.
const protocolWords = "ugi:, gomocup:, codingame: or policy:"

// SplitProtocol splits the protocol's word from a command, as in "gomocup:./brain";
// it is empty where there is none.
// A word that names no protocol is part of the command, such as a path with a colon.
func SplitProtocol(command string) (protocol, rest string) {
	word, rest, found := strings.Cut(command, ":")
	if found && slices.Contains([]string{"ugi", "gomocup", "codingame", "policy"}, word) {
		return word, rest
	}
	return "", command
}

// New starts a program for one game. The command may begin with "ugi:",
// "gomocup:", "codingame:" or "policy:"; else the program is greeted with ugi and, if it
// says that it doesn't know that word, taken to speak Gomocup's protocol.
// One that o.Keeper has kept from an earlier game takes its place where it is ready for another.
// It must be closed after its game. ctx bounds the start, not the game.
func New[P oxo.Position[P]](ctx context.Context, g *oxo.Game[P], command string, o ClientOptions) (Program[P], error) {
	protocol, rest := SplitProtocol(command)
	argv, err := SplitCommand(rest)
	if err != nil {
		return nil, err
	}
	o.key = keptKey(command, g.Spec, o)
	if p := beginAgain(ctx, g, o); p != nil {
		return p, nil
	}
	conn, err := startWithRetry(ctx, argv, o)
	if err != nil {
		return nil, err
	}
	p, err := Greet(ctx, g, conn, protocol, o)
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("engine %q: %w", command, err)
	}
	return p, nil
}

// beginAgain begins another game with a program that was kept; nil where there is none.
// One that isn't ready for another game, or has ended meanwhile, is ended.
func beginAgain[P oxo.Position[P]](ctx context.Context, g *oxo.Game[P], o ClientOptions) Program[P] {
	kept := o.Keeper.take(o.key)
	if kept == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(o.Startup, 10*time.Second))
	defer cancel()
	c := client[P]{game: g, conn: kept.conn, options: o}
	var p Program[P]
	var err error
	switch kept.protocol {
	case "gomocup":
		p, err = beginGomocup(ctx, c, "RESTART")
	case "policy":
		p = beginPolicy(c) // it answers by the position alone
	default:
		p, err = beginUGI(ctx, c)
	}
	if err != nil {
		endProgram(kept.conn, kept.farewell)
		return nil
	}
	return p
}

// startWithRetry starts a program. Where files, processes or memory are short here, it
// waits for other games to end.
// It tries for as long as a start may take; other errors are returned at once.
func startWithRetry(ctx context.Context, argv []string, o ClientOptions) (*Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(o.Startup, 10*time.Second))
	defer cancel()
	for {
		conn, err := start(argv)
		if err == nil || !isShortage(err) {
			return conn, err
		}
		o.Keeper.endIdlePrograms()
		select {
		case <-ctx.Done():
			return nil, shortage{err}
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// shortage is that a program could not be started for want of something here.
type shortage struct{ error }

// Error says that it is not the program's fault.
func (s shortage) Error() string {
	return "this is for want of files, processes or memory here: " + s.error.Error()
}

func (s shortage) Unwrap() error { return s.error }

// Shortage says so to a referee.
// The tournament ends with it, and no game is lost by it.
func (s shortage) Shortage() bool { return true }

// isShortage reports whether something was refused us that other games may give back.
// They are open files of the process or the machine, processes, and memory.
func isShortage(err error) bool {
	return slices.ContainsFunc([]error{syscall.EMFILE, syscall.ENFILE, syscall.EAGAIN, syscall.ENOMEM},
		func(reason error) bool { return errors.Is(err, reason) })
}

// Greet begins a game with the program at the other end of a connection. An
// empty protocol is found out as New does.
// Where there is an error, the caller still has the connection to close.
func Greet[P oxo.Position[P]](ctx context.Context, g *oxo.Game[P], conn *Conn, protocol string,
	o ClientOptions) (Program[P], error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(o.Startup, 10*time.Second))
	defer cancel()
	c := client[P]{game: g, conn: conn, options: o}
	switch protocol {
	case "ugi":
		return greetUGI(ctx, c)
	case "gomocup":
		return greetGomocup(ctx, c)
	case "codingame":
		return greetCodinGame(c)
	case "policy":
		return greetPolicy(ctx, c)
	case "":
		if err := conn.Send(ctx, "ugi"); err != nil {
			return nil, err
		}
		// Brains of Gomocup answer an unknown word with UNKNOWN or ERROR.
		knows, err := awaitAnswer(ctx, conn, func(line string) (bool, bool, error) {
			word := strings.ToLower(strings.Fields(line)[0])
			unknown := word == "unknown" || word == "error"
			return !unknown, unknown || word == "ugiok", nil
		})
		switch {
		case err != nil:
			return nil, fmt.Errorf("it does not answer ugi: %w; if it speaks another protocol, write %s before the "+
				"command", err, protocolWords)
		case knows:
			return beginUGI(ctx, c, optionsUGI(c)...)
		}
		return greetGomocup(ctx, c)
	}
	return nil, fmt.Errorf("protocol %q: there are ugi, gomocup, codingame and policy", protocol)
}

// client is what the players of all protocols have in common.
// own and other are what the clocks show, inc what each move adds, and move the most that a single one may take.
type client[P oxo.Position[P]] struct {
	game    *oxo.Game[P]
	conn    *Conn
	options ClientOptions
	timed   bool // the referee has told the clocks
	own     time.Duration
	other   time.Duration
	inc     time.Duration
	move    time.Duration

	protocol string // its name, where it has no words for limits of depth and positions
	farewell string // what a program is told before it is ended, if anything
	fit      bool   // for another game: the protocol has a word for that, and the program has done nothing wrong
}

// Clock takes what the clocks show before a move; zero bank or move is none.
// From then on the referee's context ends a move, and not our own waiting.
func (c *client[P]) Clock(own, other, increment, move time.Duration) {
	c.timed, c.own, c.other, c.inc, c.move = true, own, other, increment, move
}

// Limit takes how far ahead the program may look, and at how many positions,
// where its protocol has words for that.
// A limit of 0 is none, which every program can be held to.
func (c *client[P]) Limit(depth int, nodes uint64) error {
	if c.protocol != "" && (depth > 0 || nodes > 0) {
		return fmt.Errorf("the %s protocol has no word for a limit of depth or nodes", c.protocol)
	}
	c.options.Limit.Depth, c.options.Limit.Nodes = depth, nodes
	return nil
}

// maxMoveTime is how long a move may take at most.
// It is 0 where the clocks set no limit.
func (c *client[P]) maxMoveTime() time.Duration {
	switch {
	case !c.timed:
		return cmp.Or(c.options.MoveTime, time.Second)
	case c.own == 0 || c.move != 0 && c.move < c.own:
		return c.move
	}
	return c.own
}

// moveContext bounds the wait for a move where no clock does.
// Until that has come, the program is fit for nothing else.
func (c *client[P]) moveContext(ctx context.Context) (context.Context, context.CancelFunc) {
	c.fit = false
	if c.timed {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, c.maxMoveTime()+cmp.Or(c.options.Wait, 5*time.Second))
}

// parseMove reads a move that the program answered with.
// Any other answer is a fault, which loses the game.
func (c *client[P]) parseMove(p P, text string) (oxo.Move, error) {
	m, err := c.game.ParseMove(p, text)
	if err != nil {
		return oxo.NoMove, illegalMove("it answers %.60q: %v", text, err)
	}
	return m, nil
}

// Blame has the program ended after its game, which it has lost by its own fault.
func (c *client[P]) Blame() { c.fit = false }

// Close ends the program, or hands it to the keeper where it is fit for another game.
func (c *client[P]) Close() error {
	if c.conn == nil {
		return nil
	}
	conn := c.conn
	c.conn = nil
	if c.fit && c.options.Keeper.keep(&keptProgram{key: c.options.key, protocol: c.protocol, farewell: c.farewell,
		conn: conn}) {
		return nil
	}
	return endProgram(conn, c.farewell)
}

// endProgram ends the program at the other end of a connection.
// The program is told so first, where its protocol has a word for that.
func endProgram(conn *Conn, farewell string) error {
	if farewell != "" {
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		conn.Send(ctx, farewell) // a program that doesn't listen is ended anyway
	}
	return conn.Close()
}

// CheckGrid returns why the game does not suit the protocols of grids, which name
// a move by one square: all but UGI.
func CheckGrid[P oxo.Position[P]](g *oxo.Game[P]) error {
	_, err := gridOf(g)
	return err
}

// gridOf returns the grid that a game is played on, or why the protocols of grids can't carry it.
func gridOf[P oxo.Position[P]](game *oxo.Game[P]) (grid, error) {
	g, _, err := readGrid(game.Format(game.Start))
	switch {
	case err != nil:
		return g, err
	case game.Odds != nil:
		return g, errors.New("this protocol has no word for chance")
	case game.Loopy():
		return g, errors.New("this protocol has no word for marks that leave their squares")
	}
	// The moves of the start are taken to stand for all.
	for _, m := range game.Start.Moves(nil) {
		if _, _, err := g.parseSquare(game.FormatMove(game.Start, m)); err != nil {
			return g, err
		}
	}
	return g, nil
}
