package billing_test

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v85/webhook"

	"plaza/functions"
	"plaza/functions/billing"
	"plaza/functions/payments/local"
	"plaza/functions/payments/stripe"
	"plaza/server/claims"
	"plaza/server/project"
	"plaza/tests/testkit/restkit"
)

// Ana is a seller, Bea is not. There are a free plan, two paid plans and a retired one.
const (
	ana      = "00000000-0000-4000-8000-0000000000a1"
	bea      = "00000000-0000-4000-8000-0000000000b1"
	basic    = "00000000-0000-4000-8000-00000000c001"
	pro      = "00000000-0000-4000-8000-00000000c002"
	free     = "00000000-0000-4000-8000-00000000c003"
	retired  = "00000000-0000-4000-8000-00000000c004"
	secret   = "whsec_of_tests"
	fixtures = `
	insert into auth.users (id, email) values ('` + ana + `', 'ana@example.com'), ('` + bea + `', 'bea@example.com');
	update public.profiles set role = 'owner', full_name = 'Ana Vidal' where id = '` + ana + `';
	insert into public.subscription_plans (id, tier, name, price_monthly, price_yearly, max_photos_per_business, is_active) values
		('` + basic + `', 'tbasic', 'Basic', 19.90, 199, 20, true), ('` + pro + `', 'tpro', 'Pro', 49, 490.5, 50, true),
		('` + free + `', 'tfree', 'Free', 0, 0, 5, true), ('` + retired + `', 'told', 'Old', 9, 90, 5, false)`
)

// kit is billing with the test provider behind Stripe's client.
type kit struct {
	t     *testing.T
	api   *restkit.API
	auth  *claims.Authenticator
	local *local.Provider
	web   http.Handler // functions, and the provider's pages
	bill  *billing.Billing

	aal        string      // assurance level of the tokens that call creates
	down       atomic.Bool // the provider's API is unreachable
	onResponse func()      // called after each call of the API, before its response is returned
	pages      http.Handler
}

func newKit(t *testing.T) *kit {
	t.Helper()
	v := claims.NewVerifier([]byte("a-secret-of-tests-with-32-characters"), time.Now)
	keys, err := claims.NewKeys(v, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	k := &kit{t: t, api: restkit.Marketplace(t, fixtures), auth: &claims.Authenticator{Verifier: v, Keys: keys}}
	quiet := slog.New(slog.DiscardHandler)
	k.local = local.New(local.Options{DB: k.api.ServerDB, Site: "http://plaza.test", Secret: secret, Log: quiet, Now: time.Now})
	provider := stripe.New(stripe.Config{Key: "sk_test_1", WebhookSecret: secret, URL: "http://stripe.test", HTTP: &http.Client{Transport: k}})
	k.bill = billing.New(billing.Options{DB: k.api.ServerDB, Provider: provider, Site: "http://plaza.test", Currency: "usd", Log: quiet})
	parts := project.Parts{DB: k.api.ServerDB, Auth: k.auth, Log: quiet, Now: time.Now}
	k.web = functions.Handler("/functions/v1", parts, k.bill.Functions()...)
	k.local.SetWebhook(k.web, "/functions/v1/"+billing.Webhook)
	k.pages = k.local.Routes()
	return k
}

func (k *kit) RoundTrip(r *http.Request) (*http.Response, error) {
	if k.down.Load() {
		return nil, errors.New("no route to the provider")
	}
	response, err := k.local.RoundTrip(r)
	if k.onResponse != nil {
		k.onResponse()
	}
	return response, err
}

// call calls a function as a user. An empty user means the anon key.
func (k *kit) call(name, user string, body any) (int, map[string]any) {
	k.t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		k.t.Fatal(err)
	}
	token := k.auth.Keys.Anon
	if user != "" {
		if token, err = k.auth.Verifier.Mint(map[string]any{"role": "authenticated", "sub": user, "email": "x@example.com", "aal": k.aal, "exp": time.Now().Add(time.Hour).Unix()}); err != nil {
			k.t.Fatal(err)
		}
	}
	r := httptest.NewRequest(http.MethodPost, "/functions/v1/"+name, strings.NewReader(string(data)))
	r.Header.Set("Authorization", "Bearer "+token)
	return serve(k.t, k.web, r)
}

// serve returns the status and the JSON body of a response.
func serve(t *testing.T, h http.Handler, r *http.Request) (int, map[string]any) {
	t.Helper()
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, r)
	var answer map[string]any
	if err := json.Unmarshal(recorder.Body.Bytes(), &answer); err != nil {
		t.Fatalf("%d %s: %v", recorder.Code, recorder.Body, err)
	}
	return recorder.Code, answer
}

func (k *kit) expectError(name, user string, body any, status int, code string) {
	k.t.Helper()
	if got, answer := k.call(name, user, body); got != status || answer["code"] != code {
		k.t.Errorf("%s: %d %v, want %d %s", name, got, answer, status, code)
	}
}

// pageURL calls a function and returns the URL of the provider's page, without its host.
func (k *kit) pageURL(name, user string, body any) string {
	k.t.Helper()
	status, answer := k.call(name, user, body)
	address, _ := answer["url"].(string)
	path, ok := strings.CutPrefix(address, "http://plaza.test")
	if status != http.StatusOK || !ok {
		k.t.Fatalf("%s: %d %v", name, status, answer)
	}
	return path
}

// expectPage loads a page and checks its status and texts.
func (k *kit) expectPage(path string, status int, has ...string) {
	k.t.Helper()
	recorder := httptest.NewRecorder()
	k.pages.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, path, nil))
	if recorder.Code != status {
		k.t.Errorf("%s: %d", path, recorder.Code)
	}
	for _, text := range has {
		if !strings.Contains(recorder.Body.String(), text) {
			k.t.Errorf("%s does not say %q: %s", path, text, recorder.Body)
		}
	}
}

// press submits a page's form with the button of an action, and returns the response.
func (k *kit) press(path, action, subscription string) *http.Response {
	k.t.Helper()
	form := url.Values{"action": {action}, "subscription": {subscription}}
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	recorder := httptest.NewRecorder()
	k.pages.ServeHTTP(recorder, r)
	return recorder.Result()
}

// buy lets a user pay for a plan.
func (k *kit) buy(user, plan, period string) {
	k.t.Helper()
	path := k.pageURL("create-checkout", user, map[string]string{"planId": plan, "billingPeriod": period})
	if answer := k.press(path, "pay", ""); answer.Header.Get("Location") != "http://plaza.test/plans?checkout=done" {
		k.t.Fatalf("paid: %d, to %s", answer.StatusCode, answer.Header.Get("Location"))
	}
}

// state returns the response of check-subscription.
func (k *kit) state(user string) (plan string, subscribed bool, until time.Time) {
	k.t.Helper()
	status, answer := k.call("check-subscription", user, map[string]any{})
	if status != http.StatusOK {
		k.t.Fatalf("check-subscription: %d %v", status, answer)
	}
	plan, _ = answer["plan_name"].(string)
	subscribed, _ = answer["subscribed"].(bool)
	if text, ok := answer["subscription_end"].(string); ok {
		var err error
		if until, err = time.Parse(time.RFC3339, text); err != nil {
			k.t.Fatal(err)
		}
	}
	for _, name := range []string{"plan_id", "subscribed", "subscription_tier", "subscription_end", "plan_name"} {
		if _, ok := answer[name]; !ok {
			k.t.Errorf("check-subscription returns no %s", name)
		}
	}
	return plan, subscribed, until
}

// expect checks the user's subscription and the number of photos that its plan allows.
func (k *kit) expect(user, plan string, subscribed bool, photos int) {
	k.t.Helper()
	gotPlan, got, _ := k.state(user)
	if gotPlan != plan || got != subscribed {
		k.t.Errorf("has %q %t, want %q %t", gotPlan, got, plan, subscribed)
	}
	var limit int
	if err := k.api.DB.QueryRow(k.t.Context(), `select max_photos from private.plan_limits($1)`, user).Scan(&limit); err != nil || limit != photos {
		k.t.Errorf("may have %d photos, want %d (%v)", limit, photos, err)
	}
}

// subscriptions returns the ids of the provider's subscriptions with a status, the newest first.
func (k *kit) subscriptions(status string) (ids []string) {
	k.t.Helper()
	rows, err := k.api.DB.Query(k.t.Context(), `select id from private.test_payments where kind = 'subscription' and data ->> 'status' = $1 order by created_at desc`, status)
	if err != nil {
		k.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			k.t.Fatal(err)
		}
		ids = append(ids, id)
	}
	return ids
}

// send sends a signed event to the webhook. change may modify the request.
func (k *kit) send(kind, object string, at time.Time, change func(r *http.Request)) (int, map[string]any) {
	k.t.Helper()
	payload := `{"id":"evt_1","object":"event","api_version":"2020-08-27","type":"` + kind + `","created":1,"data":{"object":` + object + `}}`
	signed := webhook.GenerateTestSignedPayload(&webhook.UnsignedPayload{Payload: []byte(payload), Secret: secret, Timestamp: at})
	r := httptest.NewRequest(http.MethodPost, "/functions/v1/"+billing.Webhook, strings.NewReader(payload))
	r.Header.Set("Stripe-Signature", signed.Header)
	if change != nil {
		change(r)
	}
	return serve(k.t, k.web, r)
}

// customer returns the id of Ana's customer at the provider.
func (k *kit) customer() (id string) {
	k.t.Helper()
	if err := k.api.DB.QueryRow(k.t.Context(), `select customer_id from private.billing_accounts where user_id = $1`, ana).Scan(&id); err != nil {
		k.t.Fatal(err)
	}
	return id
}
