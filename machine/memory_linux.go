package machine

import "golang.org/x/sys/unix"

// installedMemory returns how many bytes of memory the system has; 0 where it does not say.
func installedMemory() int64 {
	var s unix.Sysinfo_t
	if unix.Sysinfo(&s) != nil {
		return 0
	}
	return int64(s.Totalram) * int64(s.Unit)
}
