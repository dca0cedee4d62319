package process

import (
	"context"
	"net/http"
	"sync"
	"testing"

	"plaza/tests/testkit"
)

// tables creates ten thousand tables, a thousand per transaction, since each takes locks until the
// transaction ends.
const tables = `
	create procedure make() language plpgsql as $$
	begin
		for n in 1..10000 loop
			execute format('create table t%s (id int primary key, before int references t%s)', n, greatest(n - 1, 1));
			if n % 1000 = 0 then commit; end if;
		end loop;
		grant select on all tables in schema public to service_role;
	end $$`

// TestLargeSchemaLoadsWhileRequestsRun: until the new schema is complete, requests use the old
// one.
func TestLargeSchemaLoadsWhileRequestsRun(t *testing.T) {
	t.Parallel()
	l := load(t, testkit.PlatformURL(t), "create table old (id int); insert into old values (1); grant select on old to service_role;")
	exec := func(sql string) {
		t.Helper()
		if _, err := l.db.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	exec(tables)
	exec("call make()")
	var requests sync.WaitGroup
	stop := make(chan struct{})
	for range 2 {
		requests.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if status, body, err := l.get(t.Context(), "/old"); status != http.StatusOK || body != `[{"id":1}]` {
					t.Errorf("while the schema is read: %d %s, %v", status, body, err)
				}
			}
		})
	}
	exec("notify pgrst, 'reload schema'")
	l.waitForText(t, "/t10000?select=id,t9999(id)", "[]")

	// A lock blocks the next load in its middle. Nothing may wait for it, and the following load sees
	// tables created meanwhile.
	holder, err := l.db.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = holder.Rollback(context.WithoutCancel(t.Context())) }()
	if _, err := holder.Exec(t.Context(), "lock table pg_catalog.pg_description in access exclusive mode"); err != nil {
		t.Fatal(err)
	}
	exec("notify pgrst, 'reload schema'")
	l.wait(t, "select count(*) = 1 from pg_locks where relation = 'pg_description'::regclass and not granted")
	exec("create table new (id int); grant select on new to service_role; notify pgrst, 'reload schema'")
	for range 50 {
		if status, body, err := l.get(t.Context(), "/t1?select=id,t2(id)"); status != http.StatusOK || body != "[]" {
			t.Errorf("while the reading is stopped: %d %s, %v", status, body, err)
		}
		if status, body, err := l.get(t.Context(), "/new"); status != http.StatusNotFound {
			t.Errorf("a table that is not known yet: %d %s, %v", status, body, err)
		}
	}
	l.wait(t, "select count(*) = 1 from pg_locks where relation = 'pg_description'::regclass and not granted")
	if err := holder.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	l.waitForText(t, "/new", "[]")
	close(stop)
	requests.Wait()
	t.Logf("%d MB", l.peak(t))
}
