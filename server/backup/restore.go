package backup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/filesys"
	"plaza/server/pg/embedded"
	"plaza/server/walarchive"
	"plaza/storage/blob"
	"plaza/storage/core"
)

// Target describes where to restore a backup.
type Target struct {
	DataDir string
	// OpenBlobs opens the blob store for a data folder. The returned closer may be nil.
	OpenBlobs func(ctx context.Context, dataDir string) (blob.Store, io.Closer, error)
	// DatabaseURL is a database that is already restored from the output of a command.
	// If it is empty, the data folder's own database is restored.
	DatabaseURL string
	// Postgres runs the restored database temporarily. Its DataDir and Password need
	// not be set.
	Postgres embedded.Config
	// Schema is the newest platform schema that this program supports.
	Schema int64
	// ReuseBlobs allows the blob store to contain objects.
	ReuseBlobs bool
	// Moment is the time after the backup to restore to. Nil means the backup's own.
	Moment *Moment
	// Held is the blob store that the project used before. With a Moment, objects that are
	// newer than the backup are taken from it. It may be nil.
	Held blob.Store
	// Keys returns the digest of the keys that will be in use with the restored data
	// folder.
	Keys     func(dataDir string) (string, error)
	Progress func(string)
}

// Restored is the result of a restore.
type Restored struct {
	Description
	Objects   Objects            // objects to which rows refer; Linked counts those that already existed
	OtherKeys bool               // the keys in use differ from those of the backup
	At        time.Time          // the time of the restored project
	Log       walarchive.Fetched // the archived log that was applied
	Replay    time.Duration      // how long PostgreSQL took to start and to apply the log
	Unnamed   int64              // objects in the blob store that no row refers to
}

const (
	restoreFolder  = "restore.partial"
	postgresFolder = "postgres"
	storageFolder  = "storage"
)

// Unfinished reports whether a restore to a data folder is running or was killed.
func Unfinished(dataDir string) bool {
	_, err := os.Stat(filepath.Join(dataDir, restoreFolder))
	return err == nil
}

// Restore creates a data folder from a backup. It verifies the backup, unpacks the
// database to a temporary folder, lets PostgreSQL recover it, copies the objects to
// which rows refer and verifies them. Only then does it move everything to its final
// place. Incomplete uploads are removed.
//
// Errors: those of Verify; ErrIncompatible if the backup does not suit the target; ErrPlace if
// the data folder or the blob store is not empty; with a Moment, ErrTime and the errors of
// walarchive; ErrFull; ErrIncomplete, in which case everything in the backup is restored.
func Restore(ctx context.Context, dir string, t Target) (Restored, error) {
	t.Progress("Verifying the backup")
	made, err := Verify(ctx, dir)
	if err == nil {
		err = t.fits(made)
	}
	if err == nil && t.DatabaseURL == "" {
		err = t.prepareDataDir(dir)
	}
	r := restorer{t: t, dir: dir, done: Restored{Description: made, At: made.Made}}
	if err == nil && t.Moment != nil && t.DatabaseURL == "" {
		r.history, r.at, err = t.Moment.history(ctx, made)
		r.done.At = r.at
	}
	if err != nil {
		return r.done, err
	}
	if r.from, err = os.OpenRoot(dir); err != nil {
		return r.done, err
	}
	defer func() { _ = r.from.Close() }()
	if t.DatabaseURL == "" {
		err = r.restoreFolder(ctx)
	} else if err = os.MkdirAll(t.DataDir, 0o755); err == nil {
		r.draft = t.DataDir
		err = r.restoreObjects(ctx)
	}
	if err != nil {
		return r.done, wrapFull(err, t.DataDir)
	}
	return r.done, r.incomplete()
}

// incomplete returns an error if objects could not be restored.
func (r *restorer) incomplete() error {
	damaged := r.done.Objects.Damaged
	switch {
	case damaged == 0:
		return nil
	case r.t.Moment != nil:
		return fmt.Errorf("%w: there are no sound bytes of %d of %d, which are listed above", ErrIncomplete, damaged, r.done.Objects.Count)
	default:
		return fmt.Errorf("%w: the backup has no sound bytes of %d of %d; its %s says which and why", ErrIncomplete, damaged, r.done.Objects.Count, listFile)
	}
}

// restoreFolder restores to a temporary folder inside the data folder.
func (r *restorer) restoreFolder(ctx context.Context) error {
	r.draft = filepath.Join(r.t.DataDir, restoreFolder)
	lock, err := createLocked(r.draft)
	if err != nil {
		return err
	}
	defer func() { _ = lock.Close() }()
	if err := os.Chmod(r.draft, 0o711); err != nil { // PostgreSQL's own user must be able to enter it
		return err
	}
	if err := r.run(ctx); err != nil {
		return errors.Join(err, os.RemoveAll(r.draft))
	}
	return r.publish()
}

// fits returns an error if a backup cannot be restored to the target.
func (t Target) fits(made Description) error {
	switch beside := t.DatabaseURL != ""; {
	case beside && !made.Database.Command:
		return fmt.Errorf("%w: it holds the files of an embedded PostgreSQL, and DATABASE_URL names another: unset it", ErrIncompatible)
	case !beside && made.Database.Command:
		return fmt.Errorf("%w: its database was copied by a command: restore that by its means, from %s, set DATABASE_URL, and run this again for the objects", ErrIncompatible, databaseFolder)
	}
	if here := runtime.GOOS + "/" + runtime.GOARCH; made.Machine != here && !made.Database.Command {
		return fmt.Errorf("%w: its database is of %s, and this is %s: PostgreSQL's files are not the same there", ErrIncompatible, made.Machine, here)
	}
	if made.Schema > t.Schema {
		return fmt.Errorf("%w: its schema is %d, and this program knows %d: use Plaza %s or newer", ErrIncompatible, made.Schema, t.Schema, made.Version)
	}
	return nil
}

// prepareDataDir creates the data folder, or checks that it is empty. It removes what a
// killed restore has moved there; restoreFolder itself is removed by createLocked.
//
// Errors: ErrPlace.
func (t Target) prepareDataDir(dir string) error {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrPlace, err)
	}
	if to, err := filepath.Abs(t.DataDir); err != nil || within(to, dir) || within(to, real) {
		return fmt.Errorf("%w: %s is inside the backup; set PLAZA_DATA_DIR to a folder elsewhere", ErrPlace, t.DataDir)
	}
	if err := os.MkdirAll(t.DataDir, 0o755); err != nil {
		return fmt.Errorf("%w: %w", ErrPlace, err)
	}
	ours := Unfinished(t.DataDir)
	entries, err := os.ReadDir(t.DataDir)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrPlace, err)
	}
	names := []string{"lost+found", restoreFolder} // the first belongs to the file system
	if ours {
		lock, err := lockFolder(filepath.Join(t.DataDir, restoreFolder))
		if err != nil {
			return err
		}
		defer func() { _ = lock.Close() }()
		names = append(names, finished...)
	}
	for _, entry := range entries {
		if !slices.Contains(names, entry.Name()) {
			return fmt.Errorf("%w: %s is not empty (%s); set PLAZA_DATA_DIR to a new folder, or move what is there away", ErrPlace, t.DataDir, entry.Name())
		}
	}
	if ours {
		for _, name := range finished {
			if err := os.RemoveAll(filepath.Join(t.DataDir, name)); err != nil {
				return fmt.Errorf("%w: %w", ErrPlace, err)
			}
		}
	}
	return nil
}

// finished lists what publish moves to the data folder, in this order. A data folder
// without its database, or with restoreFolder, is not complete.
var finished = []string{storageFolder, secretsFile, postgresFolder}

// restorer performs one restore.
type restorer struct {
	t     Target
	dir   string   // the backup
	from  *os.Root // opened dir
	draft string
	done  Restored

	history *walarchive.History // of a restore to a Moment
	at      time.Time

	mu sync.Mutex // guards done.Objects
}

func (r *restorer) run(ctx context.Context) error {
	if err := r.copySecrets(); err != nil {
		return err
	}
	blobs, closer, err := r.openBlobs(ctx)
	if err != nil {
		return err
	}
	if closer != nil {
		defer func() { _ = closer.Close() }()
	}
	r.t.Progress("Unpacking the database")
	folder := filepath.Join(r.draft, postgresFolder)
	if err := unpack(ctx, r.from, folder); err != nil {
		return fmt.Errorf("unpack the database: %w", err)
	}
	if r.history != nil {
		if err := r.fetchLog(ctx, folder); err != nil {
			return fmt.Errorf("fetch the log: %w", err)
		}
	}
	server, err := r.recover(ctx, folder)
	if err != nil {
		return err
	}
	err = r.fill(ctx, server.LocalAdminURL(), blobs)
	if err := errors.Join(err, server.Stop(context.WithoutCancel(ctx))); err != nil {
		return err
	}
	return filesys.SyncTree(r.draft)
}

// recover starts PostgreSQL, which makes the unpacked files consistent and applies the log.
func (r *restorer) recover(ctx context.Context, folder string) (*embedded.Server, error) {
	r.t.Progress("Starting PostgreSQL to recover it")
	postgres := r.t.Postgres
	postgres.DataDir, postgres.Port = folder, 0
	if r.history != nil {
		postgres.ReplayUntil = r.at
		// No crash safety is needed: a killed restore starts over, and run syncs all files at its end.
		postgres.Settings = maps.Clone(postgres.Settings)
		if postgres.Settings == nil {
			postgres.Settings = make(map[string]string)
		}
		postgres.Settings["fsync"] = "off"
	}
	began := time.Now()
	server, err := embedded.Start(ctx, postgres)
	if err != nil {
		return nil, fmt.Errorf("start the restored database: %w", err)
	}
	r.done.Replay = time.Since(began)
	return server, nil
}

// copySecrets copies the keys and takes the database's passwords from them.
func (r *restorer) copySecrets() error {
	var secrets struct {
		Password      string `json:"postgres_password"`
		AdminPassword string `json:"admin_password"`
	}
	text, err := r.from.ReadFile(secretsFile)
	if err == nil {
		err = json.Unmarshal(text, &secrets)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(r.draft, secretsFile), text, 0o600)
	}
	if err == nil {
		err = r.compareKeys(r.draft)
	}
	if err != nil {
		return fmt.Errorf("restore the keys: %w", err)
	}
	r.t.Postgres.Password, r.t.Postgres.AdminPassword = secrets.Password, secrets.AdminPassword
	return nil
}

// compareKeys records whether the keys that will be in use differ from those of the backup.
func (r *restorer) compareKeys(dataDir string) error {
	if r.t.Keys == nil {
		return nil
	}
	used, err := r.t.Keys(dataDir)
	r.done.OtherKeys = used != r.done.Keys
	return err
}

var errFound = errors.New("found")

// openBlobs opens the blob store, which must be empty unless ReuseBlobs is set.
//
// Errors: ErrPlace.
func (r *restorer) openBlobs(ctx context.Context) (blob.Store, io.Closer, error) {
	blobs, closer, err := r.t.OpenBlobs(ctx, r.draft)
	if err != nil || r.t.ReuseBlobs {
		return blobs, closer, err
	}
	err = blobs.List(ctx, "", func(blob.Info) error { return errFound })
	if errors.Is(err, errFound) {
		err = fmt.Errorf("%w: the blob store (STORAGE_…) is not empty. If another server uses it, each of the two deletes the other's objects. If it belongs to this project, --reuse-objects keeps the objects that are the same as in the backup", ErrPlace)
	}
	if err != nil && closer != nil {
		err = errors.Join(err, closer.Close())
	}
	return blobs, closer, err
}

// fill removes incomplete uploads and copies the objects to which the database's rows
// refer.
func (r *restorer) fill(ctx context.Context, address string, blobs blob.Store) error {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return err
	}
	if r.t.DatabaseURL == "" {
		config.Database = r.done.Database.Name
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return fmt.Errorf("connect to the restored database: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if err := checkRecovered(ctx, conn); err != nil {
		return err
	}
	stored, err := core.Hold(ctx, conn)
	if err != nil {
		return err
	}
	if !stored && r.t.DatabaseURL != "" {
		return errNoStorage(r.dir)
	}
	if !stored {
		return nil
	}
	if err := core.EndUploads(ctx, conn); err != nil {
		return fmt.Errorf("end incomplete uploads: %w", err)
	}
	if err := r.copyObjects(ctx, conn, blobs); err != nil {
		return err
	}
	if r.t.Moment == nil || !r.t.ReuseBlobs {
		return nil
	}
	// The reused store may have objects that are newer than the time.
	r.done.Unnamed, err = core.MarkUnnamed(ctx, conn, blobs, ownBlob().MatchString)
	return err
}

// publish moves everything to its final place. If it fails, the draft is kept: without it,
// what was moved would be taken for a data folder.
func (r *restorer) publish() error {
	for _, name := range finished {
		err := os.Rename(filepath.Join(r.draft, name), filepath.Join(r.t.DataDir, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := syncFolder(r.t.DataDir); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(r.draft); err != nil {
		return err
	}
	return syncFolder(r.t.DataDir)
}
