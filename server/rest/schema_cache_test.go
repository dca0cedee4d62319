package rest

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"plaza/server/rest/identify"
	"plaza/server/rest/settings"
)

// A server that stops while it reads its settings does not log them as invalid.
func TestCancelledSettingsLoadIsNotLogged(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	cache := &schemaCache{log: slog.New(slog.NewTextHandler(&out, nil))}
	ctx, stop := context.WithCancel(t.Context())
	cache.SetSource(func(context.Context) (settings.Config, identify.Func, error) {
		return settings.Config{}, nil, context.Canceled
	})
	_ = cache.ReloadConfig(ctx)
	if !strings.Contains(out.String(), "settings are invalid") {
		t.Errorf("an error is not logged: %q", out.String())
	}
	out.Reset()
	stop()
	if err := cache.ReloadConfig(ctx); err == nil || out.Len() > 0 {
		t.Errorf("error %v, and the log has %q", err, out.String())
	}
}
