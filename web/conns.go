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
// An address of IPv6 is its network. The error of Accept is that of the listener.
func LimitConns(l net.Listener) net.Listener {
	return &connLimit{Listener: l, most: connsEach}
}

// connLimit is a listener that lets each address have so many connections.
type connLimit struct {
	net.Listener
	most int
	open service.Counts // by address
}

// Accept waits for a connection that is allowed. One too many is closed without a word, as an answer
// would cost more than it.
func (l *connLimit) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		from := service.ClientAddress(&http.Request{RemoteAddr: c.RemoteAddr().String()})
		// A connection may be closed more than once, and is counted out once.
		leave := sync.OnceFunc(func() { l.open.Add(from, -1) })
		if l.open.Add(from, 1) <= l.most || service.IsLoopback(from) {
			return &countedConn{Conn: c, left: leave}, nil
		}
		leave()
		c.Close()
	}
}

// countedConn is a connection that says when it is closed.
type countedConn struct {
	net.Conn
	left func()
}

// Close counts the connection out, also where closing fails.
func (c *countedConn) Close() error {
	c.left()
	return c.Conn.Close()
}
