package factor

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/autherr"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
)

// Types of second factors.
const (
	factorTOTP     = "totp"
	factorPhone    = "phone"
	factorWebAuthn = "webauthn"
	factorRecovery = "recovery_code" // the set of recovery codes, which auth-js lists as a factor
)

// factorMethods maps types of factors to their methods in the amr claim.
var factorMethods = map[string]string{
	factorTOTP: "totp", factorPhone: "mfa/phone", factorWebAuthn: "mfa/webauthn", factorRecovery: "mfa/recovery_code",
}

// Limits in bytes. They also keep the QR code readable.
const (
	maxFactorName = 255
	maxIssuer     = 128
)

// factor is a row of auth.mfa_factors.
type factor struct {
	id, kind     string
	verified     bool
	name, phone  string
	secret       string // sealed
	lastStep     int64
	challengedAt *time.Time
	credential   json.RawMessage
	failures     int
	lockedUntil  *time.Time
}

func (f *factor) fields() []any {
	return []any{&f.id, &f.kind, &f.verified, &f.name, &f.phone, &f.secret, &f.lastStep, &f.challengedAt, &f.credential, &f.failures, &f.lockedUntil}
}

// sealContext returns the additional data that the factor's secret is sealed with.
func (f *factor) sealContext() string { return "mfa_factors/" + f.id }

func (f *factor) status() string {
	if f.verified {
		return "verified"
	}
	return "unverified"
}

func (f *factor) locked(now time.Time) bool {
	return f.lockedUntil != nil && now.Before(*f.lockedUntil)
}

var errNoFactor = autherr.NotFound(autherr.CodeFactorNotFound, "Factor not found")

func listFactors(ctx context.Context, tx *store.Tx, userID string) ([]factor, error) {
	rows, err := tx.Query(ctx, factorsOfUser, userID)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (factor, error) {
		var f factor
		return f, row.Scan(f.fields()...)
	})
}

// factorOf returns a user's factor by id, unless it is a set of recovery codes.
//
// Errors: 404 validation_failed for an invalid UUID, mfa_factor_not_found.
func factorOf(ctx context.Context, tx *store.Tx, userID, id string) (factor, error) {
	var f factor
	if !store.IsUUID(id) {
		return f, autherr.NotFound(autherr.CodeValidation, "factor_id must be an UUID")
	}
	err := tx.QueryRow(ctx, factorByID, userID, id).Scan(f.fields()...)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && f.kind == factorRecovery {
		return f, errNoFactor
	}
	return f, err
}

func checkFactorName(name string) error {
	if len(name) > maxFactorName || !plainText(name) {
		return autherr.BadRequest(autherr.CodeValidation, "friendly_name needs to be at most %d bytes of text", maxFactorName)
	}
	return nil
}

// plainText reports whether text can be stored and shown on one line.
func plainText(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(char rune) bool { return char < ' ' || char == 0x7f })
}

// removeFactor deletes a factor. With the last verified factor it also deletes the recovery
// codes. The user's row must be locked.
func (s *Factors) removeFactor(ctx context.Context, tx *store.Tx, batch *pgx.Batch, userID string, f factor) error {
	present, err := listFactors(ctx, tx, userID)
	if err != nil {
		return err
	}
	removed, others := []factor{f}, false
	for _, other := range present {
		others = others || other.id != f.id && other.verified && other.kind != factorRecovery
	}
	for _, other := range present {
		if !others && other.kind == factorRecovery && other.id != f.id {
			removed = append(removed, other)
		}
	}
	for _, f := range removed {
		batch.Queue(deleteFactor, f.id)
		batch.Queue(dropMethod, userID, f.id, factorMethods[f.kind], f.kind)
	}
	batch.Queue(downgradeSessions, userID, session.AAL2Methods)
	return tx.ExecBatch(ctx, batch)
}
