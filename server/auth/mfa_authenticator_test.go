package auth_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	"plaza/server/auth"
)

// Flags of an authenticator's response. Source: WebAuthn Level 3, 6.1.
const (
	userPresent  = 1 << 0
	userVerified = 1 << 2
	hasKey       = 1 << 6
)

// authenticator is a security key in software: ES256, without attestation.
type authenticator struct {
	t      testing.TB
	key    *ecdsa.PrivateKey
	id     []byte
	handle string // the user's id, which a passkey stores
	count  uint32
	party  string
	origin string
	flags  byte
	model  [16]byte
}

func newAuthenticator(t testing.TB) *authenticator {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	id := make([]byte, 16)
	rand.Read(id)
	return &authenticator{t: t, key: key, id: id, party: "plaza.test", origin: site, flags: userPresent | userVerified}
}

// options are the parts of the server's options that the authenticator uses.
type options struct {
	Challenge string
	RP        struct{ ID, Name string }
	RPID      string `json:"rpId"`
	User      struct{ ID, Name, DisplayName string }
	Exclude   []struct{ ID string } `json:"excludeCredentials"`
	Allow     []struct{ ID string } `json:"allowCredentials"`
	Selection struct {
		ResidentKey      string
		UserVerification string
	} `json:"authenticatorSelection"`
	Attestation string
}

func (a *authenticator) clientData(kind, challenge string) []byte {
	text, err := json.Marshal(map[string]any{"type": kind, "challenge": challenge, "origin": a.origin, "crossOrigin": false})
	if err != nil {
		a.t.Fatal(err)
	}
	return text
}

// data returns the authenticator data of a response.
func (a *authenticator) data(flags byte) []byte {
	party := sha256.Sum256([]byte(a.party))
	return binary.BigEndian.AppendUint32(append(party[:], flags), a.count)
}

func encode(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }

// create creates the credential, as navigator.credentials.create does.
func (a *authenticator) create(o options) map[string]any {
	a.t.Helper()
	handle, err := base64.RawURLEncoding.DecodeString(o.User.ID)
	if err != nil {
		a.t.Fatal(err)
	}
	a.handle = string(handle)
	public, err := a.key.PublicKey.Bytes() // 4, x, y
	if err != nil {
		a.t.Fatal(err)
	}
	cose := slices.Concat([]byte{0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32}, public[1:33], []byte{0x22, 0x58, 32}, public[33:])
	data := slices.Concat(a.data(a.flags|hasKey), a.model[:], []byte{0, byte(len(a.id))}, a.id, cose)
	object := slices.Concat([]byte("\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58"), []byte{byte(len(data))}, data)
	return a.credential(map[string]any{
		"clientDataJSON": encode(a.clientData("webauthn.create", o.Challenge)), "attestationObject": encode(object), "transports": []string{"internal", "hybrid"},
	})
}

// get uses the credential, as navigator.credentials.get does.
func (a *authenticator) get(o options) map[string]any {
	a.t.Helper()
	a.count++
	data, client := a.data(a.flags), a.clientData("webauthn.get", o.Challenge)
	hash := sha256.Sum256(client)
	digest := sha256.Sum256(append(slices.Clone(data), hash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, a.key, digest[:])
	if err != nil {
		a.t.Fatal(err)
	}
	return a.credential(map[string]any{
		"clientDataJSON": encode(client), "authenticatorData": encode(data), "signature": encode(signature), "userHandle": encode([]byte(a.handle)),
	})
}

func (a *authenticator) credential(response map[string]any) map[string]any {
	return map[string]any{"id": encode(a.id), "rawId": encode(a.id), "type": "public-key", "response": response, "clientExtensionResults": map[string]any{}}
}

// startKeys starts a server with security keys and passkeys enabled.
func startKeys(t testing.TB, change func(*auth.Config)) *server {
	t.Helper()
	return start(t, func(c *auth.Config) {
		c.MFA.WebAuthn.Enroll, c.MFA.WebAuthn.Verify, c.Passkey.Enabled = true, true, true
		if change != nil {
			change(c)
		}
	})
}

// keyChallenge is a challenge for an authenticator, for a factor or a passkey.
type keyChallenge struct {
	id      string
	kind    string
	expires int64
	options options
}

// challengeKey requests a challenge for a security key.
func (s *server) challengeKey(as, factor string) keyChallenge {
	s.t.Helper()
	got := s.do(call{path: "/factors/" + factor + "/challenge", body: `{"webauthn":{"rpId":"plaza.test"}}`, as: as})
	got.want(s.t, http.StatusOK, "")
	var result struct {
		ID       string
		Type     string
		At       int64 `json:"expires_at"`
		WebAuthn struct {
			Type    string
			Options struct{ PublicKey options } `json:"credential_options"`
		}
	}
	got.parse(s.t, &result)
	equal(s.t, "type", "webauthn", result.Type)
	return keyChallenge{result.ID, result.WebAuthn.Type, result.At, result.WebAuthn.Options.PublicKey}
}

func (s *server) verifyKey(as, factor, challenge, kind string, credential any) answer {
	s.t.Helper()
	return s.do(call{path: "/factors/" + factor + "/verify", as: as, body: body(map[string]any{
		"challenge_id": challenge, "webauthn": map[string]any{"type": kind, "rpId": "plaza.test", "credential_response": credential},
	})})
}

// newKey enrolls an unverified security key.
func (s *server) newKey(as, name string) string {
	s.t.Helper()
	got := s.enroll(as, map[string]any{"factor_type": "webauthn", "friendly_name": name})
	got.want(s.t, http.StatusOK, "")
	var made app
	got.parse(s.t, &made)
	equal(s.t, "type", "webauthn", made.Type)
	return made.ID
}

// beginPasskey requests the options of a passkey ceremony.
func (s *server) beginPasskey(ceremony, as string) keyChallenge {
	s.t.Helper()
	got := s.do(call{path: "/passkeys/" + ceremony + "/options", body: "{}", as: as})
	got.want(s.t, http.StatusOK, "")
	var result struct {
		ID      string `json:"challenge_id"`
		At      int64  `json:"expires_at"`
		Options options
	}
	got.parse(s.t, &result)
	return keyChallenge{id: result.ID, expires: result.At, options: result.Options}
}

func (s *server) finishPasskey(ceremony, as, challenge string, credential any) answer {
	s.t.Helper()
	return s.do(call{path: "/passkeys/" + ceremony + "/verify", as: as, body: body(map[string]any{"challenge_id": challenge, "credential": credential})})
}

// newPasskey registers a passkey of the authenticator.
func (s *server) newPasskey(as string, with *authenticator) string {
	s.t.Helper()
	challenge := s.beginPasskey("registration", as)
	got := s.finishPasskey("registration", as, challenge.id, with.create(challenge.options))
	got.want(s.t, http.StatusOK, "")
	var made struct{ ID string }
	got.parse(s.t, &made)
	return made.ID
}
