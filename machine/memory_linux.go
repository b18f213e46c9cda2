package machine

import (
	"io/fs"
	"math"
	"os"
	"path"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// installedMemory returns how many bytes of memory the system has, or the control groups of this process allow it,
// where that is less; 0 where the system does not say.
func installedMemory() int64 {
	var s unix.Sysinfo_t
	if unix.Sysinfo(&s) != nil {
		return 0
	}
	return min(int64(s.Totalram)*int64(s.Unit), groupMemory(os.DirFS("/")))
}

// groupMemory returns how many bytes of memory the control groups of this process allow it, MaxInt64 where they set no
// limit. Root is the root of the file system. A limit also holds for the groups within the one that has it. In a
// container the groups may be named as the host has them, and lie at the mount's own root.
func groupMemory(root fs.FS) int64 {
	least := int64(math.MaxInt64)
	groups, _ := fs.ReadFile(root, "proc/self/cgroup") // nothing where there are no groups
	for line := range strings.Lines(string(groups)) {
		// Version 2 has one line, 0::PATH; version 1 has a line for each hierarchy, N:CONTROLLERS:PATH.
		_, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		controllers, group, found := strings.Cut(rest, ":")
		mount, file := "sys/fs/cgroup", "memory.max"
		switch {
		case !found:
			continue
		case strings.Contains(","+controllers+",", ",memory,"):
			mount, file = mount+"/memory", "memory.limit_in_bytes"
		case controllers != "":
			continue
		}
		for group = path.Clean("/" + group); ; group = path.Dir(group) {
			text, _ := fs.ReadFile(root, path.Join(mount, group, file))
			bytes, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64) // max is no limit
			if err == nil && bytes > 0 {
				least = min(least, bytes)
			}
			if group == "/" {
				break
			}
		}
	}
	return least
}
