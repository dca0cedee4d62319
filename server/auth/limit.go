package auth

import (
	"context"
	"errors"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/apierr"
	"plaza/server/auth/autherr"
	"plaza/server/auth/settings"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
	"plaza/server/httpx"
)

// limit is a bucket of tokens that fills at a steady pace. All servers of a
// project draw from the same buckets, which are rows of auth.rate_limits.
type limit struct {
	name      string
	burst     float64
	perSecond float64
}

// burst is how many requests an address may send at once. Source:
// supabase/auth.
const burst = 30

func per(count float64, interval time.Duration, name string) limit {
	return limit{name, min(burst, max(count, 1)), count / interval.Seconds()}
}

// limits are the buckets of the configuration.
type limits struct {
	token, verify, otp, sso, passkey, mfa, anonymous, register, password, mail, sms limit
}

// fiveMinutes is what most of upstream's limits count in.
const fiveMinutes = 5 * time.Minute

func newLimits(config settings.Config) limits {
	c := config.RateLimit
	all := limits{
		token: per(c.TokenRefresh, fiveMinutes, "token"), verify: per(c.Verify, fiveMinutes, "verify"), otp: per(c.OTP, fiveMinutes, "otp"),
		sso: per(c.SSO, fiveMinutes, "sso"), passkey: per(c.Passkey, fiveMinutes, "passkey"), anonymous: per(c.AnonymousUsers, time.Hour, "anonymous"),
		register: per(c.Register, fiveMinutes, "register"), password: per(c.PasswordFailures, fiveMinutes, "password"),
		mail: rated(c.EmailSent, "mail"), sms: rated(c.SMSSent, "sms"),
	}
	all.mfa = limit{"mfa", burst, config.MFA.RateLimit / time.Minute.Seconds()} // upstream allows the burst
	// The dev inbox takes any number.
	if config.SMTP.Host == "" && !config.Hook.SendEmail.Enabled {
		all.mail = limit{}
	}
	if config.SMS.Provider == "" && !config.Hook.SendSMS.Enabled {
		all.sms = limit{}
	}
	return all
}

func rated(r settings.Rate, name string) limit {
	return limit{name, max(r.Events, 1), r.Events / r.Over.Seconds()}
}

// of gives one path a bucket of its own.
func (l limit) of(path string) limit {
	l.name += "/" + path
	return l
}

// spendLimit takes a token, or tells in how many seconds there is one.
const spendLimit = `select auth.spend_limit($1, $2, $3, $4)`

// spend takes a token of somebody's bucket. Nobody ("") has no limit.
//
// Errors: 429 over_request_rate_limit with Retry-After.
func (s *Server) spend(ctx context.Context, l limit, whose string) error {
	return s.spendBy(ctx, s.store.QueryRow, l, whose)
}

// reader runs a statement that gives one row.
type reader func(ctx context.Context, sql string, args []any, dest ...any) error

func (s *Server) spendBy(ctx context.Context, read reader, l limit, whose string) error {
	if whose == "" || l.perSecond == 0 {
		return nil
	}
	var wait float64
	if err := read(ctx, spendLimit, []any{l.name + ":" + whose, l.burst, l.perSecond, s.now()}, &wait); err != nil {
		return err
	}
	return s.overLimit(l, wait)
}

// project is whom the limits of a whole project hold for.
const project = "project"

// spendMail takes a mail of the project's. Whether the address is known is not
// looked at, so that the limit tells nothing about it.
//
// Errors: 400 email_address_not_authorized; 429 over_email_send_rate_limit.
func (s *Server) spendMail(ctx context.Context, address string) error {
	if only := s.config.Ways.OnlyTo; len(only) > 0 && !slices.ContainsFunc(only, func(known string) bool { return strings.EqualFold(known, address) }) {
		return autherr.BadRequest(autherr.CodeAddressRefused, "Email address %q cannot be used as it is not authorized", address)
	}
	return s.spendMailBy(ctx, s.store.QueryRow)
}

// spendMailIn takes a mail of the project's within a transaction.
//
// Errors: 429 over_email_send_rate_limit.
func (s *Server) spendMailIn(ctx context.Context, tx *store.Tx) error {
	return s.spendMailBy(ctx, func(ctx context.Context, sql string, args []any, dest ...any) error {
		return tx.QueryRow(ctx, sql, args...).Scan(dest...)
	})
}

func (s *Server) spendMailBy(ctx context.Context, read reader) error {
	return renamed(s.spendBy(ctx, read, s.limits.mail, project), autherr.CodeMailRate, "email rate limit exceeded")
}

// spendSMS takes a message of the project's. Errors: 429 over_sms_send_rate_limit.
func (s *Server) spendSMS(ctx context.Context) error {
	return renamed(s.spend(ctx, s.limits.sms, project), autherr.CodeSMSRate, "SMS rate limit exceeded")
}

// renamed gives a refusal of a limit the code of what is limited.
func renamed(err error, code, message string) error {
	if visible := apierr.As(err); visible != nil && visible.Code == autherr.CodeRequestRate {
		refused := *visible
		refused.Code, refused.Message = code, message
		return &refused
	}
	return err
}

// overLimit refuses for as many seconds; none: nothing is refused.
func (s *Server) overLimit(l limit, wait float64) error {
	if wait <= 0 {
		return nil
	}
	s.counts.limited.Add(l.name, 1)
	refused := apierr.New(http.StatusTooManyRequests, autherr.CodeRequestRate, "Request rate limit reached")
	refused.Headers = map[string]string{"Retry-After": strconv.Itoa(int(math.Ceil(wait)))}
	return refused
}

const (
	// spendGuess takes a token for a password that is about to be looked at, and
	// tells whether the account has a session at the caller's address.
	spendGuess = `select auth.spend_limit($1, $2, $3, $4),
		exists (select from auth.sessions s where s.user_id = nullif($5, '')::uuid and s.ip = $6::inet)`

	// returnGuess gives it back for the right one.
	returnGuess = `update auth.rate_limits set tokens = least($2, tokens + 1) where key = $1 returning tokens`
)

// guess counts a password that is about to be looked at; right gives back what
// it took. When too many wrong ones were tried for an account, the right one is
// refused too: otherwise a guesser would still learn it. Who comes from where
// the account has a session has as many tries again, so that a stranger cannot
// lock its owner out. The bucket is that of the address or number typed, whether there is
// an account or not.
//
// Errors: 429 over_request_rate_limit.
func (s *Server) guess(ctx context.Context, c users.Contact, userID string, who users.Visitor) (right func() error, err error) {
	l := s.limits.password
	if c.Value == "" || l.perSecond == 0 {
		return func() error { return nil }, nil
	}
	var wait float64
	var known bool
	key := l.name + ":" + c.Value
	if err := s.store.QueryRow(ctx, spendGuess, []any{key, l.burst, l.perSecond, s.now(), userID, who.Address}, &wait, &known); err != nil {
		return nil, err
	}
	switch {
	case wait > 0 && !known:
		return nil, s.overLimit(l, wait)
	case wait > 0: // many may share an address, so it has a bucket of its own
		if err := s.spend(ctx, l, c.Value+"@"+who.IP()); err != nil {
			return nil, err
		}
	}
	return func() error {
		if wait > 0 {
			return nil // nothing was taken
		}
		var left float64
		err := s.store.QueryRow(ctx, returnGuess, []any{key, l.burst}, &left)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil // the bucket was full and is gone
		}
		return err
	}, nil
}

// limit holds a handler to a limit by the client's address.
func (s *Server) limit(l limit, h httpx.Handler) httpx.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := s.spend(r.Context(), l, s.limitKey(r)); err != nil {
			return err
		}
		return h(w, r)
	}
}

// networkBits is how much of an IPv6 address names a household: its holder may
// use any address of it.
const networkBits = 64

// limitKey names the client for the limits by address. "" means no limit: that is a
// developer on this machine or its networks, where nothing says that there is a
// proxy and production is not asked for.
func (s *Server) limitKey(r *http.Request) string {
	address := httpx.ClientAddress(r, s.deps.TrustedProxies)
	exempt := !s.deps.LimitEverybody && len(s.deps.TrustedProxies) == 0 && !httpx.IsForwarded(r)
	switch {
	case exempt && (address.IsLoopback() || address.IsPrivate()):
		return ""
	case !address.IsValid():
		return "unknown"
	case address.Is4():
		return address.String()
	}
	network, err := address.WithZone("").Prefix(networkBits)
	if err != nil {
		return address.String()
	}
	return network.Masked().String()
}
