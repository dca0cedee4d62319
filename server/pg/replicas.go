package pg

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/server/claims"
	"plaza/server/pg/queue"
)

// replicas answer reads of callers, each as long as it shows what the caller
// wrote last. A nil one stands for none.
type replicas struct {
	all  []*replica
	next atomic.Uint32 // who is asked first, in turn

	// Where each caller wrote last, by a hash of who it is. Callers that share a
	// place may have to wait for each other's writes, which is never wrong, and
	// seldom felt: a replica is milliseconds behind. So nothing is forgotten, and
	// the memory is bounded.
	places [writerPlaces]atomic.Uint64
	seed   maphash.Seed
	// What all callers have to see: what services wrote, and the schema.
	floor atomic.Uint64

	stop    context.CancelFunc
	running sync.WaitGroup
}

// writerPlaces take 128 KB.
const writerPlaces = 1 << 14

// connectPatience is how long connecting to a replica may take, unless its URL
// says so: the primary can answer, too.
const connectPatience = 2 * time.Second

// openReplicas connects to none of them: one that is down comes in later.
func (db *DB) openReplicas(c Config) error {
	if len(c.ReplicaURLs) == 0 {
		return nil
	}
	db.replicas = &replicas{seed: maphash.MakeSeed()}
	for _, url := range c.ReplicaURLs {
		config, err := poolConfig(c, url, c.MaxCallers+1, c.SearchPath) // one for the watch
		if err != nil {
			return fmt.Errorf("replica: %w", err)
		}
		to := config.ConnConfig
		to.ConnectTimeout = cmp.Or(to.ConnectTimeout, connectPatience)
		pool, err := pgxpool.NewWithConfig(context.Background(), config)
		if err != nil {
			return fmt.Errorf("replica: %w", err)
		}
		db.replicas.all = append(db.replicas.all, &replica{
			server: server{pool: pool, queue: queue.New[*job](c.MaxCallers, c.AcquireTimeout, ErrBusy), replica: true, unprepared: c.Unprepared},
			maxLag: c.MaxReplicaLag, wanted: make(chan struct{}, 1),
			log: c.Log.With("replica", to.Host+":"+strconv.Itoa(int(to.Port))),
		})
	}
	return nil
}

// follow begins to watch them.
func (rs *replicas) follow(primary *pgxpool.Pool) {
	if rs == nil {
		return
	}
	var ctx context.Context
	ctx, rs.stop = context.WithCancel(context.Background())
	for _, r := range rs.all {
		rs.running.Go(func() { r.watch(ctx, primary) })
	}
}

func (rs *replicas) close() {
	if rs == nil {
		return
	}
	if rs.stop != nil {
		rs.stop()
	}
	rs.running.Wait()
	for _, r := range rs.all {
		r.endPresence()
		r.pool.Close()
	}
}

// reload makes reads wait for the schema as it is now.
func (rs *replicas) reload(ctx context.Context, primary *pgxpool.Pool, roles *roleSettings) error {
	if rs == nil {
		return nil
	}
	var now string
	if err := primary.QueryRow(ctx, positionSQL+"::text").Scan(&now); err != nil {
		return fmt.Errorf("ask the primary for its position: %w", err)
	}
	rs.changed(ParseLSN(now))
	for _, r := range rs.all {
		r.reload(roles.and(replayedSQL))
	}
	return nil
}

// changed makes all callers' reads wait for a position.
func (rs *replicas) changed(at LSN) { raise(&rs.floor, at) }

// wrote makes a caller's reads wait for what it wrote.
func (rs *replicas) wrote(who claims.Caller, at LSN) { raise(rs.place(who), at) }

// place is where a caller's last write is kept: that of its session, else of the
// user, else of the token. Those that send but the anonymous key are one caller.
func (rs *replicas) place(who claims.Caller) *atomic.Uint64 {
	key := cmp.Or(who.SessionID, who.Subject, who.JSON)
	return &rs.places[maphash.String(rs.seed, key)%writerPlaces]
}

func raise(position *atomic.Uint64, at LSN) {
	for old := position.Load(); uint64(at) > old && !position.CompareAndSwap(old, uint64(at)); {
		old = position.Load()
	}
}

// read has a replica do a job, if one can. It tells whether the job is done.
func (rs *replicas) read(j *job) bool {
	if !j.set.ReadOnly || j.set.Rollback || j.set.Verify != nil {
		return false
	}
	j.need = max(j.set.AtLeast, LSN(rs.floor.Load()), LSN(rs.place(j.who).Load()))
	r := rs.pick(j.need)
	if r == nil {
		return false
	}
	client, present := j.ctx, r.present.Load()
	ctx, end := context.WithCancel(client)
	defer end()
	defer context.AfterFunc(present, end)()
	j.ctx = ctx
	err := r.do(j)
	j.ctx, j.err = client, cmp.Or(err, j.err)
	switch {
	case client.Err() != nil, errors.Is(j.err, ErrBusy):
		return true
	case present.Err() != nil && errors.Is(j.err, context.Canceled):
	case errors.Is(j.err, errBehind):
		r.want()
	case isLost(j.err):
		r.leaveOut(j.err)
	case fitsReplica(j.err):
		return true
	}
	return !j.mayRunAgain()
}

// pick returns a replica that has replayed enough; nil where none has.
func (rs *replicas) pick(need LSN) *replica {
	first := rs.next.Add(1)
	for i := range rs.all {
		r := rs.all[(first+uint32(i))%uint32(len(rs.all))]
		switch replayed := LSN(r.replayed.Load()); {
		case replayed == 0:
		case replayed >= need:
			return r
		default:
			r.want()
		}
	}
	return nil
}
