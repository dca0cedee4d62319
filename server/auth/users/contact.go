package users

import (
	"regexp"
	"strings"

	"plaza/server/auth/autherr"
)

// Kinds of contacts, which are also the names of their identities' providers.
const (
	ByEmail = "email"
	ByPhone = "phone"
)

// Contact is where somebody is reached, and known by: a mail address in lower
// case, or a phone number in E.164 without its plus sign.
type Contact struct{ Kind, Value string }

// Email returns the mail address, nil of a phone.
func (c Contact) Email() *string { return c.when(ByEmail) }

// Phone returns the phone number, nil of a mail address.
func (c Contact) Phone() *string { return c.when(ByPhone) }

func (c Contact) when(kind string) *string {
	if c.Kind != kind {
		return nil
	}
	return &c.Value
}

// KindOf returns the kind of a stored address.
func KindOf(address string) string {
	if strings.Contains(address, "@") {
		return ByEmail
	}
	return ByPhone
}

// maxEmail is the longest address the table holds.
const maxEmail = 255

// emailPattern is HTML's definition of a valid address.
var emailPattern = regexp.MustCompile("^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$")

// ParseEmail returns the address as it is stored: in lower case.
//
// Errors: 400 validation_failed.
func ParseEmail(text string) (string, error) {
	switch {
	case text == "":
		return "", autherr.BadRequest(autherr.CodeValidation, "An email address is required")
	case len(text) > maxEmail:
		return "", autherr.BadRequest(autherr.CodeValidation, "An email address is too long")
	case !emailPattern.MatchString(text):
		return "", autherr.BadRequest(autherr.CodeValidation, "Unable to validate email address: invalid format")
	}
	return strings.ToLower(text), nil
}

// phonePattern is E.164 without the plus sign.
var phonePattern = regexp.MustCompile(`^[1-9][0-9]{1,14}$`)

// ParsePhone returns the number as it is stored: digits only.
//
// Errors: 400 validation_failed.
func ParsePhone(text string) (string, error) {
	number := strings.ReplaceAll(strings.TrimPrefix(text, "+"), " ", "")
	if !phonePattern.MatchString(number) {
		return "", autherr.BadRequest(autherr.CodeValidation, "Invalid phone number format (E.164 required)")
	}
	return number, nil
}
