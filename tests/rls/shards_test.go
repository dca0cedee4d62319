package rls

import (
	"testing"

	"plaza/tests/testkit"
)

// The profile of sql/shards stores visitors' events at Citus's workers, and none at the coordinator.
func TestEventsAreOnWorkers(t *testing.T) {
	t.Parallel()
	if !testkit.OnCitus() {
		t.Skip("needs PLAZA_CITUS_BIN, see docs/shards.md")
	}
	db := testkit.DB(t)
	const record = `select private.record_events('visitor', array_agg(b.id), array_agg('page_view'::text), array_agg(false))
		from (select id from public.businesses) b`
	const insert = `insert into public.businesses (name, type, location) select 'Bar ' || n, 'bar', 'Madrid' from generate_series(1, 20) n`
	for _, sql := range []string{insert, record} {
		if _, err := db.Exec(t.Context(), sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	const count = `select count(*) filter (where result <> '0'), sum(result::integer), (select count(*) from private.business_events)
		from run_command_on_shards('private.business_events', 'select count(*) from %s')`
	var shards, there, all int
	if err := db.QueryRow(t.Context(), count).Scan(&shards, &there, &all); err != nil {
		t.Fatal(err)
	}
	if shards < 2 || there != 20 || all != 20 {
		t.Errorf("%d of %d events on %d shards, want 20 on several", there, all, shards)
	}
}
