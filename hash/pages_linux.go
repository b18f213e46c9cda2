package hash

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// AdviseHugePages asks the system to keep a table that is read at random on pages of 2 MB, so that
// finding where a page is takes less. Where there are none nothing changes.
func AdviseHugePages[T any](table []T) {
	const page = 2 << 20
	first := unsafe.Pointer(unsafe.SliceData(table))
	bytes := unsafe.Slice((*byte)(first), len(table)*int(unsafe.Sizeof(*new(T))))
	from := int(-uintptr(first) % page)
	if whole := (len(bytes) - from) / page * page; whole > 0 {
		_ = unix.Madvise(bytes[from:from+whole], unix.MADV_HUGEPAGE) // it is only advice
	}
}
