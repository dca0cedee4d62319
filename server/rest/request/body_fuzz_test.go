package request

import (
	"encoding/csv"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"plaza/server/apierr"
	"plaza/server/rest/sqlgen"
)

// FuzzRowsPayload checks that a body is either rejected or converted to rows that
// PostgreSQL can read, with their keys.
func FuzzRowsPayload(f *testing.F) {
	for _, body := range []string{
		`{"a":1}`, `[{"a":1,"b":"x"},{"b":null,"a":[]}]`, `[{"a":1},{"b":1}]`, `[]`, ` [ ] `, `12`, `[1]`, `{`, "",
		"a,b\n1,NULL\n\"x \"\"y\"\"\",\n", "a\n1,2\n", "a,a\n1,2\n", "\"", "a=1&b=%20&a=2", "a=%zz", "\xff\n\xff", "a\r\n\r\n", `{"\u0000":"\ud800"}`,
	} {
		for _, kind := range []string{TypeJSON, TypeCSV, TypeForm} {
			f.Add(kind, body)
		}
	}
	all := bodiesOf(f, time.Second, smallBody)
	f.Fuzz(func(t *testing.T, kind, body string) {
		ask := func() *Body {
			r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
			r.Header["Content-Type"] = []string{kind}
			source := all.Of(httptest.NewRecorder(), r)
			t.Cleanup(source.Close)
			return source
		}
		refusal := func(err error) {
			if answer := apierr.As(err); answer == nil || answer.Code != "PGRST102" && answer.Code != "PLZ010" {
				t.Errorf("%s %q: %v", kind, body, err)
			}
		}
		if _, err := ask().Arguments(); err != nil {
			refusal(err)
		}
		payload, keys, err := ask().Rows(false)
		if err != nil {
			refusal(err)
			return
		}
		var rows []map[string]json.RawMessage
		if payload.List {
			err = json.Unmarshal(payload.JSON, &rows)
		} else {
			rows = make([]map[string]json.RawMessage, 1)
			err = json.Unmarshal(payload.JSON, &rows[0])
		}
		if err != nil {
			t.Fatalf("%s %q: payload %s: %v", kind, body, payload.JSON, err)
		}
		if !utf8Keys(body) {
			return // encoding/json reads such keys in another way
		}
		if payload.Keys != nil {
			renameKeys(rows, payload)
			slices.Sort(keys)
		}
		for _, row := range rows {
			if want := slices.Sorted(maps.Keys(row)); !slices.Equal(keys, want) {
				t.Errorf("%s %q: keys %q, a row has %q", kind, body, keys, want)
			}
		}
		if payload.Keys != nil {
			compareCSV(t, body, rows)
		}
	})
}

// renameKeys replaces the keys of rows by the names of their columns.
func renameKeys(rows []map[string]json.RawMessage, payload sqlgen.Payload) {
	for i, row := range rows {
		named := make(map[string]json.RawMessage, len(row))
		for j, key := range payload.Keys {
			named[payload.Names[j]] = row[key]
		}
		rows[i] = named
	}
}

func utf8Keys(body string) bool { return body == strings.ToValidUTF8(body, "") }

// compareCSV parses the CSV independently and compares the values.
func compareCSV(t *testing.T, body string, rows []map[string]json.RawMessage) {
	t.Helper()
	lines, err := csv.NewReader(strings.NewReader(body)).ReadAll()
	if err != nil || len(lines) == 0 {
		return // all lines have as many fields as the first, or there are none
	}
	if len(rows) != len(lines)-1 {
		t.Fatalf("%q: %d rows of %d lines", body, len(rows), len(lines))
	}
	for i, line := range lines[1:] {
		want := make(map[string]any)
		for j, text := range line {
			if want[lines[0][j]] = text; text == "NULL" {
				want[lines[0][j]] = nil
			}
		}
		got := make(map[string]any)
		for name, value := range rows[i] {
			var text any
			if err := json.Unmarshal(value, &text); err != nil {
				t.Fatal(err)
			}
			got[name] = text
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: row %d (-want +got):\n%s", body, i, diff)
		}
	}
}
