package client

import (
	"context"
	"fmt"
	"net/http"
	"sync"
)

// Event is a line of a bot's stream.
type Event struct {
	Type    string // challenge, challenge_end, game_start or game_end
	Seat    string // the bot's side
	Session GameState
}

// Bot plays every game that it is in, and accepts challenges.
type Bot struct {
	Client

	// Choose chooses a move where it is the bot's turn. It is called for
	// several games at once, but not twice at once for one. After an error the
	// bot gives the game up.
	Choose func(ctx context.Context, g GameState) (move string, err error)

	// Accept says by an error why a challenge is to be declined; nil accepts
	// all.
	Accept func(g GameState) error

	// Ended, if not nil, is called when the bot has done with a game, with its
	// last line.
	Ended func(g GameState, seat string)

	// Report, if not nil, is told what else happens, a line each.
	Report func(line string)
}

// report tells what happens, where somebody wants to know.
func (b *Bot) report(format string, args ...any) {
	if b.Report != nil {
		b.Report(fmt.Sprintf(format, args...))
	}
}

// Run plays until ctx is done or the server refuses the token. It connects again where the connection
// is lost. Each game runs in a goroutine of its own, and Run returns when all of them have. A
// challenge of the bot's own that the stream tells of is not answered.
func (b *Bot) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	var games sync.WaitGroup
	defer games.Wait()
	defer cancel()
	var mu sync.Mutex
	playing := map[string]bool{}
	for tries := 0; ; tries++ {
		err := followStream(ctx, &b.Client, "/bots/stream", func(e Event) error {
			tries = 0
			switch id := e.Session.ID; {
			case e.Type == "challenge" && e.Session.Maker != e.Seat:
				return b.answerChallenge(ctx, e.Session)
			case e.Type == "game_start":
				mu.Lock()
				defer mu.Unlock()
				if playing[id] { // it is told again after a new connection
					return nil
				}
				playing[id] = true
				games.Go(func() {
					if err := b.playGame(ctx, e.Session, e.Seat); err != nil && ctx.Err() == nil {
						b.report("game %s: %v", id, err)
					}
					mu.Lock()
					defer mu.Unlock()
					delete(playing, id)
				})
			}
			return nil
		})
		if err := waitToRetry(ctx, err, tries); err != nil {
			return err
		}
	}
}

// answerChallenge accepts or declines a challenge. An error of Accept is not sent: the challenger is told only
// that the bot declines. That the challenge was withdrawn meanwhile is no error.
func (b *Bot) answerChallenge(ctx context.Context, g GameState) error {
	verb := "accept"
	if b.Accept != nil {
		if err := b.Accept(g); err != nil {
			b.report("declines %s: %v", g.Game, err)
			verb = "decline"
		}
	}
	return ignoreConflict(b.Do(ctx, http.MethodPost, "/sessions/"+g.ID+"/"+verb, struct{}{}, nil))
}

// playGame plays a side of a game to its end, or until ctx is done or the server refuses. A ply is answered once,
// however often the stream tells of it.
func (b *Bot) playGame(ctx context.Context, g GameState, seat string) error {
	if b.Ended != nil {
		defer func() { b.Ended(g, seat) }()
	}
	answered := -1
	return b.Watch(ctx, g.ID, func(now GameState) error {
		g = now
		if len(g.Legal) == 0 || g.Turn != seat || g.Ply <= answered {
			return nil
		}
		answered = g.Ply
		return b.chooseAndMove(ctx, g)
	})
}

// chooseAndMove chooses and plays a move. That it comes too late is no error: the next line says how the game
// stands. It tries again while the server is busy or away; after an error of Choose the bot resigns.
func (b *Bot) chooseAndMove(ctx context.Context, g GameState) error {
	move, err := b.Choose(ctx, g)
	for tries := 0; err == nil; tries++ {
		if err = ignoreConflict(b.Move(ctx, g.ID, move, g.Ply)); err == nil {
			return nil
		}
		err = waitToRetry(ctx, err, tries)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	b.report("game %s: gives up: %v", g.ID, err)
	return ignoreConflict(b.Do(ctx, http.MethodPost, "/sessions/"+g.ID+"/resign", nil, nil))
}

// ignoreConflict takes for no error that something came too late.
func ignoreConflict(err error) error {
	if isRefusal(err, http.StatusConflict) {
		return nil
	}
	return err
}
