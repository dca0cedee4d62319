package rls

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// BIZ-01: every former slug leads to the business, and no other business gets it.
func TestFormerSlugs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tx := w.as(t, w.ada)
	const insert = `insert into public.businesses (name, type, location) values ('Café Sol', 'Bar', 'Madrid') returning id::text`
	const rename = `update public.businesses set name = $2 where id = $1 returning slug`
	const former = `select coalesce(string_agg(slug, ' ' order by slug), '') from public.business_former_slugs where business_id = $1`
	id := queryText(t, tx, insert)
	got := []string{
		queryText(t, tx, rename, id, "Café Mar"),
		queryText(t, tx, rename, id, "Café Mar, S.L."), // the same slug
		queryText(t, tx, rename, id, "Café Luna"),
		queryText(t, tx, former, id),
	}
	other := queryText(t, tx, insert)
	got = append(got,
		queryText(t, tx, `select (slug ~ '^cafe-sol-[0-9]+$')::text from public.businesses where id = $1`, other),
		queryText(t, tx, rename, id, "Café Sol"), // back to its own
		queryText(t, tx, former, id),
		queryText(t, tx, former, other),
	)
	want := []string{"cafe-mar", "cafe-mar", "cafe-luna", "cafe-mar cafe-sol", "true", "cafe-sol", "cafe-luna cafe-mar cafe-sol", ""}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("renames (-want +got):\n%s", diff)
	}
}

// A migrated URL follows a rename, too (RULE-25, BIZ-01).
func TestMigratedAddressFollows(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `update public.businesses set name = 'Bar Sol', location = 'Madrid', address = null where id = $1`, w.shop)
	w.exec(t, `update public.businesses set migrated_url = true, url_path = '/madrid/hair/' || id || '/bar-sol' where id = $1`, w.shop)
	const path = ` where id = $1 returning replace(url_path, id::text, 'ID')`
	got := []string{
		w.ask(t, w.owner, `update public.businesses set name = 'Bar Luna', location = 'Sevilla'`+path, w.shop),
		w.ask(t, w.owner, `update public.businesses set tagline = 'Near'`+path, w.shop),
		w.ask(t, w.owner, `update public.businesses set name = 'Bar Luna', url_path = '/a/b/c/d'`+path, w.shop),
		w.ask(t, w.ada, `update public.businesses set name = 'Bar Luna', url_path = '/a/b/c/d'`+path, w.shop),
	}
	if diff := cmp.Diff([]string{"/seville/hair/ID/bar-luna", "/madrid/hair/ID/bar-sol", "/madrid/hair/ID/bar-luna", "/a/b/c/d"}, got); diff != "" {
		t.Errorf("addresses (-want +got):\n%s", diff)
	}
}

// A business cannot fill the table of former slugs.
func TestRenameLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `insert into public.business_former_slugs (slug, business_id) select 'once-' || n, $1 from generate_series(1, 98) n`, w.shop)
	const rename = `update public.businesses set name = $2 where id = $1`
	w.fails(t, w.owner, "", rename, w.shop, "One More")
	w.exec(t, `insert into public.business_former_slugs (slug, business_id) values ('once-99', $1)`, w.shop)
	w.fails(t, w.owner, "too_many_renames", rename, w.shop, "One Too Many")
	w.fails(t, w.owner, "", `update public.businesses set tagline = 'Still here' where id = $1`, w.shop)
}
