package verify

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
)

// Scratch is room on disk: what is written to it can be read again until it is closed.
type Scratch = interface {
	io.Writer
	io.ReaderAt
	io.Closer
}

// sortedStore gives what is put into it in the order of the keys, which with their values are of a fixed size and have
// exported fields only. It holds so many in memory; beyond that they go to disk, in runs that are each in order.
type sortedStore[K comparable, V any] struct {
	*budget
	order func(a, b K) int
	merge func(a, b V) V // of what is put under the same key
	held  map[K]V
	most  int                // of these
	limit int                // of different keys
	runs  [][]*diskRun[K, V] // at place i those that merged runs of place i-1
}

// mergedAt is how many runs of a place are merged into one of the next.
const mergedAt = 16

// diskRun is a part of a sorted on disk, from its head on.
type diskRun[K comparable, V any] struct {
	file Scratch
	in   io.Reader
	left int
	head record[K, V]
	buf  []byte
}

// record is a value and the key that it is sorted by.
type record[K comparable, V any] struct {
	Key   K
	Value V
}

// bytesOfRun is the memory that reading a run takes, and four times that what writing one does.
const bytesOfRun = 16 << 10

// newSortedStore returns one that holds so many in memory, at least one.
func newSortedStore[K comparable, V any](b *budget, order func(a, b K) int, merge func(a, b V) V, most,
	limit int) *sortedStore[K, V] {
	return &sortedStore[K, V]{budget: b, order: order, merge: merge, held: map[K]V{}, limit: limit, most: max(1, most)}
}

// put adds a record. What is held under the same key is merged with it; what lies on disk is merged when it is
// taken out.
func (s *sortedStore[K, V]) put(k K, v V) {
	if known, ok := s.held[k]; ok {
		s.held[k] = s.merge(known, v)
		return
	}
	if len(s.held) >= s.most {
		s.spillToDisk()
	}
	s.held[k] = v
}

// spillToDisk moves what is held to disk. As soon as there are mergedAt runs of a place they become one of the
// next, so that few files are open at a time and each record is written few times.
func (s *sortedStore[K, V]) spillToDisk() {
	if s.disk == nil {
		s.fail(fmt.Errorf("%w: its positions take too much memory", errTooMuch))
	}
	from := &sortedStore[K, V]{budget: s.budget, order: s.order, merge: s.merge, held: s.held}
	for at := 0; s.spent == nil; at++ {
		made := s.writeRun(from.drainInOrder())
		if at == len(s.runs) {
			s.runs = append(s.runs, nil)
		}
		if made.left > s.limit {
			s.fail(fmt.Errorf("more positions than the %d it says it has", s.limit))
		}
		s.runs[at] = append(s.runs[at], made)
		if len(s.runs[at]) < mergedAt {
			break
		}
		from.runs, s.runs[at] = [][]*diskRun[K, V]{s.runs[at]}, nil
	}
	clear(s.held)
}

// writeRun writes records to disk that come in order, and reads the first of them as its head. An error ends the
// work.
func (s *sortedStore[K, V]) writeRun(records iter.Seq2[K, V]) *diskRun[K, V] {
	r := &diskRun[K, V]{}
	var err error
	if r.file, err = s.disk(); err != nil {
		s.breakOff(err)
		return r
	}
	out := bufio.NewWriterSize(r.file, 4*bytesOfRun)
	for k, v := range records {
		if r.buf, err = binary.Append(r.buf[:0], binary.LittleEndian, record[K, V]{k, v}); err == nil {
			_, err = out.Write(r.buf)
		}
		if r.left++; err != nil || !s.spend(1) {
			break
		}
	}
	if err == nil {
		err = out.Flush()
	}
	r.in = bufio.NewReaderSize(io.NewSectionReader(r.file, 0, int64(r.left*len(r.buf))), bytesOfRun)
	if err == nil {
		err = r.readHead()
	}
	if err != nil {
		s.breakOff(err)
	}
	return r
}

// readHead reads the head, or closes the file where nothing is left.
func (r *diskRun[K, V]) readHead() error {
	if r.left == 0 {
		return r.file.Close()
	}
	if _, err := io.ReadFull(r.in, r.buf); err != nil {
		return err
	}
	_, err := binary.Decode(r.buf, binary.LittleEndian, &r.head)
	return err
}

// takeMerged takes out a key that none in it precedes, and returns what was put under it, merged; ok is false where
// nothing was.
func (s *sortedStore[K, V]) takeMerged(k K) (v V, ok bool) {
	v, ok = s.held[k]
	delete(s.held, k)
	for _, place := range s.runs {
		for _, r := range place {
			if r.left == 0 || r.head.Key != k {
				continue
			}
			if ok {
				v = s.merge(v, r.head.Value)
			} else {
				v, ok = r.head.Value, true
			}
			r.left--
			if err := r.readHead(); err != nil {
				r.left = 0
				s.breakOff(err)
			}
		}
	}
	return v, ok
}

// drainInOrder takes out everything, in order, each key once. Where the caller stops before the end, what was not taken
// stays.
func (s *sortedStore[K, V]) drainInOrder() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		keys := slices.AppendSeq(make([]K, 0, len(s.held)), maps.Keys(s.held))
		slices.SortFunc(keys, s.order)
		for {
			var least *K
			if len(keys) > 0 {
				least = &keys[0]
			}
			for _, place := range s.runs {
				for _, r := range place {
					if r.left > 0 && (least == nil || s.order(r.head.Key, *least) < 0) {
						least = &r.head.Key
					}
				}
			}
			if least == nil {
				s.runs = nil
				clear(s.held) // which also forgets what was taken out of it
				return
			}
			k := *least
			if len(keys) > 0 && keys[0] == k {
				keys = keys[1:]
			}
			if v, _ := s.takeMerged(k); !yield(k, v) {
				return
			}
		}
	}
}

// close gives the room on disk back that is still taken.
func (s *sortedStore[K, V]) close() {
	for _, place := range s.runs {
		for _, r := range place {
			if r.left > 0 {
				r.file.Close()
			}
		}
	}
}
