package records

import (
	"errors"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"oxo/cluster/blob"
	"oxo/lab/jobs"
)

// JobState says how a job stands.
type JobState string

// The states of a job.
const (
	Waiting   JobState = "waiting" // until somebody coordinates it
	Running   JobState = "running"
	Done      JobState = "done"
	Failed    JobState = "failed"
	Cancelled JobState = "cancelled"
)

// Over reports whether nothing more happens.
func (s JobState) Over() bool { return s == Done || s == Failed || s == Cancelled }

// Record is what the cluster knows of a job for good.
type Record struct {
	ID          string            `json:"id"`
	Job         jobs.Job          `json:"job"`
	Priority    string            `json:"priority"`
	Version     string            `json:"version"`
	Inputs      map[string]string `json:"inputs,omitempty"` // the objects of files that specs name
	State       JobState          `json:"state"`
	Created     time.Time         `json:"created"`
	Ended       *time.Time        `json:"ended,omitempty"`
	Lead        string            `json:"lead,omitempty"` // the try to lead it
	Made        string            `json:"made,omitempty"` // by which of them the result was made
	Error       string            `json:"error,omitempty"`
	FailedParts []FailedPart      `json:"aside,omitempty"` // parts that could not be carried out
	Files       []File            `json:"files,omitempty"` // of the result
	Audit       *Audit            `json:"audit,omitempty"` // nil for jobs of earlier versions
	Round       int               `json:"round,omitempty"` // how often it was begun anew, as outputs were wrong

	revision uint64 // of the record, which grows
}

// FailedPart is a part that failed on several workers.
// Both numbers count from 0. The error is that of the last worker, in words, without the name.
type FailedPart struct {
	Stage int    `json:"stage"`
	Index int    `json:"index"`
	Name  string `json:"name"`
	Error string `json:"error"`
}

// File is a file of a job's result.
type File = blob.Info

// IsDeletion reports whether a message only says that a key was deleted.
// JetStream keeps such a message in the key's place, as nothing else would tell who follows.
func IsDeletion(m *jetstream.RawStreamMsg) bool {
	kind := m.Header.Get("KV-Operation")
	return kind == "DEL" || kind == "PURGE"
}

// ErrNoJob is returned, wrapped, for a job that the cluster has not.
var ErrNoJob = errors.New("there is no such job")

// IsJobID reports whether text can be a job's name.
// Names are made of letters and digits, as they are words of subjects and parts of paths.
func IsJobID(id string) bool {
	return id != "" && !strings.ContainsFunc(id, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

// ErrOver ends a change of a job that is over.
var ErrOver = errors.New("the job is over")

// IsLaterThan reports whether a record was read after another one of the same job had changed.
func (r *Record) IsLaterThan(other *Record) bool { return r.revision > other.revision }
