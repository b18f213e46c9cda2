package live

import (
	"time"

	"oxo"
	"oxo/web/service"
)

// SayPause is how long a side waits after one ready phrase before its next.
const SayPause = 3 * time.Second

// SayRequest is a ready phrase. There are no others: nobody has to read what a stranger has written.
type SayRequest struct {
	Phrase string `json:"phrase" enum:"hello,good-game,thanks,one-moment"`
}

// Said is the phrase that was said last in a game, as its two sides are shown it.
type Said struct {
	By     string `json:"by" enum:"first,second"`
	Phrase string `json:"phrase" enum:"hello,good-game,thanks,one-moment"`
}

// spoken is the phrase that was said last in a game, and when each side has said something last.
type spoken struct {
	by     oxo.Seat
	phrase string
	at     [2]time.Time
}

// say has a side say a ready phrase to the other, also when the game is over, where both are people. It is shown for
// Lingers. The caller holds the game's lock.
func (h *Lobby) say(t *Game, side oxo.Seat, phrase string) error {
	if t.Seats[0].Key == nil || t.Seats[1].Key == nil {
		return service.NewProblem(409, "say.people")
	}
	now := time.Now()
	h.mu.Lock()
	defer h.mu.Unlock()
	s := spoken{side, phrase, h.said[t.id].at}
	if now.Sub(s.at[side]) < SayPause {
		return service.NewProblem(409, "say.soon", "n", int(SayPause/time.Second))
	}
	s.at[side] = now
	h.said[t.id] = s
	t.watchers.Notify()
	time.AfterFunc(Lingers, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.said[t.id] == s {
			delete(h.said, t.id)
			t.watchers.Notify()
		}
	})
	return nil
}

// lastSaid is what was said last in a game, nil where that was long ago.
func (h *Lobby) lastSaid(id string) *Said {
	h.mu.Lock()
	defer h.mu.Unlock()
	s, ok := h.said[id]
	if !ok {
		return nil
	}
	return &Said{s.by.String(), s.phrase}
}
