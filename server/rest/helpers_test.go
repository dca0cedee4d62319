package rest_test

import "strings"

// encode escapes what a filter holds beyond what a URL may.
func encode(filter string) string {
	return strings.NewReplacer(`"`, "%22", " ", "%20", "{", "%7B", "}", "%7D", "^", "%5E", "[", "%5B", "]", "%5D", `\`, "%5C", "|", "%7C", ">", "%3E").Replace(filter)
}
