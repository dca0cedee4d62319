package rls

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// RULE-25, RULE-26, ADMIN-MIGR-04.
func TestBusinessURL(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const build = `select public.build_business_url($1, $2, $3, $4)`
	if got := w.ask(t, anon, build, "Sant Julià de Lòria", "hair", "B-000017", "Núñez, S.L."); got != "/sant-julia-de-loria/hair/B-000017/nunez" {
		t.Errorf("got %s", got)
	}
	for _, parts := range [][4]string{{"", "hair", "x", "Bar"}, {"Madrid", " ", "x", "Bar"}, {"Madrid", "hair", "", "Bar"}, {"Madrid", "hair", "x", " "}, {"東京", "hair", "x", "Bar"}} {
		w.fails(t, anon, "missing_url_parts", build, parts[0], parts[1], parts[2], parts[3])
	}
}

// ADMIN-MIGR-01 to ADMIN-MIGR-06, C-29, S-53: the migration continues where it stopped, and a business
// that cannot be migrated is reported and does not stop the others.
func TestURLMigration(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, call := range []string{`select * from public.admin_migrate_urls()`, `select * from public.admin_url_totals()`} {
		w.fails(t, w.owner, "not_admin", call)
		w.fails(t, anon, "42501", call)
	}
	w.exec(t, `insert into public.businesses (id, name, type, location) values
		('00000000-0000-4000-8000-000000000001', 'Sushi Ya', 'Restaurante', '東京'), ('00000000-0000-4000-8000-000000000002', 'Looping', 'Bar', 'Madrid'),
		('00000000-0000-4000-8000-000000000003', 'Peluquería Núñez S.L.', 'Peluquería', 'Madrid')`)
	w.exec(t, `insert into public.url_redirects (old_url, new_url) select private.migrated_path(b), '/business/looping' from public.businesses b where b.name = 'Looping'`)
	tx := w.as(t, w.ada)
	const (
		totals = `select concat_ws(' ', total, migrated, remaining) from public.admin_url_totals()`
		some   = `select coalesce(string_agg(concat_ws(' ', right(business_id::text, 1), coalesce(error, new_url)), '; '), '')
			from public.admin_migrate_urls(nullif($1, '')::uuid, 2) as m`
		differs = `select count(*)::text from (
			select old_url, new_url, error from public.url_migration_preview where error is not null or name <> 'Looping'
			except select old_url, new_url, error from public.admin_migrate_urls(null, 1000)) as left_over`
	)
	got := []string{
		queryText(t, tx, totals),
		queryText(t, tx, some, ""),
		queryText(t, tx, totals),
		queryText(t, tx, some, ""), // once more, as both have failed
		queryText(t, tx, `select concat_ws(' ', url_path is null, old_slug is null, migrated_url) from public.businesses where name = 'Looping'`),
		queryText(t, tx, differs),
		queryText(t, tx, totals),
		queryText(t, tx, some, "00000000-0000-4000-8000-000000000002"),
		queryText(t, tx, `select concat_ws(' ', url_path, old_slug is not null, migrated_url) from public.businesses where name like '%Núñez%'`),
		queryText(t, tx, `select concat_ws(' ', r.new_url = b.url_path, redirect_type, is_active) from public.url_redirects r
			join public.businesses b on b.id = r.business_id where b.name like '%Núñez%'`),
	}
	const failures = "1 Missing required parameters: location, category, id, companyName; 2 This redirect would lead back to itself"
	want := []string{
		"6 0 6", failures, "6 0 6", failures, "t t f", "0", "6 4 2", "",
		"/madrid/hair/00000000-0000-4000-8000-000000000003/peluqueria-nunez t t", "t 301 t",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("migration (-want +got):\n%s", diff)
	}
}

// ADMIN-MIGR-03: city_slug and category_code, which the migration reads, are what extract_city_name and
// map_business_type_to_category return, also after a change.
func TestMigratedParts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const differ = `select count(*)::text from public.businesses b left join public.cities c on c.slug = b.city_slug
		where c.name is distinct from public.extract_city_name(concat_ws(', ', b.address, b.location))
			or b.category_code is distinct from public.map_business_type_to_category(b.type)`
	w.exec(t, `insert into public.businesses (name, type, location, address) values
		('One', 'Peluquería canina', 'Sevilla', null), ('Two', 'Something else', 'Andorra', 'Av. Carlemany 1, Escaldes'), ('Three', 'Dentista', 'Nowhere', null)`)
	if got := w.text(t, differ); got != "0" {
		t.Errorf("%s new businesses differ", got)
	}
	w.exec(t, `update public.businesses set type = 'Restaurante', location = 'Palma' where name in ('One', 'Three')`)
	if got := w.text(t, differ); got != "0" {
		t.Errorf("%s changed businesses differ", got)
	}
}

// A redirect to a migrated URL follows the business, so that there is no chain (S-52, ADMIN-MIGR-05).
func TestRedirectsFollow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `update public.businesses set name = 'Bar Sol', slug = 'bar-sol' where id = $1`, w.shop)
	if got := w.ask(t, w.ada, `select count(*)::text from public.admin_migrate_urls() where error is null`); got != "3" {
		t.Fatalf("migrated %s", got)
	}
	w.exec(t, `select set_config('request.jwt.claims', json_build_object('sub', $1::text, 'role', 'authenticated')::text, true)`, w.ada.id)
	w.exec(t, `select public.admin_migrate_urls()`)
	w.exec(t, `update public.businesses set name = 'Bar Luna' where id = $1`, w.shop)
	const redirects = `select string_agg(old_url || ' ' || replace(new_url, $1, 'ID'), '; ' order by old_url) from public.url_redirects where business_id = $1::uuid and old_url like '/business/%'`
	if got := w.text(t, redirects, w.shop); got != "/business/bar-sol /madrid/hair/ID/bar-luna" {
		t.Errorf("the redirects are %s", got)
	}
	// A redirect by hand that a rename would make a loop of does not prevent the rename.
	w.exec(t, `insert into public.url_redirects (old_url, new_url) select replace(url_path, 'bar-luna', 'bar-mar'), '/business/bar-sol' from public.businesses where id = $1`, w.shop)
	w.exec(t, `update public.businesses set name = 'Bar Mar' where id = $1`, w.shop)
	if got := w.text(t, `select replace(url_path, id::text, 'ID') from public.businesses where id = $1`, w.shop); got != "/madrid/hair/ID/bar-mar" {
		t.Errorf("the URL is %s", got)
	}
}
