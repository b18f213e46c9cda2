//go:build !linux

package service

import "time"

// newThreadTimeMeter returns what tells how much time has passed since: the clock of another thread
// can't be read here.
func newThreadTimeMeter() func() time.Duration {
	begin := time.Now()
	return func() time.Duration { return time.Since(begin) }
}
