package walarchive

import (
	"context"
	"fmt"
	"time"
)

// prune removes old WAL, at most once in pruneInterval.
func (a *Archiver) prune(ctx context.Context, current Run) {
	now := a.cfg.Now()
	if now.Sub(a.pruned) < pruneInterval {
		return
	}
	a.pruned = now
	if err := a.Archive.Prune(ctx, current.ID, now.Add(-a.cfg.Keep)); err != nil && ctx.Err() == nil {
		a.cfg.Log.WarnContext(ctx, "could not remove old WAL from the archive", "error", err)
	}
}

// Prune removes WAL that no restore to a time since oldest needs: WAL before the newest
// backup that was made before oldest, and runs without a backup that ended before oldest. The
// current run is never removed as a whole.
func (a *Archive) Prune(ctx context.Context, current string, oldest time.Time) error {
	runs, err := a.Runs(ctx)
	if err != nil {
		return err
	}
	names, bases, err := a.bases(ctx)
	if err != nil {
		return err
	}
	needed := -1 // the newest backup before oldest
	based := make(map[string]bool)
	for i, b := range bases {
		based[b.Run] = true
		if !b.Reached.After(oldest) && (needed < 0 || b.Reached.After(bases[needed].Reached)) {
			needed = i
		}
	}
	var anchor Base
	if needed >= 0 {
		anchor = bases[needed]
	}
	for _, run := range runs {
		if run.ID == anchor.Run {
			if err := a.pruneRun(ctx, run, anchor.Start); err != nil {
				return err
			}
			break // later runs are needed
		}
		if run.ID == current {
			break
		}
		if err := a.pruneOld(ctx, run, anchor.Run != "", based[run.ID], oldest); err != nil {
			return err
		}
	}
	var old []string
	for i, b := range bases {
		if needed >= 0 && b.Reached.Before(anchor.Reached) {
			old = append(old, names[i])
		}
	}
	return a.remove(ctx, old)
}

// pruneRun removes the segments of a run before a position.
func (a *Archive) pruneRun(ctx context.Context, run Run, before LSN) error {
	chunks, err := a.chunks(ctx, run)
	if err != nil {
		return err
	}
	var old []string
	for _, c := range chunks {
		if c.end <= run.segmentStart(before) {
			old = append(old, c.name)
		}
	}
	return a.remove(ctx, old)
}

// pruneOld removes a run if it is superseded, that is older than the run of the backup that is needed,
// or if it has no backup and ended before oldest.
func (a *Archive) pruneOld(ctx context.Context, run Run, superseded, based bool, oldest time.Time) error {
	chunks, err := a.chunks(ctx, run)
	if err != nil {
		return err
	}
	if !superseded && (based || !continuous(chunks, startOf(run, chunks)).covered.Before(oldest)) {
		return nil
	}
	names := make([]string, len(chunks))
	for i, c := range chunks {
		names[i] = c.name
	}
	return a.remove(ctx, append(names, run.prefix()+runKey))
}

func (a *Archive) remove(ctx context.Context, names []string) error {
	if len(names) == 0 {
		return nil
	}
	if err := a.store.Delete(ctx, names...); err != nil {
		return fmt.Errorf("remove %d files of the archive: %w", len(names), err)
	}
	return nil
}
