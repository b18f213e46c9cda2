package cluster

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"oxo/lab"
)

// large is from how many bytes on an output or a checkpoint is an object
// instead of a message.
const large = 256 << 10

// Headers of the messages about parts.
const (
	headWorker  = "Oxo-Worker"
	headSeconds = "Oxo-Seconds"
	headObject  = "Oxo-Object"
)

// partSubject is oxo.KIND.JOB.STAGE.INDEX.
func partSubject(kind, job string, stage, index int) string {
	return fmt.Sprintf("oxo.%s.%s.%d.%d", kind, job, stage, index)
}

// message makes the message of a part's output or checkpoint. It begins with
// the report, which has the number of its bytes before it.
func (c *Cluster) message(ctx context.Context, subject string, report lab.Report, data []byte) (*nats.Msg, error) {
	text, err := json.Marshal(report)
	if err != nil {
		return nil, err
	}
	m := nats.NewMsg(subject)
	m.Header.Set(headWorker, c.id)
	m.Data = append(binary.AppendUvarint(nil, uint64(len(text))), text...)
	if len(data)+len(m.Data) < large {
		m.Data = append(m.Data, data...)
		return m, nil
	}
	job := strings.Split(subject, ".")[2]
	name := job + "/" + subject
	m.Header.Set(headObject, name)
	return m, c.again(ctx, func() error {
		_, err := c.files.Put(ctx, jetstream.ObjectMeta{Name: name}, bytes.NewReader(data))
		return err
	})
}

// unpack takes a message apart. Data is nil where it is an object.
func unpack(body []byte) (report lab.Report, data []byte, err error) {
	n, used := binary.Uvarint(body)
	if used <= 0 || n > uint64(len(body)-used) {
		return report, nil, errors.New("a message about a part is damaged")
	}
	text, data := body[used:used+int(n)], body[used+int(n):]
	return report, data, json.Unmarshal(text, &report)
}

// fetch returns the output or the checkpoint of a part; nil where there is
// none.
func (c *Cluster) fetch(ctx context.Context, subject string) ([]byte, error) {
	m, err := c.done.GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if name := m.Header.Get(headObject); name != "" {
		return c.files.GetBytes(ctx, name)
	}
	_, data, err := unpack(m.Data)
	return data, err
}

// publish stores a message, trying again until the server has it.
func (c *Cluster) publish(ctx context.Context, m *nats.Msg) error {
	return c.again(ctx, func() error {
		_, err := c.js.PublishMsg(ctx, m)
		return err
	})
}

// again tries until it works or ctx is done: servers are away for a while, and
// full disks are emptied. The error is the last one.
func (c *Cluster) again(ctx context.Context, try func() error) error {
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

// stored is the outputs of a job's finished stages on the server. It notes
// when the server does not answer.
type stored struct {
	c      *Cluster
	ctx    context.Context
	job    string
	stages []int
	failed error
}

func (s *stored) Stages() int         { return len(s.stages) }
func (s *stored) Parts(stage int) int { return s.stages[stage] }

func (s *stored) Output(stage, index int) ([]byte, error) {
	data, err := s.c.fetch(s.ctx, partSubject("done", s.job, stage, index))
	if err == nil && data == nil {
		err = fmt.Errorf("the output of part %d of stage %d is missing", index, stage)
	}
	if err != nil {
		s.failed = err
	}
	return data, err
}

// create makes a file of a job's result.
func (c *Cluster) create(ctx context.Context, job string) lab.Create {
	return func(name string) (io.WriteCloser, error) {
		r, w := io.Pipe()
		f := &upload{PipeWriter: w, stored: make(chan error, 1)}
		go func() {
			_, err := c.files.Put(ctx, jetstream.ObjectMeta{Name: resultName(job, name)}, r)
			r.CloseWithError(err)
			f.stored <- err
		}()
		return f, nil
	}
}

func resultName(job, name string) string { return job + "/result/" + name }

// upload is a file on its way to the server.
type upload struct {
	*io.PipeWriter
	stored chan error
}

func (u *upload) Close() error {
	u.PipeWriter.Close()
	return <-u.stored
}
