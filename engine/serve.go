package engine

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"sync"
	"time"
)

// About is what a server says of itself.
type About struct {
	Name, Version, Author string
}

// output writes lines from several goroutines.
// mu guards w and err.
type output struct {
	mu  sync.Mutex
	w   io.Writer
	err error // the first one; nothing is written after it
}

// say writes a line, unless writing has failed before.
// Format and arguments are those of fmt; the end of the line is added.
func (o *output) say(format string, args ...any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		_, o.err = fmt.Fprintf(o.w, format+"\n", args...)
	}
}

// firstError returns the error with which writing failed first.
func (o *output) firstError() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// maxCommand is the longest line that a server reads; the rest is cut off.
const maxCommand = 1 << 16

// readLines sends the lines of r that are not empty, without their ends: CR,
// LF or both. It closes the channel at the end of r or after an error. Where
// nobody listens any more, it ends with ctx or, if r keeps it waiting, with
// the program.
func readLines(ctx context.Context, r io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		in := bufio.NewReader(r)
		var line []byte
		for {
			c, err := in.ReadByte()
			if err == nil && c != '\n' && c != '\r' {
				if len(line) < maxCommand {
					line = append(line, c)
				}
				continue
			}
			if len(line) > 0 {
				select {
				case lines <- string(line):
				case <-ctx.Done():
					return
				}
			}
			if line = line[:0]; err != nil {
				return
			}
		}
	}()
	return lines
}

// thinking is a move that is being thought about.
// It may be nil where nothing is thought about: its methods take that.
type thinking struct {
	cancel context.CancelFunc
	done   chan struct{} // closed when it has answered
}

// stop makes it answer now and waits for that.
func (t *thinking) stop() {
	if t != nil {
		t.cancel()
		<-t.done
	}
}

// finished is closed when nothing is thought about any more.
// It is nil, which blocks for good, where nothing is.
func (t *thinking) finished() <-chan struct{} {
	if t == nil {
		return nil
	}
	return t.done
}

// longAlone is the longest time for a move that is used up where the input has
// ended: by a script, which wants its answer, or because the manager is gone.
const longAlone = time.Minute

// timeAfterInputEnds returns how long a move of that limit, which is 0 for none, is thought
// about once the input has ended.
func timeAfterInputEnds(limit time.Duration) time.Duration {
	if limit == 0 || limit > longAlone {
		return time.Second
	}
	return limit
}
