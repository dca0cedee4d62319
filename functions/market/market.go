// Package market assembles the marketplace from the schema, the client and the functions
// that the binary embeds.
package market

import (
	"encoding/hex"
	"maps"
	"net/http"
	"strings"

	"plaza/client"
	"plaza/functions"
	"plaza/functions/billing"
	"plaza/functions/bookings"
	"plaza/functions/claims"
	"plaza/functions/csrf"
	"plaza/functions/firstview"
	"plaza/functions/imports"
	"plaza/functions/integrity"
	"plaza/functions/location"
	"plaza/functions/months"
	"plaza/functions/notices"
	"plaza/functions/pages"
	"plaza/functions/payments/local"
	"plaza/functions/payments/stripe"
	"plaza/functions/schema"
	"plaza/functions/searches"
	"plaza/functions/session"
	"plaza/functions/social"
	"plaza/functions/testusers"
	"plaza/functions/visits"
	"plaza/functions/vitals"
	"plaza/functions/words"
	"plaza/server/ops"
	"plaza/server/pg/migrate"
	"plaza/server/project"
	"plaza/server/site"
	"plaza/sql"
)

// demoPassword is the password of all demo accounts; sql/seed/demo has its hash.
const demoPassword = "Plaza-demo-1"

// Project returns the marketplace's project.
func Project() project.Project {
	return project.Project{
		Name: "marketplace", Source: migrate.Project(sql.FS), Client: client.Dist(),
		Extend: extend, NamesOperator: true,
		Settings: []string{
			"GOTRUE_SMTP_SENDER_NAME=Plaza",
			// RULE-03, RULE-04; validate_password_strength has the same rules.
			"GOTRUE_PASSWORD_MIN_LENGTH=8",
			"GOTRUE_PASSWORD_REQUIRED_CHARACTERS=abcdefghijklmnopqrstuvwxyz:ABCDEFGHIJKLMNOPQRSTUVWXYZ:0123456789",
			// AUTH-10, S-05: counts failures and locks accounts.
			"GOTRUE_HOOK_PASSWORD_VERIFICATION_ATTEMPT_ENABLED=true",
			"GOTRUE_HOOK_PASSWORD_VERIFICATION_ATTEMPT_URI=pg-functions://postgres/private/password_verification_attempt",
			"GOTRUE_HOOK_PASSWORD_VERIFICATION_ATTEMPT_UNKNOWN_ACCOUNTS=true",
			// RULE-02.
			"GOTRUE_HOOK_BEFORE_USER_CREATED_ENABLED=true",
			"GOTRUE_HOOK_BEFORE_USER_CREATED_URI=pg-functions://postgres/private/before_user_created",
			// AUTH-03, PROFILE-08: sign-in by phone and passkey; users can export their data and delete their account.
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
		Demo: project.Demo{Users: "private.demo_users", Remove: "private.remove_demo", Seed: "private.seed_test_data"},
	}
}

func extend(p project.Parts) (project.Extension, error) {
	pictures, err := social.New(p.DB, client.TileData(), p.Log)
	if err != nil {
		return project.Extension{}, err
	}
	names, err := words.ParseNames(client.Names())
	if err != nil {
		return project.Extension{}, err
	}
	views, err := firstview.New(firstview.Options{
		TileData: client.TileData(), Places: client.Places(), SiteURL: p.SiteURL, Currency: strings.ToUpper(p.Payments.Currency), Names: names, Now: p.Now, Log: p.Log,
	})
	if err != nil {
		return project.Extension{}, err
	}
	described, err := pages.New(pages.Options{DB: p.DB, SiteURL: p.SiteURL, Views: views, Texts: client.InfoPages(), Names: names, Now: p.Now, Log: p.Log})
	if err != nil {
		return project.Extension{}, err
	}
	bill, testProvider := newBilling(p)
	mails, err := notices.New(notices.Options{DB: p.DB, Mail: p.Mail, Site: p.SiteURL, Key: p.Secret("unsubscribe"), Log: p.Log})
	if err != nil {
		return project.Extension{}, err
	}
	codes, err := claims.New(p)
	if err != nil {
		return project.Extension{}, err
	}
	measured := new(vitals.Vitals)
	named := functions.Handler(prefix, p, append(bill.Functions(),
		codes.Function(),
		testusers.LogIn(p),
		location.Geolocation(p),
		schema.Doctor(p),
		csrf.Generate(p.Secret("csrf"), p.Now), csrf.Validate(p.Secret("csrf"), p.Now),
	)...)
	extension := project.Extension{
		Routes: map[string]http.Handler{
			prefix + "/": named,
			"/social/":   pictures.Routes(),

			"POST /api/session-cleanup": session.Cleanup(p),
			"POST /api/visits":          visits.Record(p),
			"POST /api/vitals":          measured.Record(p),

			"POST " + notices.UnsubscribePath: mails.Unsubscribe(),
		},
		Describe:  described.Describe,
		PageCache: described.PageCache,
		Page: site.Extras{
			Settings: map[string]string{
				"site-url": p.SiteURL, "map-style": p.Maps.Style, "currency": strings.ToUpper(p.Payments.Currency),
				"operator-name": p.Operator.Name, "operator-address": p.Operator.Address, "operator-email": p.Operator.Email,
			},
			Connect: p.Maps.ConnectSources(),
		},
		Run: described.Watch,
		Jobs: append(bill.Jobs(), bookings.Expiry(p.DB).Job(), searches.Alerts(p.DB).Job(), visits.RollUp(p), months.Keep(p),
			integrity.Nightly(p), imports.Run(p), imports.RemoveOld(p), mails.Job()),
		Measure: func(s ops.Scrape) {
			bill.Measure(s)
			mails.Measure(s)
			measured.Measure(s)
		},
	}
	maps.Copy(extension.Routes, described.Routes())
	if testProvider != nil {
		testProvider.SetWebhook(named, prefix+"/"+billing.Webhook)
		extension.Routes[local.Prefix] = testProvider.Routes()
	}
	return extension, nil
}

// prefix is the URL prefix of named functions.
const prefix = "/functions/v1"

// newBilling returns the billing with the configured payment provider: Stripe if there is
// an API key, else the test provider, which it also returns. In production without an API
// key there is no provider, and plans cannot be bought.
func newBilling(p project.Parts) (*billing.Billing, *local.Provider) {
	options := billing.Options{DB: p.DB, Site: p.SiteURL, Currency: p.Payments.Currency, Log: p.Log}
	var testProvider *local.Provider
	switch {
	case p.Payments.StripeKey.Reveal() != "":
		options.Provider = stripe.New(stripe.Config{
			Key: p.Payments.StripeKey.Reveal(), WebhookSecret: p.Payments.StripeWebhookSecret.Reveal(), URL: p.Payments.StripeURL,
		})
	case p.Production:
		p.Log.Warn("STRIPE_SECRET_KEY is not set: plans cannot be bought")
	default:
		secret := hex.EncodeToString(p.Secret("test-payments"))
		testProvider = local.New(local.Options{DB: p.DB, Site: p.SiteURL, Secret: secret, Log: p.Log, Now: p.Now})
		options.Provider = stripe.New(stripe.Config{
			Key: "sk_test_local", WebhookSecret: secret, URL: "http://" + local.Name, HTTP: &http.Client{Transport: testProvider}, Name: local.Name,
		})
	}
	return billing.New(options), testProvider
}
