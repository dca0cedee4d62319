package claims_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"plaza/functions"
	"plaza/functions/claims"
	"plaza/server/auth/mailer"
	"plaza/server/auth/sms"
	tokens "plaza/server/claims"
	"plaza/server/project"
	"plaza/tests/testkit/relay"
	"plaza/tests/testkit/restkit"
)

// Ana claims a shop by mail and a bar by phone.
const (
	ana      = "00000000-0000-4000-8000-0000000000a1"
	bea      = "00000000-0000-4000-8000-0000000000b1"
	byMail   = "00000000-0000-4000-8000-00000000d001"
	byText   = "00000000-0000-4000-8000-00000000d002"
	fixtures = `
	insert into auth.users (id, email) values ('` + ana + `', 'ana@example.com'), ('` + bea + `', 'bea@example.com');
	insert into public.businesses (id, name, type, location, website, phone) values
		('00000000-0000-4000-8000-00000000c001', 'Ca l''Ona', 'Hair', 'Madrid', 'https://www.shop.es', null),
		('00000000-0000-4000-8000-00000000c002', 'Bar', 'Bar', 'Madrid', null, '+376 800 111');
	insert into public.claim_requests (id, user_id, business_id, full_name, business_email, role_at_company, verification_method) values
		('` + byMail + `', '` + ana + `', '00000000-0000-4000-8000-00000000c001', 'Ana', 'ana@shop.es', 'Owner', 'email_domain'),
		('` + byText + `', '` + ana + `', '00000000-0000-4000-8000-00000000c002', 'Ana', 'ana@shop.es', 'Owner', 'phone_verification')`
)

// kit serves the function with a mail relay and a fake SMS provider.
type kit struct {
	t     *testing.T
	api   *restkit.API
	auth  *tokens.Authenticator
	relay *relay.Relay
	texts []sms.Message
	down  bool // the SMS provider fails
	web   http.Handler
}

func newKit(t *testing.T, hasTexts bool) *kit {
	t.Helper()
	v := tokens.NewVerifier([]byte("a-secret-of-tests-with-32-characters"), time.Now)
	keys, err := tokens.NewKeys(v, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	k := &kit{t: t, api: restkit.Marketplace(t, fixtures), auth: &tokens.Authenticator{Verifier: v, Keys: keys}, relay: relay.Start(t)}
	sender, err := mailer.NewSMTP(mailer.SMTP{Host: k.relay.Host, Port: k.relay.Port, AdminEmail: "hola@plaza.test", SenderName: "Plaza"})
	if err != nil {
		t.Fatal(err)
	}
	parts := project.Parts{
		DB: k.api.ServerDB, Auth: k.auth, SiteURL: "https://plaza.example", Log: slog.New(slog.DiscardHandler), Now: time.Now, Mail: sender,
	}
	if hasTexts {
		parts.Texts = sms.SenderFunc(k.sendText)
	}
	codes, err := claims.New(parts)
	if err != nil {
		t.Fatal(err)
	}
	k.web = functions.Handler("/functions/v1", parts, codes.Function())
	return k
}

func (k *kit) sendText(_ context.Context, m sms.Message) (string, error) {
	if k.down {
		return "", errors.New("not a mobile number")
	}
	k.texts = append(k.texts, m)
	return "SM1", nil
}

// call calls the function as a user. An empty user means the anon key.
func (k *kit) call(user, body string) (status int, code string) {
	k.t.Helper()
	token := k.auth.Keys.Anon
	if user != "" {
		var err error
		if token, err = k.auth.Verifier.Mint(map[string]any{"role": "authenticated", "sub": user, "exp": time.Now().Add(time.Hour).Unix()}); err != nil {
			k.t.Fatal(err)
		}
	}
	r := httptest.NewRequest(http.MethodPost, "/functions/v1/claim-code", strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+token)
	recorder := httptest.NewRecorder()
	k.web.ServeHTTP(recorder, r)
	var response struct{ Code string }
	if err := json.Unmarshal(recorder.Body.Bytes(), &response); err != nil {
		k.t.Fatalf("%d %s: %v", recorder.Code, recorder.Body, err)
	}
	return recorder.Code, response.Code
}

func (k *kit) expect(user, body string, status int, code string) {
	k.t.Helper()
	if gotStatus, gotCode := k.call(user, body); gotStatus != status || gotCode != code {
		k.t.Errorf("%s: %d %q, want %d %q", body, gotStatus, gotCode, status, code)
	}
}

// countCodes returns the number of stored codes and the sum of their tries: "1 0".
func (k *kit) countCodes() (codes string) {
	k.t.Helper()
	if err := k.api.DB.QueryRow(k.t.Context(), `select concat_ws(' ', count(*), sum(tries)) from private.claim_codes`).Scan(&codes); err != nil {
		k.t.Fatal(err)
	}
	return codes
}

// verifiedBy returns the method by which a claim was verified.
func (k *kit) verifiedBy(claim string) (method string) {
	k.t.Helper()
	if err := k.api.DB.QueryRow(k.t.Context(), `select coalesce(verified_by, '') from public.claim_requests where id = $1`, claim).Scan(&method); err != nil {
		k.t.Fatal(err)
	}
	return method
}

func send(claim string) string        { return `{"claim": "` + claim + `"}` }
func check(claim, code string) string { return `{"claim": "` + claim + `", "code": "` + code + `"}` }

var sixDigits = regexp.MustCompile(`\b\d{6}\b`)

// wrongCode returns a code other than code.
func wrongCode(code string) string {
	if code == "000000" {
		return "111111"
	}
	return "000000"
}

// ADMIN-CLAIM-11: a code is mailed to the business and verifies the claim when it is entered.
func TestCodeByMail(t *testing.T) {
	t.Parallel()
	k := newKit(t, true)
	k.relay.Taken = func() {
		// The code is committed before it is sent, so that it can be used immediately.
		if got := k.countCodes(); got != "1 0" {
			t.Errorf("while the relay accepts the mail there are %s codes and tries", got)
		}
	}
	k.expect(ana, send(byMail), http.StatusOK, "")
	mails := k.relay.Mails()
	if len(mails) != 1 || mails[0].To != "ana@shop.es" {
		t.Fatalf("mails: %v", mails)
	}
	text := mails[0].Text
	code := sixDigits.FindString(text[strings.Index(text, "Subject:"):])
	for _, part := range []string{"text/plain", "text/html", "Ca l&#39;Ona", "plaza.example"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in the mail:\n%s", part, text)
		}
	}
	k.expect(ana, check(byMail, wrongCode(code)), http.StatusUnprocessableEntity, "wrong_code")
	if got := k.countCodes(); got != "1 1" {
		t.Errorf("after a wrong code: %s codes and tries", got)
	}
	k.expect(bea, check(byMail, code), http.StatusNotFound, "claim_not_found")
	k.expect(ana, check(byMail, code), http.StatusOK, "")
	k.expect(ana, check(byMail, code), http.StatusConflict, "claim_verified")
	if got := k.verifiedBy(byMail); got != "email_domain" {
		t.Errorf("verified by %q", got)
	}
}

// ADMIN-CLAIM-11: a code sent by text message to the published number also verifies a claim.
func TestCodeByTextMessage(t *testing.T) {
	t.Parallel()
	k := newKit(t, true)
	k.expect(ana, send(byText), http.StatusOK, "")
	if len(k.texts) != 1 || k.texts[0].To != "376800111" || len(k.texts[0].Text) > 160 || k.texts[0].Code != sixDigits.FindString(k.texts[0].Text) {
		t.Fatalf("texts: %+v", k.texts)
	}
	k.expect(ana, check(byText, k.texts[0].Code), http.StatusOK, "")
	if got := k.verifiedBy(byText); got != "phone_verification" {
		t.Errorf("verified by %q", got)
	}
	k.expect(ana, send(byMail), http.StatusOK, "") // claims are independent of each other
}

// A code that could not be sent is withdrawn. One that may have been sent is kept.
func TestUnsentCodeIsWithdrawn(t *testing.T) {
	t.Parallel()
	k := newKit(t, true)
	k.down = true
	k.relay.Refuse = []*smtp.SMTPError{{Code: 550, Message: "no such mailbox"}}
	k.expect(ana, send(byText), http.StatusBadGateway, "code_not_sent_now")
	k.expect(ana, send(byMail), http.StatusBadGateway, "code_not_sent_now")
	if got := k.countCodes(); got != "0" {
		t.Errorf("%s codes are stored that were not sent", got)
	}
	k.relay.HangUp = "DATA"
	k.expect(ana, send(byMail), http.StatusOK, "")
	if got := k.countCodes(); got != "1 0" {
		t.Errorf("%s codes and tries, want the one that may have been sent", got)
	}
}

// S-47: calls that are rejected, including phone codes on a deployment without text messages.
func TestRejectedCalls(t *testing.T) {
	t.Parallel()
	k := newKit(t, false)
	k.expect("", send(byMail), http.StatusUnauthorized, "not_authenticated")
	k.expect(bea, send(byMail), http.StatusNotFound, "claim_not_found")
	k.expect(ana, send("x"), http.StatusNotFound, "claim_not_found")
	k.expect(ana, `{}`, http.StatusNotFound, "claim_not_found")
	k.expect(ana, `[`, http.StatusBadRequest, "bad_json")
	k.expect(ana, check(byMail, "123456"), http.StatusConflict, "code_not_sent")
	k.expect(ana, send(byText), http.StatusServiceUnavailable, "claim_texts_off")
	for range 3 {
		k.expect(ana, send(byMail), http.StatusOK, "")
	}
	k.expect(ana, send(byMail), http.StatusTooManyRequests, "too_many_codes")
}
