package projectdir

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"plaza/server/config"
)

// followed maps the keys of a project's config.toml to variables. A "*" matches one
// part of a key, which is inserted into the variable in upper case. A "!" before the
// variable negates the value.
// Source: the variables that the Supabase CLI sets for its auth container.
var followed = map[string]string{
	"api.port": "PLAZA_PORT", "api.external_url": "API_EXTERNAL_URL", "api.schemas": "PGRST_DB_SCHEMAS",
	"api.extra_search_path": "PGRST_DB_EXTRA_SEARCH_PATH", "api.max_rows": "PGRST_DB_MAX_ROWS", "db.port": "PLAZA_POSTGRES_PORT", "db.root_key": "PLAZA_VAULT_KEY",

	"auth.site_url": "SITE_URL", "auth.additional_redirect_urls": "GOTRUE_URI_ALLOW_LIST", "auth.enable_signup": "!GOTRUE_DISABLE_SIGNUP",
	"auth.jwt_expiry": "GOTRUE_JWT_EXP", "auth.jwt_issuer": "GOTRUE_JWT_ISSUER", "auth.signing_keys_path": "GOTRUE_JWT_KEYS",
	"auth.jwt_secret": "JWT_SECRET", "auth.anon_key": "ANON_KEY", "auth.service_role_key": "SERVICE_ROLE_KEY",
	"auth.enable_anonymous_sign_ins":     "GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED",
	"auth.enable_manual_linking":         "GOTRUE_SECURITY_MANUAL_LINKING_ENABLED",
	"auth.enable_refresh_token_rotation": "GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED",
	"auth.refresh_token_reuse_interval":  "GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL",
	"auth.minimum_password_length":       "GOTRUE_PASSWORD_MIN_LENGTH",
	"auth.password_requirements":         "GOTRUE_PASSWORD_REQUIRED_CHARACTERS",

	"auth.rate_limit.email_sent": "GOTRUE_RATE_LIMIT_EMAIL_SENT", "auth.rate_limit.sms_sent": "GOTRUE_RATE_LIMIT_SMS_SENT",
	"auth.rate_limit.anonymous_users": "GOTRUE_RATE_LIMIT_ANONYMOUS_USERS", "auth.rate_limit.token_refresh": "GOTRUE_RATE_LIMIT_TOKEN_REFRESH",
	"auth.rate_limit.sign_in_sign_ups": "GOTRUE_RATE_LIMIT_OTP", "auth.rate_limit.token_verifications": "GOTRUE_RATE_LIMIT_VERIFY",
	"auth.captcha.*": "GOTRUE_SECURITY_CAPTCHA_*",

	"auth.email.enable_signup": "GOTRUE_EXTERNAL_EMAIL_ENABLED", "auth.email.double_confirm_changes": "GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED",
	"auth.email.enable_confirmations":   "!GOTRUE_MAILER_AUTOCONFIRM",
	"auth.email.secure_password_change": "GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION",
	"auth.email.max_frequency":          "GOTRUE_SMTP_MAX_FREQUENCY", "auth.email.otp_length": "GOTRUE_MAILER_OTP_LENGTH",
	"auth.email.otp_expiry": "GOTRUE_MAILER_OTP_EXP", "auth.email.smtp.*": "GOTRUE_SMTP_*",
	"auth.email.template.*.subject": "GOTRUE_MAILER_SUBJECTS_*", "auth.email.template.*.content_path": "GOTRUE_MAILER_TEMPLATES_*",
	"auth.email.notification.*.enabled":      "GOTRUE_MAILER_NOTIFICATIONS_*_ENABLED",
	"auth.email.notification.*.subject":      "GOTRUE_MAILER_SUBJECTS_*_NOTIFICATION",
	"auth.email.notification.*.content_path": "GOTRUE_MAILER_TEMPLATES_*_NOTIFICATION",

	"auth.sms.enable_signup": "GOTRUE_EXTERNAL_PHONE_ENABLED", "auth.sms.enable_confirmations": "!GOTRUE_SMS_AUTOCONFIRM",
	"auth.sms.template": "GOTRUE_SMS_TEMPLATE", "auth.sms.max_frequency": "GOTRUE_SMS_MAX_FREQUENCY", "auth.sms.test_otp": "GOTRUE_SMS_TEST_OTP",
	"auth.sms.twilio.enabled": "GOTRUE_SMS_PROVIDER", "auth.sms.twilio.*": "GOTRUE_SMS_TWILIO_*",

	"storage.file_size_limit": "UPLOAD_FILE_SIZE_LIMIT", "storage.s3_protocol.enabled": "S3_PROTOCOL_ENABLED", "storage.image_transformation.enabled": "IMAGE_TRANSFORMATION_ENABLED",

	"realtime.enabled": "REALTIME_ENABLED",

	"auth.third_party": "PLAZA_TRUSTED_ISSUERS", "db.settings": "PLAZA_POSTGRES_SETTINGS",

	"auth.sessions.*": "GOTRUE_SESSIONS_*", "auth.mfa.*": "GOTRUE_MFA_*", "auth.mfa.*.*": "GOTRUE_MFA_*_*",
	"auth.passkey.*": "GOTRUE_PASSKEY_*", "auth.webauthn.*": "GOTRUE_WEBAUTHN_*", "auth.hook.*.*": "GOTRUE_HOOK_*_*", "auth.external.*.*": "GOTRUE_EXTERNAL_*_*",
	"auth.oauth_server.authorization_url_path": "GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH", "auth.oauth_server.*": "GOTRUE_OAUTH_SERVER_*",
}

// passwordSets maps the values of auth.password_requirements to character sets.
var passwordSets = map[string]string{
	"letters_digits":                     lowerCase + upperCase + ":" + digits,
	"lower_upper_letters_digits":         lowerCase + ":" + upperCase + ":" + digits,
	"lower_upper_letters_digits_symbols": lowerCase + ":" + upperCase + ":" + digits + `:!@#$%^&*()_+-=[]{};'\\:"|<>?,./` + "`~",
}

const (
	lowerCase = "abcdefghijklmnopqrstuvwxyz"
	upperCase = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits    = "0123456789"
)

// translator translates a config.toml to variables.
type translator struct {
	folder  fs.FS  // the project's folder
	own     string // path of config.toml's folder in the project's folder
	environ []string

	settings, ignored []string // "NAME=value", and messages about keys without effect
}

// translate returns the settings of a config.toml as "NAME=value", and messages about keys without effect.
func (t *translator) translate(file map[string]any) (settings, ignored []string, err error) {
	err = t.section("", file)
	return t.settings, t.ignored, err
}

// switchedOff has the settings for sections with enabled = false.
var switchedOff = map[string][]string{
	"auth": {
		"GOTRUE_DISABLE_SIGNUP=true", "GOTRUE_EXTERNAL_EMAIL_ENABLED=false", "GOTRUE_EXTERNAL_PHONE_ENABLED=false", "GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED=false",
	},
	"auth.email": {"GOTRUE_EXTERNAL_EMAIL_ENABLED=false"},
	"auth.sms":   {"GOTRUE_EXTERNAL_PHONE_ENABLED=false"},
}

// section translates a table of the file. In a table with enabled = false, all other
// keys are ignored. [auth] is an exception: its own keys are translated, since other
// services use those about tokens; of its subsections only third_party is.
func (t *translator) section(at string, table map[string]any) error {
	isOff := disabled(table)
	if isOff && at != "auth" {
		table = map[string]any{"enabled": false}
	}
	if at == "auth" && !sendsMail(table) {
		// Source: the CLI sets no limit without a mail relay.
		if limits, ok := table["rate_limit"].(map[string]any); ok {
			delete(limits, "email_sent")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(table)) {
		key := strings.TrimPrefix(at+"."+name, ".")
		nested, isTable := table[name].(map[string]any)
		var err error
		switch _, whole := followed[key]; {
		case !isTable || whole:
			err = t.setting(key, table[name])
		case !isOff:
			err = t.section(key, nested)
		}
		if err != nil {
			return err
		}
	}
	if isOff {
		t.settings = append(t.settings, switchedOff[at]...)
	}
	return nil
}

func disabled(table map[string]any) bool {
	enabled, given := table["enabled"].(bool)
	return given && !enabled
}

// sendsMail reports whether [auth] configures a mail relay.
func sendsMail(auth map[string]any) bool {
	email, _ := auth["email"].(map[string]any)
	relay, given := email["smtp"].(map[string]any)
	return given && !disabled(relay)
}

func (t *translator) setting(key string, value any) error {
	if slices.ContainsFunc(elsewhere, func(pattern string) bool { return matches(pattern, key) }) {
		return nil
	}
	variable := variableOf(key)
	if variable == "" {
		t.warn(key, value)
		return nil
	}
	text, err := t.text(key, value)
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	if text == "" {
		return nil
	}
	if name, opposite := strings.CutPrefix(variable, "!"); opposite {
		variable, text = name, fmt.Sprint(text == "false")
	}
	t.settings = append(t.settings, variable+"="+text)
	return nil
}

// warn records a message if a key has no effect, once for a section.
func (t *translator) warn(key string, value any) {
	text := fmt.Sprint(value)
	if list, ok := value.([]any); ok && len(list) == 0 || strings.HasPrefix(text, "env(") {
		text = ""
	}
	if message := warningFor(key, text); message != "" && !slices.Contains(t.ignored, message) {
		t.ignored = append(t.ignored, message)
	}
}

// variableOf returns the variable of a key, or "" if there is none.
func variableOf(key string) string {
	if variable, ok := followed[key]; ok {
		return variable
	}
	for pattern, variable := range followed {
		if matched, _ := path.Match(strings.ReplaceAll(pattern, ".", "/"), strings.ReplaceAll(key, ".", "/")); !matched {
			continue
		}
		names, parts := strings.Split(pattern, "."), strings.Split(key, ".")
		for i, name := range names {
			if name == "*" {
				variable = strings.Replace(variable, "*", strings.ToUpper(parts[i]), 1)
			}
		}
		if config.Known(variable) {
			return variable
		}
	}
	return ""
}

// text converts a value to the text of a variable.
func (t *translator) text(key string, value any) (string, error) {
	switch value := value.(type) {
	case []any:
		texts := make([]string, len(value))
		for i, one := range value {
			texts[i] = t.resolve(key, fmt.Sprint(one))
		}
		return strings.Join(texts, ","), nil
	case map[string]any:
		if key == "auth.third_party" {
			return t.issuers(value)
		}
		var pairs []string
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if key == "db.settings" && !slices.Contains(knownKeys, key+"."+name) {
				t.warn(key+"."+name, value[name])
				continue
			}
			pairs = append(pairs, name+":"+t.resolve(key, fmt.Sprint(value[name])))
		}
		return strings.Join(pairs, ","), nil
	}
	text := t.resolve(key, fmt.Sprint(value))
	switch {
	case text == "":
	case key == "auth.sms.twilio.enabled":
		if text != "true" {
			return "", nil
		}
		return "twilio", nil
	case key == "storage.file_size_limit":
		size, err := sizeInBytes(text)
		return strconv.FormatInt(size, 10), err
	case key == "auth.password_requirements":
		sets, ok := passwordSets[text]
		if !ok {
			return "", fmt.Errorf("%q is unknown: use %s", text, strings.Join(slices.Sorted(maps.Keys(passwordSets)), ", "))
		}
		return sets, nil
	case key == "auth.signing_keys_path":
		keys, err := fs.ReadFile(t.folder, path.Join(t.own, text))
		return string(keys), err
	case strings.HasPrefix(key, "auth.email.notification.") && strings.HasSuffix(key, ".content_path"):
		return path.Join(t.own, text), nil // as in upstream, paths of other mails are relative to the project's folder
	}
	return text, nil
}

// resolve replaces "env(NAME)" by the variable's value, as the Supabase CLI does. It
// returns any other value unchanged. If the variable is not set, it records a message and
// returns "", so that the setting is ignored.
func (t *translator) resolve(key, value string) string {
	name, ok := strings.CutPrefix(value, "env(")
	if !ok || !strings.HasSuffix(name, ")") {
		return value
	}
	name = strings.TrimSuffix(name, ")")
	for _, entry := range slices.Backward(t.environ) {
		if text, found := strings.CutPrefix(entry, name+"="); found {
			return text
		}
	}
	if key == "auth.captcha.secret" { // as in upstream, captchas stay enabled, with a wrong secret
		t.ignored = append(t.ignored, "config.toml: every captcha is refused, as the environment has no "+name+" for "+key)
		return value
	}
	t.ignored = append(t.ignored, "config.toml: "+key+" is not followed, as the environment has no "+name)
	return ""
}
