package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"plaza/server/backup"
	"plaza/server/config"
	"plaza/server/ops"
	"plaza/server/pg/embedded"
	"plaza/server/pg/migrate"
	"plaza/server/walarchive"
	"plaza/sql"
	"plaza/storage"
	"plaza/storage/blob"
)

// errForeignDatabase is returned for a backup of a database that Plaza does not run,
// if no command for it is given.
var errForeignDatabase = errors.New("DATABASE_URL names a database that Plaza does not run: name a command that copies it, as in " +
	`--database-command 'pg_dump --format=custom --file="$PLAZA_BACKUP_DIR/database.dump" "$DATABASE_URL"'; see docs/backup.md`)

// BackupOptions configures a backup.
type BackupOptions struct {
	LinkDest string // an earlier backup to share files with; may be empty
	Command  string // shell command that copies the database of DATABASE_URL
}

// Backup copies the project's database and objects to a folder.
//
// Errors: those of backup.Make; one if the archive of the WAL cannot record the backup, which then
// exists.
func Backup(ctx context.Context, cfg config.Config, log *slog.Logger, progress func(string), out io.Writer, dir string, o BackupOptions) error {
	began := time.Now()
	switch foreign := cfg.DatabaseURL.Reveal() != ""; {
	case foreign && o.Command == "":
		return errForeignDatabase
	case !foreign && o.Command != "":
		return errors.New("--database-command needs DATABASE_URL")
	case !foreign:
		if _, err := os.Stat(filepath.Join(cfg.DataDir, postgresFolder, "PG_VERSION")); err != nil {
			return fmt.Errorf("there is no database in %s: %w; PLAZA_DATA_DIR says where it is", cfg.DataDir, err)
		}
	}
	own := cfg
	own.PostgresPort = 0
	opened, secrets, err := openDatabase(ctx, own, log, progress)
	if errors.Is(err, embedded.ErrDataInUse) {
		opened, err = runningDatabase(cfg, secrets), nil
	}
	if err != nil {
		return err
	}
	err = backUp(ctx, cfg, secrets, opened.admin, progress, out, dir, o, began)
	return errors.Join(err, opened.close(context.WithoutCancel(ctx)))
}

func backUp(ctx context.Context, cfg config.Config, secrets Secrets, address string, progress func(string), out io.Writer, dir string, o BackupOptions, began time.Time) error {
	blobs, closer, err := storage.OpenBlobs(ctx, cfg.Storage, cfg.DataDir)
	if err != nil {
		return err
	}
	if closer != nil {
		defer func() { _ = closer.Close() }()
	}
	made, err := backup.Make(ctx, backup.Source{
		DatabaseURL: address, Command: o.Command, Blobs: blobs, DataDir: cfg.DataDir, ObjectFolder: storage.ObjectFolder(cfg.Storage, cfg.DataDir),
		Version: ops.Version, Keys: keysDigest(cfg, secrets),
	}, dir, backup.Options{LinkDest: o.LinkDest, Progress: progress})
	if err != nil && !errors.Is(err, backup.ErrIncomplete) {
		return err
	}
	if err := recordBase(ctx, cfg, made, dir); err != nil {
		return fmt.Errorf("the backup in %s is complete, but the archive does not know of it: %w", dir, err)
	}
	fmt.Fprintf(out, "%s: %s, in %s, read back and sound\n", dir, contents(made), time.Since(began).Round(10*time.Millisecond))
	if made.Objects.Linked > 0 {
		fmt.Fprintf(out, "%d objects share their files with %s\n", made.Objects.Linked, o.LinkDest)
	}
	fmt.Fprintln(out, "It holds the project's keys and all its data in clear: keep it as you keep them.")
	for name, value := range map[string]string{"JWT_SECRET": cfg.JWTSecret.Reveal(), "PLAZA_VAULT_KEY": cfg.VaultKey.Reveal(), "GOTRUE_SECURITY_DB_ENCRYPTION_ENCRYPTION_KEY": cfg.Auth.Security.Encryption.Key.Reveal()} {
		if value != "" {
			fmt.Fprintf(out, "It does not hold %s, which comes from the environment: without it, what is sealed with it is lost.\n", name)
		}
	}
	return err
}

func contents(made backup.Description) string {
	return fmt.Sprintf("a database of %s (%s packed) and %d objects of %s", backup.Bytes(made.Database.Bytes), backup.Bytes(made.Database.Archive),
		made.Objects.Count, backup.Bytes(made.Objects.Bytes))
}

// VerifyBackup reads a backup and compares it with its checksums.
//
// Errors: those of backup.Verify.
func VerifyBackup(ctx context.Context, out io.Writer, dir string) error {
	made, err := backup.Verify(ctx, dir)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s is sound: made %s by Plaza %s, %s\n", dir, made.Made.Format(time.RFC3339), made.Version, contents(made))
	if made.Objects.Damaged > 0 {
		return fmt.Errorf("%w: %d of %d were so when it was made", backup.ErrIncomplete, made.Objects.Damaged, made.Objects.Count)
	}
	return nil
}

// RestoreOptions configures a restore.
type RestoreOptions struct {
	ReuseObjects bool
	At           string // a time after the backup in RFC 3339, or latest; empty means the backup's own
	Objects      string // where the project's objects were before: a folder or s3://bucket/prefix; may be empty
}

// latest is the latest time of the archive.
const latest = "latest"

// Restore creates the data folder from a backup. With DATABASE_URL, whose database
// must already be restored, it restores only the objects and keys.
//
// Errors: those of backup.Restore, and of backup.ReconcileObjects.
func Restore(ctx context.Context, cfg config.Config, log *slog.Logger, progress func(string), out io.Writer, dir string, o RestoreOptions) error {
	began := time.Now()
	schema, err := migrate.Platform(sql.FS).Latest()
	if err != nil {
		return err
	}
	moment, held, closeMoment, err := restoreMoment(ctx, cfg, o)
	if err != nil {
		return err
	}
	defer closeMoment()
	target := backup.Target{
		DataDir: cfg.DataDir, DatabaseURL: cfg.DatabaseURL.Reveal(),
		OpenBlobs: func(ctx context.Context, dataDir string) (blob.Store, io.Closer, error) {
			return storage.OpenBlobs(ctx, cfg.Storage, dataDir)
		},
		Postgres: embedded.Config{BinDir: cfg.PostgresBin, Log: log},
		Schema:   schema, ReuseBlobs: o.ReuseObjects, Progress: progress, Moment: moment, Held: held,
		Keys: func(dataDir string) (string, error) {
			at := cfg
			at.DataDir = dataDir
			secrets, err := LoadSecrets(at, time.Now())
			return keysDigest(cfg, secrets), err
		},
	}
	done, err := runRestore(ctx, dir, target)
	if err != nil && !errors.Is(err, backup.ErrIncomplete) {
		return err
	}
	as := "the project as of " + done.At.UTC().Format(time.RFC3339Nano)
	if done.At.IsZero() {
		as = "the project of DATABASE_URL"
	}
	fmt.Fprintf(out, "%s: %s, %d objects of %s, in %s\n", cfg.DataDir, as, done.Objects.Count, backup.Bytes(done.Objects.Bytes), time.Since(began).Round(10*time.Millisecond))
	if done.Log.Bytes > 0 {
		fmt.Fprintf(out, "%s of WAL replayed in %s, from the backup of %s\n", backup.Bytes(done.Log.Bytes), done.Replay.Round(10*time.Millisecond), done.Made.Format(time.RFC3339))
	}
	if done.Unnamed > 0 {
		fmt.Fprintf(out, "%d objects are newer than that: they are deleted later, when the server runs\n", done.Unnamed)
	}
	if done.OtherKeys {
		fmt.Fprintln(out, "warning: the keys in use are not those of the backup: set JWT_SECRET, PLAZA_VAULT_KEY and GOTRUE_SECURITY_DB_ENCRYPTION_… as they were. Otherwise sessions, second factors and vault secrets are lost.")
	}
	return err
}

// runRestore restores a backup or, with a Moment, the project at that time.
func runRestore(ctx context.Context, dir string, t backup.Target) (backup.Restored, error) {
	switch {
	case t.Moment == nil:
		return backup.Restore(ctx, dir, t)
	case t.DatabaseURL != "":
		return backup.ReconcileObjects(ctx, dir, t)
	}
	base, err := t.Moment.FindBase(dir)
	if err != nil {
		return backup.Restored{}, err
	}
	if base != dir {
		t.Progress("Restoring " + base)
	}
	return backup.Restore(ctx, base, t)
}

// keysDigest returns a digest that identifies the keys without revealing them.
func keysDigest(cfg config.Config, secrets Secrets) string {
	encryption := cfg.Auth.Security.Encryption
	sum := sha256.Sum256(append(secrets.derive("backup"), encryption.KeyID+"\x00"+encryption.Key.Reveal()+secrets.SealSecret+cfg.VaultKey.Reveal()...))
	return hex.EncodeToString(sum[:8])
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

// recordBase records a backup in the archive of the WAL, so that the WAL that it needs is kept.
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

// restoreMoment returns the point in time of a restore, or nil, and the blob store of --objects, or nil. The
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
