// Package market puts the marketplace together: its schema, its client and its
// functions, as the binary carries them.
package market

import (
	"context"
	"encoding/hex"
	"net/http"
	"strings"
	"sync"

	"plaza/client"
	"plaza/functions"
	"plaza/functions/billing"
	"plaza/functions/bookings"
	"plaza/functions/claims"
	"plaza/functions/csrf"
	"plaza/functions/firstview"
	"plaza/functions/location"
	"plaza/functions/notices"
	"plaza/functions/payments/local"
	"plaza/functions/payments/stripe"
	"plaza/functions/searches"
	"plaza/functions/session"
	"plaza/functions/social"
	"plaza/functions/visits"
	"plaza/server/ops"
	"plaza/server/pg/migrate"
	"plaza/server/project"
	"plaza/server/site"
	"plaza/sql"
)

// demoPassword is that of all sample accounts; sql/seed/demo has its hash.
const demoPassword = "Plaza-demo-1"

// Project is the marketplace.
func Project() project.Project {
	return project.Project{
		Name: "marketplace", Source: migrate.Project(sql.FS), Client: client.Dist(),
		Extend: extend, NamesOperator: true,
		Settings: []string{
			"GOTRUE_SMTP_SENDER_NAME=Plaza",
			// RULE-03, RULE-04; the same rules stand in validate_password_strength.
			"GOTRUE_PASSWORD_MIN_LENGTH=8",
			"GOTRUE_PASSWORD_REQUIRED_CHARACTERS=abcdefghijklmnopqrstuvwxyz:ABCDEFGHIJKLMNOPQRSTUVWXYZ:0123456789",
			// AUTH-10, S-05: counts failures and locks accounts.
			"GOTRUE_HOOK_PASSWORD_VERIFICATION_ATTEMPT_ENABLED=true",
			"GOTRUE_HOOK_PASSWORD_VERIFICATION_ATTEMPT_URI=pg-functions://postgres/private/password_verification_attempt",
			"GOTRUE_HOOK_PASSWORD_VERIFICATION_ATTEMPT_UNKNOWN_ACCOUNTS=true",
			// RULE-02.
			"GOTRUE_HOOK_BEFORE_USER_CREATED_ENABLED=true",
			"GOTRUE_HOOK_BEFORE_USER_CREATED_URI=pg-functions://postgres/private/before_user_created",
			// AUTH-03, PROFILE-08: sign-in by phone and passkey; people take their data along and leave.
			"GOTRUE_EXTERNAL_PHONE_ENABLED=true",
			"GOTRUE_PASSKEY_ENABLED=true",
			"GOTRUE_SECURITY_USER_DELETION_ENABLED=true",
			"GOTRUE_SECURITY_USER_EXPORT_ENABLED=true",
		},
		Accounts: []project.Account{
			{Role: "admin", Email: "admin@plaza.test", Password: demoPassword},
			{Role: "seller", Email: "owner@plaza.test", Password: demoPassword},
			{Role: "buyer", Email: "user@plaza.test", Password: demoPassword},
		},
		Demo: project.Demo{Users: "private.demo_users", Remove: "private.remove_demo"},
	}
}

func extend(p project.Parts) (project.Extension, error) {
	pages, err := social.New(p.DB, p.SiteURL, client.TileData(), p.Log)
	if err != nil {
		return project.Extension{}, err
	}
	views, err := firstview.New(firstview.Options{
		TileData: client.TileData(), Places: client.Places(), SiteURL: p.SiteURL, Currency: strings.ToUpper(p.Payments.Currency), Now: p.Now, Log: p.Log,
	})
	if err != nil {
		return project.Extension{}, err
	}
	bill, test := newBilling(p)
	mails, err := notices.New(notices.Options{DB: p.DB, Mail: p.Mail, Site: p.SiteURL, Key: p.Secret("unsubscribe"), Log: p.Log})
	if err != nil {
		return project.Extension{}, err
	}
	codes, err := claims.New(p)
	if err != nil {
		return project.Extension{}, err
	}
	named := functions.Handler(prefix, p, append(bill.Functions(),
		codes.Function(),
		location.Geolocation(p),
		csrf.Generate(p.Secret("csrf"), p.Now), csrf.Validate(p.Secret("csrf"), p.Now),
	)...)
	added := project.Extension{
		Routes: map[string]http.Handler{
			prefix + "/": named,
			"/social/":   pages.Routes(),

			"POST /api/session-cleanup": session.Cleanup(p),
			"POST /api/visits":          visits.Record(p),

			"POST " + notices.UnsubscribePath: mails.Unsubscribe(),
		},
		Describe: func(r *http.Request) site.Meta {
			meta := pages.Describe(r)
			views.Begin(&meta, r)
			return meta
		},
		Page: site.Extras{
			Settings: map[string]string{
				"map-style": p.Maps.Style, "currency": strings.ToUpper(p.Payments.Currency),
				"operator-name": p.Operator.Name, "operator-address": p.Operator.Address, "operator-email": p.Operator.Email,
			},
			Connect: p.Maps.Connect(),
		},
		Run: together(bill.Run, bookings.Expiry(p.DB, p.Log).Run, searches.Alerts(p.DB, p.Log).Run, visits.RollUp(p), mails.Run),
		Measure: func(s ops.Scrape) {
			bill.Measure(s)
			mails.Measure(s)
		},
	}
	if test != nil {
		test.Tell(named, prefix+"/"+billing.Webhook)
		added.Routes[local.Prefix] = test.Routes()
	}
	return added, nil
}

// together runs jobs at once and returns when all have ended.
func together(jobs ...func(context.Context)) func(context.Context) {
	return func(ctx context.Context) {
		var wait sync.WaitGroup
		for _, job := range jobs {
			wait.Go(func() { job(ctx) })
		}
		wait.Wait()
	}
}

// prefix is where named functions are.
const prefix = "/functions/v1"

// newBilling takes payments through Stripe or, in development and without an
// account there, through the test provider. In production without an account
// nothing is sold.
func newBilling(p project.Parts) (*billing.Billing, *local.Provider) {
	options := billing.Options{DB: p.DB, Site: p.SiteURL, Currency: p.Payments.Currency, Log: p.Log}
	var test *local.Provider
	switch {
	case p.Payments.StripeKey.Reveal() != "":
		options.Provider = stripe.New(stripe.Config{
			Key: p.Payments.StripeKey.Reveal(), WebhookSecret: p.Payments.StripeWebhookSecret.Reveal(), URL: p.Payments.StripeURL,
		})
	case p.Production:
		p.Log.Warn("STRIPE_SECRET_KEY is not set: plans cannot be bought")
	default:
		signs := hex.EncodeToString(p.Secret("test-payments"))
		test = local.New(local.Options{DB: p.DB, Site: p.SiteURL, Secret: signs, Log: p.Log, Now: p.Now})
		options.Provider = stripe.New(stripe.Config{
			Key: "sk_test_local", WebhookSecret: signs, URL: "http://" + local.Name, HTTP: &http.Client{Transport: test}, Name: local.Name,
		})
	}
	return billing.New(options), test
}
