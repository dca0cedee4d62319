// Package extensions runs the parts of the server that stand in for extensions of PostgreSQL, and
// lists which extensions a database has.
package extensions

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"plaza/server/cron"
	"plaza/server/httpcall"
	"plaza/server/jobs"
	"plaza/server/pg"
	"plaza/server/pgnet"
	"plaza/server/pgnet/send"
)

// channel is the channel on which SQL functions of the stand-ins wake this server; the payload is the stand-in's name.
const channel = "plaza_extensions"

// Config configures the stand-ins.
type Config struct {
	Net  pgnet.Config `envPrefix:"PG_NET_"`
	Cron cron.Config  `envPrefix:"CRON_"`
}

// Check returns an error that lists all invalid settings.
func (c Config) Check() error { return errors.Join(c.Net.Check(), c.Cron.Check()) }

// Deps holds the parts of the server that the stand-ins use.
type Deps struct {
	DB   *pg.DB
	Send send.Options
	Log  *slog.Logger
	Now  func() time.Time
}

// StandIns runs pg_cron's jobs, and sends the requests of pg_net and http.
type StandIns struct {
	db        *pg.DB
	requests  *pgnet.Queue
	calls     *httpcall.Server
	scheduler *cron.Scheduler
	log       *slog.Logger
}

// New returns the stand-ins of a database.
func New(ctx context.Context, c Config, d Deps) (*StandIns, error) {
	scheduler, err := cron.New(c.Cron, d.DB, d.Now, d.Log)
	if err != nil {
		return nil, err
	}
	sender := send.New(c.Net.Send, d.Send)
	calls, err := httpcall.Listen(ctx, d.DB, sender, d.Log)
	if err != nil {
		return nil, err
	}
	return &StandIns{db: d.DB, requests: pgnet.New(c.Net, d.DB, sender, d.Log), calls: calls, scheduler: scheduler, log: d.Log}, nil
}

// Jobs returns the background jobs of the stand-ins.
func (s *StandIns) Jobs() []jobs.Job { return []jobs.Job{s.scheduler.Job(), s.requests.Job()} }

// Run runs the parts of the stand-ins that every server runs, until ctx ends. Jobs returns the other parts.
func (s *StandIns) Run(ctx context.Context) {
	wakeAll := func(context.Context, *pg.Listener) error {
		s.requests.Wake()
		s.scheduler.Wake()
		s.calls.Wake()
		return nil
	}
	var parts sync.WaitGroup
	defer parts.Wait()
	parts.Go(func() { s.requests.Run(ctx) })
	parts.Go(func() { s.calls.Run(ctx) })
	s.db.Watch(ctx, channel, wakeAll, func(payload string) {
		switch payload {
		case "net":
			s.requests.Wake()
		case "cron":
			s.scheduler.Wake()
		case "http":
			s.calls.Wake()
		}
	}, func(err error) {
		if ctx.Err() == nil {
			s.log.WarnContext(ctx, "the connection on which stand-ins of extensions listen for notifications was lost", "error", err)
		}
	})
}
