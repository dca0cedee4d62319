// Package limit implements rate limits as token buckets. All servers of a project share the
// buckets, which are rows of auth.rate_limits.
package limit

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/apierr"
	"plaza/server/auth/autherr"
	"plaza/server/auth/settings"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
	"plaza/server/tally"
)

// Bucket is a token bucket that refills at a constant rate. PerSecond 0 means no limit.
type Bucket struct {
	Name      string
	Burst     float64
	PerSecond float64
}

// ForPath returns a separate bucket with the same rate for one path.
func (b Bucket) ForPath(path string) Bucket {
	b.Name += "/" + path
	return b
}

func (b Bucket) unlimited() bool { return b.PerSecond == 0 }

// burst is the number of requests that an address may send at once. Source: supabase/auth.
const burst = 30

func newBucket(count float64, interval time.Duration, name string) Bucket {
	return Bucket{name, min(burst, max(count, 1)), count / interval.Seconds()}
}

func bucketOfRate(r settings.Rate, name string) Bucket {
	return Bucket{name, max(r.Events, 1), r.Events / r.Over.Seconds()}
}

// Limiter applies the rate limits of the settings.
type Limiter struct {
	Token, Verify, OTP, Passkey, MFA, Anonymous, Register Bucket

	password, mail, sms Bucket

	db                  *store.Store
	now                 func() time.Time
	authorizedAddresses []string // the only addresses to which mails are sent; empty: any
	refused             tally.Of[string]
}

// fiveMinutes is the interval of most of upstream's limits.
const fiveMinutes = 5 * time.Minute

// New returns the Limiter of the settings.
func New(config settings.Config, db *store.Store, now func() time.Time) *Limiter {
	c := config.RateLimit
	l := &Limiter{
		Token: newBucket(c.TokenRefresh, fiveMinutes, "token"), Verify: newBucket(c.Verify, fiveMinutes, "verify"), OTP: newBucket(c.OTP, fiveMinutes, "otp"),
		Passkey: newBucket(c.Passkey, fiveMinutes, "passkey"), Anonymous: newBucket(c.AnonymousUsers, time.Hour, "anonymous"),
		Register: newBucket(c.Register, fiveMinutes, "register"), password: newBucket(c.PasswordFailures, fiveMinutes, "password"),
		mail: bucketOfRate(c.EmailSent, "mail"), sms: bucketOfRate(c.SMSSent, "sms"),
		// Upstream allows the burst here, too.
		MFA: Bucket{"mfa", burst, config.MFA.RateLimit / time.Minute.Seconds()},
		db:  db, now: now, authorizedAddresses: config.Ways.AuthorizedAddresses,
	}
	// Mails and messages to the dev inbox are not limited.
	if config.SMTP.Host == "" && !config.Hook.SendEmail.Enabled {
		l.mail = Bucket{}
	}
	if config.SMS.Provider == "" && !config.Hook.SendSMS.Enabled {
		l.sms = Bucket{}
	}
	return l
}

// Refused returns the number of requests that each bucket has refused.
func (l *Limiter) Refused() map[string]uint64 { return l.refused.All() }

// spendToken takes a token, or returns the seconds until one is available.
const spendToken = `select auth.spend_limit($1, $2, $3, $4)`

// Spend takes a token from the bucket with a key. An empty key means no limit.
//
// Errors: 429 over_request_rate_limit with Retry-After.
func (l *Limiter) Spend(ctx context.Context, b Bucket, key string) error {
	return l.spendWith(ctx, l.db.QueryRow, b, key)
}

// reader runs a statement that returns one row.
type reader func(ctx context.Context, sql string, args []any, dest ...any) error

func txReader(tx *store.Tx) reader {
	return func(ctx context.Context, sql string, args []any, dest ...any) error {
		return tx.QueryRow(ctx, sql, args...).Scan(dest...)
	}
}

func (l *Limiter) spendWith(ctx context.Context, read reader, b Bucket, key string) error {
	if key == "" || b.unlimited() {
		return nil
	}
	var wait float64
	if err := read(ctx, spendToken, []any{b.Name + ":" + key, b.Burst, b.PerSecond, l.now()}, &wait); err != nil {
		return err
	}
	return l.RefusalError(b, wait)
}

// RefusalError returns the error of a bucket whose next token is available in wait seconds. It
// returns nil if wait is 0.
//
// Errors: 429 over_request_rate_limit with Retry-After.
func (l *Limiter) RefusalError(b Bucket, wait float64) error {
	if wait <= 0 {
		return nil
	}
	l.refused.Add(b.Name, 1)
	return autherr.TooManyRequests(autherr.CodeRequestRate, wait, "Request rate limit reached")
}

// Once allows one event with a name per interval. It returns the seconds to wait, or 0 if the
// event may happen now.
func (l *Limiter) Once(ctx context.Context, tx *store.Tx, name string, interval time.Duration, now time.Time) (wait float64, err error) {
	err = tx.QueryRow(ctx, spendToken, name, 1.0, 1/interval.Seconds(), now).Scan(&wait)
	return wait, err
}

// project is the bucket key of limits for the whole project.
const project = "project"

// SpendMail takes a token from the project's limit for mails. Callers spend it whether or not the
// address has an account, so that the limit does not reveal accounts.
//
// Errors: 400 email_address_not_authorized; 429 over_email_send_rate_limit.
func (l *Limiter) SpendMail(ctx context.Context, address string) error {
	if len(l.authorizedAddresses) > 0 && !slices.ContainsFunc(l.authorizedAddresses, func(known string) bool { return strings.EqualFold(known, address) }) {
		return autherr.BadRequest(autherr.CodeAddressRefused, "Email address %q cannot be used as it is not authorized", address)
	}
	return l.spendMailWith(ctx, l.db.QueryRow)
}

// SpendMailIn takes a token from the project's limit for mails within a transaction.
//
// Errors: 429 over_email_send_rate_limit.
func (l *Limiter) SpendMailIn(ctx context.Context, tx *store.Tx) error {
	return l.spendMailWith(ctx, txReader(tx))
}

func (l *Limiter) spendMailWith(ctx context.Context, read reader) error {
	return withCode(l.spendWith(ctx, read, l.mail, project), autherr.CodeMailRate, "email rate limit exceeded")
}

// SpendSMS takes a token from the project's limit for messages to phones.
//
// Errors: 429 over_sms_send_rate_limit.
func (l *Limiter) SpendSMS(ctx context.Context) error {
	return withCode(l.Spend(ctx, l.sms, project), autherr.CodeSMSRate, "SMS rate limit exceeded")
}

// SpendContact is SpendMail for an email address and SpendSMS for a phone number.
//
// Errors: those of SpendMail and SpendSMS.
func (l *Limiter) SpendContact(ctx context.Context, c users.Contact) error {
	if c.Kind == users.ByEmail {
		return l.SpendMail(ctx, c.Value)
	}
	return l.SpendSMS(ctx)
}

// withCode replaces the code and message of a rate limit error.
func withCode(err error, code, message string) error {
	if visible := apierr.As(err); visible != nil && visible.Code == autherr.CodeRequestRate {
		refused := *visible
		refused.Code, refused.Message = code, message
		return &refused
	}
	return err
}

const (
	// spendGuess takes a token for a password that is about to be checked, and reports whether
	// the account has a session at the caller's address.
	spendGuess = `select auth.spend_limit($1, $2, $3, $4),
		exists (select from auth.sessions s where s.user_id = nullif($5, '')::uuid and s.ip = $6::inet)`

	// returnGuess returns the token after the correct password.
	returnGuess = `update auth.rate_limits set tokens = least($2, tokens + 1) where key = $1 returning tokens`
)

// SpendGuess counts a password that is about to be checked. refund returns the token; it is
// called after the correct password. After too many wrong passwords for a contact, the correct
// one is refused, too; otherwise an attacker could go on guessing. A client address at
// which the account has a session gets a second bucket, so that an attacker cannot lock out
// the owner. The bucket belongs to the contact, whether or not it has an account.
//
// Errors: 429 over_request_rate_limit.
func (l *Limiter) SpendGuess(ctx context.Context, c users.Contact, userID string, info users.RequestInfo) (refund func() error, err error) {
	b := l.password
	if c.Value == "" || b.unlimited() {
		return func() error { return nil }, nil
	}
	var wait float64
	var known bool
	key := b.Name + ":" + c.Value
	if err := l.db.QueryRow(ctx, spendGuess, []any{key, b.Burst, b.PerSecond, l.now(), userID, info.Address}, &wait, &known); err != nil {
		return nil, err
	}
	switch {
	case wait > 0 && !known:
		return nil, l.RefusalError(b, wait)
	case wait > 0: // many clients may share an address, so it has a bucket of its own
		if err := l.Spend(ctx, b, c.Value+"@"+info.IP()); err != nil {
			return nil, err
		}
	}
	return func() error {
		if wait > 0 {
			return nil // no token was taken from the first bucket
		}
		var left float64
		err := l.db.QueryRow(ctx, returnGuess, []any{key, b.Burst}, &left)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil // the bucket was full and its row has been removed
		}
		return err
	}, nil
}
