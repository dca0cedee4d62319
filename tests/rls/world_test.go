// Package rls tests the rules of the database: who may see and do what (access tables), and the
// rules that its constraints, triggers and functions enforce. Each case acts as the data API does
// for its caller.
package rls

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"plaza/tests/testkit"
)

// caller is a role of the API and, if signed in, a user.
type caller struct {
	name, role, id string
	claims         map[string]any
}

var (
	anon    = caller{name: "anon", role: "anon"}
	service = caller{name: "service_role", role: "service_role"}
)

// world is a small marketplace in a separate transaction: two customers, the owner of a shop, the
// owner of another one, and an admin.
type world struct {
	tx                          pgx.Tx
	ana, ben, owner, rival, ada caller

	shop, rivalShop, unclaimed string // businesses
	haircut, rivalService      string // services, 60 minutes each
	bensBooking                string // pending, a week ahead at 10:00
	bensVisit                  string // completed
	bensReview                 string
	bensFavorite               string
	bensNotification           string
	bensMessage                string // to the owner
	bensApplication            string
	bensClaim                  string // of unclaimed
	bensReport                 string
	photo                      string
}

var worlds atomic.Int64

const alwaysOpen = `'{"structured": {
	"monday": {"open": "00:00", "close": "00:00", "isOpen": true}, "tuesday": {"open": "00:00", "close": "00:00", "isOpen": true},
	"wednesday": {"open": "00:00", "close": "00:00", "isOpen": true}, "thursday": {"open": "00:00", "close": "00:00", "isOpen": true},
	"friday": {"open": "00:00", "close": "00:00", "isOpen": true}, "saturday": {"open": "00:00", "close": "00:00", "isOpen": true},
	"sunday": {"open": "00:00", "close": "00:00", "isOpen": true}}}'`

// newWorld creates a world that is rolled back when the test ends.
func newWorld(t *testing.T) *world {
	t.Helper()
	// A separate database: worlds share counters, and would wait for each other.
	tx, err := testkit.DB(t).Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tx.Rollback(context.Background()) })
	return fillWorld(t, tx)
}

// fillWorld creates a world in tx; its names differ from other worlds'.
func fillWorld(t *testing.T, tx pgx.Tx) *world {
	t.Helper()
	w := &world{tx: tx}
	n := worlds.Add(1)
	user := func(name, role string) caller {
		id := testkit.User(t, tx, fmt.Sprintf("%s%d@example.com", name, n))
		w.exec(t, "update public.profiles set full_name = $2, role = $3 where id = $1", id, name, role)
		return caller{name: name, role: "authenticated", id: id}
	}
	w.ana, w.ben = user("ana", "user"), user("ben", "user")
	w.owner, w.rival, w.ada = user("owner", "owner"), user("rival", "owner"), user("ada", "admin")

	const business = `insert into public.businesses (owner_id, name, type, location, hours, is_claimed, city_slug, category_code)
		values ($1::uuid, $2, 'Peluquería', 'Madrid', ` + alwaysOpen + `, $1::uuid is not null, 'madrid', 'hair') returning id::text`
	w.shop = w.text(t, business, w.owner.id, fmt.Sprintf("Shop %d", n))
	w.rivalShop = w.text(t, business, w.rival.id, fmt.Sprintf("Rival shop %d", n))
	w.unclaimed = w.text(t, business, nil, fmt.Sprintf("Unclaimed %d", n))

	const newService = `insert into public.services (business_id, name, price, duration) values ($1, 'Haircut', 20, 60) returning id::text`
	w.haircut, w.rivalService = w.text(t, newService, w.shop), w.text(t, newService, w.rivalShop)
	w.photo = w.text(t, `insert into public.business_photos (business_id, photo_url) values ($1, 'https://example.com/a.png') returning id::text`, w.shop)
	w.exec(t, `insert into public.url_redirects (old_url, new_url, business_id) values ('/old/' || $1::text, '/new/' || $1::text, $1::uuid)`, w.shop)
	w.exec(t, `insert into public.business_former_slugs (slug, business_id) values ('former-' || $1::text, $1::uuid)`, w.shop)
	w.exec(t, `insert into public.business_categories select $1, id from public.categories limit 1`, w.shop)
	w.exec(t, `insert into public.business_availability (business_id, weekday, is_open, slots)
		select $1, weekday, true, '[{"start": "00:00", "end": "24:00"}]'
		from unnest(array['monday','tuesday','wednesday','thursday','friday','saturday','sunday']) as weekday`, w.shop)
	w.exec(t, `insert into public.blackout_dates (business_id, blackout_date) values ($1, current_date + 90)`, w.shop)

	const booking = `insert into public.bookings (business_id, user_id, service_id, booking_date, start_time, status)
		values ($1, $2, $3, current_date + $4::integer, '10:00', $5) returning id::text`
	w.bensBooking = w.text(t, booking, w.shop, w.ben.id, w.haircut, 7, "pending")
	w.bensVisit = w.text(t, booking, w.shop, w.ben.id, w.haircut, -7, "completed")
	w.exec(t, `insert into public.booking_notes (booking_id, note) values ($1, 'Likes coffee')`, w.bensBooking)
	w.bensReview = w.text(t, `insert into public.reviews (business_id, user_id, rating, comment)
		values ($1, $2, 4, 'Friendly and on time') returning id::text`, w.shop, w.ben.id)
	w.bensFavorite = w.text(t, `insert into public.favorites (user_id, business_id) values ($1, $2) returning id::text`, w.ben.id, w.shop)
	w.exec(t, `insert into public.recent_searches (user_id, query) values ($1, 'hair')`, w.ben.id)
	w.exec(t, `insert into public.search_alerts (user_id, find_desc, find_loc) values ($1, 'sushi', 'Girona')`, w.ben.id)
	w.bensNotification = w.text(t, `insert into public.notifications (user_id, type, title, content)
		values ($1, 'other', 'Hello', 'Welcome') returning id::text`, w.ben.id)
	w.bensMessage = w.text(t, `insert into public.messages (sender_id, recipient_id, business_id, content)
		values ($1, $2, $3, 'Are you open?') returning id::text`, w.ben.id, w.owner.id, w.shop)
	w.bensApplication = w.text(t, `insert into public.seller_applications (user_id, business_name, business_type, location)
		values ($1, 'Ben''s bikes', 'Bikes', 'Madrid') returning id::text`, w.ben.id)
	w.bensClaim = w.text(t, `insert into public.claim_requests (user_id, business_id, full_name, business_email, role_at_company, verification_method)
		values ($1, $2, 'Ben', 'ben@example.com', 'Manager', 'email_domain') returning id::text`, w.ben.id, w.unclaimed)
	w.bensReport = w.text(t, `insert into public.reports (reporter_id, reported_id, type, reason)
		values ($1, $2, 'business', 'Spam') returning id::text`, w.ben.id, w.rivalShop)
	w.exec(t, `insert into public.user_subscriptions (user_id, plan_id, subscribed)
		select $1, id, true from public.subscription_plans where tier = 'pro'`, w.owner.id)
	w.exec(t, `insert into public.business_metrics (business_id, metric_date) values ($1, current_date)`, w.shop)
	w.exec(t, `insert into public.advertiser_metrics (business_id, metric_date) values ($1, current_date)`, w.shop)
	w.exec(t, `insert into public.support_tickets (user_id, subject, message) values ($1, 'Hello', 'Is anybody there?')`, w.ben.id)
	w.exec(t, `insert into public.user_security_events (user_id, event_type) values ($1, 'failed_login')`, w.ben.id)
	w.exec(t, `insert into public.notification_settings (user_id, kind, by_mail) values ($1, 'booking_changed', true)`, w.ben.id)
	w.signIn(t, w.ben)
	return w
}

// signIn creates an auth session as the auth server does and returns its id.
func (w *world) signIn(t *testing.T, who caller) string {
	t.Helper()
	return w.text(t, `insert into auth.sessions (id, user_id, created_at, user_agent, ip)
		values (gen_random_uuid(), $1, now(), 'test', '203.0.113.7') returning id::text`, who.id)
}

// exec runs a statement as the superuser.
func (w *world) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	if _, err := w.tx.Exec(t.Context(), sql, args...); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// text runs a query of one value as the superuser; null is the empty string.
func (w *world) text(t *testing.T, sql string, args ...any) string {
	t.Helper()
	return queryText(t, w.tx, sql, args...)
}

// as begins a caller's transaction, which is rolled back when t ends.
func (w *world) as(t *testing.T, who caller) pgx.Tx {
	t.Helper()
	claims := map[string]any{}
	if who.id != "" {
		claims["sub"] = who.id
	}
	for name, value := range who.claims {
		claims[name] = value
	}
	return testkit.As(t, w.tx, who.role, claims)
}

// ask runs a query of one value as a caller and rolls back.
func (w *world) ask(t *testing.T, who caller, sql string, args ...any) string {
	t.Helper()
	tx := w.as(t, who)
	answer := queryText(t, tx, sql, args...)
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	return answer
}

// do runs sql as a caller and keeps its changes.
func (w *world) do(t *testing.T, who caller, sql string, args ...any) {
	t.Helper()
	tx := w.as(t, who)
	if _, err := tx.Exec(t.Context(), sql, args...); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	if _, err := tx.Exec(t.Context(), `reset role; set local request.jwt.claims = ''`); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// with returns the caller with an additional claim.
func (c caller) with(claim string, value any) caller {
	claims := map[string]any{claim: value}
	for name, have := range c.claims {
		claims[name] = have
	}
	c.claims = claims
	return c
}

func queryText(t *testing.T, db testkit.Querier, sql string, args ...any) string {
	t.Helper()
	text, err := tryText(t.Context(), db, sql, args...)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return text
}

func tryText(ctx context.Context, db testkit.Querier, sql string, args ...any) (string, error) {
	var text *string
	err := db.QueryRow(ctx, sql, args...).Scan(&text)
	if text == nil {
		return "", err
	}
	return *text, err
}

// code returns the code with which a client identifies a failure: the stable code of our own rules,
// otherwise the SQLSTATE; empty without an error.
func code(err error) string {
	if err == nil {
		return ""
	}
	pgErr, ok := asPgError(err)
	if !ok {
		return err.Error()
	}
	if len(pgErr.Code) == 5 && pgErr.Code[:2] == "PT" {
		return pgErr.Detail
	}
	return pgErr.Code
}

// fails checks that sql, run as the caller, fails with a code; an empty code means that it must
// succeed.
func (w *world) fails(t *testing.T, who caller, want, sql string, args ...any) {
	t.Helper()
	t.Run(who.name+" "+want, func(t *testing.T) {
		_, err := w.as(t, who).Exec(t.Context(), sql, args...)
		if got := code(err); got != want {
			t.Errorf("%s\ngot code %q (%v), want %q", sql, got, err, want)
		}
	})
}
