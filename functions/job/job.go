// Package job runs background work at intervals.
package job

import (
	"context"
	"log/slog"
	"time"
)

// Every returns a job that runs work immediately and then after each interval, until its
// context ends. An error is logged under the name what; work then runs again after the
// next interval.
func Every(interval time.Duration, log *slog.Logger, what string, work func(context.Context) error) func(context.Context) {
	return func(ctx context.Context) {
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for {
			if err := work(ctx); err != nil && ctx.Err() == nil {
				log.WarnContext(ctx, what+" failed", "error", err)
			}
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
		}
	}
}
