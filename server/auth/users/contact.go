package users

import (
	"strings"

	"plaza/server/auth/autherr"
	"plaza/server/lazyregexp"
)

// Kinds of contacts. They are also the providers of the corresponding identities.
const (
	ByEmail = "email"
	ByPhone = "phone"
)

// Contact identifies a user: an email address in lower case, or a phone number in E.164 without its
// plus sign.
type Contact struct{ Kind, Value string }

// Email returns the email address, or nil for a phone number.
func (c Contact) Email() *string { return c.ifKind(ByEmail) }

// Phone returns the phone number, or nil for an email address.
func (c Contact) Phone() *string { return c.ifKind(ByPhone) }

func (c Contact) ifKind(kind string) *string {
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

// maxEmail is the maximum length of an address in the table, in bytes.
const maxEmail = 255

// emailPattern is HTML's definition of a valid address.
var emailPattern = lazyregexp.New("^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$")

// ParseEmail validates an address and returns its stored form, in lower case.
//
// Errors: 400 validation_failed.
func ParseEmail(text string) (string, error) {
	switch {
	case text == "":
		return "", autherr.BadRequest(autherr.CodeValidation, "An email address is required")
	case len(text) > maxEmail:
		return "", autherr.BadRequest(autherr.CodeValidation, "An email address is too long")
	case !emailPattern().MatchString(text):
		return "", autherr.BadRequest(autherr.CodeValidation, "Unable to validate email address: invalid format")
	}
	return strings.ToLower(text), nil
}

// phonePattern is E.164 without the plus sign.
var phonePattern = lazyregexp.New(`^[1-9][0-9]{1,14}$`)

// ParsePhone validates a number and returns its stored form, which has only digits.
//
// Errors: 400 validation_failed.
func ParsePhone(text string) (string, error) {
	number := strings.ReplaceAll(strings.TrimPrefix(text, "+"), " ", "")
	if !phonePattern().MatchString(number) {
		return "", autherr.BadRequest(autherr.CodeValidation, "Invalid phone number format (E.164 required)")
	}
	return number, nil
}
