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

// FN-01, FN-02, FN-03, FN-07, SUB-01, SUB-03, SUB-05, SUB-06, S-38: a subscription is active when
// the provider's page redirects back, and follows all later changes at the provider.
func TestSubscribing(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.expect(ana, "", false, 5)
	path := k.pageURL("create-checkout", ana, map[string]string{"planId": basic})
	k.expectPage(path, http.StatusOK, "Basic", "19.90 USD a month", "test payments")
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
	k.expectPage(path, http.StatusNotFound)
	if answer := k.press(path, "pay", ""); answer.StatusCode != http.StatusNotFound || len(k.subscriptions("active")) != 1 {
		t.Errorf("paid twice: %d, %d subscriptions", answer.StatusCode, len(k.subscriptions("active")))
	}
	k.expect(bea, "", false, 5)

	portal := k.pageURL("customer-portal", ana, nil)
	id := k.subscriptions("active")[0]
	k.expectPage(portal, http.StatusOK, "Basic", "Renews on", `href="http://plaza.test/plans"`)
	k.press(portal, "fail", id)
	k.expect(ana, "Basic", true, 20) // the payment is retried
	k.expectPage(portal, http.StatusOK, "payment failed")
	k.press(portal, "settle", id)
	k.press(portal, "renew", id)
	if _, _, later := k.state(ana); !later.After(until.AddDate(0, 1, 0)) {
		t.Errorf("renewed until %s", later)
	}
	k.press(portal, "cancel", id)
	k.expectPage(portal, http.StatusOK, "Ends on")
	k.expect(ana, "Basic", true, 20)
	k.press(portal, "renew", id)
	k.expect(ana, "Basic", false, 5)
	k.expectPage(portal, http.StatusOK, "ended")
	k.buy(ana, pro, "yearly")
	k.expect(ana, "Pro", true, 50)
}

func TestRefusedCheckouts(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	order := func(plan, period string) map[string]any {
		return map[string]any{"planId": plan, "billingPeriod": period}
	}
	k.expectError("create-checkout", "", order(basic, "monthly"), http.StatusUnauthorized, "not_authenticated")
	k.expectError("create-checkout", bea, order(basic, "monthly"), http.StatusForbidden, "not_owner")
	k.expectError("create-checkout", ana, order(retired, "monthly"), http.StatusNotFound, "plan_not_found")
	k.expectError("create-checkout", ana, order("no plan", "monthly"), http.StatusNotFound, "plan_not_found")
	k.expectError("create-checkout", ana, order(free, "monthly"), http.StatusUnprocessableEntity, "plan_is_free")
	k.expectError("create-checkout", ana, order(basic, "daily"), http.StatusBadRequest, "invalid_billing_period")
	k.expectError("create-checkout", ana, []int{1}, http.StatusBadRequest, "bad_json")
	k.expectError("check-subscription", "", nil, http.StatusUnauthorized, "not_authenticated")
	k.expectError("customer-portal", "", nil, http.StatusUnauthorized, "not_authenticated")
	k.expectError("customer-portal", ana, nil, http.StatusNotFound, "no_billing_account")
	// The client cannot set the price or the return URLs.
	path := k.pageURL("create-checkout", ana, map[string]any{"planId": pro, "billingPeriod": "yearly", "amount": 1, "success_url": "https://evil.test"})
	k.expectPage(path, http.StatusOK, "490.50 USD a year")
	k.press(path, "pay", "")
	k.expectError("create-checkout", ana, order(pro, "yearly"), http.StatusConflict, "already_subscribed")
	k.down.Store(true)
	k.expectError("create-checkout", ana, order(basic, "monthly"), http.StatusBadGateway, "payment_provider_failed")
	k.expectError("customer-portal", ana, nil, http.StatusBadGateway, "payment_provider_failed")
}

// Billing functions require the second factor of a user who has one.
func TestBillingRequiresSecondFactor(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.buy(ana, pro, "monthly")
	if _, err := k.api.DB.Exec(t.Context(), `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
		values (gen_random_uuid(), $1, 'webauthn', 'verified', now(), now())`, ana); err != nil {
		t.Fatal(err)
	}
	order := map[string]string{"planId": basic, "billingPeriod": "monthly"}
	k.expectError("create-checkout", ana, order, http.StatusForbidden, "insufficient_aal")
	k.expectError("customer-portal", ana, nil, http.StatusForbidden, "insufficient_aal")
	k.aal = "aal2"
	k.pageURL("create-checkout", ana, order)
	k.pageURL("customer-portal", ana, nil)
}

// After a change to another plan, only the new subscription is active.
func TestChangePlan(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.buy(ana, basic, "monthly")
	k.buy(ana, pro, "monthly")
	k.expect(ana, "Pro", true, 50)
	if active, ended := k.subscriptions("active"), k.subscriptions("canceled"); len(active) != 1 || len(ended) != 1 {
		t.Errorf("%d are active and %d have ended, want one each", len(active), len(ended))
	}
}

// The stored state is the provider's, however late, often or out of order events arrive.
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
	var calls atomic.Int32
	k.onResponse = func() { calls.Add(1) }
	object := `{"customer":"` + k.customer() + `"}`
	for name, tt := range map[string]struct {
		at     time.Time
		change func(r *http.Request)
	}{
		"no signature":      {time.Now(), func(r *http.Request) { r.Header.Del("Stripe-Signature") }},
		"another signature": {time.Now(), func(r *http.Request) { r.Header.Set("Stripe-Signature", "t=1,v1=00") }},
		"another body":      {time.Now(), func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader(`{"type":"invoice.paid"}`)) }},
		"an old event":      {time.Now().Add(-time.Hour), nil},
	} {
		if status, answer := k.send("invoice.paid", object, tt.at, tt.change); status != http.StatusBadRequest || answer["code"] != "invalid_signature" {
			t.Errorf("%s: %d %v", name, status, answer)
		}
	}
	if status, answer := k.send("invoice.paid", object, time.Now(), func(r *http.Request) { r.Method = http.MethodGet }); status != http.StatusMethodNotAllowed {
		t.Errorf("GET: %d %v", status, answer)
	}
	if calls.Load() != 0 {
		t.Errorf("the provider was called %d times", calls.Load())
	}
}

// A response of the provider is not stored if a later request was already answered.
func TestStaleResponse(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.buy(ana, basic, "monthly")
	object := `{"customer":"` + k.customer() + `"}`
	waiting, proceed := make(chan struct{}), make(chan struct{})
	var isFirst atomic.Bool
	isFirst.Store(true)
	k.onResponse = func() {
		if isFirst.Swap(false) {
			close(waiting)
			<-proceed
		}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		k.send("invoice.paid", object, time.Now(), nil)
	}()
	<-waiting
	k.press(k.pageURL("customer-portal", ana, nil), "end", k.subscriptions("active")[0])
	k.expect(ana, "Basic", false, 5)
	close(proceed)
	<-done
	k.expect(ana, "Basic", false, 5)
}

// Reconcile finds the changes of lost events.
func TestReconcile(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.buy(ana, basic, "monthly")
	k.local.SetWebhook(http.NotFoundHandler(), "/") // events are lost from now on
	k.press(k.pageURL("customer-portal", ana, nil), "end", k.subscriptions("active")[0])
	k.expect(ana, "Basic", true, 20)
	if err := k.bill.Reconcile(t.Context()); err != nil {
		t.Fatal(err)
	}
	k.expect(ana, "Basic", true, 20) // synced today, so not due
	k.api.Exec(t, `update private.billing_accounts set synced_at = now() - interval '2 days'`)
	k.down.Store(true)
	if err := k.bill.Reconcile(t.Context()); err == nil {
		t.Error("the provider was not called")
	}
	k.down.Store(false)
	k.api.Exec(t, `update private.billing_accounts set synced_at = synced_at - interval '10 minutes'`)
	if err := k.bill.Reconcile(t.Context()); err != nil {
		t.Fatal(err)
	}
	k.expect(ana, "Basic", false, 5)
}

// A subscription stays active for a few days after its end, until the renewal arrives.
func TestGracePeriod(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.buy(ana, basic, "monthly")
	k.api.Exec(t, `update public.user_subscriptions set subscription_end = now() - interval '2 days'`)
	k.expect(ana, "Basic", true, 20)
	k.api.Exec(t, `update public.user_subscriptions set subscription_end = now() - interval '4 days'`)
	k.expect(ana, "Basic", false, 5)
}

// Concurrent checkouts of one user create one customer.
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
