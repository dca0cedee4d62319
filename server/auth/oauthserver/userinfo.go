package oauthserver

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/ory/fosite"

	"plaza/server/auth/oauth"
	"plaza/server/auth/oauthserver/storage"
)

// UserInfo returns the claims of the user that the scope of the access token's session allows. For
// a session without a client it returns only the subject.
//
// Errors: 403 bad_jwt; those of session.Sessions.FindUser.
func (s *Server) UserInfo(ctx context.Context, token string) (map[string]any, error) {
	r := s.storage.Request(storage.Origin{})
	_, found, err := s.provider(r, nil).IntrospectToken(ctx, token, fosite.AccessToken, storage.NewSession(""))
	if err != nil {
		return nil, translate(r, err)
	}
	known, ok := found.GetSession().(*storage.Session)
	if !ok {
		return nil, fmt.Errorf("unexpected session type %T", found.GetSession())
	}
	user, scope := known.Current.User, oauth.ParseScope(known.Current.Grant.Scopes)
	set := userClaims(user, scope)
	set["sub"] = user.ID
	// The names of supabase/auth, in addition to OpenID's.
	if scope.Has(oauth.Phone) && user.Phone != "" {
		set["phone"], set["phone_verified"] = set["phone_number"], set["phone_number_verified"]
	}
	if scope.Has(oauth.Profile) {
		set["user_metadata"] = json.RawMessage(user.UserMetadata)
	}
	return set, nil
}

// Metadata returns the document served at /.well-known/openid-configuration and
// /.well-known/oauth-authorization-server (RFC 8414).
func (s *Server) Metadata() map[string]any {
	set := map[string]any{
		"issuer":                                         s.issuer,
		"authorization_endpoint":                         s.external + "/oauth/authorize",
		"token_endpoint":                                 s.external + "/oauth/token",
		"userinfo_endpoint":                              s.external + "/oauth/userinfo",
		"revocation_endpoint":                            s.external + "/oauth/revoke",
		"introspection_endpoint":                         s.external + "/oauth/introspect",
		"jwks_uri":                                       s.external + "/.well-known/jwks.json",
		"scopes_supported":                               oauth.Scopes,
		"response_types_supported":                       []string{"code"},
		"response_modes_supported":                       []string{"query"},
		"grant_types_supported":                          oauth.GrantTypes,
		"subject_types_supported":                        []string{"public"},
		"id_token_signing_alg_values_supported":          s.signer.Ring().Algorithms(),
		"token_endpoint_auth_methods_supported":          oauth.AuthMethods,
		"revocation_endpoint_auth_methods_supported":     oauth.AuthMethods,
		"introspection_endpoint_auth_methods_supported":  oauth.AuthMethods,
		"code_challenge_methods_supported":               []string{"S256", "plain"},
		"authorization_response_iss_parameter_supported": true,
		"request_uri_parameter_supported":                false,
		"claims_supported": []string{
			"sub", "aud", "iss", "exp", "iat", "auth_time", "nonce", "at_hash", "email", "email_verified", "phone_number", "phone_number_verified",
			"name", "picture", "preferred_username", "updated_at",
		},
	}
	if s.config.Enabled && s.config.AllowRegistration {
		set["registration_endpoint"] = s.external + "/oauth/clients/register"
	}
	return set
}
