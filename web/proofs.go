package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"oxo/lab"
	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

// Limits of what people bring.
const (
	proofBytes    = 4 << 20   // of a certificate
	maxProofs     = 200       // that are kept
	keptProofs    = 32        // read proofs that are held in memory
	heldProofs    = 128 << 20 // bytes that they may take together
	proofTime     = 30 * time.Second
	carriedTime   = 2 * time.Minute // of the check of one that the program has with it
	kindProof     = "proof"
	fromServer    = "built in"
	fromPeople    = "uploaded"
	fromJobs      = "proved here"
	progressSteps = 50 // reports of a check, at most
)

// proofLimits bound the check of a proof beside [proofTime].
var proofLimits = lab.Limits{Unpacked: 64 << 20, Memory: 128 << 20}

// carriedLimits bound the check of a proof that the program has with it.
var carriedLimits = lab.Limits{Unpacked: 64 << 20, Memory: 512 << 20}

// ProofEntry is a proof that the server has.
// The summary is of the certificate as it was read here.
type ProofEntry struct {
	ID   string `json:"id"`
	From string `json:"from" enum:"built in,uploaded,proved here"`
	lab.CertificateSummary
	Search *lab.ProofSearch `json:"search,omitempty" doc:"what finding it took, where that is known"`
	Prove  string           `json:"prove" doc:"the command that finds a proof of the same claim; empty where none does"`
	Verify string           `json:"verify" doc:"the command that checks its file"`
}

// setCommands sets the commands about a proof, by the name that its file is downloaded under.
func (e *ProofEntry) setCommands() { e.Prove, e.Verify = e.Commands(e.ID + ".proof") }

// keptProof is what is kept of a proof beside its file.
// Its JSON is the document in the store.
type keptProof struct {
	ProofEntry
	Checker int `json:"checker,omitempty"` // the version of the checker that saw it; 0 for those before 2
}

// checkerVersion is the version of the checker. Version 2 is the first that refuses a
// proof of a position that the game named in it can't have; 3 says besides what is shown, and how to repeat it; 4 does
// not where no search ends with it; 5 says how its strategy begins; 6 what the sides are called;
// 7 by what its start is settled.
const checkerVersion = 7

// ProofList lists proofs.
type ProofList struct {
	Proofs []ProofEntry `json:"proofs"`
}

// ProofPath names a proof.
type ProofPath struct {
	ID string `path:"id" maxLength:"80"`
}

// CheckLine is a line of the stream of a check: the share of the file that was
// read, and at the end what was found.
// Share is from 0 to 1, seconds are since the check began.
type CheckLine struct {
	Share   float64      `json:"share"`
	Result  *lab.Verdict `json:"result,omitempty"`
	Seconds float64      `json:"seconds"`
}

// WalkRequest says how a game against a proof has gone.
type WalkRequest struct {
	Seat    string   `json:"seat,omitempty" enum:"first,second" doc:"whose strategy to play against; without it the one that claims most"`
	Replies []string `json:"replies,omitempty" maxItems:"256" doc:"the moves of the other side so far"`
}

// proofOp describes an operation about proofs.
func proofOp(method, path, id, summary, description string) huma.Operation {
	return huma.Operation{OperationID: id, Method: method, Path: service.Root + "/proofs" + path, Summary: summary,
		Description:  description,
		MaxBodyBytes: service.BodyLimit, Errors: []int{400, 404, 413, 415, 422, 429, 503}, Tags: []string{"proofs"}}
}

// proofs keeps and checks proofs.
// Each proof is kept under an id that follows from its file. The cache has those that were read and hold.
type proofs struct {
	uploads
	read service.RecentCache[*lab.Certificate] // each of which holds
	// checked has the summaries, by id, of kept proofs that an earlier checker saw; nil where one holds no more.
	checked sync.Map
}

// registerProofs registers what can be done with proofs.
// Without a store there are those built in alone, and none can be brought.
func (s *proofs) registerProofs() {
	service.Register(s.Base, proofOp(http.MethodGet, "", "list-proofs", "List the proofs that the server has",
		"Those built in, those that people brought, and those that jobs of this server have made."),
		func(ctx context.Context, _ *struct{}) (*ProofList, error) {
			list, err := s.listProofs(ctx)
			return &ProofList{list}, err
		})
	service.Register(s.Base, proofOp(http.MethodPost, "/{id}/walk", "walk-proof", "Play against a proof",
		"Answers with the game so far, each reply answered by the proof's move and why it is played."),
		func(ctx context.Context, in *struct {
			ProofPath
			Body WalkRequest
		}) (*lab.Walk, error) {
			c, err := s.openProof(ctx, in.ID)
			if err != nil {
				return nil, err
			}
			w, err := c.Walk(in.Body.Seat, in.Body.Replies)
			return w, service.FieldProblem("replies", in.Body.Replies, err)
		})
	check := proofOp(http.MethodGet, "/{id}/check", "check-proof", "Check a proof",
		"By a program that shares nothing with the one that proves. Lines tell how much was read; the last one has "+
			"the result.")
	huma.Register(s.API, service.DescribeStream[CheckLine](s.API, check), s.streamProofCheck)
	file := proofOp(http.MethodGet, "/{id}/file", "proof-file", "Get a proof's file", "For oxo verify and oxo walk.")
	file.Responses = service.Answer("The certificate", "application/octet-stream", nil)
	huma.Register(s.API, file, func(ctx context.Context, in *ProofPath) (*huma.StreamResponse, error) {
		data, err := s.proofData(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		return service.RespondWithData(data, "Content-Type", "application/octet-stream",
			"Content-Disposition", fmt.Sprintf("attachment; filename=%q", in.ID+".proof")), nil
	})
	if s.Store == nil {
		return
	}
	add := proofOp(http.MethodPost, "", "add-proof", "Bring a proof",
		"The body is the certificate's file. It is checked, and kept if it holds.")
	add.MaxBodyBytes, add.BodyReadTimeout = proofBytes, slowest
	add.Middlewares = huma.Middlewares{s.LimitCreation}
	service.Register(s.Base, add, s.addProof)
}

// proofData returns a proof's file.
// That there is none is a problem of status 404.
// A carried one needs no store.
func (s *proofs) proofData(ctx context.Context, id string) ([]byte, error) {
	if c := carriedProof(id); c != nil {
		return c.Data(), nil
	}
	if s.Store == nil {
		return nil, service.NewProblem(404, "no.proof")
	}
	_, data, err := s.Store.File(ctx, kindProof, id)
	return data, s.StoreProblem(err, "no.proof")
}

// openProof returns a proof that has been read and holds.
// It computes for what is not carried and was not read lately, and waits for a slot then.
// One that was brought and does not hold is a problem of status 422.
func (s *proofs) openProof(ctx context.Context, id string) (*lab.Certificate, error) {
	if c, ok := s.read.Find(id); ok {
		return c, nil
	}
	if of := carriedProof(id); of != nil {
		c, err := s.Games.Lab.OpenCarriedCertificate(of)
		if err != nil {
			return nil, err
		}
		return s.read.Keep(id, c), nil
	}
	data, err := s.proofData(ctx, id)
	if err != nil {
		return nil, err
	}
	leave, err := s.Heavy.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	return s.checkAndCacheProof(ctx, id, data)
}

// findWalk returns what a proof claims and the moves of a walk through it, its own first ones where the replies are no
// walk, or where reading the strategy takes a while, as of moves alone. Nothing is checked for it: the summary is nil
// of a proof that is kept as an earlier checker saw it.
// That there is none is a problem of status 404.
func (s *proofs) findWalk(ctx context.Context, id, seat string, replies []string) (sum *lab.CertificateSummary,
	moves []string, err error) {
	c, read := s.read.Find(id)
	if !read && carriedProof(id) != nil {
		if c, err = s.openProof(ctx, id); err != nil {
			return nil, nil, err
		}
		read = true
	}
	if read {
		moves = c.Summary.Begins
		if !c.Proof.ByMoves() {
			if w, err := c.Walk(seat, replies); err == nil {
				moves = w.Moves
			}
		}
		return &c.Summary, moves, nil
	}
	if s.Store == nil {
		return nil, nil, service.NewProblem(404, "no.proof")
	}
	doc, _, err := s.Store.File(ctx, kindProof, id)
	if err != nil {
		return nil, nil, s.StoreProblem(err, "no.proof")
	}
	var kept keptProof
	if err := json.Unmarshal(doc, &kept); err != nil || kept.Checker != checkerVersion {
		return nil, nil, err
	}
	return &kept.CertificateSummary, kept.Begins, nil
}

// carriedProof returns the proof of that id which the program has with it, or nil.
// The lab finds one by its game too, which is no id here.
func carriedProof(id string) *lab.CarriedProof {
	if c := lab.CarriedNamed(id); c != nil && c.FileID() == id {
		return c
	}
	return nil
}

// checkAndCacheProof reads a proof and remembers it. For one that people brought the
// caller has a place in the gate.
// Reading checks it whole, within proofTime and proofLimits.
func (s *proofs) checkAndCacheProof(ctx context.Context, id string, data []byte) (*lab.Certificate, error) {
	ctx, cancel := context.WithTimeout(ctx, proofTime)
	defer cancel()
	limits := proofLimits
	limits.Disk = s.Games.Lab.Scratch
	c, err := s.Games.Lab.Certificate(ctx, bytes.NewReader(data), int64(len(data)), lab.Question{Limits: limits})
	if err != nil {
		return nil, huma.NewError(http.StatusUnprocessableEntity, err.Error())
	}
	return s.read.Keep(id, c), nil
}

// listProofs lists what people brought and jobs have made, the latest first, and
// what is built in.
// Those of an earlier checker are checked again as they are listed, each once.
// Those that do not hold any more are left out, and stay in the store.
func (s *proofs) listProofs(ctx context.Context) ([]ProofEntry, error) {
	list := []ProofEntry{}
	if s.Store != nil {
		docs, err := s.Store.Files(ctx, kindProof, maxProofs)
		kept, err := service.ReadDocs[keptProof](s.Base, docs, err)
		if err != nil {
			return nil, err
		}
		for i := range kept {
			if s.refreshIfHolds(ctx, &kept[i]) {
				list = append(list, kept[i].ProofEntry)
			}
		}
	}
	all := lab.Carried()
	for i := range all {
		c, err := s.openProof(ctx, all[i].FileID())
		if err != nil {
			return nil, err
		}
		e := ProofEntry{ID: all[i].FileID(), From: fromServer, CertificateSummary: c.Summary, Search: &all[i].Search}
		e.setCommands()
		list = append(list, e)
	}
	return list, nil
}

// storedProofFiles returns the files of proofs of a game that people brought and jobs have made,
// for the judge, which has each of them checked.
// The spec is the game's own. A proof that can't be read is left out.
func (s *proofs) storedProofFiles(spec string) [][]byte {
	if s.Store == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), proofTime)
	defer cancel()
	docs, err := s.Store.Files(ctx, kindProof, maxProofs)
	if err != nil {
		s.Log.Error("store", "reason", err)
		return nil
	}
	var files [][]byte
	for _, doc := range docs {
		var kept keptProof
		if json.Unmarshal(doc, &kept) != nil || kept.Game != spec {
			continue
		}
		if _, data, err := s.Store.File(ctx, kindProof, kept.ID); err == nil {
			files = append(files, data)
		}
	}
	return files
}

// refreshIfHolds reports whether a kept proof is one that would be kept now, and has the summary made anew of one
// that an earlier checker saw.
func (s *proofs) refreshIfHolds(ctx context.Context, kept *keptProof) (holds bool) {
	if kept.Checker == checkerVersion {
		return true
	}
	// A check that was given up with its request says nothing, and is done again with the next one.
	known, ok := s.checked.Load(kept.ID)
	if !ok {
		c, err := s.openProof(ctx, kept.ID)
		var now *lab.CertificateSummary
		if err == nil {
			now = &c.Summary
		} else {
			s.Log.Error("a proof that is kept is not listed", "proof", kept.ID, "reason", err)
		}
		if known = now; ctx.Err() == nil {
			s.checked.Store(kept.ID, known)
		}
	}
	now := known.(*lab.CertificateSummary)
	if now != nil {
		kept.CertificateSummary = *now
		kept.setCommands()
	}
	return now != nil
}

// addProof keeps a proof that somebody brings, if it holds.
// One that is kept already is answered as it is kept. The check takes a slot.
func (s *proofs) addProof(ctx context.Context, in *struct {
	RawBody []byte `contentType:"application/octet-stream"`
}) (*ProofEntry, error) {
	id := proofID(in.RawBody)
	var e ProofEntry
	if known, err := s.findStoredOrCheckQuota(ctx, kindProof, id, maxProofs, &e); known || err != nil {
		return &e, err
	}
	leave, err := s.Heavy.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	e, err = s.checkAndStoreProof(ctx, id, fromPeople, nil, in.RawBody)
	return &e, err
}

// checkAndStoreProof reads a proof and keeps it among those of the server. The caller has
// a place in the gate, or is a job.
// Search is nil where it is not known what finding it took. Nothing is kept of one that does not hold.
func (s *proofs) checkAndStoreProof(ctx context.Context, id, from string, search *lab.ProofSearch,
	data []byte) (ProofEntry, error) {
	c, err := s.checkAndCacheProof(ctx, id, data)
	if err != nil {
		return ProofEntry{}, err
	}
	e := ProofEntry{ID: id, From: from, CertificateSummary: c.Summary, Search: search}
	e.setCommands()
	return e, s.storeFile(kindProof, id, keptProof{e, checkerVersion}, data)
}

// addJobProof puts the certificate that a job has made among the server's proofs
// and returns its id there. Where there are too many, or it can't be read in
// time, it returns none; the job has the certificate anyway.
func (s *proofs) addJobProof(ctx context.Context, search lab.ProofSearch, data []byte) string {
	id := proofID(data)
	err := s.checkFileQuota(ctx, kindProof, maxProofs)
	if err == nil {
		_, err = s.checkAndStoreProof(ctx, id, fromJobs, &search, data)
	}
	if err != nil {
		s.Log.Error("a job's proof is not listed", "reason", err)
		return ""
	}
	return id
}

// proofID names a proof by its content.
// The same file has the same name wherever it comes from; 64 bits tell apart all that are ever kept
// here.
func proofID(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// streamProofCheck streams the check of a proof.
// The slot is held until the stream ends, so that as many checks run at a time as there are slots.
func (s *proofs) streamProofCheck(ctx context.Context, in *struct {
	ProofPath
	Format string `query:"format" enum:"sse,ndjson" doc:"without it by the Accept header, else ndjson"`
}) (*huma.StreamResponse, error) {
	data, err := s.proofData(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	leave, err := s.Heavy.Enter(ctx)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		defer leave()
		x, begin, said := service.OpenStream(ctx, in.Format), time.Now(), 0
		limits, most := proofLimits, proofTime
		if carriedProof(in.ID) != nil {
			limits, most = carriedLimits, carriedTime
		}
		limits.Disk = s.Games.Lab.Scratch
		limited, cancel := context.WithTimeout(ctx.Context(), most)
		defer cancel()
		// Lines are numbered from 1.
		line := func(share float64, r *lab.Verdict) {
			said++
			if x.Send("check", said, CheckLine{share, r, time.Since(begin).Seconds()}) != nil {
				cancel() // the reader has gone
			}
		}
		next := 0.0
		r, err := s.Games.Lab.VerifyBytes(limited, data,
			lab.Question{Limits: limits, Progress: func(share float64) {
				if share >= next && share < 1 {
					line(share, nil)
					next = share + 1.0/progressSteps
				}
			}})
		if err != nil {
			r = &lab.Verdict{Value: "unknown", Reason: "the check took too long", Limited: true}
			if !errors.Is(err, context.DeadlineExceeded) {
				r.Reason = "the check was cut off"
			}
		}
		line(1, r)
	}}, nil
}
