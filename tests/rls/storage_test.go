package rls

import "testing"

// STORE-02, S-39, S-48: who may store a file where.
func TestStoredFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const put = `insert into storage.objects (bucket_id, name, owner_id) values ($1, $2, auth.uid()::text)`
	ours, theirs := w.owner.id+"/"+w.shop+"/", w.owner.id+"/"+w.rivalShop+"/"
	decided := w.text(t, `insert into public.claim_requests (user_id, business_id, full_name, business_email, role_at_company, verification_method, status)
		values ($1, $2, 'Ben', 'ben@example.com', 'Manager', 'document_upload', 'rejected') returning id::text`, w.ben.id, w.unclaimed)
	tests := []struct {
		rule         string
		who          caller
		bucket, name string
		want         string
	}{
		{"a photo of an own business", w.owner, "business-photos", ours + "1.webp", ""},
		{"an admin's photo of a business", w.ada, "business-photos", w.ada.id + "/" + w.shop + "/1.jpg", ""},
		{"in another user's folder", w.rival, "business-photos", ours + "1.jpg", "42501"},
		{"of another's business", w.owner, "business-photos", theirs + "1.jpg", "42501"},
		{"of no business", w.owner, "business-photos", w.owner.id + "/x/1.jpg", "42501"},
		{"without a business", w.owner, "business-photos", w.owner.id + "/1.jpg", "42501"},
		{"deeper than a business", w.owner, "business-photos", ours + "x/1.jpg", "42501"},
		{"a drawing that can run scripts", w.owner, "business-photos", ours + "1.svg", "42501"},
		{"a page", w.owner, "business-photos", ours + "1.html", "42501"},
		{"signed out", anon, "business-photos", ours + "1.jpg", "42501"},
		{"a logo of an own business", w.owner, "business-logos", ours + "1.png", ""}, // SUB-07
		{"a logo without a plan", w.rival, "business-logos", w.rival.id + "/" + w.rivalShop + "/1.png", "42501"},
		{"a logo of another's business", w.owner, "business-logos", theirs + "1.png", "42501"},
		{"a logo that can run scripts", w.owner, "business-logos", ours + "1.svg", "42501"},
		{"a document of an own claim", w.ben, "claim-documents", w.ben.id + "/" + w.bensClaim + "/deed.pdf", ""},
		{"of another's claim", w.ana, "claim-documents", w.ana.id + "/" + w.bensClaim + "/deed.pdf", "42501"},
		{"of another's claim, in their folder", w.ana, "claim-documents", w.ben.id + "/" + w.bensClaim + "/deed.pdf", "42501"},
		{"of no claim", w.ben, "claim-documents", w.ben.id + "/deed.pdf", "42501"},
		{"of a claim that is not there", w.ben, "claim-documents", w.ben.id + "/" + w.shop + "/deed.pdf", "42501"},
		{"of a claim that was decided", w.ben, "claim-documents", w.ben.id + "/" + decided + "/deed.pdf", "42501"},
		{"deeper than a claim", w.ben, "claim-documents", w.ben.id + "/" + w.bensClaim + "/x/deed.pdf", "42501"},
		{"another bucket", w.owner, "secrets", ours + "1.jpg", "42501"},
	}
	w.exec(t, `insert into storage.buckets (id, name) values ('secrets', 'secrets')`)
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) { w.fails(t, tt.who, tt.want, put, tt.bucket, tt.name) })
	}

	w.exec(t, `insert into storage.objects (bucket_id, name, owner_id) values ('business-photos', $1, $3), ('claim-documents', $2, $4)`,
		ours+"1.jpg", w.ben.id+"/deed.pdf", w.owner.id, w.ben.id)
	const see = `select string_agg(bucket_id, ' ' order by bucket_id) from storage.objects`
	for _, tt := range []struct {
		who  caller
		want string
	}{{anon, "business-photos"}, {w.ana, "business-photos"}, {w.ben, "business-photos claim-documents"}, {w.ada, "business-photos claim-documents"}} {
		if got := w.ask(t, tt.who, see); got != tt.want {
			t.Errorf("%s sees %q, want %q", tt.who.name, got, tt.want)
		}
	}
	w.exec(t, `select set_config('storage.allow_delete_query', 'true', true)`) // as the storage service does
	for _, tt := range []struct {
		who  caller
		want string
	}{{w.rival, "0"}, {w.owner, "1"}, {w.ada, "1"}} {
		if got := w.ask(t, tt.who, `with gone as (delete from storage.objects where bucket_id = 'business-photos' returning 1) select count(*)::text from gone`); got != tt.want {
			t.Errorf("%s deletes %s photos, want %s", tt.who.name, got, tt.want)
		}
	}
}

// RULE-19, C-50, STORE-05, S-39: the bucket's own rules.
func TestPhotoBucket(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	got := w.text(t, `select concat_ws(' ', public, file_size_limit < 5 * 1024 * 1024, allowed_mime_types, strip_metadata) from storage.buckets where id = 'business-photos'`)
	if want := "t t {image/jpeg,image/png,image/webp} t"; got != want {
		t.Errorf("bucket %q, want %q", got, want)
	}
}

// ADMIN-BIZ-01, S-57.
func TestBusinessTypes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `insert into public.businesses (name, type, location) values ('Bar Sol', 'Bar', 'Madrid'), ('Bar Mar', 'Bar', 'Madrid')`)
	if got := w.ask(t, w.ada, `select string_agg(t, ', ') from public.admin_business_types() t`); got != "Bar, Peluquería" {
		t.Errorf("types: %s", got)
	}
	w.fails(t, w.owner, "not_admin", `select public.admin_business_types()`)
}

// S-48: the number of documents of a claim is limited.
func TestRoomForClaimDocuments(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const put = `insert into storage.objects (bucket_id, name, owner_id) select 'claim-documents', $1 || n || '.pdf', $2 from generate_series(1, $3) n`
	folder := w.ben.id + "/" + w.bensClaim + "/"
	w.fails(t, w.ben, "", put, folder, w.ben.id, 5)
	w.fails(t, w.ben, "too_many_claim_documents", put, folder, w.ben.id, 6)
	w.exec(t, put, w.ben.id+"/an-earlier-claim/", w.ben.id, 19)
	w.fails(t, w.ben, "", put, folder, w.ben.id, 1)
	w.fails(t, w.ben, "too_many_claim_documents", put, folder, w.ben.id, 2)
	w.fails(t, service, "too_many_claim_documents", put, folder, w.ben.id, 2)
}
