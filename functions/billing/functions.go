package billing

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/jackc/pgx/v5"

	"plaza/functions"
	"plaza/functions/payments"
	"plaza/server/apierr"
	"plaza/server/claims"
	"plaza/server/httpx"
	"plaza/server/pg"
)

// Paths of the client that the provider's pages link back to.
const (
	plansPath     = "/plans"
	successPath   = plansPath + "?checkout=done"
	cancelledPath = plansPath + "?checkout=cancelled"
)

// maxBody is the largest request read, in bytes; Stripe's events stay below it.
const maxBody = 1 << 20

var (
	errOff        = apierr.New(http.StatusServiceUnavailable, "payments_off", "Plans cannot be bought here yet")
	errSignedOut  = apierr.New(http.StatusUnauthorized, "not_authenticated", "Not authenticated")
	errNeedsAAL2  = apierr.New(http.StatusForbidden, "insufficient_aal", "Sign in with your second factor first")
	errNotOwner   = apierr.New(http.StatusForbidden, "not_owner", "Only sellers can subscribe to a plan")
	errNoPlan     = apierr.New(http.StatusNotFound, "plan_not_found", "There is no such plan")
	errFreePlan   = apierr.New(http.StatusUnprocessableEntity, "plan_is_free", "This plan costs nothing")
	errPeriod     = apierr.New(http.StatusBadRequest, "invalid_billing_period", "billingPeriod must be monthly or yearly")
	errSubscribed = apierr.New(http.StatusConflict, "already_subscribed", "You have this plan already")
	errNoAccount  = apierr.New(http.StatusNotFound, "no_billing_account", "You have not subscribed to a plan yet")
	errEvent      = apierr.New(http.StatusBadRequest, "bad_event", "The event could not be read")
	errProvider   = apierr.New(http.StatusBadGateway, "payment_provider_failed", "The payment provider does not answer. Please try again in a moment.")
)

// requireUser returns the caller, or errSignedOut if it is not a user.
func requireUser(r *http.Request) (claims.Caller, error) {
	who := functions.ClientsOf(r.Context()).Caller()
	if who.Subject == "" {
		return who, errSignedOut
	}
	return who, nil
}

const subscriptionState = `select json_build_object(
		'plan_id', s.plan_id, 'subscribed', private.subscription_runs(s.subscribed, s.subscription_end),
		'subscription_tier', s.subscription_tier, 'subscription_end', s.subscription_end, 'plan_name', s.plan_name)
	from (select 1) one left join public.user_subscriptions s on s.user_id = (select auth.uid())`

// checkSubscription is check-subscription: it returns the state of the caller's
// subscription (FN-01).
func (b *Billing) checkSubscription() functions.Func {
	return functions.Func{Name: "check-subscription", Serve: func(w http.ResponseWriter, r *http.Request) error {
		if _, err := requireUser(r); err != nil {
			return err
		}
		var state json.RawMessage
		err := functions.ClientsOf(r.Context()).Query(r.Context(), subscriptionState, nil, func(row [][]byte) error {
			state = append(state, row[0]...)
			return nil
		})
		if err != nil {
			return err
		}
		w.Header().Set("Cache-Control", "no-store")
		return httpx.WriteJSON(w, http.StatusOK, state)
	}}
}

// plan is a plan together with the caller who orders it.
type plan struct {
	ID, Name, Email, FullName string
	Monthly, Yearly           int64 // in the currency's smallest unit
	Owner, Strong             bool
}

const planToBuy = `select json_build_object('ID', p.id, 'Name', p.name, 'Monthly', (p.price_monthly * 100)::bigint, 'Yearly', (p.price_yearly * 100)::bigint,
		'Owner', public.has_role('owner'), 'Strong', private.strongest_factor_shown(), 'Email', auth.jwt() ->> 'email', 'FullName', (select f.full_name from public.profiles f where f.id = (select auth.uid())))
	from public.subscription_plans p where p.id::text = lower($1) and p.is_active`

// createCheckout is create-checkout: it takes {planId, billingPeriod} and returns {url}, a
// page to pay on (FN-02). The server sets the price and the return URLs (S-38).
func (b *Billing) createCheckout() functions.Func {
	return functions.Func{Name: "create-checkout", Serve: func(w http.ResponseWriter, r *http.Request) error {
		who, err := requireUser(r)
		if err != nil {
			return err
		}
		order := struct {
			Plan   string          `json:"planId"`
			Period payments.Period `json:"billingPeriod"`
		}{Period: payments.Monthly}
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&order); err != nil {
			return apierr.New(http.StatusBadRequest, "bad_json", "Could not read the request's body as JSON").WithCause(err)
		}
		if order.Period != payments.Monthly && order.Period != payments.Yearly {
			return errPeriod
		}
		var p plan
		err = functions.ClientsOf(r.Context()).Query(r.Context(), planToBuy, [][]byte{[]byte(order.Plan)}, func(row [][]byte) error { return json.Unmarshal(row[0], &p) })
		switch {
		case err != nil:
			return err
		case p.ID == "":
			return errNoPlan
		case !p.Owner:
			return errNotOwner
		case !p.Strong:
			return errNeedsAAL2
		}
		amount := p.Monthly
		if order.Period == payments.Yearly {
			amount = p.Yearly
		}
		if amount == 0 {
			return errFreePlan
		}
		customer, err := b.findOrCreateCustomer(r.Context(), who, p)
		if err != nil {
			return err
		}
		subscriptions, err := b.provider.Subscriptions(r.Context(), customer)
		if err != nil {
			return errProvider.WithCause(err)
		}
		if current, _ := choose(subscriptions); current.IsActive() && current.Renews && current.Plan == p.ID && current.Period == order.Period {
			return errSubscribed
		}
		address, err := b.provider.Checkout(r.Context(), payments.Order{
			Customer: customer, User: who.Subject, Plan: p.ID, Name: p.Name, Period: order.Period, Amount: amount, Currency: b.options.Currency,
			Success: b.options.Site + successPath, Cancelled: b.options.Site + cancelledPath,
		})
		return b.writeURL(w, address, err)
	}}
}

// writeURL responds with the URL of a page of the provider. err is the provider's.
func (b *Billing) writeURL(w http.ResponseWriter, address string, err error) error {
	if err != nil {
		return errProvider.WithCause(err)
	}
	w.Header().Set("Cache-Control", "no-store")
	return httpx.WriteJSON(w, http.StatusOK, map[string]string{"url": address})
}

const (
	findCustomer = `select customer_id from private.billing_accounts where user_id = $1 and provider = $2`

	// storeCustomer keeps the first of two customers created concurrently. It replaces a
	// customer of another provider.
	storeCustomer = `insert into private.billing_accounts as a (user_id, provider, customer_id) values ($1, $2, $3)
		on conflict (user_id) do update set
			customer_id = case when a.provider = excluded.provider then a.customer_id else excluded.customer_id end,
			subscription_id = case when a.provider = excluded.provider then a.subscription_id end, provider = excluded.provider
		returning customer_id`
)

// findOrCreateCustomer returns the id of the caller's customer at the provider. It creates
// the customer if there is none.
func (b *Billing) findOrCreateCustomer(ctx context.Context, who claims.Caller, p plan) (customer string, err error) {
	err = b.db.QueryRowAsService(ctx, pg.ServiceRole, findCustomer, []any{who.Subject, b.provider.Name()}, &customer)
	if !errors.Is(err, pgx.ErrNoRows) {
		return customer, err
	}
	created, err := b.provider.Customer(ctx, payments.User{ID: who.Subject, Email: p.Email, Name: p.FullName})
	if err != nil {
		return "", errProvider.WithCause(err)
	}
	return customer, b.db.QueryRowAsService(ctx, pg.ServiceRole, storeCustomer, []any{who.Subject, b.provider.Name(), created}, &customer)
}

const strongSession = `select private.strongest_factor_shown()`

// customerPortal is customer-portal: it returns {url}, the page of the caller's bills
// (FN-03).
func (b *Billing) customerPortal() functions.Func {
	return functions.Func{Name: "customer-portal", Serve: func(w http.ResponseWriter, r *http.Request) error {
		who, err := requireUser(r)
		if err != nil {
			return err
		}
		var strong bool
		err = functions.ClientsOf(r.Context()).Query(r.Context(), strongSession, nil, func(row [][]byte) error {
			strong = string(row[0]) == "t"
			return nil
		})
		if err == nil && !strong {
			err = errNeedsAAL2
		}
		if err != nil {
			return err
		}
		var customer string
		err = b.db.QueryRowAsService(r.Context(), pg.ServiceRole, findCustomer, []any{who.Subject, b.provider.Name()}, &customer)
		if errors.Is(err, pgx.ErrNoRows) {
			return errNoAccount
		}
		if err != nil {
			return err
		}
		address, err := b.provider.Portal(r.Context(), customer, b.options.Site+plansPath)
		return b.writeURL(w, address, err)
	}}
}

// Webhook is the name of the function that the provider sends events to.
const Webhook = "payment-events"

// webhook receives the provider's events. They are signed, so no token is needed. After
// any status but 200, the provider retries the event later.
func (b *Billing) webhook() functions.Func {
	return functions.Func{Name: Webhook, Open: true, Serve: func(w http.ResponseWriter, r *http.Request) error {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			return apierr.New(http.StatusMethodNotAllowed, "method_not_allowed", "Events are posted")
		}
		payload, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			return errEvent.WithCause(err)
		}
		event, err := b.provider.ParseEvent(payload, r.Header)
		switch {
		case errors.Is(err, payments.ErrSignature):
			b.events.Add("unsigned", 1)
			return apierr.New(http.StatusBadRequest, "invalid_signature", "The event is not signed by the payment provider").WithCause(err)
		case err != nil:
			b.events.Add("unreadable", 1)
			return errEvent.WithCause(err)
		}
		if event.Customer != "" {
			if err := b.sync(r.Context(), event.Customer); err != nil {
				b.events.Add("failed", 1)
				return err
			}
		}
		b.events.Add("ok", 1)
		return httpx.WriteJSON(w, http.StatusOK, map[string]bool{"received": true})
	}}
}
