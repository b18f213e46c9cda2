package live

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"oxo/web/service"
)

// Lingers is how long a bot that polls counts as connected after an answer.
const Lingers = 10 * time.Second

// BotNews is how things stand for a bot.
// The version is 0 before the first event; otherwise only whether it is another one means something.
type BotNews struct {
	Version int64      `json:"version" doc:"another after each event"`
	Events  []BotEvent `json:"events" doc:"a challenge or game_start for each of its challenges and games that is not over"`
}

// registerPolling registers the stream of events for bots that can't read streams.
func (s *bots) registerPolling() {
	service.Register(s.Base, botOp(http.MethodGet, "/events", "poll-bot", "Ask what concerns a bot",
		"The first lines of its stream, for programs that can't read streams. With after and wait it is a long poll: "+
			"answered when the "+
			"version is another, or when the wait is over. The bot counts as connected until 10 s after the answer."),
		func(ctx context.Context, in *struct {
			service.Auth
			After int64 `query:"after" default:"-1" doc:"the version that is known already"`
			Wait  int   `query:"wait" minimum:"0" maximum:"30" doc:"seconds to wait for another"`
		}) (*BotNews, error) {
			v, err := s.RequireBot(ctx, in.Auth, service.ScopePlay)
			if err != nil {
				return nil, err
			}
			return s.pollBot(ctx, v, in.After, time.Duration(in.Wait)*time.Second, func() error {
				_, err := s.RequireBot(ctx, in.Auth, service.ScopePlay)
				return err
			})
		})
}

// pollBot waits for a version other than the known one.
// With a wait of 0 it answers at once. While it waits the bot listens, and afterwards it counts as connected for
// Lingers, so that it can be challenged between two polls, unless check says that it is turned away meanwhile.
func (s *bots) pollBot(ctx context.Context, v service.Identity, after int64, wait time.Duration,
	check func() error) (*BotNews, error) {
	events, _, leave := s.Lobby.listen(v.Bot)
	defer leave()
	timeout := time.After(wait)
	for last := wait == 0; ; last = waitTimedOut(ctx, events, timeout, s.Lobby.Closing) {
		version, ids := s.Lobby.versionAndGameIDs(v.Bot)
		if version != after || last {
			if err := check(); err != nil {
				return nil, err
			}
			s.Lobby.keepConnected(v.Bot, Lingers)
			return &BotNews{version, s.currentEvents(ctx, v, ids)}, nil
		}
	}
}

// currentEvents tells how a bot's games and challenges stand, the oldest first.
// Games that are over are left out. The list is never nil.
func (s *bots) currentEvents(ctx context.Context, v service.Identity, ids []string) []BotEvent {
	list := []BotEvent{}
	for _, id := range ids {
		t, err := s.Lobby.Find(ctx, id)
		if err != nil {
			continue // it has ended meanwhile
		}
		if e, ok := t.eventFor(v); ok {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b BotEvent) int {
		return cmp.Or(a.Session.Made.Compare(b.Session.Made), strings.Compare(a.Session.ID, b.Session.ID))
	})
	return list
}
