package auth

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/mailer"
	"plaza/server/auth/mfa"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
	"plaza/server/httpx"
)

// Types of second factors.
const (
	factorTOTP     = "totp"
	factorPhone    = "phone"
	factorWebAuthn = "webauthn"
	factorRecovery = "recovery_code" // the set of recovery codes, which auth-js lists as a factor
)

// factorMethods are the methods that factors stand for in the amr claim.
var factorMethods = map[string]string{
	factorTOTP: "totp", factorPhone: "mfa/phone", factorWebAuthn: "mfa/webauthn", factorRecovery: "mfa/recovery_code",
}

// Bounds of what is stored of a factor, so that its QR code stays readable.
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

// sealedAt is the place that the factor's secret is sealed for.
func (f *factor) sealedAt() string { return "mfa_factors/" + f.id }

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

// factorOwner gives the signed-in user, who must be one that may have factors.
//
// Errors: those of caller; 403 no_authorization for an anonymous user,
// session_not_found for a token without a session.
func (s *Server) factorOwner(r *http.Request) (*session.Current, error) {
	in, err := s.caller(r)
	switch {
	case err != nil:
		return nil, err
	case in.User.IsAnonymous:
		return nil, autherr.Forbidden(autherr.CodeNoAuthorization, "Anonymous user not allowed to perform these actions")
	case in.ID == "":
		return nil, autherr.Forbidden(autherr.CodeSessionNotFound, "A valid session is required to manage factors")
	}
	return in, nil
}

// lockFactors keeps other changes to the user's factors and this session away
// until the end of tx, and reads anew by what the session was signed in to.
func (s *Server) lockFactors(ctx context.Context, tx *store.Tx, in *session.Current) error {
	var id string
	if err := tx.QueryRow(ctx, lockUser, in.User.ID).Scan(&id); err != nil {
		return gone(err, autherr.CodeUserNotFound, "User from sub claim in JWT does not exist")
	}
	var methods json.RawMessage
	err := tx.QueryRow(ctx, lockSession, in.ID, in.User.ID).Scan(&methods, &in.Began, &in.Held.Client, &in.Held.Scopes)
	if err != nil {
		return gone(err, autherr.CodeSessionNotFound, "Session from session_id claim in JWT does not exist")
	}
	in.Methods, err = session.ParseMethods(methods)
	return err
}

// gone makes a missing row an error that the client sees.
func gone(err error, code, message string) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return autherr.Forbidden(code, "%s", message)
	}
	return err
}

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

// factorOf gives the factor of a path.
//
// Errors: 404 validation_failed for no UUID, mfa_factor_not_found.
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

// enrolment is the body of POST /factors.
type enrolment struct {
	Name   string `json:"friendly_name"`
	Type   string `json:"factor_type"`
	Issuer string `json:"issuer"`
	Phone  string `json:"phone"`
}

// enrolled is the answer to it.
type enrolled struct {
	ID    string        `json:"id"`
	Type  string        `json:"type"`
	Name  string        `json:"friendly_name"`
	TOTP  *enrolledTOTP `json:"totp,omitempty"`
	Phone string        `json:"phone,omitempty"`
}

type enrolledTOTP struct {
	QRCode string `json:"qr_code"`
	Secret string `json:"secret"`
	URI    string `json:"uri"`
}

// enrollFactor answers POST /factors: a factor that counts once it is verified.
func (s *Server) enrollFactor(w http.ResponseWriter, r *http.Request) error {
	in, err := s.factorOwner(r)
	if err != nil {
		return err
	}
	var asked enrolment
	if err := read(w, r, &asked); err != nil {
		return err
	}
	fresh, answer, err := s.newFactor(in, &asked)
	if err != nil {
		return err
	}
	who := s.visitor(r)
	if err := s.store.InTx(r.Context(), func(tx *store.Tx) error { return s.addFactor(r.Context(), tx, in, fresh, who) }); err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return httpx.WriteJSON(w, http.StatusOK, answer)
}

// newFactor makes the factor asked for, as far as the database is not needed.
func (s *Server) newFactor(in *session.Current, asked *enrolment) (*factor, *enrolled, error) {
	if err := checkFactorName(asked.Name); err != nil {
		return nil, nil, err
	}
	fresh := &factor{id: store.NewID(), kind: asked.Type, name: asked.Name}
	answer := &enrolled{ID: fresh.id, Type: asked.Type, Name: asked.Name}
	switch allowed := s.config.MFA; asked.Type {
	case factorTOTP:
		if !allowed.TOTP.Enroll {
			return nil, nil, autherr.Unprocessable(autherr.CodeTOTPEnroll, "MFA enroll is disabled for TOTP")
		}
		made, err := s.newTOTP(in.User, asked.Issuer)
		if err != nil {
			return nil, nil, err
		}
		fresh.secret = s.box.Seal([]byte(made.Secret), fresh.sealedAt())
		answer.TOTP = &enrolledTOTP{QRCode: made.QRCode, Secret: made.Secret, URI: made.URI}
	case factorPhone:
		if !allowed.Phone.Enroll {
			return nil, nil, autherr.Unprocessable(autherr.CodePhoneEnroll, "MFA enroll is disabled for Phone")
		}
		phone, err := users.ParsePhone(asked.Phone)
		if err != nil {
			return nil, nil, err
		}
		fresh.phone, answer.Phone = phone, asked.Phone
	case factorWebAuthn:
		if !allowed.WebAuthn.Enroll {
			return nil, nil, autherr.Unprocessable(autherr.CodeWebAuthnEnroll, "MFA enroll is disabled for WebAuthn")
		}
	default:
		return nil, nil, autherr.BadRequest(autherr.CodeValidation, "factor_type needs to be totp, phone, or webauthn")
	}
	return fresh, answer, nil
}

func (s *Server) newTOTP(user *users.User, issuer string) (mfa.TOTP, error) {
	account := user.Email
	if account == "" {
		account = user.Phone
	}
	if account == "" {
		account = user.ID
	}
	if issuer == "" {
		issuer = mfa.IssuerOf(s.deps.SiteURL)
	}
	if len(issuer) > maxIssuer || !plainText(issuer) {
		return mfa.TOTP{}, autherr.BadRequest(autherr.CodeValidation, "issuer needs to be at most %d bytes of text", maxIssuer)
	}
	return mfa.NewTOTP(issuer, account)
}

func checkFactorName(name string) error {
	if len(name) > maxFactorName || !plainText(name) {
		return autherr.BadRequest(autherr.CodeValidation, "friendly_name needs to be at most %d bytes of text", maxFactorName)
	}
	return nil
}

// plainText tells whether text can be stored and shown on one line.
func plainText(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(char rune) bool { return char < ' ' || char == 0x7f })
}

// addFactor stores a factor if there is room for it.
func (s *Server) addFactor(ctx context.Context, tx *store.Tx, in *session.Current, fresh *factor, who users.Visitor) error {
	if err := s.lockFactors(ctx, tx, in); err != nil {
		return err
	}
	now := s.now()
	if _, err := tx.Exec(ctx, dropStale, in.User.ID, now.Add(-s.config.MFA.FactorExpiry), now.Add(-s.config.MFA.ChallengeLifetime())); err != nil {
		return err
	}
	batch := &pgx.Batch{}
	present, err := listFactors(ctx, tx, in.User.ID)
	if err != nil {
		return err
	}
	for i, f := range present {
		if fresh.kind != factorPhone || f.phone != fresh.phone || f.kind != factorPhone {
			continue
		}
		if f.verified {
			return autherr.Unprocessable(autherr.CodeFactorVerified, "A verified phone factor already exists, unenroll the existing factor to continue")
		}
		batch.Queue(deleteFactor, f.id) // begun again
		present = slices.Delete(present, i, i+1)
		break
	}
	if err := s.roomFor(fresh, present, in); err != nil {
		return err
	}
	batch.Queue(insertFactor, fresh.id, in.User.ID, fresh.name, fresh.kind, fresh.status(), now, fresh.secret, fresh.phone)
	s.trail.Add(batch, who, in.User, audit.FactorEnrolled, map[string]any{"factor_id": fresh.id, "factor_type": fresh.kind})
	return tx.ExecBatch(ctx, batch)
}

// roomFor refuses a further factor where a rule forbids it. A set of recovery
// codes takes no place.
//
// Errors: 422 mfa_factor_name_conflict, too_many_enrolled_mfa_factors; 403
// insufficient_aal.
func (s *Server) roomFor(fresh *factor, present []factor, in *session.Current) error {
	count, verified := 0, 0
	for _, f := range present {
		if f.name == fresh.name {
			return autherr.Unprocessable(autherr.CodeFactorName, "A factor with the friendly name %q for this user already exists", fresh.name)
		}
		if f.kind == factorRecovery {
			continue
		}
		count++
		if f.verified {
			verified++
		}
	}
	switch {
	case fresh.kind != factorRecovery && (count >= s.config.MFA.MaxEnrolled || verified >= s.config.MFA.MaxVerified):
		return autherr.Unprocessable(autherr.CodeTooManyFactors, "Maximum number of verified factors reached, unenroll to continue")
	case verified > 0 && !in.Strong():
		return autherr.Forbidden(autherr.CodeInsufficientAAL, "AAL2 required to enroll a new factor")
	}
	return nil
}

// unenrollFactor answers DELETE /factors/{id}. Sessions that used the factor
// fall back to the first level.
func (s *Server) unenrollFactor(w http.ResponseWriter, r *http.Request) error {
	in, err := s.factorOwner(r)
	if err != nil {
		return err
	}
	who, id := s.visitor(r), r.PathValue("id")
	err = s.store.InTx(r.Context(), func(tx *store.Tx) error {
		if err := s.lockFactors(r.Context(), tx, in); err != nil {
			return err
		}
		f, err := factorOf(r.Context(), tx, in.User.ID, id)
		switch {
		case err != nil:
			return err
		case f.verified && !in.Strong():
			return autherr.Unprocessable(autherr.CodeInsufficientAAL, "AAL2 required to unenroll verified factor")
		}
		batch := &pgx.Batch{}
		s.trail.Add(batch, who, in.User, audit.FactorUnenrolled, map[string]any{"factor_id": f.id, "factor_status": f.status(), "session_id": in.ID})
		if err := s.removeFactor(r.Context(), tx, batch, in.User.ID, f); err != nil {
			return err
		}
		return s.messages.Notify(r.Context(), tx, s.config.Mailer.Notices.FactorUnenrolled, mailer.FactorUnenrolled, in.User, "", mailer.Data{FactorType: f.kind}, who)
	})
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, map[string]string{"id": id})
}

// removeFactor deletes a factor, and the recovery codes with the last one. The
// user's row must be locked.
func (s *Server) removeFactor(ctx context.Context, tx *store.Tx, batch *pgx.Batch, userID string, f factor) error {
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
	batch.Queue(lowerSessions, userID, session.StrongMethods)
	return tx.ExecBatch(ctx, batch)
}
