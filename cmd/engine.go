package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"oxo/engine"
	"oxo/lab"
)

// engineVerb returns the verb that speaks a protocol for programs of others.
func engineVerb(a *app) *cobra.Command {
	var game, player, connect, listen string
	var meet bool
	var think time.Duration
	c := &cobra.Command{
		Use:   "engine PROTOCOL",
		Short: "play for another program: gomocup, codingame, ugi, or quiz",
		Long: `play for another program over standard input and output:

  gomocup     five in a row, for Gomocup's managers
  codingame   Ultimate tic-tac-toe, for CodinGame's referee: by its rules most
              boards decide a game without three in a row
  ugi         any game, a UCI-like dialogue
  quiz        the Ruby quiz's line protocol over TCP: --connect to a server, or
              --listen for programs and play them, or with --meet have each two
              that connect play each other`,
		Example: "  oxo engine ugi --game mnk:7,7,5\n  oxo engine quiz --listen 127.0.0.1:1276 --player perfect",
		Args:    exactArgs("PROTOCOL"),
		RunE: func(c *cobra.Command, args []string) error {
			about := engine.About{Name: "oxo", Version: version, Author: "the oxo project"}
			if game == "" {
				game = cmp.Or(map[string]string{"codingame": "ultimate+most"}[args[0]], "ttt")
			}
			g, err := a.lab.Game(game)
			if err != nil {
				return err
			}
			ctx, cancel := context.WithCancel(c.Context())
			defer cancel()
			if args[0] == "quiz" {
				return a.playOrHostQuiz(ctx, g, quizArgs{connect, listen, player, meet, think})
			}
			open := a.engineOpener(ctx, player)
			played, err := open(game)
			if err != nil {
				return err
			}
			switch args[0] {
			case "gomocup":
				return engine.ServeGomocup(ctx, a.in, a.out, engine.Gomocup{About: about, Open: gomocupOpener(open)})
			case "codingame":
				return engine.ServeCodinGame(ctx, a.in, a.out, played,
					func(text string) { fmt.Fprintln(a.errs, text) })
			case "ugi":
				return engine.ServeUGI(ctx, a.in, a.out, played, g.Info().Spec, open, about)
			}
			return fmt.Errorf("engine: no protocol is called %q; there are gomocup, codingame, ugi, quiz", args[0])
		},
	}
	f := c.Flags()
	f.StringVar(&game, "game", "", "the game, for quiz, and for ugi until it is told another (default ttt)")
	f.StringVar(&player, "player", "", "who plays (default the strongest that takes the time it is given)")
	f.StringVar(&connect, "connect", "", "quiz: play one game on the server at HOST:PORT")
	f.StringVar(&listen, "listen", "", "quiz: play whoever connects to HOST:PORT, seats in turn")
	f.BoolVar(&meet, "meet", false, "quiz: who connects plays the next who does")
	f.DurationVar(&think, "think", 100*time.Millisecond, "quiz: how long to think about a move")
	return c
}

// engineOpener opens games with that player for it. Each takes the place of the one before, for which
// nothing is worked out any more. The context of the game before is done once the next is open, so
// that a failed change leaves the old game playable.
func (a *app) engineOpener(ctx context.Context, player string) func(spec string) (engine.Engine, error) {
	leave := func() {}
	return func(spec string) (engine.Engine, error) {
		g, err := a.lab.Game(spec)
		if err != nil {
			return nil, err
		}
		ctx, cancel := context.WithCancel(ctx)
		played, err := g.Contesting().NewEngine(ctx, player)
		if err != nil {
			cancel()
			return nil, err
		}
		leave()
		leave = cancel
		return played, nil
	}
}

// gomocupOpener opens the games that Gomocup's managers ask for. Its managers ask by the board's size;
// exact is their rule that a row longer than five does not win.
func gomocupOpener(
	open func(spec string) (engine.Engine, error),
) func(cols, rows int, exact bool) (engine.Engine, error) {
	return func(cols, rows int, exact bool) (engine.Engine, error) {
		spec := fmt.Sprintf("mnk:%d,%d,5", cols, rows)
		if exact {
			spec += "+exact"
		}
		return open(spec)
	}
}

// quizArgs are the flags of the quiz's protocol.
type quizArgs struct {
	connect, listen, player string
	meet                    bool
	think                   time.Duration
}

// playOrHostQuiz plays a game of the quiz's protocol: as a guest of a server, or as the host of programs that
// connect. As a host it serves until ctx is done, up to [mostGuests] connections at once. The player
// is tried out before anybody is let in.
func (a *app) playOrHostQuiz(ctx context.Context, g lab.Game, q quizArgs) error {
	switch {
	case (q.connect == "") == (q.listen == ""):
		return errors.New("engine quiz: give --connect HOST:PORT or --listen HOST:PORT")
	case q.meet && (q.connect != "" || q.player != ""):
		return errors.New("engine quiz: --meet: programs that connect play each other; leave --connect and --player " +
			"out")
	case q.connect != "":
		played, err := g.Contesting().NewEngine(ctx, q.player)
		if err != nil {
			return err
		}
		c, err := (&net.Dialer{}).DialContext(ctx, "tcp", q.connect)
		if err != nil {
			return err
		}
		conn := engine.NewConn(c)
		r, err := engine.PlayQuiz(ctx, conn, played, "oxo "+version, q.think)
		if err != nil {
			return err
		}
		a.printf("%s against %s: %s\n", r.Seat, r.Server, r.Value)
		return nil
	}
	q.player = cmp.Or(q.player, "perfect")
	if _, err := g.Contesting().NewEngine(ctx, q.player); err != nil {
		return err
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", q.listen)
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { l.Close() })
	defer stop()
	fmt.Fprintf(a.errs, "listening on %s\n", l.Addr())
	host := func(first, second lab.QuizGuest) {
		r, err := g.Contesting().HostQuiz(ctx, [2]lab.QuizGuest{first, second}, q.player, "oxo "+version)
		if err != nil {
			fmt.Fprintf(a.errs, "%v\n", err)
			return
		}
		fmt.Fprintf(a.errs, "%s against %s: %s\n", r.First, r.Second, r.Result)
	}
	if q.meet {
		m := meeting{host: host}
		return a.acceptPlayers(ctx, l, func(c net.Conn, _ bool) { m.pairAndPlay(ctx, c) })
	}
	return a.acceptPlayers(ctx, l, func(c net.Conn, first bool) {
		if first {
			host(arrived(c), nil)
		} else {
			host(nil, arrived(c))
		}
	})
}

// arrived is a guest who is there.
func arrived(c net.Conn) lab.QuizGuest {
	return func(context.Context) (net.Conn, error) { return c, nil }
}

// meeting has each two programs that connect play each other. Whoever comes first waits; the next to
// come is handed to its host as the opponent.
type meeting struct {
	host    func(first, second lab.QuizGuest)
	mu      sync.Mutex
	waiting chan comer // of a program that waits for an opponent; nil where none does
}

// comer is a program that comes to one that waits. The one that waits may have left unnoticed; then
// done says false, and the comer goes on to wait or to meet another.
type comer struct {
	conn net.Conn
	done chan bool // told whether the two have met, once their game is over
}

// pairAndPlay has a program play the next one that comes, or the one that waits. It returns when the program's game is
// over, or there is none because ctx is done.
func (m *meeting) pairAndPlay(ctx context.Context, c net.Conn) {
	for met := false; !met && ctx.Err() == nil; {
		m.mu.Lock()
		waiting := m.waiting
		own := make(chan comer, 1)
		if m.waiting = own; waiting != nil {
			m.waiting = nil
		}
		m.mu.Unlock()
		if waiting == nil {
			m.hostUntilPaired(c, own)
			return
		}
		o := comer{c, make(chan bool, 1)}
		waiting <- o
		met = <-o.done // else it has left, and another one is met
	}
}

// hostUntilPaired greets a program and has it play the next that comes, unless it has left by then. The greeted
// program is checked again when an opponent comes, as programs that wait for long tend to go away.
func (m *meeting) hostUntilPaired(c net.Conn, opponents chan comer) {
	var other comer
	met := false
	m.host(arrived(c), func(ctx context.Context) (net.Conn, error) {
		select {
		case other = <-opponents:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if met = isConnected(c); !met {
			return nil, errors.New("a program left before another one came")
		}
		return other.conn, nil
	})
	m.mu.Lock()
	expected := m.waiting == opponents
	if expected {
		m.waiting = nil
	}
	m.mu.Unlock()
	if !expected && other.done == nil {
		other = <-opponents
	}
	if other.done != nil {
		other.done <- met
	}
}

// isConnected reports whether a program that has nothing to say yet is still connected. It reads for a
// millisecond: a connection that is there times out, one that is closed ends. A byte that it takes is
// lost, which is white space if anything.
func isConnected(c net.Conn) bool {
	if err := c.SetReadDeadline(time.Now().Add(time.Millisecond)); err != nil {
		return false
	}
	n, err := c.Read(make([]byte, 1)) // white space, if anything
	return n > 0 || errors.Is(err, os.ErrDeadlineExceeded)
}

// mostGuests is how many connections are served at a time; others wait.
const mostGuests = 64

// acceptPlayers plays with whoever connects, seats in turn, until ctx is done. Errors that pass, such
// as too many open files, are reported once and waited out; others end the host.
func (a *app) acceptPlayers(ctx context.Context, l net.Listener, play func(c net.Conn, first bool)) error {
	places := make(chan struct{}, mostGuests)
	failing := false
	for first := true; ; {
		select {
		case places <- struct{}{}:
		case <-ctx.Done():
			return nil
		}
		c, err := l.Accept()
		switch {
		case ctx.Err() != nil:
			return nil
		case isTransient(err):
			if !failing {
				fmt.Fprintf(a.errs, "%v; waiting\n", err)
			}
			<-places
			time.Sleep(100 * time.Millisecond)
		case err != nil:
			return err
		default:
			seat := first
			first = !first
			go func() {
				defer func() { <-places }()
				defer c.Close() // also where the game has not begun
				play(c, seat)
			}()
		}
		failing = err != nil
	}
}

// isTransient reports whether a connection could not be accepted for a reason that
// passes: it was broken off, or files or memory are short.
func isTransient(err error) bool {
	reasons := []error{syscall.ECONNABORTED, syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM}
	return slices.ContainsFunc(reasons, func(reason error) bool { return errors.Is(err, reason) })
}
