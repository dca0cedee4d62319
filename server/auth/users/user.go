// Package users loads accounts from the auth server's tables.
package users

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"plaza/server/auth/autherr"
)

// User is an account. Its JSON is what clients see.
type User struct {
	ID                     string          `json:"id"`
	Aud                    string          `json:"aud"`
	Role                   string          `json:"role"`
	Email                  string          `json:"email"`
	EmailConfirmedAt       *time.Time      `json:"email_confirmed_at,omitempty"`
	InvitedAt              *time.Time      `json:"invited_at,omitempty"`
	Phone                  string          `json:"phone"`
	PhoneConfirmedAt       *time.Time      `json:"phone_confirmed_at,omitempty"`
	ConfirmationSentAt     *time.Time      `json:"confirmation_sent_at,omitempty"`
	ConfirmedAt            *time.Time      `json:"confirmed_at,omitempty"`
	RecoverySentAt         *time.Time      `json:"recovery_sent_at,omitempty"`
	NewEmail               string          `json:"new_email,omitempty"`
	EmailChangeSentAt      *time.Time      `json:"email_change_sent_at,omitempty"`
	NewPhone               string          `json:"new_phone,omitempty"`
	PhoneChangeSentAt      *time.Time      `json:"phone_change_sent_at,omitempty"`
	ReauthenticationSentAt *time.Time      `json:"reauthentication_sent_at,omitempty"`
	LastSignInAt           *time.Time      `json:"last_sign_in_at,omitempty"`
	AppMetadata            json.RawMessage `json:"app_metadata"`
	UserMetadata           json.RawMessage `json:"user_metadata"`
	Factors                []Factor        `json:"factors,omitempty"`
	Identities             []Identity      `json:"identities"`
	CreatedAt              time.Time       `json:"created_at"`
	UpdatedAt              time.Time       `json:"updated_at"`
	BannedUntil            *time.Time      `json:"banned_until,omitempty"`
	DeletedAt              *time.Time      `json:"deleted_at,omitempty"`
	IsAnonymous            bool            `json:"is_anonymous"`

	// Not for clients.
	PasswordHash string `json:"-"`
	IsSSO        bool   `json:"-"`
	ChangeStatus int    `json:"-"` // email_change_confirm_status
}

// Identity is an identity of an account at a provider.
type Identity struct {
	IdentityID   string          `json:"identity_id"`
	ID           string          `json:"id"` // the provider's id of the user
	UserID       string          `json:"user_id"`
	Data         json.RawMessage `json:"identity_data,omitempty"`
	Provider     string          `json:"provider"`
	LastSignInAt *time.Time      `json:"last_sign_in_at,omitempty"`
	CreatedAt    *time.Time      `json:"created_at,omitempty"`
	UpdatedAt    *time.Time      `json:"updated_at,omitempty"`
	Email        string          `json:"email,omitempty"`
}

// Factor is a second factor of an account.
type Factor struct {
	ID               string     `json:"id"`
	CreatedAt        *time.Time `json:"created_at"`
	UpdatedAt        *time.Time `json:"updated_at"`
	Status           string     `json:"status"`
	FriendlyName     string     `json:"friendly_name,omitempty"`
	FactorType       string     `json:"factor_type"`
	Phone            string     `json:"phone"`
	LastChallengedAt *time.Time `json:"last_challenged_at"`
}

// ScanTargets returns the scan targets of Columns.
func (u *User) ScanTargets() []any {
	return []any{
		&u.ID, &u.Aud, &u.Role, &u.Email, &u.EmailConfirmedAt, &u.InvitedAt, &u.Phone, &u.PhoneConfirmedAt,
		&u.ConfirmationSentAt, &u.ConfirmedAt, &u.RecoverySentAt, &u.NewEmail, &u.EmailChangeSentAt,
		&u.NewPhone, &u.PhoneChangeSentAt, &u.ReauthenticationSentAt, &u.LastSignInAt,
		&u.AppMetadata, &u.UserMetadata, &u.Identities, &u.Factors, &u.CreatedAt, &u.UpdatedAt,
		&u.BannedUntil, &u.DeletedAt, &u.IsAnonymous, &u.PasswordHash, &u.IsSSO, &u.ChangeStatus,
	}
}

// Normalize converts all times to UTC, as upstream does, and sorts identities and factors by age.
func (u *User) Normalize() {
	slices.SortFunc(u.Identities, func(a, b Identity) int { return byAge(a.CreatedAt, b.CreatedAt, a.IdentityID, b.IdentityID) })
	slices.SortFunc(u.Factors, func(a, b Factor) int { return byAge(a.CreatedAt, b.CreatedAt, a.ID, b.ID) })
	u.CreatedAt, u.UpdatedAt = u.CreatedAt.UTC(), u.UpdatedAt.UTC()
	all := []*time.Time{
		u.EmailConfirmedAt, u.InvitedAt, u.PhoneConfirmedAt, u.ConfirmationSentAt, u.ConfirmedAt, u.RecoverySentAt,
		u.EmailChangeSentAt, u.PhoneChangeSentAt, u.ReauthenticationSentAt, u.LastSignInAt, u.BannedUntil, u.DeletedAt,
	}
	for i := range u.Identities {
		all = append(all, u.Identities[i].LastSignInAt, u.Identities[i].CreatedAt, u.Identities[i].UpdatedAt)
	}
	for i := range u.Factors {
		all = append(all, u.Factors[i].CreatedAt, u.Factors[i].UpdatedAt, u.Factors[i].LastChallengedAt)
	}
	for _, at := range all {
		if at != nil {
			*at = at.UTC()
		}
	}
}

// byAge compares by creation time, oldest first. A missing time counts as the newest.
func byAge(a, b *time.Time, idA, idB string) int {
	switch {
	case a != nil && b != nil:
		return cmp.Or(a.Compare(*b), strings.Compare(idA, idB))
	case a != nil:
		return -1
	case b != nil:
		return 1
	}
	return strings.Compare(idA, idB)
}

// Confirmed reports whether the user's contact of a kind is confirmed.
func (u *User) Confirmed(kind string) bool {
	if kind == ByPhone {
		return u.PhoneConfirmedAt != nil
	}
	return u.EmailConfirmedAt != nil
}

// Banned reports whether the user is banned now.
func (u *User) Banned(now time.Time) bool { return u.BannedUntil != nil && now.Before(*u.BannedUntil) }

// HasVerifiedFactor reports whether the account has a verified second factor.
func (u *User) HasVerifiedFactor() bool {
	for _, factor := range u.Factors {
		if factor.Status == "verified" {
			return true
		}
	}
	return false
}

// MetadataText returns a string of the user metadata, or "".
func (u *User) MetadataText(key string) string {
	var data map[string]any
	if json.Unmarshal(u.UserMetadata, &data) != nil {
		return ""
	}
	text, _ := data[key].(string)
	return text
}

// MaxMetadata bounds each kind of metadata, in bytes of JSON, because access tokens contain both.
const MaxMetadata = 16 << 10

// CheckMetadata refuses metadata that would make tokens too large. It must be called at the end of the
// transaction that writes the metadata, because changes are merged with existing metadata.
//
// Errors: 422 metadata_too_large.
func (u *User) CheckMetadata() error {
	for name, data := range map[string]any{"user_metadata": u.UserMetadata, "app_metadata": u.AppMetadata} {
		encoded, err := json.Marshal(data) // with the same escapes as in a token
		if err != nil {
			return err
		}
		if len(encoded) > MaxMetadata {
			return autherr.Unprocessable(autherr.CodeMetadataSize, "%s cannot be larger than %d bytes as JSON", name, MaxMetadata)
		}
	}
	return nil
}
