package imports_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plaza/server/edge/imports"
)

// folder writes files and returns their folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestFiles(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		files map[string]string
		use   string // the import map
		want  []string
	}{
		"every form of import": {files: map[string]string{
			"f/index.ts": "import a from './a.ts'\nimport { b,\n  c } from \"../b.ts\"; import './c.ts'\nexport * from './d.ts'\nconst e = await import('./e.ts')\nimport type { F } from './f.ts'\nimport data from './g.json' with { type: 'json' }",
			"f/a.ts":     "", "b.ts": "", "f/c.ts": "", "f/d.ts": "", "f/e.ts": "", "f/f.ts": "", "f/g.json": "{}", "f/unused.ts": "",
		}, want: []string{"b.ts", "f/a.ts", "f/c.ts", "f/d.ts", "f/e.ts", "f/f.ts", "f/g.json", "f/index.ts"}},
		"cycles, missing files and packages": {files: map[string]string{
			"f/index.ts": "import './a.ts'; import './nowhere.ts'; import 'npm:zod'; import 'zod'; import '../node_modules/x/index.js'",
			"f/a.ts":     "import './index.ts'", "node_modules/x/index.js": "",
		}, want: []string{"f/a.ts", "f/index.ts"}},
		"the longest entry of the map": {files: map[string]string{
			"f/index.ts": "import 'one'; import 'lib/x.ts'; import 'lib/deep/y.ts'", "f/deno.jsonc": `{
				// comments and trailing commas, but not in "strings, ]"
				"imports": { "one": "./one.ts", "lib/": "../lib/", "lib/deep/": "../deep/", "zod": "npm:zod", /* , */ },
			}`, "f/one.ts": "", "lib/x.ts": "", "deep/y.ts": "", "lib/deep/y.ts": "",
		}, use: "f/deno.jsonc", want: []string{"deep/y.ts", "f/index.ts", "f/one.ts", "lib/x.ts"}},
		"a map that a configuration refers to": {files: map[string]string{
			"f/index.ts": "import 'one'", "f/deno.json": `{ "importMap": "../maps/map.json" }`, "maps/map.json": `{ "imports": { "one": "./one.ts" } }`, "maps/one.ts": "",
		}, use: "f/deno.json", want: []string{"f/index.ts", "maps/one.ts"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := folder(t, tt.files)
			use := ""
			if tt.use != "" {
				use = filepath.Join(root, tt.use)
			}
			m, err := imports.Read(use)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, path := range imports.Files(filepath.Join(root, "f/index.ts"), m) {
				inside, err := filepath.Rel(root, path)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, filepath.ToSlash(inside))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	root := folder(t, map[string]string{
		"list/deno.json": `{ "workspace": ["./packages/*"] }`, "list/packages/a/deno.json": "{}", "list/packages/b/deno.json": "{}",
		"object/deno.json": `{ "workspace": { "members": ["one"] } }`, "object/one/deno.json": "{}", "broken/deno.json": "{ imports",
	})
	for name, want := range map[string][]string{"list": {"list/packages/a", "list/packages/b"}, "object": {"object/one"}} {
		m, err := imports.Read(filepath.Join(root, name, "deno.json"))
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			want[i] = filepath.Join(root, want[i])
		}
		if diff := cmp.Diff(want, m.Folders); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for _, name := range []string{"broken/deno.json", "nowhere.json"} {
		if _, err := imports.Read(filepath.Join(root, name)); err == nil {
			t.Errorf("%s is read", name)
		}
	}
}

// Paths become absolute, deno's own shorthand for packages is written out, and only options remain.
func TestResolved(t *testing.T) {
	t.Parallel()
	root := folder(t, map[string]string{
		"deno.json": `{ "imports": { "a": "./a.ts", "./b/": "../b/", "zod": "npm:zod@4", "x": "jsr:@y/x", "far": "https://a.example/x.ts" },
			"scopes": { "./in/": { "a": "./in/a.ts" } }, "compilerOptions": { "jsx": "react" }, "nodeModulesDir": "auto", "lock": false }`,
		"map.json": `{ "imports": { "zod": "npm:zod@4" } }`,
	})
	at := func(path string) string { return "file://" + filepath.ToSlash(filepath.Join(root, path)) }
	for name, want := range map[string][2]map[string]any{
		"deno.json": {{
			"imports": map[string]any{
				"a": at("a.ts"), at("b") + "/": at("../b") + "/", "zod": "npm:zod@4", "zod/": "npm:/zod@4/", "x": "jsr:@y/x", "x/": "jsr:/@y/x/",
				"far": "https://a.example/x.ts",
			},
			"scopes": map[string]any{at("in") + "/": map[string]any{"a": at("in/a.ts")}},
		}, {"compilerOptions": map[string]any{"jsx": "react"}}},
		"map.json": {{"imports": map[string]any{"zod": "npm:zod@4"}, "scopes": map[string]any{}}, nil},
	} {
		m, err := imports.Read(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		var got [2]map[string]any
		for i, text := range [][]byte{m.Resolved, m.Options} {
			if text == nil {
				continue
			}
			if err := json.Unmarshal(text, &got[i]); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestDependencies(t *testing.T) {
	t.Parallel()
	root := folder(t, map[string]string{"package.json": `{
		"dependencies": { "zod": "^4", "@a/b": "1.2.3", "other": "npm:real@2", "std": "jsr:@std/x@1", "near": "file:../near" }, "devDependencies": { "zod": "^3", "dev": "1" } }`})
	text, err := imports.Dependencies(filepath.Join(root, "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Imports map[string]string }
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"zod": "npm:zod@^4", "zod/": "npm:/zod@^4/", "@a/b": "npm:@a/b@1.2.3", "@a/b/": "npm:/@a/b@1.2.3/", "other": "npm:real@2", "other/": "npm:/real@2/",
		"std": "jsr:@std/x@1", "std/": "jsr:/@std/x@1/", "dev": "npm:dev@1", "dev/": "npm:/dev@1/",
	}
	if diff := cmp.Diff(want, got.Imports); diff != "" {
		t.Errorf("imports (-want +got):\n%s", diff)
	}
}
