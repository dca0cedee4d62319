package process

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEmptyConfigHasTheCLIsDefaults: the Supabase CLI loads its own template before a project's
// config.toml.
func TestEmptyConfigHasTheCLIsDefaults(t *testing.T) {
	t.Parallel()
	root := project(t)
	if err := os.WriteFile(filepath.Join(root, "supabase/config.toml"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	seed := "insert into public.notes (body) select 'note ' || n from generate_series(1, 1100) n;"
	if err := os.WriteFile(filepath.Join(root, "supabase/seed.sql"), []byte(seed), 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, root)
	var rows []any
	if status, body := s.call(t, http.MethodGet, "/rest/v1/notes", s.keys.Anon, ""); status != http.StatusOK || json.Unmarshal([]byte(body), &rows) != nil || len(rows) != 1000 {
		t.Errorf("%d rows, status %d", len(rows), status)
	}
	if status, body := s.call(t, http.MethodPost, "/auth/v1/signup", s.keys.Anon, `{"email":"ana@shop.cat","password":"secret"}`); status != http.StatusOK || !strings.Contains(body, `"access_token"`) {
		t.Errorf("a sign-up waits for a confirmation: %d %s", status, body)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/rest/v1/rpc/graphql", strings.NewReader(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header = http.Header{"Content-Profile": {"graphql_public"}, "Content-Type": {"application/json"}} // and no key
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("graphql_public without a key: %d", response.StatusCode)
	}
	if status, _ := s.call(t, http.MethodGet, "/rest/v1/notes", "nonsense", ""); status != http.StatusUnauthorized {
		t.Errorf("a wrong key: %d", status)
	}
	refuses := start(t, project(t), "PLAZA_REQUIRE_API_KEY=true")
	if status, _ := refuses.call(t, http.MethodGet, "/rest/v1/notes", "", ""); status != http.StatusUnauthorized {
		t.Errorf("no key where one is needed: %d", status)
	}
}
