package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// leave is how long a program may take to end once its input is closed, and die
// how long it is waited for once it is killed.
const (
	leave = 300 * time.Millisecond
	die   = 5 * time.Second
)

// Start starts a program and connects to its input and output. Of what it writes
// to its error output the last line is told where it crashes. Closing the connection closes its input and,
// after a moment, kills it and every process in its group. On Linux that is all it has
// started, in groups and sessions of their own too, it is held within limits of memory and processes, and it is also
// killed if we are. Where control groups can be made, nothing can leave its own; else
// a process that has cleared its environment and lost its parents is not found.
func Start(argv []string) (*Conn, error) {
	if len(argv) == 0 {
		return nil, errors.New("the command is empty")
	}
	// Our ends of the pipes take deadlines, which end a wait.
	input, toProgram, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("start %q: %w", argv[0], err)
	}
	fromProgram, output, err := os.Pipe()
	if err != nil {
		closeAll(input, toProgram)
		return nil, fmt.Errorf("start %q: %w", argv[0], err)
	}
	errorsOfProgram, errorOut, err := os.Pipe()
	if err != nil {
		closeAll(input, toProgram, fromProgram, output)
		return nil, fmt.Errorf("start %q: %w", argv[0], err)
	}
	cmd, group, err := startInCgroup(func() *exec.Cmd {
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = input, output, errorOut
		return cmd
	})
	// The program has its ends of the pipes by now. Here they are closed, so that its output ends when it does.
	closeAll(input, output, errorOut)
	c := &Conn{in: fromProgram, out: toProgram}
	if err != nil {
		closeAll(toProgram, fromProgram, errorsOfProgram)
		return nil, fmt.Errorf("start %q: %w", argv[0], err)
	}
	c.errorOutput = keepErrorOutput(errorsOfProgram)
	limited := limitResources(cmd)
	c.close = sync.OnceValue(func() error {
		// The program sees the end of its input, and has a moment to leave by itself.
		toProgram.Close()
		c.drain(leave)
		err := killAndWait(cmd, group)
		closeAll(fromProgram, errorsOfProgram)
		return err
	})
	if limited != nil {
		return nil, errors.Join(limited, c.close())
	}
	return c, nil
}

// closeAll closes ends of pipes.
func closeAll(ends ...*os.File) {
	for _, f := range ends {
		f.Close()
	}
}

// startInCgroup starts a program in a process group and, where it can be made, in a control group of its own.
// prepared makes the command anew for each try. Where the program does not start in its control group, it is tried
// without one.
func startInCgroup(prepared func() *exec.Cmd) (*exec.Cmd, *cgroup, error) {
	cmd := prepared()
	setOwnProcessGroup(cmd)
	group := newCgroup(cmd)
	err := cmd.Start()
	if group == nil {
		return cmd, nil, err
	}
	group.closeDescriptor(cmd)
	if err != nil { // perhaps it was not let in
		group.remove()
		group, cmd = nil, prepared()
		setOwnProcessGroup(cmd)
		err = cmd.Start()
	}
	return cmd, group, err
}

// killAndWait kills a program with all that it has started, and waits for it.
// Its exit status is no error.
func killAndWait(cmd *exec.Cmd, group *cgroup) error {
	// The program is not waited for before its group is killed: until
	// then no other process can have its number.
	group.kill()
	killProcessGroup(cmd)
	defer group.remove()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
			return fmt.Errorf("end %q: %w", cmd.Args[0], err)
		}
		return nil
	case <-time.After(die): // it has more rights than we, or hangs in the system
		return fmt.Errorf("end %q: it was killed, but has not ended", cmd.Args[0])
	}
}

// drain reads and forgets until the other side closes, but no longer than d.
// A program that still writes could not end otherwise.
func (c *Conn) drain(d time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	defer cancel()
	disarm, err := armDeadline(ctx, c.in)
	if err != nil {
		return
	}
	defer disarm()
	for err == nil {
		_, err = c.in.Read(c.buf[:])
	}
}

// SplitCommand splits a command into words at blanks. Quotes, single or
// double, keep blanks; a backslash outside single quotes takes the next
// character as it is.
// There is at least one word. No shell is asked, so that nothing else in a command has a meaning.
func SplitCommand(command string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord, quote, escaped := false, rune(0), false
	for _, c := range command {
		switch {
		case escaped:
			word.WriteRune(c)
			escaped = false
		case c == '\\' && quote != '\'':
			inWord, escaped = true, true
		case quote != 0:
			if c == quote {
				quote = 0
			} else {
				word.WriteRune(c)
			}
		case c == '\'' || c == '"':
			inWord, quote = true, c
		case c == ' ' || c == '\t' || c == '\n':
			if inWord {
				words = append(words, word.String())
				word.Reset()
			}
			inWord = false
		default:
			inWord = true
			word.WriteRune(c)
		}
	}
	switch {
	case quote != 0:
		return nil, fmt.Errorf("command %q: the closing %c is missing", command, quote)
	case escaped:
		return nil, fmt.Errorf("command %q: nothing follows the last backslash", command)
	}
	if inWord {
		words = append(words, word.String())
	}
	if len(words) == 0 {
		return nil, errors.New("the command is empty")
	}
	return words, nil
}
