package pg

import (
	"strconv"

	"plaza/server/pg/queue"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Stats are the figures of all connections.
type Stats struct {
	Callers  PoolStats // those of callers, to the primary
	Service  PoolStats // those of services
	Replicas []ReplicaStats
}

// PoolStats are the figures of the connections to one server; all but Max, Idle, Used and
// Waiting count from the start.
type PoolStats struct {
	Max, Idle, Used int
	Opened          uint64 // connections made

	queue.Stats // Waiting is 0 for services, where it is not known
}

// ReplicaStats are the figures of one replica.
type ReplicaStats struct {
	Number int  // in DATABASE_REPLICA_URLS, from 1
	IsUsed bool // reads are sent to it
	PoolStats
}

// Stats returns the figures of all connections.
func (db *DB) Stats() Stats {
	stats := Stats{Callers: db.primary.stats(), Service: poolStats(db.service)}
	stats.Service.Waits = uint64(db.service.Stat().EmptyAcquireCount())
	stats.Service.Waited = db.service.Stat().EmptyAcquireWaitTime()
	if db.replicas != nil {
		for i, r := range db.replicas.all {
			stats.Replicas = append(stats.Replicas, ReplicaStats{i + 1, r.Replayed() != 0, r.stats()})
		}
	}
	return stats
}

// Name returns the name of a replica in metrics: its number, and not its address, which
// need not be public.
func (r ReplicaStats) Name() string { return "replica " + strconv.Itoa(r.Number) }

func poolStats(pool *pgxpool.Pool) PoolStats {
	now := pool.Stat()
	return PoolStats{Max: int(now.MaxConns()), Idle: int(now.IdleConns()), Used: int(now.AcquiredConns()), Opened: uint64(now.NewConnsCount())}
}

func (s *server) stats() PoolStats {
	stats := poolStats(s.pool)
	stats.Stats = s.queue.Stats()
	return stats
}
