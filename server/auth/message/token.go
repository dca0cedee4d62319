package message

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/autherr"
	"plaza/server/auth/store"
	"plaza/server/auth/token"
	"plaza/server/auth/users"
)

// Kinds of one-time tokens in the table.
const (
	TokenConfirmation = "confirmation_token"
	TokenRecovery     = "recovery_token"
	TokenChangeNew    = "email_change_token_new"
	TokenChangeOld    = "email_change_token_current"
	TokenPhoneChange  = "phone_change_token"
	TokenReauth       = "reauthentication_token"
)

// ClearToken deletes a user's tokens of a kind.
const ClearToken = `delete from auth.one_time_tokens where user_id = $1 and token_type = $2`

const insertToken = `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, link_hash, created_at, updated_at)
		values (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $6)`

const tokenByLink = `select o.user_id::text, o.token_type::text, o.token_hash, o.relates_to, o.created_at from auth.one_time_tokens o
		where o.link_hash = $1 and o.token_type::text = any ($2) for update`

// tokensByAddress lists the tokens that a code typed for an address may match.
const tokensByAddress = `select o.user_id::text, o.token_type::text, o.token_hash, o.relates_to, o.created_at
		from auth.one_time_tokens o join auth.users u on u.id = o.user_id
		where o.relates_to = $1 and o.token_type::text = any ($2) and u.aud = $3 and u.is_sso_user = false
		order by o.user_id, o.token_type for update of o`

const countAttempt = `update auth.one_time_tokens set attempts = attempts + 1 where user_id = $1 and token_type = $2 returning attempts`

// NoteConfirmation records in the user's row that a confirmation was sent. Upstream stores these
// tokens in the user's row, too.
const NoteConfirmation = `update auth.users set confirmation_token = $2, confirmation_sent_at = $3, updated_at = $3 where id = $1`

const dropConfirmation = `update auth.users set confirmation_token = '' where id = $1`

// maxAttempts is the number of wrong codes that invalidates a token. A new mail must be
// requested then. Upstream has no such limit. With it, an attacker can try 5 of 1,000,000
// codes per mail.
const maxAttempts = 5

// Issued is a new one-time token: a code to type and the secret of a link. Using either
// consumes both. They are independent, so that the short code does not weaken the link.
type Issued struct {
	Code   string
	Link   string
	Stored string // hash of the code in the user's row and the table
}

// IssueToken returns a new token for address. It replaces an older token of its kind.
func (s *Sender) IssueToken(batch *pgx.Batch, userID, kind, address string, pkce bool, now time.Time) Issued {
	fresh := Issued{Code: s.newCode(address, now), Link: token.Link()}
	fresh.Stored = token.CodeHash(address, fresh.Code)
	if pkce {
		fresh.Link = token.PKCEPrefix + fresh.Link
		fresh.Stored = token.PKCEPrefix + fresh.Stored
	}
	batch.Queue(ClearToken, userID, kind)
	batch.Queue(insertToken, userID, kind, fresh.Stored, address, token.LinkHash(fresh.Link), now.UTC())
	return fresh
}

// newCode returns a code for an address. A phone number may have a fixed one for tests.
func (s *Sender) newCode(address string, now time.Time) string {
	if users.KindOf(address) == users.ByEmail {
		return token.Code(s.config.Mailer.OTPLength)
	}
	if fixed, ok := s.TestCode(address, now); ok {
		return fixed
	}
	return token.Code(s.config.SMS.OTPLength)
}

// Token is a token found for a link or a typed code.
type Token struct {
	UserID, Kind, stored string
	Address              string // to which it was sent
	created              time.Time
}

// ErrInvalidLink and ErrInvalidCode are the errors for all links and codes that do not work.
var (
	ErrInvalidLink = autherr.Forbidden(autherr.CodeOTPExpired, "Email link is invalid or has expired")
	ErrInvalidCode = autherr.Forbidden(autherr.CodeOTPExpired, "Token has expired or is invalid")
)

func (s *Sender) expired(t Token) bool {
	seconds := s.config.Mailer.OTPExpiry
	if users.KindOf(t.Address) == users.ByPhone {
		seconds = s.config.SMS.OTPExpiry
	}
	return s.now().After(t.created.Add(time.Duration(seconds) * time.Second))
}

// FindLink returns the token for the secret of a link. Errors: ErrInvalidLink.
func (s *Sender) FindLink(ctx context.Context, tx *store.Tx, secret string, kinds []string) (Token, error) {
	var found Token
	err := tx.QueryRow(ctx, tokenByLink, token.LinkHash(secret), kinds).Scan(&found.UserID, &found.Kind, &found.stored, &found.Address, &found.created)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && s.expired(found) {
		return Token{}, ErrInvalidLink
	}
	return found, err
}

// FindCode returns the token that matches a code typed for an address. If found is false, the
// attempt was counted and the transaction must commit.
func (s *Sender) FindCode(ctx context.Context, tx *store.Tx, address, code, audience string, kinds []string) (match Token, found bool, err error) {
	rows, err := tx.Query(ctx, tokensByAddress, address, kinds, audience)
	if err != nil {
		return Token{}, false, err
	}
	tokens, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (Token, error) {
		var t Token
		err := row.Scan(&t.UserID, &t.Kind, &t.stored, &t.Address, &t.created)
		return t, err
	})
	if err != nil {
		return Token{}, false, err
	}
	typed := token.CodeHash(address, code)
	for _, t := range tokens {
		if !s.expired(t) && token.Equal(strings.TrimPrefix(t.stored, token.PKCEPrefix), typed) {
			return t, true, nil
		}
	}
	for _, t := range tokens {
		if err := countWrongCode(ctx, tx, t); err != nil {
			return Token{}, false, err
		}
	}
	return Token{}, false, nil
}

func countWrongCode(ctx context.Context, tx *store.Tx, t Token) error {
	var attempts int
	if err := tx.QueryRow(ctx, countAttempt, t.UserID, t.Kind).Scan(&attempts); err != nil {
		return err
	}
	if attempts < maxAttempts {
		return nil
	}
	batch := &pgx.Batch{}
	DropToken(batch, t.UserID, t.Kind)
	return tx.ExecBatch(ctx, batch)
}

// DropToken queues the deletion of a token from the user's row and the table.
func DropToken(batch *pgx.Batch, userID, kind string) {
	columns := map[string]string{
		TokenConfirmation: dropConfirmation, TokenRecovery: dropRecovery, TokenChangeNew: dropChangeNew, TokenChangeOld: dropChangeOld,
		TokenPhoneChange: dropPhoneChange, TokenReauth: dropReauth,
	}
	batch.Queue(columns[kind], userID)
	batch.Queue(ClearToken, userID, kind)
}

// CheckInterval refuses another message within an interval after the last one.
//
// Errors: 429 with the code and Retry-After.
func CheckInterval(last *time.Time, interval time.Duration, now time.Time, code string) error {
	if last == nil {
		return nil
	}
	if left := last.Add(interval).Sub(now); left > 0 {
		return waitError(left, code)
	}
	return nil
}

// ClearAllTokens deletes all tokens of a user.
const ClearAllTokens = `delete from auth.one_time_tokens where user_id = $1`

const dropRecovery = `update auth.users set recovery_token = '' where id = $1`

const dropChangeNew = `update auth.users set email_change_token_new = '' where id = $1`

const dropChangeOld = `update auth.users set email_change_token_current = '' where id = $1`

const dropPhoneChange = `update auth.users set phone_change_token = '' where id = $1`

const dropReauth = `update auth.users set reauthentication_token = '' where id = $1`

// NoteRecovery records in the user's row that a recovery was sent.
const NoteRecovery = `update auth.users set recovery_token = $2, recovery_sent_at = $3, updated_at = $3 where id = $1`
