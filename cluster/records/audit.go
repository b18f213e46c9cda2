package records

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"oxo/lab/jobs"
)

// Audit is how the outputs of a job's parts are checked, as workers are not believed:
// a share of them is repeated by another worker, and where the two differ, by the
// coordinator. A worker whose output is wrong gets nothing more, and what it did for the
// job before is repeated.
type Audit struct {
	Trust    jobs.Trust `json:"trust"`
	Share    float64    `json:"share"`           // of the parts that are repeated, each chosen by chance once its output is there
	Parts    int        `json:"parts,omitempty"` // that the result is of
	Repeated int        `json:"repeated"`        // of them
	Wrong    []Wrong    `json:"wrong,omitempty"` // workers that were found out
	Leaves   string     `json:"leaves"`          // what is possible all the same
}

// Wrong is a worker whose output was wrong.
type Wrong struct {
	Worker string `json:"worker"` // the name under which its outputs are
	Host   string `json:"host,omitempty"`
	Part   string `json:"part"`
}

// usualShare is the share of the parts that are repeated unless told otherwise.
const usualShare = 0.03

// ParseAuditShare reads the share of the parts that are repeated.
func ParseAuditShare(text string) (float64, error) {
	switch text {
	case "":
		return usualShare, nil
	case "all":
		return 1, nil
	case "none":
		return 0, nil
	}
	share, err := strconv.ParseFloat(text, 64)
	if err != nil || !(share >= 0 && share <= 1) {
		return 0, fmt.Errorf("audit %q: give the share of the parts that are repeated, from 0 to 1 as 0.1, or all or "+
			"none", text)
	}
	return share, nil
}

// NewAudit is the audit of a job that begins.
func NewAudit(work *jobs.Work, share float64) *Audit {
	a := &Audit{Trust: work.Trust(), Share: share}
	if a.Trust != jobs.ByRepetition {
		a.Share = 0
	}
	a.Leaves = a.RemainingRisk()
	return a
}

// RemainingRisk says what an audit leaves possible.
func (a *Audit) RemainingRisk() string {
	unseen := a.Parts - a.Repeated
	switch {
	case a.Trust == jobs.ByEvidence:
		return "nothing: the certificate is checked whole; only that a value is unknown, or a claim not so, is " +
			"taken from the workers"
	case a.Trust == jobs.ByClock:
		return "any wrong output: players look at the clock, so that no part can be repeated"
	case a.Share >= 1 || a.Parts > 0 && unseen == 0:
		return "nothing, but that two workers, or one and the server, agree on the same wrong output"
	case a.Share == 0:
		return "any wrong output: nothing is repeated"
	case a.Parts == 0:
		return fmt.Sprintf("a part that is wrong passes with probability %.3g", 1-a.Share)
	}
	wrong := min(unseen, 10)
	return fmt.Sprintf("wrong outputs among the %d of %d parts that were not repeated; of %d wrong ones none is "+
		"noticed with probability %.2g", unseen, a.Parts, wrong, math.Pow(1-a.Share, float64(wrong)))
}

// HasFoundWrong reports whether a worker was found out in the job.
func (r *Record) HasFoundWrong(worker string) bool {
	return r.Audit != nil && slices.ContainsFunc(r.Audit.Wrong, func(w Wrong) bool { return w.Worker == worker })
}
