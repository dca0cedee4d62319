package wal

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

// Settings are the parameters that a replication connection must be opened with, so that values have
// the format that the data API's encoder expects.
var Settings = map[string]string{
	"replication": "database", "DateStyle": "ISO", "IntervalStyle": "postgres", "TimeZone": "UTC", "extra_float_digits": "1", "bytea_output": "hex", "client_encoding": "UTF8",
}

// Stream reads the WAL from the moment at which it was opened. It is for one goroutine, except for
// Received.
type Stream struct {
	conn     *pgconn.PgConn
	slot     string
	timeouts Timeouts

	received        atomic.Uint64 // LSN up to which the server need not retain the WAL
	lastStatus      time.Time     // when the last status was sent, which requests an answer
	unansweredSince time.Time     // when the first status without an answer was sent; zero: all were answered
}

// Timeouts apply while the server sends nothing.
type Timeouts struct {
	Status time.Duration // after which a status is sent that requests an answer; less than wal_sender_timeout, a minute by default
	Answer time.Duration // within which the server must answer
}

// ErrNoAnswer means that the server has not answered in time.
var ErrNoAnswer = errors.New("the server does not answer")

// maxMessage is the maximum size of a message, such as a row in text form. A larger one ends the
// stream.
const maxMessage = 64 << 20

// Open creates a temporary replication slot and starts to read the changes of publications. PostgreSQL
// drops the slot, and the WAL retained for it, with the connection. Creating it waits for all open
// transactions.
//
// On an error the connection is closed.
func Open(ctx context.Context, conn *pgconn.PgConn, publications []string, timeouts Timeouts) (*Stream, error) {
	name := uuid.New()
	s := &Stream{conn: conn, slot: "plaza_realtime_" + hex.EncodeToString(name[:8]), timeouts: timeouts}
	if err := s.open(ctx, publications); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Stream) open(ctx context.Context, publications []string) error {
	create := fmt.Sprintf("CREATE_REPLICATION_SLOT %s TEMPORARY LOGICAL pgoutput NOEXPORT_SNAPSHOT", s.slot)
	if _, err := s.conn.Exec(ctx, create).ReadAll(); err != nil {
		return fmt.Errorf("create replication slot: %w", err)
	}
	quoted := make([]string, len(publications))
	for i, name := range publications {
		quoted[i] = `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
	}
	list := strings.ReplaceAll(strings.Join(quoted, ","), "'", "''")
	start := fmt.Sprintf("START_REPLICATION SLOT %s LOGICAL 0/0 (proto_version '1', publication_names '%s', messages 'true')", s.slot, list)
	s.conn.Frontend().SetMaxBodyLen(maxMessage)
	s.conn.Frontend().SendQuery(&pgproto3.Query{String: start})
	if err := s.conn.Frontend().Flush(); err != nil {
		return err
	}
	for {
		message, err := s.conn.ReceiveMessage(ctx)
		if err != nil {
			return fmt.Errorf("start replication: %w", err)
		}
		switch message := message.(type) {
		case *pgproto3.CopyBothResponse:
			return nil
		case *pgproto3.ErrorResponse:
			return fmt.Errorf("start replication: %w", pgconn.ErrorResponseToPgError(message))
		}
	}
}

// Slot returns the name of the replication slot.
func (s *Stream) Slot() string { return s.slot }

// Received returns the position up to which the WAL was received. It also advances without changes: the
// server answers a status with its position.
func (s *Stream) Received() LSN { return LSN(s.received.Load()) }

// Close ends the stream and its slot.
func (s *Stream) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return s.conn.Close(ctx)
}

// Next returns the next message, as Decode does. Its values are valid until the next call.
//
// Errors: ErrMalformed; ErrNoAnswer; PostgreSQL's; the connection's; ctx's. The stream has ended then.
func (s *Stream) Next(ctx context.Context) (any, error) {
	for {
		if time.Since(s.lastStatus) >= s.timeouts.Status {
			if err := s.sendStatus(); err != nil {
				return nil, err
			}
		}
		message, err := s.receive(ctx)
		if err != nil {
			return nil, err
		}
		if message != nil {
			return message, nil
		}
	}
}

// receive returns a message, or nil if there was none of interest.
func (s *Stream) receive(ctx context.Context) (any, error) {
	within, cancel := context.WithDeadline(ctx, s.lastStatus.Add(s.timeouts.Status))
	defer cancel()
	message, err := s.conn.ReceiveMessage(within)
	if err != nil {
		if !pgconn.Timeout(err) || ctx.Err() != nil {
			return nil, err
		}
		if !s.unansweredSince.IsZero() && time.Since(s.unansweredSince) >= s.timeouts.Answer {
			return nil, ErrNoAnswer
		}
		return nil, nil
	}
	s.unansweredSince = time.Time{}
	switch message := message.(type) {
	case *pgproto3.CopyData:
		return s.handleCopyData(message.Data)
	case *pgproto3.ErrorResponse:
		return nil, pgconn.ErrorResponseToPgError(message)
	case *pgproto3.CopyDone:
		return nil, errors.New("the server has ended replication")
	}
	return nil, nil
}

// Sizes of what precedes the content of a message.
const (
	dataHeader      = 1 + 8 + 8 + 8
	keepaliveLength = 1 + 8 + 8 + 1
)

func (s *Stream) handleCopyData(data []byte) (any, error) {
	switch {
	case len(data) >= dataHeader && data[0] == 'w':
		message, err := Decode(data[dataHeader:])
		if commit, ok := message.(*Commit); ok {
			s.advance(commit.End)
		}
		return message, err
	case len(data) == keepaliveLength && data[0] == 'k':
		// There is nothing of interest before the position.
		s.advance(LSN(binary.BigEndian.Uint64(data[1:])))
		if data[keepaliveLength-1] == 1 {
			return nil, s.sendStatus()
		}
		return nil, nil
	}
	return nil, fmt.Errorf("%w: unknown content of a copy", ErrMalformed)
}

func (s *Stream) advance(to LSN) { s.received.Store(max(s.received.Load(), uint64(to))) }

// sendStatus sends the position up to which the WAL was received, so that the server need not retain it, and
// requests an answer.
func (s *Stream) sendStatus() error {
	s.lastStatus = time.Now()
	if s.unansweredSince.IsZero() {
		s.unansweredSince = s.lastStatus
	}
	status := []byte{'r'}
	for range 3 { // written, flushed, applied
		status = binary.BigEndian.AppendUint64(status, s.received.Load())
	}
	status = binary.BigEndian.AppendUint64(status, uint64(s.lastStatus.Sub(epoch).Microseconds()))
	s.conn.Frontend().Send(&pgproto3.CopyData{Data: append(status, 1)})
	return s.conn.Frontend().Flush()
}
