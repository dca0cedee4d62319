package signature

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"plaza/server/apierr"
)

// Policy is the signed policy of a form, which restricts what may be uploaded.
type Policy struct {
	conditions []condition
	// MinSize and MaxSize limit the size of the file, in bytes.
	MinSize, MaxSize int64
}

type condition struct {
	field  string // in lower case
	prefix bool   // the field must begin with the text; otherwise it must equal the text
	text   string
}

// ParsePolicy parses the policy of a form. The signature must be verified before.
//
// Errors: 400 InvalidSignature, ExpiredToken.
func (v *Verifier) ParsePolicy(s *Signature) (*Policy, error) {
	raw, err := base64.StdEncoding.DecodeString(s.policy)
	if err != nil {
		return nil, malformed("Invalid POST policy")
	}
	var document struct {
		Expiration string            `json:"expiration"`
		Conditions []json.RawMessage `json:"conditions"`
	}
	if err := json.Unmarshal(raw, &document); err != nil {
		return nil, malformed("Invalid POST policy")
	}
	expiration, err := time.Parse(time.RFC3339, document.Expiration)
	if err != nil {
		return nil, malformed("Invalid policy expiration")
	}
	if v.Now().After(expiration) {
		return nil, apierr.New(400, "ExpiredToken", "The provided token has expired.")
	}
	p := &Policy{MaxSize: math.MaxInt64}
	for _, one := range document.Conditions {
		if err := p.add(one); err != nil {
			return nil, err
		}
	}
	return p, nil
}

var errCondition = malformed("Invalid policy condition")

func (p *Policy) add(raw json.RawMessage) error {
	if trimmed := bytes.TrimSpace(raw); len(trimmed) > 0 && trimmed[0] == '{' {
		var exact map[string]any
		if err := json.Unmarshal(raw, &exact); err != nil || len(exact) != 1 {
			return errCondition
		}
		for field, value := range exact {
			return p.addField(field, value, false)
		}
	}
	var list []any
	if err := json.Unmarshal(raw, &list); err != nil || len(list) != 3 {
		return errCondition
	}
	operator, _ := list[0].(string)
	if operator == "content-length-range" {
		least, leastOK := list[1].(float64)
		most, mostOK := list[2].(float64)
		if !leastOK || !mostOK || least < 0 || most < least || most >= math.MaxInt64 {
			return errCondition
		}
		p.MinSize, p.MaxSize = max(p.MinSize, int64(least)), min(p.MaxSize, int64(most))
		return nil
	}
	field, _ := list[1].(string)
	if !strings.HasPrefix(field, "$") || operator != "eq" && operator != "starts-with" {
		return malformed("Unsupported policy condition")
	}
	return p.addField(field[1:], list[2], operator == "starts-with")
}

func (p *Policy) addField(field string, value any, prefix bool) error {
	switch value.(type) {
	case string, float64, bool:
	default:
		return errCondition
	}
	p.conditions = append(p.conditions, condition{strings.ToLower(field), prefix, fmt.Sprint(value)})
	return nil
}

// exempt lists the fields that need no condition because they belong to the signature.
var exempt = map[string]bool{
	"policy": true, "x-amz-signature": true, "x-amz-algorithm": true, "x-amz-credential": true,
	"x-amz-date": true, "x-amz-security-token": true, "file": true,
}

// Check checks the fields of a form against the policy. The names must be in lower case and
// include the bucket. All conditions must be met, and each field must have a condition.
//
// Errors: 403 AccessDenied.
func (p *Policy) Check(fields map[string]string) error {
	covered := map[string]bool{}
	for _, c := range p.conditions {
		value, given := fields[c.field]
		switch {
		case c.prefix && (!given || !strings.HasPrefix(value, c.text)):
			return apierr.New(403, "AccessDenied", "Policy condition failed: %q does not start with %q", c.field, c.text)
		case !c.prefix && (!given || value != c.text):
			return apierr.New(403, "AccessDenied", "Policy condition failed: %q does not match", c.field)
		}
		covered[c.field] = true
	}
	for field := range fields {
		if !covered[field] && !exempt[field] && !strings.HasPrefix(field, "x-ignore-") {
			return apierr.New(403, "AccessDenied", "Policy condition failed: field %q is not covered by the policy", field)
		}
	}
	return nil
}
