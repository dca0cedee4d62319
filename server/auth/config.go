package auth

import (
	"time"

	"plaza/server/auth/mailer"
	"plaza/server/auth/password"
	"plaza/server/auth/provider"
	"plaza/server/secret"
)

// Config carries GoTrue's settings by their names (without the prefix GOTRUE_)
// and defaults, unless a comment says otherwise.
type Config struct {
	DisableSignup bool      `env:"DISABLE_SIGNUP" envDefault:"false"`
	URIAllowList  []string  `env:"URI_ALLOW_LIST"` // further redirect targets, as globs
	Ways          Ways      `envPrefix:"EXTERNAL_"`
	JWT           JWT       `envPrefix:"JWT_"`
	Password      Password  `envPrefix:"PASSWORD_"`
	Mailer        Mailer    `envPrefix:"MAILER_"`
	SMTP          SMTP      `envPrefix:"SMTP_"`
	SMS           SMS       `envPrefix:"SMS_"`
	Security      Security  `envPrefix:"SECURITY_"`
	Sessions      Sessions  `envPrefix:"SESSIONS_"`
	RateLimit     RateLimit `envPrefix:"RATE_LIMIT_"`
	MFA           MFA       `envPrefix:"MFA_"`
	WebAuthn      WebAuthn  `envPrefix:"WEBAUTHN_"`
	Passkey       Passkey   `envPrefix:"PASSKEY_"`
	AuditLog      AuditLog  `envPrefix:"AUDIT_LOG_"`
	Hook          Hooks     `envPrefix:"HOOK_"`

	External     provider.Config `envPrefix:"EXTERNAL_"`     // outside providers
	OAuthServer  OAuthServer     `envPrefix:"OAUTH_SERVER_"` // this server as a provider
	CustomOAuth  CustomOAuth     `envPrefix:"CUSTOM_OAUTH_"`
	Experimental Experimental    `envPrefix:"EXPERIMENTAL_"`
}

// Ways says how people may sign in without an outside provider.
type Ways struct {
	Anonymous bool     `env:"ANONYMOUS_USERS_ENABLED" envDefault:"false"`
	Email     bool     `env:"EMAIL_ENABLED" envDefault:"true"`
	MagicLink bool     `env:"EMAIL_MAGIC_LINK_ENABLED" envDefault:"true"`
	OnlyTo    []string `env:"EMAIL_AUTHORIZED_ADDRESSES"` // the only addresses mails go to; empty: any
	Phone     bool     `env:"PHONE_ENABLED" envDefault:"false"`
}

// JWT says how access tokens are made.
type JWT struct {
	Expiry     int      `env:"EXP" envDefault:"3600"` // seconds
	Aud        string   `env:"AUD" envDefault:"authenticated"`
	Issuer     string   `env:"ISSUER"` // iss claim; empty: the address of the auth API
	Role       string   `env:"DEFAULT_GROUP_NAME" envDefault:"authenticated"`
	AdminRoles []string `env:"ADMIN_ROLES" envDefault:"service_role,supabase_admin"`
	// Keys are private JSON Web Keys in a list; without them the database's are
	// used, which plaza keys makes.
	Keys secret.Text `env:"KEYS"`
}

// Password says which passwords are accepted.
type Password struct {
	MinLength          int                    `env:"MIN_LENGTH" envDefault:"6"`
	RequiredCharacters password.CharacterSets `env:"REQUIRED_CHARACTERS"` // sets separated by ":", of each one character is needed
	Leaked             Leaked                 `envPrefix:"HIBP_"`
}

// Leaked says where passwords are looked up that are known from breaches. File
// is ours: no password's hash leaves the machine.
type Leaked struct {
	Enabled    bool   `env:"ENABLED" envDefault:"false"`
	FailClosed bool   `env:"FAIL_CLOSED" envDefault:"false"` // refuse where the service does not answer
	UserAgent  string `env:"USER_AGENT" envDefault:"plaza"`
	URL        string `env:"URL" envDefault:"https://api.pwnedpasswords.com"`
	File       string `env:"FILE"` // a list of SHA-1 hashes in order, as the service offers it for download
}

// Mailer says how addresses are confirmed, and what mails say.
type Mailer struct {
	Autoconfirm       bool          `env:"AUTOCONFIRM" envDefault:"false"`
	AllowUnverified   bool          `env:"ALLOW_UNVERIFIED_EMAIL_SIGN_INS" envDefault:"false"`
	SecureEmailChange bool          `env:"SECURE_EMAIL_CHANGE_ENABLED" envDefault:"true"` // the old address confirms a change, too
	OTPExpiry         int           `env:"OTP_EXP" envDefault:"86400"`                    // seconds a link or code is valid
	OTPLength         int           `env:"OTP_LENGTH" envDefault:"6"`                     // digits of a code, 6 to 10
	Subjects          Contents      `envPrefix:"SUBJECTS_"`
	Templates         Contents      `envPrefix:"TEMPLATES_"` // addresses of HTML templates, or paths in the project's folder
	Notices           Notices       `envPrefix:"NOTIFICATIONS_"`
	TemplateMaxAge    time.Duration `env:"TEMPLATE_MAX_AGE" envDefault:"10m"`
}

// Contents is a text for each kind of mail; empty: our own.
type Contents struct {
	Invite           string `env:"INVITE"`
	Confirmation     string `env:"CONFIRMATION"`
	Recovery         string `env:"RECOVERY"`
	EmailChange      string `env:"EMAIL_CHANGE"`
	MagicLink        string `env:"MAGIC_LINK"`
	Reauthentication string `env:"REAUTHENTICATION"`
	PasswordChanged  string `env:"PASSWORD_CHANGED_NOTIFICATION"`
	EmailChanged     string `env:"EMAIL_CHANGED_NOTIFICATION"`
	PhoneChanged     string `env:"PHONE_CHANGED_NOTIFICATION"`
	IdentityLinked   string `env:"IDENTITY_LINKED_NOTIFICATION"`
	IdentityUnlinked string `env:"IDENTITY_UNLINKED_NOTIFICATION"`
	FactorEnrolled   string `env:"MFA_FACTOR_ENROLLED_NOTIFICATION"`
	FactorUnenrolled string `env:"MFA_FACTOR_UNENROLLED_NOTIFICATION"`
	AccountLocked    string `env:"ACCOUNT_LOCKED"` // ours
}

// Notices says of which changes an account's holder is told by mail.
type Notices struct {
	PasswordChanged  bool `env:"PASSWORD_CHANGED_ENABLED" envDefault:"false"`
	EmailChanged     bool `env:"EMAIL_CHANGED_ENABLED" envDefault:"false"`
	PhoneChanged     bool `env:"PHONE_CHANGED_ENABLED" envDefault:"false"`
	IdentityLinked   bool `env:"IDENTITY_LINKED_ENABLED" envDefault:"false"`
	IdentityUnlinked bool `env:"IDENTITY_UNLINKED_ENABLED" envDefault:"false"`
	FactorEnrolled   bool `env:"MFA_FACTOR_ENROLLED_ENABLED" envDefault:"false"`
	FactorUnenrolled bool `env:"MFA_FACTOR_UNENROLLED_ENABLED" envDefault:"false"`
}

// SMTP is the mail relay; without a host mails go to the dev inbox.
type SMTP struct {
	Host         string         `env:"HOST"`
	Port         int            `env:"PORT" envDefault:"587"`
	User         string         `env:"USER"`
	Pass         secret.Text    `env:"PASS"`
	AdminEmail   string         `env:"ADMIN_EMAIL"` // the sender's address
	SenderName   string         `env:"SENDER_NAME"`
	Headers      mailer.Headers `env:"HEADERS"`                        // of each mail, as JSON: {"X-Name": ["value"]}
	MaxFrequency time.Duration  `env:"MAX_FREQUENCY" envDefault:"60s"` // between two mails to one user
}

// SMS says how codes get to phones; without a provider they go to the dev inbox.
type SMS struct {
	Autoconfirm       bool              `env:"AUTOCONFIRM" envDefault:"false"`
	MaxFrequency      time.Duration     `env:"MAX_FREQUENCY" envDefault:"60s"` // between two messages to one user
	OTPExpiry         int               `env:"OTP_EXP" envDefault:"60"`        // seconds a code is valid
	OTPLength         int               `env:"OTP_LENGTH" envDefault:"6"`      // digits of a code, 6 to 10
	Template          string            `env:"TEMPLATE"`
	TestOTP           map[string]string `env:"TEST_OTP"`             // number:code,…: these get no message
	TestOTPValidUntil time.Time         `env:"TEST_OTP_VALID_UNTIL"` // empty: always
	Provider          string            `env:"PROVIDER"`             // twilio, or empty
	Twilio            Twilio            `envPrefix:"TWILIO_"`
}

// Twilio is an account with Twilio. URL is ours, for tests and regions.
type Twilio struct {
	AccountSID        string      `env:"ACCOUNT_SID"`
	AuthToken         secret.Text `env:"AUTH_TOKEN"`
	MessageServiceSID string      `env:"MESSAGE_SERVICE_SID"` // or a number to send from
	ContentSID        string      `env:"CONTENT_SID"`         // of a WhatsApp template
	URL               string      `env:"URL" envDefault:"https://api.twilio.com"`
}

// Security says how sessions and passwords are kept.
type Security struct {
	RefreshTokenRotation bool `env:"REFRESH_TOKEN_ROTATION_ENABLED" envDefault:"true"`
	// ReuseInterval is in seconds; upstream's default is 0 and its hosted one 10.
	ReuseInterval           int        `env:"REFRESH_TOKEN_REUSE_INTERVAL" envDefault:"10"`
	RequireCurrentPassword  bool       `env:"UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD" envDefault:"false"`
	RequireReauthentication bool       `env:"UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION" envDefault:"false"` // a nonce for a session older than a day
	ManualLinking           bool       `env:"MANUAL_LINKING_ENABLED" envDefault:"false"`
	Captcha                 Captcha    `envPrefix:"CAPTCHA_"`
	Encryption              Encryption `envPrefix:"DB_ENCRYPTION_"`

	// Both are ours: people remove or fetch what the server holds of them.
	UserDeletion bool `env:"USER_DELETION_ENABLED" envDefault:"false"`
	UserExport   bool `env:"USER_EXPORT_ENABLED" envDefault:"false"`
}

// Captcha is the service that tells people from programs.
type Captcha struct {
	Enabled  bool          `env:"ENABLED" envDefault:"false"`
	Provider string        `env:"PROVIDER" envDefault:"hcaptcha"` // or turnstile
	Secret   secret.Text   `env:"SECRET"`
	Timeout  time.Duration `env:"TIMEOUT" envDefault:"10s"`
	URL      string        `env:"URL"` // ours: another address of the service
}

// Encryption is the key of the secrets that the database holds encrypted. Keys
// are 32 bytes in base64url. Without one, a key follows from JWT_SECRET.
type Encryption struct {
	KeyID   string            `env:"ENCRYPTION_KEY_ID"`
	Key     secret.Text       `env:"ENCRYPTION_KEY"`
	OldKeys map[string]string `env:"DECRYPTION_KEYS"` // id:key,…: keys that still open
}

// Sessions limits how long a session can be refreshed; zero means no limit.
type Sessions struct {
	Timebox           time.Duration `env:"TIMEBOX"`            // from sign-in
	InactivityTimeout time.Duration `env:"INACTIVITY_TIMEOUT"` // from the last refresh
	AllowLowAAL       time.Duration `env:"ALLOW_LOW_AAL"`      // of a user with a second factor who has not used it
	SinglePerUser     bool          `env:"SINGLE_PER_USER" envDefault:"false"`
	Tags              []string      `env:"TAGS"` // kinds of clients that each may have a session
}

// RateLimit bounds requests: by address in five minutes, unless a comment says
// otherwise.
type RateLimit struct {
	EmailSent        Rate    `env:"EMAIL_SENT" envDefault:"30"` // in an hour, of the whole project
	SMSSent          Rate    `env:"SMS_SENT" envDefault:"30"`   // in an hour, of the whole project
	Verify           float64 `env:"VERIFY" envDefault:"30"`
	TokenRefresh     float64 `env:"TOKEN_REFRESH" envDefault:"150"`
	SSO              float64 `env:"SSO" envDefault:"30"`
	AnonymousUsers   float64 `env:"ANONYMOUS_USERS" envDefault:"30"` // in an hour
	OTP              float64 `env:"OTP" envDefault:"30"`
	Passkey          float64 `env:"PASSKEY" envDefault:"30"`
	Register         float64 `env:"OAUTH_DYNAMIC_CLIENT_REGISTER" envDefault:"10"`
	PasswordFailures float64 `env:"PASSWORD_FAILURES" envDefault:"30"` // ours: wrong passwords for one account
}

// AuditLog says where the audit trail goes.
type AuditLog struct {
	DisablePostgres bool `env:"DISABLE_POSTGRES" envDefault:"false"` // write no auth.audit_log_entries
}

// Hooks are functions of the project that the auth server asks.
type Hooks struct {
	PasswordVerification Hook `envPrefix:"PASSWORD_VERIFICATION_ATTEMPT_"`
	UnknownAccounts      bool `env:"PASSWORD_VERIFICATION_ATTEMPT_UNKNOWN_ACCOUNTS" envDefault:"false"` // ours: ask also about contacts without an account
	MFAVerification      Hook `envPrefix:"MFA_VERIFICATION_ATTEMPT_"`
	CustomAccessToken    Hook `envPrefix:"CUSTOM_ACCESS_TOKEN_"`
	SendEmail            Hook `envPrefix:"SEND_EMAIL_"`
	SendSMS              Hook `envPrefix:"SEND_SMS_"`
	BeforeUserCreated    Hook `envPrefix:"BEFORE_USER_CREATED_"`
	AfterUserCreated     Hook `envPrefix:"AFTER_USER_CREATED_"`
}

// Hook is one such function: pg-functions://postgres/schema/function in the
// database, or an https address.
type Hook struct {
	Enabled bool        `env:"ENABLED" envDefault:"false"`
	URI     string      `env:"URI"`
	Secrets secret.Text `env:"SECRETS"` // v1,whsec_…, several with | between; an address needs one
}
