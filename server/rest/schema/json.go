package schema

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
)

// qualified is a name in the format of PostgREST's schema cache dump.
type qualified struct {
	Name   string `json:"qiName"`
	Schema string `json:"qiSchema"`
}

// MarshalJSON encodes the complete snapshot for debugging. Only the top-level keys are
// compatible with PostgREST; the format of the values may change at any time.
func (s *Snapshot) MarshalJSON() ([]byte, error) {
	if s == nil {
		return []byte("null"), nil
	}
	return json.Marshal(struct {
		Tables        [][2]any   `json:"dbTables"`
		Relationships [][2]any   `json:"dbRelationships"`
		Functions     [][2]any   `json:"dbRoutines"`
		Handlers      []*Handler `json:"dbMediaHandlers"`
	}{entries(s.tables), entries(s.relationships), entries(s.functions), s.handlers})
}

func entries[T any](from map[Name]T) [][2]any {
	list := make([][2]any, 0, len(from))
	byName := func(a, b Name) int { return cmp.Or(cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Name, b.Name)) }
	for _, name := range slices.SortedFunc(maps.Keys(from), byName) {
		list = append(list, [2]any{qualified{name.Name, name.Schema}, from[name]})
	}
	return list
}
