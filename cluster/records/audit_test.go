package records

import (
	"fmt"
	"strings"
	"testing"

	"oxo/lab/jobs"
)

// TestShare reads shares, and says what an audit leaves possible.
func TestShare(t *testing.T) {
	for text, want := range map[string]float64{"": usualShare, "all": 1, "none": 0, "0.1": 0.1, "1": 1} {
		if got, err := ParseAuditShare(text); got != want || err != nil {
			t.Errorf("%q is %g, %v", text, got, err)
		}
	}
	for _, text := range []string{"-1", "2", "some", "NaN", "10%"} {
		if _, err := ParseAuditShare(text); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q", text)) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for want, a := range map[string]Audit{
		"nothing: the certificate":              {Trust: jobs.ByEvidence},
		"any wrong output: players look":        {Trust: jobs.ByClock},
		"nothing, but that two workers, or":     {Trust: jobs.ByRepetition, Share: 1},
		"any wrong output: nothing is repeated": {Trust: jobs.ByRepetition},
		"wrong outputs among the 90 of 100 parts": {Trust: jobs.ByRepetition, Share: 0.1, Parts: 100,
			Repeated: 10},
		"wrong outputs among the 2 of 3 parts that were not repeated; of 2 wrong ones none": {
			Trust: jobs.ByRepetition, Share: usualShare, Parts: 3, Repeated: 1},
		"nothing, but that two workers, or one and the server, agree": {Trust: jobs.ByRepetition,
			Share: usualShare, Parts: 1, Repeated: 1},
		"a part that is wrong passes with probability 0.97": {Trust: jobs.ByRepetition, Share: usualShare},
	} {
		if got := a.RemainingRisk(); !strings.HasPrefix(got, want) {
			t.Errorf("%+v leaves %q", a, got)
		}
	}
}
