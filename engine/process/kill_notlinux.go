//go:build unix && !linux

package process

import (
	"os/exec"
	"syscall"
)

// dieWithUs does nothing: there is no word for it here.
func dieWithUs(*syscall.SysProcAttr) {}

// marked, limitResources and killTree do nothing: processes are known by their group here.
func marked(*exec.Cmd) {}

func limitResources(*exec.Cmd) error { return nil }

func killTree(*exec.Cmd) {}
