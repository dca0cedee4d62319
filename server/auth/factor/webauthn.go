package factor

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"plaza/server/auth/mfa"
	"plaza/server/auth/settings"
	"plaza/server/auth/users"
)

// Types of WebAuthn ceremonies. Source: auth-js.
const (
	ceremonyCreate  = "create"
	ceremonyRequest = "request"
)

// ceremony is the WebAuthn part of a challenge.
type ceremony struct {
	Type    string `json:"type"`
	Options any    `json:"credential_options"`
}

// person returns a user as shown by an authenticator.
func person(user *users.User, credentials ...mfa.Credential) mfa.Person {
	name := cmp.Or(user.Email, user.Phone, user.ID)
	return mfa.Person{ID: user.ID, Name: name, DisplayName: cmp.Or(user.MetadataText("name"), name), Credentials: credentials}
}

// beginCeremony begins the creation of a credential if the factor is unverified, or else
// requests the existing one. others are all factors of the user; their credentials are
// excluded from a creation.
func (s *Factors) beginCeremony(user *users.User, f factor, others []factor) (*ceremony, json.RawMessage, error) {
	if !f.verified {
		var known []mfa.Credential
		for _, other := range others {
			if credential, err := other.readCredential(); err == nil && other.verified {
				known = append(known, credential)
			}
		}
		begun, err := s.ceremonies.BeginCreate(person(user, known...))
		return &ceremony{ceremonyCreate, begun.Options}, begun.SessionData, err
	}
	credential, err := f.readCredential()
	if err != nil {
		return nil, nil, err
	}
	begun, err := s.ceremonies.BeginRequest(person(user, credential))
	return &ceremony{ceremonyRequest, begun.Options}, begun.SessionData, err
}

func (f *factor) readCredential() (credential mfa.Credential, err error) {
	if len(f.credential) == 0 {
		return credential, errors.New("factor has no credential")
	}
	return credential, json.Unmarshal(f.credential, &credential)
}

// checkCredential checks an authenticator's response. A verified factor cannot get a new
// credential.
func (s *Factors) checkCredential(user *users.User, f factor, challenge openChallenge, answer Answer) (verifiedAnswer, bool, error) {
	var used *mfa.Credential
	var err error
	switch {
	case f.verified:
		credential, broken := f.readCredential()
		if broken != nil {
			return verifiedAnswer{}, false, broken
		}
		used, err = s.ceremonies.FinishRequest(person(user, credential), challenge.session, answer.WebAuthn.Response)
	default:
		used, err = s.ceremonies.FinishCreate(person(user), challenge.session, answer.WebAuthn.Response)
	}
	if errors.Is(err, mfa.ErrRejected) {
		s.log.Debug("credential rejected", "factor_id", f.id, "error", err)
		return verifiedAnswer{}, false, nil
	}
	if err != nil {
		return verifiedAnswer{}, false, err
	}
	kept, err := json.Marshal(used)
	proof := verifiedAnswer{credential: kept}
	if model := mfa.AAGUID(used.Authenticator.AAGUID); model != "" {
		proof.model = &model
	}
	return proof, true, err
}

// newCeremonies returns the ceremonies of security keys and of passkeys. They are nil if
// disabled.
func newCeremonies(c settings.Config, site string) (ofFactors, ofPasskeys *mfa.Ceremonies, err error) {
	factors := c.MFA.WebAuthn.Enroll || c.MFA.WebAuthn.Verify
	if !factors && !c.Passkey.Enabled {
		return nil, nil, nil
	}
	party := mfa.RelyingParty{ID: c.WebAuthn.RPID, Name: c.WebAuthn.RPDisplayName, Origins: c.WebAuthn.RPOrigins}
	if party.ID == "" || len(party.Origins) == 0 {
		derived, err := mfa.PartyOf(site)
		if err != nil {
			return nil, nil, fmt.Errorf("GOTRUE_WEBAUTHN_RP_ID, GOTRUE_WEBAUTHN_RP_ORIGINS: %w", err)
		}
		party.ID = cmp.Or(party.ID, derived.ID)
		if len(party.Origins) == 0 {
			party.Origins = derived.Origins
		}
	}
	party.Name = cmp.Or(party.Name, party.ID)
	if factors {
		if ofFactors, err = mfa.NewCeremonies(party, false); err != nil {
			return nil, nil, fmt.Errorf("GOTRUE_WEBAUTHN_…: %w", err)
		}
	}
	if c.Passkey.Enabled {
		ofPasskeys, err = mfa.NewCeremonies(party, true)
	}
	return ofFactors, ofPasskeys, err
}
