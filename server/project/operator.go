package project

import (
	"errors"
	"fmt"
	"net/mail"
	"strings"
	"unicode"
)

// Operator describes the operator of the site, for projects whose pages name them.
type Operator struct {
	Name    string `env:"NAME"`
	Address string `env:"ADDRESS"` // postal, in one line
	Email   string `env:"EMAIL"`
}

// maxOperatorLength is the maximum length of each of an operator's settings, in bytes.
const maxOperatorLength = 300

// Check returns an error that lists all invalid settings.
func (o Operator) Check() error {
	var wrong []error
	for name, value := range o.settings() {
		if len(value) > maxOperatorLength || strings.ContainsFunc(value, unicode.IsControl) {
			wrong = append(wrong, fmt.Errorf("%s must be one line of text of up to %d bytes", name, maxOperatorLength))
		}
	}
	if parsed, err := mail.ParseAddress(o.Email); o.Email != "" && (err != nil || parsed.Address != o.Email) {
		wrong = append(wrong, fmt.Errorf("PLAZA_OPERATOR_EMAIL is %q: use an address alone, such as hello@example.com", o.Email))
	}
	return errors.Join(wrong...)
}

// settings yields each setting's name and value.
func (o Operator) settings() func(yield func(name, value string) bool) {
	return func(yield func(name, value string) bool) {
		_ = yield("PLAZA_OPERATOR_NAME", o.Name) && yield("PLAZA_OPERATOR_ADDRESS", o.Address) && yield("PLAZA_OPERATOR_EMAIL", o.Email)
	}
}

// CheckProduction returns an error for each missing setting that the project requires in production.
func (p Project) CheckProduction(o Operator) []error {
	if !p.NamesOperator {
		return nil
	}
	var found []error
	for name, value := range o.settings() {
		if strings.TrimSpace(value) == "" {
			found = append(found, fmt.Errorf("%s is empty: the legal pages say who runs the site", name))
		}
	}
	return found
}
