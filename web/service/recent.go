package service

import (
	"slices"
	"sync"
)

// sized is a value that says about how many bytes of memory it takes by now.
type sized interface{ Held() int64 }

// RecentCache keeps values that were asked for lately, by an id: at most so many, and
// of so many bytes together. The latest one is kept whatever it takes.
// Values are shared by all who find them.
type RecentCache[T sized] struct {
	Most  int
	Bytes int64

	mu   sync.Mutex
	kept []keptValue[T] // the latest first
}

// keptValue is a value with its id.
type keptValue[T sized] struct {
	id    string
	value T
}

// Find returns the value of that id, which is the latest one then.
func (r *RecentCache[T]) Find(id string) (value T, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.findLocked(id)
}

// Keep keeps a value, unless there is one of that id by now. It returns the one
// that is kept.
func (r *RecentCache[T]) Keep(id string, value T) T {
	r.mu.Lock()
	defer r.mu.Unlock()
	if there, ok := r.findLocked(id); ok {
		return there
	}
	r.kept = slices.Insert(r.kept, 0, keptValue[T]{id, value})
	r.evict()
	return value
}

// findLocked is find for who holds r.mu.
func (r *RecentCache[T]) findLocked(id string) (value T, ok bool) {
	i := slices.IndexFunc(r.kept, func(k keptValue[T]) bool { return k.id == id })
	if i < 0 {
		return value, false
	}
	k := r.kept[i]
	copy(r.kept[1:i+1], r.kept[:i])
	r.kept[0] = k
	r.evict()
	return k.value, true
}

// evict drops those that were not asked for longest while there are too many, or
// they have come to hold too much. The caller holds r.mu.
func (r *RecentCache[T]) evict() {
	sum := int64(0)
	for i, k := range r.kept {
		if sum += k.value.Held(); i > 0 && (i >= r.Most || sum > r.Bytes) {
			r.kept = slices.Delete(r.kept, i, len(r.kept))
			return
		}
	}
}
