// Package jsonpath parses JSON Path queries and evaluates them on decoded JSON.
//
// Source: RFC 9535. As in PostgREST, search() is the only supported function.
// Members of objects are visited in the order of their names, so that results are
// deterministic.
package jsonpath

import (
	"maps"
	"slices"
)

// Path is a parsed query that starts at the root.
type Path struct{ segments []segment }

// Select returns the values that the path selects. value must have been decoded by
// encoding/json into an any.
func (p *Path) Select(value any) []any {
	return follow(p.segments, value, value)
}

// segment selects children of the values found so far, or all their descendants.
type segment struct {
	descendants bool
	selectors   []selector
}

// selector is one of a segment's selectors.
type selector struct {
	kind   kind
	name   string
	index  int
	slice  slice
	filter *condition
}

type kind int

const (
	byName kind = iota
	byIndex
	bySlice
	byFilter
	wildcard
)

// slice is start:end:step. A nil part was omitted.
type slice struct{ start, end, step *int }

// follow applies segments to a value. Filters may refer to the root.
func follow(segments []segment, root, value any) []any {
	found := []any{value}
	for _, s := range segments {
		var next []any
		for _, at := range found {
			next = s.appendTo(next, root, at)
		}
		found = next
	}
	return found
}

func (s segment) appendTo(found []any, root, at any) []any {
	for _, selector := range s.selectors {
		found = selector.appendTo(found, root, at)
	}
	if s.descendants {
		for _, child := range children(at) {
			found = s.appendTo(found, root, child)
		}
	}
	return found
}

func (s selector) appendTo(found []any, root, at any) []any {
	switch s.kind {
	case byName:
		if object, ok := at.(map[string]any); ok {
			if value, ok := object[s.name]; ok {
				found = append(found, value)
			}
		}
	case byIndex:
		list, _ := at.([]any)
		index := s.index
		if index < 0 {
			index += len(list)
		}
		if index >= 0 && index < len(list) {
			found = append(found, list[index])
		}
	case bySlice:
		list, _ := at.([]any)
		found = s.slice.appendTo(found, list)
	case byFilter:
		for _, child := range children(at) {
			if s.filter.holds(root, child) {
				found = append(found, child)
			}
		}
	case wildcard:
		found = append(found, children(at)...)
	}
	return found
}

// children returns the elements of a list, or the values of an object ordered by
// member name.
func children(of any) []any {
	switch of := of.(type) {
	case []any:
		return of
	case map[string]any:
		values := make([]any, 0, len(of))
		for _, name := range slices.Sorted(maps.Keys(of)) {
			values = append(values, of[name])
		}
		return values
	}
	return nil
}

// appendTo appends the elements of list that the slice selects.
//
// Source: RFC 9535, section 2.3.4.2.2.
func (s slice) appendTo(found, list []any) []any {
	step := 1
	if s.step != nil {
		step = *s.step
	}
	if step == 0 {
		return found
	}
	bound := func(given *int, otherwise, low, high int) int {
		if given == nil {
			return otherwise
		}
		at := *given
		if at < 0 {
			at += len(list)
		}
		return min(max(at, low), high)
	}
	if step > 0 {
		end := bound(s.end, len(list), 0, len(list))
		for i := bound(s.start, 0, 0, len(list)); i < end; i += min(step, len(list)) {
			found = append(found, list[i])
		}
		return found
	}
	end := bound(s.end, -1, -1, len(list)-1)
	for i := bound(s.start, len(list)-1, -1, len(list)-1); i > end; i += max(step, -len(list)) {
		found = append(found, list[i])
	}
	return found
}
