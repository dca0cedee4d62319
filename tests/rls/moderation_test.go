package rls

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ADMIN-CLAIM-06 to ADMIN-CLAIM-08, S-45, SELLER-07: approving a claim has all its effects, by the
// function and by the requirements' plain update (design §5).
func TestClaimApproval(t *testing.T) {
	t.Parallel()
	for name, approve := range map[string]string{
		"function": `select public.review_claim($1, 'approved', 'Looks good')`,
		"update":   `update public.claim_requests set status = 'approved', admin_notes = 'Looks good', reviewed_by = user_id where id = $1`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			tx := w.as(t, w.ada)
			if _, err := tx.Exec(t.Context(), approve, w.bensClaim); err != nil {
				t.Fatal(err)
			}
			got := queryText(t, tx, `select concat_ws(' ', c.status, c.reviewed_by = auth.uid(), c.reviewed_at is not null, c.admin_notes,
					b.owner_id = c.user_id, b.is_claimed, b.verification_status, p.role)
				from public.claim_requests c join public.businesses b on b.id = c.business_id join public.profiles p on p.id = c.user_id
				where c.id = $1`, w.bensClaim)
			if want := "approved t t Looks good t t verified owner"; got != want {
				t.Errorf("after approval %q, want %q", got, want)
			}
			if _, err := tx.Exec(t.Context(), `reset role`); err != nil {
				t.Fatal(err)
			}
			if note := queryText(t, tx, `select title from public.notifications where user_id = $1 order by created_at desc, title limit 1`, w.ben.id); note != "Claim approved" {
				t.Errorf("ben's notification is %q", note)
			}
		})
	}
}

func TestClaimRules(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const review, update = `select public.review_claim($1, $2)`, `update public.claim_requests set status = $2 where id = $1`
	w.fails(t, w.ben, "not_admin", review, w.bensClaim, "approved")
	w.fails(t, w.ada, "unknown_decision", review, w.bensClaim, "perhaps")
	w.exec(t, `update public.businesses set owner_id = $2 where id = $1`, w.unclaimed, w.rival.id)
	t.Run("S-45 the business has an owner by now", func(t *testing.T) {
		w.fails(t, w.ada, "business_has_owner", review, w.bensClaim, "approved")
		w.fails(t, w.ada, "business_has_owner", update, w.bensClaim, "approved")
	})
	w.exec(t, `update public.claim_requests set status = 'rejected' where id = $1`, w.bensClaim)
	t.Run("S-45 only from pending", func(t *testing.T) {
		w.fails(t, w.ada, "already_reviewed", review, w.bensClaim, "approved")
		w.fails(t, w.ada, "already_reviewed", update, w.bensClaim, "approved")
	})
	w.fails(t, w.ana, "business_has_owner", `insert into public.claim_requests (business_id, full_name, business_email, role_at_company, verification_method)
		values ($1, 'Ana', 'ana@example.com', 'Boss', 'email_domain')`, w.shop)
}

// API-29, SELLER-02: after a rejection a user may apply again; the user sees only the latest
// application, admins see all.
func TestApplyAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const apply = `insert into public.seller_applications (user_id, business_name, business_type, location) values (auth.uid(), 'Again', 'Bar', 'Madrid') returning status`
	const visible = `select coalesce(string_agg(business_name || ' ' || status, ', '), 'none') from public.seller_applications where user_id = '`
	w.exec(t, `update public.seller_applications set status = 'rejected' where id = $1`, w.bensApplication)
	tx := w.as(t, w.ben)
	if got := queryText(t, tx, apply); got != "pending" {
		t.Errorf("the second application is %q, want pending", got)
	}
	if got := queryText(t, tx, visible+w.ben.id+"'"); got != "Again pending" {
		t.Errorf("ben sees %q, want the latest application alone", got)
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.fails(t, w.ben, "42501", `insert into public.seller_applications (business_name, business_type, location, superseded_at) values ('Two', 'Bar', 'Madrid', now())`)
	w.fails(t, w.ana, "42501", `insert into public.seller_applications (user_id, business_name, business_type, location) values ($1, 'Two', 'Bar', 'Madrid')`, w.ben.id)
	t.Run("twice", func(t *testing.T) {
		w.exec(t, `insert into public.seller_applications (user_id, business_name, business_type, location) values ($1, 'Kept', 'Bar', 'Madrid')`, w.ben.id)
		w.fails(t, w.ben, "23505", apply)
		if got := w.ask(t, w.ada, `select count(*)::text from public.seller_applications where user_id = $1`, w.ben.id); got != "2" {
			t.Errorf("an admin sees %s applications of ben, want 2", got)
		}
	})
}

// ADMIN-APP-06, SELLER-02, S-46, API-39.
func TestApplicationApproval(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `insert into public.seller_applications (user_id, business_name, business_type, location) values ($1, 'Ada''s', 'Bar', 'Madrid')`, w.ada.id)
	all := list(t, w.tx, `select id::text from public.seller_applications`)
	role := func(who caller) string {
		return `select role from public.profiles where id = '` + who.id + `'`
	}
	w.fails(t, w.owner, "not_admin", `select public.review_applications($1, 'approved')`, all)
	w.fails(t, w.ben, "23505", `insert into public.seller_applications (business_name, business_type, location) values ('Two', 'Bar', 'Madrid')`)
	w.fails(t, w.owner, "already_seller", `insert into public.seller_applications (business_name, business_type, location) values ('Two', 'Bar', 'Madrid')`)
	for name, approve := range map[string]string{
		"function": `select public.review_applications($1, 'approved')`,
		"update":   `update public.seller_applications set status = 'approved' where id = any ($1)`,
	} {
		t.Run(name, func(t *testing.T) {
			tx := w.as(t, w.ada)
			if _, err := tx.Exec(t.Context(), approve, all); err != nil {
				t.Fatal(err)
			}
			got := []string{queryText(t, tx, role(w.ben)), queryText(t, tx, role(w.ada)),
				queryText(t, tx, `select public.review_applications($1, 'rejected')::text`, all)}
			if diff := cmp.Diff([]string{"owner", "admin", "0"}, got); diff != "" { // never demotes an admin, decides once
				t.Errorf("roles of ben and ada, decided again (-want +got):\n%s", diff)
			}
		})
	}
}

// S-47: a user's submission is pending, whatever status the call specifies.
func TestRequestsStartPending(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, insert := range []string{
		`insert into public.seller_applications (business_name, business_type, location, status) values ('A place', 'Bar', 'Madrid', 'approved') returning status`,
		`insert into public.claim_requests (business_id, full_name, business_email, role_at_company, verification_method, status)
			values ('` + w.unclaimed + `', 'Ana', 'ana@example.com', 'Boss', 'email_domain', 'approved') returning status`,
		`insert into public.reports (reported_id, type, reason, status) values ('` + w.shop + `', 'business', 'Spam', 'resolved') returning status`,
	} {
		if got := w.ask(t, w.ana, insert); got != "pending" {
			t.Errorf("%s: %s", insert, got)
		}
	}
	w.fails(t, w.ana, "reported_not_found", `insert into public.reports (reported_id, type, reason) values ($1, 'review', 'Spam')`, w.shop)
}

// ADMIN-REPORT-04, API-40, RULE-27.
func TestReportReview(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fails(t, w.ana, "not_admin", `select public.review_reports($1, 'resolved')`, []string{w.bensReport})
	w.fails(t, anon, "42501", `select public.review_reports($1, 'resolved')`, []string{w.bensReport})
	w.fails(t, caller{name: "nobody signed in", role: "authenticated"}, "not_authenticated", `select public.review_reports($1, 'resolved')`, []string{w.bensReport})
	if got := w.ask(t, w.ada, `select public.review_reports($1, 'resolved')::text`, []string{w.bensReport}); got != "1" {
		t.Errorf("decided %s", got)
	}
}

// S-50, DATA-33: triggers record who changed what, and only the changed columns, without derived
// columns and secrets.
func TestAuditLog(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tx := w.as(t, w.ada)
	for _, sql := range []string{
		`insert into public.categories (name) values ('Audited')`,
		`update public.categories set icon = 'x' where name = 'Audited'`,
		`update public.categories set icon = 'x' where name = 'Audited'`, // changes nothing
		`delete from public.categories where name = 'Audited'`,
	} {
		if _, err := tx.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	got := list(t, tx, `select concat_ws(' ', action, user_id = auth.uid(), changed_fields, 'from', old_data - '{id,created_at}'::text[], 'to', new_data - '{id,created_at}'::text[],
			record_id = (select l.record_id from public.audit_logs l where l.new_data ->> 'name' = 'Audited'))
		from public.audit_logs where table_name = 'categories' order by created_at, action = 'DELETE', action = 'UPDATE'`)
	want := []string{
		`INSERT t from to {"name": "Audited"} t`,
		`UPDATE t {icon} from {"icon": null} to {"icon": "x"} t`,
		`DELETE t from {"icon": "x", "name": "Audited"} to t`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("audit log (-want +got):\n%s", diff)
	}
	if leaks := queryText(t, tx, `select count(*)::text from public.audit_logs where coalesce(old_data, new_data) ?| array['search_document', 'session_token', 'document_path']`); leaks != "0" {
		t.Errorf("%s entries hold columns that must stay out", leaks)
	}
}

// ADMIN-CLAIM-01, ADMIN-CLAIM-09, API-38: claims by claimant, e-mail or business.
func TestAdminClaims(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `update public.claim_requests set full_name = 'Béla Núñez', business_email = 'Front@Desk.example' where id = $1`, w.bensClaim)
	w.exec(t, `update public.businesses set name = 'Orfebrería Sol' where id = $1`, w.unclaimed)
	const count = `select count(*)::text from public.admin_claims($1) where id = '`
	for term, want := range map[string]string{"": "1", "nunez": "1", "desk.EXAMPLE": "1", "orfebreria": "1", "nobody": "0", "%": "0"} {
		if got := w.ask(t, w.ada, count+w.bensClaim+"'", term); got != want {
			t.Errorf("admin_claims(%q) finds %s, want %s", term, got, want)
		}
	}
	if got := w.ask(t, w.ana, count+w.bensClaim+"'", ""); got != "0" {
		t.Errorf("ana sees %s claims", got)
	}
}

// ADMIN-REPORT-03: a report names what it is about, and outlives it.
func TestReportsNameTheirEntity(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const seen = `select coalesce(entity_name, '-') || ' ' || coalesce(entity_link, '-') from public.reports_with_entity where reporter_id = $1 and reported_id = $2`
	report := func(kind, id string) {
		w.exec(t, `insert into public.reports (reporter_id, type, reported_id, reason) values ($1, $2, $3, 'Spam')`, w.rival.id, kind, id)
	}
	w.exec(t, `update public.businesses set name = 'Bar Sol' where id = $1`, w.unclaimed)
	w.exec(t, `update public.profiles set full_name = 'Ana Pons', display_id = 'U-900002' where id = $1`, w.ana.id)
	review := w.text(t, `select id::text from public.reviews where user_id = $1 limit 1`, w.ben.id)
	w.exec(t, `update public.profiles set full_name = 'Ben Roca' where id = $1`, w.ben.id)
	w.exec(t, `update public.reviews set comment = repeat('abcde', 20) where id = $1`, review)
	report("business", w.unclaimed)
	report("user", w.ana.id)
	report("review", review)
	shop := w.text(t, `select business_id::text from public.reviews where id = $1`, review)
	for id, want := range map[string]string{
		w.unclaimed: "Bar Sol /business/" + w.unclaimed,
		w.ana.id:    "Ana Pons /admin?tab=users&q=U-900002",
		review:      "Ben Roca /business/" + shop + "#reviews",
	} {
		if got := w.ask(t, w.ada, seen, w.rival.id, id); got != want {
			t.Errorf("the report of %s: %q, want %q", id, got, want)
		}
	}
	if got := w.ask(t, w.ada, `select entity_preview from public.reports_with_entity where reporter_id = $1 and reported_id = $2`, w.rival.id, review); len(got) != 50 {
		t.Errorf("the preview %q has %d characters, want 50", got, len(got))
	}
	w.exec(t, `delete from public.businesses where id = $1`, w.unclaimed)
	if got := w.ask(t, w.ada, seen, w.rival.id, w.unclaimed); got != "- -" {
		t.Errorf("the report of a deleted business: %q", got)
	}
}

// Admins are notified of a new request, with a link that opens it; its author is not.
func TestAdminsAreNotifiedOfRequests(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const notified = `select count(*)::text from public.notifications where user_id = $1 and link = $2`
	id := w.text(t, `insert into public.reports (reporter_id, type, reported_id, reason) values ($1, 'business', $2, 'Spam') returning id::text`, w.ana.id, w.shop)
	if got := w.text(t, notified, w.ada.id, "/admin?tab=reports&row="+id); got != "1" {
		t.Errorf("the admin has %s notifications of the report", got)
	}
	if got := w.text(t, notified, w.ana.id, "/admin?tab=reports&row="+id); got != "0" {
		t.Errorf("the reporter has %s notifications of the report", got)
	}
}
