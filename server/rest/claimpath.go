package rest

import (
	"fmt"
	"strconv"
	"strings"
)

// claimPath leads to a value inside a token's claims.
//
// Source: PostgREST's jwt-role-claim-key, a small part of JSPath: ".a", ."a b",
// "[0]", and as last step a filter on the texts of a list: [?(@ == "x")] with
// ==, !=, ^==, ==^ and *==.
type claimPath []claimStep

type claimStep struct {
	key      string
	index    int    // where isIndex
	operator string // of a filter
	operand  string
	kind     claimStepKind
}

type claimStepKind int

const (
	stepKey claimStepKind = iota
	stepIndex
	stepFilter
)

func parseClaimPath(text string) (claimPath, error) {
	if text == "" {
		text = ".role"
	}
	wrong := fmt.Errorf("failed to parse role-claim-key value (%s)", text)
	var path claimPath
	for rest := text; rest != ""; {
		var step claimStep
		var ok bool
		switch {
		case strings.HasPrefix(rest, `."`):
			end := strings.IndexByte(rest[2:], '"')
			if end < 0 {
				return nil, wrong
			}
			step.key, rest, ok = rest[2:2+end], rest[3+end:], true
		case rest[0] == '.':
			end := strings.IndexAny(rest[1:], ".[")
			if end < 0 {
				end = len(rest) - 1
			}
			step.key, rest, ok = rest[1:1+end], rest[1+end:], end > 0
		case rest[0] == '[':
			inner, after, closed := strings.Cut(rest[1:], "]")
			step, ok = bracketStep(inner)
			rest, ok = after, ok && closed && (step.kind != stepFilter || after == "")
		}
		if !ok {
			return nil, wrong
		}
		path = append(path, step)
	}
	return path, nil
}

func bracketStep(inner string) (claimStep, bool) {
	if index, err := strconv.Atoi(inner); err == nil && index >= 0 {
		return claimStep{kind: stepIndex, index: index}, true
	}
	condition, ok := strings.CutPrefix(inner, "?(@")
	condition, closed := strings.CutSuffix(strings.TrimSpace(condition), ")")
	if !ok || !closed {
		return claimStep{}, false
	}
	operator, operand, ok := strings.Cut(strings.TrimSpace(condition), " ")
	operand, err := strconv.Unquote(strings.TrimSpace(operand))
	switch operator {
	case "==", "!=", "^==", "==^", "*==":
		return claimStep{kind: stepFilter, operator: operator, operand: operand}, ok && err == nil
	}
	return claimStep{}, false
}

// in follows the path; ok is false where it leads to no text.
func (p claimPath) in(set map[string]any) (role string, ok bool) {
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
	role, ok = value.(string)
	return role, ok
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
