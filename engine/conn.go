package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"oxo"
	"oxo/engine/process"
)

// Fault is what a program on the other side did wrong, which loses it the
// game.
// What says in a clause what it did, such as: it did not answer in time.
type Fault struct {
	How  string // a Termination word of oxo.Record
	What string
}

func (f *Fault) Error() string { return f.What }

// Termination returns how the game ends.
func (f *Fault) Termination() string { return f.How }

// illegalMove is the fault of an answer that the protocol, or the game, does not allow.
func illegalMove(format string, args ...any) error {
	return &Fault{oxo.EndIllegal, fmt.Sprintf(format, args...)}
}

const (
	maxLine  = 1 << 16 // bytes of a line from the other side
	maxLines = 10_000  // lines that may come before the one that is waited for
)

// Stream is one direction of a connection; pipes and sockets are streams.
type Stream interface {
	io.Closer
	SetDeadline(t time.Time) error
}

// Conn sends and receives lines. It is used by one goroutine at a time.
// rest may hold more than one line.
type Conn struct {
	in interface {
		Stream
		io.Reader
	}
	out interface {
		Stream
		io.Writer
	}
	rest []byte // received, but not yet returned
	buf  [4096]byte

	program *process.Process // at the other side; nil if it is none of ours
}

// NewConn makes a connection of a socket.
// Closing the connection closes the socket. Send and Receive need deadlines, which sockets have.
func NewConn(c interface {
	Stream
	io.ReadWriter
}) *Conn {
	return &Conn{in: c, out: c}
}

// start starts a program and connects to its input and output; see [process.Start]. Closing the connection ends it.
func start(argv []string) (*Conn, error) {
	p, err := process.Start(argv)
	if err != nil {
		return nil, err
	}
	return &Conn{in: p.Out, out: p.In, program: p}, nil
}

// past ends all waiting.
var past = time.Unix(1, 0)

// armDeadline gives the stream the deadline of ctx; disarm must be called after use.
// The deadline is set when ctx is done, and not before, so that a ctx that is cancelled ends the waiting too.
func armDeadline(ctx context.Context, s Stream) (disarm func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, explainStreamError(ctx, err, "")
	}
	if err := s.SetDeadline(time.Time{}); errors.Is(err, os.ErrNoDeadline) {
		return nil, fmt.Errorf("this connection can't be waited for: %w", err)
	} // other errors come again when it is read or written
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		s.SetDeadline(past)
		close(done)
	})
	return func() {
		if !stop() {
			<-done // so that it does not end a later wait
		}
	}, nil
}

// explainStreamError returns what an error of a stream means. A context that was cancelled
// is no fault of the other side.
// doing is put behind the sentence, and says at what it happened.
func explainStreamError(ctx context.Context, err error, doing string) error {
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return ctx.Err()
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return &Fault{oxo.EndTime, "it did not answer in time"}
	}
	return &Fault{oxo.EndCrashed, "it has ended or closed its connection" + doing}
}

// Send sends lines. Where the other side does not read, it waits no longer
// than ctx.
// The lines come without their ends. After an error some of them may have been sent.
func (c *Conn) Send(ctx context.Context, lines ...string) error {
	disarm, err := armDeadline(ctx, c.out)
	if err != nil {
		return err
	}
	defer disarm()
	for _, line := range lines {
		if _, err := io.WriteString(c.out, line+"\n"); err != nil {
			return c.withErrorOutput(explainStreamError(ctx, err, fmt.Sprintf(" before %.40q", line)))
		}
	}
	return nil
}

// Receive returns the next line that is not empty, without its end: CR, LF or
// both. A line of more than 64 KiB is a fault.
func (c *Conn) Receive(ctx context.Context) (string, error) {
	disarm, err := armDeadline(ctx, c.in)
	if err != nil {
		return "", err
	}
	defer disarm()
	// What was searched for the end of a line is not searched again.
	searched := 0
	for {
		if i := bytes.IndexAny(c.rest[searched:], "\r\n"); i >= 0 {
			line := strings.TrimSpace(string(c.rest[:searched+i]))
			c.rest = c.rest[searched+i+1:]
			if searched = 0; line != "" {
				return line, nil
			}
			continue
		}
		if searched = len(c.rest); searched > maxLine {
			return "", illegalMove("a line of more than %d bytes: %.40q…", maxLine, c.rest)
		}
		n, err := c.in.Read(c.buf[:])
		c.rest = append(c.rest, c.buf[:n]...)
		if err != nil && n == 0 {
			if err == io.EOF && len(bytes.TrimSpace(c.rest)) > 0 {
				c.rest = append(c.rest, '\n') // the last line has no end
				continue
			}
			return "", c.withErrorOutput(explainStreamError(ctx, err, ""))
		}
	}
}

// withErrorOutput tells with the fault of a program that has ended what its error output ends with.
func (c *Conn) withErrorOutput(err error) error {
	f, ok := errors.AsType[*Fault](err)
	if !ok || f.How != oxo.EndCrashed || c.program == nil {
		return err
	}
	if line := c.program.LastErrorLine(); line != "" {
		return &Fault{f.How, fmt.Sprintf("%s; its error output ends with %.200q", f.What, line)}
	}
	return err
}

// awaitAnswer receives lines until one is the answer; parse also returns what it
// makes of it. Other lines, up to 10,000, are passed over.
// An error of parse ends the waiting. The fault of a program that ends or falls silent tells its last line.
func awaitAnswer[T any](ctx context.Context, c *Conn,
	parse func(line string) (v T, isAnswer bool, err error)) (none T, err error) {
	last := ""
	for range maxLines {
		line, err := c.Receive(ctx)
		if err == nil {
			v, isAnswer, wrong := parse(line)
			if isAnswer && wrong == nil {
				return v, nil
			}
			last, err = line, wrong
		}
		if f, ok := errors.AsType[*Fault](err); ok && last != "" && f.How != oxo.EndIllegal {
			err = &Fault{f.How, fmt.Sprintf("%s; the last line was %.60q", f.What, last)}
		}
		if err != nil {
			return none, err
		}
	}
	return none, illegalMove("it talks without answering; the last line was %.60q", last)
}

// Close closes the connection, and ends the program where it is one of ours.
// A program that ends of itself, however it ends, is no error.
func (c *Conn) Close() error {
	if c.program != nil {
		return c.program.Close()
	}
	return c.in.Close()
}
