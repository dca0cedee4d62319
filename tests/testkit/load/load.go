// Package load runs clients that perform a mix of actions on a server and check every response. They know
// what they wrote, so Verify can find acknowledged writes that are lost and refused ones that exist.
package load

import (
	"context"
	"net"
	"net/http"
	"time"
)

// Migration creates the tables and the bucket that the clients use.
const Migration = `
	create extension if not exists btree_gist with schema extensions;
	create table public.items (id uuid primary key, owner uuid not null default auth.uid(), body text not null, version int not null default 0);
	create table public.bookings (id uuid primary key, owner uuid not null default auth.uid(), during int4range not null,
		exclude using gist (during with &&));
	create table public.pairs (id uuid primary key, pair uuid not null, owner uuid not null default auth.uid());
	alter table public.items enable row level security;
	alter table public.bookings enable row level security;
	alter table public.pairs enable row level security;
	create policy own on public.items to authenticated using (owner = (select auth.uid()));
	create policy own on public.bookings to authenticated using (owner = (select auth.uid()));
	create policy own on public.pairs to authenticated using (owner = (select auth.uid()));
	alter publication supabase_realtime add table public.items;
	insert into storage.buckets (id, name, public) values ('files', 'files', false);
	create policy own_files on storage.objects to authenticated using (owner_id = (select auth.uid())::text) with check (true);`

// Target is what the clients send their requests to.
type Target struct {
	URL, Anon string       // its address, and its key for anonymous users
	HTTP      *http.Client // with a timeout that is longer than any outage can delay a request

	// MayFail reports whether a request that began at a time may fail, since something was down.
	MayFail func(began time.Time) bool

	// Dial connects for WebSockets. If it is set, each client also listens to the changes of its items.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	// Pause is how long a client waits between two actions.
	Pause time.Duration
}
