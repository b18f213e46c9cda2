//go:build !unix

package engine

import "os/exec"

// ownGroup does nothing: there are no process groups here.
func ownGroup(*exec.Cmd) {}

// limit does nothing: there are no limits here.
func limit(*exec.Cmd) error { return nil }

// killGroup kills the program.
func killGroup(cmd *exec.Cmd) { cmd.Process.Kill() }
