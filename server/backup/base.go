package backup

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/klauspost/compress/zstd"
)

// copyDatabase writes the archive of the cluster's files and PostgreSQL's manifest.
func (m *maker) copyDatabase(ctx context.Context) (err error) {
	archive, err := m.d.create(archiveFile)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, archive.Close()) }()
	list, err := m.d.create(manifestFile)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, list.Close()) }()
	packed, err := zstd.NewWriter(archive, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(2))
	if err != nil {
		return err
	}
	m.o.Progress("Copying the database")
	stream := &baseStream{archive: packed, manifest: list, report: throttle(func() { m.o.Progress(fmt.Sprintf("%s of the database so far", Bytes(m.made.Database.Bytes))) })}
	stream.counted = &m.made.Database.Bytes
	if err := baseBackup(ctx, m.src.DatabaseURL, stream); err != nil {
		return errors.Join(err, packed.Close())
	}
	if err := packed.Close(); err != nil {
		return err
	}
	m.made.Database.Start, m.made.Database.LSN, m.made.Database.Archive = stream.start, stream.end, archive.size
	return nil
}

// reportInterval is the interval between progress reports of a long step.
const reportInterval = 10 * time.Second

// throttle returns a function that calls report at most once per reportInterval.
func throttle(report func()) func() {
	last := time.Now()
	return func() {
		if now := time.Now(); now.Sub(last) >= reportInterval {
			last = now
			report()
		}
	}
}

const (
	// The temporary slot retains the log that is written during the copy. It is dropped
	// at the end of the session.
	keepLog = `CREATE_REPLICATION_SLOT "plaza_backup_%s" TEMPORARY PHYSICAL RESERVE_WAL`
	// PostgreSQL verifies the checksums of its pages while it reads them.
	sendBase = `BASE_BACKUP (LABEL 'plaza backup', CHECKPOINT 'fast', WAL true, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256')`
)

// baseBackup requests a base backup from PostgreSQL and writes it to a stream.
//
// Source: "Streaming Replication Protocol" in PostgreSQL's manual, as of version 15.
func baseBackup(ctx context.Context, address string, to *baseStream) error {
	config, err := pgconn.ParseConfig(address)
	if err != nil {
		return err
	}
	config.RuntimeParams["replication"] = "true"
	config.RuntimeParams["log_min_messages"] = "error" // otherwise it logs a warning that it skips its own socket file
	conn, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return fmt.Errorf("connect for replication: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if err := exchange(ctx, conn, fmt.Sprintf(keepLog, strings.ToLower(rand.Text())), func(pgproto3.BackendMessage) error { return nil }); err != nil {
		return err
	}
	return exchange(ctx, conn, sendBase, to.take)
}

// exchange sends a command and calls each for every message of the response.
func exchange(ctx context.Context, conn *pgconn.PgConn, command string, each func(pgproto3.BackendMessage) error) error {
	conn.Frontend().Send(&pgproto3.Query{String: command})
	if err := conn.Frontend().Flush(); err != nil {
		return err
	}
	var failed error
	for {
		message, err := conn.ReceiveMessage(ctx)
		if err != nil {
			return errors.Join(failed, err)
		}
		switch message := message.(type) {
		case *pgproto3.ErrorResponse:
			failed = pgconn.ErrorResponseToPgError(message)
		case *pgproto3.ReadyForQuery:
			return failed
		default:
			if err := each(message); err != nil {
				return err // the caller closes the connection
			}
		}
	}
}

// baseStream receives the result of BASE_BACKUP: the start position, the tablespaces,
// one stream with the archives and the manifest, and the end position.
type baseStream struct {
	archive, manifest io.Writer
	to                io.Writer // the current one of the two
	results           int       // received so far; each begins with a RowDescription
	counted           *int64    // uncompressed bytes of the archive
	start, end        string    // LSN
	report            func()
}

// Kinds of CopyData messages in the stream.
const (
	beginArchive  = 'n'
	beginManifest = 'm'
	dataMessage   = 'd'
	progress      = 'p'
)

func (s *baseStream) take(message pgproto3.BackendMessage) error {
	switch message := message.(type) {
	case *pgproto3.RowDescription:
		s.results++
	case *pgproto3.DataRow:
		return s.row(message.Values)
	case *pgproto3.CopyData:
		return s.data(message.Data)
	}
	return nil
}

// row handles a row of the first result, the start position; of the second, the
// tablespaces; or of the third, the end position.
func (s *baseStream) row(values [][]byte) error {
	switch {
	case s.results == 1 && len(values) > 0:
		s.start = string(values[0])
	case s.results == 2 && len(values) > 1 && values[0] != nil:
		return fmt.Errorf("%w: the tablespace at %s lies outside the data folder; drop it, or use pg_basebackup", ErrIncompatible, values[1])
	case s.results == 3 && len(values) > 0:
		s.end = string(values[0])
	}
	return nil
}

func (s *baseStream) data(data []byte) error {
	if len(data) == 0 {
		return errors.New("PostgreSQL sent an empty message")
	}
	switch kind, data := data[0], data[1:]; kind {
	case beginArchive:
		name, _, _ := bytes.Cut(data, []byte{0})
		if s.to != nil || !strings.HasPrefix(string(name), "base.tar") {
			return fmt.Errorf("PostgreSQL sent an archive that was not asked for: %q", name)
		}
		s.to = s.archive
	case beginManifest:
		s.to = s.manifest
	case dataMessage:
		if s.to == nil {
			return errors.New("PostgreSQL sent data before the name of an archive")
		}
		if s.to == s.archive {
			*s.counted += int64(len(data))
			s.report()
		}
		_, err := s.to.Write(data)
		return err
	case progress:
	default:
		return fmt.Errorf("PostgreSQL sent a message of an unknown kind, %q", kind)
	}
	return nil
}

// pageHeader is the header of a segment of PostgreSQL's write-ahead log.
// Source: src/include/access/xlog_internal.h.
type pageHeader struct {
	timeline uint32
	position uint64
	system   uint64
}

// pageHeaderSize is the number of bytes of the header that are read.
const pageHeaderSize = 32

func readPageHeader(p []byte) pageHeader {
	order := binary.LittleEndian
	return pageHeader{order.Uint32(p[4:]), order.Uint64(p[8:]), order.Uint64(p[24:])}
}
