//go:build unix

package engine_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// Managers suspend a brain while the opponent thinks; it goes on as if nothing
// had happened.
func TestGomocupSurvivesSuspension(t *testing.T) {
	brain := exec.Command(os.Args[0], "helper", "gomocup")
	in, err := brain.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := brain.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := brain.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	ask := func(line, want string) {
		t.Helper()
		fmt.Fprint(in, line+"\r\n")
		if !lines.Scan() || lines.Text() != want {
			t.Errorf("%s is answered %q, want %q", line, lines.Text(), want)
		}
	}
	ask("START 6", "OK")
	fmt.Fprint(in, "INFO timeout_turn 100\r\nINFO time_left 5000\r\n")
	ask("BEGIN", "0,0")
	for i, want := range []string{"1,0", "2,0", "3,0"} {
		if err := brain.Process.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
		if err := brain.Process.Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
		ask(fmt.Sprintf("TURN %d,5", i), want)
	}
	fmt.Fprint(in, "END\r\n")
	if lines.Scan() {
		t.Errorf("after END it says %q", lines.Text())
	}
	if err := brain.Wait(); err != nil {
		t.Error(err)
	}
}
