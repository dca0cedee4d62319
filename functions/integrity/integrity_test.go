package integrity_test

import (
	"log/slog"
	"sync"
	"testing"
	"time"

	"plaza/functions/integrity"
	"plaza/server/project"
	"plaza/tests/testkit/restkit"
)

// An admin, and two businesses that have no owner; one of them counts as claimed nevertheless.
const market = `
	insert into auth.users (id, email) values ('00000000-0000-4000-8000-0000000000a1', 'ada@example.com');
	update private.profiles set role = 'admin' where id = '00000000-0000-4000-8000-0000000000a1';
	insert into public.businesses (id, name, type, location, is_claimed) values
		('00000000-0000-4000-8000-00000000c001', 'One', 'Bar', 'Madrid', true),
		('00000000-0000-4000-8000-00000000c002', 'Two', 'Bar', 'Madrid', false)`

const state = `select concat_ws(' ', (select count(*) from private.integrity_runs where finished_at is not null),
	(select count(*) from private.integrity_results), (select total from private.integrity_results where check_key = 'claimed_state'),
	(select count(*) from public.notifications where link = '/admin?tab=integrity'))`

// ADMIN-INTEG-02, ADMIN-INTEG-10: one server runs the checks each night; admins are notified of a finding
// once, and of a check that fails, without stopping the others.
func TestNightlyRun(t *testing.T) {
	t.Parallel()
	api := restkit.Marketplace(t, market)
	at := time.Date(2030, 1, 10, 2, 30, 0, 0, time.UTC) // half past three in Madrid
	parts := project.Parts{DB: api.ServerDB, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return at }}
	run := func(step, want string) {
		t.Helper()
		var wait sync.WaitGroup
		for range 3 {
			wait.Go(func() {
				if err := integrity.Run(t.Context(), parts); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		var got string
		if err := api.DB.QueryRow(t.Context(), state).Scan(&got); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%s: runs, results, findings and notifications are %q, want %q", step, got, want)
		}
	}
	exec := func(sql string) {
		t.Helper()
		if _, err := api.DB.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	evening := at
	at = time.Date(2030, 1, 10, 1, 30, 0, 0, time.UTC)
	run("before three o'clock", "0 0 0")
	at = evening
	run("the first night", "1 21 1 1")
	at = at.Add(24 * time.Hour)
	run("a night without anything new", "2 21 1 1")
	exec(`update public.businesses set is_claimed = true where name = 'Two'`)
	run("later that night", "2 21 1 1")
	at = at.Add(24 * time.Hour)
	run("a new finding", "3 21 2 2")
	exec(`update public.businesses set is_claimed = false`)
	exec(`create or replace function private.find_far_bookings() returns table (id text, name text, link text, detail text)
		language plpgsql as $$ begin perform 1 / 0; end $$`)
	at = at.Add(24 * time.Hour)
	run("a check that fails", "4 21 0 3")
	at = at.Add(24 * time.Hour)
	run("it still fails", "5 21 0 3")

	// A server that stopped in the middle has an hour before another one takes over.
	at = at.Add(24 * time.Hour)
	exec(`insert into private.integrity_runs (day, started_at) values ('2030-01-15', '2030-01-15 02:00Z')`)
	run("begun elsewhere", "5 21 0 3")
	at = at.Add(time.Hour)
	run("an hour later", "6 21 0 3")
	var content string
	const newest = `select title || ': ' || content from public.notifications where link = '/admin?tab=integrity' order by created_at desc limit 1`
	if err := api.DB.QueryRow(t.Context(), newest).Scan(&content); err != nil {
		t.Fatal(err)
	}
	if content != "Data integrity: new findings: Bookings more than a year ahead (1)" {
		t.Errorf("the notification is %q", content)
	}
}
