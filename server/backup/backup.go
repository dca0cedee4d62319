// Package backup copies a project, its database and its objects as they are at
// one moment, to a folder, reads the copy back, and makes a data folder of it
// again. A backup is
//
//	backup.json       when, of what and by which version it was made
//	secrets.json      the data folder's keys
//	database.tar.zst  PostgreSQL's files and the log that makes them consistent
//	backup_manifest   PostgreSQL's own list of them, with checksums
//	database/         instead of these two, what a command of the operator's wrote
//	objects.csv       each object: its bucket and key, and the file of its bytes
//	objects/          these files
//	SHA256SUMS        of all of them, as sha256sum has it
//
// The moment is that at which the copy of the database ended. Blobs are never
// changed and none is deleted meanwhile, so that those which rows name shortly
// after, and those which rows named until then, are all that the copy can name.
package backup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/storage/blob"
	"plaza/storage/core"
)

// Files of a backup.
const (
	descriptionFile = "backup.json"
	secretsFile     = "secrets.json"
	archiveFile     = "database.tar.zst"
	manifestFile    = "backup_manifest"
	listFile        = "objects.csv"
	objectsFolder   = "objects"
	sumsFile        = "SHA256SUMS"
)

// format is the layout that this package writes, and the newest that it reads.
const format = 1

// What a person can do something about; errors wrap one of these.
var (
	// ErrPlace: a folder that is to be written holds something already, or may not
	// be used.
	ErrPlace = errors.New("the folder cannot be used")
	// ErrFull: there is no room.
	ErrFull = errors.New("no room left")
	// ErrAltered: a backup is not as it was written.
	ErrAltered = errors.New("the backup is damaged")
	// ErrUnfit: a backup is sound, and does not fit this machine or program.
	ErrUnfit = errors.New("the backup does not fit")
	// ErrIncomplete: all is done, but some objects had no bytes, or other ones
	// than their rows say.
	ErrIncomplete = errors.New("objects are damaged")
)

// Description is what backup.json says.
type Description struct {
	Format   int       `json:"format"`
	Made     time.Time `json:"made"` // not before the moment the backup shows
	Version  string    `json:"version"`
	Schema   int64     `json:"schema"`  // of the platform: the last file of sql/bootstrap
	Machine  string    `json:"machine"` // "linux/amd64": PostgreSQL's files differ
	Keys     string    `json:"keys"`    // a digest of those in use
	Database Database  `json:"database"`
	Objects  Objects   `json:"objects"`
}

// Database is what is known of the database's copy.
type Database struct {
	Name    string `json:"name"`     // of the one with the project, of all that were copied
	Version int    `json:"version"`  // as server_version_num
	LSN     string `json:"lsn"`      // where the copy ends
	System  string `json:"system"`   // the cluster's identifier
	Command bool   `json:"command"`  // a command of the operator's copied it
	Bytes   int64  `json:"bytes"`    // of its files
	Archive int64  `json:"archived"` // bytes of the archive
}

// Objects is what is known of the objects that rows name, shortly after the moment.
type Objects struct {
	Count   int64 `json:"count"`
	Bytes   int64 `json:"bytes"`
	Linked  int64 `json:"linked"`  // of them shared with an earlier backup
	Damaged int64 `json:"damaged"` // of the count; objects.csv says why
}

// Source is what is backed up.
type Source struct {
	DatabaseURL  string     // a superuser's
	Command      string     // copies the database; empty: PostgreSQL sends its files
	Blobs        blob.Store // of its objects
	DataDir      string     // whose secrets.json goes along
	ObjectFolder string     // of Blobs; empty where it is none
	Version      string     // of this program
	Keys         string     // a digest of the keys in use
}

// Options are how.
type Options struct {
	// LinkDest is an earlier backup, of which files of objects are shared by hard
	// links. Empty: none.
	LinkDest string
	// Progress is told of steps.
	Progress func(string)
}

// Make backs a project up to a folder that is not there yet, or empty. What fails
// or is killed leaves no folder of that name.
//
// Errors: ErrPlace; ErrFull; ErrIncomplete, where the backup is there all the same.
func Make(ctx context.Context, src Source, dir string, o Options) (Description, error) {
	d, err := openDraft(dir, src.DataDir, src.ObjectFolder)
	if err != nil {
		return Description{}, err
	}
	m := maker{src: src, o: o, d: d}
	err = m.make(ctx)
	if err == nil {
		err = d.keep()
	}
	if err != nil {
		return Description{}, errors.Join(noRoom(err, d.path), d.discard())
	}
	if m.made.Objects.Damaged > 0 {
		return m.made, fmt.Errorf("%w: %d of %d; %s says which and why", ErrIncomplete, m.made.Objects.Damaged, m.made.Objects.Count, filepath.Join(dir, listFile))
	}
	return m.made, nil
}

// maker is one backup being made.
type maker struct {
	src  Source
	o    Options
	d    *draft
	made Description
}

func (m *maker) make(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, m.src.DatabaseURL)
	if err != nil {
		return fmt.Errorf("connect to the database: %w", err)
	}
	// Its end lets blobs be deleted again.
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	stored, err := core.Hold(ctx, conn)
	if err != nil {
		return err
	}
	if err := m.describe(ctx, conn); err != nil {
		return err
	}
	if err := m.copySecrets(); err != nil {
		return err
	}
	copyDatabase := m.copyDatabase
	if m.src.Command != "" {
		copyDatabase = m.runCommand
	}
	if err := copyDatabase(ctx); err != nil {
		return fmt.Errorf("copy the database: %w", err)
	}
	if err := m.copyObjects(ctx, conn, stored); err != nil {
		return fmt.Errorf("copy the objects: %w", err)
	}
	// A session that broke held nothing.
	if err := conn.Ping(ctx); err != nil {
		return fmt.Errorf("objects may have been deleted meanwhile, as the connection broke: %w", err)
	}
	if err := m.seal(); err != nil {
		return err
	}
	m.o.Progress("Reading the backup back")
	return check(ctx, m.d.root, m.made)
}

const (
	askServer   = `select current_setting('server_version_num')::int`
	askSystem   = `select system_identifier::text from pg_control_system()`
	hasSchema   = `select to_regclass('plaza.platform_migrations') is not null`
	askSchema   = `select coalesce(max(version), 0) from plaza.platform_migrations`
	askDatabase = `select datname, pg_encoding_to_char(encoding) from pg_database where datname = current_database()`
)

// describe notes what is known before anything is copied.
func (m *maker) describe(ctx context.Context, conn *pgx.Conn) error {
	m.made = Description{Format: format, Version: m.src.Version, Keys: m.src.Keys, Machine: runtime.GOOS + "/" + runtime.GOARCH}
	var there bool
	var encoding string
	m.made.Database.Command = m.src.Command != ""
	err := conn.QueryRow(ctx, askServer).Scan(&m.made.Database.Version)
	if err == nil && !m.made.Database.Command { // which a managed one need not tell
		err = conn.QueryRow(ctx, askSystem).Scan(&m.made.Database.System)
	}
	if err == nil {
		err = conn.QueryRow(ctx, hasSchema).Scan(&there)
	}
	if err == nil && there {
		err = conn.QueryRow(ctx, askSchema).Scan(&m.made.Schema)
	}
	if err == nil {
		err = conn.QueryRow(ctx, askDatabase).Scan(&m.made.Database.Name, &encoding)
	}
	if err != nil {
		return fmt.Errorf("ask the database what it is: %w", err)
	}
	if encoding != "UTF8" {
		return fmt.Errorf("%w: the database is encoded in %s: UTF8 is wanted", ErrUnfit, encoding)
	}
	return nil
}

func (m *maker) copySecrets() error {
	text, err := os.ReadFile(filepath.Join(m.src.DataDir, secretsFile))
	if err != nil {
		return fmt.Errorf("copy the keys: %w", err)
	}
	return m.d.write(secretsFile, text)
}

// seal writes what is known only at the end.
func (m *maker) seal() error {
	m.made.Made = time.Now().UTC().Truncate(time.Second)
	text, err := json.MarshalIndent(m.made, "", "  ")
	if err == nil {
		err = m.d.write(descriptionFile, append(text, '\n'))
	}
	if err == nil {
		err = m.d.sums.close()
	}
	if err == nil {
		err = syncTree(m.d.path)
	}
	return err
}
