package web

import (
	"strings"
	"sync"
	"testing"
	"time"

	"oxo/web/live"
)

// TestNextGame opens a game for the other side of the last, who is let in by the key there.
func TestNextGame(t *testing.T) {
	p := newPair(t, newMemory(), "ttt", nil)
	next := object{"game": "ttt", "after": p.id}
	p.sides[0].fault(409, "POST", api+"sessions", next) // not over
	p.play("a1", "a2", "b1", "b2", "c1")
	p.fault(403, "POST", api+"sessions", next)
	p.sides[0].fault(422, "POST", api+"sessions", object{"game": "ttt", "after": p.id, "public": true})
	p.sides[0].fault(404, "POST", api+"sessions", object{"game": "ttt", "after": "none"})
	var open, accept live.OpenReply
	p.sides[0].answered(200, "POST", api+"sessions", next, &open)
	if v := p.show(); v.Next != open.Session.ID || open.Invite != "" {
		t.Errorf("next is %q, want %q, without the invitation %q", v.Next, open.Session.ID, open.Invite)
	}
	p.sides[1].fault(409, "POST", api+"sessions", next) // open already
	var list live.SessionList
	p.sides[1].answered(200, "GET", api+"sessions?ids=none,"+p.id, nil, &list)
	if got := list.Sessions; len(got) != 2 || got[0].ID != p.id || got[0].You != "" || got[1].ID != open.Session.ID {
		t.Errorf("by its id: %+v", list)
	}
	path := api + "sessions/" + open.Session.ID
	p.fault(403, "POST", path+"/accept", object{"invite": "wrong"})
	key := strings.TrimPrefix(p.sides[1].header.Get("Authorization"), "Bearer ")
	// Declined, and asked again.
	p.fault(403, "POST", path+"/decline", object{"invite": "wrong"})
	p.fault(401, "POST", path+"/decline", nil)
	var declined live.View
	p.answered(200, "POST", path+"/decline", object{"invite": key}, &declined)
	if declined.State != live.StateOver || declined.Result != "*" || !strings.HasSuffix(declined.Reason, " declined") ||
		strings.HasPrefix(declined.Reason, open.Seat) {
		t.Errorf("declined: %+v", declined)
	}
	p.fault(409, "POST", path+"/decline", object{"invite": key})
	p.sides[0].answered(200, "POST", api+"sessions", next, &open)
	p.answered(200, "GET", path, nil, &declined)
	if declined.Next != open.Session.ID { // who has followed to the one that was declined is led on
		t.Errorf("after the declined one comes %q, want %q", declined.Next, open.Session.ID)
	}
	path = api + "sessions/" + open.Session.ID
	p.answered(200, "POST", path+"/accept", object{"invite": key}, &accept)
	if accept.Session.State != live.StatePlaying || accept.Seat == open.Seat {
		t.Errorf("accepted: %+v", accept)
	}
}

// TestNextGameAtOnce: where both sides open the next game at once, one does.
func TestNextGameAtOnce(t *testing.T) {
	m := newMemory()
	p := newPair(t, m, "ttt", nil)
	p.play("a1", "a2", "b1", "b2", "c1")
	m.slow = 20 * time.Millisecond
	var both sync.WaitGroup
	var status [2]int
	for i, side := range p.sides {
		both.Go(func() {
			status[i] = side.ask("POST", api+"sessions", object{"game": "ttt", "after": p.id}).Code
		})
	}
	both.Wait()
	if status != [2]int{200, 409} && status != [2]int{409, 200} {
		t.Errorf("answered %v", status)
	}
}
