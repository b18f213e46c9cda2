//go:build soak

package cluster

import (
	"encoding/json"
	"testing"

	"oxo/lab"
)

// TestOrdeal kills workers and servers at random for minutes.
func TestOrdeal(t *testing.T) {
	for seed := range uint64(5) {
		ordeal(t, map[string]lab.Job{
			"train":      long(60, 60_000),
			"tournament": {Verb: "tournament", Game: "mnk:5,5,4", Args: json.RawMessage(`{"players":["mcts:sims=300","mcts:sims=100","heuristic","random"],"games":100,"openings":2}`), Seed: 8},
			"test":       someJobs()["test"],
			"solve":      someJobs()["solve"],
			"prove":      {Verb: "prove", Game: "mnk:5,5,4", Args: json.RawMessage(`{"split":true,"round":200,"searches":3,"memory":8000000}`)},
			"tune":       {Verb: "tune", Game: "ttt", Args: json.RawMessage(`{"player":"mcts:sims=50,explore={c}","constants":[{"name":"c","start":0.1,"min":0.05,"max":3}],"iterations":30,"check":100}`), Seed: 3},
		}, 60, seed)
	}
}
