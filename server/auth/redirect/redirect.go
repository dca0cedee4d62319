// Package redirect decides where links of mails and sign-ins may lead.
package redirect

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"plaza/server/auth/settings"
)

// Rules decide where a link may lead.
type Rules struct {
	site    string
	base    *url.URL
	allowed []*regexp.Regexp
}

// New returns the rules of a site and a list of patterns.
//
// Errors: a site that is no address; a pattern that cannot be read.
func New(site string, allowed []string) (Rules, error) {
	base, err := url.Parse(site)
	if err != nil || base.Host == "" {
		return Rules{}, fmt.Errorf("site URL %q is not an address", site)
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

// Host is the site's host, with its port if it has one.
func (rules Rules) Host() string { return rules.base.Host }

// Target is where a request wants its link to lead: redirect_to, else the page
// it came from, else the site. What is not allowed falls back silently.
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
	decimalHost = regexp.MustCompile(`^[0-9]+$`)
	plainHost   = regexp.MustCompile(`^[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?$`)
)

// unsafeSchemes would run what they carry in the page that follows them.
var unsafeSchemes = map[string]bool{"javascript": true, "data": true, "vbscript": true, "blob": true, "file": true}

// Allows follows upstream's rules: the site itself (on a loopback host with any
// port, RFC 8252 section 7.3), a loopback address, or a match of the list.
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
	case decimalHost.MatchString(host):
		return false // 2130706433 is 127.0.0.1 to a browser
	case ip != nil:
		return ip.IsLoopback()
	case web && !plainHost.MatchString(host):
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
