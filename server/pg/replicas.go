package pg

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/server/claims"
	"plaza/server/pg/queue"
	"plaza/server/pg/replica"
)

// LSN is a position in the primary's write-ahead log.
type LSN = replica.LSN

// replicas answer reads of callers. A replica is used as long as it shows what the
// caller wrote last. A nil *replicas means that there are none.
type replicas struct {
	all       []*replicaServer
	next      atomic.Uint32 // index of the one that is tried first, round robin
	positions *replica.Positions

	timeline  atomic.Uint32 // of the primary; 0: unknown yet
	following sync.Mutex    // held while a new timeline is noted

	// Changes of the schema that were announced, and how many of these the last reload has seen.
	announced, reloaded atomic.Uint64

	stop    context.CancelFunc
	running sync.WaitGroup
}

// replicaServer is a replica as callers reach it.
type replicaServer struct {
	server
	*replica.Replica
}

// replicaConnectTimeout bounds the making of a connection to a replica, unless its URL
// has a shorter time. It is short, since the primary can answer, too.
const replicaConnectTimeout = 2 * time.Second

// openReplicas makes the pools and connects to none: a replica that is down is used
// once it is up.
func (db *DB) openReplicas(c Config) error {
	if len(c.ReplicaURLs) == 0 {
		return nil
	}
	db.replicas = &replicas{positions: replica.NewPositions()}
	db.primary.elsewhere = db.readOnReplica
	for _, url := range c.ReplicaURLs {
		config, err := poolConfig(c, url, c.MaxCallers+1, c.SearchPath) // one for the checks
		if err != nil {
			return fmt.Errorf("replica: %w", err)
		}
		to := config.ConnConfig
		to.ConnectTimeout = min(to.ConnectTimeout, replicaConnectTimeout)
		pool, err := pgxpool.NewWithConfig(context.Background(), config)
		if err != nil {
			return fmt.Errorf("replica: %w", err)
		}
		watched := replica.New(pool, c.MaxReplicaLag, c.Log.With("replica", to.Host+":"+strconv.Itoa(int(to.Port))))
		db.replicas.all = append(db.replicas.all, &replicaServer{
			server:  server{pool: pool, queue: queue.New[*job](c.MaxCallers, c.AcquireTimeout, ErrBusy), replica: watched, unprepared: c.Unprepared},
			Replica: watched,
		})
	}
	return nil
}

// watch starts the checks of the replicas.
func (rs *replicas) watch(primary *pgxpool.Pool) {
	if rs == nil {
		return
	}
	var ctx context.Context
	ctx, rs.stop = context.WithCancel(context.Background())
	all := make([]*replica.Replica, len(rs.all))
	for i, r := range rs.all {
		all[i] = r.Replica
	}
	for _, r := range all {
		rs.running.Go(func() { r.Watch(ctx, primary, all) })
	}
}

// primaryLost starts a check of all replicas: some may lack what the primary has acknowledged.
func (rs *replicas) primaryLost() {
	if rs == nil {
		return
	}
	for _, r := range rs.all {
		r.AskPrimary()
	}
}

// wrote notes the position of a caller's write, if there is one: the caller's reads need a replica that has replayed it.
func (rs *replicas) wrote(who claims.Caller, p position) {
	if p.at != 0 {
		rs.follow(p.timeline)
		rs.positions.Wrote(writerKey(who), p.at)
	}
}

// changed is wrote for a change that the reads of all callers need.
func (rs *replicas) changed(p position) {
	if p.at != 0 {
		rs.follow(p.timeline)
		rs.positions.Changed(p.at)
	}
}

// Saw notes that a caller is told of a change, such as by realtime: its reads need a replica that has replayed it.
func (db *DB) Saw(who claims.Caller, at LSN) {
	if db.HasReplicas() {
		db.replicas.positions.Wrote(writerKey(who), at)
	}
}

// HasReplicas reports whether reads may go to replicas.
func (db *DB) HasReplicas() bool { return db.replicas != nil }

// follow notes the timeline of the primary. If another server has become the primary, a replica is used once it has replayed
// more than any had received of the former one's log: it may have records that the new primary lacks and replaces by others,
// and its position does not tell.
func (rs *replicas) follow(timeline uint32) {
	if timeline <= rs.timeline.Load() {
		return
	}
	rs.following.Lock()
	defer rs.following.Unlock()
	former := rs.timeline.Load()
	if timeline <= former {
		return
	}
	if former != 0 {
		var answering []*replica.Replica
		for _, r := range rs.all {
			if r.Answers() {
				answering = append(answering, r.Replica)
			}
		}
		rs.positions.Changed(replica.LatestReceived(context.Background(), answering) + 1)
	}
	rs.timeline.Store(timeline)
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
		r.Close()
		r.pool.Close()
	}
}

// announceReload keeps reads from the replicas until the next reload.
func (rs *replicas) announceReload() {
	if rs != nil {
		rs.announced.Add(1)
	}
}

// awaitsReload reports whether an announced reload is still to be done.
func (rs *replicas) awaitsReload() bool { return rs.announced.Load() != rs.reloaded.Load() }

// reload makes reads use a replica only if it has replayed the current schema.
func (rs *replicas) reload(ctx context.Context, primary *pgxpool.Pool, roles *roleSettings) error {
	if rs == nil {
		return nil
	}
	announced := rs.announced.Load()
	var current, file []byte
	if err := primary.QueryRow(ctx, positionSQL).Scan(&current, &file); err != nil {
		return fmt.Errorf("read the primary's position: %w", err)
	}
	rs.changed(parsePosition([][]byte{current, file}))
	for _, r := range rs.all {
		r.reload(roles.withColumn(replica.ReplayedSQL))
	}
	rs.reloaded.Store(announced)
	return nil
}

// writerKey identifies the caller whose writes a read must see: the session, else the
// user, else the token. All that send the anonymous key only are one caller.
func writerKey(who claims.Caller) string { return cmp.Or(who.SessionID, who.Subject, who.JSON) }

// read has a replica run a job, if one can, and reports whether the job is done.
func (rs *replicas) read(j *job) bool {
	if !j.set.ReadOnly || j.set.Rollback || j.set.Verify != nil {
		return false
	}
	j.need = max(j.set.AtLeast, rs.positions.Needed(writerKey(j.who)))
	r := rs.pick(j.need)
	if r == nil {
		return false
	}
	client, session := j.ctx, r.Session()
	ctx, end := context.WithCancel(client)
	defer end()
	defer context.AfterFunc(session, end)()
	j.ctx = ctx
	err := r.do(j)
	j.ctx, j.err = client, cmp.Or(err, j.err)
	switch {
	case j.err == nil, client.Err() != nil, errors.Is(j.err, ErrBusy):
		return true
	case session.Err() != nil: // so the read was cancelled; a replica that still answers reports that as a statement's error
	case errors.Is(j.err, errBehind):
		r.Wake()
	case isGone(j.err):
		r.Exclude(j.err)
	case !refusedByReplica(j.err):
		return true
	}
	return !j.mayRunAgain()
}

// pick returns a replica that has replayed enough, or nil.
func (rs *replicas) pick(need LSN) *replicaServer {
	first := rs.next.Add(1)
	for i := range rs.all {
		r := rs.all[(first+uint32(i))%uint32(len(rs.all))]
		switch replayed := r.Replayed(); {
		case replayed == 0:
		case replayed >= need:
			return r
		default:
			r.Wake()
		}
	}
	return nil
}

// errBehind is the outcome of a read on a replica that does not show what the caller
// must see.
var errBehind = errors.New("the replica has not replayed what the caller wrote")

// checkReplayed reads the row of the statement that becomes the caller on a replica. Its
// last column is the replica's position, and what the job reads after it is no older.
func (j *job) checkReplayed(row [][]byte) error {
	if replayed := replica.ParseLSN(string(row[len(row)-1])); replayed == 0 || replayed < j.need {
		return errBehind
	}
	return nil
}

// refusedByReplica reports whether a read failed because it ran on a replica.
func refusedByReplica(err error) bool {
	refusal := AsPgError(err)
	return refusal != nil && (refusal.Code == readOnly || refusal.Code == notSupported || refusal.Code == recoveryConflict || refusal.Code == recoveryDeadlock)
}

// SQLSTATEs with which a replica refuses reads that the primary may run.
const (
	readOnly         = "25006" // LISTEN, a transaction id, a temporary table
	notSupported     = "0A000" // an unlogged table, serializable
	recoveryConflict = "40001" // the rows it reads were vacuumed on the primary
	recoveryDeadlock = "40P01"
)
