package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"oxo/web/service"
)

// Order is what the operator asks of the server.
// Orders are numbered by Seq in the order in which they were given; verb and kind are those of apply.
type Order struct {
	Seq            int64
	Verb, Kind, ID string
}

// Orders is where a server's operator puts down orders, and who is turned away.
// Pending lists the orders that have no answer yet. Drop takes a thing out of the store; Ban keeps who is turned
// away, for servers to come, and Bans lists them, each by kind and id. Has reports whether the store has a bot or a
// visitor of that id.
type Orders interface {
	Pending(ctx context.Context) ([]Order, error)
	EndOrder(seq int64, answer string, failed bool) error
	Drop(kind, id string) error
	Ban(kind, id string, banned bool) error
	Bans(ctx context.Context) ([][2]string, error)
	Has(ctx context.Context, kind, id string) (bool, error)
}

// orderPause is how long an order waits at most.
const orderPause = 250 * time.Millisecond

// loadBansAndFollowOrders carries out orders until the server closes.
// It first reads who is turned away, and returns then: orders are looked for by a goroutine of its own, which
// Close waits for. An order that fails is answered with the error.
func (s *Server) loadBansAndFollowOrders(o Orders) error {
	all, err := o.Bans(context.Background())
	if err != nil {
		return err
	}
	for _, b := range all {
		// What is no address turns nobody away.
		if key, err := service.BanKey(b[0], b[1]); err == nil {
			s.Bans.Set(b[0], key, true)
		}
	}
	s.tasks.Go(func() {
		tick := time.Tick(orderPause)
		for {
			list, err := o.Pending(context.Background())
			if err != nil {
				s.Log.Error("store", "reason", err)
			}
			for _, order := range list {
				answer, err := s.applyOrder(o, order)
				if err != nil {
					answer = err.Error()
				}
				s.Log.Warn("operator", "verb", order.Verb, "kind", order.Kind, "id", order.ID, "answer", answer)
				if err := o.EndOrder(order.Seq, answer, err != nil); err != nil {
					s.Log.Error("store", "reason", err)
				}
			}
			select {
			case <-tick:
			case <-s.Closing:
				return
			}
		}
	})
	return nil
}

// applyOrder carries out an order.
// The answer is for the operator. A game or a job that is removed is ended first, as players and watchers may
// have it in hand.
func (s *Server) applyOrder(o Orders, order Order) (answer string, err error) {
	id := order.ID
	switch order.Verb + " " + order.Kind {
	case "cancel job", "remove job":
		j, err := s.scheduler.Find(context.Background(), id)
		switch {
		// A damaged job can't be opened, so it is in nobody's hands and is dropped as it is.
		case err != nil && errors.Is(err, s.Errs.Damaged) && order.Verb == "remove":
			return "removed", o.Drop("job", id)
		case err != nil:
			return "", err
		case order.Verb == "cancel":
			return "cancelled", s.scheduler.Cancel(j)
		}
		return "removed", s.scheduler.Drop(j)
	case "cancel game", "remove game":
		if err := s.lobby.CallOff(id); err != nil && order.Verb == "cancel" {
			return "", err
		}
		if order.Verb == "cancel" {
			return "cancelled", nil
		}
		return "removed", o.Drop("game", id)
	case "remove bot":
		if err := o.Drop("bot", id); err != nil {
			return "", err
		}
		s.Tokens.ForgetAll()                // after the bot has gone, so that none is remembered as good
		ended, err := s.lobby.RemoveBot(id) // after that, as it can open no more
		answer = "removed"
		if ended > 0 {
			answer += fmt.Sprintf("; its open games (%d) are ended, and lost where they were being played", ended)
		}
		if has, _ := o.Has(context.Background(), "visitor", "bot "+id); has { // which is said where it can be
			answer += "; its name is free once its jobs are removed too"
		}
		return answer, err
	case "remove proof", "remove file", "remove brain":
		return "removed", o.Drop(order.Kind, id)
	case "ban address", "ban bot", "ban visitor", "unban address", "unban bot", "unban visitor":
		return s.turnAway(o, order.Kind, id, order.Verb == "ban")
	}
	return "", fmt.Errorf("there is no order %q for a %s", order.Verb, order.Kind)
}

// turnAway turns somebody away, or lets them in again. The answer says where nobody is known by that: it may be a slip,
// or meant for who is to come.
func (s *Server) turnAway(o Orders, kind, id string, banned bool) (answer string, err error) {
	if id, err = service.BanKey(kind, id); err != nil {
		return "", err
	}
	known := kind == "address"
	if !known {
		if known, err = o.Has(context.Background(), kind, id); err != nil {
			return "", err
		}
	}
	if err := o.Ban(kind, id, banned); err != nil {
		return "", err
	}
	s.Bans.Set(kind, id, banned)
	if banned && kind == "bot" {
		s.lobby.HangUp(id)
	}
	answer = map[bool]string{true: "turned away from now on", false: "let in again"}[banned]
	if !known {
		answer += fmt.Sprintf("; but no %s is known by that: look whether it is written right", kind)
	}
	return answer, nil
}

// isOperator reports whether a request comes from the machine itself, and from no page
// elsewhere. A server that listens to others has no such requests.
func (s *Server) isOperator(r *http.Request) bool {
	return s.local && !service.IsProxied(r) && isLocalHost(r.Host) && service.IsLoopback(service.ClientAddress(r))
}

// onlyOperator lets only the operator in, unless it is open to all.
// Anybody else is answered with status 403.
func (s *Server) onlyOperator(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.open && !s.isOperator(r) {
			writeProblem(w, service.NewProblem(http.StatusForbidden, "operator"))
			return
		}
		h.ServeHTTP(w, r)
	})
}
