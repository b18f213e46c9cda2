package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"oxo"
)

// Order is what the operator asks of the server.
type Order struct {
	Seq            int64
	Verb, Kind, ID string
}

// Orders is where a server's operator puts down orders, and who is turned away.
type Orders interface {
	Pending(ctx context.Context) ([]Order, error)
	Done(seq int64, answer string, failed bool) error
	Drop(kind, id string) error
	Ban(kind, id string, banned bool) error
	Bans(ctx context.Context) ([][2]string, error)
}

// orderPause is how long an order waits at most.
const orderPause = 250 * time.Millisecond

// bans are who is turned away, by kind and id.
type bans struct {
	mu  sync.RWMutex
	who map[[2]string]bool
}

// has reports whether somebody is turned away.
func (b *bans) has(kind, id string) bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.who[[2]string{kind, id}]
}

func (b *bans) set(kind, id string, banned bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.who == nil {
		b.who = map[[2]string]bool{}
	}
	b.who[[2]string{kind, id}] = banned
}

// errBanned is what somebody reads who is turned away.
var errBanned = refuse(http.StatusForbidden, "the operator of this server has turned you away")

// obey carries out orders until the server closes.
func (s *Server) obey(o Orders) error {
	all, err := o.Bans(context.Background())
	if err != nil {
		return err
	}
	for _, b := range all {
		s.bans.set(b[0], b[1], true)
	}
	s.crew.wait.Go(func() {
		tick := time.NewTicker(orderPause)
		defer tick.Stop()
		for {
			list, err := o.Pending(context.Background())
			if err != nil {
				s.log.Error("store", "reason", err)
			}
			for _, order := range list {
				answer, err := s.carry(o, order)
				if err != nil {
					answer = err.Error()
				}
				s.log.Warn("operator", "verb", order.Verb, "kind", order.Kind, "id", order.ID, "answer", answer)
				if err := o.Done(order.Seq, answer, err != nil); err != nil {
					s.log.Error("store", "reason", err)
				}
			}
			select {
			case <-tick.C:
			case <-s.crew.closing.Done():
				return
			}
		}
	})
	return nil
}

// carry carries out an order.
func (s *Server) carry(o Orders, order Order) (answer string, err error) {
	id := order.ID
	switch order.Verb + " " + order.Kind {
	case "cancel job", "remove job":
		j, err := s.crew.job(context.Background(), id)
		switch {
		case err != nil && errors.Is(err, s.hall.errs.damaged) && order.Verb == "remove":
			return "removed", o.Drop("job", id)
		case err != nil:
			return "", err
		case order.Verb == "cancel":
			return "cancelled", s.crew.cancel(j)
		}
		return "removed", s.crew.drop(j)
	case "cancel game", "remove game":
		if err := s.callOff(id); err != nil && order.Verb == "cancel" {
			return "", err
		}
		if order.Verb == "cancel" {
			return "cancelled", nil
		}
		return "removed", o.Drop("game", id)
	case "remove bot":
		defer s.hall.tokens.forget()
		return "removed", o.Drop("bot", id)
	case "remove proof", "remove file", "remove brain":
		return "removed", o.Drop(order.Kind, id)
	case "ban address", "ban bot", "ban visitor", "unban address", "unban bot", "unban visitor":
		banned := order.Verb == "ban"
		if err := o.Ban(order.Kind, id, banned); err != nil {
			return "", err
		}
		s.bans.set(order.Kind, id, banned)
		return map[bool]string{true: "turned away from now on", false: "let in again"}[banned], nil
	}
	return "", fmt.Errorf("there is no order %q for a %s", order.Verb, order.Kind)
}

// callOff ends a game that is open or being played.
func (s *Server) callOff(id string) error {
	t, err := s.hall.table(context.Background(), id)
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.State == stateOver {
		return errors.New("the game is over")
	}
	return t.end("*", oxo.EndAbandoned, "the operator called the game off")
}

// operator reports whether a request comes from the machine itself, and from no page
// elsewhere. A server that listens to others has no such requests.
func (s *Server) operator(r *http.Request) bool {
	return s.local && !proxied(r) && localName(r.Host) && isLoopback(sender(r))
}

// operators lets only the operator in, unless it is open to all.
func (s *Server) operators(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.open && !s.operator(r) {
			problem(w, http.StatusForbidden, "this is for the server's operator, on the machine itself; oxo serve --open-metrics opens it")
			return
		}
		h.ServeHTTP(w, r)
	})
}

// reserved are names that a bot could be taken for somebody else by.
var reserved = []string{"admin", "administrator", "anybody", "bot", "chance", "computer", "first", "human", "moderator", "nobody", "operator",
	"oxo", "root", "second", "server", "somebody", "system"}

// isReserved reports whether a name is reserved, in capitals or not.
func isReserved(name string) bool {
	for _, word := range reserved {
		if strings.EqualFold(word, name) {
			return true
		}
	}
	return false
}
