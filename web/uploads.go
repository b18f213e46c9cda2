package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"oxo/web/service"
)

// uploads keeps files that people bring for good, as positions and links name them.
// Kinds are the server's own words, such as kindProof; a name follows from the content, so that what is there
// under a name is the same file. Its methods need a store.
type uploads struct{ *service.Base }

// findStoredOrCheckQuota reports whether a file is kept already, and reads into entry what is said of it; or it is an
// error where the file can't be kept, as maxFiles of its kind are, or as too many come from an address,
// each of which takes a place that others then don't have.
// Entry is a pointer, and stays as it is where there is no such file. The error is a problem.
func (s *uploads) findStoredOrCheckQuota(ctx context.Context, kind, name string, maxFiles int,
	entry any) (known bool, err error) {
	doc, _, err := s.Store.File(ctx, kind, name)
	if err == nil {
		err = json.Unmarshal(doc, entry)
	}
	if !errors.Is(err, s.Errs.NotFound) {
		return err == nil, s.StoreProblem(err, "")
	}
	if err := s.checkFileQuota(ctx, kind, maxFiles); err != nil {
		return false, err
	}
	if from := service.AskerOf(ctx).Address; !service.IsLoopback(from) && !s.BringLimit.Allow(from) {
		return false, service.BusyProblem("files.fast", int(1/service.BringPace.PerSecond))
	}
	return false, nil
}

// checkFileQuota is an error where maxFiles files of a kind are kept. It says no time to come again: places get free
// only as the operator removes files.
// Two that come at the same moment may both find the last place free.
func (s *uploads) checkFileQuota(ctx context.Context, kind string, maxFiles int) error {
	docs, err := s.Store.Files(ctx, kind, maxFiles)
	if err != nil {
		return s.StoreProblem(err, "")
	}
	if len(docs) >= maxFiles {
		return service.NewProblem(http.StatusServiceUnavailable, "files.full."+kind, "n", maxFiles)
	}
	return nil
}

// storeFile keeps a file with what is said of it.
// It is durable when nil is returned.
func (s *uploads) storeFile(kind, name string, entry any, data []byte) error {
	doc, err := json.Marshal(entry)
	if err != nil {
		return err
	}
	return s.StoreProblem(s.Store.AddFileIfAbsent(kind, name, doc, data), "")
}
