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

// Stream reads the log from the moment at which it was opened. It is for one goroutine, except for
// Received.
type Stream struct {
	conn    *pgconn.PgConn
	slot    string
	silence Silence

	received atomic.Uint64 // LSN up to where the server needs to keep nothing
	told     time.Time     // when the server was last told, and asked for an answer
	asked    time.Time     // when the first question was sent that has no answer; zero: all have one
}

// Silence is how long a server may send nothing.
type Silence struct {
	Ask time.Duration // after which it is asked for an answer; less than wal_sender_timeout, a minute by default
	End time.Duration // after which a question without an answer ends the stream
}

// ErrSilent means that the server does not answer.
var ErrSilent = errors.New("the server has stopped to send the log")

// maxMessage is the maximum size of a message: of a row in text form. One beyond it ends the
// stream.
const maxMessage = 64 << 20

// Open makes a temporary slot and begins to read the changes of publications. The slot, and so
// the log that is kept for it, vanishes with the connection. Making it waits for all
// transactions that are open.
//
// On an error the connection is closed.
func Open(ctx context.Context, conn *pgconn.PgConn, publications []string, silence Silence) (*Stream, error) {
	name := uuid.New()
	s := &Stream{conn: conn, slot: "plaza_realtime_" + hex.EncodeToString(name[:8]), silence: silence}
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

// Received returns up to where the log was received. A server that is not behind reports it when
// it is asked for an answer.
func (s *Stream) Received() LSN { return LSN(s.received.Load()) }

// Close ends the stream and its slot.
func (s *Stream) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return s.conn.Close(ctx)
}

// Next returns the next message, as Decode does. Its values are valid until the next call.
//
// Errors: ErrMalformed; ErrSilent; PostgreSQL's; the connection's; ctx's. The stream has ended then.
func (s *Stream) Next(ctx context.Context) (any, error) {
	for {
		if time.Since(s.told) >= s.silence.Ask {
			if err := s.tell(); err != nil {
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
	within, cancel := context.WithDeadline(ctx, s.told.Add(s.silence.Ask))
	defer cancel()
	message, err := s.conn.ReceiveMessage(within)
	if err != nil {
		if !pgconn.Timeout(err) || ctx.Err() != nil {
			return nil, err
		}
		if !s.asked.IsZero() && time.Since(s.asked) >= s.silence.End {
			return nil, ErrSilent
		}
		return nil, nil
	}
	s.asked = time.Time{}
	switch message := message.(type) {
	case *pgproto3.CopyData:
		return s.copied(message.Data)
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

func (s *Stream) copied(data []byte) (any, error) {
	switch {
	case len(data) >= dataHeader && data[0] == 'w':
		message, err := Decode(data[dataHeader:])
		if commit, ok := message.(*Commit); ok {
			s.advance(commit.End)
		}
		return message, err
	case len(data) == keepaliveLength && data[0] == 'k':
		// Nothing of interest precedes the position.
		s.advance(LSN(binary.BigEndian.Uint64(data[1:])))
		if data[keepaliveLength-1] == 1 {
			return nil, s.tell()
		}
		return nil, nil
	}
	return nil, fmt.Errorf("%w: unknown content of a copy", ErrMalformed)
}

func (s *Stream) advance(to LSN) { s.received.Store(max(s.received.Load(), uint64(to))) }

// tell tells the server up to where the log was received, so that it keeps no more of it, and asks
// for an answer.
func (s *Stream) tell() error {
	s.told = time.Now()
	if s.asked.IsZero() {
		s.asked = s.told
	}
	status := []byte{'r'}
	for range 3 { // written, flushed, applied
		status = binary.BigEndian.AppendUint64(status, s.received.Load())
	}
	status = binary.BigEndian.AppendUint64(status, uint64(s.told.Sub(epoch).Microseconds()))
	s.conn.Frontend().Send(&pgproto3.CopyData{Data: append(status, 1)})
	return s.conn.Frontend().Flush()
}
