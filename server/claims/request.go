package claims

import (
	"errors"
	"net/http"
	"strings"
)

// Reasons an API key is refused.
var (
	ErrNoKey    = errors.New("no API key in the request")
	ErrWrongKey = errors.New("API key is not one of this project")
)

// Authenticator tells who a request comes from by its API key and token.
type Authenticator struct {
	Verifier *Verifier
	Keys     Keys
}

// Key gives the caller of the request's API key: header apikey or, as a link
// or a socket needs it, query parameter apikey.
//
// Errors: ErrNoKey, ErrWrongKey.
func (a *Authenticator) Key(r *http.Request) (Caller, error) {
	key := r.Header.Get("apikey")
	if key == "" && strings.Contains(r.URL.RawQuery, "apikey=") {
		key = r.URL.Query().Get("apikey")
	}
	if key == "" {
		return Caller{}, ErrNoKey
	}
	if who, ok := a.Keys.Caller(key); ok {
		return who, nil
	}
	who, err := a.Verifier.Verify(key)
	if err != nil {
		return Caller{}, ErrWrongKey
	}
	return who, nil
}

// Bearer gives the caller of the request's bearer token; ok is false without one.
//
// Errors: those of Verifier.Verify.
func (a *Authenticator) Bearer(r *http.Request) (who Caller, ok bool, err error) {
	scheme, token, found := strings.Cut(r.Header.Get("Authorization"), " ")
	token = strings.TrimSpace(token)
	if !found || !strings.EqualFold(scheme, "Bearer") || token == "" {
		return Caller{}, false, nil
	}
	if who, ok := a.Keys.Caller(token); ok {
		return who, true, nil
	}
	who, err = a.Verifier.Verify(token)
	return who, err == nil, err
}
