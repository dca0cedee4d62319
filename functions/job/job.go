// Package job does again and again what nobody asks for.
package job

import (
	"context"
	"log/slog"
	"time"
)

// Every returns a job that does work at once and then after each interval, until
// its context ends. What fails is logged under what and done again at the next turn.
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
