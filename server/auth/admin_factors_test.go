package auth_test

import (
	"net/http"
	"strings"
	"testing"

	"plaza/server/auth"
)

func TestAdminFactors(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	strong, made := s.memberWithApp("ana@plaza.test")
	ana := s.claimsOf(strong.Access)["sub"].(string)
	codes := s.recovery(http.MethodPost, "", strong.Access).set(t)

	list := s.admin(http.MethodGet, "/admin/users/"+ana+"/factors", "")
	list.want(t, http.StatusOK, "")
	var factors []struct {
		ID, Status string
		Type       string `json:"factor_type"`
	}
	list.parse(t, &factors)
	equal(t, "factors", 2, len(factors))
	if strings.Contains(list.body, "secret") || strings.Contains(list.body, made.TOTP.Secret) {
		t.Errorf("the list has secrets: %s", list.body)
	}

	got := s.admin(http.MethodPut, "/admin/users/"+ana+"/factors/"+made.ID, `{"friendly_name":"old phone","phone":"376600002"}`)
	got.want(t, http.StatusOK, "")
	if !strings.Contains(got.body, `"friendly_name":"old phone"`) || strings.Contains(got.body, "376600002") {
		t.Errorf("updated: %s", got.body)
	}
	s.admin(http.MethodPut, "/admin/users/"+ana+"/factors/"+made.ID, `{"friendly_name":"Recovery codes"}`).want(t, http.StatusUnprocessableEntity, "mfa_factor_name_conflict")
	s.admin(http.MethodPut, "/admin/users/"+ana+"/factors/"+made.ID, `{"friendly_name":"\u0000"}`).want(t, http.StatusBadRequest, "validation_failed")

	got = s.admin(http.MethodDelete, "/admin/users/"+ana+"/factors/"+made.ID, "")
	got.want(t, http.StatusOK, "")
	if !strings.Contains(got.body, made.ID) {
		t.Errorf("deleted: %s", got.body)
	}
	equal(t, "factors left", "[]", strings.TrimSpace(s.admin(http.MethodGet, "/admin/users/"+ana+"/factors", "").body))
	equal(t, "level", "aal1", s.claimsOf(s.refresh(strong.Refresh).tokens(t).Access)["aal"].(string))
	s.useRecovery(strong.Access, codes.Codes[0]).want(t, http.StatusUnprocessableEntity, "mfa_verification_failed")
	equal(t, "audit", 2, s.count(`select count(*) from auth.audit_log_entries where payload->>'action' in ('factor_updated', 'factor_deleted')
		and payload->'traits'->>'factor_id' = $1`, made.ID))
}

func TestAdminPhoneFactor(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) { c.MFA.Phone.Enroll, c.MFA.Phone.Verify = true, true })
	member := s.member("ana@plaza.test")
	path := s.claimsOf(member.Access)["sub"].(string) + "/factors/" + s.newPhone(member.Access, "mobile")
	got := s.admin(http.MethodPut, "/admin/users/"+path, `{"phone":"+376 600 002"}`)
	got.want(t, http.StatusOK, "")
	if !strings.Contains(got.body, `"phone":"376600002"`) {
		t.Errorf("updated: %s", got.body)
	}
	s.admin(http.MethodPut, "/admin/users/"+path, `{"phone":"x"}`).want(t, http.StatusBadRequest, "validation_failed")
}

func TestAdminPasskeys(t *testing.T) {
	t.Parallel()
	s := startKeys(t, nil)
	member := s.member("ana@plaza.test")
	ana, ben := s.claimsOf(member.Access)["sub"].(string), s.claimsOf(s.member("ben@plaza.test").Access)["sub"].(string)
	id := s.newPasskey(member.Access, newAuthenticator(t))
	list := s.admin(http.MethodGet, "/admin/users/"+ana+"/passkeys", "")
	list.want(t, http.StatusOK, "")
	if !strings.Contains(list.body, id) {
		t.Errorf("list: %s", list.body)
	}
	s.admin(http.MethodDelete, "/admin/users/"+ben+"/passkeys/"+id, "").want(t, http.StatusNotFound, "validation_failed")
	s.admin(http.MethodDelete, "/admin/users/"+ana+"/passkeys/"+id, "").want(t, http.StatusNoContent, "")
	equal(t, "list", "[]", strings.TrimSpace(s.admin(http.MethodGet, "/admin/users/"+ana+"/passkeys", "").body))
}

func TestAdminFactorRequestsAreRefused(t *testing.T) {
	t.Parallel()
	s := startKeys(t, nil)
	strong, made := s.memberWithApp("ana@plaza.test")
	ana := s.claimsOf(strong.Access)["sub"].(string)
	for path, code := range map[string]string{
		"x/factors": "validation_failed", unknownID + "/factors": "user_not_found", unknownID + "/passkeys": "user_not_found",
		"x%00/passkeys": "validation_failed",
	} {
		s.admin(http.MethodGet, "/admin/users/"+path, "").want(t, http.StatusNotFound, code)
	}
	s.admin(http.MethodDelete, "/admin/users/"+ana+"/factors/x", "").want(t, http.StatusNotFound, "validation_failed")
	s.admin(http.MethodDelete, "/admin/users/"+ana+"/factors/"+unknownID, "").want(t, http.StatusNotFound, "mfa_factor_not_found")
	s.admin(http.MethodDelete, "/admin/users/"+ana+"/passkeys/x", "").want(t, http.StatusNotFound, "validation_failed")
	for method, path := range map[string]string{
		http.MethodGet: ana + "/factors", http.MethodPut: ana + "/factors/" + made.ID, http.MethodDelete: ana + "/factors/" + made.ID,
	} {
		s.do(call{method: method, path: "/admin/users/" + path, as: strong.Access}).want(t, http.StatusForbidden, "not_admin")
		s.do(call{method: method, path: "/admin/users/" + path}).want(t, http.StatusUnauthorized, "no_authorization")
	}
	for _, path := range []string{"/passkeys", "/passkeys/" + unknownID} {
		method := http.MethodGet
		if strings.Count(path, "/") == 2 {
			method = http.MethodDelete
		}
		s.do(call{method: method, path: "/admin/users/" + ana + path, as: strong.Access}).want(t, http.StatusForbidden, "not_admin")
	}
}
