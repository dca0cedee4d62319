package projectdir

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"

	"plaza/server/config"
	"plaza/server/project"
)

func TestSettingsOfAProjectFolder(t *testing.T) {
	t.Parallel()
	folder := fstest.MapFS{"supabase/keys.json": {Data: []byte(`[{"kty":"EC"}]`)}}
	tests := []struct {
		name, file    string
		want, ignored []string
	}{
		{"nothing", "", nil, nil},
		{"data API", "[api]\nport = 1\nschemas = [\"a\", \"b\"]\nmax_rows = 2\nextra_search_path = []\n[db]\nport = 3", []string{
			"PLAZA_PORT=1", "PGRST_DB_SCHEMAS=a,b", "PGRST_DB_MAX_ROWS=2", "PLAZA_POSTGRES_PORT=3",
		}, nil},
		{"storage", "[storage]\nfile_size_limit = \"50MiB\"\n[storage.image_transformation]\nenabled = false", []string{
			"UPLOAD_FILE_SIZE_LIMIT=52428800", "IMAGE_TRANSFORMATION_ENABLED=false",
		}, nil},
		{"realtime", "[realtime]\nenabled = false\nip_version = \"IPv6\"", []string{"REALTIME_ENABLED=false"}, nil},
		{"auth", `[auth]
enabled = true
site_url = "http://site"
additional_redirect_urls = ["http://a", "http://b/**"]
jwt_expiry = 60
jwt_issuer = ""
signing_keys_path = "./keys.json"
enable_signup = false
enable_anonymous_sign_ins = true
enable_refresh_token_rotation = false
refresh_token_reuse_interval = 0
minimum_password_length = 9
password_requirements = "letters_digits"`, []string{
			"SITE_URL=http://site", "GOTRUE_URI_ALLOW_LIST=http://a,http://b/**", "GOTRUE_JWT_EXP=60", `GOTRUE_JWT_KEYS=[{"kty":"EC"}]`, "GOTRUE_DISABLE_SIGNUP=true",
			"GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED=true", "GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED=false",
			"GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL=0", "GOTRUE_PASSWORD_MIN_LENGTH=9",
			"GOTRUE_PASSWORD_REQUIRED_CHARACTERS=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ:0123456789",
		}, nil},
		{"mails", `[auth.email]
enable_signup = true
double_confirm_changes = false
enable_confirmations = true
secure_password_change = true
max_frequency = "1s"
otp_length = 8
otp_expiry = 3600
[auth.email.template.invite]
subject = "Hi"
content_path = "./supabase/templates/invite.html"
[auth.email.notification.password_changed]
enabled = true
content_path = "./templates/x.html"
[auth.email.notification.email_changed]
enabled = false
subject = "Not this"`, []string{
			"GOTRUE_EXTERNAL_EMAIL_ENABLED=true", "GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED=false", "GOTRUE_MAILER_AUTOCONFIRM=false",
			"GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION=true", "GOTRUE_SMTP_MAX_FREQUENCY=1s", "GOTRUE_MAILER_OTP_LENGTH=8", "GOTRUE_MAILER_OTP_EXP=3600",
			"GOTRUE_MAILER_SUBJECTS_INVITE=Hi", "GOTRUE_MAILER_TEMPLATES_INVITE=./supabase/templates/invite.html", "GOTRUE_MAILER_NOTIFICATIONS_PASSWORD_CHANGED_ENABLED=true",
			"GOTRUE_MAILER_TEMPLATES_PASSWORD_CHANGED_NOTIFICATION=supabase/templates/x.html", "GOTRUE_MAILER_NOTIFICATIONS_EMAIL_CHANGED_ENABLED=false",
		}, nil},
		{"no relay, no limit of mails", "[auth.rate_limit]\nemail_sent = 2\nsms_sent = 3", []string{"GOTRUE_RATE_LIMIT_SMS_SENT=3"}, nil},
		{"relay", `[auth.rate_limit]
email_sent = 2
anonymous_users = 3
token_refresh = 4
sign_in_sign_ups = 5
token_verifications = 6
[auth.email.smtp]
enabled = true
host = "relay"
port = 25
user = "u"
pass = "env(RELAY_PASS)"
admin_email = "a@b.test"
sender_name = "S"`, []string{
			"GOTRUE_RATE_LIMIT_EMAIL_SENT=2", "GOTRUE_RATE_LIMIT_ANONYMOUS_USERS=3", "GOTRUE_RATE_LIMIT_TOKEN_REFRESH=4", "GOTRUE_RATE_LIMIT_OTP=5", "GOTRUE_RATE_LIMIT_VERIFY=6",
			"GOTRUE_SMTP_HOST=relay", "GOTRUE_SMTP_PORT=25", "GOTRUE_SMTP_USER=u", "GOTRUE_SMTP_PASS=secret", "GOTRUE_SMTP_ADMIN_EMAIL=a@b.test", "GOTRUE_SMTP_SENDER_NAME=S",
		}, nil},
		{"disabled relay", "[auth.email.smtp]\nenabled = false\nhost = \"relay\"\npass = \"env(NOT_SET)\"", nil, nil},
		{"phones", `[auth.sms]
enable_signup = true
enable_confirmations = false
template = "Code {{ .Code }}"
max_frequency = "5s"
[auth.sms.test_otp]
34600000001 = "123456"
34600000002 = "654321"
[auth.sms.twilio]
enabled = true
account_sid = "AC"
message_service_sid = "MG"
auth_token = "env(RELAY_PASS)"
[auth.sms.vonage]
enabled = false
from = "x"`, []string{
			"GOTRUE_EXTERNAL_PHONE_ENABLED=true", "GOTRUE_SMS_AUTOCONFIRM=true", "GOTRUE_SMS_TEMPLATE=Code {{ .Code }}", "GOTRUE_SMS_MAX_FREQUENCY=5s",
			"GOTRUE_SMS_TEST_OTP=34600000001:123456,34600000002:654321", "GOTRUE_SMS_PROVIDER=twilio", "GOTRUE_SMS_TWILIO_ACCOUNT_SID=AC",
			"GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID=MG", "GOTRUE_SMS_TWILIO_AUTH_TOKEN=secret",
		}, nil},
		{"the rest", `[auth]
enable_manual_linking = true
[auth.captcha]
enabled = true
provider = "turnstile"
secret = "s"
[auth.sessions]
timebox = "24h"
inactivity_timeout = "8h"
[auth.mfa]
max_enrolled_factors = 3
[auth.mfa.totp]
enroll_enabled = false
[auth.mfa.phone]
otp_length = 7
[auth.mfa.web_authn]
verify_enabled = true
[auth.passkey]
enabled = true
[auth.webauthn]
rp_id = "site"
rp_origins = ["http://a"]
[auth.hook.custom_access_token]
enabled = true
uri = "pg-functions://postgres/public/hook"
[auth.external.github]
enabled = true
client_id = "ours"
secret = "env(RELAY_PASS)"
[auth.external.apple]
enabled = false
client_id = "theirs"
[auth.oauth_server]
enabled = true
authorization_url_path = "/consent"
allow_dynamic_registration = true`, []string{
			"GOTRUE_SECURITY_MANUAL_LINKING_ENABLED=true", "GOTRUE_SECURITY_CAPTCHA_ENABLED=true", "GOTRUE_SECURITY_CAPTCHA_PROVIDER=turnstile", "GOTRUE_SECURITY_CAPTCHA_SECRET=s",
			"GOTRUE_SESSIONS_TIMEBOX=24h", "GOTRUE_SESSIONS_INACTIVITY_TIMEOUT=8h", "GOTRUE_MFA_MAX_ENROLLED_FACTORS=3", "GOTRUE_MFA_TOTP_ENROLL_ENABLED=false",
			"GOTRUE_MFA_PHONE_OTP_LENGTH=7", "GOTRUE_MFA_WEB_AUTHN_VERIFY_ENABLED=true", "GOTRUE_PASSKEY_ENABLED=true", "GOTRUE_WEBAUTHN_RP_ID=site",
			"GOTRUE_WEBAUTHN_RP_ORIGINS=http://a", "GOTRUE_HOOK_CUSTOM_ACCESS_TOKEN_ENABLED=true", "GOTRUE_HOOK_CUSTOM_ACCESS_TOKEN_URI=pg-functions://postgres/public/hook",
			"GOTRUE_EXTERNAL_GITHUB_ENABLED=true", "GOTRUE_EXTERNAL_GITHUB_CLIENT_ID=ours", "GOTRUE_EXTERNAL_GITHUB_SECRET=secret", "GOTRUE_EXTERNAL_APPLE_ENABLED=false",
			"GOTRUE_OAUTH_SERVER_ENABLED=true", "GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH=/consent", "GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION=true",
		}, nil},
		{"without auth nobody signs up or in", `[auth]
enabled = false
enable_signup = true
jwt_expiry = 60
[auth.email]
enable_signup = true
[auth.external.github]
enabled = true
client_id = "ours"`, []string{
			"GOTRUE_DISABLE_SIGNUP=false", "GOTRUE_JWT_EXP=60", "GOTRUE_DISABLE_SIGNUP=true", "GOTRUE_EXTERNAL_EMAIL_ENABLED=false", "GOTRUE_EXTERNAL_PHONE_ENABLED=false",
			"GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED=false",
		}, nil},
		{"without mails and phones", "[auth.email]\nenabled = false\nenable_signup = true\n[auth.sms]\nenabled = false\nenable_signup = true\n[storage.s3_protocol]\nenabled = false", []string{
			"GOTRUE_EXTERNAL_EMAIL_ENABLED=false", "GOTRUE_EXTERNAL_PHONE_ENABLED=false", "S3_PROTOCOL_ENABLED=false",
		}, nil},
		{"values of the CLI's template", "[api]\nenabled = true\n[db]\nshadow_port = 54320\nhealth_timeout = \"2m\"\nmajor_version = 17\norioledb_version = \"\"\n[local_smtp]\nenabled = false\nport = 54324\n[db.pooler]\nenabled = false\nport = 54329\n[db.migrations]\nschema_paths = []\n" +
			"[edge_runtime]\npolicy = \"per_worker\"\ninspector_port = 8083\n[experimental]\ns3_host = \"env(S3_HOST)\"\norioledb_version = \"\"\n[auth.rate_limit]\nweb3 = 30", nil, nil},
		{"typos and other values", "[api]\nmax_row = 5\n[auth.email]\nenable_signups = true\n[db]\nmajor_version = 15\n[functions.hello]\nverify_jwts = true\n[nonsense]\nx = 1\n[storage]\nenabled = false", nil, []string{
			"config.toml: storage.enabled is not followed: storage is always served",
			"config.toml: api.max_row is not known and not followed; did you mean api.max_rows?",
			"config.toml: auth.email.enable_signups is not known and not followed; did you mean auth.email.enable_signup?",
			"config.toml: db.major_version is not followed: the database is PostgreSQL 18, or that of DATABASE_URL",
			"config.toml: functions.hello.verify_jwts is not known and not followed; did you mean functions.hello.verify_jwt?",
			"config.toml: nonsense.x is not known and not followed",
		}},
		{"third-party issuers", `[auth]
enabled = false
[auth.third_party.firebase]
enabled = true
project_id = "shop"
[auth.third_party.auth0]
enabled = true
tenant = "env(RELAY_PASS)"
tenant_region = "eu"
[auth.third_party.aws_cognito]
enabled = true
user_pool_id = "pool_1"
user_pool_region = "eu-west-1"
[auth.third_party.clerk]
enabled = false
[auth.third_party.workos]
enabled = true
issuer_url = "https://api.workos.com/x"
issuer_ur = "x"
[auth.third_party.magic]
enabled = true`, []string{
			"PLAZA_TRUSTED_ISSUERS=https://secret.eu.auth0.com,https://cognito-idp.eu-west-1.amazonaws.com/pool_1,https://securetoken.google.com/shop,https://api.workos.com/x",
			"GOTRUE_DISABLE_SIGNUP=true", "GOTRUE_EXTERNAL_EMAIL_ENABLED=false", "GOTRUE_EXTERNAL_PHONE_ENABLED=false", "GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED=false",
		}, []string{
			"config.toml: auth.third_party.workos.issuer_ur is not known and not followed; did you mean auth.third_party.workos.issuer_url?",
			"config.toml: auth.third_party.magic.enabled is not known and not followed",
		}},
		{"settings of PostgreSQL", "[db.settings]\nwork_mem = \"64MB\"\nmax_connections = 50\ntrack_commit_timestamp = true\nwork_memory = \"x\"", []string{
			"PLAZA_POSTGRES_SETTINGS=max_connections:50,track_commit_timestamp:true,work_mem:64MB",
		}, []string{"config.toml: db.settings.work_memory is not known and not followed; did you mean db.settings.work_mem?"}},
		{"a third-party issuer without a region", "[auth.third_party.auth0]\nenabled = true\ntenant = \"shop\"", []string{"PLAZA_TRUSTED_ISSUERS=https://shop.auth0.com"}, nil},
		{"what is not here is named, unless it is off", `[studio]
port = 1
api_url = "x"
[auth]
enable_magic = true
[auth.web3.solana]
enabled = false
[auth.external.slack]
enabled = true
[auth.third_party.auth0]
enabled = false
tenant = "x"
[auth.captcha]
enabled = true
provider = "turnstile"
secret = "env(NOT_SET)"
[auth.external.google]
secret = "env(NOT_SET)"`, []string{
			"GOTRUE_SECURITY_CAPTCHA_ENABLED=true", "GOTRUE_SECURITY_CAPTCHA_PROVIDER=turnstile", "GOTRUE_SECURITY_CAPTCHA_SECRET=env(NOT_SET)",
		}, []string{
			"config.toml: every captcha is refused, as the environment has no NOT_SET for auth.captcha.secret",
			"config.toml: [studio] is not followed: Plaza has no Studio",
			"config.toml: auth.enable_magic is not known and not followed",
			"config.toml: auth.external.google.secret is not followed, as the environment has no NOT_SET",
			"config.toml: [auth.external.slack] is not followed: Plaza has no such provider",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var file map[string]any
			if _, err := toml.Decode(tt.file, &file); err != nil {
				t.Fatal(err)
			}
			settings, ignored, err := (&translator{folder: folder, own: "supabase", environ: []string{"RELAY_PASS=secret"}}).translate(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, list := range [][]string{settings, tt.want, ignored, tt.ignored} {
				slices.Sort(list)
			}
			if diff := cmp.Diff(tt.want, settings); diff != "" {
				t.Errorf("settings (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.ignored, ignored); diff != "" {
				t.Errorf("ignored (-want +got):\n%s", diff)
			}
		})
	}
}

// The table must name only variables that exist.
func TestFollowedVariablesExist(t *testing.T) {
	t.Parallel()
	for key, variable := range followed {
		if name := strings.TrimPrefix(variable, "!"); !strings.Contains(name, "*") && !config.Known(name) {
			t.Errorf("%s sets %s, which nothing reads", key, name)
		}
	}
}

// Each key of the Supabase CLI has an effect, or is reported to the user.
func TestEachCLIKeyIsUsedOrReported(t *testing.T) {
	t.Parallel()
	for _, key := range knownKeys {
		isElsewhere := slices.ContainsFunc(elsewhere, func(pattern string) bool { return matches(pattern, key) })
		named := strings.NewReplacer("external.*", "external.github", "hook.*", "hook.send_sms", "template.*", "template.invite", "notification.*", "notification.password_changed").Replace(key)
		if !isElsewhere && variableOf(named) == "" && strings.Contains(warningFor(named, "another value"), "not known") {
			t.Errorf("%s is neither followed nor named", key)
		}
	}
}

// A table of remotes is for the project that it names.
func TestRemoteSettingsApplyToTheirProject(t *testing.T) {
	t.Parallel()
	const file = "project_id = \"%s\"\n[auth]\njwt_expiry = 60\nenable_signup = true\n[remotes.live]\nproject_id = \"live\"\n[remotes.live.auth]\njwt_expiry = 70\n"
	for id, want := range map[string]int{"shop": 60, "live": 70} {
		_, cfg, err := Choose(folder(t, strings.Replace(file, "%s", id, 1)), project.Project{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if cfg.Auth.JWT.Expiry != want || cfg.Auth.DisableSignup || len(cfg.Ignored) > 0 {
			t.Errorf("%s: expiry %d, want %d; %v", id, cfg.Auth.JWT.Expiry, want, cfg.Ignored)
		}
	}
}

func folder(t *testing.T, file string) string {
	t.Helper()
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "supabase", "templates"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"config.toml": file, "templates/invite.html": "<p>Hi</p>"} {
		if err := os.WriteFile(filepath.Join(root, "supabase", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestEnvironmentWinsOverAProjectFolder(t *testing.T) {
	t.Parallel()
	root := folder(t, "project_id = \"shop\"\n[auth]\njwt_expiry = 60\nsite_url = \"http://loses.test\"\nnothing = 1\n"+
		"[auth.email]\nenable_confirmations = false\n[auth.external.github]\nenabled = true\nclient_id = \"ours\"\nsecret = \"env(OURS)\"\n")
	chosen, cfg, err := Choose(root, project.Project{}, []string{"SITE_URL=http://wins.test", "OURS=secret"})
	if err != nil {
		t.Fatal(err)
	}
	if cfg.SiteURL != "http://wins.test" || cfg.Auth.JWT.Expiry != 60 || !cfg.Auth.Mailer.Autoconfirm || chosen.Name != "shop" || len(cfg.Ignored) != 1 {
		t.Errorf("%s at %s, expiry %d, autoconfirm %v, ignored %q", chosen.Name, cfg.SiteURL, cfg.Auth.JWT.Expiry, cfg.Auth.Mailer.Autoconfirm, cfg.Ignored)
	}
	if github := cfg.Auth.External.GitHub; !github.Enabled || github.ClientIDs[0] != "ours" || github.Secret.Reveal() != "secret" {
		t.Errorf("github %+v", github)
	}
	if cfg.DataDir != filepath.Join(root, "supabase", ".plaza") {
		t.Errorf("data in %s", cfg.DataDir)
	}
	if _, err := fs.ReadFile(chosen.Folder, "supabase/templates/invite.html"); err != nil {
		t.Error(err)
	}
}

func TestProjectFolderErrorsNameTheKey(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"[auth]\njwt_expiry = 0":                                "GOTRUE_JWT_EXP",
		"[auth]\njwt_expiry = \"soon\"":                         "GOTRUE_JWT_EXP",
		"[auth]\npassword_requirements = \"strong\"":            "auth.password_requirements",
		"[auth]\nsigning_keys_path = \"./none.json\"":           "auth.signing_keys_path",
		"[auth]\nsigning_keys_path = \"../../../etc/hostname\"": "auth.signing_keys_path",
		"[auth": "config.toml",
	} {
		if _, _, err := Choose(folder(t, file), project.Project{}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// An issuer that is enabled has to be named.
func TestIncompleteIssuers(t *testing.T) {
	t.Parallel()
	for section, missing := range map[string]string{
		"firebase]": "project_id", "auth0]\ntenant_region = \"eu\"": "tenant", "aws_cognito]\nuser_pool_id = \"x\"": "user_pool_region", "clerk]": "domain", "workos]": "issuer_url",
	} {
		_, _, err := Choose(folder(t, "[auth.third_party."+section+"\nenabled = true"), project.Project{}, nil)
		if err == nil || !strings.Contains(err.Error(), "is enabled without its "+missing) {
			t.Errorf("%s: %v", section, err)
		}
	}
}

// The secrets of [db.vault] come from the file or the environment; one without a value is left out.
func TestVault(t *testing.T) {
	t.Parallel()
	reader := &translator{environ: []string{"KEY=from the environment"}}
	parts, ignored, err := readConfig("[db.vault]\nclear = \"x\"\nkey = \"env(KEY)\"\nmissing = \"env(NOT_SET)\"\nsealed = \"encrypted:x\"", reader, new(project.Project))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(ignored)
	if diff := cmp.Diff(map[string]string{"clear": "x", "key": "from the environment"}, parts.DB.Vault); diff != "" {
		t.Error(diff)
	}
	want := []string{"config.toml: db.vault.missing is not followed, as the environment has no NOT_SET", "config.toml: db.vault.sealed is not followed: it is encrypted for dotenvx; use env(NAME)"}
	if diff := cmp.Diff(want, ignored); diff != "" {
		t.Error(diff)
	}
}
