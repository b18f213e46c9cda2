package process

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// CgroupsAvailable reports whether control groups can be made here.
func CgroupsAvailable() bool {
	cmd := &exec.Cmd{SysProcAttr: &syscall.SysProcAttr{}}
	c := newCgroup(cmd)
	c.closeDescriptor(cmd)
	c.remove()
	return c != nil
}

// Cgroups lists the control groups of our programs.
func Cgroups() []string {
	list, _ := filepath.Glob(filepath.Join(ownCgroupDir(), fmt.Sprintf("%s%d-*", cgroupPrefix, os.Getpid())))
	return list
}
