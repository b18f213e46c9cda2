package process

import (
	"bytes"
	"io"
	"sync"
	"time"
)

const (
	mostErrorOutput = 4 << 10                // bytes of a program's error output that are kept, its last
	errorOutputWait = 200 * time.Millisecond // for the error output of a program that has ended
)

// errorOutput keeps the end of what a program writes to its error output.
type errorOutput struct {
	mu    sync.Mutex
	end   []byte
	ended chan struct{} // closed at the end of the output
}

// keepErrorOutput reads a program's error output until that ends or fails.
func keepErrorOutput(from io.Reader) *errorOutput {
	o := &errorOutput{ended: make(chan struct{})}
	go func() {
		defer close(o.ended)
		buf := make([]byte, 4096)
		for {
			n, err := from.Read(buf)
			o.mu.Lock()
			o.end = append(o.end, buf[:n]...)
			o.end = o.end[max(0, len(o.end)-mostErrorOutput):]
			o.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return o
}

// lastLine returns the last line that is not blank, see [Process.LastErrorLine].
func (o *errorOutput) lastLine() string {
	select {
	case <-o.ended:
	case <-time.After(errorOutputWait):
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	text := bytes.TrimSpace(o.end)
	return string(bytes.TrimSpace(text[bytes.LastIndexAny(text, "\r\n")+1:]))
}
