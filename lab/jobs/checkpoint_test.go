package jobs

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"oxo/lab"
)

// resumable are short jobs whose parts go on from checkpoints.
func resumable() []Job {
	return []Job{
		{Verb: "train", Game: "ttt", Args: json.RawMessage(`{"learner":"menace","against":"random","games":30,"blind":true}`), Seed: 5},
		{Verb: "train", Game: "ttt", Args: json.RawMessage(`{"learner":"lms","against":"random","games":20,"blind":true}`), Seed: 5},
		{Verb: "match", Game: "ttt", Args: json.RawMessage(`{"players":["random","rows"],"games":6,"chunk":6}`),
			Seed: 3},
		{Verb: "prove", Game: "mnk:3,3,3", Args: json.RawMessage(`{"memory":8000000}`)},
		{Verb: "solve", Game: "mnk:3,3,3", Args: json.RawMessage(`{"strong":true}`)},
	}
}

// checkpointed carries out the first part of a job, and returns its output and the
// checkpoint it leaves where it is ended at its first report, if any.
func checkpointed(t testing.TB, w *Work) (p Part, output, checkpoint []byte) {
	t.Helper()
	parts, err := w.ListParts(t.Context(), 0, &storedOutputs{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	// it is ended, or was faster
	_, _ = w.Run(ctx, Task{Part: parts[0], Outputs: &storedOutputs{}, Every: -1, Report: func(r Report) {
		cancel()
		if r.Checkpoint == nil {
			return
		}
		if data, err := r.Checkpoint(); err == nil && data != nil {
			checkpoint = data
		}
	}})
	if output, err = w.Run(t.Context(), Task{Part: parts[0], Outputs: &storedOutputs{}}); err != nil {
		t.Fatal(err)
	}
	return parts[0], output, checkpoint
}

// FuzzCheckpoint lets parts go on from any bytes: they are refused, or the part comes to
// its end. A checkpoint that a part has left leads to the output that it has without.
func FuzzCheckpoint(f *testing.F) {
	type subject struct {
		work           *Work
		part           Part
		output, intact []byte
	}
	var subjects []subject
	for i, j := range resumable() {
		w, err := OpenJob(f.Context(), &lab.Lab{}, j)
		if err != nil {
			f.Fatal(err)
		}
		p, output, checkpoint := checkpointed(f, w)
		subjects = append(subjects, subject{w, p, output, checkpoint})
		f.Add(i, checkpoint)
		f.Add(i, checkpoint[:len(checkpoint)/2])
		f.Add(i, bytes.Replace(checkpoint, []byte("1"), []byte("-9"), 1))
		f.Add(i, []byte(`{"games":-1,"at":[5],"values":[],"brain":{}}`))
		f.Add(i, []byte("{}"))
	}
	if intact := slices.IndexFunc(subjects, func(s subject) bool { return s.intact != nil }); intact < 0 {
		f.Fatal("no part leaves a checkpoint")
	}
	f.Fuzz(func(t *testing.T, i int, checkpoint []byte) {
		s := subjects[uint(i)%uint(len(subjects))]
		// a forged one may ask for more games than there are
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		output, err := s.work.Run(ctx, Task{Part: s.part, Outputs: &storedOutputs{}, Checkpoint: checkpoint})
		if s.intact != nil && bytes.Equal(checkpoint, s.intact) && (err != nil || !bytes.Equal(output, s.output)) {
			t.Errorf("%s went on from its own checkpoint to %.100q instead of %.100q: %v", s.part.Name, output,
				s.output, err)
		}
		if err == nil && len(output) == 0 {
			t.Errorf("%s goes on from %q to nothing", s.part.Name, checkpoint)
		}
	})
}
