// Package redirect validates the redirect targets of mailed links and sign-ins.
package redirect

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"plaza/server/auth/settings"
	"plaza/server/lazyregexp"
)

// Rules decide which redirect targets are allowed.
type Rules struct {
	site    string
	base    *url.URL
	allowed []*regexp.Regexp
}

// New returns the rules of a site and a list of patterns. The site of an app for phones may have a
// scheme of its own, such as shop://signed-in.
//
// Errors: an invalid site URL; an invalid pattern.
func New(site string, allowed []string) (Rules, error) {
	base, err := url.Parse(site)
	if err != nil || base.Scheme == "" || base.Host == "" || unsafeSchemes[base.Scheme] {
		return Rules{}, fmt.Errorf("site URL %q is not an absolute URL", site)
	}
	rules := Rules{site: site, base: base}
	for _, pattern := range allowed {
		compiled, err := settings.CompileGlob(pattern)
		if err != nil {
			return Rules{}, err
		}
		rules.allowed = append(rules.allowed, compiled)
	}
	return rules, nil
}

// Host returns the site's host, with its port if it has one.
func (rules Rules) Host() string { return rules.base.Host }

// Target returns the redirect target of a request: its redirect_to, else its Referer, else the
// site. A target that is not allowed is skipped silently.
func (rules Rules) Target(r *http.Request, form string) string {
	for _, wanted := range []string{r.Header.Get("redirect_to"), r.URL.Query().Get("redirect_to"), form} {
		if wanted == "" {
			continue
		}
		if rules.Allows(wanted) {
			return wanted
		}
		break
	}
	if rules.Allows(r.Referer()) {
		return r.Referer()
	}
	return rules.site
}

var (
	decimalHost = lazyregexp.New(`^[0-9]+$`)
	plainHost   = lazyregexp.New(`^[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?$`)
)

// unsafeSchemes are schemes whose URLs run or show their content in the page that follows them.
var unsafeSchemes = map[string]bool{"javascript": true, "data": true, "vbscript": true, "blob": true, "file": true}

// Allows reports whether a target is allowed. By upstream's rules these are the site itself (with
// any port on a loopback host, RFC 8252 section 7.3), loopback addresses, and matches of the list.
func (rules Rules) Allows(wanted string) bool {
	if wanted == "" || strings.ContainsAny(wanted, "\r\n\t\\") {
		return false
	}
	target, err := url.Parse(wanted)
	if err != nil || target.Scheme == "" || unsafeSchemes[strings.ToLower(target.Scheme)] || target.User != nil {
		return false
	}
	host := target.Hostname()
	if target.Scheme == rules.base.Scheme && host == rules.base.Hostname() && (target.Port() == rules.base.Port() || isLoopback(host)) {
		return true
	}
	web := target.Scheme == "http" || target.Scheme == "https"
	switch ip := net.ParseIP(host); {
	case decimalHost().MatchString(host):
		return false // browsers treat 2130706433 as 127.0.0.1
	case ip != nil:
		return ip.IsLoopback()
	case web && !plainHost().MatchString(host):
		return false
	}
	withoutFragment, _, _ := strings.Cut(wanted, "#")
	for _, pattern := range rules.allowed {
		if pattern.MatchString(withoutFragment) {
			return true
		}
	}
	return false
}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
