package pg_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"plaza/server/claims"
	"plaza/server/pg"
)

// Another server may have found the primary earlier, and ended a session there: who waits for the primary goes on when that is
// known here, and is asked about again.
func TestOutageLastsUntilChangesAreRead(t *testing.T) {
	t.Parallel()
	primary, api := failing(t, time.Hour)
	db := api.ServerDB
	isKnown := false
	ended, errEnded := claims.Caller{Role: claims.Anon, SessionID: "ended", JSON: "{}"}, errors.New("the session has ended")
	var mu sync.Mutex
	db.Recheck(func(who claims.Caller) error {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case !isKnown:
			t.Error("a request went on early")
		case who.SessionID == ended.SessionID:
			return errEnded
		}
		return nil
	})
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	connected := make(chan struct{}, 2)
	running.Go(func() {
		db.Watch(ctx, "changes", func(ctx context.Context, conn *pg.Listener) error {
			var isService bool
			if err := conn.QueryRowAsService(ctx, pg.AuthAdmin, "select current_user = 'supabase_auth_admin' from pg_sleep(0.3)", nil, &isService); err != nil || !isService {
				return fmt.Errorf("%w, as the service: %v", err, isService)
			}
			mu.Lock()
			defer mu.Unlock()
			isKnown = db.IsAway()
			connected <- struct{}{}
			return nil
		}, func(string) {}, func(error) {})
	})
	<-connected
	if err := primary.Kill(); err != nil {
		t.Fatal(err)
	}
	running.Go(func() {
		if err := second(db.QueryAsCaller(t.Context(), ended, pg.Settings{}, pg.Statement{SQL: "insert into kept values (1)"}, nil)); !errors.Is(err, errEnded) {
			t.Errorf("a write: %v", err)
		}
	})
	running.Go(func() {
		if err := work["a transaction"](t.Context(), db, "insert into kept values (1)"); err != nil {
			t.Error(err)
		}
	})
	running.Go(func() {
		if err := asService(claims.WithCaller(t.Context(), ended), db, "insert into kept values (1)"); !errors.Is(err, errEnded) {
			t.Errorf("of a service: %v", err)
		}
	})
	for !db.IsAway() {
		runtime.Gosched()
	}
	if err := primary.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-connected
	running.Go(cancel)
}

// One that cannot read what it missed delays the end of an outage, for a limited time.
func TestOutageEndsWithoutTheChanges(t *testing.T) {
	t.Parallel()
	primary, api := failing(t, time.Hour)
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	connected := make(chan struct{})
	running.Go(func() {
		read := func(context.Context, *pg.Listener) error { close(connected); return nil }
		api.ServerDB.Watch(ctx, "changes", func(ctx context.Context, conn *pg.Listener) error {
			defer func() { read = func(context.Context, *pg.Listener) error { return errors.New("cannot be read") } }()
			return read(ctx, conn)
		}, func(string) {}, func(error) {})
	})
	<-connected
	if err := primary.Kill(); err != nil {
		t.Fatal(err)
	}
	running.Go(func() {
		for name, run := range work {
			if err := run(t.Context(), api.ServerDB, "insert into kept values (1)"); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		cancel()
	})
	for !api.ServerDB.IsAway() {
		runtime.Gosched()
	}
	if err := primary.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
}
