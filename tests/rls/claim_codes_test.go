package rls

import (
	"strings"
	"testing"
)

const (
	makeCode  = `select code from private.make_claim_code($1, $2, true)`
	checkCode = `select concat_ws(' ', is_right, tries_left) from private.check_claim_code($1, $2, $3)`
	codeState = `select concat_ws(' ', sent_to, problem, seconds_left, tries_left, resend_in) from public.claim_code_state($1)`
)

// newClaim creates a claim of an unclaimed business as the superuser.
func (w *world) newClaim(t *testing.T, who caller, business, email, method string) string {
	t.Helper()
	return w.text(t, `insert into public.claim_requests (user_id, business_id, full_name, business_email, role_at_company, verification_method)
		values ($1, $2, 'Ana', $3, 'Owner', $4) returning id::text`, who.id, business, email, method)
}

// newUnclaimed creates another business without an owner.
func (w *world) newUnclaimed(t *testing.T, website, phone string) string {
	t.Helper()
	return w.text(t, `insert into public.businesses (name, type, location, website, phone)
		values ('Sense amo ' || gen_random_uuid(), 'Bar', 'Andorra', nullif($1, ''), nullif($2, '')) returning id::text`, website, phone)
}

// ageCodes moves the existing codes into the past by an interval.
func (w *world) ageCodes(t *testing.T, interval string) {
	t.Helper()
	w.exec(t, `update private.claim_codes set created_at = created_at - $1::interval, expires_at = expires_at - $1::interval`, interval)
}

func wrong(code string) string {
	if code == "000000" {
		return "111111"
	}
	return "000000"
}

// ADMIN-CLAIM-11: a code is only sent to the domain of the published website or to the published
// number.
func TestClaimCodeRecipient(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, website, phone, email, method string
		want                                string // masked recipient, or the refusal
	}{
		{"own domain", "https://www.Shop.es/contact", "", "ona@SHOP.es", "email_domain", "…@shop.es"},
		{"own domain with a port", "http://shop.es:8080", "", "ona@shop.es", "email_domain", "…@shop.es"},
		{"another domain", "https://shop.es", "", "ona@evil.es", "email_domain", "claim_other_domain"},
		{"a domain that ends alike", "https://shop.es", "", "ona@myshop.es", "email_domain", "claim_other_domain"},
		{"a domain below", "https://shop.es", "", "ona@free.shop.es", "email_domain", "claim_other_domain"},
		{"a domain in the path", "https://shop.es/@evil.es", "", "ona@evil.es", "email_domain", "claim_other_domain"},
		{"no website", "", "+376 800 111", "ona@shop.es", "email_domain", "claim_no_website"},
		{"a mail provider", "https://gmail.com", "", "ona@gmail.com", "email_domain", "claim_shared_host"},
		{"a page of a host of many", "https://www.facebook.com/shop", "", "ona@facebook.com", "email_domain", "claim_shared_host"},
		{"a site below a host of many", "https://shop.wordpress.com", "", "ona@shop.wordpress.com", "email_domain", "claim_shared_host"},
		{"published number", "", "+376 800 111", "ona@shop.es", "phone_verification", "+376 …11"},
		{"published number without spaces", "", "+376800112", "ona@shop.es", "phone_verification", "+ …12"},
		{"no number", "https://shop.es", "", "ona@shop.es", "phone_verification", "claim_no_phone"},
		{"a number of an unknown country", "https://shop.es", "800 111 222", "ona@shop.es", "phone_verification", "claim_no_phone"},
		{"documents", "https://shop.es", "+376 800 111", "ona@shop.es", "document_upload", "claim_no_code"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			claim := w.newClaim(t, w.ana, w.newUnclaimed(t, tt.website, tt.phone), tt.email, tt.method)
			refused := ""
			if strings.HasPrefix(tt.want, "claim_") {
				refused = tt.want
			}
			w.fails(t, service, refused, makeCode, claim, w.ana.id)
			if got := w.ask(t, w.ana, codeState, claim); got != tt.want+" 0" {
				t.Errorf("state %q, want %q", got, tt.want)
			}
		})
	}
}

// S-45, S-47: a code proves the user's own open claim; an admin still decides it.
func TestClaimCode(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	business := w.newUnclaimed(t, "https://shop.es", "")
	claim := w.newClaim(t, w.ana, business, "ona@shop.es", "email_domain")
	w.fails(t, service, "claim_not_found", makeCode, claim, w.ben.id)
	w.fails(t, service, "code_not_sent", checkCode, claim, w.ana.id, "123456")
	first := w.text(t, makeCode, claim, w.ana.id)
	code := w.text(t, makeCode, claim, w.ana.id)
	if got := w.text(t, `select count(*) || ' ' || bool_and(code_hash = sha256(salt || convert_to($2, 'UTF8')) or code_hash = sha256(salt || convert_to($3, 'UTF8')))
			|| ' ' || bool_or(strpos(k::text, $2) > 0) from private.claim_codes k where claim_id = $1`, claim, code, first); got != "2 true false" {
		t.Errorf("stored %q, want hashes alone", got)
	}
	if got := w.text(t, checkCode, claim, w.ana.id, wrong(code)); got != "f 4" {
		t.Errorf("a wrong code: %q", got)
	}
	if first != code {
		if got := w.text(t, checkCode, claim, w.ana.id, first); got != "f 3" {
			t.Errorf("the code before: %q", got)
		}
	}
	w.fails(t, service, "claim_not_found", checkCode, claim, w.ben.id, code)
	if got := w.text(t, checkCode, claim, w.ana.id, code); !strings.HasPrefix(got, "t ") {
		t.Fatalf("the right code: %q", got)
	}
	w.fails(t, service, "claim_verified", checkCode, claim, w.ana.id, code)
	w.fails(t, service, "claim_verified", makeCode, claim, w.ana.id)
	for _, who := range []caller{w.ana, w.ada} {
		if got := w.ask(t, who, `select concat_ws(' ', status, verified_by, verified_at is not null) from public.claim_requests where id = $1`, claim); got != "pending email_domain t" {
			t.Errorf("%s sees %q", who.name, got)
		}
	}
	if got := w.text(t, `select (owner_id is null)::text from public.businesses where id = $1`, business); got != "true" {
		t.Error("the code alone gave the business away")
	}
	if got := w.text(t, `select title from public.notifications where user_id = $1 order by created_at desc limit 1`, w.ana.id); got != "Your claim is proved" {
		t.Errorf("ana's notification is %q", got)
	}
	w.exec(t, `update public.claim_requests set status = 'rejected' where id = $1`, claim)
	w.fails(t, service, "claim_not_found", makeCode, claim, w.ana.id)
}

// S-47: only the code proves a claim.
func TestOnlyTheServerReadsClaimCodes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	claim := w.newClaim(t, w.ana, w.newUnclaimed(t, "https://shop.es", ""), "ona@shop.es", "email_domain")
	for _, who := range []caller{anon, w.ana, w.ada} {
		w.fails(t, who, "42501", makeCode, claim, w.ana.id)
		w.fails(t, who, "42501", checkCode, claim, w.ana.id, "123456")
		w.fails(t, who, "42501", `select private.withdraw_claim_code($1)`, claim)
		w.fails(t, who, "42501", `select count(*) from private.claim_codes`)
		w.fails(t, who, "42501", `update public.claim_requests set verified_at = now(), verified_by = 'email_domain' where id = $1`, claim)
	}
	w.fails(t, w.ben, "42501", `insert into public.claim_requests (business_id, full_name, business_email, role_at_company, verification_method, verified_at, verified_by)
		values ($1, 'Ben', 'ben@shop.es', 'Owner', 'email_domain', now(), 'email_domain')`, w.newUnclaimed(t, "", ""))
	w.fails(t, anon, "42501", codeState, claim)
	for _, who := range []caller{w.ben, w.ada} {
		if got := w.ask(t, who, `select count(*)::text from public.claim_code_state($1)`, claim); got != "0" {
			t.Errorf("%s sees where ana's code goes", who.name)
		}
	}
}

// ADMIN-CLAIM-11: a code is valid for 15 minutes and five attempts, and as long as the business
// publishes its recipient.
func TestClaimCodeExpires(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	business := w.newUnclaimed(t, "https://shop.es", "")
	claim := w.newClaim(t, w.ana, business, "ona@shop.es", "email_domain")
	code := w.text(t, makeCode, claim, w.ana.id)
	for range 5 {
		w.text(t, checkCode, claim, w.ana.id, wrong(code))
	}
	w.fails(t, service, "code_spent", checkCode, claim, w.ana.id, code)
	if got := w.ask(t, w.ana, `select concat_ws(' ', sent_to, tries_left, seconds_left > 890, resend_in > 50) from public.claim_code_state($1)`, claim); got != "…@shop.es 0 t t" {
		t.Errorf("state %q", got)
	}
	code = w.text(t, makeCode, claim, w.ana.id)
	w.ageCodes(t, "14 minutes")
	w.fails(t, service, "", checkCode, claim, w.ana.id, code)
	w.ageCodes(t, "2 minutes")
	w.fails(t, service, "code_expired", checkCode, claim, w.ana.id, code)
	code = w.text(t, makeCode, claim, w.ana.id)
	w.exec(t, `update public.businesses set website = 'https://other.es' where id = $1`, business)
	w.fails(t, service, "code_expired", checkCode, claim, w.ana.id, code)
	w.exec(t, `update public.businesses set owner_id = $2 where id = $1`, business, w.rival.id)
	w.fails(t, service, "business_has_owner", makeCode, claim, w.ana.id)
}

// ADMIN-CLAIM-11: 3 codes of a claim in an hour, 5 of a business and 10 of a user in a day; withdrawn ones do not count.
func TestClaimCodeLimits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const withdraw = `select private.withdraw_claim_code(code_id)::text from private.make_claim_code($1, $2, true)`
	business := w.newUnclaimed(t, "https://shop.es", "+376 800 111")
	mine := w.newClaim(t, w.ana, business, "ona@shop.es", "email_domain")
	for range 4 {
		w.text(t, withdraw, mine, w.ana.id)
	}
	for range 3 {
		w.text(t, makeCode, mine, w.ana.id)
	}
	w.fails(t, service, "too_many_codes", makeCode, mine, w.ana.id)
	w.ageCodes(t, "61 minutes")
	bens := w.newClaim(t, w.ben, business, "ben@shop.es", "phone_verification")
	for range 2 {
		w.text(t, makeCode, bens, w.ben.id)
	}
	w.fails(t, service, "too_many_codes_today", makeCode, bens, w.ben.id)
	w.fails(t, service, "too_many_codes_today", makeCode, mine, w.ana.id)
	for range 2 {
		other := w.newClaim(t, w.ana, w.newUnclaimed(t, "https://shop.es", ""), "ona@shop.es", "email_domain")
		for range 3 {
			w.text(t, makeCode, other, w.ana.id)
		}
	}
	last := w.newClaim(t, w.ana, w.newUnclaimed(t, "https://shop.es", ""), "ona@shop.es", "email_domain")
	w.text(t, makeCode, last, w.ana.id)
	w.fails(t, service, "too_many_codes_today", makeCode, last, w.ana.id)
	w.ageCodes(t, "25 hours")
	w.text(t, makeCode, last, w.ana.id)
	if got := w.text(t, `select count(*)::text from private.claim_codes`); got != "1" {
		t.Errorf("%s codes are kept after a day", got)
	}
	w.fails(t, service, "claim_texts_off", `select code from private.make_claim_code($1, $2, false)`, bens, w.ben.id)
}
