package projectdir

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plaza/server/lazyregexp"
)

// issuerURLs are the URLs of third-party issuers, with the names of the keys that they contain.
// Source: the functions issuerURL of the CLI's pkg/config.
var issuerURLs = map[string]string{
	"auth0":       "https://{tenant}.{tenant_region}.auth0.com", // the region is optional
	"aws_cognito": "https://cognito-idp.{user_pool_region}.amazonaws.com/{user_pool_id}",
	"clerk":       "https://{domain}",
	"firebase":    "https://securetoken.google.com/{project_id}",
	"workos":      "{issuer_url}",
}

var placeholder = lazyregexp.New(`\.?\{(\w+)\}`)

// issuers returns the URLs of the issuers that are enabled in [auth.third_party], separated by commas.
func (t *translator) issuers(table map[string]any) (string, error) {
	var urls []string
	for _, name := range slices.Sorted(maps.Keys(table)) {
		section := "auth.third_party." + name
		keys, _ := table[name].(map[string]any)
		if keys["enabled"] != true {
			continue
		}
		for key, value := range keys {
			if !slices.Contains(knownKeys, section+"."+key) {
				t.warn(section+"."+key, value)
			}
		}
		missing := ""
		address := placeholder().ReplaceAllStringFunc(issuerURLs[name], func(found string) string {
			key := strings.Trim(found, ".{}")
			text := ""
			if value, ok := keys[key]; ok {
				text = t.resolve(section+"."+key, fmt.Sprint(value))
			}
			if text == "" {
				if key != "tenant_region" {
					missing = key
				}
				return ""
			}
			return strings.Replace(found, "{"+key+"}", text, 1)
		})
		switch {
		case missing != "":
			return "", fmt.Errorf("%s is enabled without its %s", name, missing)
		case address != "":
			urls = append(urls, address)
		}
	}
	return strings.Join(urls, ","), nil
}
