package rls

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// In a large directory the plan of a search, and a count of more than 5,000, come from a sample.
func TestSampledSearches(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `set local plaza.seeding = 'on'`)
	// Every second one is a bar, every tenth of these in Encamp, and one in a thousand is a vet. Bars are the best and the oldest.
	// One in 61 is of the large sample, the first thousand are the small one.
	w.exec(t, `insert into public.businesses (id, name, type, location, source, rating, user_ratings_total, created_at)
		select ('90000000-0000-4000-8000-' || lpad(to_hex(n), 10, '0') || case when n % 61 = 0 then '00' else '01' end)::uuid, 'Place ' || n,
			case when n % 1000 = 1 then 'Veterinario' when n % 2 = 0 then 'Bar' else 'Dentista' end,
			case when n % 20 = 0 then 'Encamp, Andorra' else 'Madrid' end, 'manual',
			5 - n % 2 - n % 9 * 0.05, 100, now() - make_interval(days => 1 - n % 2, secs => n)
		from generate_series(1, 5000) as n`)
	w.exec(t, `analyze public.businesses`)
	const search = `private.search_of($1, $2, null, null, null, null, null, null, null, null, null, null, null, null)`

	for _, tt := range []struct {
		text, place string
		hits        int
		broad       bool
	}{{"bar", "", 2500, true}, {"bar", "Madrid", 2250, true}, {"bar", "Encamp", 250, false}, {"veterinario", "", 5, false}, {"xyzzy", "", 0, false}} {
		hits, err := strconv.Atoi(w.text(t, `select (private.estimated(s)).hits::text from `+search+` s`, tt.text, tt.place))
		if err != nil {
			t.Fatal(err)
		}
		if hits < tt.hits*3/4-64 || hits > tt.hits*4/3+64 {
			t.Errorf("%q in %q: %d hits are estimated, of %d", tt.text, tt.place, hits, tt.hits)
		}
		if got := w.text(t, `select (private.tried(s)).is_broad::text from `+search+` s`, tt.text, tt.place); got != strconv.FormatBool(tt.broad) {
			t.Errorf("%q in %q: broad is %s", tt.text, tt.place, got)
		}
	}
	const newest = `private.search_of($1, null, null, null, null, null, null, null, null, null, null, null, null, 'newest')`
	for text, broad := range map[string]string{"bar": "false", "dentista": "true"} { // no bar is among the first
		if got := w.text(t, `select (private.tried(s)).is_broad::text from `+newest+` s`, text); got != broad {
			t.Errorf("the newest %q: broad is %s", text, got)
		}
	}

	// Dentists are many, but not among the first in order, so they are collected from the best down.
	if got := w.text(t, `select (private.tried(s)).best_steps::text from `+search+` s`, "dentista", ""); got != "{790,781,745,0}" {
		t.Errorf("the steps of dentists are %s", got)
	}
	best := list(t, w.tx, `select name from best_businesses('dentista') limit 50 offset 100`)
	want := list(t, w.tx, `select name from businesses where search_document @@ 'dentista' order by ranking desc, created_at desc limit 50 offset 100`)
	if diff := cmp.Diff(want, best); diff != "" {
		t.Errorf("the best dentists (-want +got):\n%s", diff)
	}

	count := func() string {
		return w.text(t, `select public.count_businesses('bar')::text`)
	}
	bars := w.text(t, `select count(*)::text from public.businesses where search_document @@ 'bar'`)
	if got := count(); got != bars {
		t.Errorf("%s bars are counted, of %s", got, bars)
	}
	for hits, want := range map[string]string{"500": "true", "2000": "false"} { // of 2,500
		if got := w.text(t, `select private.has_more_than(s, $3)::text from `+search+` s`, "bar", "", hits); got != want {
			t.Errorf("more than %s bars: %s", hits, got)
		}
	}
	// The large sample alone shows it, too.
	w.exec(t, `create or replace function private.sampled_businesses() returns setof public.businesses
		language sql stable as 'select * from public.businesses where false'`)
	for hits, want := range map[string]string{"500": "true", "2000": "false"} {
		if got := w.text(t, `select private.has_more_than(s, $3)::text from `+search+` s`, "bar", "", hits); got != want {
			t.Errorf("more than %s bars by the large sample: %s", hits, got)
		}
	}
	w.exec(t, `create or replace function private.has_more_than(s private.search, p_hits integer) returns boolean language sql as 'select p_hits = 5000'`)
	if got := count(); got != "5001" {
		t.Errorf("of surely more than 5,000, %s are counted", got)
	}
}

// After the last analysis all businesses may have been deleted.
func TestSampleOfNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `delete from public.bookings`)
	w.exec(t, `delete from public.businesses`)
	w.exec(t, `create or replace function private.directory_size() returns real language sql as 'select 100000::real'`)
	if got := w.ask(t, anon, `select count_businesses('bar') || ' ' || (select count(*) from best_businesses('bar'))`); got != "0 0" {
		t.Error(got)
	}
}
