package billing_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// FN-01, FN-02, FN-03, FN-07, SUB-01, SUB-03, SUB-05, SUB-06, S-38: what is bought on the
// provider's pages is there when they lead back, and follows what happens to it.
func TestSubscribing(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.expect(ana, "", false, 5)
	path := k.page("create-checkout", ana, map[string]string{"planId": basic})
	k.show(path, http.StatusOK, "Basic", "19.90 USD a month", "test payments")
	if answer := k.press(path, "decline", ""); answer.StatusCode != http.StatusPaymentRequired {
		t.Errorf("a declined card: %d", answer.StatusCode)
	}
	k.expect(ana, "", false, 5)
	if answer := k.press(path, "cancel", ""); answer.Header.Get("Location") != "http://plaza.test/plans?checkout=cancelled" {
		t.Errorf("cancelled: %s", answer.Header.Get("Location"))
	}
	k.expect(ana, "", false, 5)
	k.press(path, "pay", "")
	k.expect(ana, "Basic", true, 20)
	_, _, until := k.state(ana)
	if want := time.Now().AddDate(0, 1, 0); until.Sub(want).Abs() > time.Hour {
		t.Errorf("until %s, want about %s", until, want)
	}
	k.show(path, http.StatusNotFound)
	if answer := k.press(path, "pay", ""); answer.StatusCode != http.StatusNotFound || len(k.subscriptions("active")) != 1 {
		t.Errorf("paid twice: %d, %d subscriptions", answer.StatusCode, len(k.subscriptions("active")))
	}
	k.expect(bea, "", false, 5)

	portal := k.page("customer-portal", ana, nil)
	id := k.subscriptions("active")[0]
	k.show(portal, http.StatusOK, "Basic", "Renews on", `href="http://plaza.test/plans"`)
	k.press(portal, "fail", id)
	k.expect(ana, "Basic", true, 20) // it is tried again
	k.show(portal, http.StatusOK, "payment failed")
	k.press(portal, "settle", id)
	k.press(portal, "renew", id)
	if _, _, later := k.state(ana); !later.After(until.AddDate(0, 1, 0)) {
		t.Errorf("renewed until %s", later)
	}
	k.press(portal, "cancel", id)
	k.show(portal, http.StatusOK, "Ends on")
	k.expect(ana, "Basic", true, 20)
	k.press(portal, "renew", id)
	k.expect(ana, "Basic", false, 5)
	k.show(portal, http.StatusOK, "ended")
	k.buy(ana, pro, "yearly")
	k.expect(ana, "Pro", true, 50)
}

func TestRefusedCheckouts(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	order := func(plan, period string) map[string]any {
		return map[string]any{"planId": plan, "billingPeriod": period}
	}
	k.refused("create-checkout", "", order(basic, "monthly"), http.StatusUnauthorized, "not_authenticated")
	k.refused("create-checkout", bea, order(basic, "monthly"), http.StatusForbidden, "not_owner")
	k.refused("create-checkout", ana, order(retired, "monthly"), http.StatusNotFound, "plan_not_found")
	k.refused("create-checkout", ana, order("no plan", "monthly"), http.StatusNotFound, "plan_not_found")
	k.refused("create-checkout", ana, order(free, "monthly"), http.StatusUnprocessableEntity, "plan_is_free")
	k.refused("create-checkout", ana, order(basic, "daily"), http.StatusBadRequest, "invalid_billing_period")
	k.refused("create-checkout", ana, []int{1}, http.StatusBadRequest, "bad_json")
	k.refused("check-subscription", "", nil, http.StatusUnauthorized, "not_authenticated")
	k.refused("customer-portal", "", nil, http.StatusUnauthorized, "not_authenticated")
	k.refused("customer-portal", ana, nil, http.StatusNotFound, "no_billing_account")
	// Prices and ways back are not the client's to say.
	path := k.page("create-checkout", ana, map[string]any{"planId": pro, "billingPeriod": "yearly", "amount": 1, "success_url": "https://evil.test"})
	k.show(path, http.StatusOK, "490.50 USD a year")
	k.press(path, "pay", "")
	k.refused("create-checkout", ana, order(pro, "yearly"), http.StatusConflict, "already_subscribed")
	k.down.Store(true)
	k.refused("create-checkout", ana, order(basic, "monthly"), http.StatusBadGateway, "payment_provider_failed")
	k.refused("customer-portal", ana, nil, http.StatusBadGateway, "payment_provider_failed")
}

// Money is the owner's only with the second factor that the owner has set up.
func TestMoneyAsksForTheSecondFactor(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.buy(ana, pro, "monthly")
	if _, err := k.api.DB.Exec(t.Context(), `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
		values (gen_random_uuid(), $1, 'webauthn', 'verified', now(), now())`, ana); err != nil {
		t.Fatal(err)
	}
	order := map[string]string{"planId": basic, "billingPeriod": "monthly"}
	k.refused("create-checkout", ana, order, http.StatusForbidden, "insufficient_aal")
	k.refused("customer-portal", ana, nil, http.StatusForbidden, "insufficient_aal")
	k.aal = "aal2"
	k.page("create-checkout", ana, order)
	k.page("customer-portal", ana, nil)
}

// Who changes to another plan pays for one, not for two.
func TestChangingThePlan(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.buy(ana, basic, "monthly")
	k.buy(ana, pro, "monthly")
	k.expect(ana, "Pro", true, 50)
	if active, ended := k.subscriptions("active"), k.subscriptions("canceled"); len(active) != 1 || len(ended) != 1 {
		t.Errorf("%d run and %d have ended, want one each", len(active), len(ended))
	}
}

// However late, often or out of order events come, the state is the provider's.
func TestEvents(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.buy(ana, basic, "monthly")
	customer := k.customer()
	for _, object := range []string{
		`{"object":"subscription","status":"canceled","customer":"` + customer + `"}`,
		`{"object":"subscription","status":"incomplete","customer":{"id":"` + customer + `"}}`,
		`{"object":"subscription","customer":"cus_of_somebody_else"}`,
		`{"object":"subscription"}`,
		`[]`,
	} {
		for range 2 {
			if status, answer := k.send("customer.subscription.deleted", object, time.Now(), nil); status != http.StatusOK {
				t.Errorf("%s: %d %v", object, status, answer)
			}
			k.expect(ana, "Basic", true, 20)
		}
	}
	if status, _ := k.send("customer.created", `{"customer":"`+customer+`"}`, time.Now(), nil); status != http.StatusOK {
		t.Errorf("an event of another kind: %d", status)
	}
}

func TestForgedEvents(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.buy(ana, basic, "monthly")
	var asked atomic.Int32
	k.answered = func() { asked.Add(1) }
	object := `{"customer":"` + k.customer() + `"}`
	for name, tt := range map[string]struct {
		at     time.Time
		change func(r *http.Request)
	}{
		"no signature":      {time.Now(), func(r *http.Request) { r.Header.Del("Stripe-Signature") }},
		"another signature": {time.Now(), func(r *http.Request) { r.Header.Set("Stripe-Signature", "t=1,v1=00") }},
		"another text":      {time.Now(), func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader(`{"type":"invoice.paid"}`)) }},
		"an old one":        {time.Now().Add(-time.Hour), nil},
	} {
		if status, answer := k.send("invoice.paid", object, tt.at, tt.change); status != http.StatusBadRequest || answer["code"] != "invalid_signature" {
			t.Errorf("%s: %d %v", name, status, answer)
		}
	}
	if status, answer := k.send("invoice.paid", object, time.Now(), func(r *http.Request) { r.Method = http.MethodGet }); status != http.StatusMethodNotAllowed {
		t.Errorf("GET: %d %v", status, answer)
	}
	if asked.Load() != 0 {
		t.Errorf("the provider was asked %d times", asked.Load())
	}
}

// An answer of the provider that comes after that to a later question is not
// written down.
func TestAnOldAnswer(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.buy(ana, basic, "monthly")
	object := `{"customer":"` + k.customer() + `"}`
	asked, goOn := make(chan struct{}), make(chan struct{})
	var before atomic.Bool
	k.answered = func() {
		if !before.Swap(true) {
			close(asked)
			<-goOn
		}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		k.send("invoice.paid", object, time.Now(), nil)
	}()
	<-asked
	k.press(k.page("customer-portal", ana, nil), "end", k.subscriptions("active")[0])
	k.expect(ana, "Basic", false, 5)
	close(goOn)
	<-done
	k.expect(ana, "Basic", false, 5)
}

// What an event would have told is found without it.
func TestReconcile(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.buy(ana, basic, "monthly")
	k.local.SetWebhook(http.NotFoundHandler(), "/") // events are lost from now on
	k.press(k.page("customer-portal", ana, nil), "end", k.subscriptions("active")[0])
	k.expect(ana, "Basic", true, 20)
	if err := k.bill.Reconcile(t.Context()); err != nil {
		t.Fatal(err)
	}
	k.expect(ana, "Basic", true, 20) // heard of today
	k.api.Exec(t, `update private.billing_accounts set synced_at = now() - interval '2 days'`)
	k.down.Store(true)
	if err := k.bill.Reconcile(t.Context()); err == nil {
		t.Error("nobody was asked")
	}
	k.down.Store(false)
	k.api.Exec(t, `update private.billing_accounts set synced_at = synced_at - interval '10 minutes'`)
	if err := k.bill.Reconcile(t.Context()); err != nil {
		t.Fatal(err)
	}
	k.expect(ana, "Basic", false, 5)
}

// A renewal that is not heard of yet takes nothing away; a month later it does.
func TestGrace(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.buy(ana, basic, "monthly")
	k.api.Exec(t, `update public.user_subscriptions set subscription_end = now() - interval '2 days'`)
	k.expect(ana, "Basic", true, 20)
	k.api.Exec(t, `update public.user_subscriptions set subscription_end = now() - interval '4 days'`)
	k.expect(ana, "Basic", false, 5)
}

// Two checkouts at once are one customer's.
func TestOneCustomer(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			status, _ := k.call("create-checkout", ana, map[string]string{"planId": basic})
			if status != http.StatusOK {
				t.Errorf("checkout: %d", status)
			}
		})
	}
	all.Wait()
	var customers int
	if err := k.api.DB.QueryRow(context.Background(), `select count(distinct customer) from private.test_payments where kind = 'checkout.session'`).Scan(&customers); err != nil || customers != 1 {
		t.Errorf("%d customers, %v", customers, err)
	}
}
