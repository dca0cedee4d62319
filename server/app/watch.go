package app

import (
	"context"
	"log/slog"
	"time"

	"plaza/server/config"
	"plaza/server/pg"
	"plaza/server/pg/migrate"
	"plaza/sql"
)

// watchInterval is how often the migrations of a project folder are checked for changes.
const watchInterval = time.Second

// watches reports whether new migrations of the project folder are applied while the server runs.
func (a *App) watches() bool {
	return a.cfg.Watch && a.cfg.Env == config.Development && a.project.Source.Fingerprint() != ""
}

// watchMigrations applies new migrations of the project folder until ctx ends. It waits until the files have
// not changed for a watchInterval, since somebody may be writing them.
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
			log.ErrorContext(ctx, "a migration has failed and will be retried when a file changes", "error", err)
		}
	}
}

// followResets creates the buckets of the configuration again after each plaza db reset, until ctx ends.
// Everything else that the server caches of the database is read again when its connections are opened anew.
func (a *App) followResets(ctx context.Context, log *slog.Logger) {
	prepare := func([]string) {
		if err := a.storage.Prepare(ctx); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "cannot create the buckets of the configuration", "error", err)
		}
	}
	a.db.Listen(ctx, resetChannel, false, pg.Handler{Notify: prepare})
}
