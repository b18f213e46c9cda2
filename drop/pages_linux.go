package drop

import (
	"syscall"
	"unsafe"
)

// hugePages asks for large pages for a table: an entry is then found without a
// walk through page tables. Where there are none nothing changes.
func hugePages(start unsafe.Pointer, size int) {
	const page = 4096
	skip := -int(uintptr(start)) & (page - 1)
	if size -= skip; size >= 1<<21 {
		_ = syscall.Madvise(unsafe.Slice((*byte)(unsafe.Add(start, skip)), size), syscall.MADV_HUGEPAGE)
	}
}
