package settings

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"text/template"
	"time"

	"plaza/server/auth/mailer"
	"plaza/server/secret"
)

// Mailer has the settings of email confirmations and mails.
type Mailer struct {
	Autoconfirm       bool          `env:"AUTOCONFIRM" envDefault:"false"`
	AllowUnverified   bool          `env:"ALLOW_UNVERIFIED_EMAIL_SIGN_INS" envDefault:"false"`
	SecureEmailChange bool          `env:"SECURE_EMAIL_CHANGE_ENABLED" envDefault:"true"` // the old address confirms a change, too
	OTPExpiry         int           `env:"OTP_EXP" envDefault:"86400"`                    // seconds a link or code is valid
	OTPLength         int           `env:"OTP_LENGTH" envDefault:"6"`                     // digits of a code, 6 to 10
	Subjects          Contents      `envPrefix:"SUBJECTS_"`
	Templates         Contents      `envPrefix:"TEMPLATES_"` // URLs of HTML templates, or paths in the project's folder
	Notices           Notices       `envPrefix:"NOTIFICATIONS_"`
	TemplateMaxAge    time.Duration `env:"TEMPLATE_MAX_AGE" envDefault:"10m"`
}

// Contents has a text for each kind of mail. Empty means the built-in one.
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
	AccountLocked    string `env:"ACCOUNT_LOCKED"` // not in upstream
}

// Notices selects the changes about which a user is notified by mail.
type Notices struct {
	PasswordChanged  bool `env:"PASSWORD_CHANGED_ENABLED" envDefault:"false"`
	EmailChanged     bool `env:"EMAIL_CHANGED_ENABLED" envDefault:"false"`
	PhoneChanged     bool `env:"PHONE_CHANGED_ENABLED" envDefault:"false"`
	IdentityLinked   bool `env:"IDENTITY_LINKED_ENABLED" envDefault:"false"`
	IdentityUnlinked bool `env:"IDENTITY_UNLINKED_ENABLED" envDefault:"false"`
	FactorEnrolled   bool `env:"MFA_FACTOR_ENROLLED_ENABLED" envDefault:"false"`
	FactorUnenrolled bool `env:"MFA_FACTOR_UNENROLLED_ENABLED" envDefault:"false"`
}

// SMTP has the settings of the mail relay. Without a host, mails go to the dev inbox.
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

// SMS has the settings of messages to phones. Without a provider, they go to the dev inbox.
type SMS struct {
	Autoconfirm       bool              `env:"AUTOCONFIRM" envDefault:"false"`
	MaxFrequency      time.Duration     `env:"MAX_FREQUENCY" envDefault:"60s"` // between two messages to one user
	OTPExpiry         int               `env:"OTP_EXP" envDefault:"60"`        // seconds a code is valid
	OTPLength         int               `env:"OTP_LENGTH" envDefault:"6"`      // digits of a code, 6 to 10
	Template          string            `env:"TEMPLATE"`
	TestOTP           map[string]string `env:"TEST_OTP"`             // number:code,…: fixed codes; no message is sent
	TestOTPValidUntil time.Time         `env:"TEST_OTP_VALID_UNTIL"` // empty: always
	Provider          string            `env:"PROVIDER"`             // twilio, or empty
	Twilio            Twilio            `envPrefix:"TWILIO_"`
}

// Twilio has the settings of an account at Twilio. URL, which upstream does not have, is for tests
// and regions.
type Twilio struct {
	AccountSID        string      `env:"ACCOUNT_SID"`
	AuthToken         secret.Text `env:"AUTH_TOKEN"`
	MessageServiceSID string      `env:"MESSAGE_SERVICE_SID"` // or a number to send from
	ContentSID        string      `env:"CONTENT_SID"`         // of a WhatsApp template
	URL               string      `env:"URL" envDefault:"https://api.twilio.com"`
}

// Configured returns the settings, without the provider if its account is empty. Upstream's compose
// file sets the provider to twilio and leaves the account empty.
func (c SMS) Configured() SMS {
	if c.Provider == "twilio" && c.Twilio.AccountSID == "" && c.Twilio.AuthToken.Reveal() == "" && c.Twilio.MessageServiceSID == "" {
		c.Provider = ""
	}
	return c
}

func (c SMS) check() error {
	switch {
	case c.Provider != "" && c.Provider != "twilio":
		return fmt.Errorf("GOTRUE_SMS_PROVIDER is %q: use twilio, or the hook GOTRUE_HOOK_SEND_SMS for another", c.Provider)
	case c.Provider == "twilio" && (c.Twilio.AccountSID == "" || c.Twilio.AuthToken.Reveal() == "" || c.Twilio.MessageServiceSID == ""):
		return errors.New("GOTRUE_SMS_TWILIO_ACCOUNT_SID, _AUTH_TOKEN and _MESSAGE_SERVICE_SID are needed for twilio")
	}
	_, err := ParseSMSTemplate(c.Template)
	if err != nil {
		return fmt.Errorf("GOTRUE_SMS_TEMPLATE: %w", err)
	}
	return nil
}

// Contents returns the project's own mails by kind.
func (c Mailer) Contents() map[mailer.Kind]mailer.Content {
	found := make(map[mailer.Kind]mailer.Content)
	subjects, templates := reflect.ValueOf(c.Subjects), reflect.ValueOf(c.Templates)
	for i := range subjects.NumField() {
		kind := mailer.Kind(strings.ToLower(subjects.Type().Field(i).Tag.Get("env")))
		found[kind] = mailer.Content{Subject: subjects.Field(i).String(), Template: templates.Field(i).String()}
	}
	return found
}

// defaultSMS is the default text of a message. Source: supabase/auth.
const defaultSMS = "Your code is {{ .Code }}"

// ParseSMSTemplate parses the text of a message. .Code is the code.
func ParseSMSTemplate(text string) (*template.Template, error) {
	parsed, err := template.New("sms").Option("missingkey=error").Parse(cmp.Or(text, defaultSMS))
	if err != nil {
		return nil, err
	}
	return parsed, parsed.Execute(&strings.Builder{}, SMSVariables{"123456"})
}

// SMSVariables are the template variables of a message.
type SMSVariables struct{ Code string }
