// Package quiz_test has programs written in Python from the quiz's message alone play ours.
package quiz_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// python finds a Python, or skips.
func python(t *testing.T) string {
	t.Helper()
	name, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no Python here; on Debian: apt-get install python3")
	}
	return name
}

var folder string // of the command that is tested

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "quiz"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// oxo builds the command, once.
func oxo(t *testing.T) string {
	t.Helper()
	build.Do(func() {
		out, err := exec.Command("go", "build", "-o", binary(), "oxo/cmd/oxo").CombinedOutput()
		if err != nil {
			t.Fatalf("go build: %v\n%s", err, out)
		}
	})
	return binary()
}

var build sync.Once

func binary() string {
	return filepath.Join(folder, "oxo"+map[string]string{"windows": ".exe"}[runtime.GOOS])
}

// server starts a server and returns the port that it says it listens on, and the lines
// that it says after that.
func server(t *testing.T, command ...string) (port string, says *bufio.Scanner) {
	t.Helper()
	c := exec.Command(command[0], command[1:]...)
	r, w := io.Pipe()
	c.Stdout, c.Stderr = w, w
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.Close() // so that nothing it says is waited for
		c.Process.Kill()
		c.Wait()
	})
	says = bufio.NewScanner(r)
	if !says.Scan() {
		t.Fatalf("%v says nothing", command)
	}
	return regexp.MustCompile(`\d+$`).FindString(says.Text()), says
}

// started starts a program and returns a function that waits for its end and returns what it said.
func started(t *testing.T, command ...string) func() string {
	t.Helper()
	c := exec.Command(command[0], command[1:]...)
	var out strings.Builder
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return func() string {
		if err := c.Wait(); err != nil {
			t.Errorf("%v: %v", command, err)
		}
		return strings.TrimSpace(out.String())
	}
}

// greeted starts a player in Python and waits until it was greeted; the function that it returns
// gives its last line.
func greeted(t *testing.T, port, mark string, moves ...string) func() string {
	t.Helper()
	c := exec.Command(python(t), append([]string{"quiz.py", "play", port}, moves...)...)
	pipe, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	says := bufio.NewScanner(pipe)
	says.Scan()
	if !strings.HasSuffix(says.Text(), " "+mark+" 3x3") {
		t.Errorf("it is greeted by %q, want %s 3x3", says.Text(), mark)
	}
	return func() string {
		last := ""
		for says.Scan() {
			last = says.Text()
		}
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
		return last
	}
}

// TestPlayersMeet: players in Python meet at our server. The one that waits is greeted at once, each
// is told every state, an invalid move is asked for again, and a draw is no word.
func TestPlayersMeet(t *testing.T) {
	python(t)
	port, says := server(t, oxo(t), "engine", "quiz", "--listen", "127.0.0.1:0", "--meet")
	for _, c := range []struct{ first, second, ends, result string }{
		{"0,0 0,1 0,2", "1,1 2,2", "win 6 states 3 asked/lose 6 states 2 asked", "first"},
		{"0,0 0,0 9,9 x 0,1 2,2", "1,0 1,1 1,2", "lose 7 states 6 asked/win 7 states 3 asked", "second"},
		{"0,0 0,1 1,2 2,0 2,2", "0,2 1,0 1,1 2,1", "draw 10 states 5 asked/draw 10 states 4 asked", "draw"},
		{"0,0 leave", "1,1", "/win 3 states 1 asked", "closed its connection"},
	} {
		first := greeted(t, port, "X", strings.Fields(c.first)...)
		second := greeted(t, port, "O", strings.Fields(c.second)...)
		if ends := first() + "/" + second(); ends != c.ends {
			t.Errorf("%s against %s: %s, want %s", c.first, c.second, ends, c.ends)
		}
		if says.Scan(); !strings.Contains(says.Text(), c.result) {
			t.Errorf("%s against %s: the server says %q, want %s", c.first, c.second, says.Text(), c.result)
		}
	}
}

// TestPlayerLeavesEarly: a player that leaves before another one comes is not met, and who comes
// afterwards plays.
func TestPlayerLeavesEarly(t *testing.T) {
	python(t)
	port, says := server(t, oxo(t), "engine", "quiz", "--listen", "127.0.0.1:0", "--meet")
	c := exec.Command(python(t), "-c", "import socket, sys; s = socket.create_connection(('127.0.0.1', "+port+
		")); f = s.makefile(); f.readline(); f.readline(); s.sendall(b'me\\n')")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	first := started(t, python(t), "quiz.py", "play", port, "0,0", "0,1", "0,2")
	second := started(t, python(t), "quiz.py", "play", port, "1,0", "1,1", "2,2")
	ends := first() + second()
	if !strings.Contains(ends, "win") || !strings.Contains(ends, "lose") {
		t.Errorf("they end %q", ends)
	}
	for says.Scan() {
		if strings.Contains(says.Text(), "a player in Python against a player in Python") {
			return
		}
	}
}

// TestPlayAgainstOurs: a player in Python plays our perfect one, in both seats, which don't lose.
func TestPlayAgainstOurs(t *testing.T) {
	python(t)
	port, _ := server(t, oxo(t), "engine", "quiz", "--listen", "127.0.0.1:0", "--player", "perfect")
	for _, mark := range []string{"X", "O"} {
		if end := greeted(t, port, mark)(); !strings.HasPrefix(end, "lose") && !strings.HasPrefix(end, "draw") {
			t.Errorf("%s against perfect play: %q", mark, end)
		}
	}
}

// TestVisitPython: our player at the server in Python, against itself and against the player in Python.
func TestVisitPython(t *testing.T) {
	name := python(t)
	ours := func(port string) func() string {
		return started(t, oxo(t), "engine", "quiz", "--connect", "127.0.0.1:"+port, "--player", "perfect")
	}
	port, says := server(t, name, "quiz.py", "serve")
	first, second := ours(port), ours(port)
	ends := first() + "\n" + second()
	if says.Scan(); says.Text() != "draw" || strings.Count(ends, "against Tic-tac-toe in Python: draw") != 2 {
		t.Errorf("perfect play ends %q, and the server says %q", ends, says.Text())
	}
	port, says = server(t, name, "quiz.py", "serve")
	theirs := greeted(t, port, "X")
	our := ours(port)
	end, told := theirs(), our()
	if says.Scan(); says.Text() != "O" || !strings.HasPrefix(end, "lose") ||
		told != "second against Tic-tac-toe in Python: win" {
		t.Errorf("first free squares end %q against perfect play, which says %q; the server says %q", end, told,
			says.Text())
	}
}
