package auth

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"plaza/server/auth/autherr"
	"plaza/server/auth/settings"
	"plaza/server/httpx"
	"plaza/server/tracing"
)

// maxCaptchaAnswer bounds what is read of a service's answer, in bytes.
const maxCaptchaAnswer = 64 << 10

// human serves only who has solved the captcha, where one is set. Admins need
// none.
func (s *Server) human(h httpx.Handler) httpx.Handler {
	if !s.config.Security.Captcha.Enabled {
		return h
	}
	return func(w http.ResponseWriter, r *http.Request) error {
		if s.isAdmin(r) {
			return h(w, r)
		}
		// The token stands in the body, which the handler reads after us.
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
		_ = json.Unmarshal(body, &params) // what is no JSON has no token
		if err := s.checkCaptcha(r.Context(), strings.TrimSpace(params.Security.Token), s.visitor(r).IP()); err != nil {
			return err
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		return h(w, r)
	}
}

// checkCaptcha asks the service about a token. Errors: 400 captcha_failed; 500
// where the service does not answer.
func (s *Server) checkCaptcha(ctx context.Context, given, ip string) error {
	if given == "" {
		return autherr.BadRequest(autherr.CodeCaptcha, "captcha protection: request disallowed (no captcha_token found)")
	}
	captcha := s.config.Security.Captcha
	ctx, cancel := context.WithTimeout(ctx, captcha.Timeout)
	defer cancel()
	form := url.Values{"secret": {captcha.Secret.Reveal()}, "response": {given}, "remoteip": {ip}}
	address := cmp.Or(captcha.URL, settings.CaptchaServices[captcha.Provider])
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := tracing.Client().Do(request)
	if err != nil {
		return autherr.Internal("captcha verification process failed").WithCause(err)
	}
	defer func() { _ = response.Body.Close() }()
	var answer struct {
		Success bool     `json:"success"`
		Errors  []string `json:"error-codes"`
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, maxCaptchaAnswer)).Decode(&answer); err != nil {
		return autherr.Internal("captcha verification process failed").WithCause(err)
	}
	if !answer.Success {
		return autherr.BadRequest(autherr.CodeCaptcha, "captcha protection: request disallowed (%s)", strings.Join(answer.Errors, ", "))
	}
	return nil
}
