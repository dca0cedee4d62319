package api

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"net/url"

	"plaza/server/auth/account"
	"plaza/server/auth/autherr"
)

//go:embed verify_page.html
var verifyHTML string

//go:embed verify_page.css
var verifyCSS string

var (
	verifyTemplate = template.Must(template.New("verify").Parse(verifyHTML))
	verifyStyle    = styleHash(verifyCSS)
)

func styleHash(css string) string {
	sum := sha256.Sum256([]byte(css))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// pageText has the texts of the page for one purpose.
type pageText struct{ Title, Text, Button string }

// pageTexts are the texts of the page by purpose. They are in English only.
var pageTexts = map[string]pageText{
	"signup":       {"Confirm your email", "One click, and your account is ready.", "Confirm email"},
	"invite":       {"Accept your invitation", "One click, and your account is ready.", "Accept invitation"},
	"recovery":     {"Reset your password", "Continue to choose a new password.", "Continue"},
	"magiclink":    {"Sign in", "Continue to sign in to your account.", "Sign in"},
	"email":        {"Continue to your account", "Continue to sign in to your account.", "Continue"},
	"email_change": {"Confirm your new email", "Confirm that the email address of your account may change.", "Confirm change"},
}

// verifyPage answers GET /verify, the link in mails. It does not consume the link's secret,
// because mail scanners follow links. Only the button of the page does.
func (s *accountHandlers) verifyPage(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	purpose, secret := query.Get("type"), query.Get("token")
	switch {
	case purpose == "":
		return autherr.BadRequest(autherr.CodeValidation, "Verify requires a verification type")
	case secret == "":
		return autherr.BadRequest(autherr.CodeValidation, "Verify requires a token or a token hash")
	}
	target := s.Redirects.Target(r, "")
	if _, ok := pageTexts[purpose]; !ok {
		redirectSeeOther(w, errorTarget(target, account.ErrPurpose, false))
		return nil
	}
	return s.writeVerifyPage(w, purpose, secret, target)
}

func (s *accountHandlers) writeVerifyPage(w http.ResponseWriter, purpose, secret, target string) error {
	text, ok := pageTexts[purpose]
	if !ok {
		return account.ErrPurpose
	}
	var page bytes.Buffer
	err := verifyTemplate.Execute(&page, map[string]any{
		"Words": text, "Host": s.Redirects.Host(), "Style": template.CSS(verifyCSS),
		"Type": purpose, "Token": secret, "Target": target,
	})
	if err != nil {
		return fmt.Errorf("render verify page: %w", err)
	}
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Security-Policy", "default-src 'none'; style-src "+verifyStyle+"; base-uri 'none'; frame-ancestors 'none'; form-action 'self' "+targetSource(target))
	header.Set("Referrer-Policy", "same-origin") // do not send the link's secret to other origins
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Frame-Options", "DENY")
	header.Set("X-Robots-Tag", "noindex, nofollow")
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(page.Bytes()) // fails only if the client has disconnected
	return nil
}

// targetSource returns the form-action source that allows the form's redirect to target.
// Browsers check form-action on every redirect, including those of the target's server.
func targetSource(target string) string {
	parsed, err := url.Parse(target)
	if err != nil || parsed.Scheme == "" || parsed.Scheme == "http" || parsed.Scheme == "https" {
		return "https: http:"
	}
	return parsed.Scheme + ":"
}
