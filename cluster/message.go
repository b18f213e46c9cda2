package cluster

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"oxo/cluster/blob"
	"oxo/cluster/records"
	"oxo/lab/jobs"
)

// large is from how many bytes on an output or a checkpoint is an object
// instead of a message, and about how many bytes of outputs travel together.
// Servers of NATS take messages of up to 1 MiB unless they are told otherwise, as oxo tells its own.
const large = 256 << 10

// Headers of the messages about parts.
const (
	headWorker  = "Oxo-Worker"
	headSeconds = "Oxo-Seconds"
	headObject  = "Oxo-Object"
	headSum     = "Oxo-Sum"  // the checksum of the body
	headTask    = "Oxo-Task" // what the outputs answer: see taskOf
	headFrom    = "Oxo-From" // the worker whose checkpoint the part went on from, where it was another
)

// item is what is said about one part: how it went, and its output or its
// checkpoint.
// In a message an item is two fields, each its length as a varint and its bytes: the report as JSON, then the data.
type item struct {
	report jobs.Report
	data   []byte
}

// packMessage makes the message of outputs or of a checkpoint: for each part its report and its data,
// with the number of their bytes before each. The data of one part may be large; then they are an
// object. A large one is stored first, so that a message never names an object that is not there.
func (c *Cluster) packMessage(ctx context.Context, subject string, items ...item) (*nats.Msg, error) {
	m := nats.NewMsg(subject)
	m.Header.Set(headWorker, c.id)
	var object []byte
	if len(items) == 1 && len(items[0].data) > large {
		object = items[0].data
		items = []item{{report: items[0].report}}
	}
	for _, it := range items {
		text, err := json.Marshal(it.report)
		if err != nil {
			return nil, err
		}
		m.Data = append(binary.AppendUvarint(m.Data, uint64(len(text))), text...)
		m.Data = append(binary.AppendUvarint(m.Data, uint64(len(it.data))), it.data...)
	}
	m.Header.Set(headSum, checksum(m.Data))
	if object == nil {
		return m, nil
	}
	name := strings.Split(subject, ".")[2] + "/" + subject
	m.Header.Set(headObject, name)
	return m, c.keepTrying(ctx, func() error {
		_, err := c.files.OwnedBy(c.id).Put(ctx, name, bytes.NewReader(object))
		return err
	})
}

// checksum is that of a message's body.
func checksum(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:12])
}

var errDamaged = errors.New("a message about parts is damaged")

// unpackItems takes a message apart. The data are empty where they are an object. A body that ends within a
// field, or has another checksum than sum, is errDamaged; an empty sum, of an earlier version, is none.
// Lengths are checked before anything is taken, so that none can point beyond the body.
func unpackItems(sum string, body []byte) ([]item, error) {
	if sum != "" && sum != checksum(body) {
		return nil, errDamaged
	}
	field := func() ([]byte, bool) {
		n, used := binary.Uvarint(body)
		if used <= 0 || n > uint64(len(body)-used) {
			return nil, false
		}
		text := body[used : used+int(n)]
		body = body[used+int(n):]
		return text, true
	}
	var items []item
	for len(body) > 0 {
		text, ok := field()
		var it item
		if ok {
			it.data, ok = field()
		}
		if !ok || json.Unmarshal(text, &it.report) != nil {
			return nil, errDamaged
		}
		items = append(items, it)
	}
	return items, nil
}

// fetchItems returns what a message about parts holds; none where there is no such
// message, or its object is not there.
func (c *Cluster) fetchItems(ctx context.Context, subject string) ([]item, error) {
	m, err := c.done.GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	items, err := unpackItems(m.Header.Get(headSum), m.Data)
	if name := m.Header.Get(headObject); name != "" && err == nil && len(items) == 1 {
		_, _, worker, _ := parsePartSubject(subject) // another one may have an object of that name, too
		items[0].data, err = c.files.OwnedBy(worker).Bytes(ctx, name)
		if errors.Is(err, blob.ErrNotFound) {
			return nil, nil
		}
	}
	return items, err
}

// publish stores a message, trying again until the server has it.
func (c *Cluster) publish(ctx context.Context, m *nats.Msg) error {
	return c.keepTrying(ctx, func() error {
		_, err := c.js.PublishMsg(ctx, m)
		return err
	})
}

// keepTrying tries until it works or ctx is done: servers are away for a while, and
// full disks are emptied. The error is the last one.
// The time between two tries doubles from 100 ms to 2 s.
func (c *Cluster) keepTrying(ctx context.Context, try func() error) error {
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		err := try()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(wait):
		}
	}
}

// storedOutputs is the outputs of a job's finished stages on the server. It notes when the server does not
// answer. It implements jobs.Outputs for one job and one goroutine. Failed tells errors of the server
// from those of the job.
type storedOutputs struct {
	c      *Cluster
	ctx    context.Context
	job    string
	stages []int
	failed error
	made   []records.File // of the result, as far as the server has them

	round  int  // how often the job was begun anew, where it has a shelf
	repeat bool // a part is repeated: nothing is put into the blob store

	where [][]place         // for each stage, the message that a part is in, once that was asked for
	read  map[string][]item // messages that were read, as far as they are kept
	bytes int               // in them

	// trouble, where it is not nil, is told why nothing can be stored, and nil
	// when it can again.
	trouble func(error)
}

// Stages is how many stages are finished.
func (s *storedOutputs) Stages() int { return len(s.stages) }

// Parts is how many parts a finished stage had.
func (s *storedOutputs) Parts(stage int) int { return s.stages[stage] }

// Output notes an error, as its callers may return it as the job's.
func (s *storedOutputs) Output(stage, index int) ([]byte, error) {
	data, err := s.readOutput(stage, index)
	if err != nil {
		s.failed = err
	}
	return data, err
}

// readOutput returns the output of a part from the cache, or from the server.
func (s *storedOutputs) readOutput(stage, index int) ([]byte, error) {
	at, err := s.locateOutput(stage, index)
	if err != nil {
		return nil, err
	}
	items, ok := s.read[at.subject]
	if !ok {
		if items, err = s.c.fetchItems(s.ctx, at.subject); err != nil {
			return nil, err
		}
		s.cacheItems(at.subject, items)
	}
	if len(items) != at.count {
		return nil, fmt.Errorf("the output of part %d of stage %d is missing", index, stage)
	}
	return items[index-at.first].data, nil
}

// mostKept is how many bytes of outputs are kept at hand.
// Of outputs that are more some are read again.
const mostKept = 32 << 20

// cacheItems keeps the items of a message, and drops all others where they have become too many.
// Parts are mostly read in their order, and so the messages are: what was dropped is rarely wanted
// again.
func (s *storedOutputs) cacheItems(subject string, items []item) {
	size := len(subject)
	for _, it := range items {
		size += len(it.data)
	}
	if s.bytes += size; s.read == nil || s.bytes > mostKept {
		s.read, s.bytes = map[string][]item{}, size
	}
	s.read[subject] = items
}

// place is where outputs are: a message with those of some parts.
type place struct {
	span
	subject string
}

// locateOutput says which message holds the output of a part. Where the outputs of a stage are is
// asked for once.
// Of several outputs of a part any is taken, as those that were audited agree.
func (s *storedOutputs) locateOutput(stage, index int) (place, error) {
	for len(s.where) <= stage {
		s.where = append(s.where, nil)
	}
	if s.where[stage] == nil {
		subjects, err := records.SubjectsOf(s.ctx, s.c.done, fmt.Sprintf("oxo.done.%s.%d.>", s.job, stage))
		if err != nil {
			return place{}, err
		}
		where := make([]place, s.stages[stage])
		for subject := range subjects {
			at, ok := s.c.doneSpan(subject)
			for i := at.first; ok && i < min(at.first+at.count, len(where)); i++ {
				where[i] = place{at, subject}
			}
		}
		s.where[stage] = where
	}
	if at := s.where[stage][index]; at.count > 0 {
		return at, nil
	}
	return place{}, fmt.Errorf("the output of part %d of stage %d is missing", index, stage)
}

// resultCreator makes a file of the job's result. That the server does not take one is noted too.
// Writing goes through a pipe to the server; closing waits until all is stored, and returns the error.
func (s *storedOutputs) resultCreator(coordinatorName string) jobs.Create {
	return func(name string) (io.WriteCloser, error) {
		r, w := io.Pipe()
		f := &resultUpload{PipeWriter: w, of: s, ended: make(chan error, 1)}
		go func() {
			size, err := s.c.files.Put(s.ctx, resultName(s.job, coordinatorName, name), r)
			if err == nil {
				f.made = records.File{Name: name, Size: size}
			}
			r.CloseWithError(err)
			f.ended <- err
		}()
		return f, nil
	}
}

// resultName is the object of a result's file. Each coordinator has names of its own:
// one that has been taken for lost may still be at work.
func resultName(job, lead, name string) string { return job + "/result/" + lead + "/" + name }

// resultUpload is a file on its way to the server.
// Its writes block until the server has taken what came before.
type resultUpload struct {
	*io.PipeWriter
	of    *storedOutputs
	made  records.File
	ended chan error
}

// Close ends the file and waits until the server has it.
func (u *resultUpload) Close() error {
	u.PipeWriter.Close()
	err := <-u.ended
	if err != nil {
		u.of.failed = err
		return err
	}
	u.of.made = append(u.of.made, u.made)
	return nil
}
