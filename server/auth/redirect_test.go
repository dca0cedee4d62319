package auth_test

import (
	"net/url"
	"strings"
	"testing"

	"plaza/server/auth"
)

func TestRedirectTargets(t *testing.T) {
	t.Parallel()
	list := []string{"https://*.vercel.app/**", "https://exact.test/done", "com.app://cb", "https://q.test/a?b=*", "https://{one,two}.test/[a-c]?"}
	tests := []struct {
		name, site, target string
		want               bool
	}{
		{"the site", "https://plaza.test", "https://plaza.test/any/page?x=1#y", true},
		{"the site on another port", "https://plaza.test", "https://plaza.test:8443/", false},
		{"the site without TLS", "https://plaza.test", "http://plaza.test/", false},
		{"a site that begins alike", "https://plaza.test", "https://plaza.test.evil.test/", false},
		{"a user part", "https://plaza.test", "https://plaza.test@evil.test/", false},
		{"a user part before the site", "https://plaza.test", "https://x:y@plaza.test/", false},
		{"no host", "https://plaza.test", "/page", false},
		{"no scheme", "https://plaza.test", "//evil.test/", false},
		{"a backslash", "https://plaza.test", `https://plaza.test\@evil.test`, false},
		{"a line break", "https://plaza.test", "https://plaza.test/\r\nSet-Cookie: a", false},
		{"a script", "https://plaza.test", "javascript://plaza.test/%0aalert(1)", false},
		{"data", "https://plaza.test", "data:text/html,x", false},
		{"loopback by name on any port, where the site is one", "http://localhost:3000", "http://localhost:5173/x", true},
		{"a loopback address", "https://plaza.test", "http://127.0.0.1:3000/", true},
		{"another address", "https://plaza.test", "http://10.0.0.1/", false},
		{"a decimal address", "https://plaza.test", "http://2130706433/", false},
		{"one label for *", "https://plaza.test", "https://pr-1.vercel.app/a/b.c", true},
		{"two labels for *", "https://plaza.test", "https://a.b.vercel.app/", false},
		{"a slash is needed", "https://plaza.test", "https://pr-1.vercel.app", false},
		{"exact", "https://plaza.test", "https://exact.test/done", true},
		{"exact with a fragment", "https://plaza.test", "https://exact.test/done#x", true},
		{"exact with more", "https://plaza.test", "https://exact.test/done/", false},
		{"an app", "https://plaza.test", "com.app://cb", true},
		{"another app", "https://plaza.test", "com.other://cb", false},
		{"a literal question mark is one character", "https://plaza.test", "https://q.test/aXb=1", true},
		{"alternatives and a set", "https://plaza.test", "https://two.test/bX", true},
		{"outside the set", "https://plaza.test", "https://two.test/dX", false},
		{"empty", "https://plaza.test", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := auth.Allows(tt.site, list, tt.target)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, tt.target, tt.want, got)
		})
	}
	for _, bad := range []string{"https://{a", "https://[a", "https://[]"} {
		if _, err := auth.CompileGlob(bad); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

// FuzzRedirectTarget checks that browsers parse every allowed target as the server does.
func FuzzRedirectTarget(f *testing.F) {
	for _, seed := range []string{"https://plaza.test/a", "http://127.1/", "https://plaza.test\t@evil.test", "HTTPS://PLAZA.TEST", "app://x", "https://[::1]/", "javascript:x"} {
		f.Add(seed, "https://*.test/**")
	}
	f.Fuzz(func(t *testing.T, target, pattern string) {
		if _, err := auth.CompileGlob(pattern); err != nil {
			return
		}
		allowed, err := auth.Allows("https://plaza.test", []string{pattern}, target)
		if err != nil || !allowed {
			return
		}
		parsed, err := url.Parse(target)
		if err != nil || parsed.Scheme == "" || parsed.User != nil || strings.ContainsAny(target, "\\\r\n") || strings.EqualFold(parsed.Scheme, "javascript") {
			t.Errorf("%q is allowed by %q", target, pattern)
		}
	})
}

// FuzzEmail checks that a valid address cannot inject a mail header.
func FuzzEmail(f *testing.F) {
	for _, seed := range []string{"a@b.test", "A.b+c@d-e.test", "a@b", "a b@c.test", "a@b\r\nBcc: c@d.test", `"a"@b.test`, "ä@b.test", "<a@b.test>"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		email, err := auth.ParseEmail(text)
		if err != nil {
			return
		}
		if email != strings.ToLower(text) || strings.Count(email, "@") != 1 || strings.ContainsAny(email, " \r\n\t<>,;:\"\\()") {
			t.Errorf("%q gives %q", text, email)
		}
	})
}
