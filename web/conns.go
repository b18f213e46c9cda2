package web

import (
	"net"
	"net/http"
	"sync"

	"oxo/web/service"
)

// connsEach is how many connections one address elsewhere may have.
const connsEach = 1000

// LimitConns returns the listener without what an address elsewhere has too much:
// those connections are closed at once. A proxy on this machine has as many as it likes.
func LimitConns(l net.Listener) net.Listener {
	return &connLimit{Listener: l, most: connsEach, open: map[string]int{}}
}

type connLimit struct {
	net.Listener
	most int

	mu   sync.Mutex
	open map[string]int // by address
}

// Accept waits for a connection that is allowed.
func (l *connLimit) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		from := service.ClientAddress(&http.Request{RemoteAddr: c.RemoteAddr().String()})
		l.mu.Lock()
		allowed := service.IsLoopback(from) || l.open[from] < l.most
		if allowed {
			l.open[from]++
		}
		l.mu.Unlock()
		if allowed {
			return &countedConn{Conn: c, left: sync.OnceFunc(func() { l.releaseConn(from) })}, nil
		}
		c.Close()
	}
}

func (l *connLimit) releaseConn(from string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[from]--; l.open[from] == 0 {
		delete(l.open, from)
	}
}

// countedConn is a connection that says when it is closed.
type countedConn struct {
	net.Conn
	left func()
}

func (c *countedConn) Close() error {
	c.left()
	return c.Conn.Close()
}
