package process

import (
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"plaza/tests/testkit"
	"plaza/tests/testkit/freeport"
)

// gotrueDatabase returns the URL of a database that supabase/gotrue has set up, with an account, for
// gotrue's own role.
func gotrueDatabase(t *testing.T) string {
	t.Helper()
	yours := ownCluster(t)
	schema, err := os.ReadFile("../testkit/testdata/upstream_auth.sql")
	if err != nil {
		t.Fatal(err)
	}
	db := testkit.Open(t, yours.URL())
	for _, text := range []string{
		"create role supabase_auth_admin login noinherit createrole password 'theirs'",
		"create schema auth authorization supabase_auth_admin; create extension pgcrypto; set role supabase_auth_admin", string(schema), "reset role",
		`insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
		values ('00000000-0000-0000-0000-000000000000', '6f0cb6b5-8f3c-4f2b-9d55-0a3c1a52d2c1', 'authenticated', 'authenticated', 'ana@example.com',
			crypt('their-password', gen_salt('bf', 10)), now(), '{}', '{}', now(), now())`,
	} {
		if _, err := db.Exec(t.Context(), text, pgx.QueryExecModeSimpleProtocol); err != nil {
			t.Fatal(err)
		}
	}
	address, err := url.Parse(yours.URL())
	if err != nil {
		t.Fatal(err)
	}
	address.User = url.UserPassword("supabase_auth_admin", "theirs")
	return address.String()
}

func TestStandaloneAuthReplacesGotrue(t *testing.T) {
	t.Parallel()
	port := freeport.Pick()
	s := run(t, port, []string{"auth"}, []string{
		"DATABASE_URL=" + gotrueDatabase(t), "API_EXTERNAL_URL=http://127.0.0.1:" + port, "GOTRUE_API_HOST=127.0.0.1", "PORT=" + port, "GOTRUE_SITE_URL=http://127.0.0.1:3000",
		"GOTRUE_JWT_SECRET=super-secret-jwt-token-with-at-least-32-characters-long", "GOTRUE_MAILER_AUTOCONFIRM=true", "GOTRUE_NOTHING_OF_OURS=1",
		"GOTRUE_EXTERNAL_PHONE_ENABLED=true",
	})
	s.waitFor(t, "/health", http.StatusOK)
	if status, body := s.call(t, http.MethodPost, "/token?grant_type=password", "", `{"email":"ana@example.com","password":"their-password"}`); status != http.StatusOK {
		t.Errorf("their account: %d %s", status, body)
	}
	if status, body := s.call(t, http.MethodPost, "/signup", "a-key-for-their-gateway", `{"email":"ben@example.com","password":"secret1"}`); status != http.StatusOK {
		t.Errorf("a new account: %d %s", status, body)
	}
	// Without a provider nobody would get the code.
	if status, body := s.call(t, http.MethodPost, "/otp", "", `{"phone":"34600000001"}`); status < 400 || !strings.Contains(body, "sms_send_failed") {
		t.Errorf("a code by text message: %d %s", status, body)
	}
	if err := s.stop(t, syscall.SIGTERM); err != nil {
		t.Errorf("ended with %v\n%s", err, s.output)
	}
	if output := s.output.String(); strings.Count(output, "GOTRUE_NOTHING_OF_OURS") != 1 || strings.Contains(output, "theirs@") {
		t.Errorf("output:\n%s", output)
	}
}

func TestStandaloneAuthReportsMissingSettings(t *testing.T) {
	t.Parallel()
	s := run(t, "1", []string{"auth"}, nil)
	err := <-s.ended
	s.ended <- err
	if err == nil || !strings.Contains(s.output.String(), "GOTRUE_JWT_SECRET") {
		t.Errorf("ended with %v\n%s", err, s.output)
	}
}
