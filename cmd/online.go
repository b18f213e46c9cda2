package cmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"oxo"
	"oxo/games/kind"
	"oxo/lab"
	"oxo/message"
	"oxo/web/client"
)

// onlineOptions say where and against whom a person plays over the network. At most one of challenge, seek and join
// is given; without any the game waits for who has its link. A bank of 0 is no clocks.
type onlineOptions struct {
	server, name    string
	challenge, join string
	seek            bool
	bank, increment time.Duration
}

// addFlags adds the flags of play on a server.
func (o *onlineOptions) addFlags(c *cobra.Command) {
	c.Flags().StringVar(&o.server, "server", "", "the address of a server to play on, such as "+localServer)
	c.Flags().StringVar(&o.challenge, "challenge", "", "the bot to challenge there")
	c.Flags().BoolVar(&o.seek, "seek", false, "offer the game to anybody there")
	c.Flags().StringVar(&o.join, "join", "", "the game to join there: a link, ID or ID#SECRET")
	c.Flags().StringVar(&o.name, "name", "", "how to be called there")
	c.Flags().DurationVar(&o.bank, "bank", 0, "time on each clock there (default no clocks)")
	c.Flags().DurationVar(&o.increment, "increment", 0, "time added after each move there")
}

// checkOnlineFlags refuses flags that mean something on a server only, where there is
// none, and the other way round.
func checkOnlineFlags(c *cobra.Command, server string) error {
	words := []string{"challenge", "seek", "join", "name", "bank", "increment"}
	reason := "needs --server"
	if server != "" {
		words, reason = []string{"show-values", "seed", "save"}, "means nothing with --server"
	}
	ways := []string{"challenge", "seek", "join"}
	if ways = slices.DeleteFunc(ways, func(w string) bool { return !c.Flags().Changed(w) }); len(ways) > 1 {
		return errors.New("play: of --challenge, --seek and --join only one can be")
	}
	return refuseFlags(c.Flags(), "play", reason, words...)
}

// seatKey begins the secret of a seat; one that lets somebody in begins
// otherwise.
const seatKey = "oxo_seat_"

// online is where a person plays somebody over the network.
type online struct {
	*terminalGame
	client client.Client
	server string
	game   client.GameState // as the server told last
	away   bool             // whether the other side was said to be
}

// playOnline opens, joins or goes on with a game, and plays it. The person plays one game, opened here
// or joined by a link or key, and leaves it running where they quit.
func (a *app) playOnline(ctx context.Context, spec string, s lab.SessionOptions, o onlineOptions) error {
	x := &online{client: client.Client{URL: o.server}, server: o.server,
		terminalGame: &terminalGame{app: a, show: a.out}}
	if a.json {
		// With --json the record is the only answer; what the person is shown goes beside it.
		x.show = a.errs
	}
	seat := ""
	switch {
	case s.First != "" && s.First != lab.Human, s.Second != "" && s.Second != lab.Human:
		return errors.New("a person plays here; to have a player play on a server: oxo bot")
	case s.First == lab.Human && s.Second == "":
		seat = "first"
	case s.Second == lab.Human && s.First == "":
		seat = "second"
	}
	if o.join != "" {
		if err := x.joinOrResume(ctx, o); err != nil {
			return fmt.Errorf("--join %s: %w", o.join, err)
		}
	} else {
		ask := map[string]any{"game": spec, "position": s.Position, "public": o.seek, "to": o.challenge, "name": o.name}
		if seat != "" {
			ask["seat"] = seat
		}
		if o.bank > 0 {
			ask["clock"] = clockTerms(o.bank, o.increment)
		}
		var opened client.Opened
		if err := x.client.Do(ctx, http.MethodPost, "/sessions", ask, &opened); err != nil {
			return err
		}
		x.adoptSession(opened)
		if opened.Invite != "" {
			x.sayf("To let somebody in, give them this:\n  %s/online?id=%s#invite=%s\n  oxo play --server %s "+
				"--join %[2]s#%[3]s\n", strings.TrimSuffix(x.server, "/"), x.game.ID, opened.Invite, x.server)
		}
	}
	if err := x.setUpBoard(); err != nil {
		return err
	}
	if err := x.playUntilOver(ctx); err != nil || !a.json {
		return err
	}
	var r oxo.Record
	if err := x.client.Do(ctx, http.MethodGet, "/sessions/"+x.game.ID+"/record", nil, &r); err != nil {
		return err
	}
	return a.printJSON(r)
}

// joinOrResume takes the other side of a game, or goes on with one by its key. What is joined is an ID, an ID with a
// secret after #, or the studio's link. A secret that is a seat's key names a side that the person has already.
func (x *online) joinOrResume(ctx context.Context, o onlineOptions) error {
	id, secret, _ := strings.Cut(o.join, "#")
	if _, link, ok := strings.Cut(o.join, "/online?"); ok { // the studio's link
		q, err := url.ParseQuery(strings.Replace(link, "#", "&", 1))
		if err != nil {
			return err
		}
		id, secret = q.Get("id"), q.Get("invite")
	}
	if !strings.HasPrefix(secret, seatKey) {
		var opened client.Opened
		err := x.client.Do(ctx, http.MethodPost, "/sessions/"+id+"/accept",
			map[string]any{"invite": secret, "name": o.name}, &opened)
		x.adoptSession(opened)
		return err
	}
	x.client.Token = secret
	if err := x.client.Do(ctx, http.MethodGet, "/sessions/"+id, nil, &x.game); err != nil {
		return err
	}
	if x.game.You == "" {
		return errors.New("the key is of another game")
	}
	return nil
}

// adoptSession takes over a game that was opened or accepted, and the key of its seat.
func (x *online) adoptSession(o client.Opened) {
	x.client.Token, x.game = o.Key, o.Session
}

// setUpBoard opens the server's game here too, to draw its board and check its moves, from where play began.
func (x *online) setUpBoard() error {
	g, err := x.lab.Game(x.game.Game)
	if err != nil {
		return err
	}
	x.info = g.Info()
	x.draw = x.newCanvas(x.info)
	x.session, err = g.NewSession(lab.SessionOptions{First: lab.Human, Second: lab.Human, Position: x.game.Start})
	if err != nil {
		return err
	}
	x.sayf("%s\nYou are %s. Type a move, or help.\n", message.Capitalize(x.info.Title), x.side(x.game.You))
	return nil
}

// onlineCommands tell what may be typed; the place is for a square's name.
const onlineCommands = `  a move     a square's name (%s)
  move M     play M, which may be called as a word below
  clock      show both clocks
  resign     give the game up
  draw       offer a draw, or accept one
  abort      call the game off, until both have moved
  claim      win a game that the other side has left
  moves      list the legal moves
  help       show this
  quit       leave; you can come back
`

// playUntilOver shows what the server tells and sends what the person says, until the game is over or the
// person leaves. Two goroutines feed it, one from the server's stream and one from the input, so that
// it shows the opponent's move while the person types. It plays the moves of the stream on a session
// of its own to draw the board.
func (x *online) playUntilOver(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	told, gone, id := make(chan client.GameState), make(chan error, 1), x.game.ID
	go func() {
		gone <- x.client.Watch(ctx, id, func(g client.GameState) error {
			select {
			case told <- g:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}()
	defer func() { cancel(); <-gone }()
	said := make(chan string)
	go func() { // ends with the input, or with the program
		defer close(said)
		for in := bufio.NewScanner(x.in); in.Scan(); {
			said <- strings.TrimSpace(in.Text())
		}
	}()
	// Nothing was shown yet: the stream tells everything again from the first line.
	x.game = client.GameState{ID: id, You: x.game.You, Ply: -1}
	for {
		listen := said
		if !isTerminal(x.in) && !x.isMyTurn() { // what is piped in waits for its turn
			listen = nil
		}
		select {
		case g := <-told:
			if err := x.applyServerState(g); err != nil || x.game.Over() {
				return err
			}
		case line, ok := <-listen:
			if !ok || line == "quit" || line == "q" || line == "exit" {
				x.printHowToReturn()
				return nil
			}
			if err := x.handleLine(ctx, line); err != nil || x.game.Over() {
				return err
			}
		case err := <-gone:
			// The deferred function takes the error from gone once more.
			gone <- err
			return err
		case <-ctx.Done():
			x.printHowToReturn()
			return ctx.Err()
		}
	}
}

// printHowToReturn says how to come back, by the key of the person's seat.
func (x *online) printHowToReturn() {
	x.sayf("\nThe game goes on. To come back:\n  oxo play --server %s --join %s#%s\n", x.server, x.game.ID,
		x.client.Token)
}

// isMyTurn reports whether it is the person's turn.
func (x *online) isMyTurn() bool { return len(x.game.Legal) > 0 && x.game.Turn == x.game.You }

// applyServerState shows what is new. Lines of the stream may be older than the answer to a move. A move that
// the local game refuses means that server and client differ in the rules, which ends the
// conversation.
func (x *online) applyServerState(g client.GameState) error {
	before := x.game
	if g.Ply < before.Ply && !g.Over() {
		return nil
	}
	x.game = g
	if g.State == "open" {
		if before.State != g.State {
			x.sayf("Waiting for the other side.\n")
		}
		return nil
	}
	begins := before.State != g.State && before.State != "playing"
	if begins && !g.Over() {
		x.sayf("You play against %s.\n", g.OpponentOf(g.You).Name)
	}
	if have := x.session.Record().Moves; len(have) > len(g.Moves) || !slices.Equal(have, g.Moves[:len(have)]) {
		return errors.New("the server has changed its mind about the moves")
	}
	// Moves that the person has not seen yet are played here too, which checks them.
	for _, m := range g.Moves[len(x.session.Record().Moves):] {
		turn := x.session.State().Turn
		if err := x.session.Move(m); err != nil {
			return fmt.Errorf("the server plays %s: %w", m, err)
		}
		x.last = kind.SquareOf(m)
		x.sayf("%s plays %s\n", x.side(turn), m)
	}
	if g.Ply != before.Ply || begins {
		x.sayf("\n%s\n", x.draw.draw(scene{state: x.session.State(), last: x.last,
			owned: x.session.CompletedSetSquares()}))
	}
	switch {
	case g.Over():
		x.showOutcome()
	case before.OpponentOf(g.You).Present && !g.OpponentOf(g.You).Present:
		x.away = true
		x.sayf("\n%s is away.\n", g.OpponentOf(g.You).Name)
	case x.away && g.OpponentOf(g.You).Present:
		x.away = false
		x.sayf("\n%s is back.\n", g.OpponentOf(g.You).Name)
	case g.Offer != "" && g.Offer != before.Offer && g.Offer != g.You:
		x.sayf("\n%s offers a draw: type draw to accept it, or play on.\n", g.OpponentOf(g.You).Name)
	case g.Offer != "" && g.Offer != before.Offer:
		x.sayf("You offer a draw. It stands until %s has moved.\n", g.OpponentOf(g.You).Name)
	case before.Ply == g.Ply && !begins:
		return nil
	}
	x.prompt()
	return nil
}

// prompt asks for a move, if it is the person's turn.
func (x *online) prompt() {
	if x.isMyTurn() {
		x.sayWhichMovesAreCommands(x.game.Legal)
		x.sayf("%s%s> ", x.side(x.game.You), clockText(x.game.SeatOf(x.game.You)))
	}
}

// clockText shows what is left on a clock, where there is one.
func clockText(s client.Seat) string {
	if s.LeftMS == nil {
		return ""
	}
	return fmt.Sprintf(" (%v left)", (time.Duration(*s.LeftMS) * time.Millisecond).Round(100*time.Millisecond))
}

// showOutcome tells how the game ended.
func (x *online) showOutcome() {
	text := "The game was called off"
	switch x.game.Result {
	case "draw":
		text = "A draw"
	case "first", "second":
		text = x.side(x.game.Result) + " wins"
	}
	if x.game.Reason != "" {
		text += ": " + x.game.Reason
	}
	x.sayf("%s.\n", text)
}

// handleLine sends what a person says, and shows what comes of it. Anything but a known word is taken for a move. A
// refusal by the server is shown, and is no error.
func (x *online) handleLine(ctx context.Context, line string) error {
	if !isTerminal(x.in) {
		x.sayf("%s\n", line)
	}
	path, body := "/sessions/"+x.game.ID+"/", any(nil)
	switch word := strings.ToLower(line); word {
	case "hint", "why", "values", "review":
		x.sayf("There are %s.\n", lab.NoHints())
		return nil
	case "", "help", "h", "?", "moves", "clock":
		x.showRequested(word)
		x.prompt()
		return nil
	case "resign", "draw", "abort", "claim":
		path += word
	default:
		if move, ok := moveAfterWord(line); ok {
			line = move
		}
		path, body = path+"move", map[string]any{"move": line, "ply": x.game.Ply}
	}
	var now client.GameState
	switch err := x.client.Do(ctx, http.MethodPost, path, body, &now); {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		x.sayf("%v. Try again, or type help.\n", refusalReason(err))
		x.prompt()
		return nil
	}
	return x.applyServerState(now)
}

// showRequested shows what a person asks for.
func (x *online) showRequested(request string) {
	switch request {
	case "help", "h", "?":
		x.sayf("%s\n"+onlineCommands, x.info.Rules, x.squareHelp())
	case "moves":
		x.sayf("%s\n", strings.Join(x.game.Legal, " "))
	case "clock":
		names := x.info.Seats
		x.sayf("%s%s, %s%s\n", names[0], clockText(x.game.First), names[1], clockText(x.game.Second))
	}
}

// refusalReason returns a refusal's reason without its status, for people.
func refusalReason(err error) error {
	if p, ok := errors.AsType[*client.Problem](err); ok {
		return errors.New(p.Detail)
	}
	return err
}

// checkServer refuses what is no address of a server.
func checkServer(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("--server %q: give an address such as %s", address, localServer)
	}
	return nil
}

// explainUnreachable says of an error that no server was reached, where that is so.
func explainUnreachable(server string, err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return fmt.Errorf("--server %s: nobody answers there: %w", server, u.Err)
	}
	return err
}
