package pages

import (
	"net/url"
	"strings"

	"plaza/functions/words"
)

// kind classifies pages by what they show and whether search engines may list them.
type kind int

const (
	unknown  kind = iota // no page; only a stored redirect may be followed
	public               // for everybody
	business             // of a business: /business/{key}, /biz/{key}
	address              // of a business: /{location}/{category}/{id}/{name}
	city                 // of a city: /c/{city}
	private              // of an account, or without content of its own: not for search engines
)

// routes are the client's, those without parameters first, so that the first match is the
// client's choice. TestRoutesMatchClient compares them with client/src/app/router.tsx.
var routes = []struct {
	pattern string
	kind    kind
}{
	{"/", public},
	{"/en", public},
	{"/about", public},
	{"/help", public},
	{"/contact", public},
	{"/privacy", public},
	{"/terms", public},
	{"/plans", public},
	{"/categoria-ejemplo", public},
	{"/search", public},
	{"/search/advanced", private},
	{"/auth", private},
	{"/auth/callback", private},
	{"/unsubscribe", private},
	{"/dashboard", private},
	{"/become-seller", private},
	{"/my-businesses", private},
	{"/bookings", private},
	{"/messages", private},
	{"/notifications", private},
	{"/profile", private},
	{"/security", private},
	{"/business/new", private},
	{"/admin/dashboard", private},
	{"/admin/users", private},
	{"/admin", private},
	{"/debug-admin", private},
	{"/business/edit/:id", private},
	{"/business/:id/edit", private},
	{"/business/:id/bookings", private},
	{"/business/:id", business},
	{"/biz/:id", business},
	{"/search/:location", public},
	{"/search/:location/:category", public},
	{"/category/:slug", public},
	{"/c/:city", city},
	{"/c/:city/:category", city},
	{"/:location/:category/:businessId/:slug", address},
}

// Pattern returns the route of a path in any language, such as "/business/:id", or "other" for a path that
// is no page's.
func Pattern(escaped string) string {
	_, escaped = words.Of(escaped, nil)
	if at, _ := match(escaped); at >= 0 {
		return routes[at].pattern
	}
	return "other"
}

// route returns the kind of page at an escaped path, and the key of the business in it.
func route(escaped string) (found kind, key string) {
	at, parts := match(escaped)
	if at < 0 {
		return unknown, ""
	}
	switch found = routes[at].kind; found {
	case business:
		key = parts[1]
	case address:
		key = parts[2]
	}
	return found, key
}

// match returns the index of the route of an escaped path, -1 if there is none, and the
// path's parts.
func match(escaped string) (at int, parts []string) {
	parts = strings.Split(strings.TrimPrefix(escaped, "/"), "/")
	for i, one := range parts {
		var err error
		if parts[i], err = url.PathUnescape(one); err != nil {
			return -1, nil
		}
	}
	for i, one := range routes {
		if matches(strings.Split(strings.TrimPrefix(one.pattern, "/"), "/"), parts) {
			return i, parts
		}
	}
	return -1, parts
}

// matches reports whether the parts of a path match those of a pattern.
func matches(pattern, parts []string) bool {
	if len(pattern) != len(parts) {
		return false
	}
	for i, one := range pattern {
		isParameter := strings.HasPrefix(one, ":")
		if isParameter && parts[i] == "" || !isParameter && one != parts[i] {
			return false
		}
	}
	return true
}
