package project

import (
	"errors"
	"fmt"
	"net/mail"
	"strings"
	"unicode"
)

// Operator says who runs the site, for a project whose pages name them.
type Operator struct {
	Name    string `env:"NAME"`
	Address string `env:"ADDRESS"` // postal, in one line
	Email   string `env:"EMAIL"`
}

// longestOperator is how long each of an operator's settings may be, in bytes.
const longestOperator = 300

// Check tells what is wrong with the settings.
func (o Operator) Check() error {
	var wrong []error
	for name, value := range o.settings() {
		if len(value) > longestOperator || strings.ContainsFunc(value, unicode.IsControl) {
			wrong = append(wrong, fmt.Errorf("%s is no line of text of up to %d bytes", name, longestOperator))
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

// Unsafe names the settings that the project must have in production and has not.
func (p Project) Unsafe(o Operator) []error {
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
