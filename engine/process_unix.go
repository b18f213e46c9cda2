//go:build unix

package engine

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the program into a process group of its own.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithUs(cmd.SysProcAttr)
}

// killGroup kills all of the program's group, and the program itself, which may
// have left it.
func killGroup(cmd *exec.Cmd) {
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	cmd.Process.Kill()
}
