// Package backup copies a consistent snapshot of a project's database and objects to a
// folder, verifies the copy, and restores it to a data folder. A backup contains
//
//	backup.json       when, of what and by which version it was made
//	secrets.json      the data folder's keys
//	database.tar.zst  PostgreSQL's files and the log that makes them consistent
//	backup_manifest   PostgreSQL's own list of them, with checksums
//	database/         instead of these two, the output of the operator's command
//	objects.csv       each object: its bucket and key, and the file of its bytes
//	objects/          these files
//	SHA256SUMS        checksums of all files, in the format of sha256sum
//
// The snapshot is taken at the end of the database copy. Blobs are immutable, and no
// blob is deleted during the backup. After the snapshot, each blob of a copied row still
// has a row or is in storage.unused_blobs; the blobs of both are copied.
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

	"plaza/server/filesys"
	"plaza/server/walarchive"
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

// Errors that an operator can act on. Returned errors may wrap one of these.
var (
	// ErrPlace means that a target folder is not empty or cannot be used.
	ErrPlace = errors.New("the folder cannot be used")
	// ErrFull means that the disk is full.
	ErrFull = errors.New("no room left")
	// ErrAltered means that a backup differs from what was written.
	ErrAltered = errors.New("the backup is damaged")
	// ErrIncompatible means that a backup is intact but cannot be restored on this machine or
	// by this program.
	ErrIncompatible = errors.New("the backup does not fit")
	// ErrIncomplete means that the operation succeeded, but the bytes of some objects
	// are missing or differ from their rows.
	ErrIncomplete = errors.New("objects are damaged")
)

// Description is the content of backup.json.
type Description struct {
	Format   int       `json:"format"`
	Made     time.Time `json:"made"` // not before the time of the snapshot
	Version  string    `json:"version"`
	Schema   int64     `json:"schema"`  // the platform's schema: the last file of sql/bootstrap
	Machine  string    `json:"machine"` // such as "linux/amd64", since PostgreSQL's files depend on it
	Keys     string    `json:"keys"`    // digest of the keys in use
	Database Database  `json:"database"`
	Objects  Objects   `json:"objects"`
}

// Database describes the copy of the database.
type Database struct {
	Name    string `json:"name"`            // name of the project's database in the cluster
	Version int    `json:"version"`         // server_version_num
	Start   string `json:"start,omitempty"` // position at which the log that the copy needs begins
	LSN     string `json:"lsn"`             // log position at the end of the copy
	System  string `json:"system"`          // the cluster's system identifier
	Command bool   `json:"command"`         // the operator's command copied it
	Bytes   int64  `json:"bytes"`           // total size of its files
	Archive int64  `json:"archived"`        // size of the archive
	// Run is the run of the WAL archive that continues the copy, and Reached the earliest time
	// to which both can be restored. Both are empty if there is none.
	Run     string    `json:"run,omitempty"`
	Reached time.Time `json:"reached,omitzero"`
}

// Objects holds totals of the objects to which rows refer shortly after the snapshot.
type Objects struct {
	Count   int64 `json:"count"`
	Bytes   int64 `json:"bytes"`
	Linked  int64 `json:"linked"`  // objects that share files with an earlier backup
	Damaged int64 `json:"damaged"` // damaged objects; objects.csv has the reasons
}

// Source describes what to back up.
type Source struct {
	DatabaseURL  string     // for a superuser
	Command      string     // command that copies the database; if empty, PostgreSQL sends its files
	Blobs        blob.Store // of the objects
	DataDir      string     // folder of secrets.json
	ObjectFolder string     // folder of Blobs; empty if they are not in a folder
	Version      string     // version of this program
	Keys         string     // digest of the keys in use
}

// Options configures Make.
type Options struct {
	// LinkDest is an earlier backup with which files of objects are shared by hard
	// links. It may be empty.
	LinkDest string
	// Progress is called with a description of each step.
	Progress func(string)
}

// Make backs up a project to a folder that does not exist or is empty. If it fails or
// is killed, it leaves no folder of that name.
//
// Errors: ErrPlace; ErrFull; ErrIncompatible if the database is not encoded in UTF8 or has
// tablespaces; ErrAltered if the files read back, or LinkDest, are damaged; ErrIncomplete,
// in which case the backup exists.
func Make(ctx context.Context, src Source, dir string, o Options) (Description, error) {
	d, err := openDraft(dir, src.DataDir, src.ObjectFolder)
	if err != nil {
		return Description{}, err
	}
	m := maker{src: src, o: o, d: d}
	err = m.make(ctx)
	if err == nil {
		err = d.publish()
	}
	if err != nil {
		return Description{}, errors.Join(wrapFull(err, d.path), d.discard())
	}
	if m.made.Objects.Damaged > 0 {
		return m.made, fmt.Errorf("%w: %d of %d; %s says which and why", ErrIncomplete, m.made.Objects.Damaged, m.made.Objects.Count, filepath.Join(dir, listFile))
	}
	return m.made, nil
}

// maker creates one backup.
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
	// Closing the connection allows blobs to be deleted again.
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
	if err := m.describeRun(ctx, conn); err != nil {
		return err
	}
	if err := m.copyObjects(ctx, conn, stored); err != nil {
		return fmt.Errorf("copy the objects: %w", err)
	}
	// If the session was interrupted, blobs may have been deleted.
	if err := conn.Ping(ctx); err != nil {
		return fmt.Errorf("the connection that keeps objects from being deleted was lost: %w", err)
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

const askReached = `select clock_timestamp()`

// describeRun records the earliest time to which the copy can be restored with the WAL archive. If
// a new run has begun during the copy, the archive does not continue it.
func (m *maker) describeRun(ctx context.Context, conn *pgx.Conn) (err error) {
	d := &m.made.Database
	if d.Run == "" {
		return nil
	}
	run, err := walarchive.CurrentRun(ctx, conn)
	if err == nil && run != d.Run {
		d.Run = ""
		return nil
	}
	if err == nil {
		err = conn.QueryRow(ctx, askReached).Scan(&d.Reached)
	}
	// Rounded up to milliseconds, which formatTime shows exactly.
	d.Reached = d.Reached.UTC().Truncate(time.Millisecond).Add(time.Millisecond)
	return err
}

// describe fills in the description as far as it is known before the copy.
func (m *maker) describe(ctx context.Context, conn *pgx.Conn) error {
	m.made = Description{Format: format, Version: m.src.Version, Keys: m.src.Keys, Machine: runtime.GOOS + "/" + runtime.GOARCH}
	var there bool
	var encoding string
	m.made.Database.Command = m.src.Command != ""
	err := conn.QueryRow(ctx, askServer).Scan(&m.made.Database.Version)
	if err == nil && !m.made.Database.Command { // a managed server may not allow this
		err = conn.QueryRow(ctx, askSystem).Scan(&m.made.Database.System)
		if err == nil {
			m.made.Database.Run, err = walarchive.CurrentRun(ctx, conn)
		}
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
		return fmt.Errorf("read the database's version, system identifier and name: %w", err)
	}
	if encoding != "UTF8" {
		return fmt.Errorf("%w: the database is encoded in %s: only UTF8 is supported", ErrIncompatible, encoding)
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

// seal writes the description and the checksums, and syncs the folder.
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
		err = filesys.SyncTree(m.d.path)
	}
	return err
}
