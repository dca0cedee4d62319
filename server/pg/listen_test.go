package pg_test

import (
	"context"
	"slices"
	"testing"

	"plaza/server/pg"
	"plaza/tests/testkit/restkit"
)

// Notifications are collected, but each is heard at once.
func TestNotificationsAreHeardBeforeTheyAreCollected(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, "", nil)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var heard, collected []string
	api.ServerDB.Listen(ctx, "ch", true, pg.Handler{
		Heard: func(payload string) {
			if heard = append(heard, payload); payload == "first" {
				api.Exec(t, "notify ch, 'second'")
			}
		},
		Notify: func(payloads []string) {
			if payloads[0] == "" { // it listens
				api.Exec(t, "notify ch, 'first'")
				return
			}
			collected = payloads
			stop()
		},
	})
	want := []string{"first", "second"}
	if !slices.Equal(heard, want) || !slices.Equal(collected, want) {
		t.Errorf("heard %q, collected %q", heard, collected)
	}
}
