//go:build !unix

package process

import "os/exec"

// setOwnProcessGroup does nothing: there are no process groups here.
func setOwnProcessGroup(*exec.Cmd) {}

// limitResources does nothing: there are no limits here.
func limitResources(*exec.Cmd) error { return nil }

// killProcessGroup kills the program.
func killProcessGroup(cmd *exec.Cmd) { cmd.Process.Kill() }
