package migrate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/jackc/pgx/v5"
)

// SeedKind is a kind of data that a source has.
type SeedKind string

// Kinds of seed data.
const (
	// Reference is what every installation needs. Up applies it too, when it
	// changed.
	Reference SeedKind = "reference"
	// Demo is sample data. Each file runs once per database. A Supabase
	// project's seed files are of this kind.
	Demo SeedKind = "demo"
	// Volume is generated data in any amount, loaded in parts; see seedVolume.
	Volume SeedKind = "volume"
)

// Seed loads one kind of data: Reference and Demo in one transaction, Volume in
// parts that are committed one by one. n is the amount that Volume is to reach.
// The schema has to exist: call Up before.
//
// Errors: *FileError for a file that fails.
func Seed(ctx context.Context, url string, source Source, kind SeedKind, n int, progress func(string)) (Report, error) {
	return locked(ctx, url, progress, func(r *runner) (err error) {
		s, err := r.open(ctx, source)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, s.db.Close()) }()
		switch {
		case kind == Reference:
			return r.upRepeatable(ctx, s, source, source.reference, false)
		case kind == Demo && source.seedPaths != nil:
			return r.seedSupabase(ctx, s, source)
		case kind == Demo:
			return r.seedDemo(ctx, s, source)
		case kind == Volume:
			return r.seedVolume(ctx, s, source, n)
		default:
			return fmt.Errorf("there is no kind of seed data called %q", kind)
		}
	})
}

func nothing(pgx.Tx) error { return nil }

func (r *runner) seedDemo(ctx context.Context, s *session, source Source) error {
	files, err := readDirs(source.fsys, source.demo)
	if err != nil {
		return fmt.Errorf("%s: %w", source.Name, err)
	}
	recorded, err := readRecords(ctx, s.conn, listRepeatables)
	if err != nil {
		return err
	}
	files = slices.DeleteFunc(files, func(f file) bool { return recorded[f.path] != "" })
	return r.inTx(ctx, s, source, files, nothing, recordRepeatable)
}

// supabaseDir is the folder with which paths in the Supabase CLI's records begin.
const supabaseDir = "supabase"

// seedSupabase runs a Supabase project's seed files, each once, and records
// them as the CLI does. As there, an edited file is not run again: a warning names it.
func (r *runner) seedSupabase(ctx context.Context, s *session, source Source) error {
	files, err := source.seedFiles()
	if err != nil {
		return err
	}
	recorded, err := readRecords(ctx, s.conn, listSeedFiles)
	if err != nil {
		return err
	}
	var pending []file
	for _, f := range files {
		f.path = path.Join(supabaseDir, f.path)
		switch recorded[f.path] {
		case "":
			pending = append(pending, f)
		case f.checksum:
		default:
			r.warn("%s: %s was changed after it ran and is not run again", source.Name, f.path)
		}
	}
	return r.inTx(ctx, s, source, pending, nothing, recordSeedFile)
}

// seedFiles reads the files the source's patterns match, each once, in the
// order of the patterns.
func (s Source) seedFiles() ([]file, error) {
	var files []file
	for _, pattern := range s.seedPaths {
		pattern = path.Clean(pattern)
		if !fs.ValidPath(pattern) {
			return nil, fmt.Errorf("%s: seed path %q leaves the project folder", s.Name, pattern)
		}
		matches, err := fs.Glob(s.fsys, pattern)
		if err != nil {
			return nil, fmt.Errorf("%s: seed path %q: %w", s.Name, pattern, err)
		}
		for _, match := range matches {
			if slices.ContainsFunc(files, func(f file) bool { return f.path == match }) {
				continue
			}
			f, err := readFile(s.fsys, match)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.Name, err)
			}
			files = append(files, f)
		}
	}
	return files, nil
}
