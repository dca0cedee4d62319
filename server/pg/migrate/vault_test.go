package migrate_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"plaza/server/pg/migrate"
	"plaza/sql"
	"plaza/tests/testkit"
)

const vaultKey = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

// vault is a database with a vault on a PostgreSQL of its own.
type vault struct {
	*testing.T
	url, keyFile string
}

func newVault(t *testing.T) vault {
	t.Helper()
	url, _ := startServerCopy(t)
	up(t, url, migrate.Stack(migrate.Platform(sql.FS), migrate.Supabase(folder()))...)
	return vault{t, url, filepath.Join(filepath.Dir(value(t, url, "select current_setting('data_directory')")), "vault.key")}
}

// setKey writes the key as the server does, and encrypts what is in clear.
func (v vault) setKey(key string) {
	v.Helper()
	must(v.T, os.WriteFile(v.keyFile, []byte(key), 0o644))
	conn, err := pgx.Connect(v.Context(), v.url)
	must(v.T, err)
	defer conn.Close(v.Context())
	must(v.T, migrate.EncryptVault(v.Context(), conn))
}

// fails runs a statement that must fail with a message.
func (v vault) fails(statement, want string) {
	v.Helper()
	db := testkit.Open(v.T, v.url)
	if _, err := db.Exec(v.Context(), statement); err == nil || !strings.Contains(err.Error(), want) {
		v.Errorf("%s: %v, want %q", statement, err, want)
	}
}

func TestVaultEncrypts(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	wantValue(t, v.url, "select vault.create_secret('before', 'old') is not null", "true")
	wantValue(t, v.url, "select secret || nonce is null from vault.secrets", "true")
	v.setKey(vaultKey)
	for query, want := range map[string]string{
		"select count(*) from vault.secrets where nonce is null or secret like '%before%'":                                           "0",
		"select vault.create_secret('hunter2', 'new', 'a description') is not null":                                                  "true",
		"select decrypted_secret from vault.decrypted_secrets where name = 'old'":                                                    "before",
		"select has_function_privilege('authenticated', 'vault._decrypt(text, uuid, bytea)', 'execute')":                             "false",
		"select has_function_privilege('service_role', 'vault._key()', 'execute')":                                                   "false",
		"select proowner::regrole from pg_proc where proname = '_key'":                                                               "supabase_admin",
		"select count(*) from pg_proc where pronamespace = 'vault'::regnamespace and has_function_privilege('anon', oid, 'execute')": "0",
	} {
		wantValue(t, v.url, query, want)
	}
	db := testkit.Open(t, v.url)
	for _, statement := range []string{
		"select vault.update_secret((select id from vault.secrets where name = 'new'), 'hunter3', new_description => 'changed')",
		"select vault.update_secret((select id from vault.secrets where name = 'old'), new_name => 'older')",
		"insert into vault.secrets (name, secret) values ('direct', 'hunter4')",
	} {
		_, err := db.Exec(t.Context(), statement)
		must(t, err)
	}
	wantValue(t, v.url, "select string_agg(concat_ws(' ', name, decrypted_secret, description), ',' order by name) from vault.decrypted_secrets", "direct hunter4 ,new hunter3 changed,older before ")
	wantValue(t, v.url, "select count(*) from vault.secrets where secret like '%hunter%' or decode(secret, 'base64')::text like '%hunter%'", "0")
	_, err := db.Exec(t.Context(), "set role service_role; select vault.create_secret('s', 'of the service'); select decrypted_secret from vault.decrypted_secrets; reset role")
	must(t, err)
	v.fails("select vault.create_secret('x', 'new')", "secrets_name_idx")
	v.fails("set role service_role; select vault._key()", "permission denied")
	v.fails("set role authenticated; select * from vault.decrypted_secrets", "permission denied")
	// A row of a dump keeps what it has.
	_, err = db.Exec(t.Context(), "create table copy as table vault.secrets; delete from vault.secrets; insert into vault.secrets table copy")
	must(t, err)
	wantValue(t, v.url, "select decrypted_secret from vault.decrypted_secrets where name = 'new'", "hunter3")
}

func TestVaultRefusesAlteredSecrets(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	v.setKey(vaultKey)
	db := testkit.Open(t, v.url)
	_, err := db.Exec(t.Context(), "select vault.create_secret('one', 'a'), vault.create_secret('two', 'b')")
	must(t, err)
	const all = "select count(decrypted_secret) from vault.decrypted_secrets"
	for name, change := range map[string]string{
		"a secret of another row": "update vault.secrets a set secret = b.secret, nonce = b.nonce from vault.secrets b where b.name <> a.name",
		"a changed byte":          "update vault.secrets set secret = encode(set_byte(decode(secret, 'base64'), 3, get_byte(decode(secret, 'base64'), 3) # 1), 'base64'), nonce = nonce || ''",
		"another nonce":           "update vault.secrets set nonce = set_byte(nonce, 0, get_byte(nonce, 0) # 1)",
		"a short secret":          "update vault.secrets set secret = 'AAAA', nonce = 'abc'",
	} {
		if _, err := db.Exec(t.Context(), "begin; set local session_replication_role = replica; "+change+"; "+all+"; rollback"); err == nil || !strings.Contains(err.Error(), "was encrypted with another key or for another row") {
			t.Errorf("%s: %v", name, err)
		}
		db.Reset()
	}
	v.setKey(strings.ReplaceAll(vaultKey, "0", "1"))
	v.fails(all, "was encrypted with another key")
	must(t, os.WriteFile(v.keyFile, []byte("no key"), 0o644))
	v.fails(all, "is damaged")
	must(t, os.Remove(v.keyFile))
	v.fails(all, "the key of the vault is missing")
	v.setKey(vaultKey)
	wantValue(t, v.url, all, "2")
}
