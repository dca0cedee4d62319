package provider

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Email is an address in a provider's profile.
type Email struct {
	Address  string
	Verified bool // by the provider
	Primary  bool
}

// Profile is a user's profile at a provider.
type Profile struct {
	Subject string // the provider's immutable id of the user
	Emails  []Email

	claims claims
}

// claims are values by their OpenID Connect names.
type claims map[string]any

// Limits of a stored profile.
const (
	maxSubject = 255      // bytes
	maxProfile = 64 << 10 // bytes of JSON
)

// errNoSubject refuses an empty subject, which would be the same identity for all users.
var errNoSubject = errors.New("the provider returned no subject")

// newProfile returns a Profile. Empty claims and addresses are left out.
func newProfile(issuer, subject string, facts claims, emails ...Email) Profile {
	values := claims{"iss": issuer, "sub": subject, "provider_id": subject}
	for name, value := range facts {
		values[name] = value
	}
	for name, value := range values {
		if text, ok := value.(string); ok && text == "" || value == nil {
			delete(values, name)
		}
	}
	found := Profile{Subject: subject, claims: values}
	for _, email := range emails {
		if email.Address != "" {
			found.Emails = append(found.Emails, email)
		}
	}
	return found
}

// Email returns the address for an account: the primary one, else a verified one, else any. It
// is empty if there is none.
func (p Profile) Email() Email {
	var best Email
	for _, email := range p.Emails {
		switch {
		case email.Primary:
			return email
		case best.Address == "", email.Verified && !best.Verified:
			best = email
		}
	}
	return best
}

// Data returns the profile as stored with an identity, as JSON.
func (p Profile) Data() json.RawMessage {
	email := p.Email()
	values := claims{"email_verified": email.Verified, "phone_verified": false}
	for name, value := range p.claims {
		if _, ours := values[name]; !ours {
			values[name] = value
		}
	}
	delete(values, "email")
	if email.Address != "" {
		values["email"] = strings.ToLower(email.Address)
	}
	encoded, err := json.Marshal(sanitize(map[string]any(values), 0))
	if err != nil {
		panic("provider: cannot encode profile: " + err.Error())
	}
	return encoded
}

func (p Profile) check() error {
	switch {
	case strings.TrimSpace(p.Subject) == "":
		return errNoSubject
	case len(p.Subject) > maxSubject:
		return fmt.Errorf("the subject has %d bytes: at most %d are allowed", len(p.Subject), maxSubject)
	case strings.ContainsRune(p.Subject, 0):
		return errors.New("the subject contains a NUL character")
	}
	if size := len(p.Data()); size > maxProfile {
		return fmt.Errorf("the profile has %d bytes: at most %d are allowed", size, maxProfile)
	}
	return nil
}

// maxDepth bounds the nesting of a profile's values. Deeper values become null.
const maxDepth = 16

// sanitize removes what PostgreSQL's jsonb cannot store.
func sanitize(value any, depth int) any {
	if depth > maxDepth {
		return nil
	}
	switch value := value.(type) {
	case string:
		return strings.ReplaceAll(value, "\x00", "")
	case []any:
		kept := make([]any, len(value))
		for i, item := range value {
			kept[i] = sanitize(item, depth+1)
		}
		return kept
	case claims:
		return sanitize(map[string]any(value), depth)
	case map[string]any:
		kept := make(map[string]any, len(value))
		for name, item := range value {
			kept[strings.ReplaceAll(name, "\x00", "")] = sanitize(item, depth+1)
		}
		return kept
	case json.Number:
		// jsonb refuses numbers such as 1e999999. They are dropped.
		if number, err := value.Float64(); err != nil {
			return nil
		} else if len(value) > 32 {
			return number
		}
		return value
	}
	return value
}
