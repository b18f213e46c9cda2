package web

import (
	"context"
	"encoding/json"
	"errors"

	"oxo/web/service"
)

// uploads keeps files that people bring for good, as positions and links name them.
// Kinds are the server's own words, such as kindProof; a name follows from the content, so that what is there
// under a name is the same file. Its methods need a store.
type uploads struct{ *service.Base }

// findKept reports whether a file is kept already, and reads into entry what is said of
// it.
// Entry is a pointer, and stays as it is where there is no such file. The error is a problem.
func (s *uploads) findKept(ctx context.Context, kind, name string, entry any) (known bool, err error) {
	doc, _, err := s.Store.File(ctx, kind, name)
	if errors.Is(err, s.Errs.NotFound) {
		return false, nil
	}
	if err == nil {
		err = json.Unmarshal(doc, entry)
	}
	return err == nil, s.StoreProblem(err, "")
}

// admit reports whether a file is kept already, and reads into entry what is said of it; or it is an
// error where the file can't be kept, as most of its kind are, or as too many come from an address,
// each of which takes a place that others then don't have.
func (s *uploads) admit(ctx context.Context, from service.From, kind, name string, most int, entry any) (
	known bool, err error) {
	known, err = s.findKept(ctx, kind, name, entry)
	if known || err != nil {
		return known, err
	}
	if err := s.checkRoom(ctx, kind, most); err != nil {
		return false, err
	}
	if !service.IsLoopback(from.Address) && !s.BringLimit.Allow(from.Address) {
		return false, service.BusyProblem("files.fast", int(1/service.BringPace.PerSecond))
	}
	return false, nil
}

// checkRoom is an error where most files of a kind are kept.
// Two that come at the same moment may both find the last place free.
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

// keepFile keeps a file with what is said of it.
// It is durable when nil is returned.
func (s *uploads) keepFile(kind, name string, entry any, data []byte) error {
	doc, err := json.Marshal(entry)
	if err != nil {
		return err
	}
	return s.StoreProblem(s.Store.AddFile(kind, name, doc, data), "")
}
