package migrate

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// runFile runs a file as it is, several statements at once, in whatever transaction is open.
func runFile(ctx context.Context, conn *pgx.Conn, f file) error {
	done := 0
	for _, alone := range f.superuser {
		if err := runPart(ctx, conn, f, span{done, alone.start}); err != nil {
			return err
		}
		alone.end = min(alone.end, len(f.text))
		if err := runSuperuserPart(ctx, conn, f, alone); err != nil {
			return err
		}
		done = alone.end
	}
	return runPart(ctx, conn, f, span{done, len(f.text)})
}

// runPart runs whole statements of a file at once.
func runPart(ctx context.Context, conn *pgx.Conn, f file, part span) error {
	// The simple protocol is the one that takes several statements.
	results := conn.PgConn().Exec(ctx, f.text[part.start:part.end])
	done := 0
	for results.NextResult() {
		if _, err := results.ResultReader().Close(); err == nil {
			done++
		}
	}
	if err := results.Close(); err != nil {
		return partError(f, part.start, done, err)
	}
	return nil
}

// runEach runs a file's statements one after another, each in a transaction of its own. Those before one
// that fails stay.
func runEach(ctx context.Context, conn *pgx.Conn, f file) error {
	for s := (&scanner{text: f.text}); !s.skipBlank(); {
		start := s.pos
		s.skipStatement()
		run := func() error { return runPart(ctx, conn, f, span{start, s.pos}) }
		if slices.Contains(f.superuser, span{start, s.pos}) {
			run = func() error { return runSuperuserPart(ctx, conn, f, span{start, s.pos}) }
		}
		if err := run(); err != nil {
			return err
		}
	}
	return nil
}

// upRepeatable applies the files of folders in order, from the first one that
// is new or changed (or all), in one transaction. What follows a changed file is
// applied too: a policy may need a function, and a view that was created again
// has lost its grants.
func (r *runner) upRepeatable(ctx context.Context, s *session, source Source, dirs []string, all bool) error {
	if len(dirs) == 0 {
		return nil
	}
	files, err := readDirs(source.fsys, dirs)
	if err != nil {
		return fmt.Errorf("%s: %w", source.Name, err)
	}
	files = slices.DeleteFunc(files, func(f file) bool { return source.leftOut[f.path] })
	recorded, err := readRecords(ctx, s.conn, listRepeatables)
	if err != nil {
		return err
	}
	first := slices.IndexFunc(files, func(f file) bool { return recorded[f.path] != f.checksum })
	if all {
		first = 0
	}
	gone := goneFiles(files, recorded, dirs)
	for _, path := range gone {
		r.warn("%s: %s is gone; what it made is still in the database until a migration drops it", source.Name, path)
	}
	if first < 0 {
		first = len(files)
	}
	if first == len(files) && len(gone) == 0 {
		return nil
	}
	return r.inTx(ctx, s, source, files[first:], func(tx pgx.Tx) error {
		for _, path := range gone {
			if _, err := tx.Exec(ctx, forgetRepeatable, path); err != nil {
				return err
			}
		}
		return nil
	}, recordRepeatable)
}

// goneFiles lists recorded files of the folders that no longer exist.
func goneFiles(files []file, recorded map[string]string, dirs []string) []string {
	var gone []string
	for _, path := range slices.Sorted(maps.Keys(recorded)) {
		ours := slices.ContainsFunc(dirs, func(dir string) bool { return strings.HasPrefix(path, dir+"/") })
		if ours && !slices.ContainsFunc(files, func(f file) bool { return f.path == path }) {
			gone = append(gone, path)
		}
	}
	return gone
}

// inTx runs files in one transaction, each recorded by the statement record
// (path, checksum) unless that is empty. begin runs first.
func (r *runner) inTx(ctx context.Context, s *session, source Source, files []file, begin func(pgx.Tx) error, record string) error {
	var done []Applied
	err := pgx.BeginFunc(ctx, s.conn, func(tx pgx.Tx) error {
		if err := begin(tx); err != nil {
			return err
		}
		for _, f := range files {
			r.progress("Applying " + source.Name + " " + f.path)
			started := time.Now()
			run, err := orExtension(ctx, s.conn, f)
			if err == nil && source.foreign {
				run, err = r.withStandIns(ctx, s.conn, source, run)
			}
			if err == nil {
				err = runFile(ctx, s.conn, run)
			}
			if err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, s.resetRole()); err != nil {
				return err
			}
			done = append(done, Applied{source.Name, f.path, time.Since(started)})
			if record == "" {
				continue
			}
			if _, err := tx.Exec(ctx, record, f.path, f.checksum); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", source.Name, err)
	}
	r.report.Applied = append(r.report.Applied, done...)
	return nil
}

// readRecords reads a table of paths and checksums.
func readRecords(ctx context.Context, conn *pgx.Conn, query string) (map[string]string, error) {
	rows, err := conn.Query(ctx, query)
	if err != nil {
		return nil, err
	}
	records := make(map[string]string)
	var path, checksum string
	_, err = pgx.ForEachRow(rows, []any{&path, &checksum}, func() error {
		records[path] = checksum
		return nil
	})
	return records, err
}
