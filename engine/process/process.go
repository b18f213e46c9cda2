// Package process starts programs and ends them with all that they have started.
package process

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// leave is how long a program may take to end once its input is closed, and die
// how long it is waited for once it is killed.
const (
	leave = 300 * time.Millisecond
	die   = 5 * time.Second
)

// Process is a program that was started.
type Process struct {
	In, Out     *os.File // our ends of the pipes that it reads and writes; they take deadlines, which end a wait
	errorOutput *errorOutput
	end         func() error
}

// Start starts a program. Closing it closes its input and,
// after a moment, kills it and every process in its group. On Linux that is all it has
// started, in groups and sessions of their own too, it is held within limits of memory and processes, and it is also
// killed if we are. Where control groups can be made, nothing can leave its own; else
// a process that has cleared its environment and lost its parents is not found.
func Start(argv []string) (*Process, error) {
	if len(argv) == 0 {
		return nil, errors.New("the command is empty")
	}
	var theirs, ours [3]*os.File // ends of the pipes of its input, output and error output
	for i := range ours {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(append(theirs[:], ours[:]...)...)
			return nil, fmt.Errorf("start %q: %w", argv[0], err)
		}
		if theirs[i], ours[i] = w, r; i == 0 {
			theirs[i], ours[i] = r, w
		}
	}
	cmd, group, err := startInCgroup(func() *exec.Cmd {
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs[0], theirs[1], theirs[2]
		return cmd
	})
	// The program has its ends of the pipes by now. Here they are closed, so that its output ends when it does.
	closeAll(theirs[:]...)
	if err != nil {
		closeAll(ours[:]...)
		return nil, fmt.Errorf("start %q: %w", argv[0], err)
	}
	p := &Process{In: ours[0], Out: ours[1], errorOutput: keepErrorOutput(ours[2])}
	limited := limitResources(cmd)
	p.end = sync.OnceValue(func() error {
		// The program sees the end of its input, and has a moment to leave by itself. One that still writes could not
		// end if nobody read.
		p.In.Close()
		p.Out.SetReadDeadline(time.Now().Add(leave))
		io.Copy(io.Discard, p.Out)
		err := killAndWait(cmd, group)
		closeAll(ours[1:]...)
		return err
	})
	if limited != nil {
		return nil, errors.Join(limited, p.Close())
	}
	return p, nil
}

// Close ends the program. That one ends of itself, however it ends, is no error.
func (p *Process) Close() error { return p.end() }

// LastErrorLine returns the last line of the error output that is not blank, empty where there is none. Of a program
// that has ended it waits a moment for the rest.
func (p *Process) LastErrorLine() string { return p.errorOutput.lastLine() }

// closeAll closes ends of pipes, those that there are.
func closeAll(ends ...*os.File) {
	for _, f := range ends {
		f.Close() // an error where there is none
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
