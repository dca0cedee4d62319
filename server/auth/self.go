package auth

import (
	"encoding/json"
	"net/http"

	"plaza/server/apierr"
	"plaza/server/auth/autherr"
	"plaza/server/httpx"
)

// errNeedsAAL2 asks a user with a second factor to use it first.
var errNeedsAAL2 = apierr.New(http.StatusUnauthorized, autherr.CodeInsufficientAAL, "AAL2 session is required to delete or export an account when MFA is enabled.")

// deleteSelf answers DELETE /user, which is ours: people remove their account.
// What of the project's own refers to it, its foreign keys decide.
//
// Errors: 422 feature_disabled; 401 insufficient_aal of a user with a second
// factor who has not used it.
func (s *Server) deleteSelf(w http.ResponseWriter, r *http.Request) error {
	if !s.config.Security.UserDeletion {
		return autherr.Unprocessable(autherr.CodeFeatureDisabled, "Deleting one's own account is disabled")
	}
	in, err := s.caller(r)
	if err != nil {
		return err
	}
	if in.User.HasVerifiedFactor() && !in.Strong() {
		return errNeedsAAL2
	}
	if err := s.deleteUser(r.Context(), in.User, false, in.User, s.visitor(r)); err != nil {
		return savingFailed(err, "Database error deleting user")
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// exportSelf is all that the auth server holds of a user, without secrets.
const exportSelf = `select jsonb_build_object(
		'user', (select to_jsonb(u) - '{encrypted_password,confirmation_token,recovery_token,email_change_token_new,email_change_token_current,phone_change_token,reauthentication_token,instance_id}'::text[]
			from auth.users u where u.id = $1),
		'identities', (select coalesce(jsonb_agg(to_jsonb(i) order by i.created_at), '[]') from auth.identities i where i.user_id = $1),
		'oauth_consents', (select coalesce(jsonb_agg(to_jsonb(k) order by k.granted_at), '[]') from auth.oauth_consents k where k.user_id = $1),
		'sessions', (select coalesce(jsonb_agg(to_jsonb(s) - '{refresh_token_hmac_key,refresh_token_counter}'::text[] order by s.created_at), '[]') from auth.sessions s where s.user_id = $1),
		'factors', (select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'friendly_name', f.friendly_name, 'factor_type', f.factor_type, 'status', f.status,
			'phone', f.phone, 'created_at', f.created_at, 'last_challenged_at', f.last_challenged_at) order by f.created_at), '[]') from auth.mfa_factors f where f.user_id = $1),
		'audit_log', (select coalesce(jsonb_agg(jsonb_build_object('payload', e.payload, 'created_at', e.created_at, 'ip_address', e.ip_address) order by e.created_at), '[]')
			from auth.audit_log_entries e where e.payload ->> 'actor_id' = $1::text))`

// exportUser answers GET /user/export, which is ours: a copy of what is held of
// the signed-in user.
//
// Errors: as deleteSelf.
func (s *Server) exportUser(w http.ResponseWriter, r *http.Request) error {
	if !s.config.Security.UserExport {
		return autherr.Unprocessable(autherr.CodeFeatureDisabled, "Exporting one's own data is disabled")
	}
	in, err := s.caller(r)
	if err != nil {
		return err
	}
	if in.User.HasVerifiedFactor() && !in.Strong() {
		return errNeedsAAL2
	}
	var all json.RawMessage
	if err := s.store.QueryRow(r.Context(), exportSelf, []any{in.User.ID}, &all); err != nil {
		return err
	}
	w.Header().Set("Content-Disposition", `attachment; filename="account.json"`)
	w.Header().Set("Cache-Control", "no-store")
	return httpx.WriteJSON(w, http.StatusOK, all)
}
