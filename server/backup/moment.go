package backup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"plaza/server/walarchive"
)

// ErrTime means that a project cannot be restored to the wanted time.
var ErrTime = errors.New("the time cannot be restored")

// Moment is a point in time to restore to, with the archive of the WAL.
type Moment struct {
	Archive *walarchive.Archive
	At      time.Time // zero means the latest possible time
	Now     time.Time
}

// history returns the archived log that continues a backup, and the time to restore to.
//
// Errors: ErrTime if the time is before the end of the backup, or the backup was made
// without an archive; those of walarchive.Archive.Open and walarchive.History.Check.
func (m Moment) history(ctx context.Context, made Description) (*walarchive.History, time.Time, error) {
	if made.Database.Run == "" {
		return nil, m.At, fmt.Errorf("%w: this backup was made when the database was not archived (PLAZA_ARCHIVE)", ErrTime)
	}
	end, err := walarchive.ParseLSN(made.Database.LSN)
	if err != nil {
		return nil, m.At, altered(descriptionFile, err.Error())
	}
	history, err := m.Archive.Open(ctx, made.Database.Run, made.Database.System, end)
	if err != nil {
		return nil, m.At, err
	}
	at := m.At
	if at.IsZero() {
		at = history.Covered()
	}
	if at.Before(made.Database.Reached) {
		return nil, at, m.tooEarly(made)
	}
	return history, at, history.Check(at)
}

func (m Moment) tooEarly(made Description) error {
	return fmt.Errorf("%w: it is before %s, the earliest time that this backup can be restored to; use an earlier backup", ErrTime, formatTime(made.Database.Reached))
}

// formatTime formats a time so that it can be given as a point in time.
func formatTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.999Z07:00") }

// FindBase returns the backup to begin with: dir itself, or the newest one in dir that was made
// before the time and that an archive continues.
//
// Errors: ErrTime if there is none; ErrPlace if there are no backups.
func (m Moment) FindBase(dir string) (string, error) {
	if m.At.After(m.Now) {
		return "", fmt.Errorf("%w: %s is in the future", ErrTime, formatTime(m.At))
	}
	if _, err := os.Stat(filepath.Join(dir, descriptionFile)); err == nil {
		return dir, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrPlace, err)
	}
	var found string
	var best, first time.Time
	backups := 0
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		made, err := describeFolder(path)
		if err != nil {
			continue // another folder
		}
		backups++
		reached := made.Database.Reached
		if made.Database.Run == "" {
			continue
		}
		if first.IsZero() || reached.Before(first) {
			first = reached
		}
		if (m.At.IsZero() || !reached.After(m.At)) && reached.After(best) {
			found, best = path, reached
		}
	}
	switch {
	case found != "":
		return found, nil
	case backups == 0:
		return "", fmt.Errorf("%w: there is no backup in %s", ErrPlace, dir)
	case first.IsZero():
		return "", fmt.Errorf("%w: no backup in %s was made while the database was archived (PLAZA_ARCHIVE)", ErrTime, dir)
	default:
		return "", fmt.Errorf("%w: it is before %s, the earliest time that a backup in %s can be restored to", ErrTime, formatTime(first), dir)
	}
}

func describeFolder(dir string) (Description, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return Description{}, err
	}
	defer func() { _ = root.Close() }()
	return readDescription(root)
}

// fetchLog adds the archived log to the unpacked database.
func (r *restorer) fetchLog(ctx context.Context, folder string) error {
	end, err := walarchive.ParseLSN(r.done.Database.LSN)
	if err != nil {
		return altered(descriptionFile, err.Error())
	}
	r.t.Progress("Fetching the write-ahead log")
	r.done.Log, err = r.history.Fetch(ctx, end, r.at, filepath.Join(folder, "pg_wal"), r.t.Progress)
	return err
}
