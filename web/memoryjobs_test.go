package web

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// memoryJobs is the part of the store in memory that keeps jobs and brains.
type memoryJobs struct {
	jobs   []*memoryJob // in the order of their making
	brains []memoryFile // the latest first
}

type memoryJob struct {
	id, owner, state string
	doc              []byte
	blobs            map[string][]byte
	lines            map[int][]byte
}

// find returns the job of that id. The caller holds m.mu.
func (m *memory) find(id string) (*memoryJob, error) {
	for _, j := range m.jobs {
		if j.id == id {
			return j, nil
		}
	}
	return nil, errNotFound
}

// change changes a job.
func (m *memory) change(id string, do func(*memoryJob)) error {
	return m.write(func() error {
		j, err := m.find(id)
		if err == nil {
			do(j)
		}
		return err
	})
}

// look looks at a job.
func (m *memory) look(id string, do func(*memoryJob) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	j, err := m.find(id)
	if err != nil {
		return err
	}
	return do(j)
}

func (m *memory) AddJob(id, owner, state string, doc []byte) error {
	return m.write(func() error {
		m.jobs = append(m.jobs, &memoryJob{id, owner, state, doc, map[string][]byte{}, map[int][]byte{}})
		return nil
	})
}

func (m *memory) SaveJob(id, state string, doc []byte) error {
	return m.change(id, func(j *memoryJob) { j.state, j.doc = state, doc })
}

func (m *memory) DropJob(id string) error {
	return m.write(func() error {
		n := len(m.jobs)
		m.jobs = slices.DeleteFunc(m.jobs, func(j *memoryJob) bool { return j.id == id })
		if len(m.jobs) == n {
			return errNotFound
		}
		return nil
	})
}

func (m *memory) Job(_ context.Context, id string) (doc []byte, err error) {
	err = m.look(id, func(j *memoryJob) error { doc = j.doc; return nil })
	return doc, err
}

// docs lists the descriptions of jobs.
func (m *memory) docs(limit int, want func(*memoryJob) bool) [][]byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	var docs [][]byte
	for _, j := range m.jobs {
		if want(j) && len(docs) < limit {
			docs = append(docs, j.doc)
		}
	}
	return docs
}

func (m *memory) Jobs(_ context.Context, owner string, limit int) ([][]byte, error) {
	docs := m.docs(limit, func(j *memoryJob) bool { return j.owner == owner })
	slices.Reverse(docs)
	return docs, nil
}

func (m *memory) JobsIn(_ context.Context, state string, limit int) ([][]byte, error) {
	return m.docs(limit, func(j *memoryJob) bool { return j.state == state }), nil
}

func (m *memory) PutBlob(job, name string, data []byte) error {
	return m.change(job, func(j *memoryJob) { j.blobs[name] = slices.Clone(data) })
}

func (m *memory) Blob(_ context.Context, job, name string) (data []byte, err error) {
	err = m.look(job, func(j *memoryJob) error {
		var ok bool
		if data, ok = j.blobs[name]; !ok {
			return errNotFound
		}
		return nil
	})
	return data, err
}

func (m *memory) Blobs(_ context.Context, job string) (names []string, sizes []int, err error) {
	err = m.look(job, func(j *memoryJob) error {
		for _, name := range slices.Sorted(maps.Keys(j.blobs)) {
			names, sizes = append(names, name), append(sizes, len(j.blobs[name]))
		}
		return nil
	})
	return names, sizes, err
}

func (m *memory) DropBlobs(job string, names ...string) error {
	return m.change(job, func(j *memoryJob) {
		for _, name := range names {
			delete(j.blobs, name)
		}
	})
}

func (m *memory) AddLine(job string, seq int, line []byte) error {
	return m.change(job, func(j *memoryJob) { j.lines[seq] = slices.Clone(line) })
}

func (m *memory) Lines(_ context.Context, job string, after, limit int) (seqs []int, lines [][]byte, err error) {
	err = m.look(job, func(j *memoryJob) error {
		for _, seq := range slices.Sorted(maps.Keys(j.lines)) {
			if seq > after && len(seqs) < limit {
				seqs, lines = append(seqs, seq), append(lines, j.lines[seq])
			}
		}
		return nil
	})
	return seqs, lines, err
}

func (m *memory) LastLine(_ context.Context, job string) (seq int, err error) {
	err = m.look(job, func(j *memoryJob) error {
		for n := range j.lines {
			seq = max(seq, n)
		}
		return nil
	})
	return seq, err
}

func (m *memory) AddBrain(name string, doc, data []byte) error {
	return m.write(func() error {
		for _, b := range m.brains {
			if b.name == name {
				return fmt.Errorf("brain %q: %w", name, errTaken)
			}
		}
		m.brains = append([]memoryFile{{"brain", name, doc, data}}, m.brains...)
		return nil
	})
}

func (m *memory) DropBrain(name string) error {
	return m.write(func() error {
		i := slices.IndexFunc(m.brains, func(b memoryFile) bool { return b.name == name })
		if i < 0 {
			return errNotFound
		}
		m.brains = slices.Delete(m.brains, i, i+1)
		return nil
	})
}

func (m *memory) Brain(_ context.Context, name string) (doc, data []byte, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, b := range m.brains {
		if b.name == name {
			return b.doc, b.data, nil
		}
	}
	return nil, nil, errNotFound
}

func (m *memory) Brains(_ context.Context, limit int) ([][]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var docs [][]byte
	for _, b := range m.brains[:min(limit, len(m.brains))] {
		docs = append(docs, b.doc)
	}
	return docs, nil
}

// states lists the states of the jobs, for tests that look into the store.
func (m *memory) states() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var list []string
	for _, j := range m.jobs {
		list = append(list, j.state)
	}
	slices.SortFunc(list, cmp.Compare[string])
	return strings.Join(list, " ")
}
