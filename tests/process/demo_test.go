package process

import (
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"plaza/tests/testkit"
	"plaza/tests/testkit/freeport"
)

// safeSettings are the settings that production requires.
var safeSettings = []string{
	"PLAZA_ENV=production", "SITE_URL=https://example.com", "GOTRUE_SMTP_HOST=mail.example.com", "GOTRUE_SMTP_ADMIN_EMAIL=a@example.com",
	"GOTRUE_EXTERNAL_PHONE_ENABLED=false", "PLAZA_TRUSTED_PROXIES=127.0.0.1/32",
	"PLAZA_OPERATOR_NAME=Example SL", "PLAZA_OPERATOR_ADDRESS=Carrer Major 1, Encamp", "PLAZA_OPERATOR_EMAIL=hello@example.com",
}

// runMarketplace starts the built-in project, and stops it when it is ready or has exited.
func runMarketplace(t *testing.T, dir string, environ ...string) (output string, started bool) {
	t.Helper()
	port := freeport.Pick()
	s := run(t, port, []string{"serve"}, append([]string{"PLAZA_PORT=" + port, "PLAZA_POSTGRES_PORT=" + freeport.Pick(), "PLAZA_DATA_DIR=" + dir}, environ...))
	if !s.waitReady(t) {
		return s.output.String(), false
	}
	if err := s.stop(t, syscall.SIGINT); err != nil {
		t.Errorf("stop: %v\n%s", err, s.output)
	}
	return s.output.String(), true
}

// plaza runs a command on a data folder.
func plaza(t *testing.T, environ []string, args ...string) (output string, err error) {
	t.Helper()
	return plazaIn(t, "../..", "", environ, args...)
}

func TestProductionRefusesDemoData(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(folder(t), "data")
	if output, started := runMarketplace(t, dir); !started {
		t.Fatal(output)
	}
	developing := []string{"PLAZA_DATA_DIR=" + dir, "PLAZA_POSTGRES_PORT=" + freeport.Pick()}
	// ADMIN-TEST-02: the marked test users are development accounts, too.
	if output, err := plaza(t, developing, "seed", "--intensity", "minimal"); err != nil || !strings.Contains(output, "3 profiles") || !strings.Contains(output, "2 businesses") {
		t.Errorf("seed --intensity minimal (%v): %s", err, output)
	}
	if output, err := plaza(t, developing, "seed", "--intensity", "minimal"); err != nil || !strings.Contains(output, "nothing to make") {
		t.Errorf("once more (%v): %s", err, output)
	}
	output, started := runMarketplace(t, dir, safeSettings...)
	if started || !strings.Contains(output, "plaza keys randomize") {
		t.Errorf("production starts with the secrets of development:\n%s", output)
	}
	if output, err := plaza(t, developing, "keys", "randomize"); err != nil || strings.Contains(output, "ACJWlzQHlZjBrEguHvfOxg") {
		t.Errorf("keys randomize (%v): %s", err, output)
	}
	output, started = runMarketplace(t, dir, safeSettings...)
	if started {
		t.Error("production starts with the demo accounts")
	}
	for _, want := range []string{`demo account admin@plaza.test signs in with the known password "Plaza-demo-1"`, "owner@plaza.test", "user@plaza.test", "carmen.ortega@plaza.test", "customer-1@test.plaza.test", "plaza demo remove"} {
		if !strings.Contains(output, want) {
			t.Errorf("the output lacks %q:\n%s", want, output)
		}
	}
	here := append([]string{"PLAZA_DATA_DIR=" + dir, "PLAZA_POSTGRES_PORT=" + freeport.Pick()}, safeSettings...)
	if output, err := plaza(t, here, "seed", "--intensity", "minimal"); err == nil || !strings.Contains(output, "refused: PLAZA_ENV is production") {
		t.Errorf("seed --intensity in production (%v): %s", err, output)
	}
	if output, err := plaza(t, here, "doctor", "--production"); err == nil || !strings.Contains(output, "demo_account  auth.users: the demo account admin@plaza.test") {
		t.Errorf("the doctor says (%v): %s", err, output)
	}
	if output, err := plaza(t, here, "demo", "remove"); err != nil || !strings.Contains(output, "44 accounts") || !strings.Contains(output, "businesses") {
		t.Errorf("demo remove (%v): %s", err, output)
	}
	if output, err := plaza(t, here, "demo", "remove"); err != nil || !strings.Contains(output, "nothing to remove") {
		t.Errorf("once more (%v): %s", err, output)
	}
	if output, started := runMarketplace(t, dir, safeSettings...); !started {
		t.Errorf("the server does not start without the demo accounts:\n%s", output)
	}
}

func TestProductionRequiresOperator(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(folder(t), "data")
	unnamed := append(slices.Clone(safeSettings), "PLAZA_OPERATOR_NAME=", "PLAZA_OPERATOR_ADDRESS= ", "PLAZA_OPERATOR_EMAIL=")
	output, started := runMarketplace(t, dir, unnamed...)
	if started {
		t.Error("production starts with legal pages that name nobody")
	}
	here := append([]string{"PLAZA_DATA_DIR=" + dir, "PLAZA_POSTGRES_PORT=" + freeport.Pick()}, unnamed...)
	doctor, err := plaza(t, here, "doctor", "--production")
	if err == nil {
		t.Error("the doctor finds nothing")
	}
	for _, want := range []string{"PLAZA_OPERATOR_NAME is empty", "PLAZA_OPERATOR_ADDRESS is empty", "PLAZA_OPERATOR_EMAIL is empty"} {
		if !strings.Contains(output, want) || !strings.Contains(doctor, want) {
			t.Errorf("%q is missing in the server's output:\n%s\nor the doctor's:\n%s", want, output, doctor)
		}
	}
}

// TestProductionRefusesDemoAccountsWithoutMark uses a foreign database whose demo accounts have lost
// their mark.
func TestProductionRefusesDemoAccountsWithoutMark(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(folder(t), "data")
	url := ownCluster(t).URL()
	there := append([]string{"DATABASE_URL=" + url, "PLAZA_DATA_DIR=" + dir}, safeSettings...)
	if output, err := plaza(t, there, "migrate"); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	db := testkit.Open(t, url)
	for _, sql := range []string{
		// The seed's accounts, from before it marked them; a seller's shop and a customer's review of
		// an invented one.
		`insert into auth.users (id, email, encrypted_password, email_confirmed_at, created_at, aud, role)
			values (private.seed_id('admin@plaza.test'), 'admin@plaza.test', extensions.crypt('Plaza-demo-1', extensions.gen_salt('bf', 4)), now(), now(), 'authenticated', 'authenticated')`,
		`insert into auth.users (id, email, raw_app_meta_data, created_at, aud, role)
			values (gen_random_uuid(), 'probe@shop.cat', '{"plaza_test": true}', now(), 'authenticated', 'authenticated'),
				('00000000-0000-4000-8000-00000000000a', 'ana@shop.cat', '{}', now(), 'authenticated', 'authenticated'),
				('00000000-0000-4000-8000-00000000000b', 'tester@shop.test', '{}', now(), 'authenticated', 'authenticated')`,
		`update auth.users set email_confirmed_at = now() where email = 'tester@shop.test'`,
		`insert into public.businesses (id, name, type, source, owner_id, location) values
			('00000000-0000-4000-8000-0000000000aa', 'Ana', 'Shop', 'manual', '00000000-0000-4000-8000-00000000000a', 'Girona'),
			('00000000-0000-4000-8000-0000000000bb', 'Reviewed', 'Shop', 'seeded', private.seed_id('admin@plaza.test'), 'Girona'),
			('00000000-0000-4000-8000-0000000000cc', 'Made up', 'Shop', 'seeded', null, 'Girona')`,
		`insert into public.reviews (business_id, user_id, rating, comment) values
			('00000000-0000-4000-8000-0000000000bb', '00000000-0000-4000-8000-00000000000a', 5, 'Very good indeed'),
			('00000000-0000-4000-8000-0000000000bb', private.seed_id('admin@plaza.test'), 1, 'Not good at all')`,
	} {
		if _, err := db.Exec(t.Context(), "begin; set local plaza.seeding = 'on'; "+sql+"; commit"); err != nil {
			t.Fatal(err)
		}
	}
	output, started := runMarketplace(t, dir, there...)
	if started {
		t.Error("production starts")
	}
	for _, want := range []string{`admin@plaza.test signs in with the known password`, "probe@shop.cat", "tester@shop.test"} {
		if !strings.Contains(output, want) {
			t.Errorf("the output lacks %q:\n%s", want, output)
		}
	}
	if strings.Contains(output, "ana@shop.cat") {
		t.Errorf("the output names a customer:\n%s", output)
	}
	if output, err := plaza(t, there, "demo", "remove"); err != nil || !strings.Contains(output, "3 accounts") || !strings.Contains(output, "1 businesses") || !strings.Contains(output, "1 reviews") {
		t.Errorf("demo remove (%v): %s", err, output)
	}
	var left string
	if err := db.QueryRow(t.Context(), `select concat_ws(' ', (select string_agg(email, ',') from auth.users), (select string_agg(name || ' ' || coalesce(owner_id::text, 'nobody'), ',' order by name) from public.businesses),
		(select string_agg(comment, ',') from public.reviews))`).Scan(&left); err != nil {
		t.Fatal(err)
	}
	if want := "ana@shop.cat Ana 00000000-0000-4000-8000-00000000000a,Reviewed nobody Very good indeed"; left != want {
		t.Errorf("left is %q, want %q", left, want)
	}
	if output, started := runMarketplace(t, dir, there...); !started {
		t.Fatalf("the server does not start without the demo accounts:\n%s", output)
	}
	// An unrelated account with a test address does not prevent production from starting again.
	if _, err := db.Exec(t.Context(), `insert into auth.users (id, email, email_confirmed_at, created_at, aud, role) values (gen_random_uuid(), 'admin@plaza.test', now(), now(), 'authenticated', 'authenticated')`); err != nil {
		t.Fatal(err)
	}
	if output, started := runMarketplace(t, dir, there...); !started {
		t.Errorf("an unrelated account prevents the start:\n%s", output)
	}
}

func TestDevelopmentListensBeyondLoopbackOnlyIfAllowed(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(folder(t), "data")
	output, started := runMarketplace(t, dir, "PLAZA_HOST=0.0.0.0")
	if started || !strings.Contains(output, "inbox") || !strings.Contains(output, "demo accounts") || !strings.Contains(output, "PLAZA_DEV_PUBLIC=yes") {
		t.Errorf("started: %t, output:\n%s", started, output)
	}
	if output, started := runMarketplace(t, dir, "PLAZA_HOST=0.0.0.0", "PLAZA_DEV_PUBLIC=yes", "API_EXTERNAL_URL=http://localhost"); !started || !strings.Contains(output, "whoever reaches it has the inbox") {
		t.Errorf("started: %t, output:\n%s", started, output)
	}
}
