package rls

import (
	"strconv"
	"testing"
)

// In a large directory the plan of a search, and a count of more than 5,000, come from a sample.
func TestSampledSearches(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `set local plaza.seeding = 'on'`)
	// Every second one is a bar, every tenth of these in Encamp, and one in a thousand is a vet. Bars are the best and the oldest.
	w.exec(t, `insert into public.businesses (name, type, location, source, rating, user_ratings_total, created_at)
		select 'Place ' || n, case when n % 1000 = 1 then 'Veterinario' when n % 2 = 0 then 'Bar' else 'Dentista' end,
			case when n % 20 = 0 then 'Encamp, Andorra' else 'Madrid' end, 'manual',
			5 - n % 2, 100, now() - make_interval(days => 1 - n % 2)
		from generate_series(1, 5000) as n`)
	w.exec(t, `analyze public.businesses`)
	const search = `private.search_of($1, $2, null, null, null, null, null, null, null, null, null, null, null, null)`

	for _, tt := range []struct {
		text, place string
		is          float64
		broad       bool
	}{{"bar", "", 0.5, true}, {"bar", "Madrid", 0.45, true}, {"bar", "Encamp", 0.05, false}, {"veterinario", "", 0.001, false}, {"xyzzy", "", 0, false}} {
		share, err := strconv.ParseFloat(w.text(t, `select (private.share_found(s.query, s)).share::text from `+search+` s`, tt.text, tt.place), 64)
		if err != nil {
			t.Fatal(err)
		}
		// So few that they are gathered anyway have no share.
		if tt.is*5000 < 2000 && share*5000 > 2000 || tt.is*5000 > 2000 && (share < tt.is/2 || share > tt.is*2) {
			t.Errorf("%q in %q: share %v, is %v", tt.text, tt.place, share, tt.is)
		}
		if got := w.text(t, `select private.is_broad(s.query, s)::text from `+search+` s`, tt.text, tt.place); got != strconv.FormatBool(tt.broad) {
			t.Errorf("%q in %q: broad is %s", tt.text, tt.place, got)
		}
	}
	const newest = `private.search_of($1, null, null, null, null, null, null, null, null, null, null, null, null, 'newest')`
	for text, broad := range map[string]string{"bar": "false", "dentista": "true"} { // no bar is among the first
		if got := w.text(t, `select private.is_broad(s.query, s)::text from `+newest+` s`, text); got != broad {
			t.Errorf("the newest %q: broad is %s", text, got)
		}
	}

	count := func() string {
		return w.text(t, `select public.count_businesses('bar')::text`)
	}
	bars := w.text(t, `select count(*)::text from public.businesses where search_document @@ 'bar'`)
	if got := count(); got != bars {
		t.Errorf("%s bars are counted, of %s", got, bars)
	}
	// A sample of millions is what tells "more than 5,000"; here it is replaced.
	for pages, want := range map[string]string{"50": bars, "1000": "5001"} {
		w.exec(t, `create or replace function private.share_found(query tsquery, s private.search, out share numeric, out share_of_query numeric,
			out pages integer) language sql as 'select 0.5, 0.5, `+pages+`'`)
		if got := count(); got != want {
			t.Errorf("hits in %s pages of the sample: %s are counted, want %s", pages, got, want)
		}
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
