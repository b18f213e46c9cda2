package process_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"oxo/engine/process"
)

// TestMain lets the test binary play the programs that are started: called as "helper MODE" it is one.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "helper" {
		helper(os.Args[2], os.Args[3:])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// helper is a program that is started, or one that such a program starts.
func helper(mode string, args []string) {
	apart := func(mode string) *exec.Cmd {
		c := exec.Command(os.Args[0], append([]string{"helper", mode}, args...)...)
		c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		return c
	}
	switch mode {
	case "daemon": // has a child that leaves everything and stays when its parent is gone
		exec.Command(os.Args[0], "helper", "apart", args[0]).Run()
		time.Sleep(time.Hour)
	case "apart":
		apart("dial").Start()
	case "hermit": // the same, and the child knows nothing of who started it
		c := apart("dial")
		c.Env = []string{"A=1"}
		c.Start()
	case "leaver":
		exec.Command(os.Args[0], "helper", "hermit", args[0]).Run()
		time.Sleep(time.Hour)
	case "limits":
		limits, _ := os.ReadFile("/proc/self/limits")
		os.Stdout.Write(limits)
	case "complainer":
		fmt.Fprint(os.Stderr, strings.Repeat("loading\n", 1<<16), "no weights here\n\n")
	case "manager": // starts a child and leaves it alone
		if _, err := process.Start([]string{os.Args[0], "helper", "dial", args[0]}); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		time.Sleep(time.Hour)
	case "dial": // says to an address that it is here, and stays
		conn, err := net.Dial("tcp", args[0])
		if err != nil {
			return
		}
		fmt.Fprintln(conn, "here")
		time.Sleep(time.Hour)
	}
}

// start starts the helper in a mode.
func start(t *testing.T, mode string, args ...string) *process.Process {
	t.Helper()
	p, err := process.Start(append([]string{os.Args[0], "helper", mode}, args...))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The last line of a program's error output is known, however much it writes.
func TestLastErrorLine(t *testing.T) {
	p := start(t, "complainer")
	if _, err := io.ReadAll(p.Out); err != nil { // until it has ended
		t.Fatal(err)
	}
	if line := p.LastErrorLine(); line != "no weights here" {
		t.Errorf("the last line is %q", line)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

// With a program all that it has started ends, in whatever group or session, also where
// what started it is gone, and where control groups can be made, also where it has cleared
// its environment.
func TestDaemonsEndWithTheirProgram(t *testing.T) {
	t.Run("daemon", func(t *testing.T) { endsDaemon(t, "daemon") })
	t.Run("leaver", func(t *testing.T) {
		if !process.CgroupsAvailable() {
			t.Skip("no control groups can be made here")
		}
		endsDaemon(t, "leaver")
	})
}

// acceptCaller waits until a program says that it is here.
func acceptCaller(t *testing.T, listener net.Listener) (net.Conn, *bufio.Reader) {
	t.Helper()
	caller, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { caller.Close() })
	in := bufio.NewReader(caller)
	if line, err := in.ReadString('\n'); line != "here\n" {
		t.Fatalf("the caller says %q, %v", line, err)
	}
	return caller, in
}

func endsDaemon(t *testing.T, mode string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	program := start(t, mode, listener.Addr().String())
	daemon, in := acceptCaller(t, listener)
	if err := program.Close(); err != nil {
		t.Error(err)
	}
	daemon.SetReadDeadline(time.Now().Add(20 * time.Second))
	if _, err := in.ReadByte(); err == nil || os.IsTimeout(err) {
		t.Error("the daemon lives on")
	}
	if left := process.Cgroups(); len(left) > 0 {
		t.Errorf("control groups are left: %v", left)
	}
}

// Programs are held within limits.
func TestLimits(t *testing.T) {
	program, err := process.Start([]string{"/bin/sh", "-c", "read line; exec \"$0\" helper limits", os.Args[0]})
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	fmt.Fprintln(program.In, "go")
	text, err := io.ReadAll(program.Out)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Max data size", "Max processes", "Max core file size"} {
		_, after, _ := strings.Cut(string(text), name)
		if fields := strings.Fields(after); len(fields) < 2 || fields[0] == "unlimited" || fields[1] == "unlimited" {
			t.Errorf("%s: %s", name, after)
		}
	}
}

// Programs do not outlive us where we are killed without a chance to end them.
func TestProgramsDieWithUs(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	manager := exec.Command(os.Args[0], "helper", "manager", listener.Addr().String())
	if err := manager.Start(); err != nil {
		t.Fatal(err)
	}
	child, in := acceptCaller(t, listener)
	if err := manager.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	manager.Wait()
	child.SetReadDeadline(time.Now().Add(20 * time.Second))
	if _, err := in.ReadByte(); err != io.EOF && os.IsTimeout(err) {
		t.Error("the child lives on")
	}
}
