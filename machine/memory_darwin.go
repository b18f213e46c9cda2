package machine

import "golang.org/x/sys/unix"

// installedMemory returns how many bytes of memory the system has; 0 where it does not say.
func installedMemory() int64 {
	bytes, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return int64(bytes)
}
