package web

import (
	"slices"
	"sync"
)

// recent keeps values that were asked for lately, by an id: at most so many, and
// of so many bytes together. The latest one is kept whatever it takes.
type recent[T any] struct {
	most  int
	bytes int64

	mu   sync.Mutex
	kept []keptValue[T] // the latest first
}

type keptValue[T any] struct {
	id    string
	value T
	bytes int64
}

// find returns the value of that id, which is the latest one then.
func (r *recent[T]) find(id string) (value T, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	k, ok := r.take(id)
	if ok {
		r.kept = slices.Insert(r.kept, 0, k)
	}
	return k.value, ok
}

// put keeps a value of so many bytes, in place of one with the same id, and
// drops those that were not asked for longest while there is too much.
func (r *recent[T]) put(id string, value T, bytes int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.take(id)
	r.kept = slices.Insert(r.kept, 0, keptValue[T]{id, value, bytes})
	sum := int64(0)
	for i, k := range r.kept {
		if sum += k.bytes; i > 0 && (i >= r.most || sum > r.bytes) {
			r.kept = slices.Delete(r.kept, i, len(r.kept))
			return
		}
	}
}

// take removes a value. The caller holds r.mu.
func (r *recent[T]) take(id string) (k keptValue[T], ok bool) {
	i := slices.IndexFunc(r.kept, func(k keptValue[T]) bool { return k.id == id })
	if i < 0 {
		return k, false
	}
	k = r.kept[i]
	r.kept = slices.Delete(r.kept, i, i+1)
	return k, true
}
