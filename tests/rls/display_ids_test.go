package rls

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"plaza/tests/testkit"
)

// DATA-01, DATA-02: display ids have six digits, and more once those are used up.
func TestDisplayIDsGrowPastSixDigits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `select setval('private.profile_display_ids', 999998), setval('private.business_display_ids', 999998)`)
	for _, email := range []string{"last@example.com", "first@example.com", "second@example.com"} {
		testkit.User(t, w.tx, email)
		w.exec(t, `insert into public.businesses (name, type, location) values ('Bar Sol', 'Bar', 'Madrid')`)
	}
	got := list(t, w.tx, `select display_id from public.profiles where char_length(display_id) > 8 or display_id like '%-999999' order by 1`)
	got = append(got, list(t, w.tx, `select display_id || ' ' || slug from public.businesses where name = 'Bar Sol' order by display_id collate "C"`)...)
	want := []string{"U-1000000", "U-1000001", "U-999999", "B-1000000 bar-sol-1000000", "B-1000001 bar-sol-1000001", "B-999999 bar-sol"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("display ids and slugs (-want +got):\n%s", diff)
	}
}

// ADMIN-BIZ-01: a business is found by its display id, complete or shortened, of any length.
func TestBusinessesAreFoundByDisplayIDsOfAnyLength(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `delete from public.businesses`)
	w.exec(t, `insert into public.businesses (display_id, name, type, location)
		select id, 'Bar Sol', 'Bar', 'Madrid' from unnest(array['B-000017', 'B-100000', 'B-1000000', 'B-1000017']) as id`)
	for term, want := range map[string]string{
		"B-000017":   "B-000017",
		"b-17":       "B-000017 B-1000017",
		"b17":        "B-000017 B-1000017",
		"17":         "B-000017 B-1000017",
		"B-100000":   "B-100000",
		"B-1000000":  "B-1000000",
		" b1000017 ": "B-1000017",
		"1000000":    "B-1000000",
		"B-2000000":  "",
	} {
		got := w.ask(t, w.ada, `select string_agg(display_id, ' ' order by display_id collate "C") from public.admin_businesses($1)`, term)
		if got != want {
			t.Errorf("%q finds %q, want %q", term, got, want)
		}
	}
}
