package app

import (
	"context"
	"log/slog"
	"time"

	"plaza/server/config"
	"plaza/server/pg/migrate"
	"plaza/sql"
)

// watchInterval is how often the migrations of a project folder are looked at.
const watchInterval = time.Second

// watches reports whether new migrations of the project folder are applied while the server runs.
func (a *App) watches() bool {
	return a.cfg.Watch && a.cfg.Env == config.Development && a.project.Source.Fingerprint() != ""
}

// watchMigrations applies new migrations of the project folder until ctx ends. Files that have changed
// since the last look are left alone, since somebody may be writing them.
func (a *App) watchMigrations(ctx context.Context, log *slog.Logger, progress func(string)) {
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	applied := a.project.Source.Fingerprint()
	seen := applied
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		found := a.project.Source.Fingerprint()
		isStable := found == seen
		seen = found
		if !isStable || found == applied {
			continue
		}
		applied = found
		report, err := migrate.Up(ctx, a.database.admin, migrate.Stack(migrate.Platform(sql.FS), a.project.Source), progress)
		for _, warning := range report.Warnings {
			log.WarnContext(ctx, warning)
		}
		if err != nil && ctx.Err() == nil {
			log.ErrorContext(ctx, "a migration has failed and will be tried again when a file changes", "error", err)
		}
	}
}

// followResets creates the buckets of the configuration again after each plaza db reset, until ctx ends.
// All else that the server keeps of the database is renewed with its connections.
func (a *App) followResets(ctx context.Context, log *slog.Logger) {
	prepare := func([]string) {
		if err := a.storage.Prepare(ctx); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "cannot create the buckets of the configuration", "error", err)
		}
	}
	a.db.Listen(ctx, resetChannel, false, prepare, func(error) {})
}
