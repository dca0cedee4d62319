package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/backup"
	"plaza/server/config"
	"plaza/server/doctor"
	"plaza/server/ops"
	"plaza/server/walarchive"
	"plaza/storage"
	"plaza/storage/blob"
)

// archivedWAL is max_slot_wal_keep_size with an archive: how much WAL PostgreSQL keeps while the
// archive cannot be reached.
const archivedWAL = "4GB"

// postgresSettings returns the settings of the embedded PostgreSQL.
func postgresSettings(cfg config.Config) map[string]string {
	settings := maps.Clone(cfg.PostgresSettings)
	if cfg.Archive.Place == "" || settings["max_slot_wal_keep_size"] != "" {
		return settings
	}
	if settings == nil {
		settings = make(map[string]string)
	}
	settings["max_slot_wal_keep_size"] = archivedWAL
	return settings
}

// openArchive opens the archive of PLAZA_ARCHIVE. The returned function closes it.
func openArchive(ctx context.Context, cfg config.Config) (*walarchive.Archive, func(), error) {
	if cfg.Archive.Place == "" {
		return nil, nil, errors.New("PLAZA_ARCHIVE is not set: it names the archive of the database, a folder or s3://bucket/prefix")
	}
	store, closer, err := storage.OpenArchive(ctx, cfg.Storage, cfg.Archive.Place)
	if err != nil {
		return nil, nil, fmt.Errorf("open the archive of PLAZA_ARCHIVE: %w", err)
	}
	return walarchive.New(store), func() { closeStore(closer) }, nil
}

func closeStore(closer io.Closer) {
	if closer != nil {
		_ = closer.Close()
	}
}

// archive starts to archive the embedded PostgreSQL, or ends that if it is not configured any more.
func (a *App) archive(ctx context.Context, log *slog.Logger) error {
	if a.database.embedded == nil {
		return nil
	}
	if a.cfg.Archive.Place == "" {
		return connected(ctx, a.database.admin, func(conn *pgx.Conn) error {
			dropped, err := walarchive.DropSlots(ctx, conn)
			if dropped > 0 {
				log.WarnContext(ctx, "the database is not archived any more, as PLAZA_ARCHIVE is not set: a later archive needs a new backup")
			}
			return err
		})
	}
	archiver, err := walarchive.NewArchiver(walarchive.Config{
		Open: func(ctx context.Context) (blob.Store, io.Closer, error) {
			return storage.OpenArchive(ctx, a.cfg.Storage, a.cfg.Archive.Place)
		},
		DatabaseURL: a.database.admin, Interval: a.cfg.Archive.Interval, Keep: a.cfg.Archive.Keep, Log: log, Now: time.Now,
	})
	if err != nil {
		return err
	}
	a.meters.add(archiveMetrics(archiver))
	a.running.Go(func() { archiver.Run(ctx) })
	return nil
}

// archiveMetrics returns the metrics of the archive.
func archiveMetrics(archiver *walarchive.Archiver) ops.Source {
	return func(s ops.Scrape) {
		stats := archiver.Stats()
		s.Count("plaza_archive_wal_bytes_total", "Bytes of WAL archived.", float64(stats.Stored))
		s.Count("plaza_archive_stored_bytes_total", "Bytes written to the archive, compressed.", float64(stats.Packed))
		s.Count("plaza_archive_failures_total", "Times that archiving was interrupted.", float64(stats.Failures))
		s.Count("plaza_archive_gaps_total", "Times that WAL was lost, so that a new backup is needed.", float64(stats.Gaps))
		s.Time("plaza_archive_covered_timestamp_seconds", "The latest time to which a restore is possible.", stats.Covered)
		s.Job("archive", stats.Covered)
	}
}

// recordBase notes a backup in the archive that continues it.
func recordBase(ctx context.Context, cfg config.Config, made backup.Description, dir string) error {
	d := made.Database
	if cfg.Archive.Place == "" || d.Run == "" {
		return nil
	}
	archive, closeArchive, err := openArchive(ctx, cfg)
	if err != nil {
		return err
	}
	defer closeArchive()
	start, err := walarchive.ParseLSN(d.Start)
	if err != nil {
		return err
	}
	return archive.RecordBase(ctx, walarchive.Base{Run: d.Run, Start: start, Reached: d.Reached, Folder: dir})
}

// examineArchive finds what prevents a restore to a point in time.
func (d Database) examineArchive(ctx context.Context, conn *pgx.Conn) ([]doctor.Finding, error) {
	if d.cfg.Archive.Place == "" {
		return nil, nil
	}
	subject := d.cfg.Archive.Place
	run, err := walarchive.CurrentRun(ctx, conn)
	if err != nil {
		return nil, err
	}
	if run == "" {
		return []doctor.Finding{{
			Code: "archive_broken", Subject: subject, Problem: "the WAL of this database is not archived: the archive was never reached, or PostgreSQL removed WAL that was not archived yet",
			Remedy: "start the server, see its log, then make a backup",
		}}, nil
	}
	archive, closeArchive, err := openArchive(ctx, d.cfg)
	if err != nil {
		return []doctor.Finding{{Code: "archive_broken", Subject: subject, Problem: err.Error(), Remedy: "make the archive reachable: PostgreSQL keeps WAL for it, up to max_slot_wal_keep_size"}}, nil
	}
	defer closeArchive()
	state, err := archive.State(ctx, run)
	if err != nil {
		return []doctor.Finding{{Code: "archive_broken", Subject: subject, Problem: err.Error(), Remedy: "see the server's log"}}, nil
	}
	if !state.Based {
		return []doctor.Finding{{
			Code: "archive_without_backup", Subject: subject, Problem: "no backup was made since the archive of this database began, so no time can be restored", Remedy: "plaza backup DIR",
		}}, nil
	}
	if state.Gap {
		return []doctor.Finding{{
			Code: "archive_gap", Subject: subject, Problem: "WAL is missing in the archive: times after " + state.Covered.UTC().Format(time.RFC3339) + " cannot be restored", Remedy: "restart the server, then make a backup",
		}}, nil
	}
	return nil, nil
}

// restoreMoment returns the point in time of a restore, and the former place of objects. The
// returned function closes both.
func restoreMoment(ctx context.Context, cfg config.Config, o RestoreOptions) (*backup.Moment, blob.Store, func(), error) {
	nothing := func() {}
	if o.At == "" {
		return nil, nil, nothing, nil
	}
	moment := &backup.Moment{Now: time.Now()}
	if o.At != latest {
		at, err := time.Parse(time.RFC3339, o.At)
		if err != nil {
			return nil, nil, nothing, fmt.Errorf("--at is %q: use a time such as 2026-11-22T14:30:00Z or 2026-11-22T14:30:00.5+01:00, or latest", o.At)
		}
		moment.At = at
	}
	closeAll := nothing
	if cfg.DatabaseURL.Reveal() == "" {
		archive, closeArchive, err := openArchive(ctx, cfg)
		if err != nil {
			return nil, nil, nothing, err
		}
		moment.Archive, closeAll = archive, closeArchive
	}
	if o.Objects == "" {
		return moment, nil, closeAll, nil
	}
	held, closer, err := storage.OpenArchive(ctx, cfg.Storage, o.Objects)
	if err != nil {
		closeAll()
		return nil, nil, nothing, fmt.Errorf("open the objects of --objects: %w", err)
	}
	closeArchive := closeAll
	return moment, held, func() { closeArchive(); closeStore(closer) }, nil
}
