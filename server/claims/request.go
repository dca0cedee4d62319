package claims

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Errors of Authenticator.Key.
var (
	ErrNoKey    = errors.New("no API key in the request")
	ErrWrongKey = errors.New("API key is not one of this project")
)

// Authenticator identifies the caller of a request by its API key and token.
type Authenticator struct {
	Verifier *Verifier
	Keys     Keys
	ownOnly  bool // tokens of third-party issuers are refused
}

// OwnOnly returns an Authenticator that refuses the tokens of third-party issuers: their subjects are not
// users of the project.
func (a *Authenticator) OwnOnly() *Authenticator {
	own := *a
	own.ownOnly = true
	return &own
}

// Key returns the caller of the request's API key: header apikey or, for links and WebSockets, query
// parameter apikey.
//
// Errors: ErrNoKey, ErrWrongKey.
func (a *Authenticator) Key(r *http.Request) (Caller, error) {
	keys := []string{r.Header.Get("apikey")}
	if keys[0] == "" && strings.Contains(r.URL.RawQuery, "apikey=") {
		keys = r.URL.Query()["apikey"]
	}
	err := ErrNoKey
	for _, key := range keys {
		if key == "" {
			continue
		}
		if who, err := a.Verify(key); err == nil {
			return who, nil
		}
		err = ErrWrongKey
	}
	return Caller{}, err
}

// Verify returns the caller of a key or a token.
//
// Errors: those of Verifier.Verify.
func (a *Authenticator) Verify(key string) (Caller, error) {
	if who, ok := a.Keys.Caller(key); ok {
		return who, nil
	}
	who, err := a.Verifier.Verify(key)
	if a.ownOnly && who.Issuer != "" {
		return Caller{}, fmt.Errorf("%w: the token is of another issuer", ErrSignature)
	}
	return who, err
}

// HideKey removes API keys from the request's query before the request is passed to a service that may
// have a parameter apikey of its own. Parameters apikey with other values are kept.
func (a *Authenticator) HideKey(r *http.Request) {
	if !strings.Contains(r.URL.RawQuery, "apikey=") {
		return
	}
	var kept []string
	for pair := range strings.SplitSeq(r.URL.RawQuery, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if name != "apikey" || !a.isKey(value) {
			kept = append(kept, pair)
		}
	}
	r.URL.RawQuery = strings.Join(kept, "&")
}

func (a *Authenticator) isKey(escaped string) bool {
	key, err := url.QueryUnescape(escaped)
	if err != nil {
		return false
	}
	_, err = a.Verify(key)
	return err == nil
}

// BearerToken returns the token of a request's Authorization header.
func BearerToken(r *http.Request) (token string, ok bool) {
	scheme, token, found := strings.Cut(r.Header.Get("Authorization"), " ")
	token = strings.TrimSpace(token)
	return token, found && strings.EqualFold(scheme, "Bearer") && token != ""
}

// Bearer returns the caller of the request's bearer token. ok is false if there is none or it is
// refused.
//
// Errors: those of Verifier.Verify.
func (a *Authenticator) Bearer(r *http.Request) (who Caller, ok bool, err error) {
	token, found := BearerToken(r)
	if !found {
		return Caller{}, false, nil
	}
	who, err = a.Verify(token)
	return who, err == nil, err
}
