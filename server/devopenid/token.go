package devopenid

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// Lifetimes of codes and tokens.
const (
	codeLifetime    = time.Minute
	accessLifetime  = time.Hour
	refreshLifetime = 24 * time.Hour
)

// maxGrants bounds the number of stored codes or tokens.
const maxGrants = 1000

// grant is the request and the user of a code or token.
type grant struct {
	request request
	person  Person
	until   time.Time
}

// store stores a grant under a new secret and returns the secret. It removes expired grants and, if
// there are too many, arbitrary others.
func (p *Provider) store(in map[string]grant, g grant, lifetime time.Duration) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.options.Now()
	for secret, old := range in {
		if now.After(old.until) || len(in) >= maxGrants {
			delete(in, secret)
		}
	}
	secret := randomText()
	g.until = now.Add(lifetime)
	in[secret] = g
	return secret
}

// lookUp returns the grant of a secret. If spend is true, the secret is consumed.
func (p *Provider) lookUp(from map[string]grant, secret string, spend bool) (grant, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	g, ok := from[secret]
	if spend {
		delete(from, secret)
	}
	return g, ok && p.options.Now().Before(g.until)
}

// maxForm bounds a request body, in bytes.
const maxForm = 64 << 10

// token exchanges a code, or a refresh token.
func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		writeError(w, http.StatusBadRequest, "invalid_request", "The form cannot be read")
		return
	}
	form := r.PostForm
	id, secret, basic := r.BasicAuth()
	if !basic {
		id, secret = form.Get("client_id"), form.Get("client_secret")
	}
	if id != ClientID || subtle.ConstantTimeCompare([]byte(secret), []byte(p.secret)) != 1 {
		writeError(w, http.StatusUnauthorized, "invalid_client", "Unknown client or wrong secret")
		return
	}
	switch form.Get("grant_type") {
	case "authorization_code":
		g, ok := p.lookUp(p.codes, form.Get("code"), true)
		sum := sha256.Sum256([]byte(form.Get("code_verifier")))
		if !ok || g.request.Redirect != form.Get("redirect_uri") || g.request.Challenge != base64.RawURLEncoding.EncodeToString(sum[:]) {
			writeError(w, http.StatusBadRequest, "invalid_grant", "The code is spent, expired or another client's")
			return
		}
		p.writeTokens(w, g, g.request.Offline)
	case "refresh_token":
		g, ok := p.lookUp(p.refresh, form.Get("refresh_token"), false)
		if !ok {
			writeError(w, http.StatusBadRequest, "invalid_grant", "The refresh token is not valid")
			return
		}
		p.writeTokens(w, g, false)
	default:
		writeError(w, http.StatusBadRequest, "unsupported_grant_type", "Use authorization_code or refresh_token")
	}
}

func (p *Provider) writeTokens(w http.ResponseWriter, g grant, renewable bool) {
	access := p.store(p.access, g, accessLifetime)
	id, err := p.sign(g, access)
	if err != nil {
		writeError(w, http.StatusInternalServerError, "server_error", "The token cannot be signed")
		return
	}
	answer := map[string]any{
		"access_token": access, "token_type": "Bearer", "expires_in": int(accessLifetime / time.Second), "id_token": id, "scope": g.request.Scope,
	}
	if renewable {
		answer["refresh_token"] = p.store(p.refresh, g, refreshLifetime)
	}
	writeJSON(w, http.StatusOK, answer)
}

// profile returns the claims about a user.
func (p *Provider) profile(person Person) jwt.MapClaims {
	first, last, _ := strings.Cut(person.Name, " ")
	return jwt.MapClaims{
		"sub": person.subject(), "email": person.Email, "email_verified": person.Verified, "name": person.Name, "given_name": first, "family_name": last,
	}
}

func (p *Provider) sign(g grant, access string) (string, error) {
	now := p.options.Now()
	set := p.profile(g.person)
	set["iss"], set["aud"], set["azp"] = p.options.Issuer, ClientID, ClientID
	set["iat"], set["exp"] = now.Unix(), now.Add(accessLifetime).Unix()
	sum := sha256.Sum256([]byte(access))
	set["at_hash"] = base64.RawURLEncoding.EncodeToString(sum[:16])
	if g.request.Nonce != "" {
		set["nonce"] = g.request.Nonce
	}
	token := jwt.NewWithClaims(jwt.SigningMethodES256, set)
	token.Header["kid"] = p.keyID
	return token.SignedString(p.key)
}

func (p *Provider) userinfo(w http.ResponseWriter, r *http.Request) {
	secret, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	g, ok := p.lookUp(p.access, secret, false)
	if !ok {
		w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
		writeError(w, http.StatusUnauthorized, "invalid_token", "The access token is not valid")
		return
	}
	writeJSON(w, http.StatusOK, p.profile(g.person))
}
