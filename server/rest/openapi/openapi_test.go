package openapi_test

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"plaza/server/rest/openapi"
	"plaza/server/rest/schema"
	"plaza/tests/testkit"
)

//go:embed testdata/fixture.sql
var fixture string

// TestDocument compares the complete document of a schema with testdata/document.json,
// which -update rewrites, so that changes are visible in review.
func TestDocument(t *testing.T) {
	t.Parallel()
	address, err := openapi.ParseAddress("https://library.example/rest/v1/")
	if err != nil {
		t.Fatal(err)
	}
	options := openapi.Options{
		Schema: "library", Description: "Lending library\n\nBooks and who has them.\nOpen on Sundays.",
		SearchPath: []string{"library", "words"}, Address: address, Security: true,
	}
	written := write(t, load(t), options)
	var out bytes.Buffer
	if err := json.Indent(&out, written, "", "  "); err != nil {
		t.Fatal(err)
	}
	testkit.Golden(t, "document.json", out.Bytes())
	checkReferences(t, written)
}

// A caller's document contains no references to tables on which the caller has no
// privileges.
func TestDocumentOfACaller(t *testing.T) {
	t.Parallel()
	snapshot := load(t)
	access := openapi.Access{Tables: map[string]bool{"covers": true}, Functions: make(map[uint32]bool)}
	for _, f := range snapshot.Functions(schema.Name{Schema: "library", Name: "lend"}) {
		access.Functions[f.OID] = len(f.Arguments) == 1
	}
	written := write(t, snapshot, openapi.Options{Schema: "library", Access: &access})
	checkReferences(t, written)
	var document struct{ Info struct{ Title string } }
	if err := json.Unmarshal(written, &document); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{`"/covers"`: true, `"/rpc/lend"`: true, `"days"`: false, `"/books"`: false, `"/rpc/tagged"`: false, `"host"`: false} {
		if strings.Contains(string(written), path+":") != want {
			t.Errorf("%s is in the document: %v, want %v", path, !want, want)
		}
	}
	if document.Info.Title != "PostgREST API" {
		t.Errorf("the title of a schema without comment is %q", document.Info.Title)
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]*url.URL{
		"http://example.com":                  {Scheme: "http", Host: "example.com"},
		"HTTPS://example.com:8443/base":       {Scheme: "https", Host: "example.com:8443", Path: "/base"},
		"https://[::1]/":                      {Scheme: "https", Host: "[::1]", Path: "/"},
		"":                                    nil,
		"example.com":                         nil,
		"ftp://example.com":                   nil,
		"https://":                            nil,
		"https://:80/":                        nil,
		"https://ana:secret@example.com":      nil,
		"https://example.com/?a=b":            nil,
		"http://example.com:0":                nil,
		"http://example.com:65536":            nil,
		"http://example.com:http":             nil,
		"https://example.com/%zz":             nil,
		"https://example.com:8443/base path/": {Scheme: "https", Host: "example.com:8443", Path: "/base path/"},
	} {
		got, err := openapi.ParseAddress(text)
		if (err == nil) != (want != nil) || want != nil && got.String() != want.String() {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}

func load(t *testing.T) *schema.Snapshot {
	t.Helper()
	db := testkit.PlatformDB(t)
	conn, err := db.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	for _, sql := range []string{fixture, "set search_path = ''"} {
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	snapshot, err := schema.Load(t.Context(), conn, []string{"library"})
	if err != nil {
		t.Fatal(err)
	}
	return snapshot
}

func write(t *testing.T, snapshot *schema.Snapshot, options openapi.Options) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := openapi.Build(snapshot, options).Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// checkReferences fails the test if a $ref has no target.
func checkReferences(t *testing.T, written []byte) {
	t.Helper()
	var document map[string]any
	if err := json.Unmarshal(written, &document); err != nil {
		t.Fatal(err)
	}
	found := 0
	var walk func(node any)
	walk = func(node any) {
		switch node := node.(type) {
		case []any:
			for _, inner := range node {
				walk(inner)
			}
		case map[string]any:
			if ref, ok := node["$ref"].(string); ok {
				found++
				parts := strings.SplitN(ref, "/", 3)
				if among, ok := document[parts[1]].(map[string]any); !ok || among[parts[2]] == nil {
					t.Errorf("%s leads nowhere", ref)
				}
			}
			for _, inner := range node {
				walk(inner)
			}
		}
	}
	walk(document)
	if found == 0 {
		t.Error("no references at all")
	}
}
