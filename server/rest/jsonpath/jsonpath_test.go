package jsonpath_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plaza/server/rest/jsonpath"
)

const document = `{
	"role": "author", "n": 3, "none": null, "a b": {"c": [1, 2, 3, 4]}, "ñ": "x", "'": 1,
	"roles": ["other", "db_author", "db_admin", 7],
	"groups": [{"name": "b", "rank": 2}, {"name": "a", "rank": 1, "role": "x"}]}`

// TestPaths has examples of each supported rule of RFC 9535, and of the order of values.
func TestPaths(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"$.role":                          `["author"]`,
		"$.ñ":                             `["x"]`,
		"$ ['a b'] . c":                   "",
		"$ ['a b'] .c [ 0 ]":              `[1]`,
		`$["\u0061 b"].c[-1]`:             `[4]`,
		`$['\'']`:                         `[1]`,
		"$.nothing":                       `[]`,
		"$.none":                          `[null]`,
		"$.role[0]":                       `[]`,
		"$.roles[9]":                      `[]`,
		"$.roles[1,0]":                    `["db_author","other"]`,
		"$.roles[1:3]":                    `["db_author","db_admin"]`,
		"$.roles[::-2]":                   `[7,"db_author"]`,
		"$.roles[-2:]":                    `["db_admin",7]`,
		"$.roles[::0]":                    `[]`,
		"$['a b'].*":                      `[[1,2,3,4]]`,
		"$.groups[*].name":                `["b","a"]`,
		"$..role":                         `["author","x"]`,
		"$..[?@.rank].name":               `["b","a"]`,
		"$.groups[?@.rank > 1].name":      `["b"]`,
		"$.groups[?(@.name == 'a')].rank": `[1]`,
		"$.groups[?@.rank <= $.n && !(@.name == 'b')].name": `["a"]`,
		"$.groups[?@.role || @.rank == 2].name":             `["b","a"]`,
		"$.groups[?@.role == @.nothing].name":               `["b"]`,
		"$.roles[?search(@, '^db_')]":                       `["db_author","db_admin"]`,
		"$.roles[?!search(@, '^db_')]":                      `["other",7]`,
		"$.roles[?@ == 7]":                                  `[7]`,
		"$.roles[?@ >= 'p']":                                `[]`,
		"$.groups[0]['rank','name']":                        `[2,"b"]`,
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			parsed, err := jsonpath.Parse(path)
			if want == "" {
				if err == nil {
					t.Errorf("was accepted as %s", parsed)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			again, err := jsonpath.Parse(parsed.String())
			if err != nil {
				t.Fatalf("written as %s: %v", parsed, err)
			}
			var value, found any
			decode(t, document, &value)
			decode(t, want, &found)
			for _, p := range []*jsonpath.Path{parsed, again} {
				if got := p.Select(value); !cmp.Equal(append([]any{}, got...), found) {
					t.Errorf("%s: %v, want %s", p, got, want)
				}
			}
		})
	}
}

func decode(t *testing.T, text string, into *any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatal(err)
	}
}

func TestInvalidPaths(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		"", "role", ".role", "$.", "$..", "$role", "$.1", "$.a-b", "$[", "$[]", "$[a]", "$['a]", "$[01]", "$[-0]", "$[9007199254740992]", "$.a ",
		`$["\x"]`, `$["\ud800"]`, `$["\udc00"]`, `$["\u12"]`, "$['\"\\\"']", "$[?]", "$[?1]", "$[?@ =]", "$[?@.* == 1]", "$[?@..a == 1]", "$[?length(@) == 1]",
		"$[?search(@)]", "$[?search(@, '[')]", "$[?search(@, 'a') == true]", "$[?!@ == 1]", "$[?(@", "$[?@ == 01]", "$[?@ == 1.]", "\xff",
	} {
		if parsed, err := jsonpath.Parse(path); err == nil {
			t.Errorf("%q was accepted as %s", path, parsed)
		}
	}
}
