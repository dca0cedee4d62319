package rls

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	toTheShop  = `insert into public.messages (business_id, content) values ($1, $2)`
	toCustomer = `insert into public.messages (business_id, recipient_id, content) values ($1, $2, $3)`
)

// A conversation belongs to one customer and one owner: the first message creates it, it stores the
// time of its last message, and survives the deletion of either account.
func TestConversations(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const time = `update public.messages set created_at = created_at - interval '1 minute'`
	w.do(t, w.ana, toTheShop, w.shop, "Hello")
	w.exec(t, time)
	w.do(t, w.owner, toCustomer, w.shop, w.ana.id, "Good morning")
	w.exec(t, time)
	w.do(t, w.ana, toTheShop, w.shop, "Are you open?")
	const mine = `select string_agg(concat_ws(' ', other_name, is_owner, last_content, last_sent_by_me, unread, is_open), '; ' order by other_name) from public.my_conversations()`
	got := []string{w.ask(t, w.owner, mine), w.ask(t, w.ana, mine)}
	want := []string{"ana t Are you open? f 2 t; ben t Are you open? f 1 t", "owner f Are you open? t 1 t"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	id := w.text(t, `select id from public.conversations where customer_id = $1`, w.ana.id)
	const notified = `select count(*) filter (where not read) || ' of ' || count(*) from public.notifications where user_id = $1 and link = '/messages?conversation=' || $2::text`
	if got := w.text(t, notified, w.owner.id, id); got != "1 of 1" {
		t.Errorf("the owner's notifications are %s (unread of all)", got)
	}
	w.do(t, w.ben, `select public.mark_conversation_read($1)`, id) // a stranger's call has no effect
	w.do(t, w.owner, `select public.mark_conversation_read($1)`, id)
	if got := w.ask(t, w.owner, mine); got != "ana t Are you open? f 0 t; ben t Are you open? f 1 t" {
		t.Errorf("after reading: %s", got)
	}
	if got := w.text(t, notified, w.owner.id, id); got != "0 of 1" {
		t.Errorf("after reading, the owner's notifications are %s (unread of all)", got)
	}
	if got := w.text(t, `select count(*) filter (where not read)::text from public.messages where conversation_id = $1`, id); got != "1" {
		t.Errorf("%s messages are unread, want ana's one", got)
	}
	w.exec(t, `delete from public.profiles where id = $1`, w.ana.id)
	if got := w.ask(t, w.owner, mine); got != "ben t Are you open? f 1 t; t Are you open? 0 f" {
		t.Errorf("without ana: %s", got)
	}
}

// A blocked conversation accepts no messages, in either direction.
func TestBlockedConversations(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.text(t, `select id from public.conversations where customer_id = $1`, w.ben.id)
	const block = `select public.block_conversation($1, $2)`
	w.fails(t, w.ana, "conversation_not_found", block, id, true)
	w.fails(t, w.ana, "conversation_not_found", block, nil, true)
	w.do(t, w.ben, block, id, true)
	w.do(t, w.owner, block, id, false) // removes only the caller's own block
	w.fails(t, w.owner, "conversation_blocked", toCustomer, w.shop, w.ben.id, "Hello?")
	w.fails(t, w.ben, "conversation_blocked", toTheShop, w.shop, "Hello?")
	w.fails(t, w.ana, "", toTheShop, w.shop, "Hello?")
	w.do(t, w.ben, block, id, false)
	w.fails(t, w.owner, "", toCustomer, w.shop, w.ben.id, "Hello?")
}

// A new owner cannot read messages to the previous one.
func TestNewOwnerCannotReadOldConversations(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `update public.businesses set owner_id = $2 where id = $1`, w.shop, w.rival.id)
	for _, who := range []caller{w.rival, w.ana} {
		if got := w.ask(t, who, `select count(*)::text from public.my_conversations()`); got != "0" {
			t.Errorf("%s has %s conversations", who.name, got)
		}
	}
	w.fails(t, w.owner, "", toTheShop, w.shop, "I was the owner")
	w.do(t, w.ben, toTheShop, w.shop, "Who are you?")
	if got := w.ask(t, w.ben, `select string_agg(other_name || ' ' || is_open, ' ' order by other_name) from public.my_conversations()`); got != "owner false rival true" {
		t.Errorf("ben's conversations: %s", got)
	}
}

// Photos of a message are the sender's own files, visible only to both parties.
func TestMessagePhotos(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const put = `insert into storage.objects (bucket_id, name, owner_id) values ('message-photos', $1, $2)`
	w.fails(t, w.ben, "", put, w.ben.id+"/a.png", w.ben.id)
	w.fails(t, w.ben, "42501", put, w.ana.id+"/a.png", w.ben.id)
	w.fails(t, w.ben, "42501", put, w.ben.id+"/b/a.png", w.ben.id)
	w.fails(t, w.ben, "42501", put, w.ben.id+"/a.svg", w.ben.id)
	photo := w.ben.id + "/a.png"
	w.exec(t, put, photo, w.ben.id)
	const send = `insert into public.messages (business_id, content, attachments) values ($1, $2, $3)`
	w.fails(t, w.ben, "attachment_not_found", send, w.shop, "Look", []string{w.ben.id + "/none.png"})
	w.fails(t, w.ana, "attachment_not_found", send, w.shop, "Look", []string{photo})
	w.fails(t, w.ben, "23514", send, w.shop, "Look", []string{photo, photo, photo, photo, photo})
	w.fails(t, w.ben, "23514", send, w.shop, " ", []string{})
	const seen = `select count(*)::text from storage.objects where bucket_id = 'message-photos'`
	look := func() (counts []string) {
		for _, who := range []caller{w.ben, w.owner, w.ana, anon} {
			counts = append(counts, w.ask(t, who, seen))
		}
		return counts
	}
	if diff := cmp.Diff([]string{"1", "0", "0", "0"}, look()); diff != "" {
		t.Errorf("before it is sent (-want +got):\n%s", diff)
	}
	w.do(t, w.ben, send, w.shop, "", []string{photo})
	if diff := cmp.Diff([]string{"1", "1", "0", "0"}, look()); diff != "" {
		t.Errorf("after it is sent (-want +got):\n%s", diff)
	}
}

// A photo that was not sent can be deleted, and is a day later, so that it does not count for good.
func TestUnsentMessagePhotos(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const (
		put  = `insert into storage.objects (bucket_id, name, owner_id, created_at) values ('message-photos', $1, $2, now() - $3::integer * interval '1 day')`
		send = `insert into public.messages (business_id, content, attachments) values ($1, 'Look', $2)`
	)
	w.exec(t, `select set_config('storage.allow_delete_query', 'true', true)`) // as the storage service does
	for name, days := range map[string]int{"sent.png": 3, "old.png": 2, "next.png": 2, "fresh.png": 0} {
		w.exec(t, put, w.ben.id+"/"+name, w.ben.id, days)
	}
	w.exec(t, put, w.ana.id+"/old.png", w.ana.id, 2)
	left := func() string {
		return w.text(t, `select string_agg(substring(name from '[^/]+$'), ' ' order by name) from storage.objects where bucket_id = 'message-photos' and owner_id = $1`, w.ben.id)
	}
	w.exec(t, `update public.messages set attachments = array[$2] where id = $1`, w.bensMessage, w.ben.id+"/sent.png")
	w.do(t, w.ana, `delete from storage.objects where bucket_id = 'message-photos' and name like '%/fresh.png'`)
	w.do(t, w.ben, `delete from storage.objects where bucket_id = 'message-photos' and name like '%/sent.png'`)
	if got := left(); got != "fresh.png next.png old.png sent.png" {
		t.Fatalf("left are %s", got)
	}
	w.do(t, w.ben, send, w.shop, []string{w.ben.id + "/next.png"})
	if got := left(); got != "fresh.png next.png sent.png" {
		t.Errorf("after a message, left are %s", got)
	}
	w.do(t, w.ben, `delete from storage.objects where bucket_id = 'message-photos' and name like '%/fresh.png'`)
	if got := left(); got != "next.png sent.png" {
		t.Errorf("after deleting one, left are %s", got)
	}
	if got := w.text(t, `select count(*)::text from storage.objects where owner_id = $1`, w.ana.id); got != "1" {
		t.Error("somebody else's photo is gone")
	}
}
