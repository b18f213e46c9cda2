//go:build !linux

package process

import "os/exec"

// cgroup is nothing: there are no control groups here.
type cgroup struct{}

// newCgroup returns nil, as it does where no control group can be made.
func newCgroup(*exec.Cmd) *cgroup { return nil }

func (*cgroup) closeDescriptor(*exec.Cmd) {}
func (*cgroup) kill()                     {}
func (*cgroup) remove()                   {}
