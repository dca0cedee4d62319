package auth

import (
	"context"
	"errors"
	"math"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/autherr"
	"plaza/server/auth/mailer"
	"plaza/server/auth/store"
	"plaza/server/auth/token"
	"plaza/server/auth/users"
)

// Kinds of one-time tokens, as the table names them.
const (
	tokenConfirmation = "confirmation_token"
	tokenRecovery     = "recovery_token"
	tokenChangeNew    = "email_change_token_new"
	tokenChangeOld    = "email_change_token_current"
	tokenPhoneChange  = "phone_change_token"
	tokenReauth       = "reauthentication_token"
)

// maxAttempts is how many wrong codes may be typed before a token ends and a
// new mail has to be asked for. Upstream has no such limit; with it, one mail
// gives a guesser 5 of 1,000,000 codes.
const maxAttempts = 5

// issued is a fresh one-time token: a code to type and the secret of a link.
// Either spends both. They are independent, so that the few digits of the code
// do not weaken the link.
type issued struct {
	code   string
	link   string
	stored string // what the user's row and the table keep of the code
}

// issueToken makes a token that is sent to address, in place of an older one of
// its kind.
func (s *messages) issueToken(batch *pgx.Batch, userID, kind, address string, pkce bool, now time.Time) issued {
	fresh := issued{code: s.newCode(address, now), link: token.Link()}
	fresh.stored = token.CodeHash(address, fresh.code)
	if pkce {
		fresh.link = token.PKCEPrefix + fresh.link
		fresh.stored = token.PKCEPrefix + fresh.stored
	}
	batch.Queue(clearToken, userID, kind)
	batch.Queue(insertToken, userID, kind, fresh.stored, address, token.LinkHash(fresh.link), now.UTC())
	return fresh
}

// newCode makes a code for an address; a phone number may have a fixed one, for
// tests.
func (s *messages) newCode(address string, now time.Time) string {
	if users.KindOf(address) == users.ByEmail {
		return token.Code(s.config.Mailer.OTPLength)
	}
	if fixed, ok := s.testCode(address, now); ok {
		return fixed
	}
	return token.Code(s.config.SMS.OTPLength)
}

// mail makes the mail that carries a token. verifies is the type its link asks
// /verify for.
func (s *messages) mail(kind mailer.Kind, verifies, to string, user *users.User, fresh issued, redirect string) mailer.Mail {
	// In upstream's order, which templates and tests of projects may look for.
	link := s.externalURL + "/verify?token=" + url.QueryEscape(fresh.link) + "&type=" + url.QueryEscape(verifies) + "&redirect_to=" + url.QueryEscape(redirect)
	return mailer.Mail{
		Kind: kind, To: to,
		Data: mailer.Data{
			ConfirmationURL: link, Token: fresh.code, TokenHash: fresh.link,
			Email: user.Email, NewEmail: user.NewEmail, SendingTo: to, RedirectTo: redirect, Data: user.UserMetadata, Action: verifies,
			SiteURL: s.siteURL,
		},
	}
}

// tooSoon refuses a further mail within the interval.
func (s *messages) tooSoon(last *time.Time, now time.Time) error {
	return within(last, s.config.SMTP.MaxFrequency, now, autherr.CodeMailRate)
}

// tooSoonSMS refuses a further message within the interval.
func (s *messages) tooSoonSMS(last *time.Time, now time.Time) error {
	return within(last, s.config.SMS.MaxFrequency, now, autherr.CodeSMSRate)
}

func within(last *time.Time, interval time.Duration, now time.Time, code string) error {
	if last == nil {
		return nil
	}
	if left := last.Add(interval).Sub(now); left > 0 {
		return waitError(left, code)
	}
	return nil
}

func waitError(left time.Duration, code string) error {
	return autherr.TooManyRequests(code, left.Seconds(), "For security purposes, you can only request this after %d seconds.", int(left/time.Second))
}

// spendable is a token found for a link or a typed code.
type spendable struct {
	userID, kind, stored string
	address              string // it was sent to
	created              time.Time
}

// errSpent is one answer for every link and code that does not work.
var (
	errLinkSpent = autherr.Forbidden(autherr.CodeOTPExpired, "Email link is invalid or has expired")
	errCodeSpent = autherr.Forbidden(autherr.CodeOTPExpired, "Token has expired or is invalid")
)

func (s *messages) expired(t spendable) bool {
	seconds := s.config.Mailer.OTPExpiry
	if users.KindOf(t.address) == users.ByPhone {
		seconds = s.config.SMS.OTPExpiry
	}
	return s.now().After(t.created.Add(time.Duration(seconds) * time.Second))
}

// findLink gives the token of a link's secret.
func (s *messages) findLink(ctx context.Context, tx *store.Tx, secret string, kinds []string) (spendable, error) {
	var found spendable
	err := tx.QueryRow(ctx, tokenByLink, token.LinkHash(secret), kinds).Scan(&found.userID, &found.kind, &found.stored, &found.address, &found.created)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && s.expired(found) {
		return spendable{}, errLinkSpent
	}
	return found, err
}

// findCode gives the token whose code was typed for an address. found is false
// where none is; the attempt is then counted, so the transaction must commit.
func (s *messages) findCode(ctx context.Context, tx *store.Tx, address, code, audience string, kinds []string) (match spendable, found bool, err error) {
	rows, err := tx.Query(ctx, tokensByAddress, address, kinds, audience)
	if err != nil {
		return spendable{}, false, err
	}
	open, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (spendable, error) {
		var t spendable
		err := row.Scan(&t.userID, &t.kind, &t.stored, &t.address, &t.created)
		return t, err
	})
	if err != nil {
		return spendable{}, false, err
	}
	typed := token.CodeHash(address, code)
	for _, t := range open {
		if !s.expired(t) && token.Same(strings.TrimPrefix(t.stored, token.PKCEPrefix), typed) {
			return t, true, nil
		}
	}
	for _, t := range open {
		if err := countMiss(ctx, tx, t); err != nil {
			return spendable{}, false, err
		}
	}
	return spendable{}, false, nil
}

func countMiss(ctx context.Context, tx *store.Tx, t spendable) error {
	var attempts int
	if err := tx.QueryRow(ctx, countAttempt, t.userID, t.kind).Scan(&attempts); err != nil {
		return err
	}
	if attempts < maxAttempts {
		return nil
	}
	batch := &pgx.Batch{}
	dropToken(batch, t.userID, t.kind)
	return tx.ExecBatch(ctx, batch)
}

// dropToken ends one token, in both its homes.
func dropToken(batch *pgx.Batch, userID, kind string) {
	columns := map[string]string{
		tokenConfirmation: dropConfirmation, tokenRecovery: dropRecovery, tokenChangeNew: dropChangeNew, tokenChangeOld: dropChangeOld,
		tokenPhoneChange: dropPhoneChange, tokenReauth: dropReauth,
	}
	batch.Queue(columns[kind], userID)
	batch.Queue(clearToken, userID, kind)
}

// tooSoonForNobody holds a request that led to nothing to the pace of one that
// did.
func (s *messages) tooSoonForNobody(ctx context.Context, tx *store.Tx, c users.Contact, asked string, now time.Time) error {
	interval, code := s.config.SMTP.MaxFrequency, autherr.CodeMailRate
	if c.Kind == users.ByPhone {
		interval, code = s.config.SMS.MaxFrequency, autherr.CodeSMSRate
	}
	if interval <= 0 {
		return nil
	}
	wait, err := s.limits.Once(ctx, tx, "asked:"+asked, interval, now)
	if err != nil || wait <= 0 {
		return err
	}
	return waitError(time.Duration(math.Round(wait*1000))*time.Millisecond, code)
}
