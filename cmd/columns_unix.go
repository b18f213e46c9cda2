//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package cmd

import "golang.org/x/sys/unix"

// terminalColumns returns how many columns the terminal that w is has; 0 where w is none,
// or does not say.
func terminalColumns(w any) int {
	f := fileOf(w)
	if f == nil {
		return 0
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Col)
}
