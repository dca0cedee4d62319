// Package messages contains realtime's SQL on the table realtime.messages: it checks by its policies
// who may listen and send, and reads and stores its rows.
package messages

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/semaphore"

	"plaza/server/claims"
	"plaza/server/pg"
)

// Extensions of a channel. Policies decide about each separately.
const (
	Broadcast = "broadcast"
	Presence  = "presence"
)

// Caller is a caller whose rights are checked.
type Caller struct {
	claims.Caller
	Headers string // of the request, as a JSON object
}

// Rights are the extensions that a caller may use in a topic.
type Rights struct{ Broadcast, Presence bool }

// ErrDenied means that policies do not allow it. It is also returned if a policy raises an error, and
// if the caller's role does not exist.
var ErrDenied = errors.New("policies do not allow it")

// Store checks the policies of messages, and reads and stores them.
type Store struct {
	db    *pg.DB
	slots *semaphore.Weighted // of concurrent checks
}

// New returns a Store that runs at most maxChecks policy checks concurrently.
func New(db *pg.DB, maxChecks int) *Store {
	return &Store{db: db, slots: semaphore.NewWeighted(int64(maxChecks))}
}

const (
	beginSQL = `select realtime.begin_policy_check($1, $2, $3, $4, $5)`
	readSQL  = `select extension from realtime.messages where id = any($1::uuid[]) and inserted_at = pg_catalog.timezone('utc', pg_catalog.now())`
	writeSQL = `insert into realtime.messages (topic, extension) values ($1, $2)`
)

// CheckRead checks by the SELECT policies what a caller may receive of a topic. Presence is checked only
// if presence is true.
//
// Errors: ErrDenied if neither is allowed; the database's.
func (s *Store) CheckRead(ctx context.Context, who Caller, topic string, presence bool) (Rights, error) {
	extensions := []string{Broadcast}
	ids := []string{uuid.NewString()}
	if presence {
		extensions, ids = append(extensions, Presence), append(ids, uuid.NewString())
	}
	var rights Rights
	err := s.check(ctx, who, topic, ids, extensions, pg.Statement{SQL: readSQL, Args: [][]byte{array(ids)}}, func(row [][]byte) error {
		switch string(row[0]) {
		case Broadcast:
			rights.Broadcast = true
		case Presence:
			rights.Presence = true
		}
		return nil
	})
	if err == nil && rights == (Rights{}) {
		err = ErrDenied
	}
	return rights, err
}

// CheckWrite checks by the INSERT policies whether a caller may send to a topic.
//
// Errors: ErrDenied; the database's.
func (s *Store) CheckWrite(ctx context.Context, who Caller, topic, extension string) error {
	return s.check(ctx, who, topic, nil, nil, pg.Statement{SQL: writeSQL, Args: [][]byte{[]byte(topic), []byte(extension)}}, nil)
}

// check runs a statement as a caller in a transaction that is rolled back.
func (s *Store) check(ctx context.Context, who Caller, topic string, ids, extensions []string, statement pg.Statement, scan func([][]byte) error) error {
	if err := s.slots.Acquire(ctx, 1); err != nil {
		return err
	}
	defer s.slots.Release(1)
	begin := pg.Statement{SQL: beginSQL, Args: [][]byte{[]byte(topic), []byte(who.Subject), []byte(who.Role), array(ids), array(extensions)}}
	_, err := s.db.QueryAsCaller(ctx, who.Caller, pg.Settings{First: begin, Headers: who.Headers, Rollback: true}, statement, scan)
	if isPolicyError(err) {
		return fmt.Errorf("%w: %w", ErrDenied, err)
	}
	return err
}

// array returns an array of texts without special characters in PostgreSQL's format.
func array(texts []string) []byte { return []byte("{" + strings.Join(texts, ",") + "}") }

// isPolicyError reports whether the statement itself failed, not the database.
func isPolicyError(err error) bool {
	if errors.Is(err, pg.ErrInsufficientScope) {
		return true
	}
	refusal := pg.AsPgError(err)
	if refusal == nil {
		return false
	}
	switch refusal.Code[:2] {
	case "08", "40", "53", "55", "57", "58", "XX": // connection, conflict, resources, state, operator, system, internal
		return false
	}
	return refusal.Code != noPartition
}

// noPartition is the code for a row that fits no partition, a check violation.
const noPartition = "23514"

// IsNoPartition reports whether the partitions of today are missing.
func IsNoPartition(err error) bool {
	refusal := pg.AsPgError(err)
	return refusal != nil && refusal.Code == noPartition
}

// Stored is a broadcast that is stored in the database.
type Stored struct {
	ID      string
	Topic   string
	Event   string
	Private bool
	Payload []byte // JSON; nil: the payload is Bytes
	Bytes   []byte
}

const storedColumns = `select id::text, topic, coalesce(event, ''), coalesce(private, false), payload::text, binary_payload from realtime.messages `

// The broadcasts of one transaction have the same inserted_at; ctid is the order in which their rows were written.
const replaySQL = storedColumns + `
	where topic = $1 and private and extension = 'broadcast' and (payload is not null or binary_payload is not null)
		and inserted_at >= pg_catalog.timezone('utc', $2::timestamptz) and (expires_at is null or expires_at > pg_catalog.timezone('utc', now()))
	order by inserted_at desc, ctid desc limit $3`

// Replay returns the newest private broadcasts of a topic since a time, the oldest first.
func (s *Store) Replay(ctx context.Context, topic string, since time.Time, limit int) ([]Stored, error) {
	var found []Stored
	err := s.stored(ctx, func(one Stored) { found = append(found, one) }, replaySQL, topic, since, limit)
	slices.Reverse(found)
	return found, err
}

const storeSQL = `
	insert into realtime.messages (id, topic, extension, event, private, payload, binary_payload, expires_at)
	values ($1::uuid, $2, 'broadcast', $3, $4, $5::jsonb, $6, pg_catalog.timezone('utc', now()) + $7::interval)`

// Store stores a broadcast of a client for replay. With a ttl of 0 it is kept as long as all others.
func (s *Store) Store(ctx context.Context, m Stored, ttl time.Duration) error {
	var payload *string
	if m.Payload != nil {
		text := string(m.Payload)
		payload = &text
	}
	var expiry *time.Duration
	if ttl > 0 {
		expiry = &ttl
	}
	return s.db.AsService(ctx, pg.RealtimeAdmin, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, storeSQL, m.ID, m.Topic, m.Event, m.Private, payload, m.Bytes, expiry)
		return err
	})
}

// As in replaySQL, ctid orders the broadcasts of one transaction.
const sinceSQL = storedColumns + `
	where extension = 'broadcast' and (payload is not null or binary_payload is not null) and inserted_at >= pg_catalog.timezone('utc', $1::timestamptz)
	order by inserted_at, ctid`

// Since calls each with the broadcasts since a time, the oldest first.
func (s *Store) Since(ctx context.Context, since time.Time, each func(Stored)) error {
	return s.stored(ctx, each, sinceSQL, since)
}

func (s *Store) stored(ctx context.Context, each func(Stored), sql string, args ...any) error {
	return s.db.AsService(ctx, pg.RealtimeAdmin, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, sql, args...)
		if err != nil {
			return err
		}
		var one Stored
		_, err = pgx.ForEachRow(rows, []any{&one.ID, &one.Topic, &one.Event, &one.Private, &one.Payload, &one.Bytes}, func() error {
			each(one)
			return nil
		})
		return err
	})
}

// RenewPartitions creates the partitions of the next days and drops those of old messages.
func (s *Store) RenewPartitions(ctx context.Context) error {
	return s.db.AsService(ctx, pg.RealtimeAdmin, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "select realtime.renew_message_partitions()")
		return err
	})
}

// serverTimeout is the age at which the row of a server that does not renew it is deleted.
const serverTimeout = 30 * time.Second

const renewServerSQL = `
	with old as (delete from realtime.servers where seen_at < now() - $3::interval and id <> $1::uuid),
		own as (insert into realtime.servers (id, address) values ($1::uuid, $2) on conflict (id) do update set seen_at = now())
	select address from realtime.servers where id <> $1::uuid and seen_at >= now() - $3::interval order by address`

// RenewServer registers a running server, or renews its row, and returns the addresses of the others.
func (s *Store) RenewServer(ctx context.Context, id, address string) ([]string, error) {
	rows, err := s.db.Owner().Query(ctx, renewServerSQL, id, address, serverTimeout)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// RemoveServer removes a server that stops.
func (s *Store) RemoveServer(ctx context.Context, id string) error {
	_, err := s.db.Owner().Exec(ctx, "delete from realtime.servers where id = $1::uuid", id)
	return err
}
