package service

import "sync"

// Counts counts things by a key, such as an address. The zero value has none.
type Counts struct {
	mu sync.Mutex
	by map[string]int
}

// Add counts so many of a key in, or with a negative number out, and returns how many it has then.
// A key of which there is none any more is forgotten.
func (c *Counts) Add(key string, n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.by == nil {
		c.by = map[string]int{}
	}
	n += c.by[key]
	if c.by[key] = n; n == 0 {
		delete(c.by, key)
	}
	return n
}

// Sum returns how many there are of all keys.
func (c *Counts) Sum() (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, each := range c.by {
		n += each
	}
	return n
}
