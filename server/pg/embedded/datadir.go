package embedded

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// dataMajor returns the major version of PostgreSQL that made the data folder, or 0 if
// there is no data yet.
func dataMajor(dataDir string) (int, error) {
	content, err := os.ReadFile(filepath.Join(dataDir, "PG_VERSION"))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, notWritable(dataDir, err)
	}
	major, err := strconv.Atoi(strings.TrimSpace(string(content)))
	if err != nil {
		return 0, fmt.Errorf("%w: %s/PG_VERSION: %w", ErrDataVersion, dataDir, err)
	}
	return major, nil
}

// prepareDataDir makes the data folder where there is none and hands it to the
// user PostgreSQL runs as.
func prepareDataDir(ctx context.Context, cfg Config, bin binaries, id identity) error {
	major, err := dataMajor(cfg.DataDir)
	if err != nil {
		return err
	}
	if major == 0 {
		return createDataDir(ctx, cfg, bin, id)
	}
	if err := id.own(cfg.DataDir); err != nil {
		return notWritable(cfg.DataDir, err)
	}
	return checkOwner(cfg.DataDir, id)
}

// createDataDir runs initdb under another name and renames the result, so that
// an interrupted first start leaves nothing that looks like a data folder.
func createDataDir(ctx context.Context, cfg Config, bin binaries, id identity) (err error) {
	cfg.Progress("Creating the database (first start)")
	if entries, err := os.ReadDir(cfg.DataDir); err == nil && len(entries) > 0 {
		return fmt.Errorf("%w: %s holds other files; choose an empty or a new folder", ErrNotWritable, cfg.DataDir)
	}
	fresh := cfg.DataDir + ".new"
	passwordFile := cfg.DataDir + ".password"
	if err := os.RemoveAll(fresh); err != nil {
		return notWritable(fresh, err)
	}
	if err := os.Mkdir(fresh, 0o700); err != nil {
		return notWritable(filepath.Dir(fresh), err)
	}
	defer func() {
		err = errors.Join(err, os.RemoveAll(fresh), os.RemoveAll(passwordFile))
	}()
	if err := os.WriteFile(passwordFile, []byte(cfg.AdminPassword), 0o600); err != nil {
		return notWritable(passwordFile, err)
	}
	if err := errors.Join(id.own(fresh), id.own(passwordFile)); err != nil {
		return notWritable(fresh, err)
	}
	err = runTool(ctx, bin, id, "initdb", "-D", fresh,
		"--username="+adminRole, "--pwfile="+passwordFile, "--auth=scram-sha-256",
		"--encoding=UTF8", "--locale="+localeName, "--locale-provider=icu", "--icu-locale=es-ES",
		"--data-checksums", "--no-sync", "--no-instructions")
	if err != nil {
		return err
	}
	if err := recordSuperuser(fresh, id); err != nil {
		return err
	}
	// One pass over all files at the end is faster than initdb's own syncing,
	// and needless if the caller gave up durability.
	if cfg.Settings["fsync"] != "off" {
		if err := runTool(ctx, bin, id, "initdb", "-D", fresh, "--sync-only"); err != nil {
			return err
		}
	}
	if err := os.Rename(fresh, cfg.DataDir); err != nil {
		return notWritable(cfg.DataDir, err)
	}
	return nil
}

// runTool runs one of PostgreSQL's programs to its end.
func runTool(ctx context.Context, bin binaries, id identity, name string, args ...string) error {
	cmd := id.command(ctx, bin.program(name), args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := id.run(cmd, func(error) {})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%w: %s: %w: %s", ErrStart, name, err, errorLine(out.String()))
	}
	return nil
}

// errorLine returns the line of a program's output that has its error.
func errorLine(out string) string {
	var last string
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		if _, fault, ok := strings.Cut(line, "error: "); ok {
			return fault
		}
		if _, fault, ok := strings.Cut(line, "FATAL:  "); ok {
			return fault
		}
		if line != "" {
			last = line
		}
	}
	return last
}

// ProvideFile writes a file beside the data folder that PostgreSQL can read, and others cannot.
//
// Errors: ErrNotWritable.
func (s *Server) ProvideFile(name string, content []byte) error {
	path := filepath.Join(filepath.Dir(s.cfg.DataDir), name)
	fresh := path + ".new"
	if err := os.RemoveAll(fresh); err != nil {
		return notWritable(fresh, err)
	}
	err := os.WriteFile(fresh, content, 0o600)
	if err == nil {
		err = s.id.own(fresh)
	}
	if err == nil {
		err = os.Rename(fresh, path)
	}
	if err != nil {
		return notWritable(path, err)
	}
	return nil
}
