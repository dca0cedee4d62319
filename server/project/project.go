// Package project describes what the server serves in addition to its own APIs: a
// schema with its data, a client, named functions.
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
	"plaza/server/doctor"
	"plaza/server/edge"
	"plaza/server/geo"
	"plaza/server/invoke"
	"plaza/server/jobs"
	"plaza/server/ops"
	"plaza/server/pg"
	"plaza/server/pg/migrate"
	"plaza/server/secret"
	"plaza/server/site"
	"plaza/storage"
)

// Project is the project that the binary serves: the built-in one or a developer's folder.
type Project struct {
	Name   string
	Source migrate.Source
	Client fs.FS // nil if the project has no client
	Folder fs.FS // contains mail templates; nil for the built-in project

	Functions edge.Folder // functions for Deno; empty for the built-in project

	Buckets []storage.Bucket // created or updated at the start

	// Settings holds the project's defaults for the server's settings, as "NAME=value".
	// The environment takes precedence.
	Settings []string

	Accounts []Account // sample accounts, shown at the start in development
	Demo     Demo      // SQL functions for its sample data

	// NamesOperator means that the project's pages name the operator of the site, so that
	// the settings of Operator are required in production.
	NamesOperator bool

	// Extend adds the project's own handlers and page descriptions. It may be nil.
	Extend func(Parts) (Extension, error)
}

// Extension is what a project adds to the server's own APIs.
type Extension struct {
	Routes    map[string]http.Handler // by pattern
	Describe  site.Describe           // returns the metadata of pages; may be nil
	PageCache *site.PageCache         // cache of finished pages; may be nil
	Page      site.Extras             // settings for the client's scripts, and additional origins
	Run       func(context.Context)   // what each server does in the background, until its context ends; may be nil
	Jobs      []jobs.Job              // background jobs, each run by one server of the cluster
	Measure   ops.Source              // additional metrics; may be nil
}

// Payments configures the payment provider.
type Payments struct {
	StripeKey           secret.Text `env:"STRIPE_SECRET_KEY"`
	StripeWebhookSecret secret.Text `env:"STRIPE_WEBHOOK_SECRET"`
	StripeURL           string      `env:"STRIPE_API_URL"` // another server with Stripe's API; may be empty
	Currency            string      `env:"PAYMENTS_CURRENCY" envDefault:"usd"`
}

// Check returns an error that lists all invalid settings.
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

// Demo holds the names of SQL functions for a project's sample data. An empty name means
// that the project has no such function.
type Demo struct {
	// Users returns the ids of sample accounts that are not marked themselves:
	// users() setof uuid.
	Users string
	// Remove deletes the content of the given accounts and all other sample content, but
	// not the accounts: remove(uuid[]) returns table (what text, removed bigint).
	Remove string
	// Seed makes sample data of an amount that the function knows by name, and returns what
	// is new: seed(text) returns table (what text, made bigint).
	Seed string
}

// Account is a sample account.
type Account struct{ Role, Email, Password string }

// Parts holds the parts of the server that a project's own handlers may use.
type Parts struct {
	DB      *pg.DB
	Auth    *claims.Authenticator
	SiteURL string
	Log     *slog.Logger
	Now     func() time.Time

	// Functions finds other functions under /functions/v1; may be nil.
	Functions invoke.Find
	// Calls counts the calls of functions; may be nil.
	Calls *invoke.Calls
	// Secret returns a key for a purpose. It is the same on all servers of the project.
	Secret func(purpose string) []byte

	// Mail sends the project's own mails through the relay for sign-in mails, or to the
	// development inbox. Mails are not queued; the caller must retry.
	Mail mailer.Sender
	// Texts sends the project's own text messages, like Mail. It is nil in production
	// without a provider.
	Texts sms.Sender
	// SignInToken returns a one-time token that signs in the account of an address; a client
	// exchanges it by verifyOtp({ token_hash, type: 'magiclink' }). The caller must have
	// checked that whoever gets it may sign in as that account.
	SignInToken func(ctx context.Context, email string) (string, error)

	// Examine returns what the doctor finds in the database.
	Examine func(context.Context) ([]doctor.Finding, error)

	Production bool // test implementations must not be used
	Payments   Payments
	Maps       Maps
	Operator   Operator

	Places         *geo.Finder    // finds the location of visitors; may be nil
	TrustedProxies []netip.Prefix // proxies whose X-Forwarded-For is trusted
}
