package engine_test

import (
	"bufio"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"oxo/engine"
)

func init() {
	ownSession = func(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
}

// With a program all that it has started ends, in whatever group or session, also where
// what started it is gone, and where control groups can be made, also where it has cleared
// its environment.
func TestDaemonsEndWithTheirProgram(t *testing.T) {
	t.Run("daemon", func(t *testing.T) { endsDaemon(t, "daemon") })
	t.Run("leaver", func(t *testing.T) {
		if !engine.CgroupsAvailable() {
			t.Skip("no control groups can be made here")
		}
		endsDaemon(t, "leaver")
	})
}

func endsDaemon(t *testing.T, mode string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	program, err := engine.Start([]string{os.Args[0], "helper", mode, listener.Addr().String()})
	if err != nil {
		t.Fatal(err)
	}
	daemon, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer daemon.Close()
	in := bufio.NewReader(daemon)
	if line, err := in.ReadString('\n'); line != "here\n" {
		t.Fatalf("the daemon says %q, %v", line, err)
	}
	if err := program.Close(); err != nil {
		t.Error(err)
	}
	daemon.SetReadDeadline(time.Now().Add(20 * time.Second))
	if _, err := in.ReadByte(); err == nil || os.IsTimeout(err) {
		t.Error("the daemon lives on")
	}
	if left := engine.Cgroups(); len(left) > 0 {
		t.Errorf("control groups are left: %v", left)
	}
}

// Programs are held within limits.
func TestLimits(t *testing.T) {
	program, err := engine.Start([]string{"/bin/sh", "-c", "read line; exec \"$0\" helper limits", os.Args[0]})
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	if err := program.Send(t.Context(), "go"); err != nil {
		t.Fatal(err)
	}
	text, err := program.Receive(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Max data size", "Max processes", "Max core file size"} {
		_, after, _ := strings.Cut(text, name)
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
	child, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer child.Close()
	in := bufio.NewReader(child)
	if line, err := in.ReadString('\n'); line != "here\n" {
		t.Fatalf("the child says %q, %v", line, err)
	}
	if err := manager.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	manager.Wait()
	child.SetReadDeadline(time.Now().Add(20 * time.Second))
	if _, err := in.ReadByte(); err != io.EOF && os.IsTimeout(err) {
		t.Error("the child lives on")
	}
}
