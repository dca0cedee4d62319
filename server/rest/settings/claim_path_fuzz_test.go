package settings

import (
	"encoding/json"
	"reflect"
	"testing"
)

// FuzzClaimPath checks that a path and its string form select the same value.
func FuzzClaimPath(f *testing.F) {
	for _, text := range []string{".role", `."a b".c[0]`, `.roles[?(@ == "x")]`, `[12][?(@ *== "")]`, `.ñ$@_`, "", ".", `."`, "[999999999]",
		"$.role", `$["a b"].c[-1]`, `$.roles[?(@ == 'x' || !search(@, "^y"))]`, "$..*[0,1:2:-1]", `$[?@.c[0] >= -1.5e0 && $.role]`, `$['\u00e9\'']`} {
		f.Add(text, `{"role":"a","roles":["x","y"],"a b":{"c":[1]}}`)
	}
	f.Fuzz(func(t *testing.T, text, set string) {
		path, err := ParseClaimPath(text)
		if err != nil {
			return
		}
		again, err := ParseClaimPath(path.String())
		if err != nil || !reflect.DeepEqual(path, again) {
			t.Errorf("%q is %+v; %q is %+v, %v", text, path, path.String(), again, err)
		}
		var claims map[string]any
		if json.Unmarshal([]byte(set), &claims) == nil {
			path.In(claims)
		}
	})
}
