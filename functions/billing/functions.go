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

// Where the provider's pages lead back to.
const (
	plansPath = "/plans"
	bought    = plansPath + "?checkout=done"
	cancelled = plansPath + "?checkout=cancelled"
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

// signedIn returns the caller, who must be a user.
func signedIn(r *http.Request) (claims.Caller, error) {
	who := functions.ClientsOf(r.Context()).Who()
	if who.Subject == "" {
		return who, errSignedOut
	}
	return who, nil
}

const subscriptionState = `select json_build_object(
		'plan_id', s.plan_id, 'subscribed', private.subscription_runs(s.subscribed, s.subscription_end),
		'subscription_tier', s.subscription_tier, 'subscription_end', s.subscription_end, 'plan_name', s.plan_name)
	from (select 1) one left join public.user_subscriptions s on s.user_id = (select auth.uid())`

// check is check-subscription: how the caller's subscription stands (FN-01).
func (b *Billing) check() functions.Func {
	return functions.Func{Name: "check-subscription", Serve: func(w http.ResponseWriter, r *http.Request) error {
		if _, err := signedIn(r); err != nil {
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

// plan is what an order needs to know.
type plan struct {
	ID, Name, Email, FullName string
	Monthly, Yearly           int64 // in the currency's smallest unit
	Owner, Strong             bool
}

const planToBuy = `select json_build_object('ID', p.id, 'Name', p.name, 'Monthly', (p.price_monthly * 100)::bigint, 'Yearly', (p.price_yearly * 100)::bigint,
		'Owner', public.has_role('owner'), 'Strong', private.strongest_factor_shown(), 'Email', auth.jwt() ->> 'email', 'FullName', (select f.full_name from public.profiles f where f.id = (select auth.uid())))
	from public.subscription_plans p where p.id::text = lower($1) and p.is_active`

// checkout is create-checkout: {planId, billingPeriod} gives {url} of a page to pay
// on (FN-02). Prices and ways back are the server's (S-38).
func (b *Billing) checkout() functions.Func {
	return functions.Func{Name: "create-checkout", Serve: func(w http.ResponseWriter, r *http.Request) error {
		who, err := signedIn(r)
		if err != nil {
			return err
		}
		asked := struct {
			Plan   string          `json:"planId"`
			Period payments.Period `json:"billingPeriod"`
		}{Period: payments.Monthly}
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&asked); err != nil {
			return apierr.New(http.StatusBadRequest, "bad_json", "Could not read the request's body as JSON").WithCause(err)
		}
		if asked.Period != payments.Monthly && asked.Period != payments.Yearly {
			return errPeriod
		}
		var p plan
		err = functions.ClientsOf(r.Context()).Query(r.Context(), planToBuy, [][]byte{[]byte(asked.Plan)}, func(row [][]byte) error { return json.Unmarshal(row[0], &p) })
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
		if asked.Period == payments.Yearly {
			amount = p.Yearly
		}
		if amount == 0 {
			return errFreePlan
		}
		customer, err := b.customer(r.Context(), who, p)
		if err != nil {
			return err
		}
		has, err := b.provider.Subscriptions(r.Context(), customer)
		if err != nil {
			return errProvider.WithCause(err)
		}
		if now, _ := choose(has); now.Runs() && now.Renews && now.Plan == p.ID && now.Period == asked.Period {
			return errSubscribed
		}
		address, err := b.provider.Checkout(r.Context(), payments.Order{
			Customer: customer, User: who.Subject, Plan: p.ID, Name: p.Name, Period: asked.Period, Amount: amount, Currency: b.options.Currency,
			Success: b.options.Site + bought, Cancelled: b.options.Site + cancelled,
		})
		return b.lead(w, address, err)
	}}
}

// lead answers with the address of a page of the provider.
func (b *Billing) lead(w http.ResponseWriter, address string, err error) error {
	if err != nil {
		return errProvider.WithCause(err)
	}
	w.Header().Set("Cache-Control", "no-store")
	return httpx.WriteJSON(w, http.StatusOK, map[string]string{"url": address})
}

const (
	findCustomer = `select customer_id from private.billing_accounts where user_id = $1 and provider = $2`

	// keepCustomer keeps the first of two that were made at once; one of another
	// provider gives way.
	keepCustomer = `insert into private.billing_accounts as a (user_id, provider, customer_id) values ($1, $2, $3)
		on conflict (user_id) do update set
			customer_id = case when a.provider = excluded.provider then a.customer_id else excluded.customer_id end,
			subscription_id = case when a.provider = excluded.provider then a.subscription_id end, provider = excluded.provider
		returning customer_id`
)

// customer returns the caller's customer at the provider, made where there is none.
func (b *Billing) customer(ctx context.Context, who claims.Caller, p plan) (customer string, err error) {
	err = b.db.QueryRowAsService(ctx, pg.ServiceRole, findCustomer, []any{who.Subject, b.provider.Name()}, &customer)
	if !errors.Is(err, pgx.ErrNoRows) {
		return customer, err
	}
	made, err := b.provider.Customer(ctx, payments.User{ID: who.Subject, Email: p.Email, Name: p.FullName})
	if err != nil {
		return "", errProvider.WithCause(err)
	}
	return customer, b.db.QueryRowAsService(ctx, pg.ServiceRole, keepCustomer, []any{who.Subject, b.provider.Name(), made}, &customer)
}

const strongSession = `select private.strongest_factor_shown()`

// portal is customer-portal: {url} of the page of the caller's bills (FN-03).
func (b *Billing) portal() functions.Func {
	return functions.Func{Name: "customer-portal", Serve: func(w http.ResponseWriter, r *http.Request) error {
		who, err := signedIn(r)
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
		return b.lead(w, address, err)
	}}
}

// Webhook is the name of the function that the provider sends events to.
const Webhook = "payment-events"

// webhook takes events. They are signed, so it needs no token. Anything but a 200
// has the provider send the event again later.
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
		event, err := b.provider.Read(payload, r.Header)
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
