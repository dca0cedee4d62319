package walarchive

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

// receiver receives WAL from PostgreSQL.
//
// Source: "Streaming Replication Protocol" in PostgreSQL's manual, as of version 15.
type receiver struct {
	conn *pgconn.PgConn
	next LSN // the position of the next byte
}

// receive starts to receive a run's WAL at a position.
func receive(ctx context.Context, address string, run Run, from LSN) (*receiver, error) {
	config, err := pgconn.ParseConfig(address)
	if err != nil {
		return nil, err
	}
	config.RuntimeParams["replication"] = "true"
	// No timeout: PostgreSQL hears nothing while a chunk is stored. If this process is killed, the system closes
	// the connection.
	config.RuntimeParams["wal_sender_timeout"] = "0"
	conn, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connect for replication: %w", err)
	}
	r := &receiver{conn: conn, next: from}
	if err := r.start(ctx, run); err != nil {
		return nil, errors.Join(fmt.Errorf("start replication: %w", err), r.close())
	}
	return r, nil
}

func (r *receiver) start(ctx context.Context, run Run) error {
	r.conn.Frontend().SendQuery(&pgproto3.Query{String: fmt.Sprintf("START_REPLICATION SLOT %s PHYSICAL %s TIMELINE %d", slotName(run.ID), r.next, run.Timeline)})
	if err := r.conn.Frontend().Flush(); err != nil {
		return err
	}
	for {
		message, err := r.conn.ReceiveMessage(ctx)
		if err != nil {
			return err
		}
		switch message := message.(type) {
		case *pgproto3.CopyBothResponse:
			return nil
		case *pgproto3.ErrorResponse:
			return pgconn.ErrorResponseToPgError(message)
		}
	}
}

// close ends the connection.
func (r *receiver) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return r.conn.Close(ctx)
}

// Sizes of what precedes the content of a message.
const (
	dataHeader      = 1 + 8 + 8 + 8
	keepaliveLength = 1 + 8 + 8 + 1
)

// read returns the next WAL, which is valid until the next call. It returns none at the
// deadline, and when ctx ends.
func (r *receiver) read(ctx context.Context, deadline time.Time) ([]byte, error) {
	within, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	for {
		message, err := r.conn.ReceiveMessage(within)
		if err != nil {
			if within.Err() != nil && !r.conn.IsClosed() {
				return nil, nil
			}
			return nil, err
		}
		switch message := message.(type) {
		case *pgproto3.CopyData:
			if data := message.Data; len(data) > dataHeader && data[0] == 'w' {
				return r.take(data)
			} else if len(data) != keepaliveLength || data[0] != 'k' {
				return nil, errors.New("PostgreSQL sent a message of an unknown kind")
			}
		case *pgproto3.ErrorResponse:
			return nil, pgconn.ErrorResponseToPgError(message)
		case *pgproto3.CopyDone:
			return nil, errors.New("PostgreSQL has ended replication")
		}
	}
}

// take returns the WAL in a message, which must begin at r.next.
func (r *receiver) take(data []byte) ([]byte, error) {
	if at := LSN(binary.BigEndian.Uint64(data[1:])); at != r.next {
		return nil, fmt.Errorf("PostgreSQL sent the WAL at %s instead of %s", at, r.next)
	}
	r.next += LSN(len(data) - dataHeader)
	return data[dataHeader:], nil
}

// epoch is the time from which PostgreSQL counts microseconds.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// confirm tells PostgreSQL that the WAL before a position is archived and need not be kept.
func (r *receiver) confirm(to LSN, now time.Time) error {
	status := []byte{'r'}
	for range 3 { // written, flushed, applied
		status = binary.BigEndian.AppendUint64(status, uint64(to))
	}
	status = binary.BigEndian.AppendUint64(status, uint64(now.Sub(epoch).Microseconds()))
	r.conn.Frontend().Send(&pgproto3.CopyData{Data: append(status, 0)})
	return r.conn.Frontend().Flush()
}
