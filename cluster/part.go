package cluster

import (
	"fmt"
	"strconv"
	"strings"
)

// span is some parts of a stage that follow each other. Short parts travel
// together in one message, and so do their outputs.
// Numbers count from 0 within the stage.
type span struct{ stage, first, count int }

// singleSpan is the span of one part.
func singleSpan(stage, index int) span { return span{stage, index, 1} }

// subject is oxo.KIND.JOB.STAGE.FIRST, and the count after that where there are
// several parts.
func (s span) subject(kind, job string) string {
	text := fmt.Sprintf("oxo.%s.%s.%d.%d", kind, job, s.stage, s.first)
	if s.count > 1 {
		text += "." + strconv.Itoa(s.count)
	}
	return text
}

// doneSubject is oxo.done.JOB.STAGE.FIRST.COUNT.WORKER: every worker says under a subject of
// its own what parts came to.
func (s span) doneSubject(job, worker string) string {
	return fmt.Sprintf("oxo.done.%s.%d.%d.%d.%s", job, s.stage, s.first, s.count, worker)
}

// repeatSubject is the subject of a part that is to be repeated: that of the part itself
// may still be on the queue.
func repeatSubject(priority, job string, stage, index int) string {
	return fmt.Sprintf("oxo.part.%s.%s.%d.%d.1.again", priority, job, stage, index)
}

// partSubject is the subject of a message about one part.
func partSubject(kind, job string, stage, index int) string {
	return singleSpan(stage, index).subject(kind, job)
}

// parsePartSubject reads a subject about parts: oxo.KIND.JOB.STAGE.FIRST, and after that
// the worker where it is about a failure or a checkpoint, else how many parts there are
// and then the worker. Outputs of earlier versions name none.
// Anything else is not ok: the subjects come from others, who may send what they like.
func parsePartSubject(subject string) (kind string, at span, worker string, ok bool) {
	words := strings.Split(subject, ".")
	if len(words) < 5 || len(words) > 7 {
		return "", span{}, "", false
	}
	numbers, rest := words[3:min(len(words), 6)], words[min(len(words), 6):]
	if words[1] != "done" {
		numbers, rest = words[3:5], words[5:]
	}
	at, ok = parseSpan(numbers)
	return words[1], at, strings.Join(rest, ""), ok && len(rest) <= 1
}

// parseOrderSubject reads the subject of parts on the queue:
// oxo.part.PRIORITY.JOB.STAGE.FIRST, and how many there are.
func parseOrderSubject(subject string) (job string, at span, ok bool) {
	words := strings.Split(strings.TrimSuffix(subject, ".again"), ".")
	if len(words) < 6 || len(words) > 7 || words[1] != "part" {
		return "", span{}, false
	}
	at, ok = parseSpan(words[4:])
	return words[3], at, ok
}

// parseSpan reads the stage, the first part and, if there are several, how many.
func parseSpan(words []string) (span, bool) {
	numbers := [3]int{2: 1}
	for i, word := range words {
		n, err := strconv.Atoi(word)
		if err != nil || n < 0 {
			return span{}, false
		}
		numbers[i] = n
	}
	at := span{numbers[0], numbers[1], numbers[2]}
	return at, at.count > 0 && at.count <= mostTogether
}

// mostTogether is how many parts travel together at most.
// It is also what parseSpan accepts, so that no message of others can claim more.
const mostTogether = 256

// markCoveredParts marks the parts of a stage that subjects are about.
func markCoveredParts(covered []bool, stage int, subjects map[string]uint64, parse func(subject string) (span, bool)) {
	for subject := range subjects {
		at, ok := parse(subject)
		if !ok || at.stage != stage {
			continue
		}
		for i := at.first; i < min(at.first+at.count, len(covered)); i++ {
			covered[i] = true
		}
	}
}

// doneSpan reads the subject of outputs; those of a worker that is not believed are none.
func (c *Cluster) doneSpan(subject string) (span, bool) {
	_, at, worker, ok := parsePartSubject(subject)
	return at, ok && c.JobFoundWrongIn(worker) == ""
}

// orderedSpan reads the subject of an order.
func orderedSpan(subject string) (span, bool) {
	_, at, ok := parseOrderSubject(subject)
	return at, ok
}

// alreadyQueued reports whether the server refused a message because it has one
// of that subject.
// The server has no code of its own for that, so that its words are looked at.
func alreadyQueued(err error) bool {
	return err != nil && strings.Contains(err.Error(), "maximum messages per subject exceeded")
}
