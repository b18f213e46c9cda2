//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package cmd

import (
	"os"
	"time"
)

// partAge is how old what somebody has left unfinished must be: here nothing tells
// whether it is still being written.
const partAge = 7 * 24 * time.Hour

// lockFolder does nothing here.
func lockFolder(string) (release func(), err error) { return func() {}, nil }

// lockFile does nothing here: two runs that share a file are the user's care.
func lockFile(*os.File) error { return nil }
