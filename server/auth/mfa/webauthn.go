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

// ErrRejected is the reason when an authenticator's answer does not prove what
// it should: another challenge, origin or key, a cloned authenticator, no answer
// at all.
var ErrRejected = errors.New("the authenticator's answer is not accepted")

// RelyingParty is whom credentials are for. Source: WebAuthn Level 3.
type RelyingParty struct {
	ID      string   // a domain: browsers offer the credential there and below
	Name    string   // shown to people
	Origins []string // of the pages that may ask for the credential
}

// PartyOf is the relying party of a site. A browser takes no IP address for one;
// on a loopback address it is localhost, under which a developer opens the site.
//
// Errors: a site at another IP address, which needs settings.
func PartyOf(site string) (RelyingParty, error) {
	parsed, err := url.Parse(site)
	if err != nil || parsed.Hostname() == "" {
		return RelyingParty{}, fmt.Errorf("%q is no address of a site", site)
	}
	host, origin := parsed.Hostname(), url.URL{Scheme: parsed.Scheme, Host: parsed.Host}
	if ip := net.ParseIP(host); ip != nil {
		if !ip.IsLoopback() {
			return RelyingParty{}, fmt.Errorf("%q has no domain, which credentials need", site)
		}
		host, origin.Host = "localhost", "localhost"
		if port := parsed.Port(); port != "" {
			origin.Host = net.JoinHostPort("localhost", port)
		}
	}
	return RelyingParty{ID: host, Name: parsed.Host, Origins: []string{origin.String()}}, nil
}

// Credential is a key of an authenticator, as it is stored.
type Credential = webauthn.Credential

// Person is whose credentials are made or asked for.
type Person struct {
	ID          string
	Name        string // an address, shown when choosing between accounts
	DisplayName string
	Credentials []Credential
}

// holder is a person as the library sees one.
type holder struct{ Person }

func (h holder) WebAuthnID() []byte                { return []byte(h.ID) }
func (h holder) WebAuthnName() string              { return h.Name }
func (h holder) WebAuthnDisplayName() string       { return h.DisplayName }
func (h holder) WebAuthnCredentials() []Credential { return h.Credentials }

// Ceremonies makes challenges for authenticators and checks their answers.
type Ceremonies struct{ web *webauthn.WebAuthn }

// NewCeremonies prepares ceremonies; of passkeys, which a person is found by, or
// of second factors.
//
// Errors: a relying party that cannot work.
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

// Begun is a ceremony that waits for an authenticator: the options that the
// browser gets, in full ({"publicKey": …}) and bare, and what is kept meanwhile.
type Begun struct {
	Whole, Bare any
	Kept        json.RawMessage
}

// Create asks for a new credential of a person.
func (c *Ceremonies) Create(person Person) (Begun, error) {
	var known []protocol.CredentialDescriptor
	for _, credential := range person.Credentials {
		known = append(known, credential.Descriptor())
	}
	options, kept, err := c.web.BeginRegistration(holder{person}, webauthn.WithExclusions(known))
	if err != nil {
		return Begun{}, fmt.Errorf("ask for a new credential: %w", err)
	}
	return begun(options, options.Response, kept)
}

// Request asks for one of a person's credentials.
func (c *Ceremonies) Request(person Person) (Begun, error) {
	options, kept, err := c.web.BeginLogin(holder{person})
	if err != nil {
		return Begun{}, fmt.Errorf("ask for a credential: %w", err)
	}
	return begun(options, options.Response, kept)
}

// RequestAny asks for a passkey of anybody.
func (c *Ceremonies) RequestAny() (Begun, error) {
	options, kept, err := c.web.BeginDiscoverableLogin()
	if err != nil {
		return Begun{}, fmt.Errorf("ask for a passkey: %w", err)
	}
	return begun(options, options.Response, kept)
}

func begun(whole, bare any, kept *webauthn.SessionData) (Begun, error) {
	text, err := json.Marshal(kept)
	return Begun{Whole: whole, Bare: bare, Kept: text}, err
}

// Created returns the credential that an authenticator made.
//
// Errors: ErrRejected.
func (c *Ceremonies) Created(person Person, kept, answer json.RawMessage) (*Credential, error) {
	session, err := resume(kept)
	if err != nil {
		return nil, err
	}
	parsed, err := protocol.ParseCredentialCreationResponseBody(bytes.NewReader(answer))
	if err != nil {
		return nil, rejected(err)
	}
	credential, err := c.web.CreateCredential(holder{person}, session, parsed)
	if err != nil {
		return nil, rejected(err)
	}
	return credential, nil
}

// Requested returns the person's credential that an authenticator used, with its
// counter as it is now.
//
// Errors: ErrRejected.
func (c *Ceremonies) Requested(person Person, kept, answer json.RawMessage) (*Credential, error) {
	session, err := resume(kept)
	if err != nil {
		return nil, err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBody(bytes.NewReader(answer))
	if err != nil {
		return nil, rejected(err)
	}
	return original(c.web.ValidateLogin(holder{person}, session, parsed))
}

// Finder gives who has a credential, by its id and the person's that it remembers.
type Finder func(credentialID []byte, userID string) (Person, error)

// RequestedAny returns whose passkey an authenticator used, and the passkey.
//
// Errors: ErrRejected, also where find gives an error.
func (c *Ceremonies) RequestedAny(find Finder, kept, answer json.RawMessage) (string, *Credential, error) {
	session, err := resume(kept)
	if err != nil {
		return "", nil, err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBody(bytes.NewReader(answer))
	if err != nil {
		return "", nil, rejected(err)
	}
	found, used, err := c.web.ValidatePasskeyLogin(func(credentialID, userID []byte) (webauthn.User, error) {
		person, err := find(credentialID, string(userID))
		return holder{person}, err
	}, session, parsed)
	if used, err = original(used, err); err != nil {
		return "", nil, err
	}
	return string(found.WebAuthnID()), used, nil
}

// original refuses a credential whose counter did not move on: there are two of
// it. Authenticators without a counter always say 0.
func original(used *Credential, err error) (*Credential, error) {
	switch {
	case err != nil:
		return nil, rejected(err)
	case used.Authenticator.CloneWarning:
		return nil, fmt.Errorf("%w: its counter went back", ErrRejected)
	}
	return used, nil
}

func resume(kept json.RawMessage) (webauthn.SessionData, error) {
	var session webauthn.SessionData
	if err := json.Unmarshal(kept, &session); err != nil {
		return session, fmt.Errorf("read what was kept of a ceremony: %w", err)
	}
	return session, nil
}

// rejected tells the library's reason to the log.
func rejected(err error) error {
	var reason *protocol.Error
	if errors.As(err, &reason) {
		return fmt.Errorf("%w: %s: %s (%s)", ErrRejected, reason.Type, reason.Details, reason.DevInfo)
	}
	return fmt.Errorf("%w: %w", ErrRejected, err)
}

// models names authenticators that many people have, by their AAGUID. Source:
// their makers.
var models = map[string]string{
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

// AAGUID writes an authenticator's model as a UUID, "" where there is none.
func AAGUID(raw []byte) string {
	if len(raw) != 16 || bytes.Equal(raw, make([]byte, 16)) {
		return ""
	}
	return fmt.Sprintf("%x-%x-%x-%x-%x", raw[:4], raw[4:6], raw[6:8], raw[8:10], raw[10:])
}

// Transports are the ways to reach an authenticator, as a list of JSON.
func Transports(credential *Credential) (json.RawMessage, error) {
	if credential.Transport == nil {
		return json.RawMessage("[]"), nil
	}
	return json.Marshal(credential.Transport)
}

// NameOf is how a new passkey is called until its owner says otherwise.
func NameOf(credential *Credential) string {
	if name, ok := models[AAGUID(credential.Authenticator.AAGUID)]; ok {
		return name
	}
	return "Passkey"
}
