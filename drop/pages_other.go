//go:build !linux

package drop

import "unsafe"

// hugePages does nothing: elsewhere pages are as large as the system likes.
func hugePages(unsafe.Pointer, int) {}
