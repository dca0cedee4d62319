package answer

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"plaza/server/apierr"
	"plaza/server/rest/request"
)

// FuzzAccept checks that every entry is considered, in order of descending quality.
func FuzzAccept(f *testing.F) {
	for _, text := range []string{
		"", "*/*", "text/csv;q=0.5, application/json", "application/vnd.pgrst.object+json;nulls=stripped", "a/b;q=NaN, c/d;q=inf, e/f;q=-1",
		`application/vnd.pgrst.plan+json; for="text/csv"; options=analyze|verbose`, "application/vnd.pgrst.plan", ";;,=;q=", "APPLICATION/VND.PGRST.ARRAY+JSON",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		wanted := request.ParseAccept(text)
		if len(wanted) != strings.Count(text, ",")+1 {
			t.Errorf("%q has %d entries", text, len(wanted))
		}
		for i := 1; i < len(wanted); i++ {
			if wanted[i].Quality > wanted[i-1].Quality {
				t.Errorf("%q: %v before %v", text, wanted[i-1].Quality, wanted[i].Quality)
			}
		}
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Accept", text)
		var offered []string
		_, err := Negotiate(r, true, func(one request.MediaType) (Form, bool) {
			offered = append(offered, one.Name)
			return Form{}, false
		})
		if refused := apierr.As(err); refused == nil || refused.Code != "PGRST107" {
			t.Errorf("%q: %v", text, err)
		}
		if len(offered) != len(wanted) {
			t.Errorf("%q: %q were offered", text, offered)
		}
	})
}
