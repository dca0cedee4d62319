package oauth

import (
	"encoding/json"
	"net/url"
	"strings"
	"unicode/utf8"

	"plaza/server/auth/token"
)

// AuthorizeRequest is a client's authorization request.
type AuthorizeRequest struct {
	ClientID, RedirectURI string
	Scope                 Scope
	State, Nonce          string
	Resource              string
	Challenge             string
	Method                string // token.S256 or token.Plain
}

// Limits of a request, in characters. Source: the columns of supabase/auth.
const (
	maxState = 4096
	maxNonce = 255
)

// singleParam returns a parameter. ok is false if it is repeated. Source: RFC 6749, section 3.1.
func singleParam(params url.Values, name string) (value string, ok bool) {
	values := params[name]
	if len(values) == 0 {
		return "", true
	}
	return values[0], len(values) == 1
}

// ReadAuthorize reads client_id and redirect_uri. The caller must check that they belong together
// before it redirects the browser.
func ReadAuthorize(params url.Values) (*AuthorizeRequest, error) {
	a := &AuthorizeRequest{}
	for name, into := range map[string]*string{"client_id": &a.ClientID, "redirect_uri": &a.RedirectURI} {
		value, ok := singleParam(params, name)
		switch {
		case value == "":
			return nil, &Error{InvalidRequest, name + " is required"}
		case !ok:
			return nil, &Error{InvalidRequest, name + " must not be repeated"}
		}
		*into = value
	}
	return a, nil
}

// singleParams are the parameters that Complete reads. None may be repeated.
var singleParams = []string{
	"response_type", "response_mode", "scope", "state", "nonce", "resource", "code_challenge", "code_challenge_method", "request", "request_uri",
}

// Complete reads the remaining parameters. Its errors are sent to the redirect URI, with State
// if that is valid.
func (a *AuthorizeRequest) Complete(params url.Values, defaultScope string) error {
	values := map[string]string{}
	for _, name := range singleParams {
		value, ok := singleParam(params, name)
		if !ok {
			return &Error{InvalidRequest, name + " must not be repeated"}
		}
		values[name] = value
	}
	if state := values["state"]; !isPlainText(state) || utf8.RuneCountInString(state) > maxState {
		return &Error{InvalidRequest, "state cannot exceed 4096 characters or contain control characters"}
	}
	a.State, a.Nonce, a.Resource = values["state"], values["nonce"], values["resource"]
	switch kind := values["response_type"]; {
	case values["request"] != "":
		return &Error{RequestNotSupported, "the parameter request is not supported"}
	case values["request_uri"] != "":
		return &Error{RequestURINotSupported, "the parameter request_uri is not supported"}
	case kind != "" && kind != "code":
		return &Error{UnsupportedResponseType, "only response_type=code is supported"}
	case values["response_mode"] != "" && values["response_mode"] != "query":
		return &Error{InvalidRequest, "only response_mode=query is supported"}
	case utf8.RuneCountInString(a.Nonce) > maxNonce || !isPlainText(a.Nonce):
		return &Error{InvalidRequest, "nonce cannot exceed 255 characters or contain control characters"}
	}
	if err := a.readScope(values["scope"], defaultScope); err != nil {
		return err
	}
	if err := checkResource(a.Resource); err != nil {
		return err
	}
	return a.readPKCE(values["code_challenge"], values["code_challenge_method"])
}

func (a *AuthorizeRequest) readScope(scope, otherwise string) error {
	if scope == "" {
		scope = otherwise
	}
	a.Scope = ParseScope(scope)
	switch {
	case len(a.Scope) == 0:
		return &Error{InvalidScope, "scope parameter is required"}
	case !Scope(Scopes).ContainsAll(a.Scope):
		return &Error{InvalidScope, "unsupported scope: use " + strings.Join(Scopes, ", ")}
	}
	return nil
}

// checkResource validates a resource indicator by RFC 8707, section 2.
func checkResource(resource string) error {
	if resource == "" {
		return nil
	}
	parsed, err := url.Parse(resource)
	switch {
	case err != nil || !isPlainText(resource) || utf8.RuneCountInString(resource) > maxURI:
		return &Error{InvalidTarget, "resource must be a valid URI"}
	case !parsed.IsAbs():
		return &Error{InvalidTarget, "resource must be an absolute URI"}
	case strings.ContainsAny(resource, "#?"):
		return &Error{InvalidTarget, "resource must not include a fragment or a query component"}
	}
	return nil
}

// readPKCE reads the PKCE parameters. Both are required, as in OAuth 2.1 and upstream.
func (a *AuthorizeRequest) readPKCE(challenge, method string) error {
	a.Challenge, a.Method = challenge, strings.ToLower(method)
	switch {
	case challenge == "" || method == "":
		return &Error{InvalidRequest, "PKCE flow requires both code_challenge and code_challenge_method"}
	case a.Method != token.S256 && a.Method != token.Plain:
		return &Error{InvalidRequest, "code_challenge_method must be 'S256' or 'plain'"}
	case !token.ValidChallenge(challenge):
		return &Error{InvalidRequest, "code_challenge must be 43 to 128 letters, digits, hyphens, periods, underscores and tildes"}
	}
	return nil
}

// Credentials are a client's credentials and their authentication method.
type Credentials struct{ ID, Secret, Method string }

// TokenRequest is a client's request to the token endpoint.
type TokenRequest struct {
	GrantType    string
	Code         string
	RefreshToken string
	RedirectURI  string
	Verifier     string
	Resource     string
	Client       Credentials
}

// Login has the credentials of a Basic Authorization header. Both are form-encoded. Source:
// RFC 6749, section 2.3.1.
type Login struct{ ID, Secret string }

// ParseJSON parses a token request in JSON, which upstream accepts as well as a form.
func ParseJSON(body []byte) (url.Values, error) {
	var fields map[string]any
	if err := json.Unmarshal(body, &fields); err != nil {
		return nil, &Error{InvalidRequest, "Invalid JSON body"}
	}
	params := url.Values{}
	for name, value := range fields {
		if text, ok := value.(string); ok {
			params.Set(name, text)
		}
	}
	return params, nil
}

// ReadToken parses a token request. login is nil without an Authorization header.
func ReadToken(params url.Values, login *Login) (*TokenRequest, error) {
	t := &TokenRequest{}
	if err := readSingleParams(params, map[string]*string{
		"grant_type": &t.GrantType, "code": &t.Code, "refresh_token": &t.RefreshToken, "redirect_uri": &t.RedirectURI,
		"code_verifier": &t.Verifier, "resource": &t.Resource, "client_id": &t.Client.ID, "client_secret": &t.Client.Secret,
	}); err != nil {
		return nil, err
	}
	if err := t.Client.read(login); err != nil {
		return nil, err
	}
	if t.GrantType == "" {
		return nil, &Error{InvalidRequest, "grant_type is required"}
	}
	return t, nil
}

// readSingleParams reads parameters that must be plain text and not repeated.
func readSingleParams(params url.Values, into map[string]*string) error {
	for name, target := range into {
		value, ok := singleParam(params, name)
		switch {
		case !ok:
			return &Error{InvalidRequest, name + " must not be repeated"}
		case !isPlainText(value):
			return &Error{InvalidRequest, name + " must not contain control characters"}
		}
		*target = value
	}
	return nil
}

// read sets the authentication method and takes the credentials from login, if any. The id and
// secret of the body are already set. It refuses more than one method at once.
func (c *Credentials) read(login *Login) error {
	c.Method = Post
	switch {
	case login != nil:
		id, err := url.QueryUnescape(login.ID)
		secret, failed := url.QueryUnescape(login.Secret)
		if err != nil || failed != nil || !isPlainText(id) || !isPlainText(secret) {
			return &Error{InvalidClient, "Invalid client credentials: the Authorization header is not form-encoded"}
		}
		if c.Secret != "" || c.ID != "" && c.ID != id {
			return &Error{InvalidRequest, "Use one way of client authentication"}
		}
		*c = Credentials{id, secret, Basic}
	case c.Secret == "":
		c.Method = None
	}
	if c.ID == "" {
		return &Error{InvalidClient, "Invalid client credentials: client_id is required"}
	}
	return nil
}

// TokenQuery is a client's request to revoke (RFC 7009) or introspect (RFC 7662) a token.
type TokenQuery struct {
	Token  string
	Hint   string // of the token's type; may be wrong
	Client Credentials
}

// maxToken bounds a token, in bytes. No request can carry a longer one.
const maxToken = 64 << 10

// ReadTokenQuery parses a revocation or introspection request. login is nil without an
// Authorization header.
func ReadTokenQuery(params url.Values, login *Login) (*TokenQuery, error) {
	q := &TokenQuery{}
	if err := readSingleParams(params, map[string]*string{
		"token": &q.Token, "token_type_hint": &q.Hint, "client_id": &q.Client.ID, "client_secret": &q.Client.Secret,
	}); err != nil {
		return nil, err
	}
	if err := q.Client.read(login); err != nil {
		return nil, err
	}
	switch {
	case q.Token == "":
		return nil, &Error{InvalidRequest, "token is required"}
	case len(q.Token) > maxToken:
		return nil, &Error{InvalidRequest, "token cannot exceed 65536 bytes"}
	}
	return q, nil
}
