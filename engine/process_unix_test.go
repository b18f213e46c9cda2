//go:build unix

package engine_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"time"

	"oxo/engine"
)

func init() {
	leaveGroup = func() {
		group, err := syscall.Getpgid(os.Getppid())
		if err == nil {
			err = syscall.Setpgid(0, group)
		}
		if err != nil {
			fmt.Println("info string", err) // no greeting comes
			os.Exit(1)
		}
	}
	poor = func() {
		var open []*os.File
		err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: 20, Max: 20})
		for err == nil {
			var f *os.File
			if f, err = os.Open(os.DevNull); err == nil {
				open = append(open, f)
			}
		}
		time.AfterFunc(200*time.Millisecond, func() {
			for _, f := range open {
				f.Close()
			}
		})
		p, err := engine.New(context.Background(), tttGame(), "ugi:"+command("ugi"), patient)
		if err == nil {
			err = p.Close()
		}
		fmt.Print(err)
	}
}

// Where files are short here, that is not the program's fault.
func TestStartWaitsForFiles(t *testing.T) {
	said, err := exec.Command(os.Args[0], "helper", "poor").Output()
	if err != nil || string(said) != "<nil>" {
		t.Errorf("%s, %v", said, err)
	}
}

// A program that has left its group is ended like any other.
func TestProgramsThatLeaveTheirGroupAreKilled(t *testing.T) {
	p, err := engine.New(context.Background(), tttGame(), "ugi:"+command("escape"), engine.Options{MoveTime: quick.MoveTime, Wait: quick.Wait, Startup: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Choose(context.Background(), tttGame().Start); err == nil {
		t.Error("it makes a move")
	}
	closed := make(chan error)
	go func() { closed <- p.Close() }()
	select {
	case err := <-closed:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Error("its end is waited for without end")
	}
}

// Programs do not outlive us where we are killed without a chance to end them.
func TestProgramsDieWithUs(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux does this")
	}
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
