package cmd

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// shortRaceExit has a command under the race detector, which looks for races of others for a second before it
// ends, do so for a twentieth of that.
const shortRaceExit = "atexit_sleep_ms=50"

func TestMain(m *testing.M) {
	os.Setenv("GORACE", shortRaceExit)
	testscript.Main(m, map[string]func(){"oxo": func() { Main() }})
}

// TestScripts runs the command line as people do: see testdata/*.txtar.
func TestScripts(t *testing.T) { scripts(t, "testdata") }

// TestScriptsSequential runs verbs that do one thing after the other.
func TestScriptsSequential(t *testing.T) { scripts(t, "testdata/sequential") }

func scripts(t *testing.T, dir string) {
	kept, err := filepath.Abs("testdata/kept") // files that earlier versions wrote
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:   dir,
		Setup: func(e *testscript.Env) error { e.Setenv("KEPT", kept); e.Setenv("GORACE", shortRaceExit); return nil },
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"appears": appears, "killed": killed,
			"server": server, "attended": attendedBot},
	})
}

// appears waits until a file is there that a command in the background writes.
func appears(ts *testscript.TestScript, not bool, args []string) {
	if not || len(args) != 1 {
		ts.Fatalf("usage: appears file")
	}
	if !await(ts.MkAbs(args[0]), nil) {
		ts.Fatalf("%s did not appear in a minute", args[0])
	}
}

// await waits for a file, or for ended, and reports whether either came.
func await(path string, ended <-chan struct{}) bool {
	for range 6000 {
		select {
		case <-ended:
			return true
		default:
		}
		if _, err := os.Stat(path); err == nil {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

// killed runs oxo with the other arguments and kills it, in a way it cannot
// answer, as soon as the file of the first argument is there. What the file typed holds is its input, which does
// not end.
func killed(ts *testscript.TestScript, not bool, args []string) {
	if not || len(args) < 2 {
		ts.Fatalf("usage: killed file argument...")
	}
	c := exec.Command("oxo", args[1:]...)
	c.Dir = ts.MkAbs(".")
	if typed, err := os.ReadFile(ts.MkAbs("typed")); err == nil {
		in, err := c.StdinPipe()
		ts.Check(err)
		defer in.Close()
		go in.Write(typed)
	}
	ts.Check(c.Start())
	ended := make(chan struct{})
	go func() {
		c.Wait() // killed or not
		close(ended)
	}()
	there := await(ts.MkAbs(args[0]), ended)
	c.Process.Kill()
	<-ended
	if !there {
		ts.Fatalf("%s did not appear in a minute", args[0])
	}
}
