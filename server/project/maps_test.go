package project_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plaza/server/project"
)

func TestMapSettingsAreValidated(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		maps  project.Maps
		wrong string // part of the error; empty: none
		want  []string
	}{
		{"nothing set", project.Maps{}, "", nil},
		{"a style", project.Maps{Style: "https://tiles.test:8443/a/style.json?key=x"}, "", []string{"https://tiles.test:8443"}},
		{"on this machine", project.Maps{Style: "http://127.0.0.1:8080/style.json"}, "", []string{"http://127.0.0.1:8080"}},
		{"with further origins", project.Maps{Style: "https://a.test/s", Origins: []string{"https://*.b.test"}}, "", []string{"https://a.test", "https://*.b.test"}},
		{"without https", project.Maps{Style: "http://tiles.test/style.json"}, "PLAZA_MAP_STYLE", nil},
		{"another directive", project.Maps{Style: "https://a;script-src/s"}, "PLAZA_MAP_STYLE", nil},
		{"no address", project.Maps{Style: "streets"}, "PLAZA_MAP_STYLE", nil},
		{"an origin with a path", project.Maps{Style: "https://a.test/s", Origins: []string{"https://b.test/tiles"}}, "the origin alone, https://b.test", nil},
		{"an origin that is none", project.Maps{Style: "https://a.test/s", Origins: []string{"*"}}, "PLAZA_MAP_ORIGINS", nil},
		{"origins alone", project.Maps{Origins: []string{"https://b.test"}}, "without PLAZA_MAP_STYLE", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := tt.maps.Check()
			if (err != nil) != (tt.wrong != "") || err != nil && !strings.Contains(err.Error(), tt.wrong) {
				t.Fatalf("Check() = %v, want %q", err, tt.wrong)
			}
			if err != nil {
				return
			}
			if diff := cmp.Diff(tt.want, tt.maps.ConnectSources()); diff != "" {
				t.Errorf("Connect() (-want +got):\n%s", diff)
			}
		})
	}
}
