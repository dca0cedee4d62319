package migrate

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
)

// volumePart is how many rows one transaction loads: some seconds of work, so that an
// interruption loses little and progress is visible.
const volumePart = 25_000

// seedVolume loads generated data until there are n rows of it in all.
//
// The files of seed/volume run once for each part, with the setting plaza.volume
// at the part's size. Each part is committed together with the count of all rows
// so far, so a run continues where an earlier one ended. seed/volume/before runs
// before the first part. seed/volume/after runs at the end, also if a part failed
// or ctx ended: it restores what seed/volume/before removed for speed.
func (r *runner) seedVolume(ctx context.Context, s *session, source Source, n int) (err error) {
	if n <= 0 {
		return fmt.Errorf("the amount of volume data is %d; it has to be positive", n)
	}
	loaded, finished, err := readVolume(ctx, s.conn, source)
	switch {
	case err != nil || loaded >= n && finished:
		return err
	case loaded >= n: // an earlier run was killed before its end
		return r.finishVolume(ctx, source, loaded)
	}
	if err := r.runVolumeFiles(ctx, s, source, source.volume+"/before", execute(ctx, beginVolume, source.Name)); err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, r.finishVolume(context.WithoutCancel(ctx), source, loaded))
	}()
	for started := time.Now(); loaded < n; {
		part := min(volumePart, n-loaded)
		err := r.runVolumeFiles(ctx, s, source, source.volume, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, setVolume, strconv.Itoa(part)); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, recordVolume, source.Name, part)
			return err
		})
		if ctx.Err() != nil {
			return fmt.Errorf("interrupted at %d of %d rows; run it again to go on: %w", loaded, n, ctx.Err())
		}
		if err != nil {
			return err
		}
		loaded += part
		r.progress(fmt.Sprintf("%d of %d rows after %s", loaded, n, time.Since(started).Round(time.Second)))
	}
	return nil
}

// finishVolume runs seed/volume/after in a session of its own: the session of an
// interrupted part is closed.
func (r *runner) finishVolume(ctx context.Context, source Source, loaded int) (err error) {
	r.progress(fmt.Sprintf("Finishing %d rows", loaded))
	s, err := r.open(ctx, source)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.db.Close()) }()
	return r.runVolumeFiles(ctx, s, source, source.volume+"/after", execute(ctx, finishedVolume, source.Name))
}

// execute returns a function that runs one statement at the beginning of a transaction.
func execute(ctx context.Context, sql string, args ...any) func(pgx.Tx) error {
	return func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, sql, args...)
		return err
	}
}

// readVolume returns how many rows of volume data were loaded so far, and whether
// seed/volume/after has run since.
func readVolume(ctx context.Context, conn *pgx.Conn, source Source) (loaded int, finished bool, err error) {
	if err := conn.QueryRow(ctx, selectVolume, source.Name).Scan(&loaded, &finished); err != nil {
		return 0, false, fmt.Errorf("read the record of volume data: %w", err)
	}
	return loaded, finished, nil
}

func (r *runner) runVolumeFiles(ctx context.Context, s *session, source Source, dir string, begin func(pgx.Tx) error) error {
	files, err := readDir(source.fsys, dir)
	if err != nil {
		return fmt.Errorf("%s: %w", source.Name, err)
	}
	return r.inTx(ctx, s, source, files, begin, "")
}
