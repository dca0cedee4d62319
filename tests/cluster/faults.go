//go:build linux

package main

import (
	"context"
	"errors"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// fault is a failure or a planned operation. run makes it happen and undoes it. It may return before
// the cluster is healthy again; measure waits for that.
type fault struct {
	name    string
	title   string
	planned bool                                        // no request may fail
	prepare func(ctx context.Context, c *cluster) error // before the load begins; may be nil
	run     func(ctx context.Context, c *cluster) error
}

// faults are run in this order. A new one is a line here and a function below.
var faults = []fault{
	{name: "restart", title: "rolling restart of the servers (SIGTERM)", planned: true, run: restartServers},
	{name: "kill-server", title: "kill -9 of a server", run: killServer},
	{name: "kill-primary", title: "kill -9 of the primary's node", run: killPrimary},
	{name: "switchover", title: "switchover by Patroni", planned: true, run: switchOver},
	{name: "cut-primary", title: "primary cut from databases and etcd", run: cutPrimary},
	{name: "isolate-primary", title: "primary cut from everything", run: isolatePrimary},
	{name: "pool", title: "PgBouncer restarted", run: restartPool},
	{name: "objects", title: "object storage away for 10 s", run: loseObjects},
	{name: "lag", title: "a replica lags by 15 s", run: lagReplica},
	{name: "hang", title: "the synchronous replica hangs for 15 s (SIGSTOP)", run: hangReplica},
	{name: "disk-replica", title: "disk of the synchronous replica full for 15 s", run: fillReplica},
	{name: "disk-primary", title: "disk of the primary full for 15 s", run: fillPrimary},
	{name: "slow", title: "a replica behind a slow link for 15 s", run: slowReplica},
	clockOff("ahead"),
	clockOff("behind"),
	{name: "etcd", title: "etcd gone for 20 s", run: loseEtcd},
}

// stopTimeout is the time to stop a server that docs/production.md recommends.
const stopTimeout = 20 * time.Second

func restartServers(ctx context.Context, c *cluster) error {
	for _, s := range c.servers {
		s.stopped = true
		if err := s.process.Stop(ctx, stopTimeout); err != nil {
			return err
		}
		if err := c.startServer(s); err != nil {
			return err
		}
		if err := c.waitHealthy(ctx); err != nil {
			return err
		}
	}
	return nil
}

func killServer(ctx context.Context, c *cluster) error {
	s := c.servers[0]
	s.stopped = true
	if err := s.KillAll(ctx); err != nil {
		return err
	}
	pause(ctx, 5*time.Second)
	return c.startServer(s)
}

func killPrimary(ctx context.Context, c *cluster) error {
	c.moves.Add(1)
	primary, err := c.primary(ctx)
	if err != nil {
		return err
	}
	if err := primary.KillAll(ctx); err != nil {
		return err
	}
	if err := c.waitOtherPrimary(ctx, primary); err != nil {
		return err
	}
	pause(ctx, 10*time.Second)
	return c.startDatabase(primary)
}

func switchOver(ctx context.Context, c *cluster) error {
	c.moves.Add(1)
	primary, err := c.primary(ctx)
	if err != nil {
		return err
	}
	if err := c.switchover(ctx, primary); err != nil {
		return err
	}
	return c.waitOtherPrimary(ctx, primary)
}

// cutPrimary leaves the servers connected to a primary that must no longer be one.
func cutPrimary(ctx context.Context, c *cluster) error {
	c.moves.Add(1)
	primary, err := c.primary(ctx)
	if err != nil {
		return err
	}
	for _, other := range c.databases {
		if other != primary {
			if err := c.Cut(ctx, primary.Node, other.Node); err != nil {
				return err
			}
		}
	}
	if err := c.waitOtherPrimary(ctx, primary); err != nil {
		return err
	}
	pause(ctx, 10*time.Second)
	return c.Heal(ctx)
}

func isolatePrimary(ctx context.Context, c *cluster) error {
	c.moves.Add(1)
	primary, err := c.primary(ctx)
	if err != nil {
		return err
	}
	if err := c.Isolate(ctx, primary.Node); err != nil {
		return err
	}
	if err := c.waitOtherPrimary(ctx, primary); err != nil {
		return err
	}
	pause(ctx, 10*time.Second)
	return c.Heal(ctx)
}

func restartPool(ctx context.Context, c *cluster) error {
	if err := c.pool.Signal(syscall.SIGKILL); err != nil {
		return err
	}
	if err := c.pool.Wait(ctx); err != nil {
		return err
	}
	return c.startPool()
}

func loseObjects(ctx context.Context, c *cluster) error {
	if err := c.objects.Signal(syscall.SIGKILL); err != nil {
		return err
	}
	pause(ctx, 10*time.Second)
	return c.startObjects()
}

func lagReplica(ctx context.Context, c *cluster) error {
	_, replicas := c.members(ctx)
	if len(replicas) == 0 {
		return errNoPrimary
	}
	conn, err := c.connect(ctx, replicas[0].IP)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if err := execute(ctx, conn, "select pg_wal_replay_pause()"); err != nil {
		return err
	}
	pause(ctx, 15*time.Second)
	return execute(ctx, conn, "select pg_wal_replay_resume()")
}

func hangReplica(ctx context.Context, c *cluster) error {
	replica, err := c.synchronous(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = replica.SignalAll(context.WithoutCancel(ctx), syscall.SIGCONT) }()
	if err := replica.SignalAll(ctx, syscall.SIGSTOP); err != nil {
		return err
	}
	pause(ctx, 15*time.Second)
	return nil
}

func fillReplica(ctx context.Context, c *cluster) error {
	replica, err := c.synchronous(ctx)
	if err != nil {
		return err
	}
	return fillDisk(ctx, replica)
}

func fillPrimary(ctx context.Context, c *cluster) error {
	c.moves.Add(1)
	primary, err := c.primary(ctx)
	if err != nil {
		return err
	}
	return fillDisk(ctx, primary)
}

func fillDisk(ctx context.Context, d *database) error {
	empty, err := d.Fill("disk")
	if err == nil {
		pause(ctx, 15*time.Second)
	}
	return errors.Join(err, empty())
}

func slowReplica(ctx context.Context, c *cluster) error {
	_, replicas := c.members(ctx)
	if len(replicas) == 0 {
		return errNoPrimary
	}
	if err := c.Slow(ctx, replicas[0].Node, 200*time.Millisecond, "500kbit"); err != nil {
		return err
	}
	pause(ctx, 15*time.Second)
	return c.Speed(ctx, replicas[0].Node)
}

func execute(ctx context.Context, conn *pgx.Conn, statement string) error {
	_, err := conn.Exec(ctx, statement)
	return err
}

func loseEtcd(ctx context.Context, c *cluster) error {
	for _, d := range c.databases {
		if err := d.etcd.Signal(syscall.SIGKILL); err != nil {
			return err
		}
	}
	pause(ctx, 20*time.Second)
	for _, d := range c.databases {
		if err := c.startEtcd(d); err != nil {
			return err
		}
	}
	return nil
}

func pause(ctx context.Context, duration time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(duration):
	}
}
