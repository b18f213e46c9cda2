//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// setOwnProcessGroup puts the program into a process group of its own.
func setOwnProcessGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithUs(cmd.SysProcAttr)
	marked(cmd)
}

// killProcessGroup kills all of the program's group, the program itself, which may have left
// it, and what else it has started, as far as that is known.
func killProcessGroup(cmd *exec.Cmd) {
	killTree(cmd)
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	cmd.Process.Kill()
}
