package api

import (
	"net/http"

	"plaza/server/auth/factor"
	"plaza/server/auth/message"
	"plaza/server/auth/session"
	"plaza/server/httpx"
)

// factorOwner returns the signed-in user, who must be allowed to manage factors.
//
// Errors: those of caller and factor.CheckMayManage.
func (s *factorHandlers) factorOwner(r *http.Request) (*session.Current, error) {
	current, err := s.caller(r)
	if err != nil {
		return nil, err
	}
	return current, factor.CheckMayManage(current)
}

// enrollFactor answers POST /factors. The new factor is unverified.
func (s *factorHandlers) enrollFactor(w http.ResponseWriter, r *http.Request) error {
	current, err := s.factorOwner(r)
	if err != nil {
		return err
	}
	var params factor.Enrolment
	if err := readBody(w, r, &params); err != nil {
		return err
	}
	result, err := s.Factors.Enroll(r.Context(), current, params, s.requestInfo(r))
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return httpx.WriteJSON(w, http.StatusOK, result)
}

// unenrollFactor answers DELETE /factors/{id}. Sessions that used the factor are
// downgraded to aal1.
func (s *factorHandlers) unenrollFactor(w http.ResponseWriter, r *http.Request) error {
	current, err := s.factorOwner(r)
	if err != nil {
		return err
	}
	id := r.PathValue("id")
	if err := s.Factors.Unenroll(r.Context(), current, id, s.requestInfo(r)); err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, map[string]string{"id": id})
}

// challengeFactor answers POST /factors/{id}/challenge.
func (s *factorHandlers) challengeFactor(w http.ResponseWriter, r *http.Request) error {
	current, err := s.factorOwner(r)
	if err != nil {
		return err
	}
	var params struct {
		Channel string `json:"channel"`
	}
	if err := readBody(w, r, &params); err != nil {
		return err
	}
	if err := message.CheckChannel(params.Channel); err != nil {
		return err
	}
	made, err := s.Factors.Challenge(r.Context(), current, r.PathValue("id"), params.Channel, s.requestInfo(r))
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, made)
}

// verifyFactor answers POST /factors/{id}/verify. A correct response to the challenge
// upgrades the session to aal2.
func (s *factorHandlers) verifyFactor(w http.ResponseWriter, r *http.Request) error {
	current, err := s.factorOwner(r)
	if err != nil {
		return err
	}
	var answer factor.Answer
	if err := readBody(w, r, &answer); err != nil {
		return err
	}
	tokens, err := s.Factors.Verify(r.Context(), current, r.PathValue("id"), answer, s.requestInfo(r))
	if err != nil {
		return err
	}
	return writeTokens(w, tokens)
}

// recoveryStatus answers GET /factors/recovery-codes.
func (s *factorHandlers) recoveryStatus(w http.ResponseWriter, r *http.Request) error {
	current, err := s.factorOwner(r)
	if err != nil {
		return err
	}
	set, err := s.Factors.RecoveryCodes(r.Context(), current)
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, set)
}

// createRecoveryCodes answers POST /factors/recovery-codes with the first set of codes.
func (s *factorHandlers) createRecoveryCodes(w http.ResponseWriter, r *http.Request) error {
	var params struct {
		Name string `json:"friendly_name"`
	}
	if err := readBody(w, r, &params); err != nil {
		return err
	}
	return s.writeRecoveryCodes(w, r, func(current *session.Current) (factor.RecoverySet, error) {
		return s.Factors.CreateRecoveryCodes(r.Context(), current, params.Name, s.requestInfo(r))
	})
}

// regenerateRecoveryCodes answers POST /factors/recovery-codes/regenerate with a set of codes
// that replaces the previous one.
func (s *factorHandlers) regenerateRecoveryCodes(w http.ResponseWriter, r *http.Request) error {
	return s.writeRecoveryCodes(w, r, func(current *session.Current) (factor.RecoverySet, error) {
		return s.Factors.RegenerateRecoveryCodes(r.Context(), current, s.requestInfo(r))
	})
}

// writeRecoveryCodes writes fresh codes. They are not shown again.
func (s *factorHandlers) writeRecoveryCodes(w http.ResponseWriter, r *http.Request, fresh func(*session.Current) (factor.RecoverySet, error)) error {
	current, err := s.factorOwner(r)
	if err != nil {
		return err
	}
	set, err := fresh(current)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return httpx.WriteJSON(w, http.StatusOK, set)
}

// verifyRecoveryCode answers POST /factors/recovery-codes/verify. An unused code upgrades
// the session to aal2.
func (s *factorHandlers) verifyRecoveryCode(w http.ResponseWriter, r *http.Request) error {
	current, err := s.factorOwner(r)
	if err != nil {
		return err
	}
	var params struct{ Code string }
	if err := readBody(w, r, &params); err != nil {
		return err
	}
	tokens, err := s.Factors.VerifyRecoveryCode(r.Context(), current, params.Code, s.requestInfo(r))
	if err != nil {
		return err
	}
	return writeTokens(w, tokens)
}

// deleteRecoveryCodes answers DELETE /factors/recovery-codes.
func (s *factorHandlers) deleteRecoveryCodes(w http.ResponseWriter, r *http.Request) error {
	current, err := s.factorOwner(r)
	if err != nil {
		return err
	}
	id, err := s.Factors.DeleteRecoveryCodes(r.Context(), current, s.requestInfo(r))
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, map[string]string{"id": id})
}
