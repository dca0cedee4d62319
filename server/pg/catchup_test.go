package pg_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"plaza/server/apierr"
	"plaza/server/claims"
	"plaza/server/pg"
	"plaza/server/pg/migrate"
	"plaza/sql"
	"plaza/tests/testkit"
	"plaza/tests/testkit/cluster"
	"plaza/tests/testkit/restkit"
)

// Another server may have found the primary earlier, and ended a session there. A request that waited for the primary goes on
// once this server knows of that, and its caller is rechecked.
func TestOutageLastsUntilChangesAreRead(t *testing.T) {
	t.Parallel()
	primary, api := newStoppableAPI(t, time.Hour)
	db := api.ServerDB
	isKnown := false
	ended, errEnded := claims.Caller{Role: claims.Anon, SessionID: "ended", JSON: "{}"}, errors.New("the session has ended")
	var mu sync.Mutex
	db.SetRecheck(func(who claims.Caller) error {
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
			isKnown = db.HasOutage()
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
	for !db.HasOutage() {
		runtime.Gosched()
	}
	if err := primary.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-connected
	running.Go(cancel)
}

// A watcher that cannot read what it missed delays the end of an outage only for a limited time.
func TestOutageEndsWithoutTheChanges(t *testing.T) {
	t.Parallel()
	primary, api := newStoppableAPI(t, time.Hour)
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
	for !api.ServerDB.HasOutage() {
		runtime.Gosched()
	}
	if err := primary.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// pair returns a primary with the platform's schema, and a standby.
func pair(t *testing.T) (primary, standby *cluster.Cluster) {
	t.Helper()
	primary, err := cluster.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = primary.Stop(context.Background()) })
	if _, err := migrate.Up(t.Context(), primary.URL(), []migrate.Source{migrate.Platform(sql.FS)}, nil); err != nil {
		t.Fatal(err)
	}
	if standby, err = primary.Standby(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = standby.Stop(context.Background()) })
	return primary, standby
}

// nameBoth makes the URLs of the primary name the standby, too, before it.
func nameBoth(t *testing.T, c *pg.Config, primary, standby *cluster.Cluster) {
	t.Helper()
	hostOf := func(address string) string {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		return u.Host
	}
	for _, address := range []*string{&c.CallerURL, &c.ServiceURL} {
		*address = strings.Replace(*address, hostOf(primary.URL()), hostOf(standby.URL())+","+hostOf(primary.URL()), 1)
	}
}

// A standby that has not received a role's password refuses it.
func TestStandbyWithoutPasswordIsNotQueried(t *testing.T) {
	t.Parallel()
	primary, standby := pair(t)
	if _, err := testkit.Open(t, standby.URL()).Exec(t.Context(), "select pg_wal_replay_pause()"); err != nil {
		t.Fatal(err)
	}
	restkit.Replicated(t, primary.URL(), nil, "", func(c *pg.Config) {
		c.FailoverTimeout = time.Hour
		nameBoth(t, c, primary, standby)
	})
}

// A write that waits for a server that hangs ends once another is the primary, and not when it has waited for AnswerTimeout.
func TestOutageEndsRequestsToALostPrimary(t *testing.T) {
	t.Parallel()
	primary, standby := pair(t)
	api := restkit.Replicated(t, primary.URL(), nil, keptTable+"alter role anon set statement_timeout = '1h'", func(c *pg.Config) {
		c.FailoverTimeout, c.AnswerTimeout = time.Hour, time.Hour
		nameBoth(t, c, primary, standby)
	})
	var running sync.WaitGroup
	defer running.Wait()
	write := func(sql string) error {
		return second(api.ServerDB.QueryAsCaller(t.Context(), claims.ForRole(claims.Anon), pg.Settings{}, pg.Statement{SQL: sql}, nil))
	}
	running.Go(func() {
		err := write("insert into kept select 1 from pg_sleep(1000)")
		if answer := apierr.As(err); answer == nil || answer.Code != "PLZ013" {
			t.Errorf("a write that was under way: %v", err)
		}
	})
	for isUnderWay := false; !isUnderWay; {
		if err := api.DB.QueryRow(t.Context(), "select exists (select from pg_stat_activity where wait_event = 'PgSleep')").Scan(&isUnderWay); err != nil {
			t.Fatal(err)
		}
	}
	const password = "select coalesce((select rolpassword from pg_authid where rolname = 'authenticator'), '')"
	next := testkit.Open(t, standby.URL())
	for here, there := "", "not yet"; here != there; {
		err := errors.Join(api.DB.QueryRow(t.Context(), password).Scan(&here), next.QueryRow(t.Context(), password).Scan(&there))
		if err != nil {
			t.Fatal(err)
		}
	}
	thaw, err := primary.Freeze(t.Context())
	t.Cleanup(thaw)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := next.Exec(t.Context(), "select pg_promote()"); err != nil {
		t.Fatal(err)
	}
	if err := write("insert into kept values (1)"); err != nil {
		t.Error(err)
	}
}
