//go:build !linux

package hash

// AdviseHugePages does nothing: here pages are as large as the system likes.
func AdviseHugePages[T any]([]T) {}
