package machine

import (
	"math"
	"testing"
	"testing/fstest"
)

// TestGroupMemory: the least limit of the groups that this process is in counts, of both versions of control groups.
func TestGroupMemory(t *testing.T) {
	const one, other = "sys/fs/cgroup/", "sys/fs/cgroup/memory/"
	const megabyte = "1048576\n"
	for name, c := range map[string]struct {
		groups string
		files  map[string]string
		want   int64
	}{
		"no groups": {"", nil, math.MaxInt64},
		"no limit":  {"0::/a\n", map[string]string{one + "a/memory.max": "max\n"}, math.MaxInt64},
		"a limit":   {"0::/a/b\n", map[string]string{one + "a/b/memory.max": megabyte}, 1 << 20},
		"the group around has less": {"0::/a/b\n", map[string]string{one + "a/b/memory.max": "2097152\n",
			one + "a/memory.max": megabyte}, 1 << 20},
		"another's":   {"0::/a\n", map[string]string{one + "b/memory.max": megabyte}, math.MaxInt64},
		"a container": {"0::/../docker/7\n", map[string]string{one + "memory.max": megabyte}, 1 << 20},
		"version 1": {"5:cpu,cpuacct:/a\n4:memory:/a\n",
			map[string]string{other + "a/memory.limit_in_bytes": megabyte}, 1 << 20},
		"no limit in version 1": {"4:memory:/\n",
			map[string]string{other + "memory.limit_in_bytes": "9223372036854771712\n"}, 9223372036854771712},
	} {
		root := fstest.MapFS{"proc/self/cgroup": {Data: []byte(c.groups)}}
		for file, text := range c.files {
			root[file] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := groupMemory(root); got != c.want {
			t.Errorf("%s: %d bytes, want %d", name, got, c.want)
		}
	}
}
