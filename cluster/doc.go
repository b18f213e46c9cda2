// Package cluster carries out the jobs of the lab on many machines. Jobs travel
// over NATS JetStream: a server embedded in the program ([Serve]) or one, or a
// cluster of them, that runs elsewhere.
//
// [Open] connects a [Cluster], through which jobs are submitted, listed, watched
// and cancelled. [Cluster.Work] pulls parts of jobs from the queue and carries
// them out until its context is done.
//
// # How it is kept
//
// All there is lies on the server, so that any process may be killed:
//
//	OXO_WORK     a work queue: oxo.lead.JOB, and oxo.part.PRIORITY.JOB.STAGE.INDEX
//	OXO_DONE     the last word about each part: oxo.done.JOB.STAGE.INDEX.COUNT.WORKER outputs,
//	             oxo.mark.JOB.STAGE.INDEX.WORKER its checkpoint,
//	             oxo.fail.JOB.STAGE.INDEX.WORKER an error
//	oxo-jobs     a record of each job, and the cluster's version
//	oxo-live     workers and progress; what is not renewed fades away
//	oxo-files    files given to jobs, large outputs, results
//	oxo-shelf-…  one for each job that runs whose parts leave tables for later ones
//
// A message of the queue is leased to one process, which renews the lease while
// it works and acknowledges the message once the result is stored. Where the
// process is lost, the lease runs out and another one takes the message. So a
// part may be carried out twice, but its output is kept under the part's name
// and is the same, and counts once.
//
// One message of a job asks for its coordinator. Whoever holds it puts the parts of the
// job's stages on the queue, no more than the workers need for the next while,
// watches the outputs come in and in the end merges them. Nothing of that is
// lost with the coordinator: the next one finds which outputs are there.
package cluster
