package backup

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// databaseFolder is the folder to which the operator's command writes the database.
const databaseFolder = "database"

// FolderVariable is the environment variable that passes the folder to the command.
const FolderVariable = "PLAZA_BACKUP_DIR"

// runCommand runs the operator's command to copy the database. No blobs are deleted
// while it runs, so all blobs of its snapshot exist.
func (m *maker) runCommand(ctx context.Context) error {
	m.o.Progress("Running the command that copies the database")
	folder := filepath.Join(m.d.path, databaseFolder)
	if err := os.Mkdir(folder, 0o700); err != nil {
		return err
	}
	command := exec.CommandContext(ctx, "/bin/sh", "-c", m.src.Command)
	command.Env = append(os.Environ(), FolderVariable+"="+folder)
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	if err := command.Run(); err != nil {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(output.String()))
	}
	found := false
	err := fs.WalkDir(m.d.root.FS(), databaseFolder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		found = true
		return m.addFile(ctx, name, entry)
	})
	if err == nil && !found {
		err = fmt.Errorf("the command wrote nothing to the folder that %s names", FolderVariable)
	}
	return err
}

// addFile records the checksum of an existing file.
func (m *maker) addFile(ctx context.Context, name string, entry fs.DirEntry) error {
	if !entry.Type().IsRegular() || strings.ContainsAny(name, "\n\r\\") {
		return fmt.Errorf("%q is no plain file, or its name has a line break or a backslash", name)
	}
	info, err := entry.Info()
	if err != nil {
		return err
	}
	m.made.Database.Bytes += info.Size()
	m.made.Database.Archive += info.Size()
	text, err := sumOf(ctx, m.d.root, name)
	if err != nil {
		return err
	}
	sum, err := hex.DecodeString(text)
	if err != nil {
		return err
	}
	return m.d.sums.add(name, sum)
}

// restoreObjects restores keys and objects to a project whose database was restored
// by other means.
func (r *restorer) restoreObjects(ctx context.Context) error {
	if err := r.installSecrets(); err != nil {
		return err
	}
	blobs, closer, err := r.openBlobs(ctx)
	if err != nil {
		return err
	}
	if closer != nil {
		defer func() { _ = closer.Close() }()
	}
	return r.fill(ctx, r.t.DatabaseURL, blobs)
}

// installSecrets copies the keys if there are none yet.
//
// Errors: ErrPlace if there are other keys.
func (r *restorer) installSecrets() error {
	kept := filepath.Join(r.t.DataDir, secretsFile)
	wanted, err := r.from.ReadFile(secretsFile)
	if err != nil {
		return err
	}
	there, err := os.ReadFile(kept)
	switch {
	case err == nil && !bytes.Equal(there, wanted):
		return fmt.Errorf("%w: %s has other keys than the backup; move it away", ErrPlace, kept)
	case err == nil:
	case !errors.Is(err, fs.ErrNotExist):
		return err
	default:
		if err := os.WriteFile(kept, wanted, 0o600); err != nil {
			return err
		}
	}
	return r.compareKeys(r.t.DataDir)
}

// errNoStorage returns the error for a database that is not restored yet.
func errNoStorage(dir string) error {
	return fmt.Errorf("%w: the database of DATABASE_URL has no storage.objects: restore it first, from %s, then run this again", ErrPlace, filepath.Join(dir, databaseFolder))
}
