//go:build !linux

package hash

// OnLargePages does nothing: here pages are as large as the system likes.
func OnLargePages[T any]([]T) {}
