package password

import (
	"fmt"
	"slices"
	"strings"
)

// CharacterSets are sets of characters. A password needs a character of each set. In text form
// the sets are separated by ":"; `\:` is a colon in a set.
type CharacterSets []string

// UnmarshalText parses the format of upstream's setting PASSWORD_REQUIRED_CHARACTERS.
func (c *CharacterSets) UnmarshalText(text []byte) error {
	*c = nil
	set := ""
	for part := range strings.SplitSeq(string(text), ":") {
		if before, escaped := strings.CutSuffix(part, `\`); escaped {
			set += before + ":"
			continue
		}
		if set += part; set != "" {
			*c = append(*c, set)
		}
		set = ""
	}
	if set != "" {
		*c = append(*c, set)
	}
	return nil
}

// Policy has the requirements for passwords.
type Policy struct {
	MinLength int // bytes
	Required  CharacterSets
}

// Weakness is why a password is refused. Reasons are upstream's "length", "characters" and
// "pwned".
type Weakness struct {
	Reasons []string `json:"reasons"`
	Message string   `json:"-"`
}

// Check returns nil for a password that is strong enough.
func (p Policy) Check(password string) *Weakness {
	var reasons, messages []string
	if len(password) < p.MinLength {
		reasons = append(reasons, "length")
		messages = append(messages, fmt.Sprintf("Password should be at least %d characters.", p.MinLength))
	}
	for _, set := range p.Required {
		if !strings.ContainsAny(password, set) {
			reasons = append(reasons, "characters")
			messages = append(messages, "Password should contain at least one character of each: "+strings.Join(p.Required, ", ")+".")
			break
		}
	}
	if len(reasons) == 0 {
		return nil
	}
	return &Weakness{Reasons: reasons, Message: strings.Join(messages, " ")}
}

// With returns w with a further reason. The receiver may be nil.
func (w *Weakness) With(reason, message string) *Weakness {
	if w == nil {
		return &Weakness{Reasons: []string{reason}, Message: message}
	}
	return &Weakness{Reasons: append(slices.Clone(w.Reasons), reason), Message: w.Message + " " + message}
}
