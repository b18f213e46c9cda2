package machine

import (
	"fmt"
	"os"
	"runtime"
	"testing"
)

// TestMemory: what the machine has is accepted, and a byte more is refused; Linux tells the same in its file,
// unless a control group allows less.
func TestMemory(t *testing.T) {
	if err := CheckMemory(Memory()); err != nil {
		t.Error(err)
	}
	want := fmt.Sprintf("this machine has %d MB", Memory()>>20)
	if err := CheckMemory(Memory() + 1); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	if runtime.GOOS != "linux" {
		return
	}
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		t.Fatal(err)
	}
	var kB int64
	if _, err := fmt.Sscanf(string(text), "MemTotal: %d kB", &kB); err != nil {
		t.Fatal(err)
	}
	if Memory() > kB<<10 {
		t.Errorf("%d bytes, want at most %d kB", Memory(), kB)
	}
}
