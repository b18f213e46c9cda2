// Package client speaks to an oxo server as bots and players do. A [Client]
// asks and follows streams; a [Bot] is a whole bot but for the choice of its
// moves. It imports nothing of ours: what it knows of the server is the HTTP
// API, as docs/bots.md describes it.
package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Client is a server's address and who asks there. It is safe for concurrent
// use.
type Client struct {
	URL   string // such as http://127.0.0.1:8210
	Token string // a bot's token or a seat's key; empty for nobody
}

// GameState is a line of a game's stream: all there is to know.
type GameState struct {
	ID          string
	State       string // open, playing or over
	Game        string // the game's spec
	Start       string // the position that play began from
	Moves       []string
	Legal       []string // the moves that may be played now
	Ply         int      // how many moves there are: the ply to be played next
	Position    string
	Turn        string  // first or second
	Owned       [][]int // complete winning sets, each as its squares
	First       Seat
	Second      Seat
	You         string // the asker's side, if it has one
	Maker       string // the seat of who opened the game
	To          string // the bot that is challenged
	Offer       string `json:"draw_offer"` // the side that offers a draw, if one does
	Result      string // first, second or draw; * while there is none
	Termination string
	Reason      string
}

// Seat is one side of a game.
type Seat struct {
	Name    string
	Taken   bool
	Present bool // whether it has a stream open
	Bot     bool
	LeftMS  *int64 `json:"left_ms"` // nil without clocks
	Running bool   // whether its clock runs
}

// SeatOf returns the side of that name, first or second. Any other name is taken for second.
func (g GameState) SeatOf(seat string) Seat {
	if seat == "first" {
		return g.First
	}
	return g.Second
}

// OpponentOf returns the side that plays against the one of that name.
func (g GameState) OpponentOf(seat string) Seat {
	if seat == "first" {
		return g.Second
	}
	return g.First
}

// Over reports whether the game has ended.
func (g GameState) Over() bool { return g.State == "over" }

// Opened is a game that was opened or accepted, with its secrets: the key of the asker's seat, by which it plays as
// a Client's Token, and the invitation of the other one.
type Opened struct {
	Seat, Key, Invite string
	Session           GameState
}

// Problem is a refusal by the server.
type Problem struct {
	Status int
	Detail string
	Errors []struct{ Location, Message string }
	After  time.Duration `json:"-"` // when to try again, where the server says so
}

// Error returns the detail and, of errors in fields, those whose message the detail does not have already.
func (p *Problem) Error() string {
	text := p.Detail
	for _, e := range p.Errors {
		if !strings.Contains(text, e.Message) {
			text += fmt.Sprintf("; %s: %s", strings.TrimPrefix(e.Location, "body."), e.Message)
		}
	}
	return fmt.Sprintf("%s (status %d)", text, p.Status)
}

// isRefusal reports whether an error is a refusal with that status, nil being none.
func isRefusal(err error, status int) bool {
	p, ok := errors.AsType[*Problem](err)
	return ok && p.Status == status
}

// transport keeps as many connections as a bot with many games needs.
var transport = func() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = 64
	return t
}()

// send sends a request with a JSON body, and returns the answer whatever its status. Any status from
// 300 on is a *Problem; the body of any other answer is the caller's to close.
func (c *Client) send(ctx context.Context, method, path string, body any) (*http.Response, error) {
	data := []byte{}
	if body != nil {
		var err error
		if data, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(c.URL, "/")+"/api/v1"+path,
		bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", "application/x-ndjson, application/json")
	if c.Token != "" {
		req.Header.Set("Authorization", "Bearer "+c.Token)
	}
	r, err := (&http.Client{Transport: transport}).Do(req)
	if err != nil || r.StatusCode < 300 {
		return r, err
	}
	defer r.Body.Close()
	p := &Problem{}
	if json.NewDecoder(io.LimitReader(r.Body, 1<<20)).Decode(p) != nil || p.Detail == "" {
		p.Detail = "not an oxo server's answer: " + r.Status
	}
	p.Status = r.StatusCode
	if seconds, err := strconv.Atoi(r.Header.Get("Retry-After")); err == nil {
		p.After = time.Duration(seconds) * time.Second
	}
	return nil, p
}

// Do asks, with a body unless that is nil, and reads the answer into a value
// unless that is nil. A refusal is a *Problem.
func (c *Client) Do(ctx context.Context, method, path string, body, into any) error {
	r, err := c.send(ctx, method, path, body)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	if into == nil {
		_, err := io.Copy(io.Discard, r.Body)
		return err
	}
	return json.NewDecoder(r.Body).Decode(into)
}

// silence is after how long without a line a stream is taken for dead: the
// server sends one every 7 s.
const silence = 25 * time.Second

// followStream reads a stream's lines until it ends, which is no error. The context that reading runs in
// ends after silence, which is the only way to notice a server that has gone without closing the
// connection.
func followStream[T any](ctx context.Context, c *Client, path string, each func(T) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watchdog := time.AfterFunc(silence, func() { cancel(fmt.Errorf("the server has been silent for %v", silence)) })
	defer watchdog.Stop()
	r, err := c.send(ctx, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	lines := bufio.NewReader(r.Body)
	for {
		text, err := lines.ReadBytes('\n')
		switch {
		case errors.Is(err, io.EOF): // a line without its end was cut off
			return nil
		// The cause says whether the caller has called it off or the server was silent.
		case err != nil && ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			return err
		}
		if len(text) <= 1 { // says only that the stream is alive
			watchdog.Reset(silence)
			continue
		}
		watchdog.Stop() // each may take its time
		var line T
		if err := json.Unmarshal(text, &line); err != nil {
			return err
		}
		if err := each(line); err != nil {
			return err
		}
		watchdog.Reset(silence)
	}
}

// Watch follows a game until it is over: each is called with every line of its stream. It connects
// again where the connection is lost, so a line may come twice. An error of each ends it and is
// returned.
func (c *Client) Watch(ctx context.Context, id string, each func(GameState) error) error {
	over, refusal := false, error(nil)
	for tries := 0; ; tries++ {
		err := followStream(ctx, c, "/sessions/"+id+"/stream", func(g GameState) error {
			tries, over = 0, g.Over()
			refusal = each(g)
			return refusal
		})
		if over || refusal != nil {
			return refusal
		}
		if err := waitToRetry(ctx, err, tries); err != nil {
			return err
		}
	}
}

// Move plays a move as the given ply, that is, after so many moves of the game. Playing the same move for the same
// ply again is no error, so that whoever got no answer may ask once more.
func (c *Client) Move(ctx context.Context, id, move string, ply int) error {
	return c.Do(ctx, http.MethodPost, "/sessions/"+id+"/move", map[string]any{"move": move, "ply": ply}, nil)
}

// Pauses before another try: they double from the first to the longest.
const (
	firstPause   = 100 * time.Millisecond
	longestPause = 5 * time.Second
)

// waitToRetry waits before another try, or returns the error that no try will mend: a refusal that is
// not about the server's being busy or broken. A server that says when to come again is believed, up
// to a minute.
func waitToRetry(ctx context.Context, err error, tries int) error {
	pause := min(longestPause, firstPause<<min(tries, 10))
	if p, ok := errors.AsType[*Problem](err); ok {
		if p.Status != http.StatusTooManyRequests && p.Status < 500 {
			return err
		}
		pause = max(pause, min(p.After, time.Minute))
	}
	select {
	case <-time.After(pause):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
