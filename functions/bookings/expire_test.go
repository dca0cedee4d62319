package bookings_test

import (
	"context"
	"sync"
	"testing"

	"plaza/functions/bookings"
	"plaza/tests/testkit/restkit"
)

// Each of two businesses has two overdue requests and one for a later day.
const requests = `
	insert into auth.users (id, email) values ('00000000-0000-4000-8000-0000000000a1', 'ana@example.com'), ('00000000-0000-4000-8000-0000000000b1', 'bea@example.com');
	insert into public.businesses (id, owner_id, name, type, location) values
		('00000000-0000-4000-8000-00000000c001', '00000000-0000-4000-8000-0000000000b1', 'One', 'Bar', 'Madrid'),
		('00000000-0000-4000-8000-00000000c002', '00000000-0000-4000-8000-0000000000b1', 'Two', 'Bar', 'Madrid');
	insert into public.services (business_id, name, price, duration) select id, 'Table', 0, 60 from public.businesses;
	insert into public.bookings (business_id, user_id, service_id, booking_date, start_time)
	select s.business_id, '00000000-0000-4000-8000-0000000000a1', s.id, current_date + day, clock::time
	from public.services s, (values (-2, '10:00'), (-2, '12:00'), (2, '10:00')) as times (day, clock)`

// BOOK-18: overdue requests are ended, each once, also when several servers run the job at
// the same time.
func TestExpire(t *testing.T) {
	t.Parallel()
	api := restkit.Marketplace(t, requests)
	expiry := bookings.Expiry(api.ServerDB)
	var wait sync.WaitGroup
	for range 3 {
		wait.Go(func() {
			if _, err := expiry.ProcessDue(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	var got string
	const state = `select concat_ws(' ', count(*) filter (where cancel_kind = 'expired'), count(*) filter (where status = 'pending'),
		(select count(*) from public.notifications where title like '%did not answer in time')) from public.bookings`
	if err := api.DB.QueryRow(t.Context(), state).Scan(&got); err != nil {
		t.Fatal(err)
	}
	if got != "4 2 4" {
		t.Errorf("expired, pending and notified: %s, want 4 2 4", got)
	}
	if again, err := expiry.ProcessDue(t.Context()); again != 0 || err != nil {
		t.Errorf("a second run ended %d, %v", again, err)
	}
}
