package factor

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/mailer"
	"plaza/server/auth/mfa"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

// Enrolment is the body of POST /factors.
type Enrolment struct {
	Name   string `json:"friendly_name"`
	Type   string `json:"factor_type"`
	Issuer string `json:"issuer"`
	Phone  string `json:"phone"`
}

// Enrolled is the response to POST /factors.
type Enrolled struct {
	ID    string        `json:"id"`
	Type  string        `json:"type"`
	Name  string        `json:"friendly_name"`
	TOTP  *EnrolledTOTP `json:"totp,omitempty"`
	Phone string        `json:"phone,omitempty"`
}

// EnrolledTOTP has the data for setting up an authenticator app.
type EnrolledTOTP struct {
	QRCode string `json:"qr_code"`
	Secret string `json:"secret"`
	URI    string `json:"uri"`
}

// newFactor validates the request and creates the factor in memory.
func (s *Factors) newFactor(current *session.Current, params *Enrolment) (*factor, *Enrolled, error) {
	if err := checkFactorName(params.Name); err != nil {
		return nil, nil, err
	}
	fresh := &factor{id: store.NewID(), kind: params.Type, name: params.Name}
	result := &Enrolled{ID: fresh.id, Type: params.Type, Name: params.Name}
	switch allowed := s.config.MFA; params.Type {
	case factorTOTP:
		if !allowed.TOTP.Enroll {
			return nil, nil, autherr.Unprocessable(autherr.CodeTOTPEnroll, "MFA enroll is disabled for TOTP")
		}
		made, err := s.newTOTP(current.User, params.Issuer)
		if err != nil {
			return nil, nil, err
		}
		fresh.secret = s.box.Seal([]byte(made.Secret), fresh.sealContext())
		result.TOTP = &EnrolledTOTP{QRCode: made.QRCode, Secret: made.Secret, URI: made.URI}
	case factorPhone:
		if !allowed.Phone.Enroll {
			return nil, nil, autherr.Unprocessable(autherr.CodePhoneEnroll, "MFA enroll is disabled for Phone")
		}
		phone, err := users.ParsePhone(params.Phone)
		if err != nil {
			return nil, nil, err
		}
		fresh.phone, result.Phone = phone, params.Phone
	case factorWebAuthn:
		if !allowed.WebAuthn.Enroll {
			return nil, nil, autherr.Unprocessable(autherr.CodeWebAuthnEnroll, "MFA enroll is disabled for WebAuthn")
		}
	default:
		return nil, nil, autherr.BadRequest(autherr.CodeValidation, "factor_type needs to be totp, phone, or webauthn")
	}
	return fresh, result, nil
}

func (s *Factors) newTOTP(user *users.User, issuer string) (mfa.TOTP, error) {
	account := user.Email
	if account == "" {
		account = user.Phone
	}
	if account == "" {
		account = user.ID
	}
	if issuer == "" {
		issuer = mfa.IssuerOf(s.siteURL)
	}
	if len(issuer) > maxIssuer || !plainText(issuer) {
		return mfa.TOTP{}, autherr.BadRequest(autherr.CodeValidation, "issuer needs to be at most %d bytes of text", maxIssuer)
	}
	return mfa.NewTOTP(issuer, account)
}

// addFactor stores a factor if the limits allow it.
func (s *Factors) addFactor(ctx context.Context, tx *store.Tx, current *session.Current, fresh *factor, info users.RequestInfo) error {
	if err := s.sessions.Lock(ctx, tx, current); err != nil {
		return err
	}
	now := s.now()
	if _, err := tx.Exec(ctx, dropStale, current.User.ID, now.Add(-s.config.MFA.FactorExpiry), now.Add(-s.config.MFA.ChallengeLifetime())); err != nil {
		return err
	}
	batch := &pgx.Batch{}
	present, err := listFactors(ctx, tx, current.User.ID)
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
		batch.Queue(deleteFactor, f.id) // an earlier, unfinished enrollment
		present = slices.Delete(present, i, i+1)
		break
	}
	if err := s.checkLimits(fresh, present, current); err != nil {
		return err
	}
	batch.Queue(insertFactor, fresh.id, current.User.ID, fresh.name, fresh.kind, fresh.status(), now, fresh.secret, fresh.phone)
	s.trail.Add(batch, info, current.User, audit.FactorEnrolled, map[string]any{"factor_id": fresh.id, "factor_type": fresh.kind})
	return tx.ExecBatch(ctx, batch)
}

// checkLimits checks that another factor may be added. A set of recovery codes does not count
// towards the limits.
//
// Errors: 422 mfa_factor_name_conflict, too_many_enrolled_mfa_factors; 403
// insufficient_aal.
func (s *Factors) checkLimits(fresh *factor, present []factor, current *session.Current) error {
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
	case verified > 0 && !current.IsAAL2():
		return autherr.Forbidden(autherr.CodeInsufficientAAL, "AAL2 required to enroll a new factor")
	}
	return nil
}

// Enroll adds an unverified factor.
//
// Errors: 400 and 422 for an invalid request, 403 insufficient_aal.
func (s *Factors) Enroll(ctx context.Context, current *session.Current, params Enrolment, info users.RequestInfo) (*Enrolled, error) {
	fresh, result, err := s.newFactor(current, &params)
	if err != nil {
		return nil, err
	}
	err = s.db.InTx(ctx, func(tx *store.Tx) error { return s.addFactor(ctx, tx, current, fresh, info) })
	return result, err
}

// Unenroll removes a factor. Sessions that used it are downgraded to aal1.
//
// Errors: 404 mfa_factor_not_found; 422 insufficient_aal.
func (s *Factors) Unenroll(ctx context.Context, current *session.Current, id string, info users.RequestInfo) error {
	return s.db.InTx(ctx, func(tx *store.Tx) error {
		if err := s.sessions.Lock(ctx, tx, current); err != nil {
			return err
		}
		f, err := factorOf(ctx, tx, current.User.ID, id)
		switch {
		case err != nil:
			return err
		case f.verified && !current.IsAAL2():
			return autherr.Unprocessable(autherr.CodeInsufficientAAL, "AAL2 required to unenroll verified factor")
		}
		batch := &pgx.Batch{}
		s.trail.Add(batch, info, current.User, audit.FactorUnenrolled, map[string]any{"factor_id": f.id, "factor_status": f.status(), "session_id": current.ID})
		if err := s.removeFactor(ctx, tx, batch, current.User.ID, f); err != nil {
			return err
		}
		return s.messages.Notify(ctx, tx, s.config.Mailer.Notices.FactorUnenrolled, mailer.FactorUnenrolled, current.User, "", mailer.Data{FactorType: f.kind}, info)
	})
}
