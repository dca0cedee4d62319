// Package pgnet sends the requests that SQL functions queue in the stand-in for the extension
// pg_net, and stores the responses.
//
// Each request is sent at most once: it leaves the queue before it is sent. If the server is
// killed meanwhile, the response is an error. Several servers share the queue.
package pgnet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/jobs"
	"plaza/server/pg"
	"plaza/server/pgnet/send"
	"plaza/server/wake"
)

// Limits of the queue.
const (
	maxClaimBytes       = 32 << 20         // bodies of the requests that one query takes
	maintenanceInterval = 30 * time.Second // between removals of responses and searches for lost requests
	retryInterval       = 5 * time.Second  // after an error of the database
	stopGrace           = 2 * time.Second  // how long requests may still take when the server stops
	storeTimeout        = 10 * time.Second // how long storing a response may take
)

// Config configures the queue. The names and defaults are those of pg_net's settings.
type Config struct {
	BatchSize int           `env:"BATCH_SIZE" envDefault:"200"` // requests that are sent at the same time
	TTL       time.Duration `env:"TTL" envDefault:"6h"`         // how long responses are kept
	Send      send.Config   `envPrefix:""`
}

// Check returns an error that lists all invalid settings.
func (c Config) Check() error {
	var wrong []error
	if c.BatchSize < 1 || c.BatchSize > 1000 {
		wrong = append(wrong, fmt.Errorf("PG_NET_BATCH_SIZE is %d: use 1 to 1000", c.BatchSize))
	}
	if c.TTL < time.Minute {
		wrong = append(wrong, fmt.Errorf("PG_NET_TTL is %s: use 1m or more", c.TTL))
	}
	return errors.Join(append(wrong, c.Send.Check())...)
}

// Queue sends the requests of a database.
type Queue struct {
	cfg    Config
	db     *pg.DB
	sender *send.Sender
	log    *slog.Logger

	wake.Signal // makes Run read the queue
}

// New returns a Queue. Run sends its requests.
func New(cfg Config, db *pg.DB, sender *send.Sender, log *slog.Logger) *Queue {
	return &Queue{cfg: cfg, db: db, sender: sender, log: log, Signal: wake.NewSignal()}
}

// Run sends requests whenever it is woken, until ctx ends. Requests that are under way then have stopGrace to finish.
func (q *Queue) Run(ctx context.Context) {
	sending, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(stopGrace, cancel) })
	defer stop()
	var running sync.WaitGroup
	defer running.Wait()
	free := make(chan struct{}, q.cfg.BatchSize)   // a value for each request under way
	retry := time.AfterFunc(retryInterval, q.Wake) // after an error
	defer retry.Stop()
	isFirst := true
	for {
		select {
		case <-ctx.Done():
			return
		case <-q.Signal:
		}
		var standIn bool
		err := q.db.Owner().QueryRow(ctx, isStandIn).Scan(&standIn)
		if err == nil && standIn {
			if isFirst {
				q.tryRenew(ctx)
				isFirst = false
			}
			err = q.sendWaiting(ctx, sending, free, &running)
		}
		if err != nil && ctx.Err() == nil {
			q.log.ErrorContext(ctx, "requests of net.http_request_queue cannot be sent", "error", err)
			retry.Reset(retryInterval)
		}
	}
}

// Job returns the job that stores an error as the response of lost requests, removes old responses, and wakes
// Run for requests of which no server was notified.
func (q *Queue) Job() jobs.Job {
	return jobs.Job{Name: "pg_net", Every: maintenanceInterval, Run: func(ctx context.Context) error {
		var standIn bool
		if err := q.db.Owner().QueryRow(ctx, isStandIn).Scan(&standIn); err != nil || !standIn {
			return err
		}
		q.Wake()
		return q.maintain(ctx)
	}}
}

// sendWaiting takes requests from the queue until it is empty or as many as allowed are under way.
// A request that ends wakes Run.
func (q *Queue) sendWaiting(ctx, sending context.Context, underWay chan struct{}, running *sync.WaitGroup) error {
	for {
		room := cap(underWay) - len(underWay)
		if room == 0 {
			return nil
		}
		requests, err := q.claim(ctx, room)
		if err != nil || len(requests) == 0 {
			return err
		}
		for _, request := range requests {
			underWay <- struct{}{}
			running.Go(func() {
				q.answer(sending, request)
				<-underWay
				q.Wake()
			})
		}
	}
}

// queued is a request with its id in the queue.
type queued struct {
	id int64
	send.Request
}

func (q *Queue) claim(ctx context.Context, most int) ([]queued, error) {
	rows, err := q.db.Owner().Query(ctx, claimRequests, most, maxClaimBytes)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (r queued, err error) {
		var names, values []string
		var milliseconds int64
		err = row.Scan(&r.id, &r.Method, &r.URL, &names, &values, &r.Body, &milliseconds)
		r.Timeout = time.Duration(milliseconds) * time.Millisecond
		for i, name := range names {
			r.Headers = append(r.Headers, send.Header{Name: name, Value: values[i]})
		}
		return r, err
	})
}

// answer sends a request and stores the response.
func (q *Queue) answer(ctx context.Context, request queued) {
	response := q.sender.Send(ctx, request.Request)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	var status *int
	var headers, kind, content *string
	if response.Error == "" {
		status, kind, content = &response.Status, response.ContentType, pg.OrNull(response.Content)
		byName := make(map[string]string, len(response.Headers))
		for _, header := range response.Headers {
			byName[header.Name] = header.Value
		}
		encoded, err := json.Marshal(byName)
		if err != nil {
			q.log.ErrorContext(ctx, "a response cannot be stored", "id", request.id, "error", err)
			return
		}
		text := string(encoded)
		headers = &text
	}
	err := q.store(ctx, storeResponse, request.id, status, kind, headers, content, response.TimedOut, pg.OrNull(response.Error))
	if err != nil {
		q.log.ErrorContext(ctx, "a response cannot be stored", "id", request.id, "error", err)
	}
}

// checkViolation is PostgreSQL's error for an insert into the default partition that has waited while another transaction
// created the partition for the row.
const checkViolation = "23514"

// store runs a statement that stores responses, once more if the partition for them was created meanwhile.
func (q *Queue) store(ctx context.Context, statement string, args ...any) error {
	_, err := q.db.Owner().Exec(ctx, statement, args...)
	if refused := pg.AsPgError(err); refused != nil && refused.Code == checkViolation {
		_, err = q.db.Owner().Exec(ctx, statement, args...)
	}
	return err
}

// maintain stores an error as the response of lost requests, and removes old responses.
func (q *Queue) maintain(ctx context.Context) error {
	if err := q.store(ctx, storeLost); err != nil {
		return err
	}
	return q.renew(ctx)
}

// tryRenew creates partitions before the first response is stored: readers may miss a response that is later moved from the
// default partition to a new one. An error is only logged, since requests must be sent even so: a transaction that waits for a
// response in a loop locks the table, so that no partition can be created.
func (q *Queue) tryRenew(ctx context.Context) {
	if err := q.renew(ctx); err != nil && ctx.Err() == nil {
		q.log.WarnContext(ctx, "partitions of net._http_response could not be created", "error", err)
	}
}

// renew creates the partitions of the next hours or days and drops old ones.
func (q *Queue) renew(ctx context.Context) error {
	_, err := q.db.Owner().Exec(ctx, renewPartitions, q.cfg.TTL)
	return err
}
