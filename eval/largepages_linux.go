package eval

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// onLargePages asks for tables, which are read at random, to be kept on pages of
// 2 MB, so that finding where a page is takes less. A system that has none
// changes nothing.
func onLargePages(tables []lanes) {
	const page = 2 << 20
	first := unsafe.Pointer(unsafe.SliceData(tables))
	bytes := unsafe.Slice((*byte)(first), len(tables)*int(unsafe.Sizeof(lanes{})))
	from := int(-uintptr(first) % page)
	if whole := (len(bytes) - from) / page * page; whole > 0 {
		_ = unix.Madvise(bytes[from:from+whole], unix.MADV_HUGEPAGE) // it is only advice
	}
}
