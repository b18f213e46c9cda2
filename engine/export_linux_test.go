package engine

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// Caged reports whether control groups can be made here.
func Caged() bool {
	cmd := &exec.Cmd{SysProcAttr: &syscall.SysProcAttr{}}
	c := newCage(cmd)
	c.entered(cmd)
	c.end()
	return c != nil
}

// Cages lists the control groups of our programs.
func Cages() []string {
	list, _ := filepath.Glob(filepath.Join(ownCgroupDir(), fmt.Sprintf("%s%d-*", cageName, os.Getpid())))
	return list
}
