package rls

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	recordVisits = `select private.record_events($1, array[$2]::uuid[], array[$3], array[$4]::boolean[])`
	rollUp       = `select private.roll_up_metrics()`
)

// visit records a visitor's action at the shop.
func (w *world) visit(t *testing.T, visitor, kind string, promoted bool) {
	t.Helper()
	w.exec(t, recordVisits, visitor, w.shop, kind, promoted)
}

// figures runs the roll-up and returns today's figures of the shop.
func (w *world) figures(t *testing.T, table, columns string) string {
	t.Helper()
	w.exec(t, rollUp)
	return w.text(t, `select string_agg(concat_ws(' ', `+columns+`), ', ') from public.`+table+`
		where business_id = $1 and metric_date = (now() at time zone 'Europe/Madrid')::date`, w.shop)
}

// emptyShop returns a world whose shop has no figures and no earlier events.
func emptyShop(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	for _, table := range []string{"business_metrics", "advertiser_metrics", "bookings", "reviews", "favorites", "messages", "business_photos"} {
		w.exec(t, `delete from public.`+table+` where business_id = $1`, w.shop)
	}
	return w
}

// DATA-36, METRICS-23: figures are computed from events, each of a visitor once a day, and another
// roll-up changes nothing.
func TestFigures(t *testing.T) {
	t.Parallel()
	w := emptyShop(t)
	for _, visitor := range []string{"one", "two", "one"} {
		for _, kind := range []string{"page_view", "search_view", "photo_view", "call", "directions", "website"} {
			w.visit(t, visitor, kind, false)
		}
	}
	w.visit(t, "three", "page_view", false)
	w.exec(t, recordVisits, "four", "00000000-0000-4000-8000-00000000dead", "page_view", false)
	w.do(t, w.ana, `insert into public.bookings (business_id, service_id, booking_date, start_time) values ($1, $2, current_date + 3, '10:00')`, w.shop, w.haircut)
	w.do(t, w.ana, `insert into public.favorites (user_id, business_id) values ($1, $2)`, w.ana.id, w.shop)
	w.do(t, w.ben, `insert into public.messages (sender_id, recipient_id, business_id, content) values ($1, $2, $3, 'Hello?')`, w.ben.id, w.owner.id, w.shop)
	const columns = `num_total_page_views, num_search_views, num_photo_views, num_calls, num_directions_and_map_views, url_clicks,
		online_bookings, num_bookmarks, num_messages_to_business, total_leads, reviews, num_user_photos, num_check_ins, reply_rate`
	const want = "3 2 2 2 2 2 1 1 1 8 0 0 0 0.00"
	if got := w.figures(t, "business_metrics", columns); got != want {
		t.Errorf("figures %q, want %q", got, want)
	}
	if got := w.figures(t, "business_metrics", columns); got != want {
		t.Errorf("rolled up twice: %q, want %q", got, want)
	}
	if got := w.text(t, `select count(*) from public.business_metrics where business_id = $1`, w.shop); got != "1" {
		t.Errorf("%s days have figures, want one", got)
	}
}

// DATA-36: a customer's message counts as answered if the business replies by the end of the next
// day.
func TestReplyRate(t *testing.T) {
	t.Parallel()
	w := emptyShop(t)
	message := func(from, to caller, when string) {
		t.Helper()
		w.do(t, from, `insert into public.messages (sender_id, recipient_id, business_id, content) values ($1, $2, $3, 'Hello')`, from.id, to.id, w.shop)
		w.exec(t, `update public.messages set created_at = `+when+` where created_at = now()`)
	}
	// The test's reference time: noon of yesterday in Madrid.
	const noon = `((now() at time zone 'Europe/Madrid')::date - 1 + time '12:00') at time zone 'Europe/Madrid'`
	message(w.ben, w.owner, noon)
	message(w.ben, w.owner, noon+` + interval '1 minute'`) // still unanswered: counts with the first
	message(w.owner, w.ben, noon+` + interval '10 minutes'`)
	message(w.ana, w.owner, noon)
	w.exec(t, rollUp)
	const yesterday = `select concat_ws(' ', num_messages_to_business, reply_rate, median_response_time_in_sec) from public.business_metrics
		where business_id = $1 and metric_date = (now() at time zone 'Europe/Madrid')::date - 1`
	if got, want := w.text(t, yesterday, w.shop), "3 50.00 600"; got != want {
		t.Errorf("messages, replies, seconds: %q, want %q", got, want)
	}
}

// DATA-37, SUB-07: results of a promoted place are counted separately, and only if there is one.
func TestAdvertiserFigures(t *testing.T) {
	t.Parallel()
	w := emptyShop(t)
	brought := func() {
		for _, kind := range []string{"promoted_view", "promoted_click", "page_view", "call", "booking"} {
			w.visit(t, "one", kind, true)
		}
		w.visit(t, "two", "promoted_view", true)
		w.visit(t, "two", "page_view", false)
	}
	const columns = `billed_impressions, billed_clicks, ad_click_through_rate, ad_driven_biz_page_views, ad_driven_calls,
		ad_driven_online_reservations, ad_driven_total_leads, ad_cost`
	brought()
	if got := w.figures(t, "advertiser_metrics", columns); got != "" {
		t.Errorf("without a promoted place: %q", got)
	}
	w.exec(t, `update public.businesses set is_promoted = true where id = $1`, w.shop)
	brought()
	// A browser reports a booking that does not exist.
	if got, want := w.figures(t, "advertiser_metrics", columns), "2 1 50.00 1 1 0 1 0"; got != want {
		t.Errorf("figures %q, want %q", got, want)
	}
	w.do(t, w.ana, `insert into public.bookings (business_id, service_id, booking_date, start_time) values ($1, $2, current_date + 3, '10:00')`, w.shop, w.haircut)
	if got, want := w.figures(t, "advertiser_metrics", columns), "2 1 50.00 1 1 1 2 0"; got != want {
		t.Errorf("figures %q, want %q", got, want)
	}
}

// A visitor is a hash that cannot be recomputed: salts and events of final days are deleted, the
// figures are kept.
func TestVisitorDataIsDeleted(t *testing.T) {
	t.Parallel()
	w := emptyShop(t)
	w.visit(t, "203.0.113.7 Mozilla/5.0", "page_view", false)
	if got := w.text(t, `select count(*) from private.business_events where position('203.0.113'::bytea in visitor) > 0`); got != "0" {
		t.Error("the address is kept")
	}
	w.exec(t, `update private.visitor_salts set day = day - 9`)
	w.exec(t, `update private.business_events set day = day - 9`)
	w.exec(t, `update private.metrics_rollup set final_day = final_day - 9`) // the server was down
	w.exec(t, rollUp)
	got := w.text(t, `select concat_ws(' ', (select count(*) from private.business_events), (select count(*) from private.visitor_salts),
		(select sum(num_total_page_views) from public.business_metrics where business_id = $1))`, w.shop)
	if want := "0 0 1"; got != want {
		t.Errorf("events, salts and views: %q, want %q", got, want)
	}
}

// SUB-07, C-44: figures need a plan with analytics.
func TestFiguresNeedAPlan(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const figures = `select count(*) from public.business_metrics where business_id = $1`
	got := []string{w.ask(t, w.owner, figures, w.shop)}
	w.exec(t, `update public.user_subscriptions set subscription_end = now() - interval '4 days' where user_id = $1`, w.owner.id)
	got = append(got, w.ask(t, w.owner, figures, w.shop), w.ask(t, w.ada, figures, w.shop))
	if diff := cmp.Diff([]string{"1", "0", "1"}, got); diff != "" {
		t.Errorf("with a plan, without, an admin (-want +got):\n%s", diff)
	}
}

// SUB-07: a plan with promoted listings lets an owner request a promoted place, for as long as the
// plan lasts.
func TestPromotedBusinesses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const promote = `update public.businesses set is_promoted = true where id = $1`
	w.fails(t, w.owner, "plan_promoted", promote, w.shop) // 'pro' does not include it
	w.exec(t, `update public.user_subscriptions s set plan_id = p.id from public.subscription_plans p where p.tier = 'premium' and s.user_id = $1`, w.owner.id)
	w.do(t, w.owner, promote, w.shop)
	const found = `select count(*) from public.promoted_businesses(find_desc => $1, find_loc => $2) where id = $3`
	for _, search := range []struct{ desc, loc, want string }{
		{"peluqueria", "Madrid", "1"}, {"", "", "1"}, {"peluqueria", "Barcelona", "0"}, {"fontaneria", "Madrid", "0"},
	} {
		if got := w.ask(t, anon, found, search.desc, search.loc, w.shop); got != search.want {
			t.Errorf("%q in %q finds %s, want %s", search.desc, search.loc, got, search.want)
		}
	}
	w.exec(t, `update public.user_subscriptions set subscribed = false where user_id = $1`, w.owner.id)
	if got := w.ask(t, anon, found, "", "", w.shop); got != "0" {
		t.Error("the promoted place outlives the plan")
	}
	w.fails(t, w.owner, "", `update public.businesses set is_promoted = false where id = $1`, w.shop)
}
