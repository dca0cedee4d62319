package rls

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const putObject = `insert into storage.objects (bucket_id, name, owner_id) values ('business-photos', $1, auth.uid()::text)`

// publicAddress returns the public URL path of an object.
func publicAddress(name string) string { return "/storage/v1/object/public/business-photos/" + name }

// S-37, STORE-05, SUB-08: storage refuses photos beyond the plan before their bytes arrive, and too
// many unused files.
func TestRoomForPhotoFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	folder := w.rival.id + "/" + w.rivalShop + "/"
	const photos = `insert into public.business_photos (business_id, photo_url) select $1, 'https://example.com/' || n from generate_series(1, 4) n`
	w.exec(t, photos, w.rivalShop)
	w.fails(t, w.rival, "", putObject, folder+"5.jpg")
	w.exec(t, `insert into public.business_photos (business_id, photo_url) values ($1, 'https://example.com/5')`, w.rivalShop)
	w.fails(t, w.rival, "plan_limit_photos", putObject, folder+"6.jpg")
	w.fails(t, w.ada, "", putObject, w.ada.id+"/"+w.rivalShop+"/6.jpg")

	const unused = `insert into storage.objects (bucket_id, name, created_at)
		select 'business-photos', $1 || n || '.jpg', now() - $2::interval from generate_series(1, 20) n`
	ours := w.owner.id + "/" + w.shop + "/"
	w.exec(t, unused, ours+"old", "25 hours")
	w.fails(t, w.owner, "", putObject, ours+"new.jpg")
	w.exec(t, unused, ours+"late", "1 minute")
	w.fails(t, w.owner, "too_many_unused_files", putObject, ours+"new.jpg")
}

// STORE-04, S-41, OWNER-26: a photo's row and its object are deleted together, whichever is deleted
// first.
func TestPhotoAndObjectAreDeletedTogether(t *testing.T) {
	t.Parallel()
	type step struct {
		who caller
		sql string
	}
	w := newWorld(t)
	ours := w.owner.id + "/" + w.shop + "/"
	const removeRow = `delete from public.business_photos where photo_url like '%/shown.jpg'`
	const removeObject = `delete from storage.objects where name like '%/shown.jpg'`
	const left = `select concat_ws(' ',
		(select string_agg(substring(name from '[^/]+$'), ' ' order by name) from storage.objects where bucket_id = 'business-photos'),
		(select string_agg(substring(photo_url from '[^/]+$'), ' ' order by photo_url) from public.business_photos where business_id = $1),
		'cover:' || coalesce((select image_url from public.businesses where id = $1), 'none'))`
	for name, tt := range map[string]struct {
		address string
		step    step
		want    string
	}{
		"the row":                      {publicAddress(ours + "shown.jpg"), step{w.owner, removeRow}, "other.jpg a.png cover:none"},
		"the row, with a host":         {"https://plaza.test" + publicAddress(ours+"shown.jpg"), step{w.owner, removeRow}, "other.jpg a.png cover:none"},
		"the row, by an admin":         {publicAddress(ours + "shown.jpg"), step{w.ada, removeRow}, "other.jpg a.png cover:none"},
		"the row of a picture outside": {"https://example.com/shown.jpg", step{w.owner, removeRow}, "other.jpg shown.jpg a.png cover:none"},
		"the business":                 {publicAddress(ours + "shown.jpg"), step{w.ada, `delete from public.businesses where name like 'Shop %'`}, "other.jpg cover:none"},
		"the object":                   {publicAddress(ours + "shown.jpg"), step{w.owner, removeObject}, "other.jpg a.png cover:none"},
		"the object, not its owner":    {publicAddress(ours + "shown.jpg"), step{w.rival, removeObject}, "other.jpg shown.jpg shown.jpg a.png cover:" + publicAddress(ours+"shown.jpg")},
	} {
		t.Run(name, func(t *testing.T) {
			w := w.withSavepoint(t)
			w.exec(t, `select set_config('storage.allow_delete_query', 'true', true)`) // as the storage service does
			w.exec(t, `insert into storage.objects (bucket_id, name) values ('business-photos', $1), ('business-photos', $2)`, ours+"shown.jpg", ours+"other.jpg")
			w.exec(t, `insert into public.business_photos (business_id, photo_url) values ($1, $2)`, w.shop, tt.address)
			w.exec(t, `update public.businesses set image_url = $2 where id = $1`, w.shop, tt.address)
			tx := w.as(t, tt.step.who)
			if _, err := tx.Exec(t.Context(), tt.step.sql); err != nil {
				t.Fatal(err)
			}
			if _, err := tx.Exec(t.Context(), `reset role`); err != nil {
				t.Fatal(err)
			}
			if got := queryText(t, tx, left, w.shop); got != tt.want {
				t.Errorf("left is %q, want %q", got, tt.want)
			}
		})
	}
}

// A deleted file's rows are found by keys, whatever the number of businesses.
func TestDeletedFilesAreFoundByKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `set local enable_seqscan = off`) // the tables are small
	w.exec(t, `select set_config('storage.allow_delete_query', 'true', true)`)
	const scans = `select sum(seq_scan)::text from pg_stat_xact_user_tables where relname in ('businesses', 'business_photos')`
	for _, bucket := range []string{"business-photos", "business-logos"} {
		name := w.owner.id + "/" + w.shop + "/1.png"
		w.exec(t, `insert into storage.objects (bucket_id, name, owner_id) values ($1, $2, $3)`, bucket, name, w.owner.id)
		before := w.text(t, scans)
		w.exec(t, `delete from storage.objects where bucket_id = $1 and name = $2`, bucket, name)
		if after := w.text(t, scans); after != before {
			t.Errorf("%s: %s scans of whole tables, before %s", bucket, after, before)
		}
	}
}

// withSavepoint returns the world in a transaction that is rolled back when t ends.
func (w *world) withSavepoint(t *testing.T) *world {
	t.Helper()
	tx, err := w.tx.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tx.Rollback(context.Background()) })
	inner := *w
	inner.tx = tx
	return &inner
}

// S-41: files of interrupted uploads are deleted with the next photo.
func TestUnusedPhotoFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ours, theirs := w.owner.id+"/"+w.shop+"/", w.rival.id+"/"+w.rivalShop+"/"
	w.exec(t, `insert into storage.objects (bucket_id, name, created_at) select 'business-photos', name, now() - age::interval
		from (values ($1 || 'forgotten.jpg', '2 days'), ($1 || 'shown.jpg', '2 days'), ($1 || 'cover.jpg', '2 days'), ($1 || 'going-on.jpg', '1 hour'),
			($2 || 'forgotten.jpg', '2 days')) as file (name, age)`, ours, theirs)
	w.exec(t, `insert into public.business_photos (business_id, photo_url) values ($1, $2)`, w.shop, publicAddress(ours+"shown.jpg"))
	w.exec(t, `update public.businesses set image_url = $2 where id = $1`, w.shop, publicAddress(ours+"cover.jpg"))
	tx := w.as(t, w.owner)
	if _, err := tx.Exec(t.Context(), `insert into public.business_photos (business_id, photo_url) values ($1, 'https://example.com/new.jpg')`, w.shop); err != nil {
		t.Fatal(err)
	}
	got := queryText(t, tx, `select string_agg(replace(replace(name, $1, ''), $2, 'theirs/'), ' ' order by name) from storage.objects where bucket_id = 'business-photos'
		and name like any (array[$1 || '%', $2 || '%'])`, ours, theirs)
	want := "cover.jpg going-on.jpg shown.jpg"
	if ours < theirs {
		want += " theirs/forgotten.jpg"
	} else {
		want = "theirs/forgotten.jpg " + want
	}
	if got != want {
		t.Errorf("left are %q, want %q", got, want)
	}
}

// OWNER-23: all photos of a business are reordered together, or none.
func TestPhotoOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `delete from public.business_photos`)
	w.exec(t, `insert into public.business_photos (id, business_id, photo_url, display_order)
		select ('00000000-0000-4000-8000-00000000000' || n)::uuid, $1, 'https://example.com/' || n, n from generate_series(1, 3) n`, w.shop)
	const order = `select public.reorder_business_photos($1, (select array_agg(('00000000-0000-4000-8000-00000000000' || n)::uuid) from unnest($2::integer[]) n))`
	for _, tt := range []struct {
		rule  string
		who   caller
		order []int
		want  string
	}{
		{"all of them", w.owner, []int{3, 1, 2}, ""},
		{"by an admin", w.ada, []int{3, 1, 2}, ""},
		{"one is missing", w.owner, []int{3, 1}, "photos_changed"},
		{"one twice", w.owner, []int{3, 1, 1}, "photos_changed"},
		{"one of another", w.owner, []int{3, 1, 4}, "photos_changed"},
		{"none", w.owner, nil, "photos_changed"},
		{"not the owner", w.rival, []int{3, 1, 2}, "not_manager"},
		{"signed out", anon, []int{3, 1, 2}, "42501"},
	} {
		t.Run(tt.rule, func(t *testing.T) { w.fails(t, tt.who, tt.want, order, w.shop, tt.order) })
	}
	tx := w.as(t, w.owner)
	if _, err := tx.Exec(t.Context(), order, w.shop, []int{3, 1, 2}); err != nil {
		t.Fatal(err)
	}
	got := queryText(t, tx, `select string_agg(right(photo_url, 1), ' ' order by display_order) from public.business_photos where business_id = $1`, w.shop)
	if diff := cmp.Diff("3 1 2", got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

// OWNER-22: captions are stored trimmed, and can be changed.
func TestCaptions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const change = `update public.business_photos set caption = $2 where id = $1 returning coalesce(caption, 'none')`
	for given, want := range map[string]string{"  La sala ": "La sala", "  ": "none"} {
		if got := w.ask(t, w.owner, change, w.photo, given); got != want {
			t.Errorf("%q is kept as %q, want %q", given, got, want)
		}
	}
	if got := w.ask(t, w.rival, `with changed as (`+change+`) select count(*)::text from changed`, w.photo, "x"); got != "0" {
		t.Error("another's photo was changed")
	}
}
