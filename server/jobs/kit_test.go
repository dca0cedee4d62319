package jobs_test

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/jobs"
	"plaza/server/pg"
	"plaza/tests/testkit"
)

// cluster is a database with several servers, whose heartbeats and clocks the test moves.
type cluster struct {
	*testing.T
	url  string
	work work
}

// work is a job that counts its runs and then waits until it is cancelled.
type work struct {
	running, most atomic.Int64
	begun         chan string // names of the servers that have begun a run
}

func (w *work) run(server string) func(context.Context) error {
	return func(ctx context.Context) error {
		now := w.running.Add(1)
		for most := w.most.Load(); now > most && !w.most.CompareAndSwap(most, now); most = w.most.Load() {
		}
		w.begun <- server
		<-ctx.Done()
		w.running.Add(-1)
		return ctx.Err()
	}
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	return &cluster{T: t, url: testkit.PlatformURL(t), work: work{begun: make(chan string, 100)}}
}

// node is a server of a cluster.
type node struct {
	*jobs.Runner
	c     *cluster
	db    *pg.DB
	clock *testkit.Clock
	ctx   context.Context
	stop  func() // ends its runs, and waits for that; its jobs stay assigned to it
}

// add adds a server with a clock of its own. Without jobs of its own it has the cluster's work.
func (c *cluster) add(name string, own ...jobs.Job) *node {
	c.Helper()
	db, err := pg.Open(c.Context(), pg.Config{CallerURL: c.url, ServiceURL: c.url, MaxCallers: 1, MaxService: 2, AcquireTimeout: time.Minute, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		c.Fatal(err)
	}
	c.Cleanup(db.Close)
	n := &node{c: c, db: db, clock: testkit.NewClock(time.Now())}
	n.Runner = jobs.New(jobs.Options{DB: db, Name: name, Log: slog.New(slog.DiscardHandler), Now: n.clock.Now})
	if own == nil {
		own = []jobs.Job{{Name: "work", Every: time.Hour, Run: c.work.run(name)}}
	}
	n.Add(own...)
	ctx, cancel := context.WithCancel(context.WithoutCancel(c.Context()))
	n.ctx = ctx
	ended := n.Begin(ctx)
	n.stop = func() { cancel(); <-ended }
	c.Cleanup(n.stop)
	return n
}

func (n *node) beat() {
	n.c.Helper()
	n.Beat(n.c.Context(), n.ctx)
}

// fail sends a heartbeat that cannot reach the database.
func (n *node) fail() {
	ctx, cancel := context.WithCancel(n.c.Context())
	cancel()
	n.Beat(ctx, n.ctx)
}

func (n *node) wantLead(want bool) {
	n.c.Helper()
	if got := n.Leads("work"); got != want {
		n.c.Fatalf("leads: %v, want %v", got, want)
	}
}

// wantRun waits for a run of the cluster's work.
func (c *cluster) wantRun(server string) {
	c.Helper()
	select {
	case got := <-c.work.begun:
		if got != server {
			c.Fatalf("%s runs it, want %s", got, server)
		}
	case <-c.Context().Done():
		c.Fatal("no run")
	}
}

// row returns a job as `plaza status` shows it.
func (c *cluster) row(name string) jobs.Row {
	c.Helper()
	conn, err := pgx.Connect(c.Context(), c.url)
	if err != nil {
		c.Fatal(err)
	}
	all, err := jobs.List(c.Context(), conn)
	if err := errors.Join(err, conn.Close(c.Context())); err != nil {
		c.Fatal(err)
	}
	for _, row := range all {
		if row.Name == name {
			return row
		}
	}
	c.Fatalf("no job %s in %+v", name, all)
	return jobs.Row{}
}

func (c *cluster) exec(statement string, args ...any) {
	c.Helper()
	conn, err := pgx.Connect(c.Context(), c.url)
	if err != nil {
		c.Fatal(err)
	}
	_, err = conn.Exec(c.Context(), statement, args...)
	if err := errors.Join(err, conn.Close(c.Context())); err != nil {
		c.Fatal(err)
	}
}
