package auth

import (
	"regexp"
	"strings"

	"plaza/server/auth/autherr"
)

// Kinds of contacts, which are also the names of their identities' providers.
const (
	byMail  = "email"
	byPhone = "phone"
)

// contact is where somebody is reached, and known by: a mail address in lower
// case, or a phone number in E.164 without its plus sign.
type contact struct{ kind, value string }

func (c contact) email() *string { return c.when(byMail) }
func (c contact) phone() *string { return c.when(byPhone) }

func (c contact) when(kind string) *string {
	if c.kind != kind {
		return nil
	}
	return &c.value
}

// kindOf tells what a stored address is.
func kindOf(address string) string {
	if strings.Contains(address, "@") {
		return byMail
	}
	return byPhone
}

// maxEmail is the longest address the table holds.
const maxEmail = 255

// emailPattern is HTML's definition of a valid address.
var emailPattern = regexp.MustCompile("^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$")

// parseEmail gives the address as it is stored: in lower case.
func parseEmail(text string) (string, error) {
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

// parsePhone gives the number as it is stored: digits only.
func parsePhone(text string) (string, error) {
	number := strings.ReplaceAll(strings.TrimPrefix(text, "+"), " ", "")
	if !phonePattern.MatchString(number) {
		return "", autherr.BadRequest(autherr.CodeValidation, "Invalid phone number format (E.164 required)")
	}
	return number, nil
}
