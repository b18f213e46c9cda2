//go:build unix

package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
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
	poor = func(lasting bool) {
		var open []*os.File
		err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: 20, Max: 20})
		for err == nil {
			var f *os.File
			if f, err = os.Open(os.DevNull); err == nil {
				open = append(open, f)
			}
		}
		o := patient
		if lasting {
			o.Startup = 200 * time.Millisecond
		} else {
			time.AfterFunc(200*time.Millisecond, func() {
				for _, f := range open {
					f.Close()
				}
			})
		}
		p, err := engine.New(context.Background(), tttGame(), "ugi:"+command("ugi"), o)
		if err == nil {
			err = p.Close()
		}
		var want interface{ Shortage() bool }
		fmt.Print(err, errors.As(err, &want) && want.Shortage())
	}
}

// Where files are short here, that is not the program's fault.
func TestStartWaitsForFiles(t *testing.T) {
	for mode, want := range map[string]string{"poor": "<nil> false",
		"destitute": "this is for want of files, processes or memory here: .*too many open files.* true"} {
		said, err := exec.Command(os.Args[0], "helper", mode).Output()
		if err != nil || !regexp.MustCompile("^"+want+"$").Match(said) {
			t.Errorf("%s: %s, %v", mode, said, err)
		}
	}
}

// A program that has left its group is ended like any other.
func TestProgramsThatLeaveTheirGroupAreKilled(t *testing.T) {
	p, err := engine.New(context.Background(), tttGame(), "ugi:"+command("escape"),
		engine.ClientOptions{MoveTime: quick.MoveTime, Wait: quick.Wait, Startup: time.Minute})
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
