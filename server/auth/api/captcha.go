package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"plaza/server/auth/autherr"
	"plaza/server/auth/captcha"
	"plaza/server/httpx"
)

// requireCaptcha checks the captcha token of a request if captchas are enabled. Admins are
// exempt.
func (s *base) requireCaptcha(h httpx.Handler) httpx.Handler {
	if !s.Config.Security.Captcha.Enabled {
		return h
	}
	return func(w http.ResponseWriter, r *http.Request) error {
		if s.isAdmin(r) {
			return h(w, r)
		}
		// The token is in the body, which the handler reads again.
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		var tooLarge *http.MaxBytesError
		if err != nil && !errors.As(err, &tooLarge) {
			return autherr.BadRequest(autherr.CodeBadJSON, "Could not read request body").WithCause(err)
		}
		var params struct {
			Security struct {
				Token string `json:"captcha_token"`
			} `json:"gotrue_meta_security"`
		}
		_ = json.Unmarshal(body, &params) // a body that is not JSON has no token
		if err := captcha.Verify(r.Context(), s.Config.Security.Captcha, strings.TrimSpace(params.Security.Token), s.requestInfo(r).IP()); err != nil {
			return err
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		return h(w, r)
	}
}
