// Package project says what the server can be given to serve, beside its own
// APIs: a schema with its data, a client, named functions.
package project

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"plaza/server/auth/mailer"
	"plaza/server/auth/sms"
	"plaza/server/claims"
	"plaza/server/edge"
	"plaza/server/geo"
	"plaza/server/invoke"
	"plaza/server/ops"
	"plaza/server/pg"
	"plaza/server/pg/migrate"
	"plaza/server/secret"
	"plaza/server/site"
	"plaza/storage"
)

// Project is what the binary serves: the one built into it or a developer's folder.
type Project struct {
	Name   string
	Source migrate.Source
	Client fs.FS // nil without a client of its own
	Folder fs.FS // with templates of mails; nil for the one built in

	Functions edge.Folder // functions for deno; empty for the one built in

	Buckets []storage.Bucket // made at the start, or brought to this

	// Settings are the project's own defaults of the server's settings, as
	// "NAME=value"; the environment wins.
	Settings []string

	Accounts []Account // sample accounts, shown at the start in development
	Demo     Demo      // how its sample data is found and removed

	// NamesOperator says that its pages name who runs the site: production needs the
	// settings of Operator.
	NamesOperator bool

	// Extend adds the project's own handlers and page descriptions. It may be nil.
	Extend func(Parts) (Extension, error)
}

// Extension is what a project adds to the server's own APIs.
type Extension struct {
	Routes   map[string]http.Handler // by pattern
	Describe site.Describe           // what a page says of itself; may be nil
	Page     site.Extras             // settings that the client's scripts read, and where else they load from
	Run      func(context.Context)   // runs until its context ends; may be nil
	Measure  ops.Source              // numbers of its own, for /metrics; may be nil
}

// Payments say who takes people's cards, for a project that sells.
type Payments struct {
	StripeKey           secret.Text `env:"STRIPE_SECRET_KEY"`
	StripeWebhookSecret secret.Text `env:"STRIPE_WEBHOOK_SECRET"`
	StripeURL           string      `env:"STRIPE_API_URL"` // of another server that speaks Stripe's API
	Currency            string      `env:"PAYMENTS_CURRENCY" envDefault:"usd"`
}

// Check tells what is wrong with the settings.
func (p Payments) Check() error {
	var wrong []error
	if (p.StripeKey.Reveal() == "") != (p.StripeWebhookSecret.Reveal() == "") {
		wrong = append(wrong, errors.New("STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET belong together: set both"))
	}
	if len(p.Currency) != 3 || strings.Trim(p.Currency, "abcdefghijklmnopqrstuvwxyz") != "" {
		wrong = append(wrong, fmt.Errorf("PAYMENTS_CURRENCY is %q: use three letters such as eur", p.Currency))
	}
	return errors.Join(wrong...)
}

// Demo names the SQL functions of a project that know its sample data. An empty
// name means that the project has none.
type Demo struct {
	// Users returns the ids of sample accounts that carry no mark of their own:
	// users() setof uuid.
	Users string
	// Remove deletes what the given accounts wrote and all other sample content,
	// but not the accounts: remove(uuid[]) returns table (what text, removed bigint).
	Remove string
}

// Account is a sample account.
type Account struct{ Role, Email, Password string }

// Parts are what a project's own handlers may use.
type Parts struct {
	DB      *pg.DB
	Auth    *claims.Authenticator
	SiteURL string
	Log     *slog.Logger
	Now     func() time.Time

	// Functions finds what else answers under /functions/v1; nil for nothing.
	Functions invoke.Find
	// Calls counts the calls of functions; nil for nobody who asks.
	Calls *invoke.Calls
	// Secret gives a key for one purpose, the same on all servers of the project.
	Secret func(purpose string) []byte

	// Mail sends a mail of the project's own, over the relay that sign-in mails
	// take, or into the inbox of development. Nothing is queued: who sends tries again.
	Mail mailer.Sender
	// Texts sends a text message of the project's own, as Mail does a mail; nil in
	// production without a provider.
	Texts sms.Sender

	Production bool     // nothing made for tests may run
	Payments   Payments // who takes cards
	Maps       Maps     // where maps come from
	Operator   Operator // who runs the site

	Places         *geo.Finder    // where visitors are; nil knows nothing
	TrustedProxies []netip.Prefix // whose X-Forwarded-For is believed
}
