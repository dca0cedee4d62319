// Package captcha verifies captcha tokens at the captcha service.
package captcha

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"

	"plaza/server/auth/autherr"
	"plaza/server/auth/settings"
	"plaza/server/tracing"
)

// maxResponse bounds the part of the service's response that is read, in bytes.
const maxResponse = 64 << 10

// Verify verifies the captcha token of a client with address ip.
//
// Errors: 400 captcha_failed; 500 if the service cannot be reached.
func Verify(ctx context.Context, captcha settings.Captcha, token, ip string) error {
	if token == "" {
		return autherr.BadRequest(autherr.CodeCaptcha, "captcha protection: request disallowed (no captcha_token found)")
	}
	ctx, cancel := context.WithTimeout(ctx, captcha.Timeout)
	defer cancel()
	form := url.Values{"secret": {captcha.Secret.Reveal()}, "response": {token}, "remoteip": {ip}}
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
	var result struct {
		Success bool     `json:"success"`
		Errors  []string `json:"error-codes"`
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, maxResponse)).Decode(&result); err != nil {
		return autherr.Internal("captcha verification process failed").WithCause(err)
	}
	if !result.Success {
		return autherr.BadRequest(autherr.CodeCaptcha, "captcha protection: request disallowed (%s)", strings.Join(result.Errors, ", "))
	}
	return nil
}
