package mfa

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
)

// ErrRejected means that an authenticator's response is invalid: a wrong challenge, origin or
// key, a cloned authenticator, or a malformed response.
var ErrRejected = errors.New("authenticator response rejected")

// RelyingParty is the site that credentials belong to. Source: WebAuthn Level 3.
type RelyingParty struct {
	ID      string   // a domain: browsers offer the credential there and below
	Name    string   // shown to users
	Origins []string // of the pages that may request the credential
}

// PartyOf returns the relying party of a site. Browsers accept no IP address as a relying
// party. For a loopback address it is localhost, which a developer must use to open the site.
//
// Errors: an invalid site, or one at another IP address, which needs settings.
func PartyOf(site string) (RelyingParty, error) {
	parsed, err := url.Parse(site)
	if err != nil || parsed.Hostname() == "" {
		return RelyingParty{}, fmt.Errorf("%q is not a site URL", site)
	}
	host, origin := parsed.Hostname(), url.URL{Scheme: parsed.Scheme, Host: parsed.Host}
	if ip := net.ParseIP(host); ip != nil {
		if !ip.IsLoopback() {
			return RelyingParty{}, fmt.Errorf("%q has no domain, which WebAuthn requires", site)
		}
		host, origin.Host = "localhost", "localhost"
		if port := parsed.Port(); port != "" {
			origin.Host = net.JoinHostPort("localhost", port)
		}
	}
	return RelyingParty{ID: host, Name: parsed.Host, Origins: []string{origin.String()}}, nil
}

// Credential is the stored credential of an authenticator.
type Credential = webauthn.Credential

// Person is the user whose credentials are created or requested.
type Person struct {
	ID          string
	Name        string // an address, shown in the account chooser
	DisplayName string
	Credentials []Credential
}

// webauthnUser implements the library's user interface.
type webauthnUser struct{ Person }

func (h webauthnUser) WebAuthnID() []byte                { return []byte(h.ID) }
func (h webauthnUser) WebAuthnName() string              { return h.Name }
func (h webauthnUser) WebAuthnDisplayName() string       { return h.DisplayName }
func (h webauthnUser) WebAuthnCredentials() []Credential { return h.Credentials }

// Ceremonies creates challenges for authenticators and verifies their responses.
type Ceremonies struct{ web *webauthn.WebAuthn }

// NewCeremonies returns the ceremonies of passkeys, which identify the user, or of second
// factors.
//
// Errors: an invalid relying party.
func NewCeremonies(party RelyingParty, passkeys bool) (*Ceremonies, error) {
	config := &webauthn.Config{
		RPID: party.ID, RPDisplayName: party.Name, RPOrigins: party.Origins, AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{UserVerification: protocol.VerificationPreferred},
	}
	if passkeys {
		config.AuthenticatorSelection.ResidentKey = protocol.ResidentKeyRequirementRequired
	}
	web, err := webauthn.New(config)
	if err != nil {
		return nil, fmt.Errorf("prepare WebAuthn: %w", err)
	}
	return &Ceremonies{web}, nil
}

// Challenge is a started ceremony. Options ({"publicKey": …}) and BareOptions are the options for the
// browser with and without the wrapper. SessionData is needed to finish the ceremony.
type Challenge struct {
	Options, BareOptions any
	SessionData          json.RawMessage
}

// BeginCreate begins the creation of a credential.
func (c *Ceremonies) BeginCreate(person Person) (Challenge, error) {
	var known []protocol.CredentialDescriptor
	for _, credential := range person.Credentials {
		known = append(known, credential.Descriptor())
	}
	options, sessionData, err := c.web.BeginRegistration(webauthnUser{person}, webauthn.WithExclusions(known))
	if err != nil {
		return Challenge{}, fmt.Errorf("begin WebAuthn registration: %w", err)
	}
	return newChallenge(options, options.Response, sessionData)
}

// BeginRequest begins an authentication with one of a person's credentials.
func (c *Ceremonies) BeginRequest(person Person) (Challenge, error) {
	options, sessionData, err := c.web.BeginLogin(webauthnUser{person})
	if err != nil {
		return Challenge{}, fmt.Errorf("begin WebAuthn authentication: %w", err)
	}
	return newChallenge(options, options.Response, sessionData)
}

// BeginRequestAny begins an authentication with the passkey of any user.
func (c *Ceremonies) BeginRequestAny() (Challenge, error) {
	options, sessionData, err := c.web.BeginDiscoverableLogin()
	if err != nil {
		return Challenge{}, fmt.Errorf("begin passkey authentication: %w", err)
	}
	return newChallenge(options, options.Response, sessionData)
}

func newChallenge(whole, bare any, sessionData *webauthn.SessionData) (Challenge, error) {
	text, err := json.Marshal(sessionData)
	return Challenge{Options: whole, BareOptions: bare, SessionData: text}, err
}

// FinishCreate verifies the response to BeginCreate and returns the new credential.
//
// Errors: ErrRejected.
func (c *Ceremonies) FinishCreate(person Person, sessionData, result json.RawMessage) (*Credential, error) {
	session, err := decodeSession(sessionData)
	if err != nil {
		return nil, err
	}
	parsed, err := protocol.ParseCredentialCreationResponseBody(bytes.NewReader(result))
	if err != nil {
		return nil, wrapRejected(err)
	}
	credential, err := c.web.CreateCredential(webauthnUser{person}, session, parsed)
	if err != nil {
		return nil, wrapRejected(err)
	}
	return credential, nil
}

// FinishRequest verifies the response to BeginRequest and returns the used credential with its
// updated counter.
//
// Errors: ErrRejected.
func (c *Ceremonies) FinishRequest(person Person, sessionData, result json.RawMessage) (*Credential, error) {
	session, err := decodeSession(sessionData)
	if err != nil {
		return nil, err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBody(bytes.NewReader(result))
	if err != nil {
		return nil, wrapRejected(err)
	}
	return checkCounter(c.web.ValidateLogin(webauthnUser{person}, session, parsed))
}

// Finder returns the person with a credential id and the user id that the authenticator stored.
type Finder func(credentialID []byte, userID string) (Person, error)

// FinishRequestAny verifies the response to BeginRequestAny and returns the user's id and the used
// passkey.
//
// Errors: ErrRejected, also if find returns an error.
func (c *Ceremonies) FinishRequestAny(find Finder, sessionData, result json.RawMessage) (string, *Credential, error) {
	session, err := decodeSession(sessionData)
	if err != nil {
		return "", nil, err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBody(bytes.NewReader(result))
	if err != nil {
		return "", nil, wrapRejected(err)
	}
	found, used, err := c.web.ValidatePasskeyLogin(func(credentialID, userID []byte) (webauthn.User, error) {
		person, err := find(credentialID, string(userID))
		return webauthnUser{person}, err
	}, session, parsed)
	if used, err = checkCounter(used, err); err != nil {
		return "", nil, err
	}
	return string(found.WebAuthnID()), used, nil
}

// checkCounter refuses a credential whose counter did not increase, because the authenticator was
// probably cloned. Authenticators without a counter always send 0.
func checkCounter(used *Credential, err error) (*Credential, error) {
	switch {
	case err != nil:
		return nil, wrapRejected(err)
	case used.Authenticator.CloneWarning:
		return nil, fmt.Errorf("%w: signature counter did not increase", ErrRejected)
	}
	return used, nil
}

func decodeSession(sessionData json.RawMessage) (webauthn.SessionData, error) {
	var session webauthn.SessionData
	if err := json.Unmarshal(sessionData, &session); err != nil {
		return session, fmt.Errorf("decode WebAuthn session data: %w", err)
	}
	return session, nil
}

// wrapRejected wraps the library's error, with its details for the log, into ErrRejected.
func wrapRejected(err error) error {
	var reason *protocol.Error
	if errors.As(err, &reason) {
		return fmt.Errorf("%w: %s: %s (%s)", ErrRejected, reason.Type, reason.Details, reason.DevInfo)
	}
	return fmt.Errorf("%w: %w", ErrRejected, err)
}

// authenticatorNames maps the AAGUIDs of common authenticators to their names. Source: their vendors.
var authenticatorNames = map[string]string{
	"ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4": "Google Password Manager",
	"fbfc3007-154e-4ecc-8c0b-6e020557d7bd": "iCloud Keychain",
	"08987058-cadc-4b81-b6e1-30de50dcbe96": "Windows Hello",
	"9ddd1817-af5a-4672-a2b9-3e3dd95000a9": "Windows Hello",
	"6028b017-b1d4-4c02-b4b3-afcdafc96bb2": "Windows Hello",
	"bada5566-a7aa-401f-bd96-45619a55120d": "1Password",
	"d548826e-79b4-db40-a3d8-11116f7e8349": "Bitwarden",
	"531126d6-e717-415c-9320-3d9aa6981239": "Dashlane",
	"53414d53-554e-4700-0000-000000000000": "Samsung Pass",
	"adce0002-35bc-c60a-648b-0b25f1f05503": "Chrome on Mac",
}

// AAGUID formats an authenticator's model identifier as a UUID. It returns "" if there is none.
func AAGUID(raw []byte) string {
	if len(raw) != 16 || bytes.Equal(raw, make([]byte, 16)) {
		return ""
	}
	return fmt.Sprintf("%x-%x-%x-%x-%x", raw[:4], raw[4:6], raw[6:8], raw[8:10], raw[10:])
}

// Transports returns the transports of an authenticator as a JSON list.
func Transports(credential *Credential) (json.RawMessage, error) {
	if credential.Transport == nil {
		return json.RawMessage("[]"), nil
	}
	return json.Marshal(credential.Transport)
}

// DefaultName returns the default name of a new passkey.
func DefaultName(credential *Credential) string {
	if name, ok := authenticatorNames[AAGUID(credential.Authenticator.AAGUID)]; ok {
		return name
	}
	return "Passkey"
}
