package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"oxo"
	"oxo/lab"
	"oxo/web/client"
)

// localServer is where oxo serve listens unless told otherwise.
const localServer = "http://127.0.0.1:8210"

// tokenVariable is the environment's name for a bot's token: a flag would show
// it to everybody on the machine.
const tokenVariable = "OXO_TOKEN"

// botOptions say what a bot does beside playing what it is challenged to. With games it ends after so many, 0 going
// on until stopped; a bank of 0 is no clocks.
type botOptions struct {
	server, name    string
	game, challenge string
	seek            bool
	games           int
	bank, increment time.Duration
	seed            uint64
}

// botVerb returns the verb that has a player play as a bot on a server.
func botVerb(a *app) *cobra.Command {
	var o botOptions
	c := &cobra.Command{
		Use:   "bot PLAYER",
		Short: "have a player play on a server",
		Long: "have a player play on a server: it accepts every challenge to a game that it can play.\n" +
			"The environment's " + tokenVariable +
			" is the bot's token; without it a new bot is made, and its token shown once.",
		Example: "  oxo bot --server http://127.0.0.1:8210 --name deep mcts:time=1s\n  oxo bot --challenge deep " +
			"--game mnk:4,4,4 --games 2 perfect",
		Args: exactArgs("PLAYER"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkServer(o.server); err != nil {
				return fmt.Errorf("bot: %w", err)
			}
			if err := a.runBot(c.Context(), args[0], o); err != nil {
				return fmt.Errorf("bot: %w", explainUnreachable(o.server, err))
			}
			return nil
		},
	}
	c.Flags().StringVar(&o.server, "server", localServer, "the server's address")
	c.Flags().StringVar(&o.name, "name", "", "the name of a new bot")
	c.Flags().StringVar(&o.game, "game", "ttt", "the game to seek or challenge to")
	c.Flags().BoolVar(&o.seek, "seek", false, "offer games to anybody")
	c.Flags().StringVar(&o.challenge, "challenge", "", "the bot to challenge")
	c.Flags().IntVar(&o.games, "games", 0,
		"end after that many games; 0 goes on until stopped, and seeks or challenges once")
	c.Flags().DurationVar(&o.bank, "bank", 0, "time on each clock of games it opens (default no clocks)")
	c.Flags().DurationVar(&o.increment, "increment", 0, "time added after each move")
	c.Flags().Uint64Var(&o.seed, "seed", 1, "what the player draws from")
	return c
}

// runBot plays until ctx is done, or the wanted games are over. Before it connects for good it opens the
// game once, so that a player that can't play it is refused at once and not in the middle of a game.
func (a *app) runBot(ctx context.Context, player string, o botOptions) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	b := &onlineBot{app: a, player: player, seed: o.seed, want: o.games, stop: stop,
		playing: map[string]*botGame{}, results: map[string]int{}}
	b.client = client.Client{URL: o.server, Token: os.Getenv(tokenVariable)}
	// It says at once what would never work.
	if err := b.checkPlayable(client.GameState{Game: o.game}, "first"); err != nil {
		return err
	}
	if err := b.registerIfNew(ctx, o.name); err != nil {
		return err
	}
	if o.seek || o.challenge != "" {
		if err := b.offerGames(ctx, o); err != nil {
			return err
		}
	}
	err := (&client.Bot{Client: b.client, Choose: b.chooseMove, Accept: b.checkChallenge, Ended: b.closeAndTally,
		Report: b.report}).Run(ctx)
	if !errors.Is(err, context.Canceled) {
		return err
	}
	return b.printTotals()
}

// offerGames opens games for anybody or for another bot.
func (b *onlineBot) offerGames(ctx context.Context, o botOptions) error {
	ask := map[string]any{"game": o.game, "public": o.seek, "to": o.challenge}
	if o.bank > 0 {
		ask["clock"] = clockTerms(o.bank, o.increment)
	}
	for range max(1, o.games) {
		if err := b.client.Do(ctx, http.MethodPost, "/sessions", ask, nil); err != nil {
			return err
		}
	}
	return nil
}

// clockTerms is the clock of a new game as the API's request has it, in milliseconds: what is on each
// clock at first, and what a move adds.
func clockTerms(bank, increment time.Duration) map[string]int64 {
	return map[string]int64{"bank_ms": bank.Milliseconds(), "increment_ms": increment.Milliseconds()}
}

// onlineBot plays a player of the laboratory's on a server. Several of its games run at once, each in
// a goroutine of the client's; what they share is behind mu.
// Opened has at most mostOpened games. Begun counts the games that were begun, and playing has those that go
// on, by the server's ID; results counts those that are over, by how they ended for the bot.
type onlineBot struct {
	*app
	client client.Client
	player string
	seed   uint64
	stop   func()

	mu      sync.Mutex
	opened  []openedGame // the latest last
	begun   uint64
	playing map[string]*botGame
	want    int // games to end after, 0 for no end
	played  int
	results map[string]int
}

// openedGame is a game and the spec that it was asked for by.
type openedGame struct {
	lab.Game
	spec string
}

// botGame is a game as the bot's player has it in mind: a session in which the player has one side, and the moves
// of both that it has been told.
type botGame struct {
	lab.Session
	moves []string
}

// registerIfNew makes a new bot where there is no token, and prints its token, which the server tells once only.
func (b *onlineBot) registerIfNew(ctx context.Context, name string) error {
	if b.client.Token != "" {
		return nil
	}
	if name == "" {
		name = fmt.Sprintf("oxo-%d-%d", time.Now().Unix(), os.Getpid())
	}
	var made struct {
		Name  string `json:"name"`
		Token string `json:"token"`
	}
	if err := b.client.Do(ctx, http.MethodPost, "/bots", map[string]string{"name": name}, &made); err != nil {
		return err
	}
	b.client.Token = made.Token
	return b.answerf(made, "%s plays %s at %s. To come back as the same bot:\n%s=%s\n", made.Name, b.player,
		b.client.URL, tokenVariable, made.Token)
}

// report tells what happens beside the games on the error output, a line each.
func (b *onlineBot) report(line string) { fmt.Fprintln(b.errs, line) }

// mostOpened is how many games' solutions and the like a bot keeps.
const mostOpened = 8

// cachedGame opens a game, or returns one that is open. The caller holds b.mu. The latest [mostOpened] games
// are kept, as opening one may solve it; what was asked for by another spec is opened again.
func (b *onlineBot) cachedGame(spec string) (lab.Game, error) {
	for _, g := range b.opened {
		if g.spec == spec {
			return g, nil
		}
	}
	g, err := b.lab.Game(spec)
	if err != nil {
		return nil, err
	}
	b.opened = append(b.opened[max(0, len(b.opened)-mostOpened+1):], openedGame{g, spec})
	return g, nil
}

// beginGame begins a game for the player in the seat to move. Each game has a seed of its own, counted up
// from --seed, so that a bot that plays the same game twice does not play the same moves.
func (b *onlineBot) beginGame(g client.GameState, seat string) (*botGame, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	game, err := b.cachedGame(g.Game)
	if err != nil {
		return nil, err
	}
	o := lab.SessionOptions{First: lab.Human, Second: lab.Human, Position: g.Start, Seed: b.seed + b.begun}
	b.begun++
	if seat == "first" {
		o.First = b.player
	} else {
		o.Second = b.player
	}
	s, err := game.NewSession(o)
	if err != nil {
		return nil, err
	}
	return &botGame{Session: s}, nil
}

// checkPlayable says why the player can't play a game.
func (b *onlineBot) checkPlayable(g client.GameState, seat string) error {
	s, err := b.beginGame(g, seat)
	if err != nil {
		return err
	}
	return s.Close()
}

// checkChallenge declines what the player can't play, in the seat that the challenger leaves.
func (b *onlineBot) checkChallenge(g client.GameState) error {
	return b.checkPlayable(g, oxo.SeatNamed(g.Maker).Other().String())
}

// chooseMove brings the player up to date and lets it move. It is called for several games at once, for
// each one after the other. It allots an eighth of what is left on the clock to a move. Where the
// server's moves differ from those that the player has seen, as after a new connection, the player
// begins anew.
func (b *onlineBot) chooseMove(ctx context.Context, g client.GameState) (move string, err error) {
	b.mu.Lock()
	s := b.playing[g.ID]
	b.mu.Unlock()
	if s == nil || len(s.moves) > len(g.Moves) || !slices.Equal(s.moves, g.Moves[:len(s.moves)]) {
		if s != nil { // the server knows of other moves
			b.closeGame(g.ID)
		}
		if s, err = b.beginGame(g, g.Turn); err != nil {
			return "", err
		}
		b.mu.Lock()
		b.playing[g.ID] = s
		b.mu.Unlock()
	}
	for _, m := range g.Moves[len(s.moves):] {
		if err := s.Move(m); err != nil {
			return "", err
		}
		s.moves = append(s.moves, m)
	}
	if left := g.SeatOf(g.Turn).LeftMS; left != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(*left)*time.Millisecond/8) // it is not the last move
		defer cancel()
	}
	if move, err = s.Step(ctx); err == nil && move == "" {
		err = errors.New("the player resigns")
	}
	s.moves = append(s.moves, move)
	return move, err
}

// closeGame closes a game's player. An error on closing, such as that of another program that has
// ended by itself, is only reported: the game is over.
func (b *onlineBot) closeGame(id string) {
	b.mu.Lock()
	s := b.playing[id]
	delete(b.playing, id)
	b.mu.Unlock()
	if s == nil {
		return
	}
	if err := s.Close(); err != nil {
		b.report(fmt.Sprintf("game %s: %v", id, err))
	}
}

// closeAndTally counts and tells of a game that is over. Once as many games as wanted have ended, it
// stops the bot, those called off included.
func (b *onlineBot) closeAndTally(g client.GameState, seat string) {
	b.closeGame(g.ID)
	if !g.Over() {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	// A result is the winner's seat, draw, or * where there is none.
	word := cmp.Or(map[string]string{seat: "won", "draw": "drawn", "*": "called off"}[g.Result], "lost")
	b.results[word]++
	against := g.OpponentOf(seat).Name
	// a broken pipe ends with the last line
	_ = b.answerf(botResult{g.ID, g.Game, seat, against, g.Result, g.Termination, g.Moves},
		"%s as %s against %s: %s %s\n", g.Game, seat, against, word, strings.Join(g.Moves, " "))
	if b.played++; b.played == b.want {
		b.stop()
	}
}

// botResult is what --json prints of a game, a line each.
type botResult struct {
	ID          string   `json:"id"`
	Game        string   `json:"game"`
	Seat        string   `json:"seat"`
	Against     string   `json:"against"`
	Result      string   `json:"result"`
	Termination string   `json:"termination"`
	Moves       []string `json:"moves"`
}

// printTotals sums up the games of a bot that was stopped, by its number of games or by the person.
func (b *onlineBot) printTotals() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	wins, draws, losses := b.results["won"], b.results["drawn"], b.results["lost"]
	return b.answerf(map[string]int{"games": b.played, "wins": wins, "draws": draws, "losses": losses},
		"%d games: %d won, %d drawn, %d lost\n", b.played, wins, draws, losses)
}
