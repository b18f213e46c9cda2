// Package machine tells how much memory this machine has, which bounds every table whose size is asked for from
// outside.
package machine

import (
	"fmt"
	"math"
	"sync"
)

// usualMemory is how much memory a machine is taken to have whose system does not say.
const usualMemory = 8 << 30

// Memory returns how many bytes of memory the machine has, or a container that this process runs in. It fits an int.
var Memory = sync.OnceValue(func() int64 {
	bytes := installedMemory()
	if bytes <= 0 {
		bytes = usualMemory
	}
	return min(bytes, math.MaxInt)
})

// CheckMemory refuses more bytes of memory than the machine has.
func CheckMemory(bytes int64) error {
	switch most := Memory(); {
	case bytes <= most:
		return nil
	case installedMemory() <= 0:
		return fmt.Errorf("%d MB at most, as this system does not say how much it has", most>>20)
	default:
		return fmt.Errorf("this machine has %d MB", most>>20)
	}
}
