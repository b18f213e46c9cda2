// Package records is what a cluster knows of its jobs for good: the job, how it stands, how its
// outputs are checked, and what became of it.
package records

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"oxo/cluster/broker"
)

// SubjectsOf lists the subjects of a stream that filter lets through.
func SubjectsOf(ctx context.Context, in jetstream.Stream, filter string) (map[string]uint64, error) {
	info, err := in.Info(ctx, jetstream.WithSubjectFilter(filter))
	if err != nil {
		return nil, err
	}
	return info.State.Subjects, nil
}

const (
	JobKey     = "job."
	versionKey = "cluster.version"
)

// Store holds what the cluster knows of its jobs for good, and its version.
type Store struct {
	keys    jetstream.KeyValue
	records jetstream.Stream // in which the keys are

	reading sync.Mutex
	next    uint64        // the first message that was not read yet
	wake    chan struct{} // somebody writes a record; only who administers hears of it

	mu      sync.Mutex
	known   map[string]*Record // by job, as far as they have been seen
	wrong   map[string]string  // workers whose outputs were wrong: in which job
	changed chan struct{}      // closed and made anew whenever a record changes
	version string             // that the cluster runs
	stop    func()
	over    sync.WaitGroup
}

// New returns a store that is still to be opened.
func New() *Store {
	return &Store{known: map[string]*Record{}, wrong: map[string]string{}, changed: make(chan struct{}), next: 1,
		wake: make(chan struct{}, 1)}
}

// Open finds the records on a server.
func (s *Store) Open(ctx context.Context, js jetstream.JetStream) (err error) {
	if s.keys, err = js.KeyValue(ctx, broker.JobsBucket); err == nil {
		s.records, err = js.Stream(ctx, "KV_"+broker.JobsBucket)
	}
	return err
}

// Follow keeps up with the records of all jobs as they change. It asks for them: a server that sent them by
// itself would send them to any subject that it is told. Where conn is not nil, it hears when somebody writes one.
// It returns once all records that there are have been read, and goes on until StopFollowing,
// whatever becomes of ctx.
func (s *Store) Follow(ctx context.Context, conn *nats.Conn) error {
	if conn != nil {
		_, err := conn.Subscribe(RecordSubject(">"), func(*nats.Msg) {
			select {
			case s.wake <- struct{}{}:
			default:
			}
		})
		if err != nil {
			return err
		}
	}
	if err := s.CatchUp(ctx); err != nil {
		return err
	}
	ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	s.over.Go(func() {
		tick := time.Tick(followEvery)
		for n := 1; ; n++ {
			select {
			case <-ctx.Done():
				return
			case <-s.wake:
				time.Sleep(followAfter)
			case <-tick:
			}
			_ = s.CatchUp(ctx) // a server that is away is asked again
			if n%50 == 0 {
				s.rereadAfterReset(ctx)
			}
		}
	})
	return nil
}

// StopFollowing ends that.
func (s *Store) StopFollowing() {
	if s.stop != nil {
		s.stop()
	}
	s.over.Wait()
}

// followEvery is how often changed records are asked for.
const followEvery = 200 * time.Millisecond

// followAfter is how long a record that somebody writes takes to be stored.
const followAfter = 5 * time.Millisecond

// CatchUp reads what has changed.
// When it returns nil, all that was stored before it was called is known. Messages are read in
// their order, one at a time, by whoever asks first; others wait.
func (s *Store) CatchUp(ctx context.Context) error {
	s.reading.Lock()
	defer s.reading.Unlock()
	for {
		m, err := s.records.GetMsg(ctx, s.next, jetstream.WithGetMsgSubject(RecordSubject(">")))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		s.cacheRecordOrVersion(m)
		s.next = m.Sequence + 1
	}
}

// rereadAfterReset reads all records again where a server that lost power counts from an earlier
// message on.
func (s *Store) rereadAfterReset(ctx context.Context) {
	s.reading.Lock()
	defer s.reading.Unlock()
	info, err := s.records.Info(ctx)
	if err == nil && info.State.LastSeq+1 < s.next {
		s.next = 1
		s.mu.Lock()
		clear(s.known)
		s.mu.Unlock()
	}
}

// RecordSubject is the subject of a key.
func RecordSubject(key string) string { return "$KV." + broker.JobsBucket + "." + key }

// cacheRecordOrVersion takes down a record, or the cluster's version.
// What can't be read is passed over, as a record of a later version might be.
func (s *Store) cacheRecordOrVersion(m *jetstream.RawStreamMsg) {
	id, isJob := strings.CutPrefix(m.Subject, RecordSubject(JobKey))
	if !isJob {
		if m.Subject == RecordSubject(versionKey) {
			s.mu.Lock()
			s.version = string(m.Data)
			s.mu.Unlock()
		}
		return
	}
	var r *Record
	if !IsDeletion(m) {
		r = &Record{}
		if json.Unmarshal(m.Data, r) != nil {
			return
		}
		r.revision = m.Sequence
	}
	s.cacheRecord(id, r)
}

// cacheRecord takes down a record, nil for that it was deleted. An older one than is known says
// nothing.
func (s *Store) cacheRecord(id string, r *Record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if before := s.known[id]; before != nil && r != nil && r.revision < before.revision {
		return
	}
	s.known[id] = r
	maps.DeleteFunc(s.wrong, func(_, job string) bool { return job == id })
	if r != nil && r.Audit != nil {
		for _, n := range r.Audit.Wrong {
			s.wrong[n.Worker] = id
		}
	}
	close(s.changed)
	s.changed = make(chan struct{})
}

// JobFoundWrongIn returns the job in which an output of a worker was found wrong; empty where there
// is none. It is forgotten with the job.
func (s *Store) JobFoundWrongIn(worker string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wrong[worker]
}

// Latest returns the latest record that has been seen, and a channel that is
// closed when one changes.
func (s *Store) Latest(id string) (latest *Record, changed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known[id], s.changed
}

// IsOver reports whether a job is known to be over or removed.
// It asks nobody: of a job that has not been seen yet the answer is no.
func (s *Store) IsOver(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, seen := s.known[id]
	return seen && (r == nil || r.State.Over())
}

// Job reads a job's record from the server.
func (s *Store) Job(ctx context.Context, id string) (*Record, error) {
	if !IsJobID(id) {
		return nil, fmt.Errorf("job %q: %w", id, ErrNoJob)
	}
	e, err := s.keys.Get(ctx, JobKey+id)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, fmt.Errorf("job %q: %w", id, ErrNoJob)
	}
	if err != nil {
		return nil, err
	}
	r := &Record{revision: e.Revision()}
	if err := json.Unmarshal(e.Value(), r); err != nil {
		return nil, fmt.Errorf("job %s: its record: %w", id, err)
	}
	return r, nil
}

// Update changes a job's record, as often as it takes.
// It fails only where change does, where there is no such job, or where the server can't be asked:
// a change that others make meanwhile is read, and this one made on top of it. The record that it
// returns beside an error of change is as change has left it, and not stored.
func (s *Store) Update(ctx context.Context, id string, change func(*Record) error) (*Record, error) {
	for {
		r, err := s.Job(ctx, id)
		if err != nil {
			return nil, err
		}
		if err := change(r); err != nil {
			return r, err
		}
		data, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		r.revision, err = s.keys.Update(ctx, JobKey+id, data, r.revision)
		if err == nil {
			s.cacheRecord(id, r)
			return r, nil
		}
		if !errors.Is(err, jetstream.ErrKeyExists) && !errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
			return nil, err
		}
	}
}

// UpdateUnfinished is Update of a job that is not over; else the error is ErrOver.
func (s *Store) UpdateUnfinished(ctx context.Context, id string, change func(*Record)) (*Record, error) {
	return s.Update(ctx, id, func(r *Record) error {
		if r.State.Over() {
			return ErrOver
		}
		change(r)
		return nil
	})
}

// Create adds a record.
// A job of that name that is there already is an error.
func (s *Store) Create(ctx context.Context, r *Record) error {
	data, err := json.Marshal(r)
	if err == nil {
		_, err = s.keys.Create(ctx, JobKey+r.ID, data)
	}
	return err
}

// ClaimVersion says which version the cluster runs. Where another one runs it, allowTakeover says
// whether this one may.
func (s *Store) ClaimVersion(ctx context.Context, version string, allowTakeover func(running string) error) error {
	e, err := s.keys.Get(ctx, versionKey)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		if _, err = s.keys.Create(ctx, versionKey, []byte(version)); errors.Is(err, jetstream.ErrKeyExists) {
			return s.ClaimVersion(ctx, version, allowTakeover)
		}
		return err
	}
	if err != nil || string(e.Value()) == version {
		return err
	}
	if err := allowTakeover(string(e.Value())); err != nil {
		return err
	}
	_, err = s.keys.Update(ctx, versionKey, []byte(version), e.Revision())
	return err
}

// List lists the jobs, the latest first.
func (s *Store) List(ctx context.Context) ([]*Record, error) {
	subjects, err := SubjectsOf(ctx, s.records, RecordSubject(JobKey+"*"))
	if err == nil {
		err = s.CatchUp(ctx)
	}
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []*Record{}
	for id, r := range s.known {
		if _, there := subjects[RecordSubject(JobKey+id)]; r != nil && there {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b *Record) int {
		return cmp.Or(b.Created.Compare(a.Created), strings.Compare(a.ID, b.ID))
	})
	return list, nil
}

// Unfinished lists the jobs that are not over.
func (s *Store) Unfinished(ctx context.Context) ([]*Record, error) {
	list, err := s.List(ctx)
	return slices.DeleteFunc(list, func(r *Record) bool { return r.State.Over() }), err
}

// ReadVersion asks which version the cluster runs.
func (s *Store) ReadVersion(ctx context.Context) (string, error) {
	e, err := s.keys.Get(ctx, versionKey)
	if err != nil {
		return "", err
	}
	return string(e.Value()), nil
}

// ClusterVersion is the version that the cluster was last seen to run.
func (s *Store) ClusterVersion() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}
