package cmd

import (
	"bufio"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"oxo/lab"
	"oxo/web"
)

// pipes are connections without a network, of which each is that of a client.
type pipes struct {
	coming chan net.Conn
	closed chan struct{}
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.coming:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p pipes) Close() error   { close(p.closed); return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p pipes) dial() net.Conn {
	client, server := net.Pipe()
	p.coming <- server
	return client
}

// TestSlowClients: clients that take their time to say what they want hold nobody up, and
// are hung up on: after 10 s in the headers, after 5 s in the body.
func TestSlowClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := web.New(web.Config{Local: true, Lab: lab.Lab{Kinds: lab.BuiltIn()}})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		p := pipes{make(chan net.Conn), make(chan struct{})}
		server := newHTTPServer(s, slog.New(slog.DiscardHandler))
		go server.Serve(p)
		defer server.Close()
		const post = "POST /api/v1/choose HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
		began, ended := time.Now(), map[string]chan time.Duration{}
		for _, begin := range []string{"POST /api/v1/choose HTTP/1.1\r\nHost: localhost\r\nX-Long: ",
			post + "Content-Length: 100000\r\n\r\n"} {
			ended[begin] = make(chan time.Duration, 50)
			for range 50 {
				go func() {
					c := p.dial()
					defer c.Close()
					go io.Copy(io.Discard, c)
					_, err := io.WriteString(c, begin)
					for err == nil {
						time.Sleep(time.Second)
						_, err = io.WriteString(c, "x")
					}
					ended[begin] <- time.Since(began)
				}()
			}
		}
		time.Sleep(2500 * time.Millisecond)
		const body = `{"game":"ttt","player":"alphabeta:depth=3","seed":1}`
		c, asked := p.dial(), time.Now()
		go io.WriteString(c, post+"Connection: close\r\nContent-Length: 52\r\n\r\n"+body)
		r, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || r.StatusCode != http.StatusOK || time.Since(asked) != 0 {
			t.Errorf("another is answered after %v: %v %v", time.Since(asked), r, err)
		}
		for begin, times := range ended {
			limit := 11 * time.Second // the next letter after the limit finds nobody
			if strings.HasSuffix(begin, "\r\n\r\n") {
				limit = 6 * time.Second
			}
			for range 50 {
				if took := <-times; took > limit {
					t.Fatalf("%.20q… lasts %v, and %v are allowed", begin, took, limit)
				}
			}
		}
	})
}
