// Package pkce stores flows whose code is exchanged with a verifier (RFC 7636).
package pkce

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/autherr"
	"plaza/server/auth/seal"
	"plaza/server/auth/store"
	"plaza/server/auth/token"
)

// Challenge has the PKCE parameters of a request. An empty Challenge means the implicit flow.
type Challenge struct {
	Challenge string `json:"code_challenge"`
	Method    string `json:"code_challenge_method"`
}

// Check refuses an invalid challenge and converts the method to lower case.
//
// Errors: 400 validation_failed.
func (c *Challenge) Check() error {
	c.Method = strings.ToLower(c.Method)
	switch {
	case (c.Challenge == "") != (c.Method == ""):
		return autherr.BadRequest(autherr.CodeValidation, "PKCE flow requires code_challenge_method and code_challenge")
	case c.Challenge == "":
		return nil
	case !token.ValidChallenge(c.Challenge):
		return autherr.BadRequest(autherr.CodeValidation, "code challenge has to be 43 to 128 characters, of letters, digits, hyphens, periods, underscores and tildes")
	case c.Method != token.S256 && c.Method != token.Plain:
		return autherr.BadRequest(autherr.CodeValidation, "unsupported code_challenge method %q", c.Method)
	}
	return nil
}

// IsSet reports whether the request has a challenge.
func (c Challenge) IsSet() bool { return c.Challenge != "" }

// Lifetime is how long a flow may take. Source: supabase/auth, setting
// EXTERNAL_FLOW_STATE_EXPIRY_DURATION. It counts from the time at which the code is issued,
// because a mailed link may be followed much later than it was requested.
const Lifetime = 5 * time.Minute

const (
	insertFlow = `insert into auth.flow_state (id, user_id, auth_code, code_challenge_method, code_challenge, provider_type,
			provider_access_token, provider_refresh_token, created_at, updated_at, authentication_method)
		values (gen_random_uuid(), $1, gen_random_uuid()::text, $2::auth.code_challenge_method, $3, $4, '', '', $5, $5, $6)`

	// issueCode takes the user's newest flow with a method.
	issueCode = `update auth.flow_state f set auth_code_issued_at = $3, updated_at = $3
		where f.id = (select n.id from auth.flow_state n where n.user_id = $1 and n.authentication_method = $2
			and n.code_challenge <> '' order by n.created_at desc limit 1)
		returning f.auth_code`

	flowByCode = `select f.id::text, coalesce(f.user_id::text, ''), coalesce(f.code_challenge, ''), coalesce(f.code_challenge_method::text, ''),
			f.provider_type, f.authentication_method, coalesce(f.auth_code_issued_at, f.created_at), coalesce(f.provider_access_token, ''),
			coalesce(f.provider_refresh_token, '')
		from auth.flow_state f where f.auth_code = $1 for update`

	deleteFlow = `delete from auth.flow_state where id = $1`
)

// Begin queues the insertion of a flow with the challenge, if there is one.
func (c Challenge) Begin(batch *pgx.Batch, userID, providerType, method string, now time.Time) {
	if c.IsSet() {
		batch.Queue(insertFlow, userID, c.Method, c.Challenge, providerType, now, method)
	}
}

// IssueCode returns the code of a user's newest flow with a method.
//
// Errors: 400 flow_state_not_found.
func IssueCode(ctx context.Context, tx *store.Tx, userID, method string, now time.Time) (string, error) {
	var code string
	err := tx.QueryRow(ctx, issueCode, userID, method, now).Scan(&code)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", autherr.BadRequest(autherr.CodeFlowNotFound, "No associated flow state found. No valid flow state found for user.")
	}
	return code, err
}

// Flow is a flow with an issued code.
type Flow struct {
	ID, UserID, ProviderType, Method string
	accessToken, refreshToken        string // of an external provider, sealed
}

// SealToken encrypts a provider's token for storage until the app exchanges the flow's code. The
// token gives access to the user's account at the provider.
func SealToken(box *seal.Box, flowID, text string) string {
	if text == "" {
		return ""
	}
	return box.Seal([]byte(text), sealContext(flowID))
}

// ProviderTokens returns the tokens of the external provider for the app. Both are empty for a
// flow without a provider.
func (f Flow) ProviderTokens(box *seal.Box) (access, refresh string, err error) {
	open := func(sealed string) (string, error) {
		if sealed == "" {
			return "", nil
		}
		plain, err := box.Open(sealed, sealContext(f.ID))
		return string(plain), err
	}
	if access, err = open(f.accessToken); err != nil {
		return "", "", err
	}
	refresh, err = open(f.refreshToken)
	return access, refresh, err
}

func sealContext(flowID string) string { return "auth.flow_state/" + flowID }

// ErrNoFlow is the error for an unknown code.
var ErrNoFlow = autherr.NotFound(autherr.CodeFlowNotFound, "invalid flow state, no valid flow state found")

// Exchange returns the flow of a code and locks it until the end of tx. The caller must Delete the
// flow. A wrong verifier does not consume the code.
//
// Errors: ErrNoFlow; 422 flow_state_expired; 400 bad_code_verifier.
func Exchange(ctx context.Context, tx *store.Tx, code, verifier string, now time.Time) (Flow, error) {
	var f Flow
	var challenge, method string
	var issued time.Time
	err := tx.QueryRow(ctx, flowByCode, code).Scan(&f.ID, &f.UserID, &challenge, &method, &f.ProviderType, &f.Method, &issued, &f.accessToken, &f.refreshToken)
	switch {
	case errors.Is(err, pgx.ErrNoRows), err == nil && f.UserID == "":
		return Flow{}, ErrNoFlow
	case err != nil:
		return Flow{}, err
	case now.After(issued.Add(Lifetime)):
		return Flow{}, autherr.Unprocessable(autherr.CodeFlowExpired, "invalid flow state, flow state has expired")
	case !token.VerifyChallenge(challenge, method, verifier):
		return Flow{}, autherr.BadRequest(autherr.CodeBadVerifier, "code challenge does not match previously saved code verifier")
	}
	return f, nil
}

// Delete queues the deletion of a flow.
func Delete(batch *pgx.Batch, id string) { batch.Queue(deleteFlow, id) }
