package settings

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"plaza/server/lazyregexp"
	"plaza/server/rest/jsonpath"
)

// ClaimPath is the path of a value inside a token's claims.
//
// It is a JSON Path (RFC 9535), or has the legacy syntax of jwt-role-claim-key in
// PostgREST before version 16: ".a", ."a b", "[0]", and as last step a filter on the
// strings of a list: [?(@ == "x")] with ==, !=, ^==, ==^ and *==.
type ClaimPath struct {
	path  *jsonpath.Path
	steps []claimStep // legacy syntax; used if path is nil
}

// DefaultClaimPath is the default path of the claim that holds the role.
const DefaultClaimPath = "$.role"

// IsDeprecated reports whether a path has the legacy syntax.
func (p ClaimPath) IsDeprecated() bool { return p.path == nil }

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

// Each pattern matches one step at the start of the remaining path.
var (
	keyStep    = lazyregexp.New(`^\.(?:([\pL\pN_$@]+)|"([^"]*)")`)
	indexStep  = lazyregexp.New(`^\[([0-9]{1,9})\]`)
	filterStep = lazyregexp.New(`^\[\?\(@\s*(==\^|==|!=|\^==|\*==)\s*"([^"]*)"\)\]$`)
)

// ParseClaimPath parses a path in either syntax.
func ParseClaimPath(text string) (ClaimPath, error) {
	path, err := jsonpath.Parse(text)
	if err == nil {
		return ClaimPath{path: path}, nil
	}
	steps, ok := parseSteps(text)
	if !ok {
		return ClaimPath{}, fmt.Errorf("failed to parse role-claim-key value (%s): %w", text, err)
	}
	return ClaimPath{steps: steps}, nil
}

func parseSteps(text string) (steps []claimStep, ok bool) {
	for rest := text; rest != "" || steps == nil; {
		var step claimStep
		matched := ""
		if found := keyStep().FindStringSubmatch(rest); found != nil {
			matched, step = found[0], claimStep{key: found[1] + found[2]}
		} else if found := indexStep().FindStringSubmatch(rest); found != nil {
			index, err := strconv.Atoi(found[1])
			if err != nil {
				return nil, false
			}
			matched, step = found[0], claimStep{kind: stepIndex, index: index}
		} else if found := filterStep().FindStringSubmatch(rest); found != nil {
			matched, step = found[0], claimStep{kind: stepFilter, operator: found[1], operand: found[2]}
		} else {
			return nil, false
		}
		steps, rest = append(steps, step), rest[len(matched):]
	}
	return steps, true
}

// UnmarshalText implements encoding.TextUnmarshaler for settings.
func (p *ClaimPath) UnmarshalText(text []byte) (err error) {
	*p, err = ParseClaimPath(string(text))
	return err
}

// String returns the path. In the legacy syntax all keys are quoted.
func (p ClaimPath) String() string {
	if p.path != nil {
		return p.path.String()
	}
	var out strings.Builder
	for _, step := range p.steps {
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

// In returns the first value at the path in a set of claims. ok is false if there is
// none. A value that is not a string is returned as JSON.
func (p ClaimPath) In(set map[string]any) (role string, ok bool) {
	value := p.valueIn(set)
	if role, ok = value.(string); ok || value == nil {
		return role, ok
	}
	encoded, err := json.Marshal(value)
	return string(encoded), err == nil
}

func (p ClaimPath) valueIn(set map[string]any) any {
	var value any = set
	if p.path != nil {
		if found := p.path.Select(value); len(found) > 0 {
			return found[0]
		}
		return nil
	}
	for _, step := range p.steps {
		switch step.kind {
		case stepKey:
			object, _ := value.(map[string]any)
			value = object[step.key]
		case stepIndex:
			list, _ := value.([]any)
			if step.index >= len(list) {
				return nil
			}
			value = list[step.index]
		case stepFilter:
			value = step.first(value)
		}
	}
	return value
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
