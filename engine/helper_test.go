package engine_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"oxo"
	"oxo/board"
	"oxo/engine"
	"oxo/games/grid"
	"oxo/games/ultimate"
)

// TestMain lets the test binary play the programs on the other side: called as
// "helper MODE" it is one.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "helper" {
		helper(os.Args[2], os.Args[3:])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// command is the command of the helper in that mode.
func command(mode string, args ...string) string {
	text := fmt.Sprintf("%q helper %s", os.Args[0], mode)
	for _, a := range args {
		text += fmt.Sprintf(" %q", a)
	}
	return text
}

// about is what the servers of the tests say of themselves.
var about = engine.About{Name: "tester", Version: "1", Author: "nobody"}

// helper is a program on the other side: a server of ours, or a hostile one.
func helper(mode string, args []string) {
	ctx := context.Background()
	switch mode {
	case "ugi":
		engine.ServeUGI(ctx, os.Stdin, os.Stdout, firstMover(tttGame()), "mnk:3,3,3", nil, about)
	case "gomocup":
		engine.ServeGomocup(ctx, os.Stdin, os.Stdout, engine.Gomocup{Open: openRows, About: about})
	case "codingame":
		engine.ServeCodinGame(ctx, os.Stdin, os.Stdout, firstMover(ultimate.New(0)), nil)
	case "counted": // notes in a file that it has started
		note(args[0])
		helper(args[1], args[2:])
	case "dialling": // says to an address that it is here, and plays
		go dial(args[0])
		helper(args[1], args[2:])
	case "policy":
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			switch words := strings.Fields(in.Text()); words[0] {
			case "game":
				fmt.Println("ready")
			case "position":
				fmt.Println(words[slices.Index(words, "moves")+1])
			}
		}
	case "once": // leaves before its second game
		games, in := 0, bufio.NewScanner(os.Stdin)
		lines, toServer := io.Pipe()
		go engine.ServeUGI(ctx, lines, os.Stdout, firstMover(tttGame()), "mnk:3,3,3", nil, about)
		for in.Scan() {
			if in.Text() == "uginewgame" {
				games++
			}
			if games == 2 {
				return
			}
			fmt.Fprintln(toServer, in.Text())
		}
	case "exit":
	case "escape":
		leaveGroup()
		hostile("sleep", nil)
	case "poor", "destitute":
		poor(mode == "destitute")
	case "dial":
		dial(args[0])
	case "silent":
		select {}
	case "deaf": // answers the greeting, then neither reads nor writes
		bufio.NewReader(os.Stdin).ReadString('\n')
		fmt.Println("ugiok\nreadyok")
		time.Sleep(time.Hour)
	case "flood":
		for {
			if _, err := fmt.Println("info string hello"); err != nil {
				return
			}
		}
	case "huge":
		line := strings.Repeat("x", 1<<20)
		for {
			if _, err := fmt.Print(line); err != nil {
				return
			}
		}
	default:
		hostile(mode, args)
	}
}

// note adds a line to a file.
func note(path string) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	fmt.Fprintln(f)
}

// hostile greets as a UGI program and misbehaves when it is asked for a move.
func hostile(mode string, args []string) {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		word, _, _ := strings.Cut(in.Text(), " ")
		switch word {
		case "ugi":
			fmt.Println("ugiok")
		case "isready":
			fmt.Println("readyok")
		case "go":
			switch mode {
			case "sleep":
				time.Sleep(time.Hour)
			case "leave":
				os.Exit(3)
			case "complain":
				fmt.Fprint(os.Stderr, strings.Repeat("loading\n", 1<<16), "no \x1b[31mweights here\n\n")
				os.Exit(3)
			case "garbage":
				fmt.Println("\x00\xff garbage\nbestmove")
			case "illegal":
				fmt.Println("bestmove z99")
			case "chatter":
				for {
					fmt.Println("info string still thinking")
				}
			case "long":
				fmt.Println("info string " + strings.Repeat("long ", 1<<16))
			case "fork":
				// a child in the group that outlives its parent and holds its output
				child := exec.Command(os.Args[0], "helper", "child", args[0])
				child.Stdout = os.Stdout
				if err := child.Start(); err != nil {
					fmt.Println("info string", err)
				}
				bufio.NewReader(os.Stdin).ReadString('\n')
				os.Exit(0)
			}
		}
	}
	if mode == "child" {
		dial(args[0])
	}
	if mode == "stays" { // does not leave when its input is closed
		time.Sleep(time.Hour)
	}
}

// leaveGroup takes this process out of its group, and poor starts a program when
// no files can be opened for a while, where these can be done.
var leaveGroup, poor = func() {}, func(lasting bool) {}

// dial says to that address that it is here, and stays.
func dial(address string) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	fmt.Fprintln(conn, "here")
	time.Sleep(time.Hour)
}

type pos = board.Pos64

func rows(cols, rows, run int, exact bool) *oxo.Game[pos] {
	b, err := grid.New(grid.Shape{Cols: cols, Rows: rows, Run: run, Exact: exact})
	if err != nil {
		panic(err)
	}
	return board.Game64(fmt.Sprintf("mnk:%d,%d,%d", cols, rows, run), "row game", b, board.Normal)
}

func tttGame() *oxo.Game[pos] { return rows(3, 3, 3, false) }

// openRows opens five in a row on boards from 5×5 to 64 squares.
func openRows(c, r int, exact bool) (engine.Engine, error) {
	if c < 5 || r < 5 || c*r > 64 {
		return nil, fmt.Errorf("a board of %d×%d is not played here", c, r)
	}
	return firstMover(rows(c, r, 5, exact)), nil
}

// chooser is a player made of a function.
type chooser[P oxo.Position[P]] func(ctx context.Context, p P) (oxo.Choice, error)

func (f chooser[P]) Choose(ctx context.Context, p P) (oxo.Choice, error) { return f(ctx, p) }

// firstMove plays the first legal move and says that it is worth a half.
func firstMove[P oxo.Position[P]](_ context.Context, p P) (oxo.Choice, error) {
	return oxo.Choice{Move: p.Moves(nil)[0], Score: 0.5, Scored: true, Depth: 3, Nodes: 7}, nil
}

func firstMover[P oxo.Position[P]](g *oxo.Game[P]) engine.Engine {
	return engine.NewEngine(g, func(engine.Limit, func(oxo.Choice, []oxo.Move)) (oxo.Player[P], error) {
		return chooser[P](firstMove[P]), nil
	})
}
