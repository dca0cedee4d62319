package migrate_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgconn"
)

// The texts are those of hashids in JavaScript.
func TestHashids(t *testing.T) {
	t.Parallel()
	conn := standIn(t, "create extension pg_hashids;")
	for query, want := range map[string]string{
		"id_encode(1001)": "jNl",
		"id_encode(array[1, 2, 3], 'this is my salt')":                                "laHquq",
		"id_encode(5, 'this is my salt', 30)":                                         "Nbx7W4vB2D6MZ0rDdozOryjYVJ9L31",
		"id_encode(1234567, 'This is my salt', 10, 'abcdefghijABCDEFGHIJ1234567890')": "3GJ956J9Bj",
		"id_decode('laHquq', 'this is my salt')":                                      "{1,2,3}",
		"id_decode('laHquq', 'another salt')":                                         "{}",
		"id_decode('')":                                                               "{}",
		"id_decode_once('Nbx7W4vB2D6MZ0rDdozOryjYVJ9L31', 'this is my salt', 30)":     "5",
		"id_decode_once(id_encode(9223372036854775807))":                              "9223372036854775807",
		"hash_decode(hash_encode(7, 's', 8), 's', 8)":                                 "7",
	} {
		if diff := cmp.Diff([]string{want}, lines(t, conn, "select "+query)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
}

func TestJSONSchema(t *testing.T) {
	t.Parallel()
	conn := standIn(t, `create extension pg_jsonschema with schema extensions;
		create table people (data jsonb check (extensions.jsonb_matches_schema('{"type": "object", "required": ["name"]}', data)));`)
	for _, c := range []struct {
		schema, value string
		want          string // "{}" if the value matches, a SQLSTATE if the schema is refused
	}{
		{`true`, `1`, `{}`},
		{`false`, `1`, `{" is not allowed"}`},
		{`{"type": "integer"}`, `2.0`, `{}`},
		{`{"type": ["string", "null"]}`, `2`, `{" is not of type [\"string\", \"null\"]"}`},
		{`{"properties": {"a": {"minimum": 3}}, "additionalProperties": false}`, `{"a": 2, "b": 1}`, `{"/a breaks minimum 3","/b is not allowed"}`},
		{`{"prefixItems": [{"const": 1}], "items": {"pattern": "^x"}, "maxItems": 3}`, `[1, "xy", "y"]`, `{"/2 does not match \"^x\""}`},
		{`{"uniqueItems": true, "contains": {"type": "string"}}`, `[1, 1]`, `{" has 0 items that match contains"," has equal items"}`},
		{`{"oneOf": [{"multipleOf": 2}, {"multipleOf": 3}]}`, `6`, `{" matches 2 of oneOf"}`},
		{`{"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"maxProperties": 0}}`, `{"a": 1}`, `{" has no property \"b\""}`},
		{`{"$defs": {"s": {"minLength": 2}}, "propertyNames": {"$ref": "#/$defs/s"}, "not": {"required": ["xx"]}}`, `{"xx": 1, "y": 1}`, `{" must not match {\"required\": [\"xx\"]}","/y breaks minLength 2"}`},
		{`{"$ref": "#"}`, `1`, `54001`},
		{`{"$ref": "https://example.com/other.json"}`, `1`, `0A000`},
		{`{"unevaluatedProperties": false}`, `{}`, `0A000`},
	} {
		var got string
		err := conn.QueryRow(t.Context(), "select extensions.jsonschema_validation_errors($1, $2)::text", c.schema, c.value).Scan(&got)
		var refused *pgconn.PgError
		if errors.As(err, &refused) {
			got = refused.Code
		} else if err != nil {
			t.Fatal(err)
		}
		if got != c.want {
			t.Errorf("%s by %s: %s, want %s", c.value, c.schema, got, c.want)
		}
	}
	for schema, want := range map[string]string{`{"type": "strin"}`: "f", `{"items": {"minLength": -1}}`: "f", `{"allOf": [{"$ref": "#"}]}`: "t", `3`: "f"} {
		if diff := cmp.Diff([]string{want}, lines(t, conn, "select extensions.jsonschema_is_valid('"+schema+"')")); diff != "" {
			t.Errorf("%s is valid (-want +got):\n%s", schema, diff)
		}
	}
	lines(t, conn, `insert into people values ('{"name": 1}')`)
	_, err := conn.Exec(t.Context(), `insert into people values ('{}')`)
	var refused *pgconn.PgError
	if !errors.As(err, &refused) || refused.Code != "23514" {
		t.Errorf("a row that breaks its schema: %v", err)
	}
}
