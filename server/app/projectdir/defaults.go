package projectdir

// folderDefaults holds the Supabase CLI's defaults for keys that are not in a
// project's config.toml. The file takes precedence over them, and the environment
// over both. Values that equal this server's own defaults are included, so that a
// change of those does not affect project folders.
// Source: the CLI's pkg/config/templates/config.toml.
var folderDefaults = []string{
	"PGRST_DB_SCHEMAS=public,graphql_public",
	"PGRST_DB_EXTRA_SEARCH_PATH=public,extensions",
	"PGRST_DB_MAX_ROWS=1000",
	"PLAZA_REQUIRE_API_KEY=false", // the CLI's gateway treats requests without a key as anon

	"SITE_URL=http://127.0.0.1:3000",
	"GOTRUE_URI_ALLOW_LIST=https://127.0.0.1:3000",
	"GOTRUE_DISABLE_SIGNUP=false",
	"GOTRUE_JWT_EXP=3600",
	"GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED=true",
	"GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL=10",
	"GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED=false",
	"GOTRUE_SECURITY_MANUAL_LINKING_ENABLED=false",
	"GOTRUE_PASSWORD_MIN_LENGTH=6",

	"GOTRUE_RATE_LIMIT_SMS_SENT=30",
	"GOTRUE_RATE_LIMIT_ANONYMOUS_USERS=30",
	"GOTRUE_RATE_LIMIT_TOKEN_REFRESH=150",
	"GOTRUE_RATE_LIMIT_OTP=30",
	"GOTRUE_RATE_LIMIT_VERIFY=30",

	"GOTRUE_EXTERNAL_EMAIL_ENABLED=true",
	"GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED=true",
	"GOTRUE_MAILER_AUTOCONFIRM=true",
	"GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION=false",
	"GOTRUE_SMTP_MAX_FREQUENCY=1s",
	"GOTRUE_MAILER_OTP_LENGTH=6",
	"GOTRUE_MAILER_OTP_EXP=3600",

	"GOTRUE_EXTERNAL_PHONE_ENABLED=false",
	"GOTRUE_SMS_AUTOCONFIRM=true",
	"GOTRUE_SMS_TEMPLATE=Your code is {{ .Code }}",
	"GOTRUE_SMS_MAX_FREQUENCY=5s",

	"GOTRUE_MFA_MAX_ENROLLED_FACTORS=10",
	"GOTRUE_MFA_TOTP_ENROLL_ENABLED=false",
	"GOTRUE_MFA_TOTP_VERIFY_ENABLED=false",
	"GOTRUE_MFA_PHONE_ENROLL_ENABLED=false",
	"GOTRUE_MFA_PHONE_VERIFY_ENABLED=false",
	"GOTRUE_MFA_PHONE_OTP_LENGTH=6",
	"GOTRUE_MFA_PHONE_TEMPLATE=Your code is {{ .Code }}",
	"GOTRUE_MFA_PHONE_MAX_FREQUENCY=5s",

	"GOTRUE_OAUTH_SERVER_ENABLED=false",
	"GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH=/oauth/consent",
	"GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION=false",

	"UPLOAD_FILE_SIZE_LIMIT=52428800", // 50 MiB
}

// mailDefault applies if a folder configures a mail relay. Without one the CLI sets
// no limit.
const mailDefault = "GOTRUE_RATE_LIMIT_EMAIL_SENT=2"
