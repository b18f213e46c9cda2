// Package cluster has jobs of the lab carried out by many processes: a submitter puts a job down, a coordinator splits
// it and puts its parts on a queue, workers carry them out, and what they answer is checked and merged.
package cluster

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
	"oxo/cluster/blob"
	"oxo/cluster/broker"
	"oxo/cluster/records"
	"oxo/cluster/view"
	"oxo/lab"
)

// Config says how to reach the server.
type Config struct {
	URL     string         // of a server, or several with commas between them
	Server  *broker.Server // an embedded one instead
	Token   string         // or a key of [broker.Key]: then no more is tried than it may do
	Creds   string         // a file with credentials
	NKey    string         // a file with the seed of a key
	TLS     *tls.Config
	Version string // of this program; the same on all machines of a cluster

	// Adopt lets a program of another version take the cluster over although
	// jobs begun by the former are unfinished.
	Adopt bool

	// Upgrade lets a program of another version take the cluster over where no
	// job is unfinished.
	Upgrade bool

	Look bool // only look on: another version does not matter, and nothing is made

	// Heartbeat is how long a worker may be silent before its parts are given
	// to others, in a cluster that is begun; 0 is ten seconds.
	Heartbeat time.Duration

	// Replicas is on how many servers everything is kept, in a cluster that is
	// begun; 0 is three where the server belongs to a cluster of servers.
	Replicas int

	Lab lab.Lab
}

// Cluster is a connection to the server. Its methods are safe for concurrent
// use.
type Cluster struct {
	*records.Store
	*view.View
	o     Config
	id    string // the name under which outputs are: of the key, else of this connection
	role  broker.Role
	named bool // id is the name of a key
	conn  *nats.Conn
	js    jetstream.JetStream
	work  jetstream.Stream
	done  jetstream.Stream
	live  jetstream.KeyValue
	files *blob.Bucket

	lease time.Duration // after which silent processes count as lost

}

// ours marks streams that this program made, so that those of other
// applications are left alone.
var ours = map[string]string{"oxo": "1"}

const (
	usualHeartbeat = 10 * time.Second
	liveFor        = 15 * time.Second // until a worker that says nothing is taken for dead
	connectLimit   = 5 * time.Second
	answerLimit    = 15 * time.Second // servers that have lost their leader need a while to choose another
)

// Open connects to a cluster, and begins it where the server has none. An error leaves nothing behind
// on the server. Who has a key that may only watch, submit or work can open no cluster that is not
// there. The record store is followed from then on.
func Open(ctx context.Context, o Config) (*Cluster, error) {
	c := &Cluster{o: o, id: nuid.Next(), role: broker.Administer, Store: records.New()}
	var err error
	at := broker.Client{URL: o.URL, Server: o.Server, Token: o.Token, Creds: o.Creds, NKey: o.NKey, TLS: o.TLS}
	if c.conn, err = broker.Connect(at); err != nil {
		return nil, err
	}
	if key, isKey, _ := broker.ParseKey(o.Token); isKey && o.Server == nil {
		c.id, c.role, c.named = key.Name, key.Role, true
	}
	if err = c.openOrCreateAll(ctx); err == nil {
		hears := c.conn
		if c.role != broker.Administer {
			hears = nil
		}
		err = c.Follow(ctx, hears)
	}
	if err != nil {
		c.conn.Close()
		return nil, fmt.Errorf("%s: %w", at.ServerDescription(), broker.ExplainError(err))
	}
	return c, nil
}

// openOrCreateAll finds or makes all that a cluster has on the server.
func (c *Cluster) openOrCreateAll(ctx context.Context) (err error) {
	// A server that loses its lead takes what it was told with it and says nothing.
	if c.js, err = jetstream.New(c.conn, jetstream.WithPublishAsyncMaxPending(1<<14),
		jetstream.WithPublishAsyncTimeout(answerLimit), jetstream.WithDefaultTimeout(answerLimit)); err != nil {
		return err
	}
	err = retryOnTimeout(ctx, func(ctx context.Context) error {
		_, err := c.js.AccountInfo(ctx)
		return err
	})
	if err != nil {
		return err
	}
	var made []string
	defer func() {
		// What can't be here at all is taken away again. A server that does not
		// answer in time is another matter: others may be beginning, too.
		if isPermanent(err) {
			for _, name := range made {
				err = errors.Join(err, c.js.DeleteStream(ctx, name))
			}
		}
	}()
	for _, name := range []string{broker.WorkStream, broker.DoneStream, "KV_" + broker.JobsBucket,
		"KV_" + broker.LiveBucket, blob.StreamName(broker.FileBucket)} {
		err := retryOnTimeout(ctx, func(ctx context.Context) error {
			fresh, err := c.openOrCreateStream(ctx, name)
			if fresh {
				made = append(made, name)
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("stream %s: %w", name, err)
		}
	}
	if c.live, err = c.js.KeyValue(ctx, broker.LiveBucket); err != nil {
		return err
	}
	if err = c.Store.Open(ctx, c.js); err != nil {
		return err
	}
	if c.View, err = view.New(ctx, c.js, c.Store); err != nil {
		return err
	}
	if c.files, err = c.openBucket(ctx, broker.FileBucket); err != nil || c.o.Look {
		return nil
	}
	if err := c.openOrCreateConsumers(ctx); err != nil {
		return err
	}
	return c.checkOrClaimVersion(ctx)
}

// retryOnTimeout asks servers for something, each time for twice as long, until answerLimit is over. Servers
// that are choosing a leader drop what they are asked, and so do those where several make the same.
func retryOnTimeout(ctx context.Context, ask func(context.Context) error) error {
	for limit := answerLimit / 16; ; limit *= 2 {
		try, cancel := context.WithTimeout(ctx, limit)
		err := ask(try)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil || limit >= answerLimit/2 {
			return err
		}
	}
}

// openOrCreateStream finds or makes a stream of the cluster's, and says whether it is new. It refuses
// one of the same name that another application has made.
func (c *Cluster) openOrCreateStream(ctx context.Context, name string) (fresh bool, err error) {
	s, err := c.js.Stream(ctx, name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		if c.o.Look || c.role != broker.Administer {
			return false, errors.New("there is no cluster of oxo on this server; begin one with: oxo serve " +
				"--cluster, or oxo worker")
		}
		s, err = c.createStream(ctx, name)
		fresh = err == nil
	}
	if err != nil {
		return false, err
	}
	if s.CachedInfo().Config.Metadata["oxo"] != ours["oxo"] {
		return fresh, fmt.Errorf("it %w; use another server or account", errForeign)
	}
	switch name {
	case broker.WorkStream:
		c.work = s
		return fresh, nil
	case broker.DoneStream:
		c.done = s
	}
	config := s.CachedInfo().Config
	if err = c.disableDirectGetAndRollup(ctx, config); err == nil && config.AllowDirect {
		_, err = s.Info(ctx) // s asks as the stream was last said to be
	}
	return fresh, err
}

// disableDirectGetAndRollup has a stream's leader alone answer what is in it. Any server that has
// a copy could, but one that has just come back, or is behind, may not have all of it yet, and a
// job that it does not know of would be taken for removed, and what is left of it
// be tidied away; an output that it does not know of would be taken for lost. Nor does a message
// there remove others: whoever may store one of them could remove all.
func (c *Cluster) disableDirectGetAndRollup(ctx context.Context, config jetstream.StreamConfig) error {
	if !config.AllowDirect && !config.AllowRollup || c.o.Look || c.role != broker.Administer {
		return nil
	}
	config.AllowDirect, config.AllowRollup = false, false
	_, err := c.js.UpdateStream(ctx, config)
	return err
}

var errForeign = errors.New("belongs to another application")

// isPermanent reports whether an error will be there at every try.
func isPermanent(err error) bool {
	var said *jetstream.APIError
	return errors.Is(err, errForeign) || errors.As(err, &said) && said.Code == 400
}

// createStream makes a stream. The queue takes one message a subject and deletes what is acknowledged;
// outputs are kept, one a subject, and compressed; what workers say of themselves expires after
// liveFor.
func (c *Cluster) createStream(ctx context.Context, name string) (jetstream.Stream, error) {
	replicas := c.o.Replicas
	if replicas == 0 {
		replicas = 1
		if c.conn.ConnectedClusterName() != "" {
			replicas = 3
		}
	}
	var err error
	switch name {
	case broker.WorkStream:
		_, err = c.js.CreateStream(ctx, jetstream.StreamConfig{
			Name: broker.WorkStream, Subjects: []string{"oxo.lead.*", "oxo.part.>"},
			Retention: jetstream.WorkQueuePolicy,
			Replicas:  replicas,
			Discard:   jetstream.DiscardNew, MaxMsgsPerSubject: 1, DiscardNewPerSubject: true, MaxMsgs: 1 << 20,
			Metadata: ours,
		})
	case broker.DoneStream:
		_, err = c.js.CreateStream(ctx, jetstream.StreamConfig{
			Name: broker.DoneStream, Subjects: []string{"oxo.done.>", "oxo.mark.>", "oxo.fail.>"}, Replicas: replicas,
			MaxMsgsPerSubject: 1, Compression: jetstream.S2Compression, Discard: jetstream.DiscardNew,
			MaxBytes: -1, Metadata: ours,
		})
	case "KV_" + broker.JobsBucket:
		_, err = c.js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: broker.JobsBucket, Replicas: replicas,
			Metadata: ours})
	case "KV_" + broker.LiveBucket:
		_, err = c.js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: broker.LiveBucket, Replicas: replicas,
			TTL:     liveFor,
			Storage: jetstream.MemoryStorage, Metadata: ours})
	default:
		_, err = c.js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: broker.FileBucket, Replicas: replicas,
			Compression: true, MaxBytes: -1, Metadata: ours})
	}
	if err != nil {
		return nil, err
	}
	return c.js.Stream(ctx, name)
}

// leadConsumer is the consumer of leads; those of parts have the names of
// their priorities.
const leadConsumer = "lead"

// openOrCreateConsumers finds or makes the consumers of the queue and reads how long a
// lease is.
func (c *Cluster) openOrCreateConsumers(ctx context.Context) error {
	heartbeat := cmp.Or(c.o.Heartbeat, usualHeartbeat)
	// Leases are a little shorter than the limit, so that a lost part is under
	// way again within it.
	for _, name := range append(broker.Priorities(), leadConsumer) {
		subject := "oxo.part." + name + ".>"
		if name == leadConsumer {
			subject = "oxo.lead.*"
		}
		cons, err := c.work.Consumer(ctx, name)
		if errors.Is(err, jetstream.ErrConsumerNotFound) && c.role == broker.Administer {
			cons, err = c.work.CreateConsumer(ctx, jetstream.ConsumerConfig{
				Durable: name, FilterSubject: subject, AckPolicy: jetstream.AckExplicitPolicy, AckWait: heartbeat *
					3 / 4, MaxDeliver: -1, MaxAckPending: 1 << 16,
			})
		}
		if errors.Is(err, jetstream.ErrConsumerExists) { // another one was faster
			cons, err = c.work.Consumer(ctx, name)
		}
		if err != nil {
			return fmt.Errorf("consumer %s: %w", name, err)
		}
		c.lease = cons.CachedInfo().Config.AckWait
	}
	return nil
}

// checkOrClaimVersion refuses a cluster of another version.
func (c *Cluster) checkOrClaimVersion(ctx context.Context) error {
	return c.ClaimVersion(ctx, c.o.Version, func(running string) error {
		refused := fmt.Sprintf("the cluster runs version %s and this is version %s", running, c.o.Version)
		if !c.o.Upgrade && !c.o.Adopt || c.role != broker.Administer {
			return fmt.Errorf("%s; results could differ, so use the same program on all machines", refused)
		}
		if c.o.Adopt {
			return nil
		}
		unfinished, err := c.Unfinished(ctx)
		if err == nil && len(unfinished) > 0 {
			return fmt.Errorf("%s, and %d jobs are unfinished; let workers of that version finish them, or go on "+
				"with them by --adopt", refused, len(unfinished))
		}
		return err
	})
}

// ExplainTimeout says which server did not answer, where an error is that.
func ExplainTimeout(c *Cluster, err error) error {
	if !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("%s: %w", cmp.Or(c.conn.ConnectedUrlRedacted(), c.o.URL), broker.ExplainError(err))
}

// Close ends the connection.
func (c *Cluster) Close() {
	c.StopFollowing()
	c.conn.Close()
}
