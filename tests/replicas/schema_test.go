package replicas

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"plaza/server/rest/identify"
	"plaza/server/rest/settings"
)

// listen makes the data API listen for changes of the schema until the test ends. delay is a delay of the loading of the
// schema, in nanoseconds.
func (s *site) listen(t *testing.T, delay *atomic.Int64) {
	t.Helper()
	s.Server.SetSource(func(context.Context) (settings.Config, identify.Func, error) {
		config := s.Settings
		config.Channel, config.ChannelEnabled, config.InDatabase, config.Recovery = "pgrst", true, true, true
		config.SchemaSleep = time.Duration(delay.Load())
		return config, identify.Gateway(s.Auth, true), nil
	})
	if err := s.Server.ReloadConfig(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Server.Watch(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("watching ended with %v", err)
		}
	})
	s.eventually(t, "it listens", func() bool { return s.Server.Ready(t.Context()) })
}

// A replica may lack a changed policy, and the schema may take long to load.
func TestChangedPolicyIsKnownBeforeTheSchemaIsLoaded(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	var delay atomic.Int64
	s.listen(t, &delay)
	s.add(t, "ana", "ana")
	s.catchUp(t)
	s.eventually(t, "ben sees the row on the replica", func() bool { return s.sees(t, "ben", nil) == `[{"owner":"ana","n":1,"replica":true}]` })
	s.pause(t)
	delay.Store(int64(time.Hour))
	loads := s.Server.Stats().Loads
	s.Exec(t, "drop policy counters_all on counters; notify pgrst, 'reload schema'")
	s.eventually(t, "ben sees nothing", func() bool { return s.sees(t, "ben", nil) == "[]" })
	if now := s.Server.Stats().Loads; now != loads {
		t.Errorf("the schema was loaded %d times", now-loads)
	}
	delay.Store(0)
	s.eventually(t, "the schema is loaded", func() bool {
		s.Exec(t, "select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep'")
		return s.Server.Stats().Loads > loads
	})
	if got := s.sees(t, "ben", nil); got != "[]" {
		t.Errorf("after the load, ben sees %s", got)
	}
	s.resume(t)
	s.catchUp(t)
	s.eventually(t, "the replica answers again", func() bool { return s.onReplica(t, "ben") })
}

// A server whose connection for notifications is lost does not hear of changes.
func TestUnheardChangeOfAPolicyIsKnown(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.listen(t, new(atomic.Int64))
	s.add(t, "ana", "ana") // by a connection to the primary, which is kept
	s.catchUp(t)
	s.eventually(t, "ben sees the row on the replica", func() bool { return s.sees(t, "ben", nil) == `[{"owner":"ana","n":1,"replica":true}]` })
	s.pause(t)
	s.Exec(t, "drop policy counters_all on counters; update pg_database set datallowconn = false; "+
		"select pg_terminate_backend(pid) from pg_stat_activity where application_name like '% pgrst'")
	s.eventually(t, "ben sees nothing", func() bool { return s.sees(t, "ben", nil) == "[]" })
	if s.ServerDB.Listening() {
		t.Error("it listens")
	}
}
