package process

import (
	"bufio"
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"path"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// cgroup is a control group (version 2) of one program: all that it starts stays in it,
// whatever session, parent or environment it takes, and all of it is killed at once.
// dir is its folder in the file system of control groups. To a nil cgroup closeDescriptor, kill and remove do nothing.
type cgroup struct{ dir string }

// cgroupPrefix is what names of our control groups begin with; then come the process that made it and a word.
const cgroupPrefix = "oxo-engine-"

// sweep has groups left over removed once a process, before the first one is made.
var sweep sync.Once

// removeStaleCgroups removes the control groups of processes that were killed. The kernel refuses those in
// which something lives.
// parentDir is the folder of our own group, in which they lie.
func removeStaleCgroups(parentDir string) {
	list, _ := os.ReadDir(parentDir)
	for _, f := range list {
		rest, ours := strings.CutPrefix(f.Name(), cgroupPrefix)
		maker, _, _ := strings.Cut(rest, "-")
		// A signal 0 is sent to nobody: it only tells whether there is such a process.
		if pid, err := strconv.Atoi(maker); ours && err == nil && syscall.Kill(pid, 0) == syscall.ESRCH {
			_ = syscall.Rmdir(path.Join(parentDir, f.Name()))
		}
	}
}

// newCgroup puts a program that is not started yet into a control group of its own; nil where this
// process may make none. Limits of the whole are set where the kernel has handed the
// controllers on.
func newCgroup(cmd *exec.Cmd) *cgroup {
	own := ownCgroupDir()
	if own == "" {
		return nil
	}
	sweep.Do(func() { removeStaleCgroups(own) })
	c := &cgroup{path.Join(own, fmt.Sprintf("%s%d-%s", cgroupPrefix, os.Getpid(), rand.Text()))}
	if os.Mkdir(c.dir, 0o700) != nil {
		return nil
	}
	// Without the file that kills a group as a whole, it is of no use.
	if _, err := os.Stat(path.Join(c.dir, "cgroup.kill")); err != nil { // before Linux 5.14
		c.remove()
		return nil
	}
	fd, err := syscall.Open(c.dir, syscall.O_DIRECTORY|syscall.O_CLOEXEC, 0)
	if err != nil {
		c.remove()
		return nil
	}
	_ = c.write("memory.max", mostMemory) // without the controllers the limits of each process stay
	_ = c.write("pids.max", mostProcesses)
	// The kernel starts the program in the group, so that there is no moment in which it is outside.
	cmd.SysProcAttr.UseCgroupFD, cmd.SysProcAttr.CgroupFD = true, fd
	return c
}

// closeDescriptor closes the descriptor by which the program was put into its group.
// It is called when the program was started, or was refused.
func (c *cgroup) closeDescriptor(cmd *exec.Cmd) {
	if c != nil {
		syscall.Close(cmd.SysProcAttr.CgroupFD)
	}
}

// write sets one of the group's files to a number.
func (c *cgroup) write(name string, n int) error {
	return os.WriteFile(path.Join(c.dir, name), []byte(strconv.Itoa(n)), 0)
}

// kill kills all that is in the group.
func (c *cgroup) kill() {
	if c != nil {
		_ = c.write("cgroup.kill", 1) // what it leaves is found by its mark
	}
}

// remove removes the group, for which what was killed in it has to be gone.
// The kernel refuses to remove a group as long as something in it is not gone, which is waited for, but no longer
// than die.
func (c *cgroup) remove() {
	if c == nil {
		return
	}
	for limit := time.Now().Add(die); syscall.Rmdir(c.dir) == syscall.EBUSY && time.Now().Before(limit); {
		time.Sleep(time.Millisecond)
	}
}

// ownCgroupDir is the folder of the control group, version 2, that this process is in;
// empty where there is none.
func ownCgroupDir() string {
	// The fourth word of a mount is its root, the fifth where it is mounted; behind the dash stands the type of file
	// system.
	mount := findInLines("/proc/self/mountinfo", func(words []string) string {
		for i, word := range words {
			if word == "-" && len(words) > max(4, i+1) && words[i+1] == "cgroup2" && words[3] == "/" {
				return words[4]
			}
		}
		return ""
	})
	// A line of version 2 begins with 0 and two colons.
	group := findInLines("/proc/self/cgroup", func(words []string) string {
		own, _ := strings.CutPrefix(strings.Join(words, " "), "0::")
		if !strings.HasPrefix(own, "/") {
			return ""
		}
		return own
	})
	if mount == "" || group == "" {
		return ""
	}
	return path.Join(mount, group)
}

// findInLines returns what a function finds in the first line of a file in which it does.
// find gets the words of a line, and returns "" where it finds nothing. A file that can't be read has no lines.
func findInLines(file string, find func(words []string) string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if found := find(strings.Fields(lines.Text())); found != "" {
			return found
		}
	}
	return ""
}
