package engine_test

import (
	"bufio"
	"io"
	"net"
	"os"
	"os/exec"
	"testing"
	"time"
)

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
