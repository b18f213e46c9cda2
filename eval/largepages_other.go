//go:build !linux

package eval

func onLargePages([]lanes) {}
