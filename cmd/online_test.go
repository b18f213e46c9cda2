package cmd

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"oxo/web/client"
)

// person is somebody at a terminal.
type person struct {
	*testing.T
	in   io.WriteCloser
	out  *bufio.Reader
	seen strings.Builder
	done chan int
}

// sit starts oxo with arguments for a person.
func sit(t *testing.T, args ...string) *person {
	in, typed := io.Pipe()
	shown, out := io.Pipe()
	p := &person{T: t, in: typed, out: bufio.NewReader(shown), done: make(chan int, 1)}
	go func() {
		p.done <- runCommandLine(t.Context(), args, in, out, out)
		out.Close()
	}()
	return p
}

// until reads until a line, or a prompt, matches and returns what matched.
func (p *person) until(pattern string) []string {
	p.Helper()
	wanted := regexp.MustCompile(pattern)
	line := ""
	for {
		b, err := p.out.ReadByte()
		if err != nil {
			p.Fatalf("%q does not come: %v in\n%s", pattern, err, p.seen.String())
		}
		p.seen.WriteByte(b)
		if b == '\n' {
			line = ""
			continue
		}
		line += string(b)
		if m := wanted.FindStringSubmatch(line); m != nil {
			return m
		}
	}
}

func (p *person) types(line string) {
	p.Helper()
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.Error(err)
	}
}

// leaves ends the input and returns the rest of what is shown.
func (p *person) leaves() string {
	p.in.Close()
	rest, _ := io.ReadAll(p.out) // a pipe ends without an error
	if code := <-p.done; code != exitDone {
		p.Errorf("exit status %d: %s", code, rest)
	}
	return string(rest)
}

// TestInvitation has one person invite another, leave and come back.
func TestInvitation(t *testing.T) {
	s, err := startServer(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.kill()
	ann := sit(t, "play", "mnk:2,1,2", "--server", s.URL, "--first", "human", "--name", "Ann", "--position", ".. x")
	link := ann.until(`http://\S+/online\?id=[a-z0-9]+#invite=oxo_invite_[A-Z2-7]{26}$`)[0]
	invitation := ann.until(`--join ([a-z0-9]+#oxo_invite_[A-Z2-7]{26})$`)[1]
	if id, secret, _ := strings.Cut(invitation, "#"); !strings.HasSuffix(link, "?id="+id+"#invite="+secret) {
		t.Errorf("%s and %s", link, invitation)
	}
	ann.until(`Waiting for the other side\.`)
	bob := sit(t, "play", "--server", s.URL, "--join", link, "--name", "Bob", "--json")
	bob.until(`You play against Ann`)
	ann.until(`You play against Bob`)
	ann.until(`X> `)
	ann.types("a1")
	ann.until(`X plays a1`)
	bob.until(`O> `)
	back := regexp.MustCompile(`--join (\S+)`).FindStringSubmatch(bob.leaves())
	if back == nil {
		t.Fatal("it does not say how to come back")
	}
	ann.until(`Bob is away`)
	bob = sit(t, "play", "--server", s.URL, "--join", back[1], "--json")
	bob.until(`O> `)
	ann.until(`Bob is back`)
	bob.types("b1")
	bob.until(`A draw\.`)
	ann.until(`A draw\.`)
	if rest := bob.leaves(); !strings.Contains(rest, `"result":"draw"`) {
		t.Errorf("the record: %s", rest)
	}
	ann.leaves()
}

// TestDrawOffer has two people at terminals agree on a draw.
func TestDrawOffer(t *testing.T) {
	s, err := startServer(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.kill()
	ann := sit(t, "play", "ttt", "--server", s.URL, "--first", "human", "--name", "Ann")
	invitation := ann.until(`--join ([a-z0-9]+#oxo_invite_[A-Z2-7]{26})$`)[1]
	ann.until(`Waiting for the other side\.`)
	bob := sit(t, "play", "--server", s.URL, "--join", invitation, "--name", "Bob", "--json")
	ann.until(`X> `)
	ann.types("b2")
	ann.until(`X plays b2`)
	bob.until(`O> `)
	bob.types("draw")
	bob.until(`not both sides have moved yet`)
	bob.until(`O> `)
	bob.types("a1")
	bob.until(`O plays a1`)
	ann.until(`X> `)
	ann.types("draw")
	ann.until(`You offer a draw\. It stands until Bob has moved\.`)
	bob.until(`Ann offers a draw: type draw to accept it, or play on\.`)
	ann.until(`X> `)
	ann.types("a2")
	ann.until(`X plays a2`)
	bob.until(`O> `)
	bob.types("draw")
	bob.until(`A draw: both sides agree\.`)
	ann.until(`A draw: both sides agree\.`)
	if rest := bob.leaves(); !strings.Contains(rest, `"termination":"agreed"`) {
		t.Errorf("the record: %s", rest)
	}
	ann.leaves()
}

// TestServe has a server that logs every request end as Ctrl-C ends it. Its log
// tells no secret.
func TestServe(t *testing.T) {
	dir := t.TempDir()
	s, err := startServer(dir, "--log", "info", "--host", "oxo.example")
	if err != nil {
		t.Fatal(err)
	}
	var made struct{ Token string }
	var opened client.Opened
	ask := map[string]any{"game": "ttt"}
	if err := errors.Join(s.Do(t.Context(), "POST", "/bots", map[string]string{"name": "deep"}, &made),
		s.Do(t.Context(), "POST", "/sessions", ask, &opened)); err != nil {
		t.Fatal(err)
	}
	c := client.Client{URL: s.URL, Token: opened.Key}
	if err := c.Do(t.Context(), "POST", "/sessions/"+opened.Session.ID+"/accept",
		map[string]string{"invite": opened.Invite}, nil); err == nil {
		t.Error("somebody plays both sides")
	}
	c.Token = made.Token
	if err := c.Do(t.Context(), "GET", "/sessions?key="+made.Token, nil, nil); err == nil ||
		strings.Contains(err.Error(), made.Token) {
		t.Errorf("a key where none is taken: %v", err)
	}
	if err := s.stop(); err != nil {
		t.Errorf("%v: %s", err, s.said)
	}
	log := s.said.String()
	for _, secret := range []string{made.Token, opened.Key, opened.Invite, "oxo_"} {
		if strings.Contains(log, secret) {
			t.Errorf("the log tells %s:\n%s", secret, log)
		}
	}
	requests := slices.DeleteFunc(slices.Collect(strings.Lines(log)), func(line string) bool {
		return regexp.MustCompile(`"msg":"(start|games taken up|stop)"`).MatchString(line)
	})
	for _, line := range requests {
		var said struct{ Level, Msg, Route string }
		if err := json.Unmarshal([]byte(line), &said); err != nil || said.Level != "INFO" || said.Msg != "request" ||
			!strings.Contains(said.Route, "/api/v1/") {
			t.Errorf("%v: %s", err, line)
		}
	}
	if n := len(requests); n != 4 {
		t.Errorf("%d lines:\n%s", n, log)
	}
	var out bytes.Buffer
	if code := runCommandLine(t.Context(), []string{"serve", "--addr", "nowhere", "--data", dir}, nil, &out,
		&out); code != exitRefuse {
		t.Errorf("status %d: %s", code, &out)
	}
}
