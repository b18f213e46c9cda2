package process

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// dieWithUs has the program killed when the thread that starts it ends: with
// our process, as no thread of ours ends before it. (Only a goroutine that
// keeps its thread to itself, by runtime.LockOSThread, can end one.)
func dieWithUs(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }

// mark is the variable by which all that a program starts is known, whatever group,
// session or parent it has.
const mark = "OXO_ENGINE="

// marked gives the program a mark of its own.
// The mark is the last of its variables, where killTree finds it.
func marked(cmd *exec.Cmd) {
	cmd.Env = append(os.Environ(), mark+rand.Text())
}

// The most of a program and of each that it starts: bytes of memory of its own, and
// processes and threads of its user, of which root may have any number.
const (
	mostMemory    = 4 << 30
	mostProcesses = 4096
)

// limitResources holds a program that has been started within its limits.
// What it starts from then on inherits the limits. No core files are written.
func limitResources(cmd *exec.Cmd) error {
	for resource, most := range map[int]uint64{unix.RLIMIT_DATA: mostMemory, unix.RLIMIT_NPROC: mostProcesses,
		unix.RLIMIT_CORE: 0} {
		if err := lowerLimit(cmd.Process.Pid, resource, most); err != nil {
			return fmt.Errorf("limit %q: %w", cmd.Path, err)
		}
	}
	return nil
}

// lowerLimit lowers a process's limit, unless it is lower already. That the process has ended is no error.
func lowerLimit(pid, resource int, most uint64) error {
	var now unix.Rlimit
	err := unix.Prlimit(pid, resource, nil, &now)
	if err == nil {
		err = unix.Prlimit(pid, resource, &unix.Rlimit{Cur: min(now.Cur, most), Max: min(now.Max, most)}, nil)
	}
	if errors.Is(err, unix.ESRCH) {
		return nil
	}
	return err
}

// rounds is how often what a program has started is looked for: until nothing is found
// any more, but not without end.
const rounds = 50

// killTree kills all that a program has started, directly or not: the processes below it
// and those with its mark, also those that have left its group and session. A process
// that has cleared its environment and lost its parents is not found. The program itself
// must not have been waited for.
func killTree(cmd *exec.Cmd) {
	mark := []byte(cmd.Env[len(cmd.Env)-1])
	// What is found may start more before it is killed.
	for range rounds {
		found := false
		for _, pid := range descendants(cmd.Process.Pid, mark) {
			found = syscall.Kill(pid, syscall.SIGKILL) == nil || found
		}
		if !found {
			return
		}
	}
}

// descendants returns the processes that live below one or have a mark, without the one.
// Processes that have ended and are only not waited for are left out. Those of others, whose variables can't be read,
// have no mark.
func descendants(root int, mark []byte) (pids []int) {
	names, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	parents := map[int]int{}
	for _, n := range names {
		pid, err := strconv.Atoi(n.Name())
		if err != nil {
			continue
		}
		text, err := os.ReadFile("/proc/" + n.Name() + "/stat")
		if err != nil {
			continue
		}
		state, parent := parseStat(string(text))
		if state != "Z" && state != "X" && pid != root {
			parents[pid] = parent
		}
	}
	for pid := range parents {
		// The way up goes from parent to parent, to the first that is not in the map, as root is not.
		up := pid
		for range len(parents) {
			if above, known := parents[up]; known {
				up = above
			}
		}
		if up == root || hasEnvironmentVariable(pid, mark) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// parseStat reads the state and the parent of a process from its line in /proc. The
// name, which may hold anything, stands in brackets.
// A line that is none is that of a process that is gone.
func parseStat(stat string) (state string, parent int) {
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if len(fields) < 2 {
		return "X", 0
	}
	parent, _ = strconv.Atoi(fields[1])
	return fields[0], parent
}

// hasEnvironmentVariable reports whether a process was started with a variable.
func hasEnvironmentVariable(pid int, variable []byte) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	return err == nil && slices.ContainsFunc(bytes.Split(text, []byte{0}),
		func(word []byte) bool { return bytes.Equal(word, variable) })
}
