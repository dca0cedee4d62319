package searches_test

import (
	"context"
	"sync"
	"testing"

	"plaza/functions/searches"
	"plaza/tests/testkit/restkit"
)

// Three alerts: for a hairdresser in Girona, for one anywhere, and for something that no
// business offers.
const pendingAlerts = `
	insert into auth.users (id, email) values ('00000000-0000-4000-8000-0000000000a1', 'ana@example.com'), ('00000000-0000-4000-8000-0000000000b1', 'bea@example.com');
	insert into public.search_alerts (user_id, find_desc, find_loc, category) values
		('00000000-0000-4000-8000-0000000000a1', 'peluquería', 'Girona', null),
		('00000000-0000-4000-8000-0000000000b1', 'peluquería', null, 'Beauty & Spas'),
		('00000000-0000-4000-8000-0000000000b1', 'submarinos', null, null)`

const insertBusiness = `insert into public.businesses (name, type, location) values ('Pèl', 'Peluquería', 'Girona')`

// A user is notified once, when there is a result, also when several servers run the job at
// the same time.
func TestAlerts(t *testing.T) {
	t.Parallel()
	api := restkit.Marketplace(t, pendingAlerts)
	alerts := searches.Alerts(api.ServerDB)
	process := func() {
		t.Helper()
		var wait sync.WaitGroup
		for range 3 {
			wait.Go(func() {
				if _, err := alerts.ProcessDue(context.Background()); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
	}
	expectNotified := func(want string) {
		t.Helper()
		var got string
		if err := api.DB.QueryRow(t.Context(), `select coalesce(string_agg(content || ' ' || link, '; ' order by content), '') from public.notifications`).Scan(&got); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("notified %q, want %q", got, want)
		}
	}
	process()
	expectNotified("")
	if again, err := alerts.ProcessDue(t.Context()); again != 0 || err != nil {
		t.Errorf("without a change %d searches were repeated, %v", again, err)
	}
	if _, err := api.DB.Exec(t.Context(), insertBusiness); err != nil {
		t.Fatal(err)
	}
	process()
	const both = `peluquería, Beauty & Spas /search?find_desc=peluquer%C3%ADa&category=Beauty%20%26%20Spas; ` +
		`peluquería, Girona /search?find_desc=peluquer%C3%ADa&find_loc=Girona`
	expectNotified(both)
	if _, err := api.DB.Exec(t.Context(), `update public.businesses set name = 'Pèl i punt'`); err != nil {
		t.Fatal(err)
	}
	process()
	expectNotified(both)
}
