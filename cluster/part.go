package cluster

import (
	"strconv"
	"strings"
)

// partOf reads a subject about a part: oxo.KIND.JOB.STAGE.INDEX, and the worker
// after that where it is about a failure.
func partOf(subject string) (kind string, stage, index int, worker string, ok bool) {
	words := strings.Split(subject, ".")
	if len(words) < 5 {
		return "", 0, 0, "", false
	}
	stage, errStage := strconv.Atoi(words[3])
	index, errIndex := strconv.Atoi(words[4])
	if len(words) > 5 {
		worker = words[5]
	}
	return words[1], stage, index, worker, errStage == nil && errIndex == nil && stage >= 0 && index >= 0
}

// alreadyQueued reports whether the server refused a message because it has one
// of that subject.
func alreadyQueued(err error) bool {
	return err != nil && strings.Contains(err.Error(), "maximum messages per subject exceeded")
}
