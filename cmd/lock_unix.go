//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package cmd

import (
	"os"
	"syscall"
	"time"
)

// partAge is how old what somebody has left unfinished must be, so that nothing is
// taken from who has made it just now and not yet locked it.
const partAge = 5 * time.Second

// lockFolder keeps a folder for this process alone until it is released.
func lockFolder(dir string) (release func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	return func() { f.Close() }, lockFile(f)
}

// lockFile keeps a file for this process alone until it is closed, or says that
// another one has it.
func lockFile(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
