package cluster

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"oxo/cluster/records"
	"oxo/cluster/view"
)

// publishStatus shows how the job goes.
// Left is in seconds at the rate of this coordinator; it is missing before the first part and while the store is full.
func (s *stageRun) publishStatus(ctx context.Context) {
	s.mu.Lock()
	st := view.Status{ID: s.id, Stage: s.parts[0].Stage, Parts: len(s.parts),
		Done: len(s.parts) - s.left - len(s.aside), Queued: s.queued, Failed: len(s.aside)}
	reports := slices.Clone(s.reports)
	seconds := time.Since(s.began).Seconds()
	left, before := s.left, s.before
	s.mu.Unlock()
	if done := st.Done - before; done > 0 {
		st.Rate = float64(done) / seconds
		wait := float64(left) / st.Rate
		st.Left = &wait
	}
	if st.Full = s.w.storeFull.Load(); st.Full {
		st.Left = nil
	}
	st.Report = s.work.CombineReports(s.parts, reports)
	if data, err := json.Marshal(st); err == nil && len(data) < int(s.c.conn.MaxPayload())/2 {
		_, _ = s.c.live.Put(ctx, records.JobKey+s.id, data) // the next one is told in a second
	}
}
