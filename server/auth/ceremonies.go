package auth

import (
	"cmp"
	"fmt"

	"plaza/server/auth/mfa"
	"plaza/server/auth/settings"
)

// ceremonies are those of security keys and of passkeys; nil where there are none.
type ceremonies struct{ factors, passkeys *mfa.Ceremonies }

// newCeremonies prepares what the settings ask for.
func newCeremonies(c settings.Config, site string) (made ceremonies, err error) {
	factors := c.MFA.WebAuthn.Enroll || c.MFA.WebAuthn.Verify
	if !factors && !c.Passkey.Enabled {
		return made, nil
	}
	party := mfa.RelyingParty{ID: c.WebAuthn.RPID, Name: c.WebAuthn.RPDisplayName, Origins: c.WebAuthn.RPOrigins}
	if party.ID == "" || len(party.Origins) == 0 {
		of, err := mfa.PartyOf(site)
		if err != nil {
			return made, fmt.Errorf("GOTRUE_WEBAUTHN_RP_ID, GOTRUE_WEBAUTHN_RP_ORIGINS: %w", err)
		}
		party.ID = cmp.Or(party.ID, of.ID)
		if len(party.Origins) == 0 {
			party.Origins = of.Origins
		}
	}
	party.Name = cmp.Or(party.Name, party.ID)
	if factors {
		if made.factors, err = mfa.NewCeremonies(party, false); err != nil {
			return made, fmt.Errorf("GOTRUE_WEBAUTHN_…: %w", err)
		}
	}
	if c.Passkey.Enabled {
		made.passkeys, err = mfa.NewCeremonies(party, true)
	}
	return made, err
}
