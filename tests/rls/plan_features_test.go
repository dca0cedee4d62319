package rls

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func supportAccess(w *world) []access {
	const ticket = "(subject, message) values ('A question', 'How does it work?')"
	bens := rowWhere("ben's question", "support_tickets", "user_id", w.ben.id)
	return []access{
		{w.ana, "insert", newRow("a question", "support_tickets", ticket), allowed},
		{anon, "insert", newRow("a question", "support_tickets", ticket), refused},
		{w.ana, "insert", newRow("one that comes first", "support_tickets", "(subject, message, is_priority) values ('A question', 'How does it work?', true)"), refused},
		{w.ben, "select", bens, allowed},
		{w.ana, "select", bens, hidden},
		{w.ada, "select", bens, allowed},
		{anon, "select", bens, refused},
		{w.ben, "update answer = 'So'", bens, hidden},
		{w.ada, "update answer = 'So'", bens, allowed},
		{w.ada, "update message = 'Something else than was asked'", bens, refused},
		{w.ada, "delete", bens, refused},
	}
}

// SUB-07: tickets of users with priority support come first; each is answered once, and its author
// notified.
func TestSupportTickets(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const ask = `insert into public.support_tickets (subject, message) values ('  Payments ', 'When am I paid for a booking?')`
	w.exec(t, `update public.user_subscriptions s set plan_id = p.id from public.subscription_plans p where p.tier = 'premium' and s.user_id = $1`, w.owner.id)
	for _, who := range []caller{w.ana, w.rival, w.owner} {
		w.do(t, who, ask)
	}
	const line = `select string_agg(p.full_name, ' ' order by t.is_priority desc, t.created_at, p.full_name)
		from public.support_tickets t join public.profiles p on p.id = t.user_id where t.subject = 'Payments'`
	if got, want := w.ask(t, w.ada, line), "owner ana rival"; got != want {
		t.Errorf("in line: %s, want %s", got, want)
	}
	const answer = `update public.support_tickets set answer = 'Each Monday' where user_id = '`
	w.do(t, w.ada, answer+w.ana.id+`'`)
	notification := w.ask(t, w.ana, `select concat_ws(', ', n.title, n.content) from public.notifications n where n.link = '/contact?ticket=' || (select t.id from public.support_tickets t)`)
	if want := "Your question was answered, Payments"; notification != want {
		t.Errorf("notification %q, want %q", notification, want)
	}
	w.fails(t, w.ada, "already_answered", answer+w.ana.id+`'`)
	w.exec(t, `insert into public.support_tickets (user_id, subject, message) select $1, 'More', 'Another question' from generate_series(1, 9)`, w.rival.id)
	w.fails(t, w.rival, "too_many_tickets", ask)
}

// SUB-07: a logo can be set and is shown while the plan includes logos.
func TestLogos(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const base = "/storage/v1/object/public/business-logos/"
	const set = `update public.businesses set logo_url = $2 where id = $1`
	const shown = `select b.logo from public.businesses b where id = $1`
	object := w.owner.id + "/" + w.shop + "/1.png"
	w.exec(t, `insert into storage.objects (bucket_id, name, owner_id) values ('business-logos', $1, $2)`, object, w.owner.id)
	w.fails(t, w.owner, "not_a_logo", set, w.shop, base+w.owner.id+"/"+w.rivalShop+"/1.png")
	w.fails(t, w.owner, "not_a_logo", set, w.shop, "https://example.com/1.png")
	w.fails(t, w.rival, "plan_logo", set, w.rivalShop, base+w.rival.id+"/"+w.rivalShop+"/1.png")
	w.do(t, w.owner, set, w.shop, base+object)
	got := []string{w.ask(t, anon, shown, w.shop)}
	// A row that a caller makes up does not tell who has a plan (S-03).
	const madeUp = `select coalesce(public.logo(jsonb_populate_record(null::public.businesses, jsonb_build_object('owner_id', $1::text, 'logo_url', 'x'))), '')`
	got = append(got, w.ask(t, anon, madeUp, w.owner.id))
	w.exec(t, `update public.user_subscriptions set subscribed = false where user_id = $1`, w.owner.id)
	got = append(got, w.ask(t, anon, shown, w.shop))
	w.do(t, w.owner, set, w.shop, nil) // a hidden logo can be removed
	got = append(got, w.text(t, `select count(*) from storage.objects where name = $1`, object))
	if diff := cmp.Diff([]string{base + object, "", "", "0"}, got); diff != "" {
		t.Errorf("shown with a plan, for a made-up row, without a plan, objects left (-want +got):\n%s", diff)
	}
}
