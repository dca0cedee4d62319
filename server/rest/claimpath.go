package rest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// ClaimPath leads to a value inside a token's claims. The zero value leads to
// the claims themselves.
//
// Source: PostgREST's jwt-role-claim-key, a small part of JSPath: ".a", ."a b",
// "[0]", and as last step a filter on the texts of a list: [?(@ == "x")] with
// ==, !=, ^==, ==^ and *==.
type ClaimPath []claimStep

type claimStep struct {
	kind     claimStepKind
	key      string
	index    int
	operator string // of a filter
	operand  string
}

type claimStepKind int

const (
	stepKey claimStepKind = iota
	stepIndex
	stepFilter
)

// One step each, at the start of what is left of a path.
var (
	keyStep    = regexp.MustCompile(`^\.(?:([\pL\pN_$@]+)|"([^"]*)")`)
	indexStep  = regexp.MustCompile(`^\[([0-9]{1,9})\]`)
	filterStep = regexp.MustCompile(`^\[\?\(@\s*(==\^|==|!=|\^==|\*==)\s*"([^"]*)"\)\]$`)
)

// ParseClaimPath reads a path.
func ParseClaimPath(text string) (ClaimPath, error) {
	var path ClaimPath
	for rest := text; rest != "" || path == nil; {
		var step claimStep
		matched := ""
		if found := keyStep.FindStringSubmatch(rest); found != nil {
			matched, step = found[0], claimStep{key: found[1] + found[2]}
		} else if found := indexStep.FindStringSubmatch(rest); found != nil {
			index, err := strconv.Atoi(found[1])
			if err != nil {
				return nil, err
			}
			matched, step = found[0], claimStep{kind: stepIndex, index: index}
		} else if found := filterStep.FindStringSubmatch(rest); found != nil {
			matched, step = found[0], claimStep{kind: stepFilter, operator: found[1], operand: found[2]}
		} else {
			return nil, fmt.Errorf("failed to parse role-claim-key value (%s)", text)
		}
		path, rest = append(path, step), rest[len(matched):]
	}
	return path, nil
}

// UnmarshalText is ParseClaimPath, for settings.
func (p *ClaimPath) UnmarshalText(text []byte) (err error) {
	*p, err = ParseClaimPath(string(text))
	return err
}

// String writes the path with all its keys quoted.
func (p ClaimPath) String() string {
	var out strings.Builder
	for _, step := range p {
		switch step.kind {
		case stepKey:
			out.WriteString(`."` + step.key + `"`)
		case stepIndex:
			out.WriteString("[" + strconv.Itoa(step.index) + "]")
		case stepFilter:
			out.WriteString(`[?(@ ` + step.operator + ` "` + step.operand + `")]`)
		}
	}
	return out.String()
}

// in follows the path; ok is false where it leads nowhere. What is no text is
// taken as it stands in JSON.
func (p ClaimPath) in(set map[string]any) (role string, ok bool) {
	var value any = set
	for _, step := range p {
		switch step.kind {
		case stepKey:
			object, _ := value.(map[string]any)
			value = object[step.key]
		case stepIndex:
			list, _ := value.([]any)
			if step.index >= len(list) {
				return "", false
			}
			value = list[step.index]
		case stepFilter:
			value = step.first(value)
		}
	}
	if role, ok = value.(string); ok || value == nil {
		return role, ok
	}
	encoded, err := json.Marshal(value)
	return string(encoded), err == nil
}

func (s claimStep) first(value any) any {
	list, _ := value.([]any)
	for _, element := range list {
		if text, ok := element.(string); ok && s.matches(text) {
			return text
		}
	}
	return nil
}

func (s claimStep) matches(text string) bool {
	switch s.operator {
	case "==":
		return text == s.operand
	case "!=":
		return text != s.operand
	case "^==":
		return strings.HasPrefix(text, s.operand)
	case "==^":
		return strings.HasSuffix(text, s.operand)
	}
	return strings.Contains(text, s.operand)
}
