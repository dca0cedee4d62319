package rls

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// S-32, RULE-20, C-49: who may review.
func TestReviewRules(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const review = `insert into public.reviews (business_id, rating, comment) values ($1, 5, $2)`
	w.fails(t, w.ana, "no_completed_booking", review, w.shop, "A fine place to be")
	w.fails(t, w.owner, "own_business", review, w.shop, "A fine place to be")
	w.exec(t, `delete from public.reviews where id = $1`, w.bensReview)
	w.fails(t, w.ben, "", review, w.shop, "A fine place to be")
	w.fails(t, w.ben, "23514", review, w.shop, "<i></i><script>x</script>") // nothing but markup
	got := w.ask(t, w.ben, review+` returning comment`, w.shop, `<b onclick="x()">Fine</b> <script src=x>place</script> <img src=x onerror=y> 2 < 3`)
	if want := "<b>Fine</b> place  2 < 3"; got != want {
		t.Errorf("stored %q, want %q", got, want)
	}
}

// RULE-20: a review can be changed for a while.
func TestReviewEditPeriod(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const change = `update public.reviews set rating = 2 where id = $1`
	for days, want := range map[int]string{29: "", 31: "review_closed"} {
		w.exec(t, `update public.reviews set created_at = now() - make_interval(days => $2) where id = $1`, w.bensReview, days)
		w.fails(t, w.ben, want, change, w.bensReview)
	}
}

// SEARCH-21, DATA-02, S-32: ratings follow the reviews.
func TestRatings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rating := func() string {
		return w.text(t, `select concat_ws(' ', rating, combined_rating, user_ratings_total, sort_rating) from public.businesses where id = $1`, w.shop)
	}
	got := []string{rating()}
	for _, sql := range []string{
		`insert into public.reviews (business_id, user_id, rating) values ($1, '` + w.ana.id + `', 1)`,
		`update public.reviews set rating = 3 where business_id = $1 and rating = 1`,
		`update public.businesses set rating_sources = '[{"source": "x", "rating": 5, "count": 2}]' where id = $1`,
		`delete from public.reviews where business_id = $1 and rating = 3`,
		`delete from public.reviews where business_id = $1`,
	} {
		w.exec(t, sql, w.shop)
		got = append(got, rating())
	}
	want := []string{"4.00 4.00 1 4.00", "2.50 2.50 2 2.50", "3.50 3.50 2 3.50", "3.50 3.50 2 3.50", "4.00 4.67 3 4.67", "5.00 2 5.00"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rating, combined, total, sort (-want +got):\n%s", diff)
	}
}

// BIZ-11: anybody can read the distribution of a business's stars, which counts only its own
// reviews.
func TestRatingDistribution(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `insert into public.reviews (business_id, user_id, rating) values ($1, $2, 1)`, w.shop, w.ana.id)
	w.exec(t, `insert into public.reviews (business_id, user_id, rating) select $1, null, 4 from generate_series(1, 1200)`, w.shop)
	const spread = `select string_agg(stars || ':' || reviews, ' ') from public.rating_distribution($1)`
	for _, who := range []caller{anon, w.ana} {
		if got, want := w.ask(t, who, spread, w.shop), "4:1201 1:1"; got != want {
			t.Errorf("spread %q, want %q", got, want)
		}
	}
	if got := w.ask(t, anon, `select count(*)::text from public.rating_distribution($1)`, w.rivalShop); got != "0" {
		t.Errorf("%s ratings of a business without reviews", got)
	}
}

// S-30, NOTIF-01, NOTIF-05: which notifications are sent to whom.
func TestNotifications(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `update public.businesses set name = 'Shop' where id = $1`, w.shop)
	tests := []struct {
		event     string
		who       caller
		sql       string
		recipient caller
		kind, is  string
	}{
		{"a booking", w.ana, `insert into public.bookings (business_id, service_id, booking_date, start_time) values ($1, '` + w.haircut + `', current_date + 9, '09:00')`,
			w.owner, "booking", "New booking for Shop"},
		{"a confirmation", w.owner, `select public.set_booking_status(id, 'confirmed') from public.bookings where business_id = $1 and status = 'pending'`,
			w.ben, "booking", " confirmed your booking"},
		{"a cancellation by the customer", w.ben, `select public.cancel_booking(id) from public.bookings where business_id = $1 and status = 'pending'`,
			w.owner, "booking", "A booking was cancelled"},
		{"a cancellation by the business", w.owner, `with c as materialized (select id from public.bookings where business_id = $1 and status = 'pending'),
			d as materialized (select public.set_booking_status(id, 'confirmed'), id from c) select public.cancel_booking(id) from d`,
			w.ben, "booking", " cancelled your booking"},
		{"a declined request", w.owner, `select public.cancel_booking(id, 'Fully booked') from public.bookings where business_id = $1 and status = 'pending'`,
			w.ben, "booking", " declined your booking"},
		{"a message", w.ana, `insert into public.messages (business_id, content) values ($1, 'Hello')`, w.owner, "message", "New message about Shop"},
		{"an answer to a review", w.owner, `insert into public.review_responses (review_id, content) select id, 'Thanks' from public.reviews where business_id = $1`,
			w.ben, "review", "Shop answered your review"},
	}
	for _, tt := range tests {
		t.Run(tt.event, func(t *testing.T) {
			tx := w.as(t, tt.who)
			if _, err := tx.Exec(t.Context(), `set constraints all immediate`); err != nil {
				t.Fatal(err)
			}
			if _, err := tx.Exec(t.Context(), tt.sql, w.shop); err != nil {
				t.Fatal(err)
			}
			if _, err := tx.Exec(t.Context(), `reset role`); err != nil {
				t.Fatal(err)
			}
			got := queryText(t, tx, `select count(*)::text from public.notifications where user_id = $1 and type = $2 and title like '%' || $3 and not read`, tt.recipient.id, tt.kind, tt.is)
			if got != "1" {
				t.Errorf("%s has %s notifications %q", tt.recipient.name, got, tt.is)
			}
		})
	}
}

// S-31, MSG-01, MSG-03.
func TestMessageRules(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const write = `insert into public.messages (business_id, recipient_id, content) values ($1, $2, 'Hello')`
	w.fails(t, w.ana, "business_without_owner", write, w.unclaimed, w.ada.id)
	w.fails(t, w.owner, "no_conversation", write, w.shop, w.ana.id)
	w.fails(t, w.owner, "no_conversation", write, w.shop, nil)
	w.fails(t, w.owner, "", write, w.shop, w.ben.id)
	w.fails(t, w.ana, "too_many_messages", `insert into public.messages (business_id, content) select $1, 'Hello ' || n from generate_series(1, 21) n`, w.shop)
	// The recipient is derived from the business's owner, whatever the call specifies.
	got := w.ask(t, w.ana, write+` returning (recipient_id = '`+w.owner.id+`' and sender_id = '`+w.ana.id+`')::text`, w.shop, w.ben.id)
	if got != "true" {
		t.Error("the message did not go to the owner")
	}
	conversations := `select concat_ws(' ', other_name, last_content, last_sent_by_me, unread) from public.my_conversations()`
	answers := []string{w.ask(t, w.owner, conversations), w.ask(t, w.ben, conversations), w.ask(t, w.ana, `select count(*)::text from public.my_conversations()`)}
	if diff := cmp.Diff([]string{"ben Are you open? f 1", "owner Are you open? t 0", "0"}, answers); diff != "" {
		t.Errorf("conversations (-want +got):\n%s", diff)
	}
}

// DATA-23: the last ten searches, without duplicates.
func TestRecentSearches(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tx := w.as(t, w.ana)
	for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 5} {
		if _, err := tx.Exec(t.Context(), `insert into public.recent_searches (query) values ('search ' || $1::integer)`, n); err != nil {
			t.Fatal(err)
		}
	}
	if got := queryText(t, tx, `select count(*) || ' ' || count(*) filter (where query = 'search 5') from public.recent_searches`); got != "10 1" {
		t.Errorf("kept %s, want ten with one of the repeated", got)
	}
}
