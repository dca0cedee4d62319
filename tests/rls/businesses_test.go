package rls

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"plaza/tests/testkit"
)

// RULE-23 and RULE-24.
func TestSlugs(t *testing.T) {
	t.Parallel()
	tests := []struct{ function, value, want string }{
		{"slugify", "Sant Julià de Lòria", "sant-julia-de-loria"},
		{"slugify", "  --Peluquería   &  Spa!-- ", "peluqueria-spa"},
		{"slugify", "Ñandú_über (2)", "nanduuber-2"},
		{"slugify", "col·lecció d'art", "colleccio-dart"},
		{"slugify", "abcdefghij abcdefghij abcdefghij abcdefghij abcde fghij", "abcdefghij-abcdefghij-abcdefghij-abcdefghij-abcde"},
		{"company_slug", "Talleres Ruiz S.L.", "talleres-ruiz"},
		{"company_slug", "Talleres Ruiz, SA", "talleres-ruiz"},
		{"company_slug", "Acme Inc", "acme"},
		{"company_slug", "Acme GmbH", "acme"},
		{"company_slug", "Acme LLC Ltd.", "acme"},
		{"company_slug", "Acme Corp", "acme"},
		{"company_slug", "La Casa", "la-casa"},
		{"company_slug", "SL", "sl"},
		{"company_slug", "!!!", "business"},
	}
	db := testkit.Tx(t)
	for _, tt := range tests {
		if got := queryText(t, db, `select private.`+tt.function+`($1)`, tt.value); got != tt.want {
			t.Errorf("%s(%q) = %q, want %q", tt.function, tt.value, got, tt.want)
		}
	}
}

const create = `insert into public.businesses (name, type, location) values ($1, $2, $3)
	returning concat_ws(' ', slug, owner_id = auth.uid(), is_claimed, source, verification_status, category_code, city_slug, time_zone)`

// API-18, OWNER-08, S-36: values that the database sets on a new business.
func TestNewBusiness(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tests := []struct{ rule, name, kind, location, want string }{
		{"in Spain", "Bar Sol, S.L.", "Taller mecánico", "Calle Mayor 1, Sevilla", "bar-sol t t manual unverified auto-repair seville Europe/Madrid"},
		{"on the Canaries", "Bar Luna", "Hair Salons", "Las Palmas", "bar-luna t t manual unverified hair las-palmas Atlantic/Canary"},
		{"in Andorra", "Bar Neu", "Restaurants", "Encamp, Andorra", "bar-neu t t manual unverified restaurants encamp Europe/Andorra"},
		{"elsewhere, of no known type", "Bar Far", "xyz", "Toledo", "bar-far t t manual unverified localservices Europe/Madrid"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			if got := queryText(t, w.as(t, w.ada), create, tt.name, tt.kind, tt.location); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestBusinessSlugs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tx := w.as(t, w.ada)
	const insert = `insert into public.businesses (name, type, location) values ('Café Sol', 'Bar', 'Madrid') returning slug`
	first, second := queryText(t, tx, insert), queryText(t, tx, insert)
	if first != "cafe-sol" || second == first {
		t.Errorf("two of one name have slugs %q and %q", first, second)
	}
	// BIZ-01: the old slug is still found after a rename.
	got := queryText(t, tx, `update public.businesses set name = 'Café Mar' where slug = $1 returning slug || ' ' || old_slug`, first)
	if got != "cafe-mar cafe-sol" {
		t.Errorf("after the rename: %q", got)
	}
}

// C-39, S-36, S-32: what an update cannot change, and what an admin can.
func TestBusinessUpdate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const update = `update public.businesses set owner_id = $2, is_claimed = false, verification_status = 'verified', url_path = '/a/b/c/d', migrated_url = true
		where id = $1 returning concat_ws(' ', owner_id = $3, is_claimed, verification_status, url_path, migrated_url)`
	if got := w.ask(t, w.owner, update, w.shop, w.rival.id, w.owner.id); got != "t t unverified f" {
		t.Errorf("the owner's update: %q", got)
	}
	if got := w.ask(t, w.ada, update, w.shop, w.ada.id, w.ada.id); got != "t f verified /a/b/c/d t" { // API-35
		t.Errorf("the admin's update: %q", got)
	}
	got := w.ask(t, w.owner, `update public.businesses set phone = ' ', image_url = '', location = 'Las Palmas', type = 'Pets'
		where id = $1 returning concat_ws(' ', phone is null, image_url is null, city_slug, time_zone, category_code)`, w.shop)
	if want := "t t las-palmas Atlantic/Canary pets"; got != want { // RULE-12, RULE-13
		t.Errorf("derived %q, want %q", got, want)
	}
}

// S-37, SUB-08, CONST-02: the database enforces the plan's limits.
func TestPlanLimits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const add = `insert into public.businesses (name, type, location) values ('Another', 'Bar', 'Madrid')`
	w.fails(t, w.rival, "plan_limit_businesses", add) // no plan: 1
	w.fails(t, w.owner, "", add)                      // pro: 3
	w.fails(t, w.ada, "", add)

	const describe = `update public.businesses set description = repeat('x', $2::integer) where id = $1`
	w.fails(t, w.rival, "", describe, w.rivalShop, 500)
	w.fails(t, w.rival, "plan_limit_description", describe, w.rivalShop, 501)
	w.fails(t, w.owner, "", describe, w.shop, 1500)

	const photos = `insert into public.business_photos (business_id, photo_url) select $1, 'https://example.com/' || n from generate_series(1, $2::integer) n`
	w.fails(t, w.rival, "", photos, w.rivalShop, 5)
	w.fails(t, w.rival, "plan_limit_photos", photos, w.rivalShop, 6)
	w.fails(t, w.ada, "", photos, w.rivalShop, 6)
	w.exec(t, `update public.user_subscriptions set subscription_end = now() - interval '3 days' where user_id = $1`, w.owner.id)
	t.Run("an ended plan", func(t *testing.T) { w.fails(t, w.owner, "plan_limit_businesses", add) })
}

// OWNER-24, OWNER-25: the first photo becomes the cover, a deleted cover is reset.
func TestCover(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tx := w.as(t, w.rival)
	cover := func() string {
		return queryText(t, tx, `select image_url from public.businesses where id = $1`, w.rivalShop)
	}
	var got []string
	for _, sql := range []string{
		`insert into public.business_photos (business_id, photo_url) values ($1, 'https://example.com/1.png')`,
		`insert into public.business_photos (business_id, photo_url) values ($1, 'https://example.com/2.png')`,
		`delete from public.business_photos where business_id = $1 and photo_url like '%1.png'`,
	} {
		if _, err := tx.Exec(t.Context(), sql, w.rivalShop); err != nil {
			t.Fatal(err)
		}
		got = append(got, cover())
	}
	if diff := cmp.Diff([]string{"https://example.com/1.png", "https://example.com/1.png", ""}, got); diff != "" {
		t.Errorf("cover (-want +got):\n%s", diff)
	}
}

// The stored counts equal recounted ones, after inserts, moves and deletes.
func TestDirectoryCounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `update public.businesses set location = 'Ordino' where id = $1`, w.shop)
	w.exec(t, `delete from public.businesses where id = $1`, w.rivalShop)
	w.exec(t, `insert into public.businesses (name, type, location) select 'Many ' || n, 'Bar', 'Encamp' from generate_series(1, 3) n`)
	got := list(t, w.tx, `select concat_ws(' ', slug, businesses) from public.city_counts where businesses > 0 order by slug`)
	want := []string{"andorra 4", "encamp 3", "madrid 1", "ordino 1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("city counts (-want +got):\n%s", diff)
	}
	counted := w.text(t, `select count(*)::text from (
		select coalesce(city_slug, ''), coalesce(category_code, ''), count(*) from public.businesses group by 1, 2
		except select city_slug, category_code, businesses from public.directory_counts) d`)
	if counted != "0" {
		t.Errorf("%s counts differ from counting", counted)
	}
}

// S-52, ROUTE-36, C-28, C-30.
func TestRedirectRules(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const add = `insert into public.url_redirects (old_url, new_url) values ($1, $2)`
	w.exec(t, add, "/one", "/two")
	w.exec(t, add, "/two", "/three")
	tests := []struct{ rule, from, to, want string }{
		{"a path of this site", "/four", "/five", ""},
		{"another site", "/four", "https://example.com", "23514"},
		{"another site without a scheme", "/four", "//example.com", "23514"},
		{"a backslash", "/four", `/\example.com`, "23514"},
		{"no path", "four", "/five", "23514"},
		{"itself", "/four", "/four", "redirect_loop"},
		{"a loop of three", "/three", "/one", "redirect_loop"},
		{"an old address twice", "/one", "/six", "23505"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) { w.fails(t, w.ada, tt.want, add, tt.from, tt.to) })
	}
	w.exec(t, `update public.url_redirects set is_active = false where old_url = '/one'`)
	if got := w.ask(t, anon, `select count(*)::text from public.url_redirects where old_url in ('/one', '/two')`); got != "1" {
		t.Errorf("anon sees %s redirects, want the active one", got)
	}
}
