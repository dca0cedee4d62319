package rest_test

import "strings"

// encode escapes the characters of a filter that are not allowed in a URL.
func encode(filter string) string {
	return strings.NewReplacer(`"`, "%22", " ", "%20", "{", "%7B", "}", "%7D", "^", "%5E", "[", "%5B", "]", "%5D", `\`, "%5C", "|", "%7C", ">", "%3E").Replace(filter)
}
