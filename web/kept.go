package web

import (
	"context"
	"encoding/json"
	"errors"

	"oxo/web/service"
)

// uploads keeps files that people bring for good, as positions and links name them.
type uploads struct{ *service.Base }

// findKept reports whether a file is kept already, and reads into entry what is said of
// it.
func (s *uploads) findKept(ctx context.Context, kind, name string, entry any) (bool, error) {
	doc, _, err := s.Store.File(ctx, kind, name)
	if errors.Is(err, s.Errs.NotFound) {
		return false, nil
	}
	if err == nil {
		err = json.Unmarshal(doc, entry)
	}
	return err == nil, s.StoreProblem(err, "")
}

// checkRoom is an error where most files of a kind are kept.
func (s *uploads) checkRoom(ctx context.Context, kind string, most int) error {
	docs, err := s.Store.Files(ctx, kind, most)
	if err != nil {
		return s.StoreProblem(err, "")
	}
	if len(docs) >= most {
		return service.BusyProblem("files.full."+kind, 3600)
	}
	return nil
}

// checkUploadRate is an error where too many files come from an address, each of which takes
// a place that others then don't have.
func (s *uploads) checkUploadRate(from service.From) error {
	if !service.IsLoopback(from.Address) && !s.BringLimit.Allow(from.Address) {
		return service.BusyProblem("files.fast", int(1/service.BringPace.PerSecond))
	}
	return nil
}

// keepFile keeps a file with what is said of it.
func (s *uploads) keepFile(kind, name string, entry any, data []byte) error {
	doc, err := json.Marshal(entry)
	if err != nil {
		return err
	}
	return s.StoreProblem(s.Store.AddFile(kind, name, doc, data), "")
}
